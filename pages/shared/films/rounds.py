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
    seconds: float  # of processor time, without the proofs
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

    def arrived(self, runner: Runner) -> bool:
        """Return whether a contestant is at its end."""
        return runner.proof.within(self.recipe.tol)

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, one iteration of each contestant that still runs."""
        problems = self.problems(data)
        runners = state or {name: Runner(None, None, 0, 0.0, False) for name in problems}
        solvers = {
            name: self._from(name, problem, runners[name].state)
            for name, problem in problems.items()
        }
        k = max(runner.steps for runner in runners.values())
        while True:
            k += 1
            curve, picture = [k], []
            for name, runner in runners.items():
                runner = (
                    runner if runner.done else self._step(solvers[name], problems[name], runner)
                )
                runners = runners | {name: runner}
                numbers, matrices = self.shown(runner, data)
                curve += [*numbers, runner.seconds, runner.steps]
                picture += matrices
            finished = all(runner.done for runner in runners.values())
            proofs = {name: runner.proof for name, runner in runners.items()}
            yield Frame(tuple(curve), tuple(picture), runners, proofs, finished)

    def _from(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        # A generator of its own: what the start takes is in the time of the first step.
        yield from self.states(name, problem, start)

    def _step(self, solver: Iterator[Any], problem: Any, runner: Runner) -> Runner:
        begin = process_time()
        state = next(solver)
        seconds = runner.seconds + process_time() - begin  # an estimator proves less often
        proof = state.certificate(problem)
        runner = Runner(state, proof, runner.steps + 1, seconds, False)
        return runner._replace(done=self.arrived(runner) or runner.steps >= self.recipe.max_iter)

    def late(self, end: Frame) -> list[str]:
        """Return the contestants that have ended at their limit."""
        return [name for name, runner in end.state.items() if not self.arrived(runner)]
