"""Sparse regression: ADMM on the penalties of Sugiyama's chapter 24."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from pages.further.sparse.runs import OPENING, OWN_LAMBDA, SparseRegression, sparse_panels
from pages.shared.data.curves import PENALTIES, Sinc, Steps
from pages.shared.engine import precomputed, session
from pages.shared.engine.moves import Moves
from pages.shared.numbers import latex
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.panels import AT_THE_END
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

LAMBDAS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
NOISES = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0]
PRICES = {  # of what
    "l2": "the square of each height",
    "l1": "a unit of height",
    "l1 + l2": "each height, and of its square",
    "l1,2": "the length of each group of heights",
    "fused": "a unit of jump of the fit",
}

head = introduce(
    "Each sample has a bump of its own height. The fit is their sum, and height has a price."
)
with st.container(key="controls", horizontal=True, vertical_alignment="center"):
    place = st.container(width=640)  # the price, whose default is the penalty's own
    penalty = url.choice(
        st,
        "segmented_control",
        "Penalty",
        list(PENALTIES),
        "l1",
        PENALTIES.__getitem__,
        key="penalty",
        label_visibility="collapsed",
    )
lam, knob = url.knob(
    "λ",
    f"price of {PRICES[penalty]}",
    LAMBDAS,
    OWN_LAMBDA[penalty],
    key="lam",
    help="Weight of the penalty against ½ ‖y − Φθ‖²; neither is divided by n.",
)
with place:
    draw_knobs([knob])
options: dict[str, Any] = {"lam": lam}
stage = st.container(key="stage")
with st.expander("More settings"):
    with st.container(key="pairs"):
        places = iter(st.columns(5))
    if penalty == "l1 + l2":
        options["tau"] = url.slider(
            next(places),
            "Share of ℓ₂²",
            [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0],
            0.5,
            key="tau_net",
            help="ω, which the book calls τ: λ ((1 − ω) ‖θ‖₁ + ω ‖θ‖²). 0 is ℓ₁, 1 is ℓ₂.",
        )
    if penalty == "l1,2":
        options["size"] = url.slider(
            next(places),
            "Group size",
            [1, 2, 5, 10],
            5,
            key="group",
            help="This many neighbouring parameters are 0 together; with 1 it is ℓ₁.",
        )
    usual = Steps() if penalty == "fused" else Sinc()
    n_help = "Samples and parameters, one parameter for each sample."
    n = url.number(next(places), "n", 20, 200, usual.n, key="n_samples", help=n_help)
    noise_help = "Standard deviation of the noise."
    noise = url.slider(next(places), "Noise", NOISES, usual.noise, key="noise", help=noise_help)
    if isinstance(usual, Sinc):
        h_help = "Width h of the basis functions, in the unit of x."
        h = url.slider(
            next(places), "Width h", [0.05, 0.1, 0.2, 0.3, 0.5, 1.0], usual.h, key="h", help=h_help
        )
    seed_help = "Another seed is another draw of the noise."
    seed = url.number(next(places), "Seed", 0, 9_999, 0, key="draw", help=seed_help)
# The others have other defaults with another penalty.
own = ("lam", "n_samples", "h", "noise", "draw") if penalty == "l1" else ()
zeros = int(precomputed.metrics(OPENING)["zeros"][-1])
standing = OPENING.data.n - zeros
head.ask(
    f"{OPENING.data.n} samples, {OPENING.data.n} bumps. How many heights does ℓ₁ make exactly 0?",
    (
        Answer("None", "That is what ℓ₂ does: all become small, none becomes 0."),
        Answer("About ten", f"More: {zeros} heights are 0, the rings. {standing} bumps stand."),
        Answer(
            "More than thirty",
            f"{zeros}, the rings: {standing} bumps are enough. Play shows them come.",
            right=True,
        ),
    ),
    at=("penalty", *own),
)
data = Steps(n, noise, seed=seed) if penalty == "fused" else Sinc(n, noise, h, seed)
chosen = SparseRegression(data, penalty, **options)
run = session.subscribe("sparse", chosen, moves=Moves({"lam": knob}))
experiment = run.experiment  # where the hand is by now
shown, more = sparse_panels(experiment)
with stage:
    axis = replace(AT_THE_END, asks=0)
    show_run("sparse", run, shown, axis, more=more, asks=True, knobs=[knob])
with st.expander("How this was made"):
    st.markdown(
        f"{experiment.data.provenance} Rings are exact zeros. The run begins at θ = z = u = 0 and "
        "ends at a relative gap of 10⁻⁶. “Fused” (total variation) has data, λ, n and noise of its "
        "own: it removes the noise from a signal of steps."
    )

prose.show_notes(
    "**The penalties.** ℓ₂ has no zeros. ℓ₁ + ℓ₂ has fewer than ℓ₁. Groups are 0 together. The "
    "fused penalty sets jumps, not parameters, to 0: the fit is flat between them.",
    "**The run.** It is ADMM, the algorithm of *Watch the algorithm*: press Play to see the rings "
    "come. The second program under “Code” goes another way, a random sample a step: there the "
    "zeros come and go, and the objective stays above the optimum.",
)


def admm_formulas(experiment: SparseRegression, rho: float) -> str:
    """Return the problem of an experiment and an iteration of ADMM, with the numbers, in LaTeX."""
    b = experiment.data.shape[1]
    weight, eta = latex(experiment.norm_weight), latex(experiment.eta)
    F = "F" if experiment.fused else ""
    squares = rf" + {eta}\, \|\theta\|^2" if experiment.eta else ""
    ridge = rf" + 2 \cdot {eta}\, I" if experiment.eta else ""
    norm = r"\textstyle\sum_g \|z^{(g)}\|" if experiment.penalty == "l1,2" else r"\|z\|_1"
    g = rf"{weight}\, {norm}" if experiment.norm_weight else "0"
    A = rf"F \in \mathbb R^{{{b - 1} \times {b}}}" if F else rf"I_{{{b}}}"
    back = r"F^\top (\rho z - u)" if F else r"\rho z - u"
    inner = r"\rho F^\top F" if F else r"\rho I"
    step = {
        "l2": "v",
        "l1,2": rf"v^{{(g)}}\, \max\bigl(0,\; 1 - {weight} / (\rho \|v^{{(g)}}\|)\bigr)",
    }.get(
        experiment.penalty,
        rf"\max(0, v - {weight} / \rho) + \min(0, v + {weight} / \rho)",
    )
    z = "z^{(g)}" if experiment.penalty == "l1,2" else "z"
    return (
        r"\begin{gathered} \min_{\theta, z}\; "
        rf"\underbrace{{\tfrac12 \|y - \Phi\theta\|^2{squares}}}_{{f(\theta)}} + "
        rf"\underbrace{{{g}}}_{{g(z)}} \\ \text{{subject to}} \quad A\theta + Bz = c, \\ "
        rf"A = {A},\; B = -I,\; c = 0 \\[4pt] "
        rf"\theta \leftarrow (\Phi^\top\Phi{ridge} + {inner})^{{-1}} (\Phi^\top y + {back}) \\ "
        rf"{z} \leftarrow {step} \\ "
        rf"v = {F}\theta + u / \rho, \quad \rho = {latex(rho)} \\ "
        rf"u \leftarrow u + \rho\, ({F}\theta - z) \end{{gathered}}"
    )


with st.expander("More: the algorithm, with these numbers"):
    curves = run.frames.metrics
    rho = float(curves["rho"][-1]) if len(curves) else experiment.rho or 1.0
    st.latex(admm_formulas(experiment, rho))
    st.markdown(
        "This is Fig. 24.3 of the book, with ρ added: minimise f(θ) + g(z) subject to Aθ + Bz = c. "
        "θ fits the samples, z obeys the penalty: it has exact zeros from the first iterations on. "
        "ρ is changed after 4, 8, 16, ... iterations until both residuals fall at the same rate."
    )


prose.end_lesson(
    "A penalty with corners sets many parameters to exactly 0, while the fit stays nearly the "
    "same.",
    (
        "choose ℓ₂ and read the number of zeros. Why is it 0 for every λ?",
        "Its ball is smooth: no parameter is held at 0. See *Why corners make zeros*.",
    ),
    (
        "two features are equal. What do ℓ₁ and ℓ₁ + ℓ₂ do with them?",
        "ℓ₁ may keep one and drop the other; ℓ₁ + ℓ₂ gives both the same coefficient. The SMM does "
        "the same with equal columns: see *The grouping effect*.",
    ),
)
curve = experiment.data
program = programs.fill(
    __file__,
    LAMS=OWN_LAMBDA | {penalty: experiment.lam},
    SHARE=experiment.tau,
    GROUP=experiment.size,
    **(
        {"CURVE": (curve.n, curve.noise, curve.h, curve.seed)}
        if isinstance(curve, Sinc)
        else {"SIGNAL": (n, noise, Steps.pieces, seed)}
    ),
)
with prose.draw_tools(program, "sparse"):
    st.code(Path(__file__).with_name("stochastic.py").read_text(encoding="utf-8"))
    downloads.draw_run_downloads(run, "sparse")
