"""From vectors to matrices: the trace norm does to singular values what l1 does to coefficients."""

from dataclasses import replace
from functools import partial

import streamlit as st

import smmcore.prox
import smmcore.solvers.proximal
from pages.shared import address, charts, exports, figures, jobs, prose, runs
from pages.shared.panels import (
    proximal_panels,
    radius_axis,
    radius_panels,
    recovery_axis,
    recovery_panels,
)
from pages.shared.recipes import RecoveryRun, TraceNormPath, TraceNormRun
from pages.shared.topics import spectral, trace_norm
from pages.shared.watch import watch

address.begin()  # the experiment of the side bar plays no part here
st.title("From vectors to matrices")
prose.predict(
    "guess-trace",
    "A matrix of 20 x 16 has 320 entries. It has rank 2, and 200 noisy numbers ⟨Θ*, Xᵢ⟩ of it are "
    "known. Least squares with a bound R on the sum of the singular values: what comes out?",
    ("Nothing near Θ*: 200 < 320", "Θ*, nearly, and of low rank", "Θ*, if R is its trace norm"),
    "Near Θ*, and of low rank, for a whole range of R: most singular values are exactly 0, as most "
    "coefficients are with ℓ1. Yet the nearest Θ is not the one of rank 2: see *Rank against R*.",
)
asked = trace_norm.choose()
data = asked.data
recipe, form = TraceNormRun(data, asked.radius), trace_norm.CONSTRAINED
question = "trace norm: forms", "Both forms are being solved", spectral.forms, recipe
if asked.penalised:
    found = runs.ask(*question)
    if found.lam:
        recipe, form = TraceNormRun(data, None, found.lam), trace_norm.PENALISED
    else:
        st.info(f"R = {asked.radius:g} does not bind, no λ > 0 belongs to it: constrained form.")
