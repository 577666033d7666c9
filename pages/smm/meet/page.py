"""Meet the SMM: what the support matrix machine minimises, before any algorithm."""

from dataclasses import replace

import numpy as np
import streamlit as st

import smmcore.path
import smmcore.problems.smm
import smmcore.problems.spectral
from pages.shared.algorithm1 import QUICK
from pages.shared.engine import precomputed, session
from pages.shared.numbers import latex, on_control, percent
from pages.shared.parts import charts, downloads, heatmaps, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.widgets import recipe
from pages.shared.widgets.states import State, choose_state
from pages.smm.meet.runs import DOUBLED, RISING, TOLERANCE, ThresholdPath, train
from pages.smm.meet.second_opinion import (
    MAX_CVXPY_SAMPLES,
    MAX_CVXPY_SECONDS,
    MAX_CVXPY_SIDE,
    is_small_enough,
    solve_with_cvxpy,
)
from pages.smm.meet.steps import draw_proof, draw_steps
from pages.smm.meet.threshold import draw_threshold

SOURCE = smmcore.problems.smm, smmcore.problems.spectral, smmcore.path

head = introduce(
    "W is Ω with each singular value reduced by τ; those below τ disappear. Drag the line."
)
shared, knobs = recipe.draw_recipe(QUICK, head.recipe)
known = precomputed.metrics(ThresholdPath(QUICK.data, QUICK.C))
single = known[known["rank"] == 1][-1]  # at the least τ with one singular value
head.ask(
    "How many singular values of Ω does W need to classify 95 % correctly?",
    (
        Answer(
            "One",
            f"At τ = {single['tau']:g} one is left, and {percent(single['train'], 0)} of the "
            "samples are correct.",
            right=True,
        ),
        Answer("About five", "Fewer: now only one stands above the line."),
        Answer("All 20", "That is τ = 0, the linear SVM. One is enough: it stands above the line."),
    ),
    at=[key for key in recipe.acting_keys() if key != "tau"],
    shows={"tau": single["tau"]},
)
# rho and eta change the way to the solution only: this lesson leaves both to the solver.
experiment = replace(shared, rho=QUICK.rho, eta=QUICK.eta, tol=TOLERANCE)
with st.container(key="controls"):
    draw_knobs(knobs)
with st.container(key="stage"):
    path = draw_threshold(experiment, next(knob for knob in knobs if knob.key == "tau"))
st.markdown(
    r"The SMM minimises $\tfrac12 \|W\|_F^2 + \tau \|W\|_* + C \sum_i [1 - y_i f(X_i)]_+$ and "
    "predicts the sign of f(X) = ⟨W, X⟩ + b. The **margin** of a sample is y f(X); if it is below "
    "1, the sample costs the **hinge loss**, C times what is missing. Samples with αᵢ > 0 are the "
    "**support matrices**: Ω is their weighted sum, and W = $\\mathcal D_\\tau$(Ω). Ω depends "
    "on τ too, so the bars move with the line. Each solution has a **certificate**: a lower bound "
    "on the objective that proves how near it is to the best W."
)
with st.expander("How this was made"):
    st.markdown(
        f"{prose.describe_data(experiment)} C = {on_control(experiment.C)}. The line snaps to the "
        "values of τ that have been solved. Above it the bars have the same scale at every τ, and "
        "so has W: that of τ = 0. With the keyboard, focus the line with Tab and use the "
        "arrow keys."
    )
with st.expander("Can the rank of W rise with τ?"):
    st.markdown(
        "Rarely. It almost always falls or stays; but Ω changes with τ, so no theorem forbids it. "
        "On these data it rises from 2 to 3 when τ is doubled:"
    )
    choose_state(
        [
            State(label, recipe.control_values(one))
            for label, one in {
                "Start": QUICK,
                "τ = 10: rank 2": RISING,
                "τ = 20: rank 3": DOUBLED,
            }.items()
        ]
    )

st.header("The model in four steps")
machine = session.run_task("meet", "The SMM is being trained", train, experiment)
draw_steps(experiment, machine)
draw_proof(machine)

st.header("A second opinion")
st.markdown(
    "CVXPY (with the solver Clarabel) shares no code with this app. It solves "
    f"problems up to p + q = {MAX_CVXPY_SIDE} and n = {MAX_CVXPY_SAMPLES}, and stops after "
    f"{MAX_CVXPY_SECONDS} seconds."
)
st.button(
    "Let CVXPY solve it",
    disabled=not is_small_enough(experiment),
    on_click=lambda: st.session_state.update({"asked CVXPY": experiment}),
)
if st.session_state.get("asked CVXPY") == experiment:
    proof = machine.proof
    opinion = session.run_task(
        "meet: CVXPY", "CVXPY is at work", solve_with_cvxpy, experiment, long=True
    )
    distance = float(np.linalg.norm(opinion.W - proof.W))
    bound = proof.radius + np.sqrt(2 * max(opinion.primal - proof.dual, 0.0))
    st.markdown(
        f"P(W, b) is **{proof.primal:.9g}** by smmcore and **{opinion.primal:.9g}** by CVXPY, "
        f"which took {opinion.seconds:.1f} s."
    )
    st.latex(
        rf"\begin{{aligned}} \|W - W_\mathrm{{cvx}}\|_F &= {latex(distance)} \\ "
        r"&\le \sqrt{2\,\mathrm{gap}} + \sqrt{2\,\mathrm{gap}_\mathrm{cvx}} "
        rf"= {latex(bound)} \end{{aligned}}"
    )
    limit = float(max(np.abs(proof.W).max(), np.abs(opinion.W).max())) or None
    for place, name, W in zip(
        st.columns(2), ("smmcore", "CVXPY"), (proof.W, opinion.W), strict=True
    ):
        charts.draw(place, heatmaps.heatmap(W, f"W by {name}", limit=limit))

prose.end_lesson(
    "The SMM is a linear SVM that also pays τ for the size of each singular value of W: those of "
    "Ω below τ disappear, and W has low rank.",
    (
        "drag the line to τ = 0. Which classifier do you get?",
        "The linear SVM: without the nuclear norm, P is ½‖W‖² plus the hinge losses, and W = Ω. "
        "Nothing in it asks for a low rank, so W usually has full rank.",
    ),
    (
        "suppose a training sample whose margin is above 1 is removed. Does W change?",
        "No. Its loss is 0 and its α is 0, so it is not part of Ω = Σ αᵢ yᵢ Xᵢ. The same α, and "
        "the same W, solve the smaller problem. Only the support matrices determine W.",
    ),
)

with prose.draw_tools(*SOURCE):
    st.caption(
        "The table has a row for each solution along τ, the arrays are those of the W above."
    )
    proof = machine.proof
    downloads.draw_array_downloads(
        {name: getattr(proof, name) for name in ("W", "b", "alpha", "singular_values")},
        experiment,
        "smm",
        path.frames.metrics,
    )
