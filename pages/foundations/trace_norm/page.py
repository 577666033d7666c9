"""From vectors to matrices: the trace norm does to singular values what l1 does to coefficients."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

import smmcore.prox
import smmcore.solvers.proximal
from pages.foundations.trace_norm.charts import rules_chart, sections_chart
from pages.foundations.trace_norm.results import (
    describe_idle_bound,
    describe_path,
    describe_recovery,
    forms_formula,
    net_formula,
    recovery_rows,
    rules_formula,
    step_formula,
)
from pages.foundations.trace_norm.runs import (
    LowRank,
    RecoveryRun,
    TraceNormPath,
    TraceNormRun,
    proximal_panels,
    radius_arrays,
    radius_axis,
    radius_panels,
    recovery_arrays,
    recovery_axis,
    recovery_panels,
)
from pages.foundations.trace_norm.spectral import (
    FORMS_TOL,
    SMM_ETA,
    Forms,
    apply_rules,
    ball_sections,
    noisy_matrix,
    solve_forms,
    trace_ball,
)
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import balls, charts, downloads, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

CONSTRAINED, PENALISED = FORMS = ("‖Θ‖_tr ≤ R", "+ λ ‖Θ‖_tr")
ACCELERATED, PLAIN = STEPS = ("accelerated", "plain")
PATH, FEWER, BALL, NET = PICTURES = (
    "Rank against R",
    "Fewer samples",
    "The ball",
    "Elastic net on σ",
)
THREE_DIGITS = {  # of tables, by the names of their columns
    name: st.column_config.NumberColumn(format="%.3f")
    for name in ("σ₁", "σ₂", "‖Z − Θ*‖_F", "‖Θ − Θ*‖_F", "test error")
}

url.begin()  # the experiment of the side bar plays no part here
st.title("From vectors to matrices")
prose.ask_prediction(
    "guess-trace",
    "A matrix of 20 x 16 has 320 entries. It has rank 2, and 200 noisy numbers ⟨Θ*, Xᵢ⟩ of it are "
    "known. Least squares with a bound R on the sum of the singular values: what comes out?",
    ("Nothing near Θ*: 200 < 320", "Θ*, nearly, and of low rank", "Θ*, if R is its trace norm"),
    "Near Θ*, and of low rank, for a whole range of R: most singular values are exactly 0, as most "
    "coefficients are with ℓ1. Yet the nearest Θ is not the one of rank 2: see *Rank against R*.",
)
columns = st.columns([3, 3, 2])
radius = url.choice(
    columns[0],
    "select_slider",
    "R",
    [round(0.1 * i, 1) for i in range(1, 31)],
    1.2,
    key="tr_R",
    help="The bound of ‖Θ‖_tr, the sum of the singular values. ‖Θ*‖_F = 1, so ‖Θ*‖_tr lies "
    "between 1 and √r.",
)
form = url.choice(
    columns[1],
    "segmented_control",
    "Form",
    FORMS,
    CONSTRAINED,
    key="tr_form",
    help="Constrained as in Sugiyama, *Introduction to Statistical Machine Learning*, 24.4.5, "
    "or penalised with the λ that belongs to this R. Switch: the way is another one, the Θ at "
    "its end is the same.",
)
step = url.choice(
    columns[2],
    "segmented_control",
    "Proximal gradient",
    STEPS,
    ACCELERATED,
    key="tr_step",
    help="Accelerated: Nesterov's momentum, which begins anew when a step goes against it.",
)
with st.container(key="pairs"):
    columns = st.columns(6)
n = url.number(
    columns[0], "n, samples", 2, 1_000, 200, key="tr_n", help="More are added to those there are."
)
p = url.number(columns[1], "p, rows", 2, 24, 20, key="tr_p")
q = url.number(columns[2], "q, columns", 2, 24, 16, key="tr_q")
rank = url.number(columns[3], "r, rank of Θ*", 1, 24, 2, key="tr_r")
noise = url.choice(
    columns[4],
    "select_slider",
    "noise of y",
    [0.0, 0.03, 0.1, 0.3, 1.0],
    0.1,
    key="tr_noise",
    help="Deviation; without noise y has the deviation 1.",
)
seed = url.number(columns[5], "seed", 0, 1_000_000, 0, key="tr_seed")
try:
    data = LowRank(n, p, q, rank, noise, seed)
except ValueError as error:
    st.error(f"{error}.")
    st.stop()


def ask_for_forms(constrained: TraceNormRun) -> Forms:
    """Return both forms at a radius; the answer stays in the session."""
    return session.run_task(
        "trace norm: forms", "Both forms are being solved", solve_forms, constrained
    )


constrained = experiment = TraceNormRun(data, radius)
if form == PENALISED:
    lam = ask_for_forms(constrained).lam
    if lam:
        experiment = TraceNormRun(data, None, lam)
    else:
        st.info(f"R = {radius:g} does not bind, no λ > 0 belongs to it: constrained form.")
run = session.subscribe("trace norm", replace(experiment, accelerated=step == ACCELERATED))
show_run("trace norm", run, proximal_panels())
st.caption(
    f"Data of this lesson: {n:,} matrices of {p} x {q} with normal entries of deviation 1, "
    f"yᵢ = ⟨Θ*, Xᵢ⟩ + noise of deviation {noise:g}, Θ* of rank {rank} with "
    f"‖Θ*‖_F = 1, seed {seed}; 300 further samples test. Nothing is centred or scaled, "
    "there is no offset. Both pictures share one scale, centred on 0. Errors are root mean "
    "squares. P is half the sum of squares"
    + (" plus λ ‖Θ‖_tr" if experiment.lam else "")
    + "; the gap P − D is in units of P(0), the residual is L ‖Θ − V‖_F."
)
prose.show_notes(
    "**Singular values.** At the first settings all are there after one step; then one after the "
    "other falls to exactly 0 (a ring), as coefficients do with ℓ1. The strokes are those of Θ*.",
    "**Shrunk.** What stays is smaller than in Θ*. Raise R to 1.4: the error falls, the rank "
    "grows. Raise it to 2: R does not bind any more, and the error is large again.",
    "**Acceleration.** Switch it off: the same Θ, but 237 iterations instead of 58 at the first "
    "settings.",
    "**Form.** Switch it: other iterates, the same end.",
)

st.subheader("One step, and both forms")
left, right = st.columns(2)
left.markdown("**Singular values are to matrices what coefficients are to vectors.**")
left.markdown(
    """
