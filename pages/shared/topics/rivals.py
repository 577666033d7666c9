"""The machines that are compared: their controls, and the words and tables about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address, presets, prose
from pages.shared.algorithm1 import SMMRun
from pages.shared.recipes import METHODS, SWEEP_LIMITS, RaceRun, Split, SweepRun
from smmcore.robustness import RULES, Choice, near_best

UNASKED = 2_000_000  # n p q up to which a sweep takes seconds
WAYS = {
    "bsvm": "The bilinear SVM has one start, the linear SVM's W, where smmcore's `BilinearSVM` "
    "takes the best of three.",
    "lsvm": "The linear SVM is here one step of ADMM at ρ = 10⁻⁶, one quadratic programme, and in "
    "the script scikit-learn's SVC.",
}


def choose(recipe: SMMRun) -> RaceRun:
    """Draw the controls of a race."""
    methods = address.several(st, "Machines", METHODS, key="machines")
    left, middle, right = st.columns(3)
    lam = address.choice(
        left,
        "select_slider",
        "λ / λ_max of the R-GLM",
        presets.LAMBDAS,
        0.01,
        key="lambda",
        help="λ_max is the smallest λ with W = 0. Smaller λ, weaker regularisation.",
        disabled="rglm" not in methods,
    )
    rank = address.choice(
        middle,
        "select_slider",
        "Rank of the bilinear SVM, at most",
        [1, 2, 3, 4, 5, 6, 8, 10, 15, 20],
        4,
        key="rank",
        disabled="bsvm" not in methods,
    )
    offset = address.toggle(
        right,
        "Bilinear SVM with an offset",
        key="offset",
        help="That of the paper has no b, which costs it much where the samples are not centred.",
        disabled="bsvm" not in methods,
    )
    return RaceRun(Split(recipe.data), recipe.C, recipe.tau, lam, rank, offset, methods)


def told(run: RaceRun) -> str:
    """Say at which weights the machines run, and how."""
    svms = [METHODS[name] for name in ("smm", "bsvm", "lsvm") if name in run.methods]
    said = [f"C = {run.C:g} ({', '.join(svms)})"] if svms else []
    said += [f"τ = {run.tau:g} (SMM)"] if "smm" in run.methods else []
    said += [f"λ = {run.lam:g} λ_max (R-GLM)"] if "rglm" in run.methods else []
    caveats = " ".join(WAYS[name] for name in run.methods if name in WAYS)
    return (
        f"{', '.join(said)}; 70 % of the samples train, 30 % are held out. "
        f"Each W is divided by its largest entry. {caveats}"
    )


def results(
    curves: NDArray[np.void], methods: Sequence[str], tests: int
) -> list[dict[str, object]]:
    """Return a row for each machine at the end of a race."""
    last = curves[-1:]
    end = last[0]
    held = np.array([end[f"held_{name}"] for name in methods])
    stars = np.where(held == held.max(), "★ ", np.where(near_best(held, tests), "☆ ", ""))
    return [
        {
            "machine": METHODS[name],
            "held-out accuracy": f"{star}{end[f'held_{name}']:.1%}",
            "grouping score": prose.scores(last[f"group_{name}"], last[f"rank_{name}"]),
            "rank": int(end[f"rank_{name}"]),
            "training accuracy": f"{end[f'train_{name}']:.1%}",
            "iterations": int(end[f"steps_{name}"]),
            "seconds": round(float(end[f"seconds_{name}"]), 3),
            "relative gap": f"{end[f'gap_{name}']:.1e}",
        }
        for name, star in zip(methods, stars, strict=True)
    ]


def choose_sweep(race: RaceRun) -> tuple[SweepRun, str, bool]:
    """Draw the controls of a sweep; return it, the rule of its choice and whether it is asked."""
    n, p, q = race.data.data.shape
    left, right = st.columns(2)
    tau = address.choice(
        left,
        "select_slider",
        "τ of the SMM, over the linear SVM's ‖W‖₂",
        [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0],
        0.1,
        key="tau_rel2",
        help="The SMM's τ in units of the largest singular value of the linear SVM's W at the same "
        "C.",
        disabled="smm" not in race.methods,
    )
    rule = address.choice(right, "selectbox", "Of the weights take the", RULES, RULES[2], key="tie")
    asked = n * p * q <= UNASKED or address.toggle(
        st,
        f"Sweep these {n:,} matrices of {p} x {q}: takes minutes",
        key="large",
        help="Three minutes of processor time at the paper's size, more by the clock while the "
        "race above goes on or others compute. Nearly all is the R-GLM's at its smallest λ, where "
        f"it ends after {SWEEP_LIMITS['rglm']:,} iterations, certified or not. Each weight is "
        "drawn when it is done; Stop ends the sweep.",
    )
    return SweepRun(race.data, tau, race.rank, race.offset, race.methods), rule, asked


def choices_made(curves: NDArray[np.void], found: Mapping[str, Choice]) -> list[dict[str, str]]:
    """Return a row for each machine: the weight that validation takes, and its near-ties."""
    return [
        {
            "machine": METHODS[name],
            "held out": f"{at[f'held_{name}']:.1%}",
            "chosen": f"λ / λ_max = {at['lam']:g}" if name == "rglm" else f"C s² = {at['C']:g}",
            "near-ties": f"{len(choice.near)} of {len(curves)}",
            "grouping among these": prose.scores(
                curves[f"group_{name}"][choice.near],
                curves[f"rank_{name}"][choice.near],
            ),
        }
        for name, choice in found.items()
        for at in [curves[choice.chosen]]
    ]
