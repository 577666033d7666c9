"""The independent judge: CVXPY with Clarabel, which knows nothing of our algorithms."""

import cvxpy as cp
import numpy as np

from smmcore.problems import SMMProblem


def cvxpy_solution(problem: SMMProblem) -> np.ndarray:
    """W of the support matrix machine, written down as in eq. 6 of the paper."""
    n, p, q = problem.shape
    W, b = cp.Variable((p, q)), cp.Variable()
    scores = problem.X.reshape(n, -1) @ cp.vec(W, order="C") + b
    hinge = cp.sum(cp.pos(1 - cp.multiply(problem.y, scores)))
    penalty = 0.5 * cp.sum_squares(W) + problem.tau * cp.normNuc(W)
    cp.Problem(cp.Minimize(penalty + problem.C * hinge)).solve(solver=cp.CLARABEL)
    return W.value
