"""What *Meet the SMM* computes: the SMM at one tau, and how it decides."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pages.shared.algorithm1 import Algorithm1
from pages.shared.engine.worker import get_prepared
from smmcore.arrays import Array
from smmcore.problems import SMMCertificate
from smmcore.solvers.certified import solve_to_gap

TOLERANCE = 1e-9  # relative gap; at 1e-6 it often proves one singular value less than W has


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
