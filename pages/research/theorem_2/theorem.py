"""Theorem 2 in words and formulas, with the numbers of a pair of columns."""

from __future__ import annotations

import numpy as np

from pages.research.theorem_2.runs import Grouping, Pair
from pages.shared.numbers import latex


def distance_formula(found: Grouping, pair: Pair) -> str:
    """Return the distance of the chosen two and its bound as a formula."""
    (W, other), bound = _columns_of("W", pair), found.bound[pair.places]
    relation = "=" if _is_tight(found, pair) else r"\le"
    measured = latex(found.measured[pair.places])
    return rf"\| {W} - {other} \|^2 = {measured} \; {relation} \; {latex(bound)}"


def theorem_formula(found: Grouping, pair: Pair, C: float) -> str:
    """Return Theorem 2 as a formula."""
    (W, other), bound = _columns_of("W", pair), found.bound[pair.places]
    return rf"""\begin{{aligned}} \| {W} - {other} \|^2 &\le n C^2 \textstyle\sum_j
\| f_{{j l}} - f_{{j l'}} \|^2 \\ &= {found.n} \cdot ({latex(C)})^2 \cdot
{latex(bound / (found.n * C**2))} \\ &= {latex(bound)} \end{{aligned}}"""


def lemma_formula(found: Grouping, pair: Pair) -> str:
    """Return Lemma 1 as a formula, for the largest difference between entries of the chosen two."""
    at, measured, bound = found.farthest
    column, other = pair.first + 1, pair.second + 1
    first, second = f"{{{at + 1},{column}}}", f"{{{at + 1},{other}}}"
    relation = "=" if np.isclose(measured, bound, rtol=1e-9, atol=0) else r"\le"
    return rf"""\begin{{aligned}} & \max_j | \Omega_{{j,{column}}} - \Omega_{{j,{other}}} |
= | \Omega_{first} - \Omega_{second} | \\ & \quad = {latex(measured)} \\
& \quad {relation} \sqrt n \, C \, \| f_{first} - f_{second} \| = {latex(bound)}
\end{{aligned}}"""


def threshold_formula(found: Grouping, pair: Pair, tau: float) -> str:
    """Return the bound on a distance in W by the distance in Omega as a formula."""
    (W, other), (Omega, like) = _columns_of("W", pair), _columns_of(r"\Omega", pair)
    return rf"""\begin{{gathered}} W = G \, \Omega, \quad
G = U \, \mathrm{{diag}}\bigl([1 - \tau / \sigma_i]_+\bigr) \, U^\top \\
\| {W} - {other} \| \le (1 - \tau / \sigma_1)_+ \, \| {Omega} - {like} \| \\
(1 - \tau / \sigma_1)_+ = (1 - {latex(tau)} / {latex(found.sigma)})_+
= {latex(found.factor)}
\end{{gathered}}"""


def describe_pairs(found: Grouping, pair: Pair) -> list[str]:
    """Return notes on the chart of all pairs; none if all distances are 0."""
    if not found.measured.any():
        return []
    pairs = np.triu(np.ones_like(found.bound, bool), 1)
    same = found.groups[:, None] == found.groups
    kinds = {"between groups": pairs & ~same, "within a group": pairs & same}
    text = f"**Nothing above the line.** {found.above} of {pairs.sum():,} pairs exceed their bound."
    for kind, these in kinds.items():
        these = these & (found.measured > 0) & (found.bound > 0)
        if these.any():
            factor = latex(np.median(found.bound[these] / found.measured[these]))
            text += f" The bound is typically ${factor}$ times the squared distance {kind}."
    notes = [text, _describe_star(found, pair)]
    # The correlation of a feature, 1 in length, with another one of its group, and the noise
    alike = 1 / (1 + pair.data.n * pair.data.noise**2)
    if 0.5 < alike < 1 and all(these.any() for these in kinds.values()):
        notes.append(
            "**Two clouds.** Columns of one group have features with a correlation of about "
            f"{alike:.3g}, hence a smaller bound. Raise C: whose distances grow, and whose do not? "
            f"Pairs with column {pair.second + 1}, which was changed, may lie apart."
        )
    return notes


def _describe_star(found: Grouping, pair: Pair) -> str:
    if pair.correlation is None:
        return "**The star.** " + (
            "It lies on the line: its distance is all that the bound allows."
            if _is_tight(found, pair)
            else "It lies below the line, for not every α is C, or τ is not 0. Press Tight case."
        )
    if found.bound[pair.places] == 0:
        return (
            "**The star.** The features of the two are equal, so bound and distance are 0. On log "
            "axes the star is drawn in the corner."
        )
    return (
        "**The star.** Move the correlation towards 1. The bound falls like 1 − corr and forces "
        "the distance to 0, though it need not fall at every step."
    )


def _is_tight(found: Grouping, pair: Pair) -> bool:
    measured, bound = found.measured[pair.places], found.bound[pair.places]
    return bool(np.isclose(measured, bound, rtol=1e-9, atol=0))


def _columns_of(matrix: str, pair: Pair) -> tuple[str, str]:
    return f"{matrix}_{{:{pair.first + 1}}}", f"{matrix}_{{:{pair.second + 1}}}"
