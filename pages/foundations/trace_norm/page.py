"""From vectors to matrices: the trace norm is the l1 norm of the singular values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

import smmcore.prox
import smmcore.solvers.proximal
from pages.foundations.trace_norm.regression import (
    LowRank,
    NoisyMatrix,
    ThresholdedMatrix,
    apply_rules,
    ball_sections,
    noisy_matrix,
    trace_ball,
)
from pages.foundations.trace_norm.runs import (
    FORMS_TOL,
    SMM_ETA,
    Forms,
    RecoveryRun,
    TraceNormPath,
    TraceNormRun,
    describe_idle_bound,
    describe_path,
    describe_recovery,
    proximal_panels,
    radius_arrays,
    radius_axis,
    radius_panels,
    recovery_arrays,
    recovery_axis,
    recovery_panels,
    recovery_rows,
    solve_forms,
)
from pages.shared.data.samples import Array
from pages.shared.engine import session
from pages.shared.engine.subscription import Subscription
from pages.shared.parts import balls, charts, downloads, prose
from pages.shared.parts.balls import BLUE, ORANGE
from pages.shared.parts.charts import BORDER, CHOSEN_COLOUR, FONT_SIZE, add_legend, format_figure
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
COLOURS = BORDER["color"], BLUE, "#009e73", ORANGE  # visible in the light and the dark theme
THREE_DIGITS = {  # formats of the columns of tables, by their names
    name: st.column_config.NumberColumn(format="%.3f")
    for name in ("σ₁", "σ₂", "‖Z − Θ*‖_F", "‖Θ − Θ*‖_F", "test error")
}

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
radius = url.slider(
    columns[0],
    "R",
    [round(0.1 * i, 1) for i in range(1, 31)],
    1.2,
    key="R",
    help="The bound of ‖Θ‖_tr, the sum of the singular values. ‖Θ*‖_F = 1, so ‖Θ*‖_tr lies "
    "between 1 and √r.",
)
form = url.choice(
    columns[1],
    "segmented_control",
    "Form",
    FORMS,
    CONSTRAINED,
    key="form",
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
    key="step",
    help="Accelerated: Nesterov's momentum, which begins anew when a step goes against it.",
)
with st.container(key="pairs"):
    below = st.columns(6)
n = url.number(
    below[0], "n, samples", 2, 1_000, 200, key="n", help="More are added to those there are."
)
p = url.number(below[1], "p, rows", 2, 24, 20, key="p")
q = url.number(below[2], "q, columns", 2, 24, 16, key="q")
rank = url.number(below[3], "r, rank of Θ*", 1, 24, 2, key="r")
noise = url.slider(
    below[4],
    "noise of y",
    [0.0, 0.03, 0.1, 0.3, 1.0],
    0.1,
    key="noise",
    help="Deviation; without noise y has the deviation 1.",
)
seed = url.number(below[5], "seed", 0, 1_000_000, 0, key="seed")
try:
    data = LowRank(n, p, q, rank, noise, seed)
except ValueError as error:
    st.error(f"{error}.")
    st.stop()


def get_forms(constrained: TraceNormRun) -> Forms:
    """Return both forms at a radius; the session keeps the result."""
    return session.run_task(
        "trace norm: forms", "Both forms are being solved", solve_forms, constrained
    )


constrained = experiment = TraceNormRun(data, radius)
if form == PENALISED:
    lam = get_forms(constrained).lam
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


def step_formula(run: TraceNormRun, curvature: float) -> str:
    """Return the problem of a run and one step of proximal gradient; the curvature is L."""
    least = r"\min_\Theta \tfrac12 \sum_i (y_i - \langle \Theta, X_i \rangle)^2"
    if run.lam is None:
        assert run.radius is not None  # a run has one of the two
        bound = prose.latex_number(run.radius, 4)
        whole = rf"{least} \\ \text{{subject to}} \quad \|\Theta\|_{{tr}} \le R, \quad R = {bound}"
        threshold = r"\text{least } t \ge 0: \; \textstyle\sum_k [\sigma_k - t]_+ \le R"
    else:
        weight = prose.latex_number(run.lam, 4)
        whole = rf"{least} + \lambda \|\Theta\|_{{tr}} \\ \lambda = {weight}"
        threshold = rf"t = \lambda / L = {prose.latex_number(run.lam / curvature)}"
    return rf"""\begin{{gathered}}
{whole} \\[4pt]
M = V - \tfrac1L \sum_i (\langle V, X_i \rangle - y_i) X_i \\
L = \|\Phi\|_2^2 = {prose.latex_number(curvature, 4)} \\[4pt]
M = \sum_k \sigma_k u_k v_k^\top \longmapsto
\Theta = \sum_k [\sigma_k - t]_+ u_k v_k^\top \\
{threshold}
\end{{gathered}}"""


def forms_formula(radius: float, forms: Forms) -> str:
    """Return the map between the two forms."""
    R, lam, size = (prose.latex_number(value, 4) for value in (radius, forms.lam, forms.size))
    return rf"""\begin{{gathered}}
