"""The independent judge: CVXPY with Clarabel, which knows nothing of our algorithms."""

import cvxpy as cp
import numpy as np

from smmcore.problems import SpectralProblem
from smmcore.xia_fan.least_squares import LSSMMProblem


def cvxpy_solution(problem: SpectralProblem) -> np.ndarray:
    """W of the support matrix machine, written down as in eq. 6 of its paper, or with squares."""
    n, p, q = problem.shape
    W, b = cp.Variable((p, q)), cp.Variable()
    scores = problem.X.reshape(n, -1) @ cp.vec(W, order="C") + b
    slack = 1 - cp.multiply(problem.y, scores)
    squared = isinstance(problem, LSSMMProblem)
    losses = 0.5 * cp.square(slack) if squared else cp.pos(slack)
    loss = problem.sample_weight @ losses
    penalty = 0.5 * cp.sum_squares(W) + problem.tau * cp.normNuc(W)
    cp.Problem(cp.Minimize(penalty + problem.C * loss)).solve(solver=cp.CLARABEL)
    return W.value
