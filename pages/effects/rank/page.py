"""The rank of W: all solutions along tau, and the points where singular values enter."""

import numpy as np
import streamlit as st

import smmcore.estimators.path
import smmcore.path
from pages.effects.rank.runs import (
    PathRun,
    PlaneRun,
    describe_path,
    path_arrays,
    path_panels,
    plane_axis,
    plane_panels,
    tau_axis,
)
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.noise import near_best
from pages.shared.numbers import latex, percent
from pages.shared.parts import downloads, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, ask
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url

DECADES, POINTS = 5, 41  # of the path at first

place = ask(
    "Lower τ, and the singular values of W appear one by one.",
    "τ falls from τₘₐₓ, where W = 0, towards 0. Which rank predicts held-out samples best?",
    (
        Answer("Rank 1", "Other ranks do as well: here at most two of the 60 samples change."),
        Answer("Full rank", "Full rank fits the training samples best, not the held-out ones."),
        Answer(
            "They are about equal",
            "With the settings of the button, at most two of the 60 held-out samples change.",
            right=True,
        ),
    ),
)
experiment, knobs = recipe.draw_recipe(QUICK, place)
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    draw_knobs(knobs)
with st.container(key="stage"):
    split = Split(experiment.data)
    tests = split.tests
    path = PathRun(split, C=experiment.C, points=POINTS, decades=float(DECADES))
    run = session.subscribe("path", path)
    shown, more = path_panels(path)
    show_run("path", run, shown, tau_axis(POINTS), more=more, asks=True)
st.caption(
    f"{prose.describe_data(experiment)} C = {experiment.C:g}; 70 % of the samples are for "
    "training, 30 % are held out."
)

prose.show_notes(
    "**Steps.** Each singular value of W is one of Ω minus τ, or 0. As τ falls, new ones grow from "
    "0. With more points you see more of them enter one by one.",
    "**No law.** Ω changes with τ as well, so now and then the rank falls when τ falls.",
    "**Accuracy.** The SMM minimises the hinge loss, not the number of errors. So even the "
    "training accuracy need not rise at every step.",
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
    ranks = curves["rank"].astype(int)
    st.dataframe(
        [
            {
                "rank": rank,
                "largest τ of the path with it": float(curves["tau"][first]),
                "in units of τₘₐₓ": float(curves["share"][first]),
                "training accuracy": float(curves["train"][first]),
                "held-out accuracy": float(curves["held"][first]),
            }
            for rank, first in zip(*np.unique(ranks, return_index=True), strict=True)
        ],
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format=form)
            for name, form in {
                "largest τ of the path with it": "%.4g",
                "in units of τₘₐₓ": "%.4g",
                "training accuracy": "percent",
                "held-out accuracy": "percent",
            }.items()
        },
    )
    st.markdown(" ".join(describe_path(curves, near_best(curves["held"], tests))))
else:
    st.info("The numbers appear when the path has ended or is stopped.")

st.header("Rank and accuracy over C and τ")
plane = PlaneRun(split)
count = plane.rows * plane.columns
mapped = url.toggle(st, f"Map rank and accuracy over both ({count} problems)", key="map")
if mapped:
    map_run = session.subscribe("plane", plane)
    ended, cells = map_run.ended, map_run.frames.metrics
    done = ended and len(cells) > 0
    show_run("plane", map_run, plane_panels(plane, cells if done else None), plane_axis(plane))
    st.caption(
        "Click on a cell to see its W. C is in units of 1/s², where s is the root mean square "
        "distance of the samples from their mean; τₘₐₓ is that of each C and proportional to C."
    )
    if done:
        near = cells[near_best(cells["held"], tests)]
        st.markdown(
            f"The best held-out accuracy is {percent(cells['held'].max())}. {len(near)} of "
            f"{len(cells)} cells are within its standard error; their ranks go from "
            f"{near['rank'].min():.0f} to {near['rank'].max():.0f}."
        )

prose.end_lesson(
    "τ sets the rank of W. Use held-out samples to see which ranks your data support.",
    (
        "choose δ = 0.1 in the recipe. Does rank 1 still predict as well as full rank?",
        "No longer: 63.3 % at rank 1, up to 71.7 % at ranks 10 to 15, 66.7 % at full rank. But "
        "with 60 samples the standard error is 6 points, so this is weak evidence.",
    ),
    (
        "why does the first singular value appear exactly at τₘₐₓ?",
        "τₘₐₓ is the smallest τ with W = 0. Just below it the largest singular value of Ω exceeds "
        "τ, so W gets its first one.",
    ),
)
with prose.draw_tools(smmcore.path, smmcore.estimators.path):
    st.caption("The path (the model is its last W, at the smallest τ):")
    downloads.draw_run_downloads(run, "smm_path")
    every = st.container()
    if mapped:
        st.caption("The map:")
        downloads.draw_run_downloads(map_run, "smm_map")

    # Solved again only on request, because the frames of a run hold only images of the other W.
    with every:
        downloads.draw_solve_again(
            "All W of the path",
            "Solves the path again and gives τ, b and each W in full: taus (points), "
            "W (points × p × q).",
            path_arrays,
            path,
            "smm_path_all",
        )
