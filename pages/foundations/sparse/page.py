"""Sparse regression: ADMM on the penalties of Sugiyama's chapter 24."""

from typing import Any

import numpy as np
import streamlit as st

import smmcore.penalties
import smmcore.problems.regression
import smmcore.solvers.splitting
import smmcore.solvers.stochastic
from pages.foundations.sparse.regression import PENALTIES, Features, Regression, Sinc, Steps
from pages.foundations.sparse.runs import (
    DATA_PASSES,
    SparseRun,
    StochasticRun,
    listing_comparison,
    listing_rows,
    selection_comparison,
    selection_panels,
    selection_rows,
    sinc_or_default,
    solve_with_scikit_learn,
    sparse_panels,
    stochastic_panels,
    threshold_panels,
)
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import downloads, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url
from smmcore.problems import LSCertificate

LAMBDAS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
NOISES = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0]
# Key and default of lambda for the penalties that need another weight than the first one.
OWN_LAMBDA = {"l1,2": ("lam_groups", 0.5), "fused": ("lam_steps", 2.0)}
PENALTY_CORRECTIONS = {
    "l2": "**ℓ₂ has no zeros to find.** Without a norm the z-update copies θ + u / ρ; ADMM then is "
    "a slow way to solve one linear system.",
    "l1 + l2": "**A factor of two.** The book writes η ‖θ‖² and then (Φ′Φ + (η + 1) I)⁻¹ in the "
    "θ-update. The derivative of η ‖θ‖² is 2ηθ: it must be 2η + 1. As printed it solves the "
    "problem with half of η.",
    "l1,2": "**The z-update is not in the book for groups.** Each group is shortened by λ / ρ as a "
    "whole, and is 0 where it is not longer than that.",
    "fused": "**One row too many.** The printed F, read for j = 1, ..., b, is square, and its last "
    "row has only −1: it penalises |θ_b| itself, and draws the end of the signal to 0. F has "
    "b − 1 rows.",
}
LISTING, STOCHASTIC, SELECTION = EXPERIMENTS = (
    "The book's listing, twice",
    "Stochastic gradient",
    "Feature selection",
)
# Presets of the selection of features, by the names of their controls.
SELECTIONS = {
    "One of a group": {"n_features": 30, "spread": 0.003, "lam_features": 10.0, "draw_features": 1},
    "At most n": {"n_features": 20, "spread": 1.0, "lam_features": 0.1, "draw_features": 0},
}


st.title("Sparse regression by ADMM")
prose.ask_prediction(
    "guess-sparse",
    "Fifty basis functions fit fifty noisy samples, with an ℓ₁ penalty of weight λ = 0.1. How many "
    "of the fifty parameters end at exactly 0?",
    ("None", "About ten", "More than thirty"),
    "More than thirty: 33 to 40 over 50 draws of the noise. Follow z to the end of the run, then "
    "take ℓ₂ instead: the fit is much the same, and no parameter is 0.",
)
penalty = url.choice(
    st,
    "segmented_control",
    "Penalty",
    list(PENALTIES),
    "l1",
    PENALTIES.__getitem__,
    key="penalty",
    help="ℓ₂ and the three after it fit the Gaussian kernel model to a noisy curve; the fused "
    "one takes the noise off a signal of steps.",
)
with st.container(key="pairs"):
    places = iter(st.columns(7 if penalty in ("l1 + l2", "l1,2") else 6))
lam_key, lam_default = OWN_LAMBDA.get(penalty, ("lam", 0.1))
options: dict[str, Any] = {
    "lam": url.slider(
        next(places),
        "λ",
        LAMBDAS,
        lam_default,
        key=lam_key,
        help="Weight of the penalty, in the unit of ½ ‖y − Φθ‖²; neither is divided by n.",
    )
}
if penalty == "l1 + l2":
    options["tau"] = url.slider(
        next(places),
        "τ, balance",
        [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0],
        0.5,
        key="tau_net",
        help="λ ((1 − τ) ‖θ‖₁ + τ ‖θ‖²): 0 is ℓ₁, 1 is ℓ₂.",
    )
