"""The machine: Algorithm 1, iteration by iteration."""

import numpy as np
import streamlit as st

import smmcore.problems.smm
import smmcore.problems.spectral
import smmcore.solvers.admm
from pages.matrix.smm.second_opinion import (
    MAX_CVXPY_SAMPLES,
    MAX_CVXPY_SECONDS,
    MAX_CVXPY_SIDE,
    is_small_enough,
    solve_with_cvxpy,
)
from pages.shared.algorithm1 import ALGORITHM_1, QUICK
from pages.shared.engine import session
from pages.shared.parts import charts, downloads, heatmaps, prose
from pages.shared.player.show_run import show_run
from pages.shared.widgets import sidebar

CORRECTIONS = """
- **Indices.** As printed the first step compares c(1) with a c(0) that is nowhere defined. With
  c(0) = 0 it would restart for ever and never gain momentum; here it is infinite, t begins at 1,
  and the pair before the first is the start itself, S = Λ = 0.
- **Theorem 6** promises a limit of W and S, no rate; b and α tend to their sets of solutions only.
  Without the restart nothing is promised at all.
- **ρ.** "auto" may change ρ between two iterations to balance the two parts of c(k), by at most a
  factor 3 and at growing intervals, and drops the momentum then. A number stays what it is.
- **Equation 12** keeps the starting Λ in the representation of W. Theorem 1, W = D_τ(Ω(α)), needs
  none, if y @ α = 0 is added to what it asks of α.
- **Theorem 4** takes b as an average over the samples with 0 < α < C. There may be none; here b is
  the middle of the interval of all b that minimise P(W, b).
- **The rank** need not fall when τ grows.
"""
SOURCE = smmcore.solvers.admm, smmcore.problems.spectral, smmcore.problems.smm

experiment = sidebar.read_experiment(QUICK)
run = session.subscribe("smm", experiment)

st.title("The support matrix machine")
prose.ask_prediction(
    "guess-tau",
    "τ is the price of W's singular values. If you double τ, what happens to the rank of S?",
    ("It falls", "It falls or stays", "There is no law"),
    "A singular value survives only if that of Ω exceeds τ, so as a rule the rank falls or stays. "
    "But Ω depends on τ as well, and now and then the rank grows: there is no law. Try τ in the "
    "side bar.",
)
show_run("smm", run, ALGORITHM_1)
st.caption(
    f"{prose.describe_data(experiment)} S and c(k) are those of the iteration; accuracy, gap, P "
    "and D "
    "belong to its certificate's W, the better of D_τ(Ω(α)) and S, scaled."
)

prose.show_notes(
    "**S against W.** Algorithm 1 keeps two copies of the regression matrix: W fits the samples, S "
    "is thresholded and has low rank. c(k) measures how far they still disagree and move.",
    "**Restarts.** Momentum goes on while c(k) falls below η times its last value. Where it does "
    "not, the step is thrown away and momentum begins anew; the next step has none, cannot raise "
    "c(k), and is always accepted. Set η to 0.5: how much momentum is left?",
    "**The certificate.** Each iteration has a point with the value P(W, b) and a bound D(α) that "
    "no W can undercut. The gap between them proves how good W is, whatever led to it.",
    "**ρ** changes the way, not the limit. Read off where auto ends, then set a thousand times "
    "less or more: what do c(k) and the gap do? Theorem 6 promises a limit, not a rate.",
)

st.subheader("Algorithm 1, as it is run here")
st.latex(
    r"""\begin{aligned}
\alpha &= \text{solution of Theorem 4's QP at } (\hat S, \hat\Lambda) \\
W &= (\hat\Lambda + \rho \hat S + \Omega(\alpha)) / (1 + \rho) \\
S &= \mathcal D_\tau(\rho W - \hat\Lambda) / \rho \\
\Lambda &= \hat\Lambda - \rho (W - S) \\
c &= \|\Lambda - \hat\Lambda\|_F^2 / \rho + \rho \|S - \hat S\|_F^2
\end{aligned}"""
)
st.latex(
    rf"""\begin{{aligned}}
& \text{{if }} c < {experiment.eta:g} \, c_\mathrm{{prev}}
\text{{ or the last step was a restart}}: \\
& \; t' = \tfrac12 (1 + \sqrt{{1 + 4 t^2}}) \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda) + \tfrac{{t - 1}}{{t'}} \,
\bigl((S, \Lambda) - (S, \Lambda)_\mathrm{{prev}}\bigr) \\
& \text{{else}}: \quad t' = 1, \quad c = c_\mathrm{{prev}} / {experiment.eta:g} \\
& \; (\hat S, \hat\Lambda) = (S, \Lambda)_\mathrm{{prev}}
\end{{aligned}}"""
)
with st.expander("Where this reads the paper otherwise than it is printed"):
    st.markdown(CORRECTIONS)

