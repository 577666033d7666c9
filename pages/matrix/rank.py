"""Rank: all solutions along tau, and where each singular value enters."""

import numpy as np
import streamlit as st

import smmcore.path
from pages.shared import address, charts, controls, exports, figures, presets, prose, runs
from pages.shared.recipes import PathRun, PlaneRun, Split
from pages.shared.watch import PLANE, TAU_PATH, tau_axis, watch

recipe = controls.chosen(presets.QUICK)

st.title("Rank: the path along τ")
prose.predict(
    "guess-path",
    "τ falls from τ_max, where W = 0, towards 0. Where does the test accuracy peak?",
    ("At rank 1", "At full rank", "Somewhere between, or nowhere: it stays flat"),
    "Move the playhead and compare the curves. On data like these the first singular value does "
    "most of the work, and what comes later fits the training part more than the test.",
)
left, right = st.columns(2)
decades = address.choice(
    left,
    "select_slider",
    "Decades of τ below τ_max",
    [1, 2, 3, 4, 5],
    3,
    key="decades",
    help="The path begins at 1.1 τ_max and goes down so many powers of ten.",
)
points = address.choice(
    right,
    "select_slider",
    "Points on the path",
    [21, 41, 61, 121],
    41,
    key="points",
    help="Equal ratios of τ. Each solution begins where the one before ended, and is certified.",
)
run = runs.current(
    "path", PathRun(Split(recipe.data), C=recipe.C, points=points, decades=float(decades))
)
watch("path", run, TAU_PATH, tau_axis(points))
st.caption(
    f"{prose.provenance(recipe)} C = {recipe.C:g}; 70 % of the samples train, 30 % are held out. "
    "The τ of the side bar is not used here."
)

prose.look_for(
    "**Steps.** A singular value of W is one of Ω minus τ, where that is positive: as τ falls they "
    "enter one by one, each from 0.",
    "**No law.** Ω changes with τ as well, so now and then the rank falls where τ falls.",
    "**Accuracy.** The training part is fitted better and better. The held-out part says "
    "which rank the data support.",
)
curves = run.frames.curves
if not run.ended or not len(curves):
    st.info("The numbers of the path stand here once it has ended.")
    st.stop()

st.subheader("The path in numbers")
st.latex(
    r"W = \mathcal D_\tau(\Omega), \quad \sigma_i(W) = [\sigma_i(\Omega) - \tau]_+, \quad "
    rf"\tau_{{\max}} = {prose.number(float(curves['tau'][0] / curves['share'][0]), 4)}"
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
falls = np.flatnonzero(np.diff(ranks) < 0) + 1
best = curves["held"].max()
near = curves[curves["held"] >= best - 1e-12]
st.markdown(
    (
        f"The rank **falls as τ falls** at {len(falls)} places, first at τ = "
        f"{curves['tau'][falls[0]]:.3g}. "
        if len(falls)
        else "On this path the rank never falls as τ falls; on others it does. "
    )
    + f"The best held-out accuracy, {best:.1%}, is reached by {len(near)} of {len(curves)} points, "
    f"whose ranks are {', '.join(map(str, np.unique(near['rank'])))}."
)
st.subheader("The plane of C and τ")
plane = PlaneRun(Split(recipe.data))
shape = plane.rows, plane.columns
count = plane.rows * plane.columns
mapped = address.toggle(st, f"Map rank and accuracy over both ({count} problems)", key="map")
if mapped:
    map_run = runs.current("plane", plane)
    watch("plane", map_run, PLANE, {"name": "cell", "label": "cell", "count": count})
    cells = map_run.frames.curves
    if map_run.ended and len(cells) == count:
        C, shares = plane.weights, plane.shares
        left, right = st.columns(2)
        charts.draw(left, figures.plane(cells["rank"].reshape(shape), C, shares, "Rank of W", "d"))
        charts.draw(
            right,
            figures.plane(cells["held"].reshape(shape), C, shares, "Held-out accuracy", ".0%"),
        )

prose.source("The source that ran", smmcore.path)
st.subheader("Take it with you")
exports.of_run(run, "smm_path")
prose.link()
