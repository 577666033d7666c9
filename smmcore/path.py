"""Solutions along a path of weights, each warm-started from the one before, and tau_max."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from math import floor, log2
from numbers import Integral
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.arrays import Array
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.base import Candidate
from smmcore.prox import thresholded_svd
from smmcore.solvers.certified import DefaultState, default_solver, solve_to_gap
from smmcore.solvers.lagrangian import LagrangianState
from smmcore.solvers.newton import NewtonState, newton
from smmcore.threads import one_blas_thread

# Of `tau_max_bounds`; its Notes give the reasons.
_VARIATION, _ENOUGH, _STEPS = 0.1, 0.9, 25
_NEGLIGIBLE = 1e-9


def tau_max(problem: SMMProblem, tol: float = 1e-6) -> float:
    """Return the smallest tau with the solution W = 0, the upper end of `tau_max_bounds`.

    Arguments and warnings are those of `tau_max_bounds`: the result is too high by at most `tol`
    of itself, so with this tau W = 0 is a solution.
    """
    return tau_max_bounds(problem, tol)[1]


@one_blas_thread()
def tau_max_bounds(problem: SMMProblem, tol: float = 1e-6) -> tuple[float, float]:
    """Return an interval around the smallest tau with the solution W = 0.

    Parameters
    ----------
    problem : SMMProblem
        The data and C; its own tau is not used.
    tol : float, default=1e-6
        The relative width of the interval, positive: 1e-6 takes about two fits, 1e-2 less than one.

    Returns
    -------
    low, high : float
        Both are certified. `low` is 0 if the classes cannot be told apart.

    Warns
    -----
    RuntimeWarning
        If rounding keeps the interval wider than `tol`.

    Notes
    -----
    W = 0 is a solution if ||Omega(alpha)||_2 <= tau for a feasible alpha that is C_i on the whole
    lighter class, the one with the smaller sum of the C_i. So tau_max is the minimum of
    ||Omega(alpha)||_2 over these alpha, which is `tau_bound` for classes of the same weight. By
    duality it is also the maximum over W of the quotient min_alpha <W, Omega(alpha)> / ||W||_*.
    Dinkelbach's method for quotients (Management Science 13, 1967) begins at t = 0 and repeats:

    1. Solve the machine with the weights c and c t by Newton's method from the last alpha. Here c
       is so small that no margin reaches 1. Then the lighter class is at its bound, and alpha / c
       minimises ||D_t(Omega)||_F.
    2. The quotient of W = D_t(Omega) is a lower bound of tau_max, and ||Omega||_2 an upper one.
       The steps of Newton's method end when the lower bound is 0.9 as far above t as it is for the
       exact solution, or after 25, which only rounding needs.
    3. t becomes the lower bound. Its error falls ever faster: four or five rounds give 1e-6.

    c is such that <W, X_i> varied by 0.1 in the round before: far below 1, and far above the 1e-10
    to which Newton's method works, also where W is small. Powers of 2 keep exact which alpha are at
    their bounds. tau_max counts as 0 up to 1e-9 of the largest conceivable one.
    """
    if not tol > 0:
        raise ValueError(f"tol must be positive, got {tol!r}")
    low, high = 0.0, np.inf
    for low, high in _tau_max_bounds(problem):
        if high - low <= tol * high:
            break
    else:
        warn(
            f"tau_max lies between {problem.C * low:.9g} and {problem.C * high:.9g}; "
            f"tol={tol} was not reached",
            RuntimeWarning,
            stacklevel=3,
        )
    return problem.C * low, problem.C * high


def _tau_max_bounds(problem: SMMProblem) -> Iterator[tuple[float, float]]:
    """Yield ever closer bounds of tau_max at C = 1, until rounding keeps them as they are."""
    y, weights = problem.y, problem.sample_weight
    up, down = float(weights[y > 0].sum()), float(weights[y < 0].sum())
    high = problem.with_weights(C=1.0).tau_bound()
    if abs(up - down) <= len(y) * np.finfo(float).eps * (up + down):
        yield high, high
    lighter = y == (1.0 if up <= down else -1.0)
    largest = float(weights.sum()) * problem.largest_sample  # that ||Omega||_F could be
    c = _power_of_2(_VARIATION / (largest * problem.largest_sample or 1.0))
    low, t, factor = 0.0, 0.0, 2.0
    start: NewtonState | None = None
    while low > t or factor > 1:
        t = low
        scaled = problem.with_weights(C=c, tau=c * t)
        for state in islice(newton(scaled, start=start), _STEPS):
            alpha = state.alpha / c
            svd = thresholded_svd(problem.omega(alpha), t)
            if (alpha[lighter] == weights[lighter]).all():
                high = min(high, t + float(svd.thresholded[0]))
            if high <= _NEGLIGIBLE * largest:
                yield 0.0, 0.0
            scores, size = problem.centred_scores(svd.matrix), float(svd.thresholded.sum())
            bound = _least_sum(y * scores, weights, lighter) / (size or 1.0)
            low = min(max(low, bound), high)
            yield low, high
            if size * (bound - t) >= _ENOUGH * float(svd.thresholded @ svd.thresholded):
                break
        factor = _power_of_2(_VARIATION / (c * float(np.ptp(scores)) or _VARIATION))
        c *= factor
        start = replace(
            state,
            alpha=factor * state.alpha,
            Omega=factor * state.Omega,
            svd=state.svd._replace(sigma=factor * state.svd.sigma),
            weights=(c, c * low),
        )


def _power_of_2(x: float) -> float:
    """Return the largest power of 2 up to x."""
    return 2.0 ** floor(log2(x))


def _least_sum(scores: Array, weights: Array, lighter: NDArray[np.bool_]) -> float:
    """Return min alpha @ scores over balanced alpha <= weights, equal on the lighter class."""
    most = float(weights[lighter].sum())
    order = np.argsort(scores[~lighter])
    ends = np.minimum(np.cumsum(weights[~lighter][order]), most)  # the best samples first
    rest = np.diff(ends, prepend=0.0) @ scores[~lighter][order]
    return float(weights[lighter] @ scores[lighter] + rest)


def tau_grid(top: float, eps: float, n_taus: int) -> Array:
    """Return weights in equal ratios, the largest first: top eps^(i / (n_taus - 1)).

    Parameters
    ----------
    top : float
        The largest weight, such as `tau_max`.
    eps : float
        The smallest weight divided by the largest, above 0 and below 1.
    n_taus : int
        Number of weights, at least 1.

    Returns
    -------
    ndarray of shape (n_taus,)
    """
    if not 0 < eps < 1:
        raise ValueError(f"eps must be above 0 and below 1, got {eps!r}")
    if not (isinstance(n_taus, Integral) and n_taus >= 1):
        raise ValueError(f"n_taus must be an integer, at least 1, got {n_taus!r}")
    return np.asarray(top * eps ** np.linspace(0, 1, int(n_taus)))


def descending_taus(taus: ArrayLike) -> Array:
    """Return the weights tau in descending order, the order in which a path is fastest."""
    values = _as_list("taus", taus)
    wrong = values[~((values >= 0) & (values < np.inf))]
    if wrong.size:
        raise ValueError(f"taus must be at least 0 and finite, got {wrong[0]}")
    return np.sort(values)[::-1]


def ascending_Cs(Cs: int | ArrayLike, spread: float) -> Array:
    """Return the weights C in ascending order, or this number of them by the spread of the data."""
    if isinstance(Cs, Integral):
        if Cs < 1:
            raise ValueError(f"Cs must be at least 1, or a list of numbers, got {Cs}")
        decades = np.linspace(-1, 3, int(Cs)) if Cs > 1 else np.ones(1)
        return np.asarray(10.0**decades / (spread**2 or 1.0))
    values = _as_list("Cs", Cs)
    wrong = values[~((values > 0) & (values < np.inf))]
    if wrong.size:
        raise ValueError(f"Cs must be positive and finite, got {wrong[0]}")
    return np.sort(values)


def _as_list(name: str, values: ArrayLike) -> Array:
    array = np.array(values, dtype=float)
    if array.ndim != 1 or not array.size:
        raise ValueError(
            f"{name} must be a list of at least one number, got an array of shape {array.shape}"
        )
    return array


def solve_path(
    problems: Iterable[SMMProblem], *, tol: float = 1e-6, max_iter: int = 2000
) -> Iterator[SMMCertificate]:
    """Yield the certified solution of each problem, warm-started from the one before.

    Parameters
    ----------
    problems : iterable of SMMProblem
        Of the same data, by `with_weights`: fastest if tau falls or C rises in small steps.
    tol : float, default=1e-6
        Relative gap at which each solution ends.
    max_iter : int, default=2000
        Maximum of iterations for each solution; the certificate tells whether `tol` was reached.

    Yields
    ------
    SMMCertificate

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.path import solve_path, tau_max
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> taus = [share * tau_max(problem) for share in (1.01, 0.5)]
    >>> [proof.rank for proof in solve_path(problem.with_weights(tau=tau) for tau in taus)]
    [0, 1]
    """
    state: DefaultState | None = None
    for problem in problems:
        state, proof = next_on_path(problem, state, tol, max_iter)
        yield proof


def next_on_path(
    problem: SMMProblem, start: DefaultState | None, tol: float = 1e-6, max_iter: int = 2000
) -> tuple[DefaultState | None, SMMCertificate]:
    """Solve one point of a path from the state at the point before, None at the first one.

    The state returned is None if `start` is and tau is at least `problem.tau_bound()`: W = 0 then
    needs no solver.
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
