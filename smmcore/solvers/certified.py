"""Run a solver, by default the faster one, until its solution is certified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import ceil, isfinite, log10
from typing import Any, Protocol, TypeVar

from smmcore.problems import Proof, SMMProblem
from smmcore.solvers.lagrangian import LagrangianState, augmented_lagrangian
from smmcore.solvers.newton import NewtonState, newton

SMALLEST_GAP = 1e-15  # relative, in place of tol = 0

DefaultState = NewtonState | LagrangianState


class CertifiedState(Protocol):
    """The state of a solver."""

    @property
    def k(self) -> int: ...

    def certificate(self, problem: Any) -> Proof: ...


S = TypeVar("S", bound=CertifiedState)


def solve_to_gap(problem: object, states: Iterable[S], tol: float, max_iter: int) -> tuple[Any, S]:
    """Return the first certificate found within `tol`, else that of the last state, and its state.

    A certificate costs about as much as an iteration, so they are computed at intervals: one
    iteration for every two decades between the last relative gap and `tol`, at least one, and only
    at states that are minima, if the solver tells.

    Parameters
    ----------
    problem : object
        What the states' method `certificate` takes, such as `SMMProblem`.
    states : iterable
        A solver of the problem. It may end, for example by `iterate.until`.
    tol : float
        The relative duality gap at which to end, at least 0.
    max_iter : int
        The maximum number of states, at least 1.

    Returns
    -------
    certificate : Proof
        Of the state.
    state
        The last state taken.

    Raises
    ------
    ValueError
        If `max_iter` is below 1, or there is no state at all.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import SMMProblem
    >>> from smmcore.solvers import fast_admm, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-6, 1000)
    >>> proof.gap <= 1e-6 * proof.primal, proof.W.shape
    (True, (6, 5))
    """
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter}")
    due, state, proof = 1, None, None
    for k, state in enumerate(islice(states, max_iter), start=1):
        proof = None
        if k < due or not getattr(state, "is_minimum", True):
            continue
        proof = state.certificate(problem)
        if proof.within(tol):
            break
        decades = log10(proof.relative_gap / max(tol, SMALLEST_GAP))
        due = k + (max(1, ceil(decades / 2)) if isfinite(decades) else 1)
    if state is None:
        raise ValueError("solve_to_gap needs at least one state, got none")
    return proof or state.certificate(problem), state


def default_solver(
    problem: SMMProblem, *, start: DefaultState | None = None
) -> Iterator[DefaultState]:
    """Run the faster solver: `newton` up to n = p q, and `augmented_lagrangian` above.

    Newton's method factorises matrices of up to n rows, the augmented Lagrangian method one of p q.

    Parameters
    ----------
    problem : SMMProblem
    start : NewtonState or LagrangianState, optional
        A state of a run on the same X and y, which goes on with the same solver. With the same C
        and tau the run continues exactly; others are a warm start, and k counts from 1 again. Other
        data raise a ValueError at the call.

    Yields
    ------
    NewtonState or LagrangianState
        Endlessly, one for each iteration.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import SMMProblem
    >>> from smmcore.solvers import default_solver, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, default_solver(problem), 1e-6, 100)
    >>> type(state).__name__, proof.within(1e-6)
    ('LagrangianState', True)
    """
    n, p, q = problem.shape
    if isinstance(start, NewtonState) or (start is None and n <= p * q):
        return newton(problem, start=start)
    return augmented_lagrangian(problem, start=start)