frames = run.frames
proof = frames.certificate
if proof is None or not run.ended:
    if not run.ended:
        st.info("The player shows the run as it goes. Its last numbers will stand here.")
    prose.show_source("The source that runs", *SOURCE)
    prose.show_link()
    st.stop()

st.subheader(f"The problem in numbers, at iteration {len(frames.metrics)}")
sigma = proof.singular_values
norm = float(np.linalg.norm(sigma))
square, nuclear = 0.5 * norm**2, experiment.tau * float(sigma.sum())
terms = [prose.latex_number(term, 5) for term in (square, nuclear, proof.primal - square - nuclear)]
st.latex(
    r"\begin{aligned} P(W, b) &= \tfrac12 \|W\|_F^2 + \tau \|W\|_* \\ "
    r"& \quad + C \textstyle\sum_i [1 - y_i (\langle W, X_i \rangle + b)]_+ \\ "
    rf"&= {' + '.join(terms)} \\ &= {prose.latex_number(proof.primal, 7)} \end{{aligned}}"
)
st.latex(
    r"\begin{aligned} D(\alpha) &= \textstyle\sum_i \alpha_i "
    r"- \tfrac12 \|\mathcal D_\tau(\Omega)\|_F^2 \\ "
    rf"&= {prose.latex_number(proof.dual, 7)}, \quad \Omega = \textstyle\sum_i \alpha_i y_i X_i "
    r"\end{aligned}"
)
st.latex(
    r"\begin{aligned} \|W - W^*\|_F &\le \sqrt{2 (P - D)} "
    rf"= {prose.latex_number(proof.radius)}"
    + (rf" \\ &= {prose.latex_number(proof.radius / norm)} \, \|W\|_F" if norm else "")
    + r" \end{aligned}"
)
st.caption(
    f"W has rank {proof.rank}, of which the gap proves {proof.certain_rank}. It is the better of "
    f"D_τ(Ω) and S, scaled. Of the {len(proof.alpha)} samples "
    f"{np.count_nonzero(proof.alpha)} are support matrices (α > 0). A small relative gap can be "
    "empty: where the loss dwarfs the penalty, even W = 0 has one. The last line cannot be."
)

st.subheader("A second opinion")
st.markdown(
    "CVXPY with the solver Clarabel knows nothing of Algorithm 1. It is asked up to p + q = "
    f"{MAX_CVXPY_SIDE} and n = {MAX_CVXPY_SAMPLES}, and gets {MAX_CVXPY_SECONDS} seconds."
)
st.button(
    "Let CVXPY solve it",
    disabled=not (run.ended and is_small_enough(experiment)),
    on_click=lambda: st.session_state.update({"asked CVXPY": experiment}),
)
if st.session_state.get("asked CVXPY") == experiment:
    opinion = session.run_task("CVXPY", "CVXPY is at work", solve_with_cvxpy, experiment, long=True)
    distance = float(np.linalg.norm(opinion.W - proof.W))
    bound = proof.radius + np.sqrt(2 * max(opinion.primal - proof.dual, 0.0))
    st.markdown(
        f"P(W, b) is **{proof.primal:.9g}** by Algorithm 1 and **{opinion.primal:.9g}** by CVXPY, "
        f"which took {opinion.seconds:.1f} s."
    )
    st.latex(
        rf"\begin{{aligned}} \|W - W_\mathrm{{cvx}}\|_F &= {prose.latex_number(distance)} \\ "
        r"&\le \sqrt{2\,\mathrm{gap}} + \sqrt{2\,\mathrm{gap}_\mathrm{cvx}} "
        rf"= {prose.latex_number(bound)} \end{{aligned}}"
    )
    limit = float(max(np.abs(proof.W).max(), np.abs(opinion.W).max())) or None
    for place, name, W in zip(
        st.columns(2), ("Algorithm 1", "CVXPY"), (proof.W, opinion.W), strict=True
    ):
        charts.draw(place, heatmaps.heatmap(W, f"W by {name}", limit=limit))

prose.show_source("The source that ran", *SOURCE)
st.subheader("Take it with you")
downloads.draw_run_downloads(run)
prose.show_link()
