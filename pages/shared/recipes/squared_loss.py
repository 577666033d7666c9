"""Recipes of the hinge against the squared loss: a race, Xia and Fan's algorithm, their table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pages.shared.recipes.data import Brought, Split
from pages.shared.recipes.samples import check
from smmcore.experiments.least_squares import GRID
from smmcore.problems import LSSMMProblem, SMMProblem, SpectralProblem
from smmcore.solvers import bilevel
from smmcore.solvers.bilevel import BilevelState

LOSSES = {"hinge": "SMM", "squares": "LS-SMM"}  # by the names that frames use
PROBLEMS = {"hinge": SMMProblem, "squares": LSSMMProblem}


@dataclass(frozen=True)
class LossRun:
    """The support matrix machine with the hinge and with the squared loss, at the same weights."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    tol: float = 1e-6
    max_iter: int = 4_000

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        check("the tolerance", self.tol, 1e-12, 1)

    def script(self) -> str:
        """Return a program that fits both and prints their numbers."""
        weights = f"C={self.C!r}, tau={self.tau!r}, tol={self.tol!r}, max_iter={self.max_iter}"
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore import LeastSquaresSMM, SupportMatrixMachine

{self.data.script()}
for kind in (SupportMatrixMachine, LeastSquaresSMM):
    machine = kind({weights})
    machine.fit(X, y)
    accuracies = machine.score(X, y), machine.score(X_test, y_test)
    print(kind.__name__, machine.n_iter_, machine.rank_, machine.objective_, *accuracies)
'''


@dataclass(frozen=True)
class BilevelRun:
    """Algorithm 1 of Xia and Fan, with the multiplier's sign as it has to be or as printed."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    rho: float = 1.1  # theirs
    loss: str = "squares"
    printed: bool = False
    unit: float = 1.0  # the samples times this, C and tau so that the model stays: W by this
    tol: float = 1e-6
    max_iter: int = 1_000

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-80, 1e80)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e80)
        check("rho, the penalty of ADMM,", self.rho, 1e-12, 1e12)
        check("the unit of the samples", self.unit, 1e-6, 1e6)
        check("the limit of iterations", self.max_iter, 1, 10_000)
        if self.loss not in LOSSES:
            raise ValueError(f"the loss must be one of {', '.join(LOSSES)}, got {self.loss!r}")

    def problem(self, base: SMMProblem) -> SpectralProblem:
        """Return this run's problem, given one on the same samples."""
        C, tau = self.C / self.unit**2, self.tau / self.unit
        return PROBLEMS[self.loss](self.unit * base.X, base.y, C, tau)

    def states(
        self, problem: SpectralProblem, start: BilevelState | None = None
    ) -> Iterator[BilevelState]:
        """Return the endless algorithm, cold or from one of its own states."""
        while True:
            turned = self._turned(start) if self.printed and start else start
            start = next(bilevel(problem, rho=self.rho, start=turned))
            yield start

    def _turned(self, state: BilevelState) -> BilevelState:
        """Return the state from which a step with the right sign is one with the printed sign.

        (Lambda + 2 rho (W - S)) - rho (W - S) = Lambda - rho (S - W).
        """
        step = 2 * self.rho
        return replace(
            state,
            Lambda=state.Lambda + step * (state.W - state.S),
            Lambda_scores=state.Lambda_scores + step * (state.W_scores - state.S_scores),
        )

    def script(self) -> str:
        """Return a program that makes the same iterates and prints their certificates."""
        kind = PROBLEMS[self.loss].__name__
        scaled = f"C={self.C!r} / {self.unit!r}**2, tau={self.tau!r} / {self.unit!r}"
        turn = f"""\

    # The printed sign of eq. 6: Lambda - rho (S - W), where the next step takes W - S.
    step = 2 * {self.rho!r}
    state = replace(
        state,
        Lambda=state.Lambda + step * (state.W - state.S),
        Lambda_scores=state.Lambda_scores + step * (state.W_scores - state.S_scores),
    )"""
        return f'''\
"""A run of the support matrix machine lab; it needs the lab's package smmcore."""

from dataclasses import replace

import numpy as np

from smmcore.problems import {kind}
from smmcore.solvers import bilevel

{self.data.script()}
problem = {kind}({self.unit!r} * X, y, {scaled})
state, stops = None, None
for k in range(1, {self.max_iter} + 1):
    state = next(bilevel(problem, rho={self.rho!r}, start=state))
    certificate = state.certificate(problem)
    norms = np.linalg.norm(state.W), np.linalg.norm(state.S)
    print(k, state.largest_difference, certificate.relative_gap, *norms)
    stops = stops or (state.largest_difference < 1e-3 and k)
    if (certificate.within({self.tol!r}) and stops) or norms[1] > 1e12 / {self.unit!r}:
        break{turn * self.printed}
print("their rule stops after", stops)
'''


@dataclass(frozen=True)
class CrossValidationRun:
    """Both losses cross-validated on two classes, over a grid of powers of two."""

    data: Brought
    pair: tuple[int, int] = (3, 8)
    every: int = 4  # of the 17 exponents from -8 to 8: a divisor of 16
    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if len(set(self.pair)) < 2 or not set(self.pair) <= set(self.data.classes):
            raise ValueError(
                f"the pair must be two of the classes {', '.join(map(str, self.data.classes))}, "
                f"got {self.pair}"
            )
        if self.every not in (1, 2, 4, 8, 16):
            raise ValueError(f"the step of the exponents must divide 16, got {self.every}")
        check("the number of folds", self.folds, 2, 20)

    @property
    def grid(self) -> tuple[float, ...]:
        """The values of C, and of tau, ascending."""
        return GRID[:: self.every]

    @property
    def weights(self) -> list[tuple[float, float]]:
        """(C, tau) in their order: C ascending, and tau descending at each."""
        return [(C, tau) for C in self.grid for tau in self.grid[::-1]]

    def script(self) -> str:
        """Return a program that cross-validates the same and prints the best."""
        return f'''\
"""A cross-validation of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore.experiments.least_squares import GRID, MACHINES, summary, trials, two_classes

{self.data.script()}
X, y = two_classes(X, y, {self.pair[0]!r}, {self.pair[1]!r})
grid = GRID[::{self.every}]
weights = [(C, tau) for C in grid for tau in grid[::-1]]
done = list(trials(X, y, weights=weights, folds={self.folds}, seed={self.seed}))
for name in MACHINES:
    best = summary(done, name)
    seconds = sum(trial.seconds[name] for trial in done)
    print(name, best.accuracy, best.deviation, best.as_good, seconds)
'''
