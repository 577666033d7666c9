"""From vectors to matrices: the trace norm is the l1 norm of the singular values."""

import streamlit as st

from pages.foundations.trace_norm.layers import draw_layers
from pages.foundations.trace_norm.regression import TEST_SAMPLES, LowRank
from pages.foundations.trace_norm.rim import draw_rim
from pages.foundations.trace_norm.runs import MORE, STAGE, TraceNormRegression
from pages.shared.engine import session
from pages.shared.engine.moves import Moves
from pages.shared.numbers import latex
from pages.shared.parts import downloads, programs, prose
from pages.shared.parts.knobs import draw_knobs
from pages.shared.parts.question import Answer, introduce
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

DATA = LowRank()
FREEDOM = DATA.rank * (DATA.p + DATA.q - DATA.rank)


RADII = [round(0.1 * i, 1) for i in range(1, 31)]

head = introduce("The zeros of a matrix are missing layers. A layer is a column times a row.")
draw_layers(head.recipe)
head.ask(
    "A cross is two bars, each seven pixels wide. How many layers does it have?",
    (
        Answer("One", "A single layer has one pattern of rows; the cross has two."),
        Answer("Two", "The cross has two kinds of rows: along a bar, and across one.", right=True),
        Answer("Seven", "The seven rows along a bar are equal and share a layer."),
    ),
    at=("picture",),
)
left, right = st.columns(2)
left.markdown(
    "The **rank** of a matrix is the number of its layers. Their heights are its **singular "
    "values** σᵢ, and the height of the stack, their sum, is the **nuclear norm** (also called "
    "trace norm). The first few layers are the best picture of that rank."
)
right.markdown(
    "A layer can add and take away. These have columns at right angles to each other, and rows, "
    "too: so a layer after the first often has both signs. This is the **singular value "
    "decomposition**, Σ σᵢ uᵢ vᵢᵀ, the highest layer first."
)
st.header("Why low rank?")
left, right = st.columns(2)
left.markdown(
    "A symmetric 2 × 2 matrix is three numbers: a point in space. Its layers have the heights "
    "σ₁ and σ₂. The drum is the nuclear norm's ball, σ₁ + σ₂ ≤ 1."
)
right.markdown(
    "The distance from 0 is the **Frobenius norm**; half its square is the size of W in lesson 1."
)
draw_rim()
with st.expander("How this was made", key="rim was made"):
    st.markdown(
        "The picture has the coordinates (x + y)/√2, (x − y)/√2 and √2 z of a matrix with x and y "
        "on its diagonal and z beside it, so distances are those of the Frobenius norm. All "
        "balloons have half axes 2 : √2 : 1, askew to the drum. The touched points are exact. The "
        "500 minima are spread evenly between distance 1, where the rims are, and 3. A 2 × 2 "
        "matrix that is not symmetric has a fourth number, and no such picture; there, too, the "
        "ball of the nuclear norm has its edges where the rank is 1."
    )
st.header("Fewer measurements than entries")
left, right = st.columns(2)
left.markdown(
    f"A matrix of low rank has few unknowns. Θ* has {DATA.p * DATA.q} entries and rank "
    f"{DATA.rank}, which is only {DATA.rank} ({DATA.p} + {DATA.q} − {DATA.rank}) = {FREEDOM} "
    f"numbers. So {DATA.n} noisy measurements find it nearly, if the nuclear norm of Θ is at most "
    "R."
)
right.markdown(
    "A **measurement** ⟨Θ*, X⟩ multiplies two matrices entry by entry and adds up. **Raise R from "
    "its left end.** First Θ has two layers, as Θ* has, and they grow. Then more "
    "and more layers come, which fit the noise."
)
radius, knob = url.knob(
    "R",
    "bound on the nuclear norm",
    RADII,
    1.2,
    key="R",
    help="‖Θ‖∗ ≤ R: the sum of the singular values. ‖Θ*‖ = 1, so ‖Θ*‖∗ is between 1 and √rank.",
)
draw_knobs([knob])
stage = st.container()
experiment = TraceNormRegression(DATA, radius)
run = session.subscribe("trace norm", experiment, moves=Moves({"radius": knob}))
with stage:
    show_run("trace norm", run, STAGE, more=MORE, knobs=[knob])
