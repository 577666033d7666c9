"""The machines on the same data, iterating side by side."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from pages.shared.films.frame import Frame, Taken
from pages.shared.films.machines import SOLVERS, Machines, normalised, problem_of
from pages.shared.recipes import METHODS, RaceRun
from smmcore.problems import Certificate


class Runner(NamedTuple):
    """One machine in a race."""

    state: Any  # its solver's, None before the start
    proof: Certificate | None
    steps: int
    seconds: float
    done: bool


class Race(Machines):
    """The iterations of a `RaceRun`; a machine within its tolerance rests."""

    def __init__(self, recipe: RaceRun) -> None:
        super().__init__(recipe)
        self.curves = np.dtype([("k", "<u4"), *self.columns("gap", "seconds", "steps")])

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, one iteration of each machine that still runs."""
        problems = {name: problem_of(name, self.recipe, data) for name in self.recipe.methods}
        runners = state or {name: Runner(None, None, 0, 0.0, False) for name in problems}
        k = max(runner.steps for runner in runners.values())
        while True:
            k += 1
            curve, picture = [k], []
            for name, runner in runners.items():
                runner = runner if runner.done else self._step(name, problems[name], runner)
                runners = runners | {name: runner}
                gap = max(runner.proof.relative_gap, 0.0)
                curve += [*self.measured(runner.proof, data), gap, runner.seconds, runner.steps]
                picture += normalised(runner.proof.W)
            finished = all(runner.done for runner in runners.values())
            yield Frame(tuple(curve), tuple(picture), runners, None, finished)

    def _step(self, name: str, problem: Any, runner: Runner) -> Runner:
        begin = process_time()
        state = next(SOLVERS[name](problem, runner.state))
        proof = state.certificate(problem)
        steps = runner.steps + 1
        done = proof.within(self.recipe.tol) or steps >= self.recipe.max_iter
        return Runner(state, proof, steps, runner.seconds + process_time() - begin, done)

    def verdict(self, end: Frame) -> str:
        """Return who has arrived, and who has found nothing."""
        proofs = {name: runner.proof for name, runner in end.state.items()}
        tol = self.recipe.tol
        late = [METHODS[name] for name, proof in proofs.items() if not proof.within(tol)]
        zero = [METHODS[name] for name, proof in proofs.items() if proof.rank == 0]
        text = (
            f"At the limit of {self.recipe.max_iter:,} iterations: {', '.join(late)}."
            if late
            else f"All within a relative gap of {tol:.0e}."
        )
        return text + (f" W = 0: {', '.join(zero)}." if zero else "")
