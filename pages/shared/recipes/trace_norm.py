"""Recipes of trace-norm regression: a truth of low rank, its estimates, and how many samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pages.shared.recipes.samples import Array, check, check_size
from smmcore.datasets import make_low_rank
from smmcore.experiments.experiment import Dataset
from smmcore.penalties import Ball, Lp, TraceNorm, Weighted
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified
from smmcore.solvers.proximal import ProximalState

TESTS = 300  # samples that nobody learns from
ESTIMATES = {
    "ls": "nothing (least norm)",
    "l2": "ℓ₂ (Frobenius) norm",
    "l1": "ℓ₁ norm of the entries",
    "trace": "trace norm",
}


class Measured(NamedTuple):
    """Matrices, what was measured of them, and the matrix that was measured with."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    X_test: Array  # (TESTS, p, q)
    y_test: Array  # (TESTS,)
    truth: Array  # (p, q), Theta*

    @property
    def Phi(self) -> Array:
        """The matrices as rows, (n, p q)."""
        return self.X.reshape(len(self.X), -1)

    def first(self, n: int) -> Measured:
        """The same with the first n samples to learn from."""
        return self._replace(X=self.X[:n], y=self.y[:n])

    def rmse(self, theta: Array) -> tuple[float, float]:
        """Return the root mean square errors on the samples to learn from, and on the others."""
        pairs = (self.X, self.y), (self.X_test, self.y_test)
        return tuple(
            float(np.sqrt(np.mean((y - X.reshape(len(X), -1) @ theta) ** 2))) for X, y in pairs
        )


@dataclass(frozen=True)
class LowRank(Dataset):
    """Normal matrices X_i and y_i = <Theta*, X_i> + noise, ||Theta*||_F = 1."""

    n: int = 200
    p: int = 20
    q: int = 16
    rank: int = 2
    noise: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        check_size(self.n, self.p, self.q, 2_000, 1_000_000)
        check("the rank of Theta*", self.rank, 1, min(self.p, self.q), "min(p, q)")
        check("the noise", self.noise, 0, 100)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q)."""
        return self.n, self.p, self.q

    @property
    def freedom(self) -> int:
        """How many numbers a p x q matrix of this rank is made of: r (p + q - r)."""
        return self.rank * (self.p + self.q - self.rank)

    def prepare(self) -> Measured:
        """Generate the samples; those to test on come first, and a larger n only adds to them."""
        X, y, truth = make_low_rank(TESTS + self.n, (self.p, self.q), self.rank, 0.0, self.seed)
        y += self.noise * np.random.default_rng([self.seed, 1]).standard_normal(len(y))
        return Measured(X[TESTS:], y[TESTS:], X[:TESTS], y[:TESTS], truth)

    def script(self) -> str:
        """Return the statements that make X, y and Theta*, once NumPy is imported."""
        return f"""\
from smmcore.datasets import make_low_rank

X, y, truth = make_low_rank({TESTS + self.n}, ({self.p}, {self.q}), {self.rank}, 0.0, {self.seed})
y += {self.noise!r} * np.random.default_rng([{self.seed}, 1]).standard_normal(len(y))
X_test, y_test, X, y = X[:{TESTS}], y[:{TESTS}], X[{TESTS}:], y[{TESTS}:]
"""


@dataclass(frozen=True)
class TraceNormRun:
    """Least squares with the trace norm by proximal gradient, from zero until certified."""

    data: LowRank
    radius: float | None = 1.2  # the constrained form
    lam: float | None = None  # the penalised form
    accelerated: bool = True
    tol: float = 1e-6
    max_iter: int = 3_000

    def __post_init__(self) -> None:
        if (self.radius is None) == (self.lam is None):
            raise ValueError(
                f"one of R and lambda must be given, got R = {self.radius}, lambda = {self.lam}"
            )
        if self.radius is not None:
            check("R, the bound of the trace norm,", self.radius, 1e-6, 1e6)
        else:
            check("lambda, the weight of the trace norm,", self.lam, 1e-12, 1e12)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)

    def problem(self, data: Measured) -> RegularizedLS:
        """Return this run's problem on its samples."""
        norm = TraceNorm(self.data.shape[1:])
        penalty = Weighted(norm, self.lam) if self.radius is None else Ball(norm, self.radius)
        return RegularizedLS(data.Phi, data.y, penalty)

    def states(
        self, problem: RegularizedLS, start: ProximalState | None = None
    ) -> Iterator[ProximalState]:
        """Return the endless solver, from zero or from one of its own states."""
        return proximal_gradient(problem, accelerated=self.accelerated, start=start)

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        norm = f"TraceNorm({self.data.shape[1:]})"
        penalty = (
            f"Weighted({norm}, {self.lam!r})"
            if self.radius is None
            else f"Ball({norm}, {self.radius!r})"
        )
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.penalties import Ball, TraceNorm, Weighted
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient

{self.data.script()}
problem = RegularizedLS(X.reshape(len(X), -1), y, {penalty})
states = proximal_gradient(problem, accelerated={self.accelerated})

for state in islice(states, {self.max_iter}):
    proof = state.certificate(problem)
    Theta = proof.theta.reshape(truth.shape)
    error = np.linalg.norm(Theta - truth)
    print(state.k, proof.primal, proof.relative_gap, np.linalg.matrix_rank(Theta), error)
    if proof.within({self.tol!r}):
        break