run = runs.current("trace norm", replace(recipe, accelerated=asked.accelerated))
watch("trace norm", run, proximal_panels())
st.caption(
    f"{trace_norm.provenance(data)} Both pictures share one scale, centred on 0. Errors are root "
    "mean squares. P is half the sum of squares"
    + (" plus λ ‖Θ‖_tr" if form == trace_norm.PENALISED else "")
    + "; the gap P − D is in units of P(0), the residual is L ‖Θ − V‖_F."
)
prose.look_for(
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
left.markdown(trace_norm.DICTIONARY)
left.caption(
    "For a diagonal Θ the right column is the left one. ⟨Θ, X⟩ = tr(Θᵀ X) = Σⱼₖ Θⱼₖ Xⱼₖ is the "
    "linear model of the vectors vec X: that X has rows and columns comes in with the norm alone."
)
found = runs.ask(*question)
bound = asked.radius if form == trace_norm.CONSTRAINED else found.lam
right.latex(trace_norm.step(form, found.curvature, bound))
if found.lam:
    right.latex(trace_norm.both(asked.radius, found))
    right.markdown(
        "V is the last Θ, with its momentum if accelerated; "
        f"rᵢ = yᵢ − ⟨Θ, Xᵢ⟩. λ is the multiplier of the constraint; Θ = 0 from λ_max = "
        f"{found.lam_max:.4g} on. Both solved to a gap of {spectral.TIGHT:g}."
    )
else:
    right.markdown(trace_norm.idle(asked.radius, found, data))

st.subheader("Further pictures")
picture = address.choice(
    st, "segmented_control", "Picture", trace_norm.PICTURES, trace_norm.PATH, key="tr_picture"
)
if picture == trace_norm.PATH:
    beside = TraceNormPath(data)
    other = runs.current("beside", beside)
    watch("beside", other, radius_panels(beside), radius_axis(beside))
    st.caption(
        "The constrained form, each solution begun where the one before ended. Where λ is nearly "
        f"0, as without noise, a gap of {beside.tol:.0e} does not settle the smallest singular "
        "values, nor the rank."
    )
    curves = other.frames.metrics
    if other.ended and len(curves) == len(beside.shares):
        st.markdown(trace_norm.of_path(curves, data))
    again = (
        "All Θ of the path",
        "Solves the path once more and gives radius (points) and Theta (points x p x q) in full.",
        jobs.radius_arrays,
    )
elif picture == trace_norm.FEWER:
    beside = RecoveryRun(data)
    other = runs.current("beside", beside)
    watch("beside", other, recovery_panels(), recovery_axis(beside))
    st.caption(
        f"Least squares with ‖Θ‖ ≤ R in three norms, each at the R of {len(beside.shares)} that "
        f"tests best, from {beside.shares[0]:g} to {beside.shares[-1]:g} times the norm of Θ*; "
        "without a bound, the Θ of least ‖Θ‖_F. That test flatters all three a little. The "
        "pictures share one scale; they begin at ▲, the n of this page: play on, or go back."
    )
    curves = other.frames.metrics
    if other.status == "finished":
        st.dataframe(
            trace_norm.recovered(curves), hide_index=True, column_config=trace_norm.THREE_DIGITS
        )
        st.markdown(trace_norm.needed(curves, data))
    again = (
        f"The four Θ at n = {data.n:,}",
        "Solves for them once more and gives each in full, p x q.",
        jobs.recovery_arrays,
    )
elif picture == trace_norm.BALL:
    st.markdown(
        "For vectors the corners of ℓ1 lie on the axes, and so they do for singular values. For "
        "symmetric 2 x 2 matrices the trace-norm ball is a cylinder: its edges, two circles, are "
        "the matrices of rank 1, and a solution likes to touch there. On the discs both "
        "eigenvalues have the same sign. Drag it: it turns."
    )
    left, right = st.columns(2)
    charts.draw(left, figures.sections(spectral.sections()))
    cylinder = spectral.trace_ball()
    charts.draw(
        right,
        figures.solid(
            cylinder.mesh,
            "Symmetric 2 x 2, ‖Θ‖_tr ≤ 1",
            edges=cylinder.rims,
            bound=1.0,
            names=("Θ₁₁", "√2 Θ₁₂", "Θ₂₂"),
        ),
    )
    st.page_link("foundations/corners/page.py", label="**Why corners make zeros →**")
else:
    seen = runs.ask("trace norm: noisy", "M is being made", spectral.noisy, data)
    tau, eta, rank = trace_norm.thresholds(data)
    results = spectral.shrunk(seen, tau, eta, rank)
    left, right = st.columns(2)
    after = {result.name: result.sigma for result in results}
    charts.draw(left, figures.rules(results[0].sigma, after, tau, eta, rank))
    right.dataframe(
        trace_norm.errors(results), hide_index=True, column_config=trace_norm.THREE_DIGITS
    )
    right.caption(
        "M is the mean of yᵢ Xᵢ, whose expectation is Θ*. The soft threshold takes τ from each "
        "singular value, the elastic net also divides; hard rank k keeps the k largest whole, but "
        "its set is not convex. Where η ‖θ‖² enters ADMM (24.4.3), the book prints (η + 1) I for "
        "(2η + 1) I: its answer is that of η/2."
    )
    right.latex(trace_norm.rules(seen, tau, eta))

st.subheader("The door to the support matrix machine")
st.markdown(
    "**Replace the squared loss by the hinge.** ½‖W‖² + τ‖W‖_tr, the elastic net on singular "
    "values with η = ½, stays: this is the support matrix machine."
)
if found.lam:
    st.latex(trace_norm.door(found))
    st.markdown(
        "Ω adds up samples with their residuals. With the hinge, rᵢ becomes αᵢ yᵢ and W = "
        "D_τ(Ω): the same shrink and threshold, as the lesson on rank shows along τ."
    )
st.page_link("matrix/smm.py", label="**The machine →**")

prose.source("The source that ran", smmcore.solvers.proximal, smmcore.prox)
st.subheader("Take it with you")
exports.of_run(run, "smm_trace_norm", models=partial(trace_norm.arrays, run))
every = st.container()
prose.link()
if picture in (trace_norm.PATH, trace_norm.FEWER):
    with every:
        st.caption(f"{picture}:")
        exports.of_run(other, "smm_trace_norm_beside")
        exports.solved_again(*again, beside, "smm_trace_norm_all")
