"""Solutions along a path of nuclear weights tau, each warm-started from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.choice import DefaultState, default_solver

Array = NDArray[np.float64]

STEPS = 40  # that `tau_for_rank` goes down before it bisects


class SMMPath(NamedTuple):
    """Solutions of the support matrix machine along tau, each with its certificate."""

    taus: Array  # (n_taus,), descending
    coefs: Array  # (n_taus, p, q), or (n_taus, p) where samples are vectors
    intercepts: Array  # (n_taus,)
    dual_gaps: Array  # (n_taus,), P - D
    objectives: Array  # (n_taus,), P(W, b)
    radii: Array  # (n_taus,), sqrt(2 dual_gaps), upper bounds of ||W - W*||_F
    ranks: NDArray[np.intp]  # (n_taus,), of the coefs
    singular_values: Array  # (n_taus, min(p, q)), of the coefs, descending
    dual_coefs: Array  # (n_taus, n), the dual variables alpha, 0 <= alpha <= C


def smm_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    eps: float = 1e-2,
    n_taus: int = 30,
    taus: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    shape: tuple[int, ...] | None = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
) -> SMMPath:
    """Solve the support matrix machine along tau, each solution warm-started from the one before.

    Minimises 1/2 ||W||_F^2 + tau ||W||_* + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ for each tau. The
    solutions are those of `SupportMatrixMachine`, up to their certificates, in less time.

    Parameters
    ----------
    X : array-like of shape (n, p, q), (n, p q) with `shape`, or (n, p)
        Matrices, their entries row by row, or vectors, which count as matrices of one column.
    y : array-like of shape (n,)
        Labels of any type, two different labels. <W, X_i> + b is positive for the second in
        sorted order.
    C : float, default=1.0
        Loss weight, positive.
    eps : float, default=1e-2
        Length of the path: the smallest tau divided by the largest.
    n_taus : int, default=30
        Number of taus, in equal ratios.
    taus : array-like of shape (n_taus,), optional
        Nuclear weights, at least 0, in any order. By default `n_taus` of them go down from
        tau_max, the smallest tau with W = 0, to `eps` tau_max. Of more than 2000 samples, an upper
        bound takes the place of tau_max, which is equal for classes of the same weight.
    sample_weight : array-like of shape (n,), optional
        Weights w_i of the samples, at least 0 and positive in each class; 1 by default.
    shape : tuple of int, optional
        (p, q), for flat X of shape (n, p q).
    tol : float, default=1e-6
        Relative duality gap at which each solution ends.
    max_iter : int, default=2000
        Maximum of iterations for each solution.

    Returns
    -------
    SMMPath
        A named tuple of arrays, one entry for each tau, from the largest to the smallest: `taus`,
        `coefs`, `intercepts`, `dual_gaps`, `objectives`, `radii`, `ranks`, `singular_values` and
        `dual_coefs`. Each W is proved to be within its `radii` of the exact solution.

    Raises
    ------
    ValueError
        If an argument is out of range, or there are not exactly two classes.

    Warns
    -----
    ConvergenceWarning
        If `tol` was not reached at some tau.

    Examples
    --------
    >>> from smmcore import smm_path
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> path = smm_path(X, y, C=0.1, eps=1e-3, n_taus=4)
    >>> path.coefs.shape, path.ranks.tolist()
    ((4, 6, 5), [0, 1, 1, 4])
    >>> bool((path.dual_gaps <= 1e-6 * path.objectives).all())
    True
    """
    from sklearn.exceptions import ConvergenceWarning  # scikit-learn would double a worker's start

    from smmcore.estimators import SupportMatrixMachine

    machine = SupportMatrixMachine(C, shape=shape, tol=tol, max_iter=max_iter)
    (_, problem), *others = machine._problems(X, y, sample_weight)
    if others:
        raise ValueError(
            f"smm_path needs two classes, got {len(machine.classes_)}: call it for each class "
            "against the rest, or use SupportMatrixMachineCV"
        )
    grid = tau_grid(largest_tau(problem), eps, n_taus) if taus is None else descending_taus(taus)
    proofs = [*tau_path(problem, grid, tol=tol, max_iter=max_iter)]
    if loose := [proof.relative_gap for proof in proofs if not proof.within(tol)]:
        warn(
            f"{len(loose)} of {len(proofs)} solutions have relative duality gaps of up to "
            f"{max(loose):.1e}, tol={tol} was not reached. Increase max_iter or tol.",
            ConvergenceWarning,
            stacklevel=2,
        )
    W = np.array([proof.W for proof in proofs])
    dual_coefs = np.zeros((len(proofs), len(machine._positive_weight)))
    dual_coefs[:, machine._positive_weight] = [proof.alpha for proof in proofs]
    return SMMPath(
        taus=grid,
        coefs=W[:, :, 0] if machine._vectors else W,
        intercepts=np.array([proof.b for proof in proofs]),
        dual_gaps=np.array([proof.gap for proof in proofs]),
        objectives=np.array([proof.primal for proof in proofs]),
        radii=np.array([proof.radius for proof in proofs]),
        ranks=np.array([proof.rank for proof in proofs]),
        singular_values=np.array([proof.singular_values for proof in proofs]),
        dual_coefs=dual_coefs,
    )


def largest_tau(problem: SMMProblem) -> float:
    """Return tau_max, or an upper bound where the Gram matrix that it needs would be large.

    Parameters
    ----------
    problem : SMMProblem

    Returns
    -------
    float
        W = 0 at this tau and above.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.path import largest_tau
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(60, (6, 5), random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> largest_tau(problem) == problem.tau_max()
    True
    """
    return problem.tau_max() if len(problem.y) <= MOST_GRAM else problem.tau_bound()


def tau_grid(tau_max: float, eps: float, n_taus: int) -> Array:
    """Return weights from tau_max down to eps tau_max in equal ratios.

    Parameters
    ----------
    tau_max : float
        At 0 all weights are 0.
    eps : float
        Above 0 and below 1.
    n_taus : int
        At least 1.

    Returns
    -------
    ndarray of shape (n_taus,)

    Raises
    ------
    ValueError
        If `eps` or `n_taus` is out of range.

    Examples
    --------
    >>> from smmcore.path import tau_grid
    >>> tau_grid(8.0, 0.25, 3).tolist()
    [8.0, 4.0, 2.0]
    """
    if not 0 < eps < 1:
        raise ValueError(f"eps must be above 0 and below 1, got {eps!r}")
    if not (isinstance(n_taus, Integral) and n_taus >= 1):
        raise ValueError(f"n_taus must be an integer, at least 1, got {n_taus!r}")
    return np.asarray(tau_max * eps ** np.linspace(0, 1, int(n_taus)))


def descending_taus(taus: ArrayLike) -> Array:
    """Return weights tau in descending order, the order in which a path is fastest.

    Parameters
    ----------
    taus : array-like of shape (n_taus,)
        At least one, in any order, each at least 0 and finite.

    Returns
    -------
    ndarray of shape (n_taus,)

    Raises
    ------
    ValueError
        If there is no tau, or one is out of range.

    Examples
    --------
    >>> from smmcore.path import descending_taus
    >>> descending_taus([1, 10, 0.1]).tolist()
    [10.0, 1.0, 0.1]
    """
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
