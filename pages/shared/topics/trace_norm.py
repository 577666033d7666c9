"""The lesson on the trace norm: its controls, and the words and tables that depend on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address, prose
from pages.shared.recipes import ESTIMATES, LowRank
from pages.shared.runs import Run
from pages.shared.topics.spectral import IDLE, RIDGE, Forms, Noisy, Shrunk

CONSTRAINED, PENALISED = FORMS = ("‖Θ‖_tr ≤ R", "+ λ ‖Θ‖_tr")
STEPS = ("accelerated", "plain")
PATH, FEWER, BALL, NET = PICTURES = (
    "Rank against R",
    "Fewer samples",
    "The ball",
    "Elastic net on σ",
)
DICTIONARY = """
| Vectors: lasso | Matrices: trace norm |
|---|---|
| coefficients θⱼ | singular values σₖ(Θ) |
| ‖θ‖₁ = Σⱼ \\|θⱼ\\| | ‖Θ‖_tr = Σₖ σₖ(Θ) |
| how many θⱼ are not 0 | rank of Θ |
| soft threshold of each θⱼ | D_t: soft threshold of each σₖ |
| elastic net, ℓ₁ + ℓ₂ | elastic net on singular values |
"""
THREE_DIGITS = {  # of tables, by the names of their columns
    name: st.column_config.NumberColumn(format="%.3f")
    for name in ("σ₁", "σ₂", "‖Z − Θ*‖_F", "‖Θ − Θ*‖_F", "test error")
}


class Asked(NamedTuple):
    """What the controls say."""

    data: LowRank
    radius: float
    penalised: bool
    accelerated: bool


def choose() -> Asked:
    """Draw the controls."""
    one = st.columns([3, 3, 2])
    radius = address.choice(
        one[0],
        "select_slider",
        "R",
        [round(0.1 * i, 1) for i in range(1, 31)],
        1.2,
        key="tr_R",
        help="The bound of ‖Θ‖_tr, the sum of the singular values. ‖Θ*‖_F = 1, so ‖Θ*‖_tr lies "
        "between 1 and √r.",
    )
    form = address.choice(
        one[1],
        "segmented_control",
        "Form",
        FORMS,
        CONSTRAINED,
        key="tr_form",
        help="Constrained as in Sugiyama, *Introduction to Statistical Machine Learning*, 24.4.5, "
        "or penalised with the λ that belongs to this R. Switch: the way is another one, the Θ at "
        "its end is the same.",
    )
    step = address.choice(
        one[2],
        "segmented_control",
        "Proximal gradient",
        STEPS,
        STEPS[0],
        key="tr_step",
        help="Accelerated: Nesterov's momentum, which begins anew when a step goes against it.",
    )
    with st.container(key="pairs"):
        two = st.columns(6)
    n = address.number(
        two[0], "n, samples", 2, 1_000, 200, key="tr_n", help="More are added to those there are."
    )
    p = address.number(two[1], "p, rows", 2, 24, 20, key="tr_p")
    q = address.number(two[2], "q, columns", 2, 24, 16, key="tr_q")
    rank = address.number(two[3], "r, rank of Θ*", 1, 24, 2, key="tr_r")
    noise = address.choice(
        two[4],
        "select_slider",
        "noise of y",
        [0.0, 0.03, 0.1, 0.3, 1.0],
        0.1,
        key="tr_noise",
        help="Deviation; without noise y has the deviation 1.",
    )
    seed = address.number(two[5], "seed", 0, 1_000_000, 0, key="tr_seed")
    try:
        data = LowRank(n, p, q, rank, noise, seed)
    except ValueError as error:
        st.error(f"{error}.")
        st.stop()
    return Asked(data, radius, form == PENALISED, step == STEPS[0])


def thresholds(data: LowRank) -> tuple[float, float, int]:
    """Draw the controls of the thresholds; return tau, eta and the hard rank."""
    with st.container(key="pairs beside"):
        columns = st.columns(3)
    tau = address.choice(
        columns[0],
        "select_slider",
        "τ, threshold",
        [round(0.05 * i, 2) for i in range(25)],
        0.55,
        key="tr_tau",
        help="In the unit of the singular values.",
    )
    eta = address.choice(
        columns[1],
        "select_slider",
        "η, of ‖Z‖_F²",
        [0.0, 0.1, 0.25, 0.5, 1.0, 2.0],
        0.25,
        key="tr_eta",
        help=f"{RIDGE:g} in the SMM.",
    )
    rank = address.number(columns[2], "k, hard rank", 0, min(data.p, data.q), 2, key="tr_k")
    return tau, eta, rank


def provenance(data: LowRank) -> str:
    """Say which data are shown and what was done to them."""
    n, p, q = data.shape
    return (
        f"Data of this lesson: {n:,} matrices of {p} x {q} with normal entries of deviation 1, "
        f"yᵢ = ⟨Θ*, Xᵢ⟩ + noise of deviation {data.noise:g}, Θ* of rank {data.rank} with "
        f"‖Θ*‖_F = 1, seed {data.seed}; 300 further samples test. Nothing is centred or scaled, "
        "there is no offset."
    )


def both(radius: float, found: Forms) -> str:
    """Return the map between the two forms, as a formula with its numbers."""
    numbers = [prose.number(value, 4) for value in (radius, found.lam, found.size)]
    return rf"""\begin{{gathered}}
