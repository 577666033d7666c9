"""ADMM in its general form, Sugiyama's Fig. 24.3, and with an adaptive rho."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from smmcore.arrays import Array
from smmcore.solvers.states import State, check_data, check_parameters
from smmcore.sugiyama.regression import LSCertificate, RegularizedLS, Splitting

# Iterations after which rho may change: finitely many, so that ADMM converges.
_BALANCES = {2**i for i in range(2, 13)}


@dataclass(frozen=True, eq=False, repr=False)
class SplittingState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    rho: float
    theta: Array  # (b,), in general not sparse
    z: Array  # (m,), exactly sparse, exactly within the constraint
    u: Array  # (l,), a subgradient of g at z
    primal_residual: float  # ||A theta + B z - c||
    dual_residual: float  # rho ||A'B (z - z_prev)||
    change: float  # ||theta - theta_prev||, the stopping rule of Fig. 24.4
    fingerprint: Array | None = None  # (2, 8), of Phi and y, if the problem has one

    def certificate(self, problem: RegularizedLS) -> LSCertificate:
        """Return the certificate of this z."""
        return problem.certificate(self.z, self.u)


def split_admm(
    problem: Splitting, *, start: SplittingState | None = None
) -> Iterator[SplittingState]:
    """Minimise over theta, then over z, then add rho times the constraint violation to u.

    Parameters
    ----------
    problem : Splitting
        The two functions, their constraint and rho.
    start : SplittingState, optional
        A state of a run on the same Phi and y. With the same penalty the run continues exactly;
        with another it is a warm start. Other data raise a ValueError.

    Yields
    ------
    SplittingState
        Endlessly, one for each iteration.

    References
    ----------
    Sugiyama, Fig. 24.3; section 24.2 for the l1 norm, 24.4.1 to 24.4.4 for the others.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank
    >>> from smmcore.sugiyama.penalties import TraceNorm, WeightedNorm
    >>> from smmcore.sugiyama.regression import RegularizedLS
    >>> from smmcore.solvers import solve_to_gap
    >>> from smmcore.sugiyama.splitting import split_admm
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> penalty = WeightedNorm(TraceNorm((12, 10)), 5.0)
    >>> problem = RegularizedLS(X.reshape(100, 120), y, penalty)
    >>> proof, state = solve_to_gap(problem, split_admm(problem.split()), 1e-3, 1000)
    >>> proof.theta.shape, proof.within(1e-3)
    ((120,), True)
    """
    if start is not None:
        _check(problem, start)
    state = start or _first_state(problem)
    while True:
        state = _iterate(problem, state)
        yield state


def balanced_admm(
    problem: RegularizedLS, *, start: SplittingState | None = None
) -> Iterator[SplittingState]:
    """Run `split_admm` and move rho towards equal relative residuals, at growing intervals.

    With the book's rho = 1 the number of iterations depends on the units of Phi and F: a few dozen
    at the best rho, thousands at a rho a hundred times larger or smaller.

    Parameters, states and errors are those of `split_admm`.
    """
    state = start
    splitting = problem.split(state.rho if state else problem.natural_rho)
    if state is not None:
        _check(splitting, state)
    state = state or _first_state(splitting)
    while True:
        if state.k in _BALANCES:
            splitting = problem.split(_adapted_rho(splitting, state))
        state = _iterate(splitting, state)
        yield state


def _iterate(problem: Splitting, state: SplittingState) -> SplittingState:
    theta = problem.best_theta(state.z, state.u)
    z = problem.best_z(theta, state.u)
    violation = problem.violation(theta, z)
    u = state.u + problem.rho * violation
    return SplittingState(
        k=state.k + 1,
        rho=problem.rho,
        theta=theta,
        z=z,
        u=u,
        primal_residual=float(np.linalg.norm(violation)),
        dual_residual=problem.rho
        * float(np.linalg.norm(problem.A.T @ (problem.B @ (z - state.z)))),
        change=float(np.linalg.norm(theta - state.theta)),
        fingerprint=problem.fingerprint,
    )


def _adapted_rho(problem: Splitting, state: SplittingState) -> float:
    """Return a rho that moves the two relative residuals towards each other."""
    A, B = problem.A, problem.B
    size = max(np.linalg.norm(A @ state.theta), np.linalg.norm(B @ state.z))
    primal = state.primal_residual * float(np.linalg.norm(A.T @ state.u))
    dual = state.dual_residual * float(size)
    if not primal and not dual:
        return state.rho
    ratio = primal / dual if dual else inf  # z does not move until u has grown
    return state.rho * float(np.clip(np.sqrt(ratio), 0.1, 10.0))


def _first_state(problem: Splitting) -> SplittingState:
    (rows, b), m = problem.A.shape, problem.B.shape[1]
    theta, z, u = np.zeros(b), np.zeros(m), np.zeros(rows)
    return SplittingState(0, problem.rho, theta, z, u, inf, inf, inf, problem.fingerprint)


def _check(problem: Splitting, start: SplittingState) -> None:
    check_parameters(start.theta, problem.A.shape[1])
    if problem.fingerprint is not None and start.fingerprint is not None:
        check_data(start.fingerprint, problem.fingerprint)
