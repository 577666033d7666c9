"""Why corners make zeros: contours of a loss that one drags over a ball."""

from dataclasses import replace

import numpy as np
import streamlit as st

import smmcore.balls
from pages.foundations.corners import touching
from pages.foundations.corners.charts import similar_balls, sparse_and_convex
from pages.foundations.corners.contours import choose_third, choose_touching, draw_contours
from pages.foundations.corners.formulas import ball_name, problem_formula, solution_text, zero_rule
from pages.foundations.corners.touching import find_touching_point, make_solids, outline_table
from pages.shared.engine import session
from pages.shared.parts import charts, downloads, prose
from pages.shared.parts.balls import draw_ball
from pages.shared.widgets import url
from smmcore.penalties import ElasticBall

url.begin()  # the experiment of the side bar plays no part here
st.title("Why corners make zeros")
prose.ask_prediction(
    "guess-corners",
    "Least squares with θ kept in a ball: the solution is where the contours of the loss touch it. "
    "Which balls give a coordinate that is exactly 0, for more than a lucky loss?",
    ("Those that are small enough", "Those with corners on the axes", "All of them, now and then"),
    "Those with corners on the axes: a corner is the touching point of a whole sector of minima, "
    "coloured in the picture. A smooth ball has each boundary point for one direction only.",
)
picture, settings = st.columns([3, 2], gap="medium")
with settings:
    experiment = choose_touching()
ball = experiment.ball
with picture:
    draw_contours(experiment)
st.caption(
    "**Drag** the minimum θ_LS, or the ring at the end of the long axis; or focus one of them with "
    "Tab and use the arrow keys. The filled point is the solution, the bold ellipse the contour "
    "that touches. No data and no scaling: the loss is ½ (θ − θ_LS)ᵀ H (θ − θ_LS), its grey "
    "contours have short half axes of 0.5, 1, 1.5, … . Minima lie in the square of "
    f"±{touching.MAX_COORDINATE:g}."
)
result = session.run_task(
    "corners", "The touching points are being found", find_touching_point, experiment
)

prose.show_notes(
    "**Sectors.** Drag the minimum through a coloured one: θ̂ waits in its corner, one coordinate "
    "is 0 to the last digit. Outside the sectors θ̂ slides along an edge.",
    "**Round it off.** Move p from 1 to 1.1: the sectors collapse to lines. At p = 1.4 the ball "
    "still looks pointed, but no sector is left.",
    "**Balance.** The ℓ₁ + ℓ₂ ball keeps its corners for every τ < 1; they get blunter and the "
    "sectors narrower.",
    "**Below 1.** Cusps make more zeros, but the ball is no longer convex: hollow points are "
    "solutions only in their neighbourhood, and θ̂ jumps as you drag.",
    "**Tilt.** Features that are correlated turn the contours. The sectors turn with them, and "
    "the zero can move to the coordinate that looked the larger one: press *Correlated*.",
)

st.subheader("The touching point in numbers")
st.latex(problem_formula(experiment, result))
st.markdown(
    "g is minus the gradient of the loss at θ̂, the force towards θ_LS. On an axis, at a distance r "
    "from 0, a corner holds θ̂ as long as the force across the axis is at most κ times that along "
    "it. κ is the slope of the boundary there: 1 for ℓ₁, 0 for every p > 1, ∞ for p < 1 (within a "
    "neighbourhood: another corner may still have less loss)."
)
st.latex(zero_rule(experiment, result))
st.dataframe(
    [
        {
            "ball": ball_name(row.ball),
            "θ̂₁": float(row.point[0]),
            "θ̂₂": float(row.point[1]),
            "zeros": int((row.point == 0).sum()),
            "loss above its minimum": row.loss,
            "minima outside with a zero": 100 * row.share,
        }
        for row in result.rows
    ],
    hide_index=True,
    column_config={
        "ball": st.column_config.TextColumn(width="medium"),
        "θ̂₁": st.column_config.NumberColumn(format="%.4g"),
        "θ̂₂": st.column_config.NumberColumn(format="%.4g"),
        "loss above its minimum": st.column_config.NumberColumn(format="%.4f"),
        "minima outside with a zero": st.column_config.NumberColumn(format="%.1f %%"),
    },
)
st.caption(
    "The same loss and R² on other balls. Last column: of the minima in the square that lie "
    f"outside the ball ({touching.CELLS} x {touching.CELLS} tried), the share whose solution has a "
    "zero, with these contours."
)

st.subheader("Sparse or convex")
left, right = st.columns(2)
p = None if isinstance(ball, ElasticBall) else ball.norm.p
charts.draw(left, sparse_and_convex(p))
right.markdown(
    "Fig. 24.7 of Sugiyama, *Introduction to Statistical Machine Learning*. "
    "Corners on the axes, p ≤ 1, are what makes zeros; a convex ball, "
    "p ≥ 1, is what lets an algorithm find the solution. **p = 1 alone has both** among the ℓₚ "
    "balls. "
    + (
        "The star is your p."
        if p is not None
        else "Your ℓ₁ + ℓ₂ ball has both as well."
        if result.sharpness
        else "With τ = 1 yours is the ℓ₂ ball: no corner."
    )
)
st.markdown(
    f"**Two that look alike** (Fig. 24.8): the ℓ₁ + ℓ₂ ball with τ = {result.elastic.tau:g} and "
    f"the ℓₚ ball that is nearest to it, p = {result.nearest:.2f}; along no ray are they farther "
    f"apart than {result.apart:.3f}. The book takes p = 1.4 for τ = 1/2. From near, one has a "
    "corner and the other does not."
)
left, right = st.columns(2)
near = "At (1, 0), a hundred times larger"
charts.draw(left, similar_balls(result.elastic, result.nearest, "The unit balls"))
charts.draw(right, similar_balls(result.elastic, result.nearest, near, 0.01))

st.subheader("In three dimensions")
deep = replace(experiment, third=choose_third())
own, group = session.run_task("solids", "The balls are being made", make_solids, deep)
bound = 1.0 if p == 0 else float(np.abs(own.surface).max())
group_bound = float(np.abs(group.surface).max())
left, right = st.columns(2)
for place, shape, title, size in (
    (left, own, f"Your ball: {ball_name(ball)}", bound),
    (right, group, "ℓ₁,₂: groups {θ₁, θ₂} and {θ₃}", group_bound),
):
    marks = {"corners": shape.corners, "edges": shape.ridges, "point": shape.point}
    charts.draw(place, draw_ball(shape.surface, title, bound=size, **marks))
    place.markdown(solution_text(shape.point))
st.caption(
    "Drag to turn. The large dot is the solution θ̂. Orange is where a ball is not smooth, on axes "
    "and planes of zeros; R² as above. Of the 0 < p < ∞ balls only p ≤ 1 have any; the edges of "
    "the cube, p = ∞, lie off the axes."
)
st.markdown(
    "**ℓ₁** has six corners, each with two zeros, and edges between them, each with one. **ℓ₁,₂**, "
    "‖(θ₁, θ₂)‖ + |θ₃| ≤ R², has two peaks, where the whole group {θ₁, θ₂} is 0, and a circle of "
    "corners, where θ₃ is 0 and the group is not: move the third coordinate, and θ̂ goes from the "
    "circle to a peak. Round the circle no point is special: θ₁ and θ₂ leave or stay together. "
    "Corners say not only that there will be zeros, but where. (It takes three dimensions: in the "
    "plane ℓ₁,₂ is ℓ₂, with one group, or ℓ₁, with two.)"
)

prose.show_source("The source that ran", smmcore.balls, touching)
st.subheader("Take it with you")
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
prose.show_link()
