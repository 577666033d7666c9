"""The grouping effect: equal features get equal columns of W, and similar ones similar columns."""

from math import prod

import numpy as np
import streamlit as st

import smmcore.datasets
import smmcore.theory
from pages.shared import charts, controls, exports, figures, grouping, pairs, presets, prose, runs
from pages.shared.recipes import SMMRun
from smmcore.prox import singular_value_threshold

SMALL = 1_000_000  # numbers in the samples, with which an answer takes less than a second
CURVE = 100_000  # and a curve of answers
EXAMPLE = np.array([[2.0, 2.0, 1.0], [0.0, 2.0, 0.0]])  # of Omega, with tau = 1

recipe = controls.chosen(presets.QUICK)
data = recipe.data

st.title("Grouping effect")
prose.predict(
    "guess-grouping",
    "The features of two columns become more and more alike. What do their columns of W do?",
    ("They become equal", "They become equal if C is small", "One of them becomes 0"),
    "They become equal, whatever C and τ are: Theorem 2 bounds their distance by that of the "
    "features. C decides how much alike the features must be before one sees it.",
)

settings, picture = st.columns([2, 5], gap="medium")
with settings:
    pair = pairs.choose(data)
chosen = SMMRun(pair, C=recipe.C, tau=recipe.tau)
with picture:
    found = runs.ask(
        "grouping",
        "The machine is being trained",
        grouping.grouping,
        chosen,
        long=prod(data.shape) > SMALL,
    )

first, second, rows = pair.first, pair.second, pair.rows
lines, m = "rows" if rows else "columns", len(found.bound)
W = [f"W_{{{k}:}}" if rows else f"W_{{:{k}}}" for k in (first + 1, second + 1)]
Omega = [name.replace("W", r"\Omega") for name in W]
bound = found.bound[first, second]
measured = found.measured[first, second]
relation = "=" if np.isclose(measured, bound, rtol=1e-9, atol=0) else r"\le"

with picture:
    st.latex(
        rf"\| {W[0]} - {W[1]} \|^2 = {prose.number(measured)} "
        rf"\; {relation} \; {prose.number(bound)}"
    )
    if not found.W.any():
        st.info(f"W = 0: all its {lines} are equal. Choose a smaller τ or a larger C.")
    along = st.container()
charts.draw(
    st if pairs.can_be_mixed(pair) else picture,
    figures.bounds(
        found.bound,
        found.measured,
        found.groups,
        (first, second),
        f"Theorem 2 on all {m * (m - 1) // 2:,} pairs of {lines}"
        if m > 2
        else f"Theorem 2 on the only pair of {lines}",
        lines=lines,
        unit=", squared distance",
    ),
)
st.caption(
    f"{prose.provenance(recipe)} {pairs.told(pair)} The correlation of the two is "
    f"{found.correlation:.3g}."
)

prose.look_for(
    f"**Nothing above the line.** {pairs.looseness(found)}",
    "**The star.** Move r towards 1: bound and distance fall together, at last in proportion to "
    "1 − r. At r = 1 both are 0: the star then waits in the corner of the log axes."
    + (
        f" Column {second + 1} leaves its old group on the way."
        if found.groups[first] != found.groups[second]
        else ""
    ),
    pairs.clouds(found, lines),
    "**The tight case.** Where features differ by the labels, the classes are equal and every α "
    f"is C (here {found.at_C:.0%} are), Ω meets its bound; raise τ, and W falls below.",
)

st.subheader("Theorem 2, with these numbers")
f = (r"f_{k l}", r"f_{k' l}") if rows else (r"f_{k l}", r"f_{k l'}")
over = "l" if rows else "k"
st.latex(
    rf"""\begin{{aligned}} \| {W[0]} - {W[1]} \|^2 &\le n C^2 \textstyle\sum_{{{over}}}
\| {f[0]} - {f[1]} \|^2 \\ &= {found.n} \cdot ({prose.number(recipe.C)})^2 \cdot
{prose.number(bound / (found.n * recipe.C**2))} = {prose.number(bound)} \end{{aligned}}"""
)
across = data.q if rows else data.p
printed = 2 * found.n * recipe.C**2 * (across - found.product)
st.markdown(
    rf"This form holds in any unit. Printed is $2 n C^2 ({'q' if rows else 'p'} - "
    rf"\sum_{{{over}}} {f[0]}^\top {f[1]})$, which is the same where each feature has length 1; "
    rf"here it is ${prose.number(printed)}$, "
    + (
        "**less than what it should bound**."
        if printed < measured
        else "which the measured distance happens to obey."
    )
    + " A pair mixed to the correlation r has the bound 2 (1 − r) n C² Σ ‖f − mean f‖². The "
    f"solution is certified to a relative gap of ${prose.number(max(found.relative_gap, 0))}$; the "
    "bound holds for W = D_τ(Ω(α)) with any α between 0 and C, the best one or not."
)

