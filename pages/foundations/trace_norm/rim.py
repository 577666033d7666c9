"""The drum of symmetric 2 x 2 matrices, and where a balloon touches it; drawn in the browser."""

from __future__ import annotations

import streamlit as st

from pages.shared.component import component
from pages.shared.widgets import url

STEPS = range(1, 5)
GUESSES = NONE, *_ = *url.NO_GUESS, "flat", "curved", "rim"

_component = component("rim", "rim/rim", ["toy", "steps", "rim/rim"])


def draw_rim() -> None:
    """Draw the picture in four steps; its first one asks a question of its own."""
    _, step = url.knob("Step", "", STEPS, 1, key="rim")
    _, guess = url.knob("Guess", "", GUESSES, NONE, key="guess")
    url.text(None, "minimum, and the turn of the drum", key="at")
    data = {"step": step.to_json(), "guess": guess.to_json(), "at": url.full_key("at")}
    with st.container(key="stage-rim"):
        _component(key="rim", data=data)
