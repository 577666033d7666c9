"""Solutions along a path of nuclear weights tau, each warm-started from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.base import Candidate
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers.certified import DefaultState, default_solver, solve_to_gap
from smmcore.solvers.lagrangian import LagrangianState

Array = NDArray[np.float64]


def largest_tau(problem: SMMProblem) -> float:
    """Return tau_max, or an upper bound where the Gram matrix that it needs would be large."""
    return problem.tau_max() if len(problem.y) <= MOST_GRAM else problem.tau_bound()


def tau_grid(tau_max: float, eps: float, n_taus: int) -> Array:
    """Return n_taus weights from tau_max down to eps tau_max in equal ratios."""
    if not 0 < eps < 1:
        raise ValueError(f"eps must be above 0 and below 1, got {eps!r}")
    if not (isinstance(n_taus, Integral) and n_taus >= 1):
        raise ValueError(f"n_taus must be an integer, at least 1, got {n_taus!r}")
    return np.asarray(tau_max * eps ** np.linspace(0, 1, int(n_taus)))


def descending_taus(taus: ArrayLike) -> Array:
    """Return the weights tau in descending order, the order in which a path is fastest."""
    values = np.array(taus, dtype=float)
    if values.ndim != 1 or not values.size:
        raise ValueError(
            f"taus must be a list of at least one number, got an array of shape {values.shape}"
        )
    wrong = values[~((values >= 0) & (values < np.inf))]
    if wrong.size:
        raise ValueError(f"taus must be at least 0 and finite, got {wrong[0]}")
    return np.sort(values)[::-1]


def tau_path(
    problem: SMMProblem, taus: Iterable[float], *, tol: float = 1e-6, max_iter: int = 2000
) -> Iterator[SMMCertificate]:
    """Yield the certified solution at each tau, warm-started from the one before.

    Parameters
    ----------
    problem : SMMProblem
        The data and C; its own tau is not used.
    taus : iterable of float
        In any order; the path is faster if successive values are close.
    tol : float, default=1e-6
        Relative gap at which each solution ends.
    max_iter : int, default=2000
        Maximum of iterations for each solution; the certificate tells whether `tol` was reached.

    Yields
    ------
    SMMCertificate

    Raises
    ------
    ValueError
        If a tau is negative or not finite, or `max_iter` is below 1.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.path import tau_path
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> top = problem.tau_max()
    >>> [proof.rank for proof in tau_path(problem, [1.01 * top, 0.5 * top])]
    [0, 1]
    """
    state: DefaultState | None = None
    for tau in taus:
        state, proof = next_on_path(problem.with_weights(tau=tau), state, tol, max_iter)
        yield proof


def next_on_path(
    problem: SMMProblem, start: DefaultState | None, tol: float = 1e-6, max_iter: int = 2000
) -> tuple[DefaultState | None, SMMCertificate]:
    """Solve one point of a path from the state at the point before.

    Parameters
    ----------
    problem : SMMProblem
        The point, with its tau.
    start : DefaultState or None
        The state at the point before, or None at the first one.
    tol : float, default=1e-6
        Relative gap at which the solution ends.
    max_iter : int, default=2000
        Maximum of iterations; the certificate tells whether `tol` was reached.

    Returns
    -------
    state : DefaultState or None
        None if `start` is None and tau is at least `problem.tau_bound()`: W = 0 then needs no
        solver.
    certificate : SMMCertificate

    Raises
    ------
    ValueError
        If `start` is a state of other data, or `max_iter` is below 1.
    """
    if start is None and problem.tau >= problem.tau_bound():
        return None, problem.certificate(problem.balance(problem.sample_C))
    states = default_solver(problem, start=start)
    proof, state = solve_to_gap(problem, states, tol, max_iter)
    return state, proof


def better_start(
    problem: SMMProblem, at_C: DefaultState | None, at_tau: DefaultState | None
) -> DefaultState | None:
    """Return the better start: the state at the same C, or the one at the same tau / C.

    That is the one whose W has the smaller objective. Newton's method determines W by alpha, which
    another C moves too far, so it starts at the same C.
    """
    if at_C is None and isinstance(at_tau, LagrangianState):
        return at_tau
    if not (isinstance(at_C, LagrangianState) and isinstance(at_tau, LagrangianState)):
        return at_C
    return min(at_C, at_tau, key=lambda state: _objective(problem, state))


def _objective(problem: SMMProblem, state: LagrangianState) -> float:
    sigma = np.linalg.svd(state.W, compute_uv=False)
    return problem.best_primal(Candidate(state.W, np.asarray(sigma), state.scores))[0]
