"""Imbalanced classes: class weights along a path, and the bounds of alpha that they move."""

import streamlit as st

from pages.further.imbalance import runs
from pages.further.imbalance.runs import EXPERIMENTS, POSITIVES, STRENGTHS
from pages.shared.engine import precomputed, session
from pages.shared.engine.moves import Moves
from pages.shared.numbers import percent
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state

asked = EXPERIMENTS[POSITIVES[0], STRENGTHS[0]]
few = asked.data.positives
head = introduce(
    f"Only {few} of {asked.data.shape[0]} samples are in class +1. Where all count the same, none "
    "of that class is found."
)
positives, first = url.knob("n₊", "samples in class +1", POSITIVES, POSITIVES[0], key="positives")
C, second = url.knob("C", "price of an error", STRENGTHS, STRENGTHS[0], key="C")
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs([first, second])
    choose_state(
        [
            State(label, {"positives": POSITIVES[0], "C": value})
            for label, value in {"Small C": STRENGTHS[0], "Large C": STRENGTHS[-1]}.items()
        ]
    )
known = precomputed.metrics(asked)
begins, balanced = known[runs.ASKS], known[asked.balanced]
half = known[abs(known["kept"] - 0.5).argmin()]
most = known[known["kept"] == 0]["ratio"].min()
head.ask(
    f"Each of the {few} counts {begins['ratio']:.0f} times here. What happens to class −1 at "
    f"{10 * balanced['ratio']:.0f} times?",
    (
        Answer(
            "Most are found",
            f"That is so up to {balanced['ratio']:.0f} times, balanced weights.",
        ),
        Answer("Half is found", f"That is so already at {half['ratio']:.0f} times."),
        Answer(
            "None is found",
            f"From {most:.0f} times on, all are put in class +1. Balanced, "
            f"{balanced['ratio']:.0f} times, finds {percent(balanced['found'], 0)} of +1, "
            f"{percent(balanced['kept'], 0)} of −1.",
            right=True,
        ),
    ),
    at=("positives", "C"),
)
moves = Moves({"positives": first, "C": second}, runs.move)
with st.container(key="stage"):
    run = session.subscribe("imbalance", EXPERIMENTS[positives, C], moves=moves)
    experiment = run.experiment  # where the hand is by now
    data = experiment.data
    panels, more = runs.stage_panels(experiment)
    show_run(
        "imbalance",
        run,
        panels,
        runs.ratio_axis(experiment),
        more=more,
        asks=True,
        knobs=[first, second],
    )
with st.expander("How this was made"):
    st.markdown(
        f"A sample has {runs.P} × {runs.Q} independent normal entries, not scaled; in class +1 a "
        "pattern of norm 4 is added. The recall of a class is the share of its held-out samples "
        f"that are predicted correctly, of {runs.TESTS:,} each. The accuracy is the mean of both "
        f"recalls, weighted {data.positives} to {data.negatives} as in the training samples; in "
        f"the balanced accuracy both count the same. τ = {experiment.tau:g}."
    )

prose.show_notes(
    "**Left end: all count the same.** Where C is small, W = 0 and every sample is put in class "
    "−1. The accuracy is high all the same, because most samples are in class −1.",
    "**Middle: balanced.** Both classes count the same in total, and W shows the pattern. That is "
    "not the same recall: where the curves cross is a matter of the data.",
    "**Bounds.** The weights multiply C: C₊ rises along the path and C₋ falls, see “More "
    "pictures”. They only move the bound of α. Where no α is at its bound, the solution stays: at "
    "a large C, where no training sample is inside the margin. To choose a ratio for your own "
    "data, cross-validate on the training samples.",
)
if len(run.frames.metrics) == experiment.points:
    balanced = run.frames.metrics[experiment.balanced]
    formulas = st.expander("More: the model with class weights")
    formulas.markdown(
        "Each sample has its own weight in the loss: C times the weight of its class. With w₊ = "
        "w₋ = 1 this is the SMM without class weights."
    )
    formulas.latex(
        r"\begin{gathered} P(W, b) = \tfrac12 \|W\|^2 + \tau \|W\|_* \\ + "
        r"\textstyle\sum_i C_i \, [1 - y_i f(X_i)]_+ , \quad C_i = C \, w_{y_i} \\[0.5em]"
        rf"\text{{balanced: }} w_+ = \frac{{n}}{{2 n_+}} = \frac{{{data.shape[0]}}}"
        rf"{{2 \cdot {data.positives}}} = {balanced['w_plus']:.3g}, \\[0.5em] "
        rf"w_- = \frac{{n}}{{2 n_-}} = \frac{{{data.shape[0]}}}{{2 \cdot {data.negatives}}} = "
        rf"{balanced['w_minus']:.3g} \end{{gathered}}"
    )
    formulas.markdown(
        '`SupportMatrixMachine(class_weight="balanced")` has these weights. At each ratio of this '
        "page the weights of all samples add up to n. A sample of weight 2 is the same as two "
        "equal samples."
    )

prose.end_lesson(
    "A high accuracy can hide a class that is never found. Class weights find it where C is small "
    "enough for α to reach its bound.",
    (
        "which weights are balanced for 20 samples in class +1 and 500 in class −1, and what do "
        "they change at C = 0.002?",
        "n = 520, so w₊ = 520 / 40 = 13 and w₋ = 520 / 1,000 = 0.52. The recall of class +1 "
        "rises from 0 to 96 %, that of class −1 falls from 100 to 98 %.",
    ),
    (
        "set n₊ = 10 and C = 0.2. Why does W stay the same from ratio 1 to ratio 170?",
        "No α is at its bound there: see the two pairs of curves. A weight only moves the bounds, "
        "so the solution stays. The recall of class +1 is 33 % all the way. C = 0.002 with "
        "balanced weights finds 88 %.",
    ),
)
url.link("course/examples/page.py", label="Class and sample weights in a program →")
shown = run.experiment  # where the hand is by now
program = programs.fill(__file__, POSITIVES=shown.data.positives, C=shown.C)
with prose.draw_tools(program, "smm_imbalance"):
    st.caption("The path (the model is the W with balanced weights):")
    downloads.draw_run_downloads(run, "smm_imbalance")
