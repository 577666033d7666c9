"""The default solver of the support matrix machine."""

from __future__ import annotations

from collections.abc import Iterator

from smmcore.problems import SMMProblem
from smmcore.solvers.lagrangian import LagrangianState, augmented_lagrangian
from smmcore.solvers.newton import NewtonState, newton

DefaultState = NewtonState | LagrangianState


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
        and tau the run continues exactly; others are a warm start, and k counts from 1 again.

    Yields
    ------
    NewtonState or LagrangianState
        Endlessly, one for each iteration.

    Raises
    ------
    ValueError
        At the call, if `start` is a state of other data.

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