if penalty == "l1,2":
    options["size"] = url.slider(
        next(places),
        "Group size",
        [1, 2, 5, 10],
        5,
        key="group",
        help="So many neighbouring basis functions come and go together; with 1 it is ℓ₁.",
    )
options["rho"] = url.slider(
    next(places),
    "ρ of ADMM",
    [None, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0],
    None,
    key="rho_admm",
    help="Weight of ‖Fθ − z‖² / 2 in the augmented Lagrange function. The book has 1; "
    "balanced: moved after 4, 8, 16, ... iterations until both residuals shrink alike.",
    format_func=lambda rho: "balanced" if rho is None else f"{rho:g}",
)
if penalty == "fused":
    n_help = "Samples; b = n, Φ = I."
    n = url.number(next(places), "n", 20, 200, 100, key="n_steps", help=n_help)
    pieces = url.slider(
        next(places), "Steps", [1, 2, 4, 6, 10], 6, key="pieces", help="Of the truth."
    )
    noise = url.slider(next(places), "Noise", NOISES, 0.3, key="noise_steps", help="Its deviation.")
else:
    n = url.number(next(places), "n", 10, 200, 50, key="n_curve", help="Samples; b = n.")
    h_help = "Width of the basis functions, in the unit of x."
    h = url.slider(
        next(places), "h, width", [0.05, 0.1, 0.2, 0.3, 0.5, 1.0], 0.3, key="h", help=h_help
    )
    noise = url.slider(next(places), "Noise", NOISES, 0.2, key="noise_curve", help="Its deviation.")
seed_help = "Another one is another draw of the noise."
seed = url.number(next(places), "Seed", 0, 9_999, 0, key="draw", help=seed_help)
data = Steps(n, noise, pieces, seed) if penalty == "fused" else Sinc(n, noise, h, seed)
experiment = SparseRun(data, penalty, **options)
run = session.subscribe("sparse", experiment)
show_run("sparse", run, sparse_panels(experiment))
st.caption(
    f"{experiment.data.provenance} The run begins at θ = z = u = 0 and ends at a relative gap "
    "of 10⁻⁶, in units of the objective P(0)"
    + (" of the best constant." if experiment.fused else " at θ = 0.")
)

prose.show_notes(
    "**Two copies of one vector.** θ makes the fit, z obeys the penalty. z has exact zeros (rings) "
    "from the first iterations on, θ as a rule none: it only comes near. Stopped early, z is the "
    "sparse one.",
    "**The gap.** P is the objective at z, D a lower bound from the residual y − Φθ: the optimum "
    "lies between the two, and Φz is at most √(2 gap) from the fit of the solution. The residuals "
    "only say that little moves.",
    "**ρ.** At the first settings it took 301 iterations with ρ balanced, 949 with ρ = 1, and more "
    "than 3,000 with ρ = 0.01. All go to the same θ. Marks | show where ρ was moved.",
    "**The penalties.** ℓ₂ keeps all 50. ℓ₁ + ℓ₂ keeps more than ℓ₁. Groups leave together. The "
    "fused penalty makes jumps, not parameters, exactly 0: the fit is flat between them.",
)


