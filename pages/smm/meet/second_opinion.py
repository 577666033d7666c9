"""A second opinion: the SMM of the first picture, solved independently by CVXPY."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import NamedTuple

from pages.shared.algorithm1 import Algorithm1
from pages.shared.engine.worker import get_prepared
from pages.smm.meet.samples import Crosses
from smmcore.arrays import Array

MAX_CVXPY_SECONDS = 30


class CVXPYSolution(NamedTuple):
    """The solution of CVXPY."""

    W: Array  # (p, q)
    primal: float  # P(W, best b)
    seconds: float


def solve_with_cvxpy(experiment: Algorithm1[Crosses]) -> CVXPYSolution:
    """Solve the SMM of the first picture with CVXPY and Clarabel."""
    import cvxpy as cp  # here, because the import takes 0.3 s and nothing else needs it

    problem = experiment.problem(get_prepared(experiment.data).problem)
    n, p, q = problem.shape
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
            f"{model.status!r}: choose another C or tau"
        )
    primal = problem.primal(W.value, problem.best_intercept(W.value))
    return CVXPYSolution(W.value, primal, perf_counter() - begin)
