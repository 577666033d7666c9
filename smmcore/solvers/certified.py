"""Run a solver, by default the faster one, until its solution is certified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from math import ceil, isfinite, log10
from typing import Any, Protocol, TypeVar

import numpy as np

from smmcore.problems import Proof, SMMProblem
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers import lagrangian
from smmcore.solvers.lagrangian import LagrangianState
from smmcore.solvers.newton import NewtonState
from smmcore.solvers.newton import first_state as newtons_first_state
from smmcore.solvers.newton import step as newtons_step
from smmcore.threads import one_blas_thread

SMALLEST_GAP = 1e-15  # relative, in place of tol = 0

_FEW = 1.5  # samples, in units of p q, for which Newton's method is the faster one
_MOST_HANDED = 3  # times that a method hands over to the other

DefaultState = NewtonState | LagrangianState


class CertifiedState(Protocol):
    """The state of a solver."""

    @property
    def k(self) -> int: ...

    def certificate(self, problem: Any) -> Proof: ...


S = TypeVar("S", bound=CertifiedState)


@one_blas_thread()
def solve_to_gap(problem: object, states: Iterable[S], tol: float, max_iter: int) -> tuple[Any, S]:
    """Return the first certificate found within `tol`, else the best one, and the last state.

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
        That of the last state if it is within `tol`, else the one with the smallest gap.
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
    due, state, best, is_last = 1, None, None, False
    for k, state in enumerate(islice(states, max_iter), start=1):
        is_last = k >= due and getattr(state, "is_minimum", True)
        if not is_last:
            continue
        proof = state.certificate(problem)
        if best is None or proof.gap < best.gap or proof.within(tol):
            best = proof
        if proof.within(tol):
            break
        decades = log10(proof.relative_gap / max(tol, SMALLEST_GAP))
        due = k + (max(1, ceil(decades / 2)) if isfinite(decades) else 1)
    if state is None:
        raise ValueError("solve_to_gap needs at least one state, got none")
    if not is_last:
        proof = state.certificate(problem)
        best = proof if best is None or proof.gap < best.gap else best
    return best, state


def default_solver(
    problem: SMMProblem, *, start: DefaultState | None = None
) -> Iterator[DefaultState]:
    """Run the faster of `newton` and `augmented_lagrangian`, and the other where it gives up.

    Parameters
    ----------
    problem : SMMProblem
        Samples, labels, C and tau.
    start : NewtonState or LagrangianState, optional
        A state of a run on the same X and y, which goes on with the same solver. With the same C
        and tau the run continues exactly; others are a warm start, and k counts from 1 again. Other
        data raise a ValueError at the call.

    Yields
    ------
    NewtonState or LagrangianState
        One for each iteration, endlessly unless both methods have given up.

    Notes
    -----
    Newton's method factorises matrices with a row for each sample of its working set, the augmented
    Lagrangian method one of at most p q rows. So the former runs as long as its working set has at
    most 1.5 p q samples, and at its start at most 3 p q that should move. It is the first up to
    n = 1.5 p q, and above n = 2000, where it begins at a guess that needs no Gram matrix of all
    samples. Between these, that matrix is not worth its time. The numbers were chosen on 108
    problems of 30 kinds. On 87 others the choice took 1.1 to 1.2 times as long as the better of the
    two in all, and 2.1 times at worst (`python -m tests.benchmarks.choice 100 145` for 45 of them).

    Two methods are worth their lines: on 120 problems with n from 20 to 4000, Newton's method alone
    took 1.13 times as long in all, at worst 23 times, the augmented Lagrangian method alone 1.62
    times, at worst 4.6, and Algorithm 1 with rho="auto" 2.05 times.

    A method gives up where rounding, or steps that are far too short, keep it from the solution.
    The other then goes on from its alpha, with the next k. After four runs the last one ends.

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
    return _run(problem, _first_state(problem, start))


def _run(problem: SMMProblem, state: DefaultState) -> Iterator[DefaultState]:
    while True:
        if state.gives_up and state.handed < _MOST_HANDED:
            state = _handed_over(problem, state)
        if isinstance(state, NewtonState):
            most = np.inf if state.handed else _FEW * problem.X[0].size
            state = newtons_step(problem, state, most)
        else:
            state = lagrangian.step(problem, state)
        yield state
        if state.gives_up and state.handed == _MOST_HANDED:
            return


def _first_state(problem: SMMProblem, start: DefaultState | None) -> DefaultState:
    if isinstance(start, LagrangianState):
        return lagrangian.first_state(problem, start)
    if start is not None:
        return newtons_first_state(problem, start)
    n, p, q = problem.shape
    if _FEW * p * q < n <= MOST_GRAM:
        return lagrangian.first_state(problem, None)
    return newtons_first_state(problem, None)


def _handed_over(problem: SMMProblem, state: DefaultState) -> DefaultState:
    """Return the state from which the other method goes on."""
    if isinstance(state, NewtonState):
        # From nothing if Newton's method has found its first guess to be a poor one.
        start = None if state.outgrown and not state.length else state
        other: DefaultState = lagrangian.first_state(problem, start)
    else:
        other = newtons_first_state(problem, state)
    return replace(other, k=state.k, since=state.k, handed=state.handed + 1)