def admm_formulas(run: SparseRun, rho: float) -> str:
    """Return the problem of a run and an iteration of ADMM, with the numbers, in LaTeX."""
    b = run.data.shape[1]
    weight, eta = prose.latex_number(run.norm_weight), prose.latex_number(run.eta)
    F = "F" if run.fused else ""
    squares = rf" + {eta}\, \|\theta\|^2" if run.eta else ""
    ridge = rf" + 2 \cdot {eta}\, I" if run.eta else ""
    norm = r"\textstyle\sum_g \|z^{(g)}\|" if run.penalty == "l1,2" else r"\|z\|_1"
    g = rf"{weight}\, {norm}" if run.norm_weight else "0"
    A = rf"F \in \mathbb R^{{{b - 1} \times {b}}}" if F else rf"I_{{{b}}}"
    back = r"F^\top (\rho z - u)" if F else r"\rho z - u"
    inner = r"\rho F^\top F" if F else r"\rho I"
    step = {
        "l2": "v",
        "l1,2": rf"v^{{(g)}}\, \max\bigl(0,\; 1 - {weight} / (\rho \|v^{{(g)}}\|)\bigr)",
    }.get(
        run.penalty,
        rf"\max(0, v - {weight} / \rho) + \min(0, v + {weight} / \rho)",
    )
    z = "z^{(g)}" if run.penalty == "l1,2" else "z"
    return (
        r"\begin{gathered} \min_{\theta, z}\; "
        rf"\underbrace{{\tfrac12 \|y - \Phi\theta\|^2{squares}}}_{{f(\theta)}} + "
        rf"\underbrace{{{g}}}_{{g(z)}} \\ \text{{subject to}} \quad A\theta + Bz = c, \\ "
        rf"A = {A},\; B = -I,\; c = 0 \\[4pt] "
        rf"\theta \leftarrow (\Phi^\top\Phi{ridge} + {inner})^{{-1}} (\Phi^\top y + {back}) \\ "
        rf"{z} \leftarrow {step} \\ "
        rf"v = {F}\theta + u / \rho, \quad \rho = {prose.latex_number(rho)} \\ "
        rf"u \leftarrow u + \rho\, ({F}\theta - z) \end{{gathered}}"
    )


def formula_corrections(run: SparseRun) -> list[str]:
    """Return the corrections of the book's formulas for a penalty, one paragraph each."""
    own = [PENALTY_CORRECTIONS[run.penalty]] if run.penalty in PENALTY_CORRECTIONS else []
    return [
        "**A plus is missing.** The printed z-update ends in min(0, θ u + λ 1): it is θ + u. Its "
        "derivation is headed min, and gives the place of the minimum: argmin.",
        "**ρ is hidden.** Fig. 24.3 has ρ = 1 and calls it an advantage that nothing is to be "
        "tuned. The solution does not depend on ρ, the number of iterations does.",
        *own,
    ]


st.subheader("The algorithm, with these numbers")
curves = run.frames.metrics
rho = float(curves["rho"][-1]) if len(curves) else experiment.rho or 1.0
st.latex(admm_formulas(experiment, rho))
st.markdown(
    "This is Fig. 24.3 with a ρ: min f(θ) + g(z) subject to Aθ + Bz = c. What the book's formulas "
    "need to be put right:"
)
st.markdown("\n".join(f"- {text}" for text in formula_corrections(experiment)))


def draw_second_opinion(run: SparseRun, proof: LSCertificate) -> None:
    """Draw scikit-learn's solution of the same problem, and the distance of the two solutions."""
    theirs = session.run_task("scikit-learn", "scikit-learn is asked", solve_with_scikit_learn, run)
    apart = float(np.linalg.norm(theirs.fitted - proof.fitted))
    gaps = [max(primal - proof.dual, 0.0) for primal in (proof.primal, theirs.primal)]
    solutions = (
        ("ADMM, this run", proof.primal, proof.theta),
        (theirs.name, theirs.primal, theirs.theta),
    )
    st.dataframe(
        [
            {
                "solver": name,
                "objective P": f"{primal:.9g}",
                "P − D": f"{gap:.1e}",
                "zeros": int(np.count_nonzero(theta == 0)),
            }
            for (name, primal, theta), gap in zip(solutions, gaps, strict=True)
        ],
        hide_index=True,
    )
    st.caption(
        f"‖Φθ − Φθ′‖ = {apart:.1e}; the two gaps allow √(2 gap) + √(2 gap′) = "
        f"{sum(np.sqrt(2 * gap) for gap in gaps):.1e}. scikit-learn divides by n: {theirs.call}."
    )


