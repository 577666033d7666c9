"""A second opinion: the problem of a run, solved from nothing by CVXPY."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import SMMRun
from pages.shared.engine.dataset_cache import get_prepared

REFEREE_SIDE = 60  # p + q: the semidefinite form of ||W||_* has a cone of this order
REFEREE_SAMPLES = 500
REFEREE_SECONDS = 30


class SecondOpinion(NamedTuple):
    """What CVXPY says about a run's problem."""

    W: NDArray[np.float64]  # (p, q)
    primal: float  # P(W, best b)
    seconds: float


def referee(experiment: SMMRun) -> SecondOpinion:
    """Let CVXPY (Clarabel) solve the run's problem from nothing.

    Raises
    ------
    ValueError
        If the problem is too large to wait for, or Clarabel does not solve it.
    """
    import cvxpy as cp  # 0.3 s, and nobody else needs it

    problem = experiment.problem(get_prepared(experiment.data).problem)
    n, p, q = problem.shape
    if not referee_can(experiment):
        raise ValueError(
            f"CVXPY is asked up to p + q = {REFEREE_SIDE} and n = {REFEREE_SAMPLES}, "
            f"this problem has p + q = {p + q} and n = {n}"
        )
    begin = perf_counter()
    W, b = cp.Variable((p, q)), cp.Variable()
    scores = problem.X.reshape(n, -1) @ cp.vec(W, order="C")
    hinge = cp.sum(cp.pos(1 - cp.multiply(problem.y, scores + b)))
    objective = 0.5 * cp.sum_squares(W) + problem.tau * cp.normNuc(W) + problem.C * hinge
    model = cp.Problem(cp.Minimize(objective))
    try:
        with warnings.catch_warnings(action="ignore"):  # of an inaccurate answer: see the status
            model.solve(solver=cp.CLARABEL, time_limit=REFEREE_SECONDS)
    except cp.SolverError as error:
        raise ValueError(f"Clarabel gave up on this problem: {error}") from None
    if model.status != cp.OPTIMAL:  # at its time limit it has a W, but not the solution
        raise ValueError(
            f"Clarabel has not solved this problem within {REFEREE_SECONDS} seconds, it says "
            f"{model.status!r}: choose a smaller n, p or q, or other weights"
        )
    primal = problem.primal(W.value, problem.best_intercept(W.value))
    return SecondOpinion(W.value, primal, perf_counter() - begin)


def referee_can(experiment: SMMRun) -> bool:
    """Return whether a problem is small enough for CVXPY to be waited for."""
    n, p, q = experiment.data.shape
    return p + q <= REFEREE_SIDE and n <= REFEREE_SAMPLES
