"""Theorem 2 in words and formulas, with the numbers of a pair of columns or rows."""

from __future__ import annotations

import numpy as np

from pages.effects.grouping.runs import FACTORS, SHARES, Grouping, Pair
from pages.shared.numbers import latex, latex_matrix, on_control
from smmcore.prox import singular_value_threshold

EXAMPLE = np.array([[2.0, 2.0, 1.0], [0.0, 2.0, 0.0]])  # Omega of the counterexample, tau = 1


def distance_formula(found: Grouping, pair: Pair) -> str:
    """Return the distance of the chosen two and its bound as a formula."""
    (W, other), bound = _lines_of("W", pair), found.bound[pair.first, pair.second]
    measured = latex(found.measured[pair.first, pair.second])
    relation = "=" if _is_tight(found, pair) else r"\le"
    return rf"\| {W} - {other} \|^2 = {measured} \; {relation} \; {latex(bound)}"


def theorem_formula(found: Grouping, pair: Pair, C: float) -> str:
    """Return Theorem 2 as a formula."""
    (W, other), (f, like, over) = _lines_of("W", pair), _features(pair)
    bound = found.bound[pair.first, pair.second]
    return rf"""\begin{{aligned}} \| {W} - {other} \|^2 &\le n C^2 \textstyle\sum_{{{over}}}
\| {f} - {like} \|^2 \\ &= {found.n} \cdot ({latex(C)})^2 \cdot
{latex(bound / (found.n * C**2))} \\ &= {latex(bound)} \end{{aligned}}"""


def lemma_formula(found: Grouping, pair: Pair) -> str:
    """Return Lemma 1 as a formula, for the largest difference between entries of the chosen two."""
    at, measured, bound = found.farthest
    over = _features(pair)[2]
    place = "{{{},{}}}" if pair.rows else "{{{1},{0}}}"
    (k, like), (first, second) = (
        [place.format(line + 1, index) for line in (pair.first, pair.second)]
        for index in (over, at + 1)
    )
    relation = "=" if np.isclose(measured, bound, rtol=1e-9, atol=0) else r"\le"
    return rf"""\begin{{aligned}} & \max_{over} | \Omega_{k} - \Omega_{like} |
= | \Omega_{first} - \Omega_{second} | \\ & \quad = {latex(measured)} \\
& \quad {relation} \sqrt n \, C \, \| f_{first} - f_{second} \| = {latex(bound)}
\end{{aligned}}"""


def threshold_formula(found: Grouping, pair: Pair, tau: float) -> str:
    """Return the bound on a distance in W by the distance in Omega as a formula."""
    (W, other), (Omega, like) = _lines_of("W", pair), _lines_of(r"\Omega", pair)
    product, U = (r"\Omega \, G", "V") if pair.rows else (r"G \, \Omega", "U")
    return rf"""\begin{{gathered}} W = {product}, \quad
G = {U} \, \mathrm{{diag}}\bigl([1 - \tau / \sigma_i]_+\bigr) \, {U}^\top \\
\| {W} - {other} \| \le (1 - \tau / \sigma_1)_+ \, \| {Omega} - {like} \| \\
(1 - \tau / \sigma_1)_+ = (1 - {latex(tau)} / {latex(found.sigma)})_+
= {latex(found.factor)}
\end{{gathered}}"""


def counterexample_formula() -> str:
    """Return a matrix Omega whose equal entries become unequal in W, as a formula."""
    W = singular_value_threshold(EXAMPLE, 1.0)
    return (
        rf"\begin{{aligned}} \Omega &= {latex_matrix(EXAMPLE, '{:g}')} \\ "
        rf"W &= {latex_matrix(W, '{:.2f}')} \end{{aligned}}"
    )


def describe_pairs(found: Grouping, pair: Pair) -> list[str]:
    """Return notes on the chart of all pairs; none if all distances are 0."""
    if not found.measured.any():
        return []
    bound = f"**Nothing above the line.** {_describe_bound(found)}"
    return [bound, _describe_star(found, pair), _describe_clouds(found, pair)]


def _describe_bound(found: Grouping) -> str:
    pairs = np.triu(np.ones_like(found.bound, bool), 1)
    count, apart = int(pairs.sum()), pairs & (found.measured > 0) & (found.bound > 0)
    text = (
        f"{found.above} of {count:,} pairs exceed their bound."
        if count > 1
        else f"The only pair {'exceeds' if found.above else 'obeys'} its bound."
    )
    same = found.groups[:, None] == found.groups
    several = len(np.unique(same[pairs])) > 1
    factors = [
        f"${latex(np.median(found.bound[these] / found.measured[these]))}$ times the measured "
        f"squared distance{f' {kind}' if several else ''}"
        for kind, these in (("between groups", apart & ~same), ("within a group", apart & same))
        if these.any()
    ]
    if factors:
        text += f" But the bound is very loose: typically {', and '.join(factors)}."
    if zero := count - np.count_nonzero(apart):
        have = "has" if zero == 1 else "have"
        text += f" {zero:,} with a distance of 0, up to rounding, {have} no place on log axes."
    return text


