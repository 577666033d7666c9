"""Meet the SMM: what the support matrix machine minimises, before any algorithm."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.shared.engine import session
from pages.shared.numbers import latex
from pages.shared.parts import charts, downloads, heatmaps, programs, prose
from pages.shared.parts.question import Answer, introduce
from pages.smm.meet.omega import STEP, count_loads, draw_omega, read_settings
from pages.smm.meet.runs import TOLERANCE, train
from pages.smm.meet.samples import solve
from pages.smm.meet.second_opinion import solve_with_cvxpy
from pages.smm.meet.steps import draw_proof, draw_steps

head = introduce("Add up the samples that W needs, cut the layers that it does not: the SMM.")
crosses, picture = read_settings()
faint, bold = count_loads()
loads = f"{faint} of the 24 faint samples get a load, and {bold} of the 12 bold ones"
head.ask(
    "The SMM adds up samples, each with a load. Which samples get a load?",
    (
        Answer("The bold ones", f"{loads}: these are right without help."),
        Answer("The faint ones", f"{loads}.", right=True),
        Answer("All of them", f"{loads}: these are right without help."),
    ),
    at=("cut", "price", "draw", "out"),
    shows={"step": STEP},
)
with st.container(key="stage"):
    draw_omega(picture)

st.header("The model in four steps")
formula, words = st.columns(2)
formula.markdown(
    "The SMM minimises\n\n"  # the formula stands alone, where no line breaks it
    r"$$\tfrac12 \|W\|_F^2 + \tau \|W\|_* + C \textstyle\sum_i [1 - y_i f(X_i)]_+$$"
)
words.markdown(
    "with f(X) = ⟨W, X⟩ + b. In a formula, the picture above is Ω = Σ αᵢ yᵢ Xᵢ and "
    "W = $\\mathcal D_\\tau$(Ω): each load αᵢ is between 0 and C. Here are all 36 samples, at "
    f"τ = {crosses.tau:g} and C = {crosses.C:g}."
)
machine = session.run_task(
    "meet", "The SMM is being trained", train, replace(crosses, tol=TOLERANCE)
)
draw_steps(crosses, machine)
draw_proof(machine)
with st.expander("How this was made"):
    st.markdown(
        "Each sample is contrast × (± 2.25 × pattern + noise), with contrast 0.6 or 0.15. The five "
        "draws were chosen: at τ = 4 no bold sample has a load, on average 2 of the 12 have one. "
        "In all five the SMM gets more new samples right than the linear SVM and the plain mean. "
        "So it does in most draws, but not in every one."
    )

st.header("A second opinion")
words, button = st.columns(2)
words.markdown(
    "CVXPY (with the solver Clarabel) shares no code with this app. It gets the same problem."
)
button.button(
    "Let CVXPY solve it",
    on_click=lambda: st.session_state.update({"asked CVXPY": crosses}),
)
if st.session_state.get("asked CVXPY") == crosses:
    proof = solve(crosses)
    opinion = session.run_task(
        "meet: CVXPY", "CVXPY is at work", solve_with_cvxpy, crosses, long=True
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
    "The SMM is a linear SVM that also pays τ for the height of each layer of W: layers of "
    "Ω whose height is below τ disappear, and W has low rank.",
    (
        "in step 4, drag the line to τ = 0. Which classifier do you get?",
        "The linear SVM: without the nuclear norm, P is ½‖W‖² plus the hinge losses, and W = Ω. "
        "Nothing in it asks for a low rank, so W usually has full rank.",
    ),
    (
        "suppose a training sample beyond its edge is removed. Does W change?",
        "No. Its loss is 0 and its α is 0, so it is not part of Ω = Σ αᵢ yᵢ Xᵢ. The same α, and "
        "the same W, solve the smaller problem. Only the support matrices determine W.",
    ),
    (
        "can the rank of W rise with τ?",
        "Rarely: Ω changes with τ, so no theorem forbids it. On one draw of 30 samples of 5 × 6 "
        "cells, at C = 5, the rank rises from 2 at τ = 10 to 3 at τ = 20.",
    ),
)

program = programs.fill(__file__, crosses.data.script(), C=crosses.C, TAU=crosses.tau)
with prose.draw_tools(program, "smm"):
    names = "W", "b", "alpha", "singular_values"
    arrays = {name: getattr(machine.proof, name) for name in names}
    downloads.draw_array_downloads(arrays, crosses, "smm")
