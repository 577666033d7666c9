"""The touching point in words and formulas, with its numbers."""

from __future__ import annotations

from math import isinf

import numpy as np
from numpy.typing import NDArray

from pages.shared import prose
from pages.shared.recipes import Touching
from pages.shared.topics.touching import Found
from smmcore.penalties import Ball, ElasticBall


def name(ball: Ball | ElasticBall) -> str:
    """Return what a ball is called."""
    if isinstance(ball, ElasticBall):
        return f"ℓ₁ + ℓ₂, τ = {ball.tau:g}"
    p = ball.norm.p
    return {1: "ℓ₁", 2: "ℓ₂"}.get(p, "ℓₚ, p = " + ("∞" if isinf(p) else f"{p:g}"))


def constraint(ball: Ball | ElasticBall) -> str:
    """Return what a ball allows, as a formula."""
    if isinstance(ball, ElasticBall):
        tau = prose.number(ball.tau)
        return (
            rf"{prose.number(1 - ball.tau)} \, \| \theta \|_1 + {tau} \, \| \theta \|^2 "
            rf"\le {prose.number(ball.bound)}"
        )
    p = r"\infty" if isinf(ball.norm.p) else f"{ball.norm.p:g}"
    return rf"\| \theta \|_{{{p}}} \le {prose.number(ball.radius)}"


def problem(recipe: Touching, found: Found) -> str:
    """Return constrained least squares with these numbers, and its solution, as a formula."""
    return rf"""\begin{{gathered}}
\min_\theta \tfrac12 (\theta - \theta_{{LS}})^\top H (\theta - \theta_{{LS}}) \\
\text{{subject to}} \quad {constraint(recipe.ball)} \\
H = \Phi^\top \Phi = {prose.matrix(recipe.H, "{:.3f}")} \\
\theta_{{LS}} = {_column(recipe.minimum)}, \quad \hat\theta = {_column(found.point)}
\end{{gathered}}"""


def rule(recipe: Touching, found: Found) -> str:
    """Return, as a formula, when a coordinate stays 0, with the numbers of this one."""
    point, push, sharp = found.point, found.push, found.corner
    kappa = r"\infty" if isinf(sharp) else prose.number(sharp)
    if isinstance(recipe.ball, ElasticBall):
        kappa = r"\frac{1 - \tau}{1 - \tau + 2 \tau r} = " + kappa
    lines = [
        rf"g = H (\theta_{{LS}} - \hat\theta) = {_column(push)}",
        rf"\kappa = {kappa}",
    ]
    for j in (0, 1):
        if point[j] == 0 and point[1 - j] != 0 and push[1 - j] != 0:
            ratio = prose.number(abs(push[j] / push[1 - j]))
            lines.append(
                rf"\frac{{|g_{j + 1}|}}{{|g_{2 - j}|}} = {ratio} \le \kappa, \quad "
                rf"\hat\theta_{j + 1} = 0"
            )
    return r"\begin{gathered} " + r" \\[4pt] ".join(lines) + r" \end{gathered}"


def solution(point: NDArray[np.float64] | None) -> str:
    """Say where a solution in three dimensions lies, and how many zeros it has."""
    if point is None:
        return "Not convex: no algorithm here is sure to find θ̂."
    zeros = int(np.count_nonzero(point == 0))
    shown = ", ".join(_short(value) for value in point)
    return f"θ̂ = ({shown}): " + {0: "no zero.", 1: "one zero."}.get(zeros, f"{zeros} zeros.")


def table(found: Found) -> list[dict[str, object]]:
    """Return a row for each ball that is compared."""
    return [
        {
            "ball": name(row.ball),
            "θ̂₁": float(row.point[0]),
            "θ̂₂": float(row.point[1]),
            "zeros": int((row.point == 0).sum()),
            "loss above its minimum": row.loss,
            "minima outside with a zero": 100 * row.share,
        }
        for row in found.rows
    ]


def records(found: Found) -> NDArray[np.void]:
    """Return the outline and, as its last record, the touching point: a table to take home."""
    dtype = [("what", "U8"), ("theta1", float), ("theta2", float)]
    rows = [("outline", *point) for point in found.outline]
    return np.array([*rows, ("touching", *found.point)], dtype)


def _short(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:.3f}" if abs(value) >= 0.0005 else f"{value:.0e}"


def _column(values) -> str:
    body = r" \\ ".join(prose.number(value + 0.0) for value in values)  # -0 becomes 0
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
