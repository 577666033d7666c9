"""The rank of W: too few layers miss W*, too many hold noise, and where the best cut is."""

import numpy as np
import streamlit as st

from pages.effects.rank.runs import (
    BUILT_IN,
    COUNTS,
    FEWER,
    LOSS,
    LOW,
    OPENS,
    TAUS,
    TRUTH,
    TRUTHS,
    RankPaths,
    best_lines,
    path_of,
)
from pages.shared.component import component
from pages.shared.data.painted import SIDE, Painted, cells_of, decode
from pages.shared.engine import session, stream
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import callbacks
from pages.shared.widgets import url
from pages.shared.widgets.paintings import own_painting

GUESSES = *url.NO_GUESS, "higher", "same", "lower"  # of step 3, see assets/rank/paths.js
SLOT, KEY, OWN = "rank", "path of ranks", "Yours"
ANSWER_STEP, LAST_STEP = 2, 3

_component = component("rank", "rank/rank", ["toy", "steps", "rank/rank"])


def describe(text: str) -> dict[str, object]:
    """Return the cells of a W*, its rank, and its name."""
    W = TRUTHS[text] if text in TRUTHS else decode(text)
    return {
        "label": text if text in TRUTHS else OWN,
        "rank": int(np.linalg.matrix_rank(W)),
        "cells": cells_of(W),
    }


head = introduce(
    "The cut again, now with the truth beside it: W* made the labels, and W has to find it."
)
truth, truth_knob = url.knob("W*", "", [*TRUTHS, *own_painting()], TRUTH, key="truth")
n, n_knob = url.knob("n", "training samples", COUNTS, OPENS, key="n")
_, tau_knob = url.knob("τ", "price of rank", TAUS, LOW, key="tau")
guess_knob = url.knob("Guess", "", GUESSES, GUESSES[0], key="guess")[1]
_, step_knob = url.knob("Step", "", range(1, LAST_STEP + 1), 1, key="step")

fewer, lines = best_lines(FEWER), best_lines(OPENS)
fits = path_of(OPENS)["train"] == 1
draws, higher = len(lines), int((fewer["tau"] > lines["tau"]).sum())
head.ask(
    "All training samples are right. Raise the line: how many new samples are right?",
    (
        Answer("Fewer", "First more: low layers are noise. Find the best line: drag it."),
        Answer("More", "Only up to a point: too high a line cuts W*. Find the best: drag it."),
        Answer(
            "First more, then fewer",
            "Low layers are noise, high ones are W*. Find the best line: drag it.",
            right=True,
        ),
    ),
    at=("truth", "n"),
    shows={"step": ANSWER_STEP},
)
run = session.subscribe(SLOT, BUILT_IN.get(truth) or RankPaths(Painted(truth)))
with st.container(key="stage"):
    _component(
        key=KEY,
        data={
            "url": stream.url(run),
            "truths": [describe(text) for text in truth_knob.values],
            "truth": truth_knob.to_json(),
            "n": n_knob.to_json(),
            "tau": tau_knob.to_json(),
            "step": step_knob.to_json(),
            "guess": guess_knob.to_json(),
            "fewer": FEWER,
            "opens": OPENS,
            "counts": COUNTS,
            "taus": TAUS,
        },
        **callbacks(SLOT, KEY, run),
    )
with st.expander("How this was made"):
    st.markdown(
        f"Each sample has {SIDE} × {SIDE} independent normal entries, and its label is the sign of "
        rf"⟨W\*, X⟩. All n use the first n of the same {run.experiment.data.n} samples. C = "
        f"{LOSS:g} / n, so the losses of all samples together have the same price. For each n the "
        f"SMM is solved at {len(TAUS)} values of τ, to a relative gap of 10⁻⁶; W and W\\* are "
        "drawn at the same size. The labels have no offset, so b is left out. Of all new samples W "
        "gets the share 1 − φ / π right, where φ is the angle between W and W\\*: this is exact. "
        f"Training samples are counted. In {draws} draws of {OPENS} samples for {TRUTH}, "
        f"a W of rank {lines['rank'].min():.0f} to {lines['rank'].max():.0f} is best; with "
        f"{FEWER} of them the best line is higher in {higher} of {draws}."
    )
prose.show_notes(
    "**Too high a line** cuts layers that W\\* needs, and shrinks those that are left.",
    "**Too low a line** keeps layers of noise. They help the training samples only: this is "
    "**overfitting**.",
)
prose.end_lesson(
    "τ sets the rank of W: too high loses the pattern, too low fits the noise. More samples, less "
    "noise, a lower line.",
    (
        "press **Full rank**. Where is the best line now, and why?",
        "At the lowest τ, for every n: W\\* has 20 equally high layers, so each one that is cut is "
        "a loss.",
    ),
    (
        "all training samples are right. Is W the right one?",
        f"No. Here every line from τ = {TAUS[fits.argmax()]:g} downwards gets all {OPENS} of them "
        "right, and new samples get worse from line to line.",
    ),
)
program = programs.fill(__file__, run.experiment.data.script(), N=n)
with prose.draw_tools(program, "smm_path"):
    st.caption("The table has a row for each n and τ. The model is the last W that was solved.")
    downloads.draw_run_downloads(run, "smm_path")