st.subheader("The result in numbers")
proof = run.frames.certificate
if run.ended and proof is not None:
    end = curves[-1]
    st.markdown(
        f"After {end['k']:,} iterations: {end['zeros']} of {experiment.z_length} entries of z are "
        f"0; objective P = {proof.primal:.6g}, certified to {end['gap']:.1e} P(0). The fitted "
        f"values are at most {end['radius']:.1e} from the solution's, in Euclidean distance."
    )
    if experiment.penalty in ("l2", "l1", "l1 + l2"):
        draw_second_opinion(experiment, proof)
    else:
        st.caption("scikit-learn has no estimator for this penalty.")
else:
    st.info("They stand here once the run has ended, or is stopped.")


def draw_listing(data: Regression) -> Subscription:
    """Draw the listing of Fig. 24.4 at two thresholds, and return its run."""
    comparison = listing_comparison(data)
    run = session.subscribe("beside", comparison)
    show_run("beside", run, threshold_panels(comparison))
    st.caption(
        f"{comparison.data.provenance} ℓ₁ with λ the threshold and ρ = 1, as the listing has "
        "it; each run goes on past its stop to a gap of 10⁻⁶, or to 3,000 iterations."
    )
    if run.ended and len(run.frames.metrics):
        st.dataframe(listing_rows(comparison, run.frames.metrics), hide_index=True)
    st.markdown(
        "Fig. 24.4 defines `l=0.1` and then thresholds at 1. Its caption's 38 of 50 comes from "
        "0.1: over 50 draws of the noise (n = 50, h = 0.3, noise 0.2) the listing counts 31 to 40 "
        "zeros with 0.1, and 41 to 44 with 1, never 38. The solutions have 33 to 40 and 41 to 44: "
        "at its stop the listing is not quite there."
    )
    return run


