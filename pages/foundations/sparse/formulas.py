"""ADMM for each penalty as formulas with numbers, and the misprints of the book's formulas."""

from __future__ import annotations

from pages.foundations.sparse.runs import SparseRun
from pages.shared.parts import prose


def admm_formulas(run: SparseRun, rho: float) -> str:
    """Return the problem of a run and an iteration of ADMM, with the numbers, in LaTeX."""
    b = run.data.shape[1]
    weight, eta, rho = (prose.latex_number(value) for value in (run.norm_weight, run.eta, rho))
    F = "F" if run.fused else ""
    squares = rf" + {eta}\, \|\theta\|^2" if run.eta else ""
    ridge = rf" + 2 \cdot {eta}\, I" if run.eta else ""
    norm = r"\textstyle\sum_g \|z^{(g)}\|" if run.penalty == "l1,2" else r"\|z\|_1"
    g = rf"{weight}\, {norm}" if run.norm_weight else "0"
    A = rf"F \in \mathbb R^{{{b - 1} \times {b}}}" if F else rf"I_{{{b}}}"
    back = r"F^\top (\rho z - u)" if F else r"\rho z - u"
    inner = r"\rho F^\top F" if F else r"\rho I"
    step = {
        "l2": "v",
        "l1,2": rf"v^{{(g)}}\, \max\bigl(0,\; 1 - {weight} / (\rho \|v^{{(g)}}\|)\bigr)",
    }.get(
        run.penalty,
        rf"\max(0, v - {weight} / \rho) + \min(0, v + {weight} / \rho)",
    )
    z = "z^{(g)}" if run.penalty == "l1,2" else "z"
    return (
        r"\begin{gathered} \min_{\theta, z}\; "
        rf"\underbrace{{\tfrac12 \|y - \Phi\theta\|^2{squares}}}_{{f(\theta)}} + "
        rf"\underbrace{{{g}}}_{{g(z)}} \\ \text{{subject to}} \quad A\theta + Bz = c, \\ "
        rf"A = {A},\; B = -I,\; c = 0 \\[4pt] "
        rf"\theta \leftarrow (\Phi^\top\Phi{ridge} + {inner})^{{-1}} (\Phi^\top y + {back}) \\ "
        rf"{z} \leftarrow {step} \\ "
        rf"v = {F}\theta + u / \rho, \quad \rho = {rho} \\ "
        rf"u \leftarrow u + \rho\, ({F}\theta - z) \end{{gathered}}"
    )


PENALTY_MISPRINTS = {
    "l2": "**ℓ₂ has no zeros to find.** Without a norm the z-update copies θ + u / ρ; ADMM then is "
    "a slow way to solve one linear system.",
    "l1 + l2": "**A factor of two.** The book writes η ‖θ‖² and then (Φ′Φ + (η + 1) I)⁻¹ in the "
    "θ-update. The derivative of η ‖θ‖² is 2ηθ: it must be 2η + 1. As printed it solves the "
    "problem with half of η.",
    "l1,2": "**The z-update is not in the book for groups.** Each group is shortened by λ / ρ as a "
    "whole, and is 0 where it is not longer than that.",
    "fused": "**One row too many.** The printed F, read for j = 1, ..., b, is square, and its last "
    "row has only −1: it penalises |θ_b| itself, and draws the end of the signal to 0. F has "
    "b − 1 rows.",
}


def misprints(run: SparseRun) -> list[str]:
    """Return the corrections of the book's formulas for a penalty, a paragraph each."""
    own = [PENALTY_MISPRINTS[run.penalty]] if run.penalty in PENALTY_MISPRINTS else []
    return [
        "**A plus is missing.** The printed z-update ends in min(0, θ u + λ 1): it is θ + u. Its "
        "derivation is headed min, and gives the place of the minimum: argmin.",
        "**ρ is hidden.** Fig. 24.3 has ρ = 1 and calls it an advantage that nothing is to be "
        "tuned. The solution does not depend on ρ, the number of iterations does.",
        *own,
    ]
