"""Recipes of sparse regression: ADMM with one of the penalties, and what is held against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pages.shared.recipes.regression import Regressed, Regression
from pages.shared.recipes.samples import Array, check
from smmcore.penalties import L12, Lp, Weighted
from smmcore.problems import RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm, stochastic_gradient
from smmcore.solvers.splitting import SplittingState
from smmcore.solvers.stochastic import StochasticState

PENALTIES = {
    "l2": "ℓ₂",
    "l1": "ℓ₁",
    "l1 + l2": "ℓ₁ + ℓ₂",
    "l1,2": "ℓ₁,₂, groups",
    "fused": "fused (total variation)",
}


@dataclass(frozen=True)
class SparseRun:
    """Least squares with a penalty by ADMM, from zero until its gap is certified."""

    data: Regression
    penalty: str = "l1"
    lam: float = 0.1
    tau: float = 0.5  # of l1 + l2: the share of the squares
    size: int = 5  # of l1,2: parameters in a group
    rho: float | None = None  # None: balanced by the solver
    tol: float = 1e-6
    max_iter: int = 3_000

    def __post_init__(self) -> None:
        check("lambda, the weight of the penalty,", self.lam, 1e-6, 1e6)
        check("tau, the share of the squares,", self.tau, 0, 1)
        check("the size of a group", self.size, 1, self.data.shape[1], "b")
        if self.rho is not None:
            check("rho, the penalty of ADMM,", self.rho, 1e-6, 1e6)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)
        if self.penalty not in PENALTIES:
            raise ValueError(f"the penalty must be one of {list(PENALTIES)}, got {self.penalty!r}")

    @property
    def weight(self) -> float:
        """The weight of the norm: lambda, or the share of it that l2 leaves."""
        return self.lam - self.eta

    @property
    def eta(self) -> float:
        """The weight of ||theta||^2."""
        return self.lam * {"l2": 1.0, "l1 + l2": self.tau}.get(self.penalty, 0.0)

    @property
    def _parts(self) -> tuple[Weighted, str]:
        b = self.data.shape[1]
        groups = self.penalty == "l1,2"
        norm = L12(tuple(j // self.size for j in range(b))) if groups else Lp(1)
        return Weighted(norm, self.weight), f"differences({b})" if self.split_by_F else "None"

    @property
    def split_by_F(self) -> bool:
        """Whether the penalty sees differences of neighbours, not theta."""
        return self.penalty == "fused"

    @property
    def seen(self) -> int:
        """How many numbers the penalty sees: the length of z."""
        return self.data.shape[1] - self.split_by_F

    def problem(self, data: Regressed) -> RegularizedLS:
        """Return this run's problem on its samples."""
        F = differences(self.data.shape[1]) if self.split_by_F else None
        return RegularizedLS(data.Phi, data.y, self._parts[0], F, self.eta)

    def states(
        self, problem: RegularizedLS, start: SplittingState | None = None
    ) -> Iterator[SplittingState]:
        """Return the endless solver, from zero or from one of its own states."""
        if self.rho is None:
            return balanced_admm(problem, start=start)
        return split_admm(problem.split(self.rho), start=start)

    @property
    def said(self) -> str:
        """The run as a reader calls it."""
        tau = f", τ = {self.tau:g}" if self.penalty == "l1 + l2" else ""
        return f"{PENALTIES[self.penalty]}, λ = {self.lam:g}{tau}"

    @property
    def source(self) -> str:
        """The problem as a program calls it."""
        penalty, F = self._parts
        return f"RegularizedLS(Phi, y, {penalty!r}, {F}, {self.eta!r})"

    @property
    def call(self) -> str:
        """The solver as a program calls it."""
        if self.rho is None:
            return "balanced_admm(problem)"
        return f"split_admm(problem.split({self.rho!r}))"

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        return f"""\
{_begin(self.data)}
problem = {self.source}
for state in islice({self.call}, {self.max_iter}):
    certificate = state.certificate(problem)
    print(state.k, certificate.primal, certificate.dual, certificate.relative_gap)
    if certificate.within({self.tol!r}):
        break

theta, z = certificate.theta, state.z
print(np.count_nonzero(z == 0), "zeros of", len(z))
"""


