"""Settings with a name: where a reader starts, what the paper did, and one that is hard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.shared import controls
from pages.shared.recipes import (
    METHODS,
    RESTARTED,
    UNGUARDED,
    BlockCorrelated,
    DuelRun,
    LowRank,
    RecoveryRun,
    SMMRun,
    Split,
    Table1Run,
    TraceNormPath,
    ValidationRun,
)

QUICK = SMMRun(BlockCorrelated(noise=0.01, seed=1), C=0.05, tau=0.2)

PRESETS = {
    "Quick": (QUICK, "200 matrices of 20 x 25: computed in a tenth of a second."),
    "Paper 5.1": (
        SMMRun(
            BlockCorrelated(n=1_000, p=80, q=100, noise=1e-3, rank=20, scaling="as printed"),
            C=10.0,
            tau=1.0,
        ),
        "Section 5.1 of the SMM paper: 1000 matrices of 80 x 100, features as printed. Which C "
        "and τ its figure has, the paper does not say. Takes seconds.",
    ),
    "Hard": (
        SMMRun(BlockCorrelated(n=500, p=40, q=50, groups=10, noise=0.1, rank=10), C=0.1, tau=2.0),
        "500 matrices of 40 x 50 in ten groups, more noise than signal: many iterations, restarts.",
    ),
}

LIVE = {
    "Quick demo": (QUICK, "ρ chosen by the solver: 29 iterations."),
    "Small ρ": (replace(QUICK, rho=0.01), "ρ a hundred times too small: W and S agree slowly."),
    "Many restarts": (
        replace(QUICK, rho=100.0),
        "ρ a hundred times too large: the momentum overshoots again and again.",
    ),
    "One class tiny": (
        replace(QUICK, data=replace(QUICK.data, positives=0.05), C=0.5),
        "10 of the 200 matrices are of class +1.",
    ),
    "Figure 1": PRESETS["Paper 5.1"],
}
RACE_RHO, RACE_STEPS = 10.0, 600  # at which momentum without a restart does not end
FIRST, SECOND = (
    replace(QUICK, rho=RACE_RHO, max_iter=RACE_STEPS, algorithm=way)
    for way in (RESTARTED, UNGUARDED)
)
# Their runs lie in assets/runs.
BAKED = {name: run for name, (run, _) in (PRESETS | LIVE).items()}
BAKED["The race of Live"] = DuelRun(FIRST, SECOND)
BAKED["Wolf's Table 1"] = Table1Run()
BAKED["Rank against R"] = TraceNormPath(LowRank())
BAKED["Fewer samples than entries"] = RecoveryRun(LowRank())

FIGURE_2 = {
    "Small": ValidationRun(
        Split(
            BlockCorrelated(360, 16, 20, groups=10, noise=0.01, rank=4, scaling="as printed"),
            test_size=1 / 3,
        ),
    ),
    "Paper 5.2": ValidationRun(
        Split(
            BlockCorrelated(1_500, 80, 100, groups=10, noise=0.01, rank=20, scaling="as printed"),
            test_size=1 / 3,
        ),
        count=4,
    ),
}


def draw(presets: Mapping[str, tuple[SMMRun, str]] = PRESETS) -> None:
    """Draw a button for each preset."""
    with st.container(horizontal=True, gap="small"):
        for name, (run, note) in presets.items():
            st.button(name, help=note, on_click=controls.set_to, args=(run,), width="stretch")


LAMBDAS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 1e-3, 1e-4, 1e-5]  # in units of lam_max
RIVALS = {"machines": list(METHODS), "rank": 4, "offset": False, "tau_rel2": 0.1}  # by their keys
FIGURE_1 = {
    "First picture": (QUICK, 0.01, "What this page begins with: every setting as it was."),
    "Figure 1: As printed": (
        replace(QUICK, C=0.01, tau=0.2),
        1e-5,
        "Blocks for the SMM, hardly any for the R-GLM: a small C and a very small λ.",
    ),
    "Figure 1: The reverse": (
        replace(QUICK, C=1.0, tau=0.05),
        0.1,
        "Blocks for the R-GLM, none for the SMM: the same data, other weights.",
    ),
    "Figure 1: The paper's size": (
        PRESETS["Paper 5.1"][0],
        1e-4,
        "1000 matrices of 80 x 100, as printed; C = 10, λ = λ_max / 10,000. R-GLM takes minutes.",
    ),
}


def draw_figure_1() -> None:
    """Draw a button for each way to see Figure 1 of the SMM paper, and for the way back."""
    with st.container(horizontal=True, gap="small"):
        for name, (run, lam, note) in FIGURE_1.items():
            st.button(name, help=note, on_click=_set_figure, args=(run, lam))


def _set_figure(run: SMMRun, lam: float) -> None:
    controls.set_to(run)
    st.session_state.update(RIVALS, **{"lambda": lam})