def _describe_star(found: Grouping, pair: Pair) -> str:
    place = pair.first, pair.second
    if pair.correlation is None:
        return "**The star.** " + (
            "It lies on the line: its distance is all that the bound allows."
            if _is_tight(found, pair)
            else "It lies below the line, for not every α is C, or τ is not 0. Press Tight case."
        )
    if found.bound[place] == 0:
        return (
            "**The star.** The features of the two are equal, so bound and distance are 0. On log "
            "axes the star is drawn in the corner."
        )
    leaves = found.groups[pair.first] != found.groups[pair.second]
    return (
        "**The star.** Move the correlation towards 1. The bound falls like 1 − corr and forces "
        "the distance to 0, though it need not fall at every step."
        + (f" Column {pair.second + 1} leaves its old group on the way." if leaves else "")
    )


def _describe_clouds(found: Grouping, pair: Pair) -> str:
    line = "row" if pair.rows else "column"
    same = found.groups[:, None] == found.groups
    changed = (
        f" Pairs with {line} {pair.second + 1}, which was changed, may lie apart."
        if pair.changed
        else ""
    )
    if len(found.groups) == 2:
        return f"**One pair.** There are no other {line}s to compare it with."
    if same.all():
        return (
            f"**One cloud.** All {line}s form one group here: their features are equal up to "
            f"noise.{changed}"
        )
    if np.count_nonzero(same) == len(same):
        return f"**One cloud.** Each column is a group of its own: V = q.{changed}"
    if pair.data.noise == 0:
        return (
            "**One cloud.** Without noise the columns of a group have equal features, hence equal "
            f"columns of W. What is seen are pairs of two groups.{changed}"
        )
    alike = 1 / (1 + pair.data.n * pair.data.noise**2)  # a feature: 1 in length, and its noise
    if alike < 0.5:
        return (
            f"**Clouds that touch.** δ = {pair.data.noise:g} is more noise than signal: the "
            f"features of two columns of one group have a correlation of about {alike:.2g}, so "
            "their bound is not much smaller than that between groups. Lower δ, and two clouds "
            f"part.{changed}"
        )
    return (
        "**Two clouds.** Columns of one group have features with a correlation of about "
        f"{alike:.3g}, hence a smaller bound. Raise C: whose distances grow, and whose do not?"
        f"{changed}"
    )


def describe_machines(found: Grouping) -> str:
    """Describe which machines have a grouping effect, and when it ends."""
    return f"""The SMM is not the only classifier that groups.

- **Linear SVM**: τ = 0, so W = Ω. The bound holds even for single entries.
- **SMM**: the distances in Ω, multiplied by at most 1 − τ/σ₁ = {found.factor:.2g}.
- **R-GLM** (logistic loss + λ‖W‖∗): distances in W are at most σ₁(W)/λ times those in Ω, where αᵢ
  is the sigmoid of −yᵢ f(Xᵢ). Equal features get equal columns here, too.

With a large C (or a tiny λ) the bound is too loose to force anything, and the groups dissolve: the
classifier then uses the noise of single columns to push the last samples over the margin. The
grouping score measures this: it is the adjusted R² of the columns of W by group, 1 if those of a
group are equal, 0 if they are random."""


def scores_table(scores: dict[str, list[float | str]], C: float) -> dict[str, list[str]]:
    """Return the columns of a table of scores: each score, or the reason why not, and weight."""
    weights = [f"C = {factor * C:.3g}" for factor in FACTORS]
    shares = [f"λ = {on_control(share)} λₘₐₓ" for share in SHARES]
    return {"model": list(scores)} | {
        name: [
            f"{row[i] if isinstance(row[i], str) else format(row[i], '.2f')} at "
            f"{(shares if model == 'R-GLM' else weights)[i]}"
            for model, row in scores.items()
        ]
        for i, name in enumerate(("strong regularisation", "weaker", "weakest"))
    }


def _is_tight(found: Grouping, pair: Pair) -> bool:
    place = pair.first, pair.second
    return bool(np.isclose(found.measured[place], found.bound[place], rtol=1e-9, atol=0))


def _lines_of(matrix: str, pair: Pair) -> tuple[str, str]:
    place = "{}_{{{}:}}" if pair.rows else "{}_{{:{}}}"
    return place.format(matrix, pair.first + 1), place.format(matrix, pair.second + 1)


def _features(pair: Pair) -> tuple[str, str, str]:
    """Return the symbols of two features, and the index of the sum over them."""
    return (r"f_{j l}", r"f_{j' l}", "l") if pair.rows else (r"f_{j l}", r"f_{j l'}", "j")
