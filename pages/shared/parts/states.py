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

    A click sets their controls. When the page comes to a state or leaves it in another way, that is
    a new control: what the browser may still say of the old one is no click.
    """
    state, name = st.session_state, url.full_key("state")
    values = {
        each.label: {url.full_key(name): value for name, value in each.values.items()}
        for each in states
    }

    def is_in(label: str) -> bool:  # a control that is not on the page agrees with every state
        return all(state.get(key, value) == value for key, value in values[label].items())

    current = next(filter(is_in, values), None)
    number = state.setdefault(f"number of {name}", 0)
    if state.get(_key(name, number), current) != current:
        number = state[f"number of {name}"] = number + 1
    key = _key(name, number)
    state[key] = current
    st.segmented_control(
        "Try",
        list(values),
        key=key,
        on_change=_set,
        args=(key, current, values),
        label_visibility="collapsed",
        width="content",
        wrap=True,
    )


def _key(name: str, number: int) -> str:
    return f"{name}_{number}" if number else name


def _set(key: str, drawn: str | None, values: Mapping[str, Mapping[str, Any]]) -> None:
    chosen = st.session_state[key]
    if chosen and chosen != drawn:  # a click on the current one takes nothing back
        st.session_state.update(values[chosen])
