"""Bilevel programming: the algorithm of Xia and Fan, with either loss and either sign of eq. 6."""

import numpy as np
import streamlit as st

from pages.research.bilevel.runs import BilevelAlgorithm, bilevel_panels, solve_by_admm
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.numbers import scientific
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url

CORRECTED, PRINTED = SIGNS = ("corrected", "as printed")

place = st.container(key="recipe")
experiment, knobs = recipe.draw_recipe(QUICK, place)
draw_knobs(knobs)
split = Split(experiment.data)
st.markdown(
    "Xia and Fan solve the least-squares SMM by BP-LSSMM, and the SMM by BP-SMM: first S, then W "
    "and b, then the multiplier Λ. Does their rule stop in time, and does it depend on the unit of "
    "the samples?"
)
left, right = st.columns(2)
loss = url.choice(
    left,
    "segmented_control",
    "Loss",
    ["squares", "hinge"],
    "squares",
    key="loss",
    help="squares: BP-LSSMM, their section 4. hinge: BP-SMM, their section 3.",
)
sign = url.choice(
    right,
    "segmented_control",
    "Sign of eq. 6",
    SIGNS,
    CORRECTED,
    key="sign",
    help="Corrected: Λ − ρ (W − S). As printed: Λ − ρ (S − W).",
)
rho = url.slider(
    left,
    "ρ of their algorithm",
    [0.1, 0.3, 1.1, 3.0, 10.0, 30.0, 100.0],
    1.1,
    key="rho",
    help="Their Table 1 has 1.1. It changes the path, not the model.",
)
unit = url.slider(
    right,
    "Multiply the samples by",
    [0.01, 0.1, 1.0, 10.0, 255.0],
    1.0,
    key="unit",
    help="C is divided by its square and τ by it, so that the model stays: W is divided by it.",
)
wanted = BilevelAlgorithm(split, experiment.C, experiment.tau, rho, loss, sign == PRINTED, unit)
run = session.subscribe("bilevel", wanted)
show_run("bilevel", run, bilevel_panels())
st.caption(
    f"{prose.describe_data(experiment)} They are multiplied by {wanted.unit:g}; "
    f"C = {wanted.C / wanted.unit**2:.3g}, τ = {wanted.tau / wanted.unit:.3g}, ρ = {wanted.rho:g}. "
    "The run goes on past their rule, ‖S − W‖∞ < 10⁻³ (largest entry), until the gap is 10⁻⁶ or "
    "1,000 iterations are done. The picture of S has its own scale. Their answer is W, which comes "
    "near S but has full rank."
)
if run.status == "finished" and not wanted.printed:
    proof = run.frames.certificate
    other = session.run_task("bilevel: ADMM", "Solving by Algorithm 1", solve_by_admm, wanted)
    apart, norm = np.linalg.norm(unit * proof.W - other.W), np.linalg.norm(other.W)
    st.markdown(
        f"Algorithm 1 of the SMM paper ends at ‖W − W′‖ = {scientific(float(apart))} from this "
        f"W, where ‖W′‖ = {norm:.2g}; the two gaps allow "
        f"{scientific(unit * proof.radius + other.radius)}. **Whatever ρ is, the model is "
        "the same**: there is nothing in it to cross-validate."
    )
prose.show_notes(
    "**With the sign of the paper it diverges.** The multiplier has to climb, Λ − ρ (W − S), but "
    "the paper's step goes down. In the end Λ and S double with every iteration and leave the "
    "axis. W rests "
    "at a wrong matrix until Λ is so large that its rounding errors carry W off as well.",
    "**Their rule depends on the unit.** Multiply the samples, and the mark ▲ moves along a gap "
    "that stays where it was. On the ORL faces in raw pixels, 0 to 255, at their C, τ and ρ, the "
    "rule would stop after 14 to 24 iterations at a relative gap of 1.00: hardly begun.",
    "**BP-SMM** as printed also minimises over Λ, and is unbounded below. As it is run here, S "
    "first, then W and b, then Λ, it is ADMM on the SMM, with the same fixed points: choose the "
    "hinge to see that it finds the W of the SMM.",
)
program = programs.fill(
    __file__,
    split.script() + ("" if unit == 1 else f"X = {unit:g} * X\n"),
    C=wanted.C / unit**2,
    TAU=wanted.tau / unit,
    RHO=rho,
    LOSS=loss,
)
with prose.draw_tools(program, "smm_bilevel"):
    downloads.draw_run_downloads(run, "smm_bilevel")
