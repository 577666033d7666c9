"""A row of knobs: sliders that tell the pictures where the hand is while it moves."""

from __future__ import annotations

from collections.abc import Sequence

from pages.shared.component import component
from pages.shared.settings import Setting

_component = component("knobs", "knobs/knobs", ["knobs/knobs"])


def draw_knobs(knobs: Sequence[Setting], key: str = "knobs", groove: str = "") -> None:
    """Draw knobs in a row.

    While one is dragged, the browser sends an event "knob" to the pictures of the page, which may
    follow it (see `assets/knobs/knobs.js`). When the hand rests, the script runs with its value.
    Below one of them, by its key, is room for a curve that a picture draws.
    """
    _component(key=key, data={"knobs": [knob.to_json() for knob in knobs], "groove": groove})
