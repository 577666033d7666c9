"""The picture of the map: where the SMM gets more right than the linear SVM."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared.component import component
from pages.shared.engine import stream
from pages.shared.widgets import url
from pages.smm.structure.tiles import COUNTS, DRAWS, PATH, RANKS

KEY = "map"
CHOICES = 50, 200, 1600  # samples
GUESSES = *url.NO_GUESS, *map(str, CHOICES)
CURVES = "none", "unknowns", "square"  # names of borders in assets/map/places.js

_component = component(KEY, "map/map", ["toy", "steps", "map/map"])


def draw_map() -> None:
    """Draw the picture."""
    knobs = {
        "step": url.knob("step of the map", "", range(1, 4), 1, key="step")[1],
        "rank": url.knob("rank of W*", "", RANKS, 2, key="rank")[1],
        "samples": url.knob("n of the map", "", COUNTS, 280, key="samples")[1],
        "layers": url.knob("layers", "", [*DRAWS], "equal", key="layers")[1],
        "curve": url.knob("border", "", CURVES, "none", key="curve")[1],
        "guess": url.knob("guess", "", GUESSES, GUESSES[0], key="guess")[1],
    }
    data: dict[str, Any] = {name: knob.to_json() for name, knob in knobs.items()} | {
        "url": stream.grid_url(PATH.stem),
        "guesses": CHOICES,
    }
    with st.container(key="stage-map"):
        _component(key=KEY, data=data)
