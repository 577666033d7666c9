"""Contestants on the same data, iterating side by side: one iteration of each a frame."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from time import process_time
from typing import Any, NamedTuple

from pages.shared.films.frame import Film, Frame, Taken
from smmcore.problems import Certificate


class Runner(NamedTuple):
    """One contestant."""

    state: Any  # its solver's, None before the start
    proof: Certificate | None
    steps: int
    seconds: float  # of processor time
    done: bool


class Rounds(Film):
    """The iterations of several solvers; one that has arrived, or is at its limit, rests."""

    @abstractmethod
    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the problem of each contestant, by name."""

    @abstractmethod
    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a contestant, from one of its states."""

    @abstractmethod
    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return the curves and the pictures of a contestant."""

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, one iteration of each contestant that still runs."""
        problems = self.problems(data)
        runners = state or {name: Runner(None, None, 0, 0.0, False) for name in problems}
        k = max(runner.steps for runner in runners.values())
        while True:
            k += 1
            curve, picture = [k], []
            for name, runner in runners.items():
                runner = runner if runner.done else self._step(name, problems[name], runner)
                runners = runners | {name: runner}
                numbers, matrices = self.shown(runner, data)
                curve += [*numbers, runner.seconds, runner.steps]
                picture += matrices
            finished = all(runner.done for runner in runners.values())
            proofs = {name: runner.proof for name, runner in runners.items()}
            yield Frame(tuple(curve), tuple(picture), runners, proofs, finished)

    def _step(self, name: str, problem: Any, runner: Runner) -> Runner:
        begin = process_time()
        state = next(self.states(name, problem, runner.state))
        proof = state.certificate(problem)
        steps = runner.steps + 1
        done = proof.within(self.recipe.tol) or steps >= self.recipe.max_iter
        return Runner(state, proof, steps, runner.seconds + process_time() - begin, done)

    def late(self, end: Frame) -> list[str]:
        """Return the contestants that have ended at their limit."""
        tol = self.recipe.tol
        return [name for name, runner in end.state.items() if not runner.proof.within(tol)]
