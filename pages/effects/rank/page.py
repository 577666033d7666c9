"""The rank of W: all solutions along tau, and the points where singular values enter."""

from dataclasses import replace

import streamlit as st

import smmcore.estimators.path
import smmcore.path
from pages.effects.rank.runs import (
    COUNTS,
    RANKS,
    START,
    TRUTH,
    WEIGHTS,
    best_frame,
    describe_path,
    path_panels,
    tau_axis,
)
from pages.shared.data.planted import SIDE, TESTS, Planted
from pages.shared.engine import precomputed, session
from pages.shared.noise import near_best
from pages.shared.numbers import latex, percent
from pages.shared.parts import downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state

head = introduce("Each price τ gives W a rank. Lower τ: its singular values appear one by one.")
rank, first = url.knob("rank of W*", "the truth", RANKS, TRUTH.rank, key="truth")
n, second = url.knob("n", "training samples", COUNTS, TRUTH.n, key="n")
C, third = url.knob("C", "price of an error", WEIGHTS, START.C, key="C")
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs([first, second, third])
    choose_state(
        [
            State(f"Rank {TRUTH.rank}", {"truth": TRUTH.rank, "n": TRUTH.n}),
            State("Full rank", {"truth": SIDE, "n": TRUTH.n}),
        ]
    )
known = precomputed.metrics(START)
simple, best, full = known[known["rank"] == 1][0], known[best_frame()], known[-1]
head.ask(
    f"A hidden W* of rank {TRUTH.rank} makes the labels. Which rank of W predicts new samples "
    "best?",
    (
        Answer(
            "Rank 1",
            f"Too simple: {percent(simple['held'], 0)} correct. A few more ranks reach "
            f"{percent(best['held'], 0)}.",
        ),
        Answer(
            "A few",
            f"Rank {best['rank']}, {percent(best['held'], 0)}: the true {TRUTH.rank}, and "
            "small ones that shrinking leaves.",
            right=True,
        ),
        Answer(
            "Full rank",
            f"It fits all training samples, but only {percent(full['held'], 0)} of new ones.",
        ),
    ),
    at=("truth", "n", "C"),
)
data = Planted(rank, n)
with st.container(key="stage"):
    path = replace(START, data=data, C=C)
    run = session.subscribe("rank", path)
    shown, more = path_panels(path)
    show_run("rank", run, shown, tau_axis(path), more=more, asks=True)
with st.expander("How this was made"):
    st.markdown(
        f"Each sample has {SIDE} × {SIDE} independent normal entries, and its label is the sign of "
        rf"⟨W\*, X⟩. The SMM is trained on {n} samples at {path.points} values of τ, from one step "
        f"above τₘₐₓ to a thousandth of it; each solution has a relative gap of 10⁻⁶ at most. "
        f"Held out are {TESTS:,} other samples. W has its own colour scale at each τ."
    )

prose.show_notes(
    "**Steps.** Each singular value of W is one of Ω minus τ, or 0. As τ falls, new ones grow from "
    "0.",
    "**No law.** Ω changes with τ as well, so now and then the rank falls when τ falls.",
    "**Accuracy.** The training accuracy rises to 100 %. The held-out accuracy rises and then "
    "falls: what a high rank adds to W is the noise of the training samples.",
)
st.header("The path in numbers")
ended, curves = run.ended, run.frames.metrics
if ended and len(curves):
    tau_max = latex(float(curves["tau"][0] / curves["share"][0]), 4)
    st.latex(
        r"\begin{gathered} W = \mathcal D_\tau(\Omega), \quad "
        r"\sigma_i(W) = [\sigma_i(\Omega) - \tau]_+ \\"
        rf"\tau_{{\max}} = {tau_max} \end{{gathered}}"
    )
    st.markdown(describe_path(curves, near_best(curves["held"], TESTS)))
else:
    st.info("The numbers appear when the path has ended or is stopped.")

prose.end_lesson(
    "τ sets the rank of W. Where the truth has low rank, a low rank predicts new samples best, "
    "though a high one fits the training samples better.",
    (
        "press “Full rank”. Which rank of W predicts best now, and why?",
        "Full rank, 66 %: W* itself has rank 20, so every singular value that appears is of use.",
    ),
    (
        "why does the first singular value appear exactly at τₘₐₓ?",
        "τₘₐₓ is the smallest τ with W = 0. Just below it the largest singular value of Ω exceeds "
        "τ, so W gets its first one.",
    ),
)
with prose.draw_tools(smmcore.path, smmcore.estimators.path):
    st.caption("The model is the last W, at the smallest τ.")
    downloads.draw_run_downloads(run, "smm_path")
