"""The stochastic gradient with thresholding on an l1 problem, and its panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from pages.research.stochastic.rounds import StochasticState, stochastic_gradient
from pages.shared.data.curves import PreparedDesign, Sinc
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.numbers import scientific
from pages.shared.player.panels import FAINT, INK, Axis, Lines, Panel, Series, Vectors
from smmcore.sugiyama.penalties import Lp, WeightedNorm
from smmcore.sugiyama.regression import LSCertificate, RegularizedLS
from smmcore.sugiyama.splitting import balanced_admm

PASSES = 300  # over the samples
ADMM_STEPS = 3_000  # at most, of the solution beside it


@dataclass(frozen=True)
class StochasticGradient(Experiment):
    """The stochastic gradient with thresholding, beside the solution by ADMM."""

    data: Sinc
    lam: float = 0.1  # of the problem
    step: float = 0.1  # epsilon, in units of 1 / max ||phi(x_i)||^2
    every: int = 50  # steps before a threshold

    @property
    def stride(self) -> int:
        """Thresholds from a frame to the next: a pass over the samples, if that is longer."""
        return max(1, self.data.n // self.every)

    @property
    def threshold_weight(self) -> float:
        """The lambda of the threshold for which the problem has its weight."""
        return self.lam * self.every / self.data.n

    def frames(
        self, prepared: PreparedDesign, state: StochasticState | None = None
    ) -> Iterator[Frame]:
        """Yield a frame for each pass over the samples, or for each threshold if that is longer."""
        Phi, y = prepared.Phi, prepared.y
        problem, solution = _problem(prepared, self.lam), _solve(self.data, self.lam)
        rounds = stochastic_gradient(
            Phi,
            y,
            self.threshold_weight,
            self.step / float((Phi * Phi).sum(axis=1).max()),
            self.every,
            state,
        )
        for iterate in islice(rounds, self.stride - 1, None, self.stride):
            proof, passes = problem.certificate(iterate.theta), iterate.k * self.every / self.data.n
            metrics: dict[str, float] = {
                "passes": passes,
                # Of P, above the dual value of ADMM, relative to P at 0.
                "excess": max(0.0, proof.primal - solution.dual) / proof.at_zero,
                "zeros": int(np.count_nonzero(iterate.theta == 0)),
                "solution_zeros": int(np.count_nonzero(solution.theta == 0)),
            }
            images = {"theta": iterate.theta, "solution": solution.theta}
            yield Frame(iterate, metrics, images, proof, done=passes >= PASSES)

    def summary(self, last: Frame) -> str:
        """Say how far above the optimum the run ended."""
        end = last.metrics
        return (
            f"After {last.state.k * self.every:,} steps: {end['zeros']} zeros, objective "
            f"{scientific(end['excess'])} P(0) above the optimum. Solution: "
            f"{end['solution_zeros']} zeros."
        )


def _problem(prepared: PreparedDesign, lam: float) -> RegularizedLS:
    return RegularizedLS(prepared.Phi, prepared.y, WeightedNorm(Lp(1), lam))


@lru_cache(maxsize=2)  # each slice of a run uses it
def _solve(data: Sinc, lam: float) -> LSCertificate:
    """Return the solution by ADMM, to a relative gap of 1e-6 or by its last iteration."""
    problem = _problem(get_prepared(data), lam)
    for iterate in islice(balanced_admm(problem), ADMM_STEPS):
        proof = iterate.certificate(problem)
        if proof.within(1e-6):
            break
    return proof


def pass_axis(experiment: StochasticGradient) -> Axis:
    """Return the axis of a run, which opens at its last frame."""
    first = experiment.stride * experiment.every / experiment.data.n  # passes
    ticks = [((passes - first) / (PASSES - first), str(passes)) for passes in range(50, 301, 50)]
    return Axis("pass", "passes over the samples", "passes", ticks=ticks, opens=10**9)


def stochastic_panels() -> list[Panel]:
    """Return the panels of the stochastic gradient beside the solution."""

    def beside(solution: str, ours: str) -> list[Series]:
        return [Series(solution, "solution", FAINT), Series(ours, "stochastic", INK)]

    zeros = beside("solution_zeros", "zeros")
    return [
        Vectors(beside("solution", "theta"), "θ"),
        Lines([Series("excess", "stochastic", INK)], "Objective above the optimum / P(0)", "log"),
        Lines(zeros, "Zeros in θ", "linear", step=True, format="int"),
    ]
