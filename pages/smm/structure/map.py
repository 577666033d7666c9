"""The picture of the map: where the SMM gets more right than the linear SVM."""

from __future__ import annotations

from itertools import product
from typing import Any

import streamlit as st

from pages.shared.component import component
from pages.shared.engine import session, stream
from pages.shared.packed import read_header
from pages.shared.parts.question import Answer
from pages.shared.widgets import url
from pages.smm.structure.tiles import COUNTS, DRAWS, EQUAL, NEW, PATH, RANKS, Tile, train_again

KEY, AGAIN = "map", "other samples of a place"  # of the session
CHOICES = 50, 200, 1600  # samples
AXES = {"Rank": RANKS, "n": COUNTS}
GUESSES = *url.NO_GUESS, *map(str, CHOICES)
CURVES = "none", "unknowns", "square"  # names of borders in assets/map/places.js

_component = component(KEY, "map/map", ["toy", "steps", "map/map"])


def draw_map() -> None:
    """Draw the picture, and train at the place that the reader has asked for."""
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
    place = st.container(key="stage-map")
    data["again"] = _train()  # below the picture it says how long it takes
    with place:
        _component(key=KEY, data=data, on_again_change=_ask_again)


def places() -> list[Answer]:
    """Return what both find at each place with equal layers; right is where the SMM gains most."""
    found = read_header(PATH)[EQUAL]
    gains = [smm - svm for smm, svm in zip(found["smm"], found["svm"], strict=True)]
    best = gains.index(max(gains))
    return [
        Answer(
            f"Rank = {rank}, n = {n}",
            f"Of {NEW:,} new samples the SMM gets {smm} right, the SVM {svm}.",
            right=i == best,
        )
        for i, ((n, rank), smm, svm) in enumerate(
            zip(product(COUNTS, RANKS), found["smm"], found["svm"], strict=True)
        )
    ]


def _train() -> dict[str, Any] | None:
    """Return what was found with other samples, if the reader has asked for them."""
    tile = st.session_state.get(AGAIN)
    if tile is None:
        return None
    found = session.run_task("structure: a place", "Both are being trained", train_again, tile)
    return found | {"layers": tile.layers, "rank": tile.rank, "n": tile.n, "number": tile.again}


def _ask_again() -> None:
    """Train at a place of the map with other samples; a callback."""
    layers, rank, n = st.session_state[KEY].again
    before = st.session_state.get(AGAIN)
    st.session_state[AGAIN] = Tile(layers, rank, n, again=before.again + 1 if before else 1)
