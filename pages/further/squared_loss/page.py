"""Hinge loss or squared loss? The least-squares SMM of Xia and Fan beside the SMM."""

import numpy as np
import streamlit as st

from pages.further.squared_loss.runs import AT_REST, MARGINS, LossRace, loss_panels
from pages.navigation import TITLES
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import Split
from pages.shared.engine import session
from pages.shared.engine.moves import Moves
from pages.shared.losses import LOSSES
from pages.shared.numbers import latex, on_control, percent
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.panels import Axis
from pages.shared.player.show_run import show_run
from pages.shared.widgets import recipe, url
from smmcore.arrays import Array

head = introduce("The SMM pays the hinge loss, the least-squares SMM (LS-SMM) a square.")
experiment, (C, tau) = recipe.draw_recipe(QUICK, head.recipe)
margin, m = url.knob("m", "how far out: y f(X)", MARGINS, AT_REST, key="m")
split = Split(experiment.data)
with st.container(key="controls"):
    draw_knobs([m, C, tau])
head.ask(
    "One sample is on its right side. Move it further out, to m = 4: which W changes?",
    (
        Answer("That of the SMM", "With the hinge a sample beyond 1 costs nothing: this W stays."),
        Answer(
            "That of the LS-SMM",
            "The squared loss rises again beyond 1: W shrinks, and so its colours are pale.",
            right=True,
        ),
        Answer("Neither", "The squared loss rises again beyond 1, so the LS-SMM's W changes."),
    ),
    at=recipe.acting_keys(),
    shows={"m": MARGINS[-1]},
)
moves = Moves({"margin": m, "C": C, "tau": tau})
chosen = LossRace(split, experiment.C, experiment.tau, margin)
race = session.subscribe("squared loss", chosen, moves=moves)
race.wait(2.0)  # the samples come with it
solved = race.status == "finished"
margins: dict[str, Array] = {}
if solved:
    images = race.frames.images[-1]
    margins = {loss: images[f"margins_{loss}"].astype(float) for loss in LOSSES}
with st.container(key="stage"):
    axis, knobs = Axis("", "", count=1), [m, C, tau]
    show_run("squared loss", race, loss_panels(), axis, asks=True, knobs=knobs)
st.caption(
    f"Each of the {split.shape[0] - split.tests} training samples is one circle on each curve, at "
    "the m that this W gives it. Both W have one colour scale: pale entries are small."
)
with st.expander("How this was made"):
    st.markdown(
        f"{prose.describe_data(experiment)} C = {on_control(experiment.C)} and "
        f"τ = {experiment.tau:g} for both, which is not the same strength of "
        "regularisation. 70 % of the samples are for training, 30 % are held out: one of them is "
        f"{percent(1 / split.tests)} of the accuracy. "
        "The sample that moves is the first one for training. It is "
        "shifted as little as possible so that both classifiers trained without it give it m. "
        "“Changed” is ‖W − W₀‖ / ‖W₀‖, where W₀ is trained without it."
    )
counted = []
if solved:
    hinge, squares = margins.values()
    losses, free = (1 - squares) ** 2, np.count_nonzero(hinge > 1)
    share = losses[squares > 1].sum() / (losses.sum() or 1.0)
    counted.append(
        f"**Here** {np.count_nonzero(squares > 1)} of the {len(squares)} training samples are "
        "beyond m = 1 in the LS-SMM. They are classified correctly, and still make up "
        f"{percent(share, 0)} of the squared loss. In the SMM {free} samples are beyond 1, and "
        "cost nothing."
    )
prose.show_notes(
    *counted,
    "**Beyond 1.** The squared loss pulls all samples towards m = 1, from both sides. With the "
    "hinge, samples beyond 1 have α = 0 and do not contribute to W. With the squared loss every "
    "sample contributes: α = C (1 − m), positive or negative.",
    "**Time.** With the hinge each iteration solves a quadratic program; with the squared loss "
    "it solves a linear system whose matrix is factorised once.",
)
n, p, q = split.shape[0] - split.tests, *split.shape[1:]
with st.expander("More: the system of the paper, and the gap"):
    st.latex(
        rf"\begin{{gathered}} \tfrac12\|W\|_F^2 + {latex(experiment.tau)}\, \|W\|_* + "
        rf"\tfrac{{{latex(experiment.C)}}}2 \sum_i (1 - y_i f_i)^2 \\ "
        rf"(K + s I)\, a = r, \quad s = \tfrac{{1 + \rho}}{{{latex(experiment.C)}}} \\ "
        r"r_i = (1 + \rho)(y_i - \bar y) - \langle \Lambda + \rho S, X_i - \bar X \rangle"
        r"\end{gathered}"
    )
    order, theirs = min(n, p * q), p * q + 1
    st.markdown(
        "The objective, with fᵢ = ⟨W, Xᵢ⟩ + b, and their eq. 13: W = (Λ + ρ S + Σ aᵢ Xᵢ) / (1 + "
        f"ρ). The paper inverts a matrix of order p q + 1 = {theirs:,}, some "
        f"${latex(theirs**3, 2)}$ operations. For centred samples b drops out, and "
        f"Woodbury's identity leaves one of order min(n, p q) = {order:,}, such as K, with "
        f"entries ⟨Xᵢ − X̄, Xⱼ − X̄⟩: some ${latex(order**3, 2)}$, once. Then an iteration costs "
        "two products with it, two passes over the samples and a singular value decomposition. "
        "The system is never singular: the δ that they would add is not needed."
    )
    if solved:
        st.markdown(
            "**The gap.** Every a with Σ aᵢ = 0 has a D(a) not above the objective P; 𝒟 takes τ "
            "off each singular value, down to 0. At the optimum, where aᵢ = C (yᵢ − fᵢ), both are "
            "equal. Here:"
        )
        proof = race.frames.certificate["squares"]
        st.latex(
            r"\begin{gathered} D(a) = \sum_i y_i a_i - "
            rf"\frac{{1}}{{{latex(2 * experiment.C)}}} \sum_i a_i^2 \\ "
            r"- \tfrac12 \Big\| \mathcal{D}_\tau \Big( \sum_i a_i X_i \Big) \Big\|_F^2, \quad "
            rf"\tau = {latex(experiment.tau)} \\ "
            rf"P = {latex(proof.primal, 4)}, \quad "
            rf"P - D = {latex(proof.relative_gap)}\, P "
            r"\end{gathered}"
        )

prose.end_lesson(
    "The squared loss saves the quadratic program, but every sample pulls at W, also one that is "
    "far on the correct side. With the hinge such a sample does not move W.",
    (
        "a sample has m = 3. What does it cost with each loss?",
        "With the hinge nothing. With the squared loss (1 − 3)² / 2 = 2, as much as a sample on "
        "the wrong side with m = −1.",
    ),
    (
        "which of the two W has support matrices?",
        "Only that of the hinge: samples with m > 1 have α = 0 there. With the squared loss α is 0 "
        "only if m is exactly 1.",
    ),
)
shown = race.experiment  # where the hand is by now
program = programs.fill(
    __file__, shown.data.script(), C=shown.C, TAU=shown.tau, MARGIN=shown.margin
)
with prose.draw_tools(program, "smm_losses"):
    downloads.draw_run_downloads(race, "smm_losses")
    for note, text in (
        ("bilevel", "their algorithm, its stopping rule and a wrong sign"),
        ("table_2", "accuracies and times beside those of the paper"),
    ):
        url.link(f"research/{note}/page.py", label=f"**{TITLES[note]} →** {text}")