R = {numbers[0]} \; \longmapsto \; \lambda = \Big\| \sum_i r_i X_i \Big\|_2 = {numbers[1]} \\
\longmapsto \; \|\Theta_\lambda\|_{{tr}} = {numbers[2]} \\
\|\Theta_R - \Theta_\lambda\|_F = {prose.number(found.apart, 2)}
\end{{gathered}}"""


def step(form: str, curvature: float, bound: float) -> str:
    """Return the problem and one step of proximal gradient, as a formula.

    Parameters
    ----------
    form : one of FORMS
    curvature : float
        L.
    bound : float
        R or lambda.
    """
    name = "R" if form == CONSTRAINED else r"\lambda"
    least = r"\min_\Theta \tfrac12 \sum_i (y_i - \langle \Theta, X_i \rangle)^2"
    if form == CONSTRAINED:
        whole = rf"{least} \\ \text{{subject to}} \quad \|\Theta\|_{{tr}} \le R, \quad"
        threshold = r"\text{least } t \ge 0: \; \textstyle\sum_k [\sigma_k - t]_+ \le R"
    else:
        whole = rf"{least} + \lambda \|\Theta\|_{{tr}} \\"
        threshold = rf"t = \lambda / L = {prose.number(bound / curvature)}"
    return rf"""\begin{{gathered}}
{whole} {name} = {prose.number(bound, 4)} \\[4pt]
M = V - \tfrac1L \sum_i (\langle V, X_i \rangle - y_i) X_i \\
L = \|\Phi\|_2^2 = {prose.number(curvature, 4)} \\[4pt]
M = \sum_k \sigma_k u_k v_k^\top \longmapsto
\Theta = \sum_k [\sigma_k - t]_+ u_k v_k^\top \\
{threshold}
\end{{gathered}}"""


def of_path(curves: NDArray[np.void], data: LowRank) -> str:
    """Say in sentences what the path along R shows."""
    # The first of those that are as good to the digits that are shown.
    best, least = (curves[curves[name].round(3).argmin()] for name in ("error", "test"))
    at = curves[curves["at_truth"] == 1][0]
    jumps = np.diff(curves["rank"].astype(int))
    falls = int(np.count_nonzero(jumps < 0))
    true = curves[curves["rank"] == data.rank]
    ranks = f"Of rank {data.rank}, as Θ* is, is no point of the path."
    if len(true):
        first, last, nearest = true["radius"][0], true["radius"][-1], true["error"].min()
        short = ": its singular values add up to too little" if last < at["radius"] else ""
        ranks = (
            f"Of rank {data.rank}, as Θ* is, are points from R = {first:.2f} to {last:.2f}; the "
            f"nearest of them is {nearest:.3f} from Θ*{short}."
        )
    return (
        f"‖Θ*‖_tr = {at['radius']:.3f}. Nearest to Θ* is R = {best['radius']:.2f}, at a distance "
        f"of {best['error']:.3f} and with **rank {best['rank']:.0f}**; the least test error, "
        f"{least['test']:.3f}, is at R = {least['radius']:.2f}. {ranks} The rank "
        + (f"falls {falls} times" if falls else "never falls")
        + " as R grows, here. Of a new sample the expected squared error is ‖Θ − Θ*‖² + "
        f"{data.noise:g}²: at R = {best['radius']:.2f} its root is "
        f"{np.hypot(best['error'], data.noise):.3f}, and {best['test']:.3f} was measured."
        f"\n\n{_beyond(curves, data)}"
    )


def _beyond(curves: NDArray[np.void], data: LowRank) -> str:
    """Say from where on the bound of a path does not bind, if it comes so far."""
    idle = curves[curves["trace"] < curves["radius"] * (1 - IDLE)]
    if not len(idle):
        return ""
    n, p, q = data.shape
    said = f"From R = {idle['radius'][0]:.2f} on the bound does not bind"
    if n >= p * q:
        return f"{said}: Θ is the least-squares solution."
    return (
        f"{said}: as n < p q, many Θ have no training error, and the path stays at the one that it "
        f"came to, of trace norm {idle['trace'][0]:.3f}. A run from Θ = 0 with such an R ends at "
        "another one: raise R above, and compare the errors."
    )


def idle(radius: float, found: Forms, data: LowRank) -> str:
    """Say what comes of a bound that does not bind."""
    n, p, q = data.shape
    said = f"R = {radius:g} does not bind, λ = 0: "
    if n >= p * q:
        return (
            f"{said}the sum of squares has its minimum inside, with a trace norm of "
            f"{found.size:.4g}."
        )
    return (
        f"{said}as n = {n} < p q = {p * q}, the sum of squares is 0 at many Θ inside. From Θ = 0 "
        f"one with a trace norm of {found.size:.4g} is reached, and nothing makes it the best."
    )


def recovered(curves: NDArray[np.void]) -> list[dict[str, object]]:
    """Return a row for each estimate at this page's n."""
    at = curves[curves["own"] == 1][0]
    return [
        {
            "bound on": name,
            "‖Θ − Θ*‖_F": float(at[key]),
            "test error": float(at[f"test_{key}"]),
            "rank": int(at[f"rank_{key}"]),
        }
        for key, name in ESTIMATES.items()
    ]


