"""The picture that the reader paints: a W*, and what both classifiers find of it."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

import numpy as np

from pages.shared.component import component
from pages.shared.data.painted import (
    PAINTINGS,
    SMILEY,
    Painted,
    cells_of,
    encode,
    truth_of,
)
from pages.shared.engine import session, stream
from pages.shared.engine.subscription import Subscription
from pages.shared.player.show_run import callbacks
from pages.shared.widgets import url
from pages.shared.widgets.paintings import painting_in_address
from pages.smm.structure.runs import (
    BUILT_IN,
    OPENS,
    OWN_DRAWS,
    PAINTED_COUNTS,
    LearningCurves,
)
from smmcore.arrays import Array

SLOT, KEY, PAINTING = "structure", "paint", "painting"
COUNTS = sorted(PAINTED_COUNTS)
CHOICES = 4  # paintings to guess from
SEEN, GRAIN = 6, 8_000  # samples that are shown, and steps of an entry of 1

_component = component("paint", "paint/paint", ["toy", "paint/paint"])


def draw_painting() -> tuple[Subscription[LearningCurves], Array]:
    """Draw the picture; return the run on the painting, which is in the address, and its W*."""
    key = url.full_key(PAINTING)
    text = read_painting()
    _, n_knob = url.knob("n", "", COUNTS, OPENS, key="n")
    W = truth_of(text)
    run = session.subscribe(SLOT, run_of(text))
    _component(
        key=KEY,
        data={
            "url": stream.url(run),
            "painting": text,
            "cells": cells_of(W),
            "paintings": {name: cells_of(W) for name, W in PAINTINGS.items()},
            "counts": COUNTS,
            "nKnob": n_knob.to_json(),
            "key": key,
            "usual": SMILEY,
            "samples": _first_samples(),
        },
        **callbacks(SLOT, KEY, run),
    )
    return run, W


@cache
def _first_samples() -> str:
    """Return the first samples, which are the same for all paintings, in steps of 16 bits."""
    X = Painted(encode(PAINTINGS[SMILEY]), 10).prepare().problem.X[:SEEN]
    return b64encode(np.rint(GRAIN * X).astype("<i2").tobytes()).decode()


def read_painting() -> str:
    """Return the painting in the address of the page: a name, or a text of one's own."""
    allowed = [*PAINTINGS, *painting_in_address(PAINTING)]
    return url.knob("W*", "", allowed, SMILEY, key=PAINTING)[0]


def name_of(text: str) -> str:
    """Return the name of a painting that is built in, also by its letters; else the text."""
    return next((name for name, W in PAINTINGS.items() if text == encode(W)), text)


def choices_for(text: str) -> list[dict[str, object]]:
    """Return the painting and three others, in an order that says nothing about it."""
    rng = np.random.default_rng(sum(map(ord, text)))
    names = [*rng.permutation([name for name in PAINTINGS if name != text])[: CHOICES - 1], text]
    return [
        {"text": str(name), "cells": cells_of(truth_of(name))} for name in rng.permutation(names)
    ]


def run_of(text: str) -> LearningCurves:
    """Return the run on a painting that is built in, by its name, or on one's own, by its text."""
    return BUILT_IN.get(text) or LearningCurves(Painted(text), PAINTED_COUNTS, OWN_DRAWS)
