"""The touching point in formulas and words, with its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from math import isinf

import numpy as np

from pages.foundations.corners.touching import Touching, TouchingResult
from pages.shared.data.samples import Array
from pages.shared.parts import prose
from smmcore.penalties import Ball, ElasticBall


def ball_name(ball: Ball | ElasticBall) -> str:
    """Return the name of a ball, with its parameter."""
    if isinstance(ball, ElasticBall):
        return f"ℓ₁ + ℓ₂, τ = {ball.tau:g}"
    p = ball.norm.p
    return {1: "ℓ₁", 2: "ℓ₂"}.get(p, "ℓₚ, p = " + ("∞" if isinf(p) else f"{p:g}"))


def _constraint(ball: Ball | ElasticBall) -> str:
    """Return the inequality of a ball, in LaTeX."""
    if isinstance(ball, ElasticBall):
        tau = prose.latex_number(ball.tau)
        return (
            rf"{prose.latex_number(1 - ball.tau)} \, \| \theta \|_1 + {tau} \, \| \theta \|^2 "
            rf"\le {prose.latex_number(ball.bound)}"
        )
    p = r"\infty" if isinf(ball.norm.p) else f"{ball.norm.p:g}"
    return rf"\| \theta \|_{{{p}}} \le {prose.latex_number(ball.radius)}"


def problem_formula(touching: Touching, result: TouchingResult) -> str:
    """Return constrained least squares with these numbers, and its solution, in LaTeX."""
    return rf"""\begin{{gathered}}
\min_\theta \tfrac12 (\theta - \theta_{{LS}})^\top H (\theta - \theta_{{LS}}) \\
\text{{subject to}} \quad {_constraint(touching.ball)} \\
H = \Phi^\top \Phi = {prose.latex_matrix(touching.H, "{:.3f}")} \\
\theta_{{LS}} = {_column(touching.minimum)}, \quad \hat\theta = {_column(result.point)}
\end{{gathered}}"""


def zero_rule(touching: Touching, result: TouchingResult) -> str:
    """Return the condition for a coordinate to be 0, with the numbers of this point, in LaTeX."""
    point, push, slope = result.point, result.push, result.sharpness
    kappa = r"\infty" if isinf(slope) else prose.latex_number(slope)
    if isinstance(touching.ball, ElasticBall):
        kappa = r"\frac{1 - \tau}{1 - \tau + 2 \tau r} = " + kappa
    lines = [
        rf"g = H (\theta_{{LS}} - \hat\theta) = {_column(push)}",
        rf"\kappa = {kappa}",
    ]
    for j in (0, 1):
        if point[j] == 0 and point[1 - j] != 0 and push[1 - j] != 0:
            ratio = prose.latex_number(abs(push[j] / push[1 - j]))
            lines.append(
                rf"\frac{{|g_{j + 1}|}}{{|g_{2 - j}|}} = {ratio} \le \kappa, \quad "
                rf"\hat\theta_{j + 1} = 0"
            )
    return r"\begin{gathered} " + r" \\[4pt] ".join(lines) + r" \end{gathered}"


def solution_text(point: Array | None) -> str:
    """Say where a solution in three dimensions lies, and how many zeros it has."""
    if point is None:
        return "Not convex: no algorithm here is sure to find θ̂."
    zeros = int(np.count_nonzero(point == 0))
    entries = ", ".join(_short(value) for value in point)
    return f"θ̂ = ({entries}): " + {0: "no zero.", 1: "one zero."}.get(zeros, f"{zeros} zeros.")


def _short(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:.3f}" if abs(value) >= 0.0005 else f"{value:.0e}"


def _column(values: Iterable[float]) -> str:
    body = r" \\ ".join(prose.latex_number(value + 0.0) for value in values)  # -0 becomes 0
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
