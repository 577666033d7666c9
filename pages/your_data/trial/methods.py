"""The classifiers of a trial: the package's estimators, with weights in units of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import cross_val_score
from sklearn.utils.class_weight import compute_sample_weight

from pages.shared.methods import SHARE_MARGIN
from pages.your_data.trial.splits import Split
from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.estimators import SupportMatrixMachineCV
from smmcore.problems import GLMProblem, SMMProblem

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Balance = Literal["balanced"] | None

# The paper's grid of C, here in units of 1 / s^2; a search takes every third of them.
C_GRID = [float(f"{step}e{decade}") for decade in range(-3, 4) for step in (1, 2, 5)][:-1]
SEARCHED = tuple(C_GRID[3::3])
SEARCH_TOL = 1e-3  # relative gap at which a fit ends that only chooses weights
LAM_SHARES = tuple(float(f"{share:.3g}") for share in np.geomspace(1, 0.01, 11)[1:])
CLASSES = {
    "lsvm": LinearSVM,
    "bsvm": BilinearSVM,
    "rglm": RegularizedGLM,
    "smm": SupportMatrixMachine,
}
# What the estimators get besides their weights.
OPTIONS: dict[str, dict[str, Any]] = {
    "lsvm": {},
    "bsvm": {"fit_intercept": True, "n_init": 1, "tol": 1e-3, "max_iter": 100},
    "rglm": {"tol": 1e-4, "max_iter": 2_000},
    "smm": {},
}


class MethodSpec(NamedTuple):
    """A method and its weights, in units of the training set."""

    method: str
    c: float | None = None  # C s^2, where s^2 is the mean squared distance from the mean
    share: float | None = None  # tau / tau_max of the SMM, lambda / lambda_max of the R-GLM
    rank: int | None = None  # of the bilinear SVM's W, at most

    def __repr__(self) -> str:
        """Return the shortest call that makes it."""
        given = [f"{name}={value!r}" for name, value in self._asdict().items() if value is not None]
        return f"MethodSpec({', '.join(given)})"


def most_frequent(specs: Sequence[MethodSpec]) -> MethodSpec:
    """Return the weights that were chosen most often; of equals the least rank, C, then share."""
    return min(
        specs,
        key=lambda spec: (-specs.count(spec), spec.rank or 0, spec.c or 0.0, -(spec.share or 0.0)),
    )


class TrainingSet:
    """Scaled samples (n, p, q) with their classes, 0 to K - 1, and the units of the weights."""

    def __init__(self, X: Array, y: Rows, class_weight: Balance = None) -> None:
        self.X, self.y, self.class_weight = X, y, class_weight
        self._sides = [np.where(y == k, 1.0, -1.0) for k in range(int(y.max()) + 1)]
        self._weights = compute_sample_weight(class_weight, y)

    @cached_property
    def _hinge(self) -> SMMProblem:
        problem = SMMProblem(self.X, self._sides[0], 1.0, 0.0, sample_weight=self._weights)
        if problem.spread <= 1e-9 * np.abs(self.X).max():
            raise ValueError("all samples of a training set are equal: there is nothing to learn")
        return problem

    @property
    def unit_of_C(self) -> float:
        """1 / s^2."""
        return float(1 / self._hinge.spread**2)

    @cached_property
    def unit_of_tau(self) -> float:
        """The bound of tau_max at C = 1, as in `SupportMatrixMachineCV`: the largest of all.

        It is tau_max for two classes of equal weight, and at most about twice tau_max for others.
        """
        return max(self._hinge.with_labels(side).tau_bound() for side in self._sides)

    @cached_property
    def unit_of_lam(self) -> float:
        """lambda_max, the largest of the classes."""
        _ = self._hinge  # refuses equal samples
        problem = GLMProblem(self.X, self._sides[0], 1.0, sample_weight=self._weights)
        return max(problem.with_labels(side).lam_max() for side in self._sides)

    def estimator(self, spec: MethodSpec) -> Any:
        """Return the estimator of a method with its weights, not fitted yet."""
        options = OPTIONS[spec.method] | {"class_weight": self.class_weight}
        share = SHARE_MARGIN * (spec.share or 0.0)
        if spec.method == "rglm":
            return RegularizedGLM(share * self.unit_of_lam, **options)
        C = (spec.c or 1.0) * self.unit_of_C
        if spec.method == "lsvm":
            return LinearSVM(C, **options)
        if spec.method == "bsvm":
            return BilinearSVM(spec.rank or 1, C, **options)
        return SupportMatrixMachine(C, share * C * self.unit_of_tau, **options)

    def score(self, spec: MethodSpec, fold: Split) -> list[tuple[MethodSpec, float]]:
        """Return the accuracy of weights on the held-out samples of a fold.

        Of an SMM without a share those of a path of taus, the largest first.
        """
        if spec.method == "smm":
            path = SupportMatrixMachineCV(
                [(spec.c or 1.0) * self.unit_of_C],
                cv=[fold],
                rule="best",
                class_weight=self.class_weight,
                tol=SEARCH_TOL,
            ).fit(self.X, self.y)
            shares = path.taus_[0] / (path.C_ * self.unit_of_tau)
            specs = [spec._replace(share=float(f"{share:.3g}")) for share in shares]
            return list(zip(specs, path.scores_[0, 0].tolist(), strict=True))
        machine = self.estimator(spec).set_params(tol=SEARCH_TOL)
        (score,) = cross_val_score(machine, self.X, self.y, cv=[fold], error_score="raise")
        return [(spec, float(score))]


def searched_specs(method: str, Cs: Sequence[float], p: int, q: int) -> list[MethodSpec]:
    """Return the weights that a search tries, the simplest first; of the SMM one C for a path."""
    if method == "rglm":
        return [MethodSpec(method, share=share) for share in LAM_SHARES]
    if method == "bsvm":
        return [MethodSpec(method, c, rank=rank) for c in Cs for rank in rank_grid(p, q)]
    return [MethodSpec(method, c) for c in Cs]


def rank_grid(p: int, q: int) -> list[int]:
    """Return the ranks 1, 2, 4, ... up to min(p, q)."""
    return [2**power for power in range(min(p, q).bit_length())]
