"""States of a page that show a claim or its opposite: one of them is current, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.widgets import url


@dataclass(frozen=True)
class State:
    """A state of the page."""

    label: str  # a few words
    values: Mapping[str, Any]  # of controls, by their names in the lesson


def choose_state(states: Sequence[State]) -> None:
    """Draw the states as a control that shows which one the page is in, below its other controls.

    A click sets their controls.
    """
    state, key = st.session_state, url.full_key("state")
    values = {
        each.label: {url.full_key(name): value for name, value in each.values.items()}
        for each in states
    }
    state[key] = next(
        (name for name, its in values.items() if its.items() <= state.to_dict().items()), None
    )
    st.segmented_control(
        "Try",
        list(values),
        key=key,
        on_change=_set,
        args=(key, values),
        label_visibility="collapsed",
        width="content",
        wrap=True,
    )


def _set(key: str, values: Mapping[str, Mapping[str, Any]]) -> None:
    if chosen := st.session_state[key]:  # a click on the current state takes nothing back
        st.session_state.update(values[chosen])
