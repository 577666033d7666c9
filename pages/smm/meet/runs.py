"""What *Meet the SMM* computes: the solutions along tau, and the SMM at one tau."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pages.shared.algorithm1 import PRESETS, TAUS, Algorithm1
from pages.shared.data.samples import Prepared, check
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.numbers import describe_solutions
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.path import next_on_path, tau_max
from smmcore.problems import SMMCertificate
from smmcore.solvers.certified import DefaultState, solve_to_gap

TOLERANCE = 1e-9  # relative gap; at 1e-6 it often proves one singular value less than W has
MAX_DECADES = 5  # below tau_max, where W need not have full rank yet


class ThresholdPosition(NamedTuple):
    """Progress of a path."""

    done: int  # points
    place: int  # of the next tau in TAUS
    tau_max: float
    solved: DefaultState | None  # the solver's state at the last point
    loose: int = 0  # points that missed the tolerance


@dataclass(frozen=True)
class ThresholdPath(Experiment):
    """The solutions at the values of the knob of tau, from W = 0 down to full rank, and at 0."""

    data: Dataset
    C: float = 1.0
    tol: float = TOLERANCE

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the tolerance", self.tol, 1e-12, 1)

    def frames(self, prepared: Prepared, state: ThresholdPosition | None = None) -> Iterator[Frame]:
        """Yield the points, each with a warm start from the one before."""
        base = prepared.problem.with_weights(C=self.C)
        at = state or self._begin(tau_max(base, 1e-4))
        while at.place >= 0:
            problem = base.with_weights(tau=TAUS[at.place])
            solved, proof = next_on_path(problem, at.solved, self.tol)
            omega = np.asarray(np.linalg.svd(problem.omega(proof.alpha), compute_uv=False), float)
            sigma = proof.singular_values
            square, nuclear = 0.5 * float(sigma @ sigma), problem.tau * float(sigma.sum())
            metrics = {
                "tau": problem.tau,
                "share": problem.tau / at.tau_max,
                "rank": proof.rank,
                "certain": proof.certain_rank,  # of the exact solution, at least
                "square": square,  # the terms of eq. 6
                "nuclear": nuclear,
                "loss": subtract_penalties(proof.primal, square, nuclear),
                "primal": proof.primal,
                "gap": proof.relative_gap,
                "train": accuracy(proof.decision, problem.y),
            }
            images = {"omega": omega, "sigma": sigma, "W": proof.W}
            low = proof.rank == len(sigma) or problem.tau < at.tau_max * 10.0**-MAX_DECADES
            following = 0 if low and at.place else at.place - 1  # TAUS[0] = 0 is the linear SVM
            loose = at.loose + (not proof.within(self.tol))
            at = ThresholdPosition(at.done + 1, following, at.tau_max, solved, loose)
            yield Frame(at, metrics, images, proof, following < 0)

    def _begin(self, tau_max: float) -> ThresholdPosition:
        """Return the position before the least tau that is at least tau_max."""
        first = min(int(np.searchsorted(TAUS, tau_max)), len(TAUS) - 1)
        return ThresholdPosition(0, first, tau_max, None)

    def summary(self, last: Frame) -> str:
        """Return the number of solutions and tau_max."""
        at: ThresholdPosition = last.state
        return f"{describe_solutions(at.done, at.loose, self.tol)}; τₘₐₓ = {at.tau_max:.4g}."


def subtract_penalties(primal: float, *penalties: float) -> float:
    """Return what the losses contribute to an objective: the rest after its penalties.

    No loss is negative, but the difference may be, by its rounding error, where all losses are 0.

    Examples
    --------
    >>> subtract_penalties(3.0, 1.0, 1.5), subtract_penalties(0.3, 0.1, 0.2)
    (0.5, 0.0)
    """
    for penalty in penalties:
        primal -= penalty
    return max(primal, 0.0)


class Example(NamedTuple):
    """A training sample that shows how the SMM decides."""

    number: int  # counted from 1
    X: Array  # (p, q)
    label: int
    decision: float  # <W, X> + b


class TrainedMachine(NamedTuple):
    """A trained SMM, and how it decides on its training samples."""

    proof: SMMCertificate
    margins: Array  # y (<W, X> + b) of each sample, (n,)
    examples: dict[str, Example]


SURE_OF_PLUS, SURE_OF_MINUS, ON_THE_MARGIN, WORST = EXAMPLES = (
    "largest f(X)",
    "smallest f(X)",
    "y f(X) nearest 1",
    "smallest y f(X)",
)


def train(experiment: Algorithm1[Any]) -> TrainedMachine:
    """Solve the problem of an experiment, and pick the samples that show how the SMM decides."""
    problem = experiment.problem(get_prepared(experiment.data).problem)
    proof, _ = solve_to_gap(
        problem, experiment.states(problem), experiment.tol, experiment.max_iter
    )
    margins = problem.y * proof.decision
    rows = {
        SURE_OF_PLUS: proof.decision.argmax(),
        SURE_OF_MINUS: proof.decision.argmin(),
        ON_THE_MARGIN: np.abs(margins - 1).argmin(),
        WORST: margins.argmin(),
    }
    examples = {
        name: Example(int(i) + 1, problem.X[i].copy(), int(problem.y[i]), float(proof.decision[i]))
        for name, i in rows.items()
    }
    return TrainedMachine(proof, margins, examples)


# Here the rank grows with tau: 2 at tau = 10, 3 at tau = 20 (tests/pages/smm/test_meet.py).
RISING = Algorithm1(
    BlockCorrelated(n=30, p=5, q=6, groups=3, noise=0.2, rank=2, seed=2), C=5.0, tau=10.0
)
DOUBLED = replace(RISING, tau=20.0)

EXPERIMENTS = {name: one for name, (one, _) in PRESETS.items()} | {"a rank that rises": RISING}
PRECOMPUTED = {  # see tests/precompute.py
    f"Threshold of {name}": ThresholdPath(one.data, one.C) for name, one in EXPERIMENTS.items()
}
