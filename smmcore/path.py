"""Solutions along a path of nuclear weights tau, each warm-started from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.choice import DefaultState, default_solver

STEPS = 40  # that `tau_for_rank` goes down before it bisects


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
    tol : float
        Relative gap at which each solution ends.
    max_iter : int
        Maximum of iterations for each solution; the certificate tells whether tol was reached.

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
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
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
    """Solve one point of a path from the state at the point before; return state and certificate.

    The state is None at W = 0, up to rounding, which gives the next solution no scale to start at.

    Parameters
    ----------
    problem : SMMProblem
        The point, with its tau.
    start : DefaultState or None
        The state at the point before, or None at the first one.
    tol : float
        Relative gap at which the solution ends.
    max_iter : int
        Maximum of iterations; the certificate tells whether tol was reached.

    Returns
    -------
    state : DefaultState or None
    certificate : SMMCertificate

    Raises
    ------
    ValueError
        If `start` is a state of other data, or `max_iter` is below 1.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.path import next_on_path
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> state, proof = next_on_path(problem, None)
    >>> state, proof = next_on_path(problem.with_weights(tau=0.9), state)
    >>> proof.within(1e-6)
    True
    """
    states = default_solver(problem, start=start)
    proof, state = solve_to_gap(problem, states, tol, max_iter)
    return state if proof.rank else None, proof


def tau_for_rank(problem: SMMProblem, rank: int) -> tuple[float, SMMCertificate]:
    """Return the largest tau found at which W has at least a given rank, and the solution there.

    The rank is not monotone in tau, so this is the largest of the values tried: from tau_max down
    in equal ratios over four decades, then by bisection between two of them.

    Parameters
    ----------
    problem : SMMProblem
        The data and C; its own tau is not used.
    rank : int
        At least 1 and at most min(p, q).

    Returns
    -------
    float, SMMCertificate

    Raises
    ------
    ValueError
        If the rank is out of range, or no tau tried gives it.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.path import tau_for_rank
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> tau, proof = tau_for_rank(problem, 2)
    >>> proof.rank, tau < problem.tau_max()
    (2, True)
    """
    most = min(problem.shape[1:])
    if not 1 <= rank <= most:
        raise ValueError(f"rank must be between 1 and min(p, q) = {most}, got {rank}")
    top = above = problem.tau_max()
    state: DefaultState | None = None
    for i in range(1, STEPS + 1):
        tau = top * 1e-4 ** (i / STEPS)
        state, proof = next_on_path(problem.with_weights(tau=tau), state)
        if proof.rank >= rank:
            break
        above = tau
    else:
        raise ValueError(
            f"no tau between {top * 1e-4:.3g} and tau_max = {top:.3g} gives W a rank of at least "
            f"{rank}; the highest found is {proof.rank}"
        )
    found = tau, proof
    for _ in range(10):
        middle = (above * found[0]) ** 0.5
        state, proof = next_on_path(problem.with_weights(tau=middle), state)
        if proof.rank >= rank:
            found = middle, proof
        else:
            above = middle
    return found
