"""The four machines that are compared: their problems, their solvers, what is drawn of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.shared.films.frame import Film, Taken, accuracy, in_steps, matrices
from pages.shared.recipes import RaceRun, SweepRun
from smmcore.problems import BilinearProblem, Certificate, GLMProblem
from smmcore.solvers import accelerated_gradient, alternating_svm, fast_admm
from smmcore.solvers.alternating import svm_basis
from smmcore.theory import grouping_score

MEASURED = ("group", "rank", "train", "held")


class Machines(Film):
    """Frames that show each method's W, divided by its largest entry, and four numbers of it."""

    recipe: RaceRun | SweepRun

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the matrices."""
        return matrices([f"W_{method}" for method in self.recipe.methods], p, q)

    def columns(self, *further: str) -> list[tuple[str, str]]:
        """Return the fields of the curves that each method has."""
        names = (*MEASURED, *further)
        return [(f"{name}_{method}", "<f8") for method in self.recipe.methods for name in names]

    def measured(self, proof: Certificate, data: Taken) -> list[float]:
        """Return grouping score, rank, training and held-out accuracy."""
        return [
            grouping_score(proof.W, self.recipe.data.data.group_of_column),
            proof.rank,
            accuracy(proof.decision, data.problem.y),
            data.held_accuracy(proof),
        ]


def problem_of(method: str, recipe: RaceRun, data: Taken) -> Any:
    """Return a method's problem, at the recipe's weights."""
    base = data.problem
    if method == "smm":
        return base.with_weights(C=recipe.C, tau=recipe.tau)
    if method == "lsvm":
        return base.with_weights(C=recipe.C, tau=0.0)
    if method == "bsvm":
        rank = min(recipe.rank, *base.shape[1:])
        return BilinearProblem(base.X, base.y, recipe.C, rank, recipe.offset)
    glm = GLMProblem(base.X, base.y, 1.0)
    return glm.with_weight(recipe.lam * glm.lam_max())


SOLVERS = {
    "smm": lambda problem, state: fast_admm(problem, rho="auto", start=state),
    # The first QP is it, but for a share rho of W, and a gap of rho^2.
    "lsvm": lambda problem, state: fast_admm(problem, rho=1e-6, start=state),
    "bsvm": lambda problem, state: alternating_svm(
        problem, start=svm_basis(problem) if state is None else state
    ),
    "rglm": lambda problem, state: accelerated_gradient(problem, start=state),
}


def normalised(W: NDArray[np.float64]) -> tuple[float, NDArray[np.int8]]:
    """Return W divided by its largest entry, as pictures have it: all on one scale."""
    largest = float(np.abs(W).max())
    return in_steps(W / largest if largest else W)
