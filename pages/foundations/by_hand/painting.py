"""The picture of *Be the SVM*: a W that the reader paints, and the samples that it moves."""

from __future__ import annotations

import streamlit as st

from pages.shared.component import component
from pages.shared.settings import Setting
from pages.shared.widgets import url

KEY, STEP, PAY, BEST = "by_hand", "step", "3", "4"
SIZES = [round(0.05 * i, 2) for i in range(4, 51)]  # factors of the weights that are painted
LINES = [round(0.02 * i, 2) for i in range(-60, 61)]  # where the line at 0 stands, -b
TAUS = [round(0.1 * i, 1) for i in range(41)]

_component = component(KEY, "by_hand/by_hand", ["toy", "steps", "by_hand/by_hand"])


def read_knobs() -> dict[str, Setting]:
    """Return the settings of the picture, which it sets by itself."""
    url.text(None, "W", key="W")
    return {
        STEP: url.knob("step", "", ("1", "2", "3", "4", "5"), "1", str, key=STEP)[1],
        "size": url.knob("size of W", "", SIZES, 1.0, key="size")[1],
        "line": url.knob("line at 0", "", LINES, 0.0, key="line")[1],
        "tau": url.knob("τ", "", TAUS, 2.0, key="tau")[1],
    }


def draw_painting(knobs: dict[str, Setting]) -> None:
    """Draw the picture, which needs no run of the page."""
    values = {"sizes": SIZES, "lines": LINES, "taus": TAUS, "W": url.full_key("W")}
    with st.container(key="stage"):
        _component(key=KEY, data=values | {name: knob.to_json() for name, knob in knobs.items()})