def draw_stochastic(experiment: SparseRun) -> Subscription:
    """Draw the stochastic gradient on the l1 problem of a run or of the book; return its run."""
    with st.container(key="pairs beside"):
        left, middle, right = st.columns(3)
    step = url.slider(
        left,
        "ε max ‖φ(xᵢ)‖²",
        [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
        0.1,
        key="step",
        help="The step. From 2 on it overshoots its own sample more than it was off.",
    )
    every = url.slider(
        middle,
        "Steps before a threshold",
        [1, 5, 10, 50, 100, 500],
        50,
        key="every",
        help="The book: once in every several gradient updates.",
    )
    seed = url.number(
        right, "Seed of the steps", 0, 9_999, 0, key="draw_steps", help="Which samples are drawn."
    )
    lam = experiment.lam if experiment.penalty == "l1" else 0.1
    data = sinc_or_default(experiment.data)
    stochastic = StochasticRun(SparseRun(data, lam=lam), step, every, seed=seed)
    run = session.subscribe("beside", stochastic)
    show_run("beside", run, stochastic_panels(stochastic), DATA_PASSES)
    st.caption(
        f"{data.provenance} ℓ₁ with λ = {lam:g}. One pass is {data.n} gradient steps, or one "
        "iteration of ADMM (ρ balanced), which costs about the same once its matrix is "
        "decomposed. For the optimum stands the lower bound D with which ADMM ended: 10⁻⁶ P(0) "
        "off, or more if it took all its 3,000 iterations. P(0) is the objective at θ = 0."
    )
    st.latex(
        r"\begin{gathered} \theta \leftarrow \theta + \varepsilon\, \phi(x_i)\, "
        r"(y_i - \theta^\top \phi(x_i)) \\ "
        rf"\text{{every {every} steps:}} \\ \theta_j \leftarrow "
        r"\mathrm{sign}(\theta_j) \max(0, |\theta_j| - \lambda' \varepsilon) \\ "
        rf"\lambda' = \lambda\, {every} / n = {prose.latex_number(stochastic.threshold_weight)} "
        r"\end{gathered}"
    )
    st.markdown(
        "- **The weight.** A step follows one sample, 1/n of the slope; a threshold comes every "
        f"{every} steps. So the book's λ on the threshold is a weight of λ n / "
        f"{every} in its own section's problem; here λ′ makes the two the same.\n"
        "- **A floor.** With a fixed step the objective stays above the optimum: after 300 passes "
        "at the first settings by 0.005 P(0), with ε ten times as large by 0.06 P(0), each the "
        "mean of the last 50. A smaller step is nearer in the end, and slower.\n"
        "- **Zeros come and go.** The step after a threshold moves every θⱼ again whose basis "
        "function is near that sample. At the first settings about 1 zero stands at a time with a "
        "threshold after each step, 9 with one after every 100, of the solution's 37."
    )
    return run


def draw_selection() -> Subscription:
    """Draw a selection of features by three penalties, and return its run."""
    with st.container(horizontal=True, gap="small"):
        for name, settings in SELECTIONS.items():
            st.button(name, on_click=url.set_values, args=(settings,))
    with st.container(key="pairs beside"):
        places = st.columns(4)
    n = url.number(places[0], "n, of 40 features", 10, 200, 30, key="n_features", help="Samples.")
    spread = url.slider(
        places[1],
        "Spread of the copies",
        [0.003, 0.01, 0.03, 0.1, 0.3, 1.0],
        0.003,
        key="spread",
        help="A feature is its group's variable, of deviation 1, plus so much of its own.",
    )
    lam = url.slider(
        places[2],
        "λ of each",
        [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0],
        10.0,
        key="lam_features",
        help="Of ℓ₁ + ℓ₂ half of it each, τ = 0.5.",
    )
    seed = url.number(places[3], "Seed of the features", 0, 9_999, 1, key="draw_features")
    comparison = selection_comparison(Features(n, spread, seed=seed), lam)
    run = session.subscribe("beside", comparison)
    show_run("beside", run, selection_panels(comparison))
    st.caption(f"{comparison.data.provenance} ρ balanced; grey lines part the groups.")
    if run.ended and len(run.frames.images):
        st.dataframe(selection_rows(comparison, run.frames.images[-1]), hide_index=True)
    st.markdown(
        "In f(x) = θ′x a zero means that a feature is not needed. In the kernel model above it "
        "only drops a basis function, and every one of them depends on all of x.\n"
        "- **One of a group.** Of near copies ℓ₁ takes one and drops the rest; which one, the "
        "noise decides: change the seed. They must be very near: at a correlation of 0.99 (spread "
        "0.1) it takes two to five of five, at spread 0.003 one to three. ℓ₁ + ℓ₂ takes all five, "
        "the groups' norm by definition.\n"
        "- **At most n.** An ℓ₁ solution has at most n features that are not 0, however many "
        "count. Press *At most n*: of 40 features ℓ₁ takes 20, as many as there are samples, "
        "ℓ₁ + ℓ₂ takes 29."
    )
    return run


st.subheader("Further experiments")
further = url.choice(st, "segmented_control", "Experiment", EXPERIMENTS, LISTING, key="further")
if further == LISTING:
    other = draw_listing(experiment.data)
elif further == STOCHASTIC:
    other = draw_stochastic(experiment)
else:
    other = draw_selection()

modules = [smmcore.problems.regression, smmcore.penalties, smmcore.solvers.splitting]
if further == STOCHASTIC:
    modules.append(smmcore.solvers.stochastic)
prose.show_source("The source that ran", *modules)
st.subheader("Take it with you")
downloads.draw_run_downloads(run, "sparse")
st.caption(f"{further}:")
downloads.draw_run_downloads(other, "sparse_beside")
prose.show_link()
