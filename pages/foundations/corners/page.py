"""Why corners make zeros: drag the contours of a loss over a ball."""

from collections.abc import Iterable
from dataclasses import replace
from math import isinf

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import pages.shared.outlines
from pages.foundations.corners import touching
from pages.foundations.corners.contours import (
    draw_contours,
    draw_controls,
    draw_third_control,
)
from pages.foundations.corners.touching import (
    TouchingProblem,
    TouchingResult,
    find_touching_point,
    lp_exponent,
    make_solids,
    outline_table,
)
from pages.shared.engine import session
from pages.shared.numbers import latex, latex_matrix, scientific, signed
from pages.shared.parts import charts, downloads, prose
from pages.shared.parts.balls import draw_ball
from pages.shared.parts.charts import add_star, border, colour, format_figure
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.panels import BROWN, PURPLE
from smmcore.arrays import Array
from smmcore.penalties import Ball, ElasticBall

EXPONENT_TICKS = (0.0, 0.5, 1.0, 2.0, 5.0, np.inf)  # of p

head = introduce(
    "Let W have two weights only, θ₁ and θ₂: a point, kept in the grey shape. Rings join points of "
    "equal loss."
)
head.ask(
    "θ̂ is the point of the shape with the least loss. Which shapes make a coordinate 0?",
    (
        Answer("Small ones", "A small disc is still smooth: it makes a 0 only by chance."),
        Answer(
            "Those with corners",
            "A corner on an axis solves a whole sector of minima.",
            right=True,
        ),
        Answer("All of them", "On a smooth shape each point solves one direction only."),
    ),
)
with st.container(key="stage"):
    picture, settings = st.columns([3, 2], gap="medium")
    with settings, st.container(key="controls"):
        experiment = draw_controls()
        st.markdown(
            "The **loss** was the threads of lesson 1; here it is least at the minimum $θ_{LS}$ "
            "and grows from ring to ring. The grey shape is a **ball**: all θ whose norm, their "
            "size, is at most R. θ̂ is where a growing ring first touches it.\n\n"
            "**Drag** the minimum, or the ring at the end of the long axis; with the keyboard, "
            "focus one with Tab and use the arrow keys."
        )
    ball = experiment.ball
    with picture:
        draw_contours(experiment)
result = session.run_task(
    "corners", "The touching points are being found", find_touching_point, experiment
)

prose.show_notes(
    "**Sectors.** Drag the minimum through a coloured sector: θ̂ stays in its corner, and one "
    "coordinate is exactly 0. Outside the sectors θ̂ slides along an edge.",
    "**Smooth it.** Move p from 1 to 1.1: the sectors are gone, and only minima on two lines still "
    "give a zero. The ball still looks pointed, but it has no corner.",
    "**Elastic net.** The ℓ₁ + ℓ₂ ball keeps its corners until only ℓ₂ is left. They become "
    "blunter and the sectors narrower.",
    "**p below 1.** Sharper corners make more zeros, but the ball is no longer convex: θ̂ jumps "
    "while you drag, and hollow points are local minima.",
    "**Correlated features** tilt the contours. The sectors tilt with them, and the larger "
    "coordinate of $θ_{LS}$ can become 0: choose *Correlated*.",
)


def ball_name(ball: Ball | ElasticBall) -> str:
    """Return the name of a ball, with its parameter."""
    if isinstance(ball, ElasticBall):
        return f"ℓ₁ + ℓ₂, ω = {ball.tau:g}"
    p = lp_exponent(ball)
    return {1.0: "ℓ₁", 2.0: "ℓ₂"}.get(p, "ℓₚ, p = " + ("∞" if isinf(p) else f"{p:g}"))


def constraint_formula(ball: Ball | ElasticBall) -> str:
    """Return the inequality of a ball, in LaTeX."""
    if isinstance(ball, ElasticBall):
        tau = latex(ball.tau)
        return (
            rf"{latex(1 - ball.tau)} \, \| \theta \|_1 + {tau} \, \| \theta \|^2 "
            rf"\le {latex(ball.bound)}"
        )
    p = lp_exponent(ball)
    index = r"\infty" if isinf(p) else f"{p:g}"
    return rf"\| \theta \|_{{{index}}} \le {latex(ball.radius)}"