def needed(curves: NDArray[np.void], data: LowRank) -> str:
    """Say how many samples each estimate needs to come near to Θ*."""
    _, p, q = data.shape
    said = []
    for key, name in ESTIMATES.items():
        near = curves["n"][curves[key] <= 0.2]
        said.append(f"{name}: {f'n = {near[0]}' if len(near) else 'none of these'}")
    low = data.rank < min(p, q)
    made = f"but Θ* is made of r (p + q − r) = {data.freedom} numbers" if low else "as many as Θ*"
    where = "only in" if low else "nor in"
    at = int(np.abs(curves["n"].astype(int) - p * q).argmin())
    around = curves["ls"][max(at - 1, 0) : at + 2]
    rises = data.noise and len(around) == 3 and around.argmax() == 1
    return (
        f"Θ has p q = {p * q} entries, {made}. The first n of the picture with ‖Θ − Θ*‖_F ≤ 0.2: "
        f"{'; '.join(said)}. ℓ₂ and ℓ₁ do not see rows and columns: put the entries in another "
        f"order and they do the same. Θ* is not sparse in its entries, {where} its singular values."
    ) + (
        " Without a bound the error rises to a peak near n = p q: there Θ just fits all samples, "
        "their noise included."
        if rises
        else ""
    )


def rules(seen: Noisy, tau: float, eta: float) -> str:
    """Return the proximal operator of both terms, as a formula with its numbers."""
    sigma = np.linalg.svd(seen.M, compute_uv=False)
    after = np.maximum(sigma - tau, 0) / (1 + 2 * eta)
    return rf"""\begin{{gathered}}
\operatorname*{{argmin}}_Z \tfrac12 \|Z - M\|_F^2 + \tau \|Z\|_{{tr}} + \eta \|Z\|_F^2 \\
= \frac{{1}}{{1 + 2 \eta}} \mathcal D_\tau(M), \qquad
\sigma_k \longmapsto \frac{{[\sigma_k - {tau:g}]_+}}{{1 + 2 \cdot {eta:g}}} \\
\sigma(M) = {_few(sigma)} \\ \longmapsto \; {_few(after)}
\end{{gathered}}"""


def errors(results: Sequence[Shrunk]) -> list[dict[str, object]]:
    """Return a row for each rule."""
    return [
        {
            "rule": result.name,
            "σ₁": float(result.sigma[0]),
            "σ₂": float(result.sigma[1]),
            "rank": int(np.count_nonzero(result.sigma)),
            "‖Z − Θ*‖_F": result.error,
        }
        for result in results
    ]


def door(found: Forms) -> str:
    """Return the representation of the spectral elastic net, as a formula with its numbers."""
    return rf"""\begin{{gathered}}
\Omega = \sum_i r_i X_i, \qquad \Theta = \frac{{1}}{{2 \eta}} \mathcal D_\lambda(\Omega) \\
\sigma_k(\Theta) = \frac{{[\sigma_k(\Omega) - \lambda]_+}}{{2 \eta}} \\
\eta = {RIDGE:g}, \quad \lambda = {prose.number(found.lam, 4)} \\
\sigma(\Omega) = {_few(found.omega)} \\
\sigma(\Theta) = {_few(found.net)}
\end{{gathered}}"""


def arrays(run: Run) -> dict[str, object]:
    """Return what a run has learned, for who takes it home."""
    proof, data = run.frames.certificate, run.recipe.data
    return {
        "Theta": proof.theta.reshape(data.shape[1:]),
        "truth": data.prepare().truth,
        "primal": proof.primal,
        "dual": proof.dual,
        "recipe": repr(run.recipe),
    }


def _few(sigma: NDArray[np.float64]) -> str:
    shown = ", ".join(f"{value:.3f}" if value > 1e-9 else "0" for value in sigma[:4])
    return f"({shown}" + (r", \dots)" if len(sigma) > 4 else ")")
