"""Several solvers on the same data, side by side: one frame per iteration of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.shared.engine.experiment import Experiment, Frame, Scaled
from pages.shared.numbers import after_iterations
from pages.shared.system import clock
from smmcore.arrays import Array


class Runner(NamedTuple):
    """One solver of a race, and how far it is."""

    state: Any  # the solver's state, None before the first step
    proof: Any  # the certificate of this state, None before the first step
    steps: int
    seconds: float  # of processor time, without the certificates
    done: bool


class Measurement(NamedTuple):
    """The metrics and images of one runner in a frame."""

    metrics: Mapping[str, float]
    images: Mapping[str, Array | Scaled]


def on_one_scale(frame: Frame) -> Frame:
    """Return a frame with the W of all runners on the scale of the largest entry among them."""
    matrices: dict[str, Any] = {
        name: image for name, image in frame.images.items() if name.startswith("W_")
    }
    scale = max(float(np.abs(W).max()) for W in matrices.values())
    scaled = {name: Scaled(W, scale) for name, W in matrices.items()}
    return frame._replace(images={**frame.images, **scaled})


class Race(Experiment):
    """Solvers that take turns; a runner stops at the tolerance or at the limit of iterations.

    The name of a runner is appended to its metrics and images: the gap of ``smm`` is ``gap_smm``.
    """

    @property
    @abstractmethod
    def tol(self) -> float:
        """The tolerance of each runner; a subclass may have a field with a default instead."""

    @property
    @abstractmethod
    def max_iter(self) -> int:
        """The limit of iterations of each runner; likewise."""

    @abstractmethod
    def problems(self, prepared: Any) -> Mapping[str, Any]:
        """Return the problem of each runner, by name."""

    @abstractmethod
    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a runner, from one of its states."""

    @abstractmethod
    def measure(self, runner: Runner, prepared: Any) -> Measurement:
        """Return the metrics and images of a runner, except seconds and steps."""

    def has_converged(self, runner: Runner) -> bool:
        """Return whether a runner has reached the tolerance."""
        return bool(runner.proof.within(self.tol))

    def frames(self, prepared: Any, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield a frame after each round, in which every runner that is not done takes one step."""
        problems = self.problems(prepared)
        runners = state or {name: Runner(None, None, 0, 0.0, False) for name in problems}
        solvers = {
            name: self._solve(name, problem, runners[name].state)
            for name, problem in problems.items()
        }
        k = max(runner.steps for runner in runners.values())
        while True:
            k += 1
            metrics: dict[str, float] = {"k": k}
            images: dict[str, Array | Scaled] = {}
            for name, runner in runners.items():
                if not runner.done:
                    runner = self._step(solvers[name], problems[name], runner)
                    runners = runners | {name: runner}
                measurement = self.measure(runner, prepared)
                counts = {"seconds": runner.seconds, "steps": runner.steps}
                values = {**measurement.metrics, **counts}
                metrics |= {f"{metric}_{name}": value for metric, value in values.items()}
                images |= {f"{image}_{name}": A for image, A in measurement.images.items()}
            done = all(runner.done for runner in runners.values())
            proofs = {name: runner.proof for name, runner in runners.items()}
            yield Frame(runners, metrics, images, proofs, done)

    def _solve(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        # A generator, so that the time of the first step includes the solver's preparations.
        yield from self.states(name, problem, start)

    def _step(self, solver: Iterator[Any], problem: Any, runner: Runner) -> Runner:
        begin = clock()
        state = next(solver)
        # Without the certificate: an estimator computes fewer of them.
        seconds = runner.seconds + clock() - begin
        proof = state.certificate(problem)
        runner = Runner(state, proof, runner.steps + 1, seconds, False)
        return runner._replace(done=self.has_converged(runner) or runner.steps >= self.max_iter)

    def names_at_limit(self, last: Frame) -> list[str]:
        """Return the names of the runners that ended at the limit of iterations."""
        return [name for name, runner in last.state.items() if not self.has_converged(runner)]

    def describe_ends(self, last: Frame, labels: Mapping[str, str]) -> str:
        """Return after how many iterations each runner ended, and whether at its floor."""
        late = self.names_at_limit(last)
        return " ".join(
            f"{label}: {'not ' * (name in late)}at its floor "
            f"{after_iterations(last.state[name].steps)}."
            for name, label in labels.items()
        )
