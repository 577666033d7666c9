"""The rank-k SVM by cyclic optimisation, from two starts, cycle by cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from pages.shared.films.frame import Frame, Taken, accuracy, in_steps, matrices
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.images import normalised
from pages.shared.recipes import STARTS, CyclicRun
from smmcore.problems import BilinearProblem
from smmcore.solvers import cyclic_svm
from smmcore.solvers.alternating import linear_svm

MEASURED = ("primal", "gap", "train", "held", "seconds", "steps")


class Cyclic(Rounds):
    """The cycles of a `CyclicRun`; a start that has led to a stationary point rests."""

    recipe: CyclicRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            *((f"{name}_{start}", "<f8") for start in STARTS for name in MEASURED),
            ("svm", "<f8"),  # the objective of the linear SVM, which no rank can undercut
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of W from each start."""
        return matrices([f"W_{start}" for start in STARTS], p, q)

    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the one problem of both."""
        X, y = data.problem.X, data.problem.y
        problem = BilinearProblem(X, y, self.recipe.C, self.recipe.rank, offset=True)
        return dict.fromkeys(STARTS, problem)

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the state after each cycle."""
        cycle = 2 * self.recipe.rank
        if start is not None:
            return islice(cyclic_svm(problem, start=start), cycle - 1, None, cycle)
        W = linear_svm(problem)
        if name == "random":
            seed = self.recipe.data.seed
            random = np.random.RandomState(seed).standard_normal(W.shape)
            W = random * (np.linalg.norm(W) / np.linalg.norm(random))
        return islice(cyclic_svm(problem, start=W), cycle, None, cycle)

    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return objective, gap and both accuracies, and W."""
        proof = runner.proof
        train = accuracy(proof.decision, data.problem.y)
        numbers = [proof.primal, proof.relative_gap, train, data.held_accuracy(proof)]
        return numbers, [*in_steps(normalised(proof.W))]

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, with the objective of the linear SVM."""
        svm = data.problem.with_weights(C=self.recipe.C, tau=0.0)
        W = linear_svm(self.problems(data)["svm"])
        least = svm.primal(W, svm.best_intercept(W))
        for frame in super().frames(data, state):
            yield frame._replace(curve=(*frame.curve, least))

    def verdict(self, end: Frame) -> str:
        """Return where each start has led to."""
        late = self.late(end)
        return " ".join(
            f"From {STARTS[name]}: "
            + ("at the limit " if name in late else "stationary ")
            + f"after {runner.steps} cycle{'s' * (runner.steps > 1)}, "
            f"objective {runner.proof.primal:.4g}."
            for name, runner in end.state.items()
        )
