"""Why corners make zeros: drag the contours of a loss over a ball."""

from collections.abc import Iterable
from math import isinf

import numpy as np
import streamlit as st

from pages.foundations.corners.contours import RATIO, TILT, draw_contours, draw_controls
from pages.foundations.corners.touching import (
    MAX_COORDINATE,
    TouchingProblem,
    outline_table,
    touching_point,
)
from pages.shared.numbers import latex, latex_matrix
from pages.shared.outlines import outline
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.shared.widgets import url
from smmcore.arrays import Array
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp

SECTORS = "θ̂ stays in one corner of the diamond for a whole sector of minima."
head = introduce(
    "Two weights, θ₁ and θ₂, must stay in the grey shape: where in it is the loss least?"
)


def task(ball: Ball | ElasticBall) -> str:
    """Return what to try with this ball, and what it teaches."""
    if isinstance(ball, ElasticBall):
        return "**Its corners are blunter. From which share of ℓ₂² on does a drag give no 0?**"
    assert isinstance(ball.norm, Lp)
    p = ball.norm.p
    if p < 1:
        return (
            "**Drag the minimum across the diagonal: θ̂ jumps from one corner to another.**\n\n"
            "Sharper corners make more zeros, but the ball is not convex: hollow points are local "
            "minima. Corners need p ≤ 1, convex balls p ≥ 1: only ℓ₁ has both."
        )
    if p == 1:
        return "**Drag *turn*, and the rings turn: where is θ̂ now?**"
    if isinf(p):
        return "**These corners are not on an axis: in them both weights are equally large.**"
    return "**No corner: can you still make a weight exactly 0? Move p to 1.**"


with st.container(key="stage"):
    picture, settings = st.columns([2, 1], gap="medium")
    with settings, st.container(key="controls"):
        experiment = draw_controls()
        if not url.is_presenting():  # on the wall the lecturer says it
            st.markdown(
                "The **loss** was the threads of lesson 1. Here it is squared, least at the "
                "**minimum**, and grows from ring to ring. **θ̂** is the point of the grey shape, a "
                "**ball**, with the least loss: there the bold ring touches it."
            )
        st.markdown(task(experiment.ball))
    ball = experiment.ball
    with picture:
        draw_contours(experiment)
head.ask(
    "Drag the minimum. For how many of its places is a weight of θ̂ exactly 0?",
    (
        Answer("Hardly any", SECTORS),
        Answer("About a tenth", SECTORS),
        Answer("More than half", f"{SECTORS} Compare it with Disc.", right=True),
    ),
    at=("ball", "norm", "bound", TILT, RATIO),
)
touching = touching_point(ball, experiment.H, experiment.minimum)


def constraint_formula(ball: Ball | ElasticBall) -> str:
    """Return the inequality of a ball, in LaTeX."""
    if isinstance(ball, ElasticBall):
        tau = latex(ball.tau)
        return (
            rf"{latex(1 - ball.tau)} \, \| \theta \|_1 + {tau} \, \| \theta \|^2 "
            rf"\le {latex(ball.bound)}"
        )
    assert isinstance(ball.norm, Lp)
    p = ball.norm.p
    index = r"\infty" if isinf(p) else f"{p:g}"
    return rf"\| \theta \|_{{{index}}} \le {latex(ball.radius)}"


def column_vector(values: Iterable[float]) -> str:
    """Return a column vector in LaTeX."""
    body = r" \\ ".join(latex(value + 0.0) for value in values)  # -0 becomes 0
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def problem_formula(problem: TouchingProblem, touching: Array) -> str:
    """Return constrained least squares with these numbers, its solution and g, in LaTeX."""
    pull = problem.H @ (np.array(problem.minimum) - touching)
    return rf"""\begin{{gathered}}
\min_\theta \tfrac12 (\theta - \theta_{{LS}})^\top H (\theta - \theta_{{LS}}) \\
\text{{subject to}} \quad {constraint_formula(problem.ball)} \\
H = \Phi^\top \Phi = {latex_matrix(problem.H, "{:.3f}")} \\
\theta_{{LS}} = {column_vector(problem.minimum)}, \quad \hat\theta = {column_vector(touching)} \\
g = H (\theta_{{LS}} - \hat\theta) = {column_vector(pull.round(6))}
\end{{gathered}}"""


prose.end_lesson(
    "A ball with corners on the axes makes coordinates exactly 0, for a whole range of losses.",
    (
        "choose p = 1.1. Is there still a sector of minima whose solution has a zero?",
        "No. The ball is smooth, so each of its points is the solution for one direction only.",
    ),
    (
        "can the larger weight of the minimum become 0?",
        "Yes: turn the rings far enough, and they touch another corner first.",
    ),
    (
        "how far can you drag the minimum before θ̂ leaves its corner?",
        f"$$\n{problem_formula(experiment, touching)}\n$$\n\n"
        "g is minus the gradient of the loss at θ̂: it pulls θ̂ towards $θ_{LS}$. θ̂ stays in the "
        "corner while the sideways pull is at most κ times the outward pull. κ is the slope of the "
        "boundary there: 1 for ℓ₁, 0 for every p > 1, ∞ for p < 1, and "
        r"$\frac{1 - \omega}{1 - \omega + 2 \omega |\hat\theta|}$ for ℓ₁ + ℓ₂.",
    ),
)
program = programs.fill(
    __file__,
    BALL=ball,
    MINIMUM=experiment.minimum,
    TILT=experiment.tilt,
    RATIO=experiment.ratio,
)
with prose.draw_tools(program, "smm_corners"):
    points = outline(ball, limit=MAX_COORDINATE)
    downloads.draw_array_downloads(
        {
            "outline": points,
            "touching_point": touching,
            "minimum": np.array(experiment.minimum),
            "H": experiment.H,
        },
        experiment,
        "smm_corners",
        outline_table(points, touching),
    )