R = {R} \; \longmapsto \; \lambda = \Big\| \sum_i r_i X_i \Big\|_2 = {lam} \\
\longmapsto \; \|\Theta_\lambda\|_{{tr}} = {size} \\
\|\Theta_R - \Theta_\lambda\|_F = {prose.latex_number(forms.distance, 2)}
\end{{gathered}}"""


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
forms = get_forms(constrained)
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


def sections_chart(outlines: Mapping[str, Array]) -> go.Figure:
    """Draw balls over the plane of two singular values, by name."""
    figure = go.Figure()
    for (name, points), colour in zip(outlines.items(), COLOURS[1:], strict=True):
        figure.add_scatter(
            x=points[:, 0],
            y=points[:, 1],
            mode="lines",
            line={"color": colour, "width": 3},
            name=name,
            hovertemplate=f"{name}<br>σ₁ = %{{x:.3f}}, σ₂ = %{{y:.3f}}<extra></extra>",
        )
    figure.add_scatter(
        x=[1, 0],
        y=[0, 1],
        mode="markers",
        marker={"color": CHOSEN_COLOUR, "size": 12},
        name="rank 1",
        hovertemplate="rank 1<extra></extra>",
        cliponaxis=False,
    )
    figure.update_xaxes(title="σ₁", range=[0, 1.08], constrain="domain", nticks=5)
    figure.update_yaxes(title="σ₂", range=[0, 1.08], scaleanchor="x", nticks=5)
    return add_legend(format_figure(figure, "Balls of two singular values", 460))


def rules_chart(
    results: Sequence[ThresholdedMatrix], tau: float, eta: float, rank: int
) -> go.Figure:
    """Draw singular values before and after: a line for each rule, a dot for each value.

    Parameters
    ----------
    results : sequence of ThresholdedMatrix
        No rule, soft threshold, elastic net, hard rank.
    tau, eta, rank : float, float, int
        The settings of the rules.
    """
    sigma = results[0].sigma
    largest = 1.1 * max(float(sigma[0]), tau)
    x = np.linspace(0, largest, 221)
    edge = sigma[rank - 1] if rank else np.inf
    soft = np.maximum(x - tau, 0)
    lines = x, soft, soft / (1 + 2 * eta), np.where(x < edge, 0, x)
    dashes = "dot", "solid", "solid", "solid"
    figure = go.Figure()
    for result, y, colour, dash in zip(results, lines, COLOURS, dashes, strict=True):
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": colour, "width": 2.5, "dash": dash},
            name=result.rule,
            legendgroup=result.rule,
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=sigma,
            y=result.sigma,
            mode="markers",
            marker={"color": colour, "size": 8},
            legendgroup=result.rule,
            showlegend=False,
            hovertemplate=f"{result.rule}<br>σ = %{{x:.3f}} becomes %{{y:.3f}}<extra></extra>",
        )
    figure.add_vline(x=tau, line=BORDER, annotation={"text": "τ", "font": {"size": FONT_SIZE}})
    figure.update_xaxes(title="singular value of M", range=[0, largest])
    figure.update_yaxes(title="afterwards", range=[-0.03 * largest, largest])
    return add_legend(format_figure(figure, "Shrink and threshold", 460))


def first_values(sigma: NDArray[np.floating]) -> str:
    """Return the first four singular values as a vector in LaTeX."""
    values = ", ".join(f"{value:.3f}" if value > 1e-9 else "0" for value in sigma[:4])
    return f"({values}" + (r", \dots)" if len(sigma) > 4 else ")")


def rules_formula(noisy: NoisyMatrix, tau: float, eta: float) -> str:
    """Return the proximal operator of trace norm and ridge."""
    sigma = np.linalg.svd(noisy.M, compute_uv=False)
    after = np.maximum(sigma - tau, 0) / (1 + 2 * eta)
    return rf"""\begin{{gathered}}
\operatorname*{{argmin}}_Z \tfrac12 \|Z - M\|_F^2 + \tau \|Z\|_{{tr}} + \eta \|Z\|_F^2 \\
= \frac{{1}}{{1 + 2 \eta}} \mathcal D_\tau(M), \qquad
\sigma_k \longmapsto \frac{{[\sigma_k - {tau:g}]_+}}{{1 + 2 \cdot {eta:g}}} \\
\sigma(M) = {first_values(sigma)} \\ \longmapsto \; {first_values(after)}
\end{{gathered}}"""


st.subheader("Further pictures")
beside: Subscription[Any]
picture = url.choice(st, "segmented_control", "Picture", PICTURES, PATH, key="picture")
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
        places = st.columns(3)
    tau = url.slider(
        places[0],
        "τ, threshold",
        [round(0.05 * i, 2) for i in range(25)],
        0.55,
        key="tau",
        help="In the unit of the singular values.",
    )
    eta = url.slider(
        places[1],
        "η, of ‖Z‖_F²",
        [0.0, 0.1, 0.25, 0.5, 1.0, 2.0],
        0.25,
        key="eta",
        help=f"{SMM_ETA:g} in the SMM.",
    )
    hard_rank = url.number(places[2], "k, hard rank", 0, min(p, q), 2, key="k")
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


def net_formula(forms: Forms) -> str:
    """Return the representation of the elastic net on singular values."""
    return rf"""\begin{{gathered}}
\Omega = \sum_i r_i X_i, \qquad \Theta = \frac{{1}}{{2 \eta}} \mathcal D_\lambda(\Omega) \\
\sigma_k(\Theta) = \frac{{[\sigma_k(\Omega) - \lambda]_+}}{{2 \eta}} \\
\eta = {SMM_ETA:g}, \quad \lambda = {prose.latex_number(forms.lam, 4)} \\
\sigma(\Omega) = {first_values(forms.omega)} \\
\sigma(\Theta) = {first_values(forms.net)}
\end{{gathered}}"""


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


def model_arrays() -> dict[str, object]:
    """Return the arrays of the model file: the estimate of the run, and Theta*."""
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
downloads.draw_run_downloads(run, "smm_trace_norm", models=model_arrays)
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
