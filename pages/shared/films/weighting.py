"""The low-rank SVM and AROM on the same data, pass by pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pages.shared.films.frame import Frame, Taken, accuracy, in_steps, matrices
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.images import DRAWN, normalised
from pages.shared.recipes import WEIGHTED, WeightingRun
from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.weighting import WeightingState, elementwise, spectral

WEIGHINGS = {"lowrank": spectral, "arom": elementwise}
COUNTS = 0.01  # of the largest weight: smaller ones are on their way to 0
MEASURED = ("kept", "train", "held", "change", "objective", "seconds", "steps")


class Weighing(Rounds):
    """The passes of a `WeightingRun`; one whose W stays rests."""

    recipe: WeightingRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            *((f"{name}_{method}", "<f8") for method in WEIGHTED for name in MEASURED),
            *((f"d{i}", "<f8") for i in range(1, DRAWN + 1)),  # diagonal of LowRank's D
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the true W, that of pass 1, both learned ones, LowRank's values."""
        values = [(name, "<f4", (min(p, q),)) for name in ("diagonal", "singular_values")]
        names = ["truth", "W_svm", *(f"W_{method}" for method in WEIGHTED)]
        return np.dtype([*matrices(names, p, q).descr, *values])

    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the one problem of both."""
        return dict.fromkeys(WEIGHTED, weighting_problem(data, self.recipe.C))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the passes of a method."""
        return iterative_weighting(problem, WEIGHINGS[name], start=start)

    def arrived(self, runner: Runner) -> bool:
        """Return whether W stays."""
        return runner.state.change <= self.recipe.tol

    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return what is kept, both accuracies, the change, the objective of the SVM, and W."""
        state, proof = runner.state, runner.proof
        train = accuracy(proof.decision, data.problem.y)
        objective = data.problem.with_weights(C=self.recipe.C, tau=0.0).primal(state.W, state.b)
        numbers = [kept(state), train, data.held_accuracy(proof), state.change, objective]
        return numbers, [*in_steps(normalised(state.W))]

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, each with the true W, that of the linear SVM, and the diagonal of D."""
        problem = weighting_problem(data, self.recipe.C)
        svm = problem.solve_svm(problem.samples, np.zeros(len(problem.y)))
        still = (
            *in_steps(normalised(data.coef)),
            *in_steps(normalised(svm.W.reshape(data.coef.shape))),
        )
        for frame in super().frames(data, state):
            runner = frame.state["lowrank"]
            diagonal = runner.state.diagonal
            yield frame._replace(
                curve=(*frame.curve, *diagonal[:DRAWN]),
                picture=(*still, *frame.picture, diagonal, runner.proof.singular_values),
            )

    def verdict(self, end: Frame) -> str:
        """Return after how many passes W stays, and what is kept."""
        late, units = self.late(end), {"lowrank": "direction", "arom": "feature"}
        return " ".join(
            f"{WEIGHTED[name]}: W "
            + ("still changes" if name in late else "stays")
            + f" after {runner.steps} passes"
            + (_keeps(kept(runner.state), units[name]) if runner.state.W.any() else ", it is 0.")
            for name, runner in end.state.items()
        )


def weighting_problem(data: Taken, C: float) -> WeightingProblem:
    """Return what iterative weighting starts from."""
    return WeightingProblem(data.problem.X, data.problem.y, C)


def kept(state: WeightingState) -> int:
    """Return how many weights count: of directions or, with AROM, of features."""
    return int(np.count_nonzero(COUNTS * state.D.max() < state.D))


def _keeps(count: int, unit: str) -> str:
    return f", {count} {unit}{'s' if count > 1 else ''} kept."