def column_vector(values: Iterable[float]) -> str:
    """Return a column vector in LaTeX."""
    body = r" \\ ".join(latex(value + 0.0) for value in values)  # -0 becomes 0
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def problem_formula(problem: TouchingProblem, result: TouchingResult) -> str:
    """Return constrained least squares with these numbers, and its solution, in LaTeX."""
    return rf"""\begin{{gathered}}
\min_\theta \tfrac12 (\theta - \theta_{{LS}})^\top H (\theta - \theta_{{LS}}) \\
\text{{subject to}} \quad {constraint_formula(problem.ball)} \\
H = \Phi^\top \Phi = {latex_matrix(problem.H, "{:.3f}")} \\
\theta_{{LS}} = {column_vector(problem.minimum)}, \quad \hat\theta = {column_vector(result.point)}
\end{{gathered}}"""


def zero_condition(problem: TouchingProblem, result: TouchingResult) -> str:
    """Return the condition for a coordinate to be 0, with the numbers of this point, in LaTeX."""
    point, push, slope = result.point, result.push, result.sharpness
    kappa = r"\infty" if isinf(slope) else latex(slope)
    if isinstance(problem.ball, ElasticBall):
        kappa = r"\frac{1 - \omega}{1 - \omega + 2 \omega |\hat\theta|} = " + kappa
    lines = [
        rf"g = H (\theta_{{LS}} - \hat\theta) = {column_vector(push)}",
        rf"\kappa = {kappa}",
    ]
    for j in (0, 1):
        if point[j] == 0 and point[1 - j] != 0 and push[1 - j] != 0:
            ratio = latex(abs(push[j] / push[1 - j]))
            lines.append(
                rf"\frac{{|g_{j + 1}|}}{{|g_{2 - j}|}} = {ratio} \le \kappa, \quad "
                rf"\hat\theta_{j + 1} = 0"
            )
    return r"\begin{gathered} " + r" \\[4pt] ".join(lines) + r" \end{gathered}"


with st.expander("More: the touching point in numbers"):
    st.latex(problem_formula(experiment, result))
    st.markdown(
        "g is minus the gradient of the loss at θ̂: it pulls θ̂ towards $θ_{LS}$. θ̂ stays in the "
        "corner while the sideways pull is at most κ times the outward pull. κ is the slope of the "
        "boundary: 1 for ℓ₁, 0 for every p > 1, ∞ for p < 1."
    )
    st.latex(zero_condition(experiment, result))
    charts.draw_table(
        [
            {
                "ball": ball_name(row.ball),
                "θ̂₁": float(row.point[0]),
                "θ̂₂": float(row.point[1]),
                "zeros": int((row.point == 0).sum()),
                "loss above its minimum": row.loss,
                "share of minima with a zero": 100 * row.share,
            }
            for row in result.rows
        ],
        column_config={
            "ball": st.column_config.TextColumn(width="medium"),
            "θ̂₁": st.column_config.NumberColumn(format="%.4g"),
            "θ̂₂": st.column_config.NumberColumn(format="%.4g"),
            "loss above its minimum": st.column_config.NumberColumn(format="%.4f"),
            "share of minima with a zero": st.column_config.NumberColumn(format="%.1f %%"),
        },
    )
    st.caption(
        "The same loss on other balls of the same R. Last column: the share of minima $θ_{LS}$ "
        f"outside the ball, on a grid of {touching.CELLS} × {touching.CELLS}, whose solution has a "
        "zero."
    )


def axis_position(p: float) -> float:
    """Return the place of p on an axis from 0 to 1, with p = 1 in the middle."""
    return 1.0 if np.isinf(p) else p / (1 + p)


