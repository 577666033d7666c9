"""Settings with a name: where a reader starts, what the paper did, and one that is hard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.shared import controls
from pages.shared.algorithm1 import PRESETS, QUICK, SMMRun
from pages.shared.recipes import (
    METHODS,
    BlockCorrelated,
    LowRank,
    RecoveryRun,
    Split,
    TraceNormPath,
    ValidationRun,
)

# Solved in advance, as those of the lessons are: see tests/bake.py
PRECOMPUTED = {
    "Rank against R": TraceNormPath(LowRank()),
    "Fewer samples than entries": RecoveryRun(LowRank()),
}

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