with st.expander("How this was made"):
    st.markdown(
        f"{DATA.n} samples X of {DATA.p} × {DATA.q} with normal entries; yᵢ = ⟨Θ\\*, Xᵢ⟩ + noise "
        f"of standard deviation {DATA.noise:g}; ‖Θ\\*‖ = 1; {TEST_SAMPLES} further samples "
        "for the test. Rings are exact zeros; the strokes mark the singular values of Θ\\*."
    )
left, right = st.columns(2)
left.header("From vectors to matrices")
left.markdown(
    """
| vectors: lasso | matrices: nuclear norm |
|---|---|
| coefficients θⱼ | singular values σᵢ(Θ) |
| ‖θ‖₁ = Σ \\|θⱼ\\| | ‖Θ‖∗ = Σ σᵢ(Θ) |
| how many θⱼ are not 0 | rank of Θ |
| soft threshold of each θⱼ | $\\mathcal D_\\tau$: soft threshold of each σᵢ |
| elastic net, ℓ₁ + ℓ₂ | elastic net on singular values |
"""
)
right.header("What to look for")
right.markdown(
    "Singular values that are exactly 0 have a ring, like coefficients with ℓ₁. Those that remain "
    "are smaller than in Θ*. Raise R from 1.2 to 1.4: the error falls, the rank grows."
)
right.header("From here to the SMM")
right.markdown(
    "**Replace the squared loss with the hinge, and add ½‖W‖².** The penalty is then ½‖W‖² + "
    "τ‖W‖∗, an elastic net on singular values: this is the support matrix machine."
)


def step_formula(radius: float, curvature: float) -> str:
    """Return constrained least squares and a step of proximal gradient; the curvature is L."""
    return rf"""\begin{{gathered}}
\min_\Theta \tfrac12 \sum_i (y_i - \langle \Theta, X_i \rangle)^2 \\
\text{{subject to}} \quad \|\Theta\|_* \le R, \quad R = {latex(radius, 4)} \\[4pt]
M = Z - \tfrac1L \sum_i (\langle Z, X_i \rangle - y_i) X_i \\
L = \|\Phi\|_2^2 = {latex(curvature, 4)} \\[4pt]
M = \sum_i \sigma_i u_i v_i^\top \longmapsto
\Theta = \sum_i [\sigma_i - t]_+ u_i v_i^\top \\
\text{{least }} t \ge 0: \; \textstyle\sum_i [\sigma_i - t]_+ \le R
\end{{gathered}}"""


steps = run.frames.metrics
if len(steps):
    with st.expander("More: one step"):
        st.latex(step_formula(run.experiment.radius, float(steps["curvature"][-1])))
        st.markdown(
            "Z is the last Θ with its momentum; t is a threshold, the soft threshold of the "
            "singular values."
        )


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


prose.end_lesson(
    "The nuclear norm is the ℓ₁ norm of the singular values: bounding it gives a matrix of low "
    "rank.",
    (
        "press *Ask again* at the top, and make the layer that is all white. What is missing then, "
        "and is it a layer?",
        "The four corners, with a minus. They are one layer, so the cross is white minus the "
        "corners: two layers, of which one takes away.",
    ),
    (
        "raise R until it no longer binds. What happens to the rank, and to the error?",
        "The rank becomes full and the error grows: without the bound there are more unknowns "
        "than samples.",
    ),
)
program = programs.fill(__file__, RADIUS=run.experiment.radius)  # where the hand is by now
with prose.draw_tools(program, "smm_trace_norm"):
    downloads.draw_run_downloads(run, "smm_trace_norm", models=model_arrays)