| Vectors: lasso | Matrices: trace norm |
|---|---|
| coefficients θⱼ | singular values σₖ(Θ) |
| ‖θ‖₁ = Σⱼ \\|θⱼ\\| | ‖Θ‖_tr = Σₖ σₖ(Θ) |
| how many θⱼ are not 0 | rank of Θ |
| soft threshold of each θⱼ | D_t: soft threshold of each σₖ |
| elastic net, ℓ₁ + ℓ₂ | elastic net on singular values |
"""
)
left.caption(
    "For a diagonal Θ the right column is the left one. ⟨Θ, X⟩ = tr(Θᵀ X) = Σⱼₖ Θⱼₖ Xⱼₖ is the "
    "linear model of the vectors vec X: that X has rows and columns comes in with the norm alone."
)
forms = ask_for_forms(constrained)
right.latex(step_formula(experiment, forms.curvature))
if forms.lam:
    right.latex(forms_formula(radius, forms))
    right.markdown(
        "V is the last Θ, with its momentum if accelerated; "
        f"rᵢ = yᵢ − ⟨Θ, Xᵢ⟩. λ is the multiplier of the constraint; Θ = 0 from λ_max = "
        f"{forms.lam_max:.4g} on. Both solved to a gap of {FORMS_TOL:g}."
    )
else:
    right.markdown(describe_idle_bound(radius, forms, data))

st.subheader("Further pictures")
picture = url.choice(st, "segmented_control", "Picture", PICTURES, PATH, key="tr_picture")
if picture == PATH:
    path = TraceNormPath(data)
    beside = session.subscribe("beside", path)
    show_run("beside", beside, radius_panels(path), radius_axis(path))
    st.caption(
        "The constrained form, each solution begun where the one before ended. Where λ is nearly "
        f"0, as without noise, a gap of {path.tol:.0e} does not settle the smallest singular "
        "values, nor the rank."
    )
    curves = beside.frames.metrics
    if beside.ended and len(curves) == len(path.shares):
        st.markdown(describe_path(curves, data))
elif picture == FEWER:
    recovery = RecoveryRun(data)
    beside = session.subscribe("beside", recovery)
    show_run("beside", beside, recovery_panels(), recovery_axis(recovery))
    st.caption(
        f"Least squares with ‖Θ‖ ≤ R in three norms, each at the R of {len(recovery.shares)} that "
        f"tests best, from {recovery.shares[0]:g} to {recovery.shares[-1]:g} times the norm of "
        "Θ*; without a bound, the Θ of least ‖Θ‖_F. That test flatters all three a little. The "
        "pictures share one scale; they begin at ▲, the n of this page: play on, or go back."
    )
    curves = beside.frames.metrics
    if beside.status == "finished":
        st.dataframe(recovery_rows(curves), hide_index=True, column_config=THREE_DIGITS)
        st.markdown(describe_recovery(curves, data))
elif picture == BALL:
    st.markdown(
        "For vectors the corners of ℓ1 lie on the axes, and so they do for singular values. For "
        "symmetric 2 x 2 matrices the trace-norm ball is a cylinder: its edges, two circles, are "
        "the matrices of rank 1, and a solution likes to touch there. On the discs both "
        "eigenvalues have the same sign. Drag it: it turns."
    )
    left, right = st.columns(2)
    charts.draw(left, sections_chart(ball_sections()))
    cylinder = trace_ball()
    charts.draw(
        right,
        balls.draw_ball(
            cylinder.mesh,
            "Symmetric 2 x 2, ‖Θ‖_tr ≤ 1",
            edges=cylinder.rims,
            bound=1.0,
            names=("Θ₁₁", "√2 Θ₁₂", "Θ₂₂"),
        ),
    )
    st.page_link("foundations/corners/page.py", label="**Why corners make zeros →**")
else:
    noisy = session.run_task("trace norm: noisy", "M is being made", noisy_matrix, data)
    with st.container(key="pairs beside"):
        columns = st.columns(3)
    tau = url.choice(
        columns[0],
        "select_slider",
        "τ, threshold",
        [round(0.05 * i, 2) for i in range(25)],
        0.55,
        key="tr_tau",
        help="In the unit of the singular values.",
    )
    eta = url.choice(
        columns[1],
        "select_slider",
        "η, of ‖Z‖_F²",
        [0.0, 0.1, 0.25, 0.5, 1.0, 2.0],
        0.25,
        key="tr_eta",
        help=f"{SMM_ETA:g} in the SMM.",
    )
    hard_rank = url.number(columns[2], "k, hard rank", 0, min(p, q), 2, key="tr_k")
    results = apply_rules(noisy, tau, eta, hard_rank)
    left, right = st.columns(2)
    charts.draw(left, rules_chart(results, tau, eta, hard_rank))
    right.dataframe(
        [
            {
                "rule": result.rule,
                "σ₁": float(result.sigma[0]),
                "σ₂": float(result.sigma[1]),
                "rank": int(np.count_nonzero(result.sigma)),
                "‖Z − Θ*‖_F": result.error,
            }
            for result in results
        ],
        hide_index=True,
        column_config=THREE_DIGITS,
    )
    right.caption(
        "M is the mean of yᵢ Xᵢ, whose expectation is Θ*. The soft threshold takes τ from each "
        "singular value, the elastic net also divides; hard rank k keeps the k largest whole, but "
        "its set is not convex. Where η ‖θ‖² enters ADMM (24.4.3), the book prints (η + 1) I for "
        "(2η + 1) I: its answer is that of η/2."
    )
    right.latex(rules_formula(noisy, tau, eta))

st.subheader("The door to the support matrix machine")
st.markdown(
    "**Replace the squared loss by the hinge.** ½‖W‖² + τ‖W‖_tr, the elastic net on singular "
    "values with η = ½, stays: this is the support matrix machine."
)
if forms.lam:
    st.latex(net_formula(forms))
    st.markdown(
        "Ω adds up samples with their residuals. With the hinge, rᵢ becomes αᵢ yᵢ and W = "
        "D_τ(Ω): the same shrink and threshold, as the lesson on rank shows along τ."
    )
st.page_link("matrix/smm/page.py", label="**The machine →**")


def model_arrays(run: Subscription) -> dict[str, object]:
    """Return the arrays of the model file: the estimate of a run, and Theta*."""
    proof, data = run.frames.certificate, run.experiment.data
    return {
        "Theta": proof.theta.reshape(data.shape[1:]),
        "truth": data.prepare().truth,
        "primal": proof.primal,
        "dual": proof.dual,
        "experiment": repr(run.experiment),
    }


prose.show_source("The source that ran", smmcore.solvers.proximal, smmcore.prox)
st.subheader("Take it with you")
downloads.draw_run_downloads(run, "smm_trace_norm", models=partial(model_arrays, run))
further = st.container()
prose.show_link()

# After the link: while the button below computes, the rest of the page is already there.
with further:
    if picture in (PATH, FEWER):
        st.caption(f"{picture}:")
        downloads.draw_run_downloads(beside, "smm_trace_norm_beside")
    if picture == PATH:
        downloads.draw_solve_again(
            "All Θ of the path",
            "Solves the path once more and gives radius (points) and Theta (points x p x q) in "
            "full.",
            radius_arrays,
            path,
            "smm_trace_norm_all",
        )
    elif picture == FEWER:
        downloads.draw_solve_again(
            f"The four Θ at n = {n:,}",
            "Solves for them once more and gives each in full, p x q.",
            recovery_arrays,
            recovery,
            "smm_trace_norm_all",
        )