def exponents_chart(p: float | None) -> go.Figure:
    """Draw for which p the l_p ball has corners on the axes or is convex, and a star at a p."""
    figure = go.Figure()
    for row, (name, low, high, category) in enumerate(
        (("convex", 1.0, np.inf, BROWN), ("corners: sparse", 0.0, 1.0, PURPLE))
    ):
        figure.add_scatter(
            x=[axis_position(low), axis_position(high)],
            y=[row, row],
            mode="lines",
            line={"color": colour(category), "width": 22},
            hovertemplate=f"{name}: {low:g} ≤ p ≤ {high:g}<extra></extra>".replace("inf", "∞"),
        )
    figure.add_vline(x=axis_position(1.0), line=border())
    if p is not None:
        add_star(figure, axis_position(p), 0.5, hoverinfo="skip")
    texts = [f"{tick:g}".replace("inf", "∞") for tick in EXPONENT_TICKS]
    figure.update_xaxes(
        title="p",
        range=[-0.03, 1.03],
        tickvals=[axis_position(tick) for tick in EXPONENT_TICKS],
        ticktext=texts,
    )
    figure.update_yaxes(
        tickvals=[0, 1], ticktext=["convex", "sparse"], range=[-0.6, 1.6], fixedrange=True
    )
    return format_figure(figure, "Only p = 1 is both", 210)


st.header("Sparse or convex")
left, right = st.columns(2)
p = None if isinstance(ball, ElasticBall) else lp_exponent(ball)
charts.draw(left, exponents_chart(p))
right.markdown(
    "Fig. 24.7 of Sugiyama, *Introduction to Statistical Machine Learning*. "
    "Corners on the axes (p ≤ 1) make zeros. A convex ball (p ≥ 1) lets an algorithm find the "
    "solution. Among the ℓₚ balls **only p = 1 has both**. "
    + (
        "The star is your p."
        if p is not None
        else "Your ℓ₁ + ℓ₂ ball has both as well."
        if result.sharpness
        else "With ω = 1 yours is the ℓ₂ ball: no corner."
    )
)


def entry_text(value: float) -> str:
    """Format an entry so that only an exact zero is written as 0."""
    if value == 0:
        return "0"
    return signed(value, ".3f") if abs(value) >= 0.0005 else scientific(value, 1)


def solution_text(point: Array | None) -> str:
    """Say where a solution in three dimensions lies, and how many zeros it has."""
    if point is None:
        return "Not convex: no algorithm is sure to find θ̂."
    zeros = int(np.count_nonzero(point == 0))
    entries = ", ".join(entry_text(value) for value in point)
    return f"θ̂ = ({entries}): " + {0: "no zero.", 1: "one zero."}.get(zeros, f"{zeros} zeros.")


st.header("In three dimensions")
in_space = replace(experiment, third=draw_third_control())
own, group = session.run_task("corners: solids", "The balls are being made", make_solids, in_space)
bound = 1.0 if p == 0 else float(np.abs(own.surface).max())
group_bound = float(np.abs(group.surface).max())
left, right = st.columns(2)
for place, shape, title, size in (
    (left, own, f"Your ball: {ball_name(ball)}", bound),
    (right, group, "ℓ₁,₂: groups {θ₁, θ₂} and {θ₃}", group_bound),
):
    figure = draw_ball(
        shape.surface,
        title,
        corners=shape.corners,
        edges=shape.ridges,
        point=shape.point,
        bound=size,
    )
    charts.draw(place, figure)
    place.markdown(solution_text(shape.point))
st.caption(
    "Drag to turn. The large dot is the solution θ̂. Lines and small dots mark where a ball is "
    "not smooth and coordinates are 0."
)
st.markdown(
    "**ℓ₁** has six corners with two zeros each, and edges between them with one zero. **ℓ₁,₂**, "
    "‖(θ₁, θ₂)‖ + |θ₃| ≤ R, has two peaks, where the whole group {θ₁, θ₂} is 0, and a circle of "
    "corners, where θ₃ is 0. Move the third coordinate, and θ̂ goes from the circle to a peak. So "
    "the shape of a ball decides not only whether there are zeros, but also where."
)
prose.end_lesson(
    "A ball with corners on the axes makes coordinates exactly 0, for a whole range of losses.",
    (
        "choose p = 1.1. Is there still a sector of minima whose solution has a zero?",
        "No. The ball is smooth, so each of its points is the solution for one direction only.",
    ),
    (
        "which ball would you choose if two features should leave the model together?",
        "The group ball ℓ₁,₂: at its peaks both coordinates of the group are 0 at once.",
    ),
)
with prose.draw_tools(pages.shared.outlines, touching):
    downloads.draw_array_downloads(
        {
            "outline": result.outline,
            "touching_point": result.point,
            "minimum": np.array(experiment.minimum),
            "H": experiment.H,
        },
        experiment,
        "smm_corners",
        outline_table(result),
    )