@dataclass(frozen=True)
class Contest:
    """ADMM on the same samples with several penalties, or weights, side by side."""

    runs: tuple[SparseRun, ...]

    def __post_init__(self) -> None:
        if len({(run.data, run.tol, run.max_iter) for run in self.runs}) != 1:
            raise ValueError("the runs must have data, tolerance and limit in common")

    @property
    def data(self) -> Regression:
        """Those of all."""
        return self.runs[0].data

    @property
    def tol(self) -> float:
        """That of all."""
        return self.runs[0].tol

    @property
    def max_iter(self) -> int:
        """That of all."""
        return self.runs[0].max_iter

    def script(self) -> str:
        """Return a program that prints iterations, gap and zeros of each."""
        rows = "\n".join(
            f"    ({run.said!r}, {run.source}, lambda problem: {run.call})," for run in self.runs
        )
        return f"""\
{_begin(self.data)}
runs = [
{rows}
]
for name, problem, solver in runs:
    for state in islice(solver(problem), {self.max_iter}):
        certificate = state.certificate(problem)
        if certificate.within({self.tol!r}):
            break
    print(name, state.k, certificate.relative_gap, np.count_nonzero(state.z == 0), sep="; ")
"""


@dataclass(frozen=True)
class StochasticRun:
    """The stochastic gradient with thresholding on an l1 problem, and ADMM on the same."""

    admm: SparseRun
    step: float = 0.1  # epsilon, in units of 1 / max ||phi(x_i)||^2
    every: int = 10  # steps before a threshold
    passes: int = 300  # over the samples
    seed: int = 0  # of the samples that are drawn

    def __post_init__(self) -> None:
        if self.admm.penalty != "l1":
            raise ValueError(f"the penalty must be 'l1', got {self.admm.penalty!r}")
        check("epsilon, the step,", self.step, 1e-6, 1.9, "1.9, below 2")
        check("the steps before a threshold", self.every, 1, 10_000)
        check("the passes over the samples", self.passes, 1, 1_000)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def data(self) -> Regression:
        """Those of both."""
        return self.admm.data

    @property
    def threshold_weight(self) -> float:
        """The lambda of the threshold, lam every / n: with it both have the same solution."""
        return self.admm.lam * self.every / self.data.shape[0]

    @property
    def rounds(self) -> int:
        """Rounds from one frame to the next: about a pass over the samples."""
        return max(1, self.data.shape[0] // self.every)

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return max(1, self.passes * self.data.shape[0] // (self.rounds * self.every))

    def epsilon(self, Phi: Array) -> float:
        """The step in the units of the samples."""
        return self.step / float((Phi * Phi).sum(axis=1).max())

    def states(
        self, data: Regressed, start: StochasticState | None = None
    ) -> Iterator[StochasticState]:
        """Return the endless solver, from zero or from one of its own states."""
        return stochastic_gradient(
            data.Phi,
            data.y,
            self.threshold_weight,
            self.epsilon(data.Phi),
            every=self.every,
            seed=self.seed,
            start=start,
        )

    def script(self) -> str:
        """Return a program that prints the objective of the last round, and its zeros."""
        return f"""\
{_begin(self.data)}
problem = {self.admm.source}
step = {self.step!r} / float((Phi * Phi).sum(axis=1).max())
states = stochastic_gradient(
    Phi, y, {self.threshold_weight!r}, step, every={self.every}, seed={self.seed}
)
*_, state = islice(states, {self.frames * self.rounds})
theta = state.theta
print(state.k, problem.primal(theta), np.count_nonzero(theta == 0))
"""


def _begin(data: Regression) -> str:
    return f'''\
"""Sparse regression in the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.penalties import L12, Lp, Weighted
from smmcore.problems import RegularizedLS, differences
from smmcore.solvers import balanced_admm, split_admm, stochastic_gradient

{data.script()}'''
