"""A second opinion: the problem of an experiment, solved independently by CVXPY."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import Any, NamedTuple

from pages.shared.algorithm1 import Algorithm1
from pages.shared.engine.worker import get_prepared
from smmcore.arrays import Array

MAX_CVXPY_SIDE = 60  # p + q: the semidefinite form of ||W||_* has a cone of this order
MAX_CVXPY_SAMPLES = 500
MAX_CVXPY_SECONDS = 30


class CVXPYSolution(NamedTuple):
    """The solution of CVXPY."""

    W: Array  # (p, q)
    primal: float  # P(W, best b)
    seconds: float


def solve_with_cvxpy(experiment: Algorithm1[Any]) -> CVXPYSolution:
    """Solve the problem of an experiment with CVXPY and Clarabel."""
    import cvxpy as cp  # here, because the import takes 0.3 s and nothing else needs it

    problem = experiment.problem(get_prepared(experiment.data).problem)
    n, p, q = problem.shape
    if not is_small_enough(experiment):
        raise ValueError(
            f"CVXPY is asked up to p + q = {MAX_CVXPY_SIDE} and n = {MAX_CVXPY_SAMPLES}, "
            f"this problem has p + q = {p + q} and n = {n}"
        )
    begin = perf_counter()
    W, b = cp.Variable((p, q)), cp.Variable()
    scores = problem.X.reshape(n, -1) @ cp.vec(W, order="C")
    hinge = cp.sum(cp.pos(1 - cp.multiply(problem.y, scores + b)))
    objective = 0.5 * cp.sum_squares(W) + problem.tau * cp.normNuc(W) + problem.C * hinge
    model = cp.Problem(cp.Minimize(objective))
    try:
        with warnings.catch_warnings(
            action="ignore"
        ):  # about an inaccurate solution, see the status
            model.solve(solver=cp.CLARABEL, time_limit=MAX_CVXPY_SECONDS)
    except cp.SolverError as error:
        raise ValueError(f"Clarabel gave up on this problem: {error}") from None
    if model.status != cp.OPTIMAL:  # at the time limit there is a W, but no solution
        raise ValueError(
            f"Clarabel has not solved this problem within {MAX_CVXPY_SECONDS} seconds, it says "
            f"{model.status!r}: choose a smaller n, p or q, or other weights"
        )
    primal = problem.primal(W.value, problem.best_intercept(W.value))
    return CVXPYSolution(W.value, primal, perf_counter() - begin)


def is_small_enough(experiment: Algorithm1[Any]) -> bool:
    """Return whether CVXPY can solve the problem in reasonable time."""
    n, p, q = experiment.data.shape
    return bool(p + q <= MAX_CVXPY_SIDE and n <= MAX_CVXPY_SAMPLES)