st.subheader("From Ω to W")
limit = float(np.abs(found.Omega).max())
for place, name, M in zip(
    st.columns(2),
    ("Ω = Σ αᵢ yᵢ Xᵢ", "W = D<sub>τ</sub>(Ω)"),
    (found.Omega, found.W),
    strict=True,
):
    figure = figures.heatmap(M, name, limit=limit)
    charts.draw(place, figures.marked(figure, (first, second), rows=rows))
left, right = st.columns(2)
product, U = (r"\Omega \, G", "V") if rows else (r"G \, \Omega", "U")
with left:
    st.markdown(
        "Lemma 1 bounds entries of Ω, Theorem 2 columns and rows of W. Between them stands "
        f"a matrix that multiplies all {lines} of Ω alike, so that equal ones stay equal:"
    )
    st.latex(
        rf"""\begin{{gathered}} W = {product}, \quad
G = {U} \, \mathrm{{diag}}\bigl([1 - \tau / \sigma_i]_+\bigr) \, {U}^\top \\
\| {W[0]} - {W[1]} \| \le (1 - \tau / \sigma_1)_+ \, \| {Omega[0]} - {Omega[1]} \| \\
(1 - \tau / \sigma_1)_+ = (1 - {prose.number(recipe.tau)} / {prose.number(found.sigma)})_+
= {prose.number(found.factor)}
\end{{gathered}}"""
    )
    st.markdown(
        "**Not so for single entries.** Two samples ±Ω/10 with y = ±1, C = 5, τ = 1 have all α = C "
        "and this Ω. The entries (1, 1) and (2, 2) have the same feature and the same 2 in Ω. In W "
        "they differ, for the threshold looks at the whole matrix:"
    )
    st.latex(
        rf"\begin{{aligned}} \Omega &= {prose.matrix(EXAMPLE, '{:g}')} \\ "
        rf"W &= {prose.matrix(singular_value_threshold(EXAMPLE, 1.0), '{:.2f}')} \end{{aligned}}"
    )
charts.draw(
    right,
    figures.bounds(
        found.factor**2 * found.of_omega,
        found.measured,
        found.groups,
        (first, second),
        "Distances in W against those in Ω",
        lines=lines,
        unit=", squared distance",
    ),
)

st.subheader("Who groups, and when it stops")
st.markdown(
    f"""Grouping is not peculiar to the support matrix machine.

- **Linear SVM**: τ = 0, so W = Ω, and the bound holds even entry by entry.
- **SMM**: the distances in Ω, times at most 1 − τ/σ₁ = {found.factor:.2g}.
- **R-GLM** (logistic loss + λ‖W‖∗): distances in W are at most σ₁(W)/λ times those in Ω, where α
  is the sigmoid of −y f(X). So identical features get identical columns here as well, and it fails
  at tiny λ only.

It fades where the bound no longer binds, which grows with C², and with σ₁(W)²/λ² for the R-GLM.
The machine then uses what each column has to itself, its noise, to bring the last samples across
the margin. The grouping score says how far this went: the adjusted R² of W's columns by group, 1 if
those of a group are equal, 0 by chance."""
)
scores = st.container()

prose.source("The source that ran", smmcore.theory, smmcore.datasets)
st.subheader("Take it with you")
exports.of_answer(
    {
        "W": found.W,
        "Omega": found.Omega,
        "measured": found.measured,
        "bound": found.bound,
        "lines": lines,
    },
    chosen,
    "smm_grouping",
)
prose.link(controls.address(recipe) | pairs.address(pair))

# What takes longer fills its place when the rest of the page is there.
if pairs.can_be_mixed(pair):
    with along:
        curve = runs.ask(
            "grouping: curve",
            "The machine is being trained at every r",
            grouping.curve,
            grouping.curve_of(chosen),
            long=prod(data.shape) > CURVE,
        )
        charts.draw(
            st,
            figures.approach(
                [f"{r:g}" for r in grouping.CORRELATIONS],
                curve.measured,
                curve.bound,
                f"{pair.correlation:g}",
                "What happens when the slider moves",
            ),
        )
        if missing := np.count_nonzero(np.isnan(curve.bound)):
            st.caption(
                f"{missing} of {len(curve.bound)} points were not reached within "
                f"{grouping.CURVE_SECONDS:g} seconds; the lines lead over them."
            )
with scores:
    if 1 < data.groups < data.q:
        st.table(
            pairs.table(
                runs.ask(
                    "grouping: scores",
                    "Nine machines are being trained",
                    grouping.grouping_scores,
                    SMMRun(data, C=recipe.C, tau=recipe.tau),
                    long=True,
                ),
                recipe.C,
            )
        )
        st.caption(
            f"Grouping scores of the data without the change, at τ = {recipe.tau:g}. A machine is "
            f"not solved if its gap is not {grouping.SCORE_TOL:g} of its objective in time."
        )
    else:
        st.info(
            "There is no score here: "
            + (
                "all columns are in one group."
                if data.groups == 1
                else "each column is a group of its own."
            )
        )
