"""Recipes of the SMM's own runs: Algorithm 1, two settings of it, and its solutions along tau."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from pages.shared.recipes.data import Data, Split
from pages.shared.recipes.samples import Array, check
from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm
from smmcore.solvers.admm import ADMMState

RESTARTED, UNGUARDED, PLAIN = ALGORITHMS = (
    "fast ADMM with restart",  # Algorithm 1
    "fast ADMM without restart",
    "plain ADMM",
)


@dataclass(frozen=True)
class SMMRun:
    """Algorithm 1 of the SMM paper on some data, from a cold start until its gap is certified."""

    data: Data
    C: float = 1.0
    tau: float = 1.0
    rho: float | None = None  # None: chosen by the solver
    eta: float = 0.999
    tol: float = 1e-6
    max_iter: int = 2_000
    algorithm: str = RESTARTED

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)  # volts ask for large ones
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        if self.rho is not None:
            check("rho, the penalty of ADMM,", self.rho, 1e-12, 1e12)
        check("eta, the threshold of a restart,", self.eta, 0.01, 0.999999)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 10_000)
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"the algorithm must be one of {ALGORITHMS}, got {self.algorithm!r}")

    def problem(self, base: SMMProblem) -> SMMProblem:
        """Return this run's problem, given one on the same samples at any weights."""
        return base.with_weights(C=self.C, tau=self.tau)

    def states(self, problem: SMMProblem, start: ADMMState | None = None) -> Iterator[ADMMState]:
        """Return the endless solver, cold or from one of its own states."""
        solver, options = self._solver
        return solver(problem, start=start, **options)

    @property
    def _solver(self) -> tuple[Callable, dict[str, object]]:
        options = {"rho": self.rho or "auto"}
        if self.algorithm == PLAIN:
            return admm, options
        return fast_admm, options | {"eta": inf if self.algorithm == UNGUARDED else self.eta}

    @property
    def call(self) -> str:
        """The solver as a program calls it."""
        solver, options = self._solver
        said = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return f"{solver.__name__}(problem, {said})".replace("=inf", '=float("inf")')

    @property
    def said(self) -> str:
        """The solver as a reader calls it."""
        eta = f", η = {self.eta:g}" if self.algorithm == RESTARTED else ""
        return f"{self.algorithm}, ρ {'auto' if self.rho is None else f'= {self.rho:g}'}{eta}"

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.C!r}, tau={self.tau!r})

states = {self.call}

for state in islice(states, {self.max_iter}):
    certificate = state.certificate(problem)
    print(state.k, certificate.primal, certificate.dual, certificate.relative_gap)
    if certificate.within({self.tol!r}):
        break

W, b = certificate.W, certificate.b
print(f"rank {{certificate.rank}}, ||W - W*||_F at most {{certificate.radius:.1e}}")
'''


@dataclass(frozen=True)
class DuelRun:
    """Two settings of ADMM on the same problem: other rho, eta or algorithm, and nothing else."""

    first: SMMRun
    second: SMMRun

    def __post_init__(self) -> None:
        way = {name: getattr(self.first, name) for name in ("rho", "eta", "algorithm")}
        if replace(self.second, **way) != self.first:
            raise ValueError("the two must differ in rho, eta and the algorithm only")

    @property
    def data(self) -> Data:
        """Those of both."""
        return self.first.data

    @property
    def tol(self) -> float:
        """That of both."""
        return self.first.tol

    @property
    def max_iter(self) -> int:
        """That of both."""
        return self.first.max_iter

    def script(self) -> str:
        """Return a program that prints iterations and gap of both."""
        sides = "\n".join(f"    {run.said!r}: {run.call}," for run in (self.first, self.second))
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.first.C!r}, tau={self.first.tau!r})
runners = {{
{sides}
}}
for name, states in runners.items():
    for state in islice(states, {self.max_iter}):
        certificate = state.certificate(problem)
        if certificate.within({self.tol!r}):
            break
    print(name, state.k, certificate.relative_gap)
'''


DRAWN = 6  # singular values that have a curve of their own along a path


@dataclass(frozen=True)
class PathRun:
    """The solutions of the SMM along tau: one step above tau_max, there, and some decades down."""

    data: Split
    C: float = 1.0
    points: int = 61
    decades: float = 3.0
    tol: float = 1e-6

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the number of points", self.points, 3, 500)
        check("the decades of tau", self.decades, 0.1, 8)
        check("the tolerance", self.tol, 1e-12, 1)

    @property
    def shares(self) -> Array:
        """tau of each point in units of tau_max, descending, (points,).

        At the second one W = 0, which rounding would leave a direction without the 1e-9.
        """
        steps = np.arange(-1, self.points - 1) * (self.decades / (self.points - 2))
        return (1 + 1e-9) * 10.0**-steps

    def script(self) -> str:
        """Return a program that makes the same solutions and prints their ranks."""
        return f'''\
"""A path of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.path import tau_path
from smmcore.problems import SMMProblem

{self.data.script()}
problem = SMMProblem(X, y, C={self.C!r}, tau=1.0)
steps = np.arange(-1, {self.points} - 1) * ({self.decades!r} / ({self.points} - 2))
taus = problem.tau_max(1e-4) * (1 + 1e-9) * 10.0**-steps

for tau, proof in zip(taus, tau_path(problem, taus, tol={self.tol!r})):
    right = np.sign(np.tensordot(X_test, proof.W) + proof.b) == y_test
    print(tau, proof.rank, right.mean(), proof.relative_gap)
'''


@dataclass(frozen=True)
class PlaneRun:
    """The solutions of the SMM on a grid of C and tau, each row of it a path."""

    data: Split
    rows: int = 9  # values of C
    columns: int = 13  # of tau
    tol: float = 1e-4  # a map shows no more

    @property
    def weights(self) -> Array:
        """C of each row in units of 1 / s^2, ascending, (rows,)."""
        return 10.0 ** np.linspace(-1, 3, self.rows)

    @property
    def shares(self) -> Array:
        """tau of each column in units of tau_max at that C, descending, (columns,)."""
        return 10.0 ** -np.linspace(0, 3, self.columns)

    def script(self) -> str:
        """Return a program that makes the same solutions and prints their ranks and accuracies."""
        return f'''\
"""A map of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.path import tau_path
from smmcore.problems import SMMProblem

{self.data.script()}
base = SMMProblem(X, y, C=1.0, tau=1.0)
shares = 10.0 ** -np.linspace(0, 3, {self.columns})
for c in 10.0 ** np.linspace(-1, 3, {self.rows}):
    C = c / base.spread**2
    path = tau_path(base.with_weights(C=C), shares * C * base.tau_max(1e-3), tol={self.tol!r})
    for share, proof in zip(shares, path):
        right = [
            np.mean((np.tensordot(X, proof.W) + proof.b > 0) == (y > 0))
            for X, y in ((X, y), (X_test, y_test))
        ]
        print(c, share, proof.rank, *right)
'''
