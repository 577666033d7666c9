"""Rank: all solutions along tau, and the points where singular values enter."""

import numpy as np
import streamlit as st

import smmcore.path
from pages.matrix.rank.runs import (
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
from pages.shared.parts import downloads, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import sidebar, url
from smmcore.robustness import near_best

experiment = sidebar.read_experiment(QUICK)

st.title("Rank: the path along τ")
prose.ask_prediction(
    "guess-path",
    "τ falls from τ_max, where W = 0, towards 0. Where does the test accuracy peak?",
    ("At rank 1", "At full rank", "Somewhere between, or nowhere: it stays flat"),
    "Move the playhead and compare the curves. On data like these the first singular value does "
    "most of the work, and what comes later fits the training part more than the test.",
)
left, right = st.columns(2)
decades = url.slider(
    left,
    "Decades of τ below τ_max",
    [1, 2, 3, 4, 5],
    5,
    key="decades",
    help="The path begins one step above τ_max and ends so many powers of ten below it.",
)
points = url.slider(
    right,
    "Points on the path",
    [21, 41, 61, 121],
    41,
    key="points",
    help="Equal ratios of τ. Each solution begins where the one before ended, and is certified.",
)
split = Split(experiment.data)
tests = split.tests
path = PathRun(split, C=experiment.C, points=points, decades=float(decades))
run = session.subscribe("path", path)
show_run("path", run, path_panels(path), tau_axis(points))
st.caption(
    f"{prose.describe_data(experiment)} C = {experiment.C:g}; 70 % of the samples train, 30 % are "
    "held out. The τ of the side bar is not used here."
)

prose.show_notes(
    "**Steps.** A singular value of W is one of Ω minus τ, where that is positive: each enters "
    "from 0. More than one may enter between two points; on a longer path, or with more points, "
    "you see which.",
    "**No law.** Ω changes with τ as well, so now and then the rank falls where τ falls.",
    "**Accuracy.** The objective weighs the hinge loss of the training part, not its accuracy, "
    "which need not rise at every step. The held-out part says which ranks the data support, "
    "within its standard error.",
)
st.subheader("The path in numbers")
curves = run.frames.metrics
if run.ended and len(curves):
    tau_max = prose.latex_number(float(curves["tau"][0] / curves["share"][0]), 4)
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
                "in units of τ_max": float(curves["share"][first]),
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
                "in units of τ_max": "%.4g",
                "training accuracy": "percent",
                "held-out accuracy": "percent",
            }.items()
        },
    )
    st.markdown(" ".join(describe_path(curves, near_best(curves["held"], tests))))
else:
    st.info("They stand here once the path has ended, or is stopped.")

st.subheader("The plane of C and τ")
plane = PlaneRun(split)
count = plane.rows * plane.columns
mapped = url.toggle(st, f"Map rank and accuracy over both ({count} problems)", key="map")
if mapped:
    map_run = session.subscribe("plane", plane)
    show_run("plane", map_run, plane_panels(plane), plane_axis(plane))
    st.caption(
        "C in units of 1 / s², s the root mean square distance of the samples from their mean; "
        "τ_max is that of each C, and proportional to it. Click on a cell for its numbers."
    )
    cells = map_run.frames.metrics
    if map_run.ended and len(cells):
        near = cells[near_best(cells["held"], tests)]
        st.markdown(
            f"The best held-out accuracy is {cells['held'].max():.1%}; {len(near)} of {len(cells)} "
            f"cells are within its standard error, with ranks from {near['rank'].min():.0f} to "
            f"{near['rank'].max():.0f}."
        )

prose.show_source("The source that ran", smmcore.path)
st.subheader("Take it with you")
st.caption("The path; the model is its last W, at the smallest τ:")
downloads.draw_run_downloads(run, "smm_path")
every = st.container()
if mapped:
    st.caption("The map:")
    downloads.draw_run_downloads(map_run, "smm_map")
prose.show_link()

# Solved again only on request, because the frames of a run hold only images of the other W.
with every:
    downloads.draw_solve_again(
        "All W of the path",
        "Solves the path once more and gives τ, b and each W in full: taus (points), "
        "W (points x p x q).",
        path_arrays,
        path,
        "smm_path_all",
    )
