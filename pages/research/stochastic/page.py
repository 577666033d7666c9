"""The stochastic gradient with a threshold: Sugiyama's other way to zeros."""

import streamlit as st

from pages.research.stochastic.runs import StochasticGradient, pass_axis, stochastic_panels
from pages.shared.data.curves import Sinc
from pages.shared.engine import session
from pages.shared.numbers import latex
from pages.shared.parts import downloads, programs, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import url

st.markdown(
    "Each step uses one random sample, and once in several steps a threshold makes zeros. The "
    "problem is that of *Sparse regression*."
)
with st.container(key="controls"):
    left, right = st.columns(2)
step = url.slider(
    left,
    "ε max ‖φ(xᵢ)‖²",
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
    0.1,
    key="step",
    help="The step. From 2 on it overshoots its own sample more than it was off.",
)
every = url.slider(
    right,
    "Steps before a threshold",
    [1, 5, 10, 50, 100, 500],
    50,
    key="every",
    help="The book: once in every several gradient updates.",
)
steps = StochasticGradient(Sinc(), step=step, every=every)
run = session.subscribe("stochastic", steps)
with st.container(key="stage"):
    show_run("stochastic", run, stochastic_panels(), pass_axis(steps))
st.caption(
    f"{steps.data.provenance} ℓ₁ with λ = {steps.lam:g}. One pass is {steps.data.n} gradient "
    "steps. The exact optimum is unknown; we use ADMM's lower bound D instead, which is within "
    "10⁻⁶ P(0) of it unless ADMM took all 3,000 iterations."
)
st.latex(
    r"\begin{gathered} \theta \leftarrow \theta + \varepsilon\, \phi(x_i)\, "
    r"(y_i - \theta^\top \phi(x_i)) \\ "
    rf"\text{{every {every} steps:}} \quad \theta_j \leftarrow "
    r"\mathrm{sign}(\theta_j) \max(0, |\theta_j| - \lambda' \varepsilon), \quad "
    rf"\lambda' = \lambda\, {every} / n = {latex(steps.threshold_weight)} \end{{gathered}}"
)
st.markdown(
    "- **The weight.** A step follows one sample, 1/n of the slope; a threshold comes every "
    f"{every} steps. So the book's λ on the threshold is a weight of λ n / {every} in its own "
    "section's problem; here λ′ makes the two the same.\n"
    "- **A floor.** With a fixed step the objective stays above the optimum: after 300 passes "
    "with the default settings by 0.005 P(0), with ε ten times as large by 0.06 P(0), each the "
    "mean of the last 50. A smaller step is nearer in the end, and slower.\n"
    "- **Zeros come and go.** The step after a threshold moves every θⱼ again whose basis "
    "function is near that sample. With the default settings about 1 zero stands at a time with a "
    "threshold after each step, 9 with one after every 100, of the solution's 37."
)
with prose.draw_tools(programs.fill(__file__, STEP=step, EVERY=every), "stochastic"):
    downloads.draw_run_downloads(run, "stochastic")
