"""The picture that the reader paints: a W*, and what both classifiers find of it."""

from __future__ import annotations

from typing import TypeGuard

import streamlit as st

from pages.shared.component import component
from pages.shared.data.painted import (
    LAST_PAINTING,
    PAINTINGS,
    SMILEY,
    Painted,
    decode,
)
from pages.shared.engine import session, stream
from pages.shared.engine.subscription import Subscription
from pages.shared.methods import LINEAR_SVM, SMM
from pages.shared.player.panels import Axis, Lines, PerLine, Series
from pages.shared.player.show_run import callbacks
from pages.shared.widgets import url
from pages.smm.structure.runs import (
    BUILT_IN,
    CLASSIFIERS,
    OPENS,
    OWN_DRAWS,
    PAINTED_COUNTS,
    LearningCurves,
)
from smmcore.arrays import Array

SLOT, KEY, PAINTING = "structure", "paint", "painting"
COUNTS = sorted(PAINTED_COUNTS)
COLOURS = {"svm": LINEAR_SVM.colour, "smm": SMM.colour}
CHART = Lines(
    [Series(name, title, COLOURS[name]) for name, title in CLASSIFIERS.items()],
    "New samples classified correctly",
    "linear",
    "percent",
    span=(0.55, 1.0),
    bands=PerLine("standard error", {name: f"error_{name}" for name in CLASSIFIERS}),
)
PLACES = [i / (len(COUNTS) - 1) for i in range(len(COUNTS))]
AXIS = Axis(
    "n =",
    "training samples n",
    field="n",
    count=len(COUNTS),
    at=PLACES,
    ticks=[(place, str(n)) for place, n in zip(PLACES, COUNTS, strict=True)],
)

_component = component("paint", "paint/paint", ["toy", "paint/paint"])


def draw_painting() -> tuple[Subscription[LearningCurves], Array]:
    """Draw the picture; return the run on the painting, which is in the address, and its W*."""
    key = url.full_key(PAINTING)
    allowed = [*PAINTINGS, *filter(_is_painting, [st.query_params.get(key)])]
    text, _ = url.knob("W*", "", allowed, SMILEY, key=PAINTING)
    _, n_knob = url.knob("n", "", COUNTS, OPENS, key="n")
    W = PAINTINGS[text] if text in PAINTINGS else decode(text)
    if text not in PAINTINGS:
        st.session_state[LAST_PAINTING] = text  # another lesson offers it
    run = session.subscribe(SLOT, run_of(text))
    _component(
        key=KEY,
        data={
            "url": stream.url(run),
            "painting": text,
            "cells": _cells(W),
            "paintings": {name: _cells(W) for name, W in PAINTINGS.items()},
            "counts": COUNTS,
            "nKnob": n_knob.to_json(),
            "key": key,
            "usual": SMILEY,
            "chart": CHART.to_json(),
            "axis": AXIS.to_json(),
        },
        **callbacks(SLOT, KEY, run),
    )
    return run, W


def _cells(W: Array) -> list[int]:
    return [int(cell) for cell in W.ravel()]


def run_of(text: str) -> LearningCurves:
    """Return the run on a painting that is built in, by its name, or on one's own, by its text."""
    return BUILT_IN.get(text) or LearningCurves(Painted(text), PAINTED_COUNTS, OWN_DRAWS)


def _is_painting(text: object) -> TypeGuard[str]:
    if not isinstance(text, str):
        return False
    try:
        decode(text)
    except ValueError:
        return text in PAINTINGS
    return True
