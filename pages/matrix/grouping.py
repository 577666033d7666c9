"""The grouping effect: equal features get equal columns of W, and similar ones similar columns."""

from math import prod

import numpy as np
import streamlit as st

import smmcore.datasets
import smmcore.theory
from pages.shared import charts, controls, exports, figures, jobs, pairs, presets, prose, runs
from pages.shared.recipes import SMMRun
from smmcore.prox import singular_value_threshold

SMALL = 1_000_000  # numbers in the samples, with which an answer takes less than a second
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
        jobs.grouping,
        chosen,
        long=prod(data.shape) > SMALL,
    )

first, second, rows = pair.first, pair.second, pair.rows
lines, m = "rows" if rows else "columns", len(found.bound)
W = [f"W_{{{k}:}}" if rows else f"W_{{:{k}}}" for k in (first + 1, second + 1)]
Omega = [name.replace("W", r"\Omega") for name in W]
bound = found.bound[first, second]
measured = max(found.measured[first, second] - found.rounding, 0.0)
relation = "=" if np.isclose(measured, bound, rtol=1e-9, atol=0) else r"\le"

with picture:
    st.latex(
        rf"\| {W[0]} - {W[1]} \|^2 = {prose.number(measured)} "
        rf"\; {relation} \; {prose.number(bound)}"
    )
    if not found.W.any():
        st.info("W = 0: all its columns are equal. Choose a smaller τ or a larger C.")
charts.draw(
    picture,
    figures.bounds(
        found.bound,
        found.measured,
        found.groups,
        (first, second),
        f"Theorem 2 on all {m * (m - 1) // 2:,} pairs of {lines}",
        lines=lines,
        unit=", squared distance",
    ),
)
st.caption(
    f"{prose.provenance(recipe)} {pairs.told(pair)} The correlation of the two is "
    f"{found.correlation:.3g}."
)

kinds = np.where(found.groups[:, None] == found.groups, "within a group", "between groups")
apart = np.triu(found.measured > found.rounding, 1)
loose = [
    f"${prose.number(np.median(found.bound[these] / found.measured[these]))}$ {kind}"
    for kind in np.unique(kinds[apart])
    for these in [apart & (kinds == kind)]
]
prose.look_for(
    f"**Nothing above the line.** {found.above} of {m * (m - 1) // 2:,} pairs exceed their bound. "
    + (f"But it is too large by a factor of {' and '.join(loose)} (medians)." if loose else ""),
    "**The star.** Move r towards 1: bound and distance fall together. At r = 1 both are 0, up "
    "to rounding, which has no place on these axes: the star then waits in the corner."
    + ("" if rows else f" Column {second + 1} leaves its old group on the way."),
    f"**One cloud.** All {lines} form one group here: their features say the same, up to noise."
    if len(np.unique(found.groups)) == 1
    else "**Two clouds.** Columns of one group have features that are nearly the same, hence a "
    "small bound. Raise C: whose distances grow, and whose do not?",
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
scores = runs.ask(
    "grouping: scores",
    "Nine machines are being trained",
    jobs.grouping_scores,
    SMMRun(data, C=recipe.C, tau=recipe.tau),
    long=True,
)
weights = [f"C = {factor * recipe.C:.3g}" for factor in jobs.FACTORS]
shares = [f"λ = {share:g} λ_max" for share in jobs.SHARES]
st.table(
    {
        "model": list(scores),
        **{
            name: [
                f"{row[i]:.2f} at {(shares if model == 'R-GLM' else weights)[i]}"
                for model, row in scores.items()
            ]
            for i, name in enumerate(("strong regularisation", "weaker", "weakest"))
        },
    }
)
st.caption(
    f"Grouping scores of the data without the change, at τ = {recipe.tau:g}. "
    "nan: there is nothing to score, or the R-GLM was not solved within "
    f"{jobs.GLM_STEPS:,} iterations."
)

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
prose.link()
