"""The lesson on sparse regression: its controls, its formulas, and what scikit-learn says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address, jobs, runs
from pages.shared.recipes import (
    PENALTIES,
    Contest,
    Features,
    Regression,
    Sinc,
    SparseRun,
    Steps,
    StochasticRun,
)
from smmcore.problems import LSCertificate

LAMBDAS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
RHOS = [None, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
NOISES = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0]
# Each penalty has a lambda of its own, at which it shows what it does.
OWN = {"l1,2": ("lam_groups", 0.5), "fused": ("lam_steps", 2.0)}
# Settings of the selection of features, by the keys of their controls.
_KEYS = "n_features", "spread", "lam_features", "draw_features"
SELECTIONS = {
    "One of a group": dict(zip(_KEYS, (30, 0.003, 10.0, 1), strict=True)),
    "At most n": dict(zip(_KEYS, (20, 1.0, 0.1, 0), strict=True)),
}
LISTING, STOCHASTIC, SELECTION = EXPERIMENTS = (
    "The book's listing, twice",
    "Stochastic gradient",
    "Feature selection",
)


def choose() -> SparseRun:
    """Draw the controls of the penalty and of its data, and return what they say."""
    penalty = address.choice(
        st,
        "segmented_control",
        "Penalty",
        list(PENALTIES),
        "l1",
        PENALTIES.get,
        key="penalty",
        help="ℓ₂ and the three after it fit the Gaussian kernel model to a noisy curve; the fused "
        "one takes the noise off a signal of steps.",
    )
    with st.container(key="pairs"):
        places = iter(st.columns(6 + (penalty in ("l1 + l2", "l1,2"))))
    key, default = OWN.get(penalty, ("lam", 0.1))
    about = "Weight of the penalty, in the unit of ½ ‖y − Φθ‖²; neither is divided by n."
    options = {
        "lam": address.choice(
            next(places), "select_slider", "λ", LAMBDAS, default, key=key, help=about
        )
    }
    if penalty == "l1 + l2":
        options["tau"] = address.choice(
            next(places),
            "select_slider",
            "τ, balance",
            [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0],
            0.5,
            key="tau_net",
            help="λ ((1 − τ) ‖θ‖₁ + τ ‖θ‖²): 0 is ℓ₁, 1 is ℓ₂.",
        )
    if penalty == "l1,2":
        options["size"] = address.choice(
            next(places),
            "select_slider",
            "Group size",
            [1, 2, 5, 10],
            5,
            key="group",
            help="So many neighbouring basis functions come and go together; with 1 it is ℓ₁.",
        )
    options["rho"] = address.choice(
        next(places),
        "select_slider",
        "ρ of ADMM",
        RHOS,
        None,
        lambda rho: "balanced" if rho is None else f"{rho:g}",
        key="rho_admm",
        help="Weight of ‖Fθ − z‖² / 2 in the augmented Lagrange function. The book has 1; "
        "balanced: moved after 4, 8, 16, ... iterations until both residuals shrink alike.",
    )
    data = _steps(places) if penalty == "fused" else _sinc(places)
    return SparseRun(data, penalty, **options)


def _sinc(places) -> Sinc:
    n = address.number(next(places), "n", 10, 200, 50, key="n_curve", help="Samples; b = n.")
    h = address.choice(
        next(places),
        "select_slider",
        "h, width",
        [0.05, 0.1, 0.2, 0.3, 0.5, 1.0],
        0.3,
        key="h",
        help="Width of the basis functions, in the unit of x.",
    )
    return Sinc(n, _noise(next(places), 0.2, "noise_curve"), h, _seed(next(places)))


def _steps(places) -> Steps:
    n = address.number(
        next(places), "n", 20, 200, 100, key="n_steps", help="Samples; b = n, Φ = I."
    )
    pieces = address.choice(
        next(places),
        "select_slider",
        "Steps",
        [1, 2, 4, 6, 10],
        6,
        key="pieces",
        help="Of the truth.",
    )
    return Steps(n, _noise(next(places), 0.3, "noise_steps"), pieces, _seed(next(places)))


def _noise(place, default: float, key: str) -> float:
    return address.choice(
        place, "select_slider", "Noise", NOISES, default, key=key, help="Its deviation."
    )


def _seed(place) -> int:
    return address.number(
        place, "Seed", 0, 9_999, 0, key="draw", help="Another one is another draw of the noise."
    )


def listing(data: Regression) -> Contest:
    """Return the listing of Fig. 24.4 on a curve, at the threshold it defines and at the other."""
    curve = _curve(data)
    return Contest(tuple(SparseRun(curve, "l1", lam, rho=1.0) for lam in (0.1, 1.0)))


def _curve(data: Regression) -> Sinc:
    return data if isinstance(data, Sinc) else Sinc()


def listing_rows(contest: Contest, curves: NDArray[np.void]) -> list[dict[str, object]]:
    """Return a row for each threshold: where the listing stops, what it counts, and the end."""
    rows = []
    for i, run in enumerate(contest.runs):
        stopped = np.flatnonzero(curves[f"change_{i}"][:1000] < 1e-4)
        at = stopped[0] if len(stopped) else min(999, len(curves) - 1)
        rows.append(
            {
                "threshold": f"{run.lam:g}",
                "the listing stops after": int(curves["k"][at]),
                "it counts |θⱼ| < 0.001": int(curves[f"small_{i}"][at]),
                "relative gap there": f"{curves[f'gap_{i}'][at]:.1e}",
                "zeros in z at the end": int(curves[f"zeros_{i}"][-1]),
            }
        )
    return rows


def choose_stochastic(run: SparseRun) -> StochasticRun:
    """Draw the controls of the stochastic gradient on the l1 problem of a run, or the book's."""
    with st.container(key="pairs beside"):
        left, middle, right = st.columns(3)
    step = address.choice(
        left,
        "select_slider",
        "ε max ‖φ(xᵢ)‖²",
        [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
        0.1,
        key="step",
        help="The step. From 2 on it overshoots its own sample more than it was off.",
    )
    every = address.choice(
        middle,
        "select_slider",
        "Steps before a threshold",
        [1, 5, 10, 50, 100, 500],
        50,
        key="every",
        help="The book: once in every several gradient updates.",
    )
    seed = address.number(
        right, "Seed of the steps", 0, 9_999, 0, key="draw_steps", help="Which samples are drawn."
    )
    admm = SparseRun(_curve(run.data), lam=run.lam if run.penalty == "l1" else 0.1)
    return StochasticRun(admm, step, every, seed=seed)


def choose_selection() -> Contest:
    """Draw the controls of the selection of features, and return what they say."""
    with st.container(horizontal=True, gap="small"):
        for name, settings in SELECTIONS.items():
            st.button(name, on_click=st.session_state.update, args=(settings,))
    with st.container(key="pairs beside"):
        places = st.columns(4)
    n = address.number(
        places[0], "n, of 40 features", 10, 200, 30, key="n_features", help="Samples."
    )
    spread = address.choice(
        places[1],
        "select_slider",
        "Spread of the copies",
        [0.003, 0.01, 0.03, 0.1, 0.3, 1.0],
        0.003,
        key="spread",
        help="A feature is its group's variable, of deviation 1, plus so much of its own.",
    )
    lam = address.choice(
        places[2],
        "select_slider",
        "λ of each",
        [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0],
        10.0,
        key="lam_features",
        help="Of ℓ₁ + ℓ₂ half of it each, τ = 0.5.",
    )
    seed = address.number(places[3], "Seed of the features", 0, 9_999, 1, key="draw_features")
    one = SparseRun(Features(n, spread, seed=seed), lam=lam)
    return Contest(tuple(replace(one, penalty=name) for name in ("l1", "l1 + l2", "l1,2")))


def selection_rows(contest: Contest, picture: np.void) -> list[dict[str, object]]:
    """Return a row for each penalty: how many features it takes, of each of the groups."""
    rows = []
    for i, run in enumerate(contest.runs):
        taken = np.count_nonzero(picture[f"z_{i}"].reshape(Features.groups, -1), axis=1)
        rows.append(
            {"penalty": PENALTIES[run.penalty], "features": int(taken.sum())}
            | {f"group {g}": int(count) for g, count in enumerate(taken, 1)}
        )
    return rows


def provenance(data: Regression) -> str:
    """Say which data a picture shows and what was done to them."""
    if isinstance(data, Sinc):
        return (
            f"Data: {data.n} samples of sin(πx) / (πx) + 0.1 x, x in equal steps from −3 to 3, "
            f"plus noise of deviation {data.noise:g}, seed {data.seed}. Model: {data.n} basis "
            f"functions exp(−(x − xⱼ)² / (2h²)), one at each sample, h = {data.h:g}. Nothing is "
            "scaled, and there is no offset."
        )
    if isinstance(data, Steps):
        return (
            f"Data: {data.n} samples of a signal with {data.pieces} levels, jumps of 1 to 3, plus "
            f"noise of deviation {data.noise:g}, seed {data.seed}. Model: a parameter for each "
            "sample, Φ = I. Nothing is scaled."
        )
    return (
        f"Data: {data.n} samples of {data.groups} groups of {data.size} features of deviation "
        f"near 1, not scaled; y is the sum of the first group minus that of the second, plus noise "
        f"of deviation {data.noise:g}, seed {data.seed}. No offset."
    )


def second_opinion(run: SparseRun, proof: LSCertificate) -> None:
    """Show what scikit-learn finds on the same problem, and how far apart the two are."""
    theirs = runs.ask("scikit-learn", "scikit-learn is asked", jobs.scikit_learn, run)
    apart = float(np.linalg.norm(theirs.fitted - proof.fitted))
    gaps = [max(primal - proof.dual, 0.0) for primal in (theirs.primal, proof.primal)]
    st.dataframe(
        [
            {
                "solver": name,
                "objective P": f"{primal:.9g}",
                "P − D": f"{gap:.1e}",
                "zeros": int(np.count_nonzero(theta == 0)),
            }
            for name, primal, gap, theta in (
                ("ADMM, this run", proof.primal, gaps[1], proof.theta),
                (theirs.name, theirs.primal, gaps[0], theirs.theta),
            )
        ],
        hide_index=True,
    )
    st.caption(
        f"‖Φθ − Φθ′‖ = {apart:.1e}; the two gaps allow √(2 gap) + √(2 gap′) = "
        f"{sum(np.sqrt(2 * gap) for gap in gaps):.1e}. scikit-learn divides by n: {theirs.call}."
    )
