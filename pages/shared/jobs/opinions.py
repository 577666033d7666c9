"""Second opinions: a run's problem, solved from nothing by CVXPY or by scikit-learn."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import SMMRun
from pages.shared.jobs.shelf import take
from pages.shared.recipes import SparseRun

REFEREE_SIDE = 60  # p + q: the semidefinite form of ||W||_* has a cone of this order
REFEREE_SAMPLES = 500
REFEREE_SECONDS = 30
SAID = ("alpha", "l1_ratio")  # of the parameters of scikit-learn's models


class SecondOpinion(NamedTuple):
    """What CVXPY says about a run's problem."""

    W: NDArray[np.float64]  # (p, q)
    primal: float  # P(W, best b)
    seconds: float


def referee(recipe: SMMRun) -> SecondOpinion:
    """Let CVXPY (Clarabel) solve the run's problem from nothing.

    Raises
    ------
    ValueError
        If the problem is too large to wait for, or Clarabel does not solve it.
    """
    import cvxpy as cp  # 0.3 s, and nobody else needs it

    problem = recipe.problem(take(recipe.data).problem)
    n, p, q = problem.shape
    if not referee_can(recipe):
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


def referee_can(recipe: SMMRun) -> bool:
    """Return whether a problem is small enough for CVXPY to be waited for."""
    n, p, q = recipe.data.shape
    return p + q <= REFEREE_SIDE and n <= REFEREE_SAMPLES


class Alternative(NamedTuple):
    """What scikit-learn says about the problem of a sparse regression."""

    name: str
    call: str
    theta: NDArray[np.float64]  # (b,)
    fitted: NDArray[np.float64]  # (n,), Phi theta
    primal: float


def scikit_learn(recipe: SparseRun) -> Alternative:
    """Let scikit-learn solve the problem of an l1, l2 or l1 + l2 penalty from nothing."""
    from sklearn.linear_model import ElasticNet, Lasso, Ridge

    problem, n = recipe.problem(take(recipe.data)), recipe.data.shape[0]
    lam, eta = recipe.weight, recipe.eta
    if not lam:
        model = Ridge(alpha=2 * eta, fit_intercept=False)
    elif not eta:
        model = Lasso(alpha=lam / n, fit_intercept=False, tol=1e-10, max_iter=20_000)
    else:
        both = lam + 2 * eta
        model = ElasticNet(
            alpha=both / n, l1_ratio=lam / both, fit_intercept=False, tol=1e-10, max_iter=20_000
        )
    with warnings.catch_warnings(action="ignore"):  # at its limit: the gap tells
        theta = np.ravel(model.fit(problem.Phi, problem.y).coef_)
    said = {name: value for name, value in model.get_params().items() if name in SAID}
    call = ", ".join(f"{name}={value:.4g}" for name, value in said.items())
    name = type(model).__name__
    return Alternative(
        f"scikit-learn, {name}",
        f"{name}({call})",
        theta,
        problem.Phi @ theta,
        problem.primal(theta),
    )
