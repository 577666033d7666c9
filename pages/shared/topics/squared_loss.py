"""Hinge or squared loss: the settings of Xia and Fan's algorithm, and the words of the numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address, prose
from pages.shared.recipes import LOSSES, BilevelRun, Split
from pages.shared.runs import Run

CORRECTED, PRINTED = SIGNS = ("corrected", "as printed")


def choose(data: Split, C: float, tau: float) -> BilevelRun:
    """Draw the controls; return what they say."""
    left, right = st.columns(2)
    loss = address.choice(
        left,
        "segmented_control",
        "Loss",
        ["squares", "hinge"],
        "squares",
        key="loss",
        help="squares: BP-LSSMM, their section 4. hinge: BP-SMM, their section 3.",
    )
    sign = address.choice(
        right,
        "segmented_control",
        "Sign of eq. 6",
        SIGNS,
        CORRECTED,
        key="sign",
        help="Corrected: Λ − ρ (W − S). As printed: Λ − ρ (S − W).",
    )
    rho = address.choice(
        left,
        "select_slider",
        "ρ of their algorithm",
        [0.1, 0.3, 1.1, 3.0, 10.0, 30.0, 100.0],
        1.1,
        key="rho_bp",
        help="Their Table 1 has 1.1. It changes the path, not the model.",
    )
    unit = address.choice(
        right,
        "select_slider",
        "Samples times",
        [0.01, 0.1, 1.0, 10.0, 255.0],
        1.0,
        key="unit",
        help="C is divided by its square and τ by it, so that the model stays: W is divided by it.",
    )
    return BilevelRun(data, C, tau, rho, loss, sign == PRINTED, unit)


def rows(end: np.void) -> list[dict[str, object]]:
    """The table of a race, from the last record of its curves."""
    return [
        {
            "machine": name,
            "training accuracy": f"{end[f'train_{loss}']:.1%}",
            "held-out accuracy": f"{end[f'held_{loss}']:.1%}",
            "rank": int(end[f"rank_{loss}"]),
            "iterations": int(end[f"steps_{loss}"]),
            "seconds": f"{end[f'seconds_{loss}']:.3f}",
            "relative gap": f"{end[f'gap_{loss}']:.1e}",
        }
        for loss, name in LOSSES.items()
    ]


def paid(hinge: NDArray, squares: NDArray) -> str:
    """What samples pay for being too right, from the margins of both machines."""
    excess = (1 - squares) ** 2
    share = excess[squares > 1].sum() / excess.sum() if np.any(squares > 1) else 0.0
    free = np.sum(hinge > 1)
    far = f", the farthest at {hinge.max():.1f}, and none pays" if free else ""
    return (
        f"Above a margin of 1 the LS-SMM has {np.sum(squares > 1)} of its {len(squares)} samples: "
        f"for being too right these pay {share:.0%} of the squared loss. The SMM has {free} "
        f"there{far}."
    )


def certificate(race: Run) -> str:
    """Write what proves the LS-SMM of the race, in LaTeX, with its numbers."""
    recipe, proof = race.recipe, race.frames.certificate["squares"]
    return (
        r"\begin{gathered} D(a) = \sum_i y_i a_i - "
        rf"\frac{{1}}{{{prose.number(2 * recipe.C)}}} \sum_i a_i^2 \\ "
        r"- \tfrac12 \Big\| \mathcal{D}_\tau \Big( \sum_i a_i X_i \Big) \Big\|_F^2, \quad "
        rf"\tau = {prose.number(recipe.tau)} \\ "
        rf"P = {prose.number(proof.primal, 4)}, \quad "
        rf"P - D = {prose.number(proof.relative_gap)}\, P "
        r"\end{gathered}"
    )


def same_model(run: Run, race: Run) -> str:
    """How far the W of the algorithm is from that of the race, and how far it may be."""
    proof, other = run.frames.certificate, race.frames.certificate[run.recipe.loss]
    unit = run.recipe.unit
    apart, norm = np.linalg.norm(unit * proof.W - other.W), np.linalg.norm(other.W)
    return (
        f"‖W − W of the race‖ = {apart:.1e} in the unit of the race, where ‖W‖ = {norm:.2g}; the "
        f"two gaps allow {unit * proof.radius + other.radius:.1e}. **Whatever ρ, the same model**: "
        "there is nothing in it to cross-validate."
    )
