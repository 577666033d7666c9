"""A row of knobs: sliders that tell the pictures where the hand is while it moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.shared.component import NUMBERS, component, hear_moves
from pages.shared.engine import session
from pages.shared.widgets import url

_component = component("knobs", "knobs/knobs", ["knobs/knobs"], moves=True)


def draw_knobs(knobs: Sequence[url.Knob], key: str = "knobs") -> None:
    """Draw knobs in a row.

    While one is dragged, the browser sends an event "knob" to the pictures of the page, which may
    follow it (see `assets/knobs/knobs.js`). When the hand rests, the script runs with its value.
    """
    _component(
        key=key,
        data={
            "knobs": [
                {
                    "key": knob.key,
                    "label": knob.label,
                    "hint": knob.hint,
                    "help": knob.help,
                    "texts": [*knob.texts],
                    "at": knob.at,
                }
                for knob in knobs
            ]
        },
        on_moved_change=partial(_hear_row, key, knobs),
    )


def _hear_row(key: str, knobs: Sequence[url.Knob]) -> None:
    take_moves(key, knobs)
    numbers = st.session_state[NUMBERS]
    st.session_state[session.MOVE] = max(numbers.get(knob.key, 0) for knob in knobs)


def take_moves(key: str, knobs: Sequence[url.Knob]) -> None:
    """Set the knobs that the reader has moved to their new values; a callback."""
    places = hear_moves(key, [knob.key for knob in knobs])
    for knob in knobs:
        place = places.get(knob.key)
        if isinstance(place, int) and 0 <= place < len(knob.values):
            st.session_state[knob.key] = knob.values[place]
