"""The results of the lesson in sentences, tables and formulas with their numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pages.foundations.trace_norm.runs import ESTIMATES, LowRank, TraceNormRun
from pages.foundations.trace_norm.spectral import IDLE_TOL, SMM_ETA, Forms, NoisyMatrix
from pages.shared.parts import prose


def step_formula(run: TraceNormRun, curvature: float) -> str:
    """Return the problem of a run and one step of proximal gradient; the curvature is L."""
    least = r"\min_\Theta \tfrac12 \sum_i (y_i - \langle \Theta, X_i \rangle)^2"
    if run.lam is None:
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
\|\Theta_R - \Theta_\lambda\|_F = {prose.latex_number(forms.apart, 2)}
\end{{gathered}}"""


def describe_idle_bound(radius: float, forms: Forms, data: LowRank) -> str:
    """Describe the solution with a bound that does not bind."""
    n, p, q = data.shape
    idle = f"R = {radius:g} does not bind, λ = 0: "
    if n >= p * q:
        return (
            f"{idle}the sum of squares has its minimum inside, with a trace norm of "
            f"{forms.size:.4g}."
        )
    return (
        f"{idle}as n = {n} < p q = {p * q}, the sum of squares is 0 at many Θ inside. From Θ = 0 "
        f"one with a trace norm of {forms.size:.4g} is reached, and nothing makes it the best."
    )


def describe_path(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe the path along R: the nearest point, its rank, and where the bound is idle."""
    # The first of those that are as good to the digits that are shown.
    best, least = (curves[curves[name].round(3).argmin()] for name in ("error", "test"))
    at = curves[curves["at_truth"] == 1][0]
    falls = np.count_nonzero(np.diff(curves["rank"]) < 0)
    true = curves[curves["rank"] == data.rank]
    if len(true):
        first, last, nearest = true["radius"][0], true["radius"][-1], true["error"].min()
        short = ": its singular values add up to too little" if last < at["radius"] else ""
        ranks = (
            f"Of rank {data.rank}, as Θ* is, are points from R = {first:.2f} to {last:.2f}; the "
            f"nearest of them is {nearest:.3f} from Θ*{short}."
        )
    else:
        ranks = f"Of rank {data.rank}, as Θ* is, is no point of the path."
    return (
        f"‖Θ*‖_tr = {at['radius']:.3f}. Nearest to Θ* is R = {best['radius']:.2f}, at a distance "
        f"of {best['error']:.3f} and with **rank {best['rank']:.0f}**; the least test error, "
        f"{least['test']:.3f}, is at R = {least['radius']:.2f}. {ranks} The rank "
        + (f"falls {falls} times" if falls else "never falls")
        + " as R grows, here. Of a new sample the expected squared error is ‖Θ − Θ*‖² + "
        f"{data.noise:g}²: at R = {best['radius']:.2f} its root is "
        f"{np.hypot(best['error'], data.noise):.3f}, and {best['test']:.3f} was measured."
        f"\n\n{_describe_idle_end(curves, data)}"
    )


def _describe_idle_end(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe the end of a path, if the bound does not bind there."""
    idle = curves[curves["trace"] < curves["radius"] * (1 - IDLE_TOL)]
    if not len(idle):
        return ""
    n, p, q = data.shape
    start = f"From R = {idle['radius'][0]:.2f} on the bound does not bind"
    if n >= p * q:
        return f"{start}: Θ is the least-squares solution."
    return (
        f"{start}: as n < p q, many Θ have no training error, and the path stays at the one that "
        f"it came to, of trace norm {idle['trace'][0]:.3f}. A run from Θ = 0 with such an R ends "
        "at another one: raise R above, and compare the errors."
    )


def recovery_rows(curves: NDArray[np.void]) -> list[dict[str, object]]:
    """Return a row for each estimate at the n of the page."""
    at = curves[curves["own"] == 1][0]
    return [
        {
            "bound on": bound,
            "‖Θ − Θ*‖_F": float(at[name]),
            "test error": float(at[f"test_{name}"]),
            "rank": int(at[f"rank_{name}"]),
        }
        for name, bound in ESTIMATES.items()
    ]


def describe_recovery(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe how many samples each estimate needs to come near to Θ*."""
    _, p, q = data.shape
    needed = []
    for name, bound in ESTIMATES.items():
        near = curves["n"][curves[name] <= 0.2]
        needed.append(f"{bound}: {f'n = {near[0]}' if len(near) else 'none of these'}")
    if data.rank < min(p, q):
        made, where = f"but Θ* is made of r (p + q − r) = {data.freedom} numbers", "only in"
    else:
        made, where = "as many as Θ*", "nor in"
    at = int(np.abs(curves["n"].astype(int) - p * q).argmin())
    around = curves["ls"][max(at - 1, 0) : at + 2]
    rises = data.noise and len(around) == 3 and around.argmax() == 1
    peak = (
        " Without a bound the error rises to a peak near n = p q: there Θ just fits all samples, "
        "their noise included."
    )
    return (
        f"Θ has p q = {p * q} entries, {made}. The first n of the picture with ‖Θ − Θ*‖_F ≤ 0.2: "
        f"{'; '.join(needed)}. ℓ₂ and ℓ₁ do not see rows and columns: put the entries in another "
        f"order and they do the same. Θ* is not sparse in its entries, {where} its singular values."
    ) + (peak if rises else "")


def rules_formula(noisy: NoisyMatrix, tau: float, eta: float) -> str:
    """Return the proximal operator of trace norm and ridge."""
    sigma = np.linalg.svd(noisy.M, compute_uv=False)
    after = np.maximum(sigma - tau, 0) / (1 + 2 * eta)
    return rf"""\begin{{gathered}}
\operatorname*{{argmin}}_Z \tfrac12 \|Z - M\|_F^2 + \tau \|Z\|_{{tr}} + \eta \|Z\|_F^2 \\
= \frac{{1}}{{1 + 2 \eta}} \mathcal D_\tau(M), \qquad
\sigma_k \longmapsto \frac{{[\sigma_k - {tau:g}]_+}}{{1 + 2 \cdot {eta:g}}} \\
\sigma(M) = {_first_values(sigma)} \\ \longmapsto \; {_first_values(after)}
\end{{gathered}}"""


def net_formula(forms: Forms) -> str:
    """Return the representation of the elastic net on singular values."""
    return rf"""\begin{{gathered}}
\Omega = \sum_i r_i X_i, \qquad \Theta = \frac{{1}}{{2 \eta}} \mathcal D_\lambda(\Omega) \\
\sigma_k(\Theta) = \frac{{[\sigma_k(\Omega) - \lambda]_+}}{{2 \eta}} \\
\eta = {SMM_ETA:g}, \quad \lambda = {prose.latex_number(forms.lam, 4)} \\
\sigma(\Omega) = {_first_values(forms.omega)} \\
\sigma(\Theta) = {_first_values(forms.net)}
\end{{gathered}}"""


def _first_values(sigma: NDArray[np.float64]) -> str:
    values = ", ".join(f"{value:.3f}" if value > 1e-9 else "0" for value in sigma[:4])
    return f"({values}" + (r", \dots)" if len(sigma) > 4 else ")")