'''


@dataclass(frozen=True)
class TraceNormPath:
    """The constrained solutions along R, up to 1.5 ||Theta*||_tr."""

    data: LowRank
    steps: int = 24  # up to ||Theta*||_tr
    tol: float = 1e-6
    max_iter: int = 2_000

    def __post_init__(self) -> None:
        check("the number of steps", self.steps, 2, 200)

    @property
    def shares(self) -> Array:
        """R of each point in units of ||Theta*||_tr, ascending."""
        return np.arange(1, self.steps * 3 // 2 + 1) / self.steps

    def solutions(
        self, data: Measured, start: ProximalState | None = None, done: int = 0
    ) -> Iterator[tuple[float, float, LSCertificate, ProximalState]]:
        """Yield share, R, solution and last state of each point, begun where the one before ended.

        Parameters
        ----------
        data : Measured
        start : ProximalState, optional
            The last state of the point that was `done` last.
        done : int
            Points to leave out.
        """
        norm = TraceNorm(data.truth.shape)
        unit = float(norm.value(data.truth.ravel()))
        base = RegularizedLS(data.Phi, data.y, Ball(norm, unit))
        for share in self.shares[done:]:
            radius = float(share * unit)
            problem = base.with_penalty(Ball(norm, radius))
            steps = proximal_gradient(problem, start=start)
            proof, start = certified(problem, steps, self.tol, self.max_iter)
            yield share, radius, proof, start

    def script(self) -> str:
        """Return a program that makes the same solutions and prints R, rank and errors."""
        return f'''\
"""A path of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.penalties import Ball, TraceNorm
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified

{self.data.script()}
Phi, norm, state = X.reshape(len(X), -1), TraceNorm(truth.shape), None
for share in np.arange(1, {len(self.shares)} + 1) / {self.steps}:
    radius = float(share * norm.value(truth.ravel()))
    problem = RegularizedLS(Phi, y, Ball(norm, radius))
    steps = proximal_gradient(problem, start=state)
    proof, state = certified(problem, steps, {self.tol!r}, {self.max_iter})
    Theta = proof.theta.reshape(truth.shape)
    test = np.sqrt(np.mean((y_test - np.tensordot(X_test, Theta)) ** 2))
    print(radius, np.linalg.matrix_rank(Theta), np.linalg.norm(Theta - truth), test)
'''


@dataclass(frozen=True)
class RecoveryRun:
    """Four estimates of Theta* from more and more samples, each at the bound that tests best."""

    few: LowRank
    steps: int = 10  # of n, equal ones up to 1.4 p q
    tol: float = 1e-4  # a picture shows no more
    max_iter: int = 1_000

    def __post_init__(self) -> None:
        check("the number of steps", self.steps, 2, 50)

    @property
    def counts(self) -> list[int]:
        """How many samples, ascending; the lesson's own number is among them."""
        _, p, q = self.few.shape
        steps = np.linspace(0, 1.4 * p * q, self.steps + 1)[1:]
        return sorted({max(2, round(n)) for n in steps} | {self.few.n})

    @property
    def data(self) -> LowRank:
        """As many samples as the largest number needs; others are its first ones."""
        return replace(self.few, n=self.counts[-1])

    @property
    def shares(self) -> Array:
        """The bounds that are tried, in units of the norm of Theta*."""
        return np.arange(1, 13) / 8

    @property
    def norms(self) -> dict[str, Lp | TraceNorm]:
        """The norm of each estimate that has one."""
        return {"l2": Lp(2), "l1": Lp(1), "trace": TraceNorm(self.few.shape[1:])}

    def estimates(self, data: Measured) -> dict[str, Array]:
        """Return theta of each of `ESTIMATES` from the samples of `data`."""
        found = {"ls": np.linalg.lstsq(data.Phi, data.y)[0]}
        return found | {name: self._best(norm, data) for name, norm in self.norms.items()}

    def _best(self, norm: Lp | TraceNorm, data: Measured) -> Array:
        """Return the solution at the bound that has the least error on the test samples."""
        size, state, tried = float(norm.value(data.truth.ravel())), None, []
        base = RegularizedLS(data.Phi, data.y, Ball(norm, size))
        for share in self.shares:
            problem = base.with_penalty(Ball(norm, float(share * size)))
            steps = proximal_gradient(problem, start=state)
            proof, state = certified(problem, steps, self.tol, self.max_iter)
            tried.append((data.rmse(proof.theta)[1], proof.theta))
        return min(tried, key=lambda pair: pair[0])[1]

    def script(self) -> str:
        """Return a program that prints n and the four errors."""
        return f'''\
"""A comparison of the support matrix machine lab; it needs the lab's package smmcore."""

import numpy as np

from smmcore.penalties import Ball, Lp, TraceNorm
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified

{self.data.script()}
Phi, truth = X.reshape(len(X), -1), truth.ravel()
Phi_test = X_test.reshape(len(X_test), -1)
for n in {self.counts}:
    errors = [np.linalg.norm(np.linalg.lstsq(Phi[:n], y[:n])[0] - truth)]
    for norm in Lp(2), Lp(1), TraceNorm({self.few.shape[1:]}):
        state, tried = None, []
        for share in {self.shares.tolist()}:
            ball = Ball(norm, float(share * norm.value(truth)))
            problem = RegularizedLS(Phi[:n], y[:n], ball)
            steps = proximal_gradient(problem, start=state)
            proof, state = certified(problem, steps, {self.tol!r}, {self.max_iter})
            test = np.mean((y_test - Phi_test @ proof.theta) ** 2)
            tried.append((test, np.linalg.norm(proof.theta - truth)))
        errors.append(min(tried)[1])
    print(n, *errors)
'''
