"""Several solvers on the same data, side by side: a frame for one iteration of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from time import process_time
from typing import Any, NamedTuple

from smmcore.experiments.experiment import Array, Experiment, Frame, Scaled
from smmcore.problems import Certificate


class Runner(NamedTuple):
    """One contestant."""

    state: Any  # its solver's, None before the start
    proof: Certificate | None
    steps: int
    seconds: float  # of processor time, without the proofs
    done: bool


class Measurement(NamedTuple):
    """What a frame shows of one contestant."""

    metrics: Mapping[str, float]
    images: Mapping[str, Array | Scaled]


class Race(Experiment):
    """A race of solvers; one that has arrived, or is at its limit, rests.

    A subclass has the fields ``tol`` and ``max_iter``. Metrics and images of a contestant get its
    name: the gap of ``smm`` is ``gap_smm``.
    """

    tol: float
    max_iter: int

    @abstractmethod
    def problems(self, prepared: Any) -> Mapping[str, Any]:
        """Return the problem of each contestant, by name."""

    @abstractmethod
    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a contestant, from one of its states."""

    @abstractmethod
    def measure(self, runner: Runner, prepared: Any) -> Measurement:
        """Return what a frame shows of a contestant, besides seconds and steps."""

    def arrived(self, runner: Runner) -> bool:
        """Return whether a contestant is at its end."""
        return runner.proof.within(self.tol)

    def frames(self, prepared: Any, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the rounds, one iteration of each contestant that still runs."""
        problems = self.problems(prepared)
        runners = state or {name: Runner(None, None, 0, 0.0, False) for name in problems}
        solvers = {
            name: self._from(name, problem, runners[name].state)
            for name, problem in problems.items()
        }
        k = max(runner.steps for runner in runners.values())
        while True:
            k += 1
            metrics, images = {"k": k}, {}
            for name, runner in runners.items():
                if not runner.done:
                    runner = self._step(solvers[name], problems[name], runner)
                    runners = runners | {name: runner}
                shown = self.measure(runner, prepared)
                counted = {"seconds": runner.seconds, "steps": runner.steps}
                values = {**shown.metrics, **counted}
                metrics |= {f"{metric}_{name}": value for metric, value in values.items()}
                images |= {f"{image}_{name}": array for image, array in shown.images.items()}
            done = all(runner.done for runner in runners.values())
            proofs = {name: runner.proof for name, runner in runners.items()}
            yield Frame(runners, metrics, images, proofs, done)

    def _from(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        # A generator of its own: what the start takes is in the time of the first step.
        yield from self.states(name, problem, start)

    def _step(self, solver: Iterator[Any], problem: Any, runner: Runner) -> Runner:
        begin = process_time()
        state = next(solver)
        seconds = runner.seconds + process_time() - begin  # an estimator proves less often
        proof = state.certificate(problem)
        runner = Runner(state, proof, runner.steps + 1, seconds, False)
        return runner._replace(done=self.arrived(runner) or runner.steps >= self.max_iter)

    def late(self, last: Frame) -> list[str]:
        """Return the contestants that have ended at their limit."""
        return [name for name, runner in last.state.items() if not self.arrived(runner)]
