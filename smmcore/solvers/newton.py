"""Newton's method on the dual of the support matrix machine, after a few steps of Algorithm 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import DTypeLike, NDArray

from smmcore import qp
from smmcore.problems import Candidate, SMMCertificate, SMMProblem
from smmcore.problems.samples import Indices, blocks, sum_of_grams
from smmcore.problems.smm import MOST_GRAM
from smmcore.prox import SVTDerivative
from smmcore.solvers.admm import ADMMState, at_dual_point, fast_admm, first_state
from smmcore.solvers.states import check_start, freeze, has_sample_weight

Array = NDArray[np.float64]

_COLD, _WARM = 3, 1  # iterations of Algorithm 1 before the first Newton step
_COLD_DAMPING, _WARM_DAMPING = 1e-2, 1e-3  # of the first Newton step
_LEAST_DAMPING = 1e-10
_GOOD, _BAD = 0.7, 0.3  # ratios of the gain to the model's, at which the damping changes
_TRIALS = 8  # of a step length
_HELP = 16  # iterations of Algorithm 1 after a Newton step that gained nothing
_LARGE = 200  # samples from which H is computed in single precision, in half of the time
_PART = 5_000_000  # numbers of a part of H's root, at most as many as in X
_FEWEST_NEW = 40  # samples that may always join the working set in one step
_SOME, _SOME_FREE = 500, 200  # samples of the first guess where there are many, free alpha after it
_SPARSE = 0.25  # share of free alpha up to which a first guess from some samples is worth while
_COSTLY = 2e9  # products of two numbers in a Gram matrix from which this guess is made


@dataclass(frozen=True, eq=False)
class NewtonState:
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    alpha: Array  # (n,), dual feasible
    Omega: Array  # (p, q), sum_i alpha_i y_i X_i
    damping: float  # theta of the next step
    length: float  # t of this step, 0 if the damping only grew
    is_double: bool  # whether H was indefinite in single precision, which ends its use
    weights: tuple[float, float]  # C and tau of the problem that the state belongs to
    fingerprint: Array  # (3, 8), of X, y and the sample weights
    admm: ADMMState | None  # the state of Algorithm 1 while its iterations last
    admm_left: int  # iterations of Algorithm 1 before the next Newton step
    margin_error: float  # of Algorithm 1's last iteration, see `ADMMState`

    def __post_init__(self) -> None:
        freeze(self)

    def certificate(self, problem: SMMProblem) -> SMMCertificate:
        """Return the certificate of D_tau(Omega(alpha)) with D(alpha)."""
        if self.admm:
            return self.admm.certificate(problem)
        return problem.certificate(self.alpha, self.Omega)


def newton(
    problem: SMMProblem, *, start: NewtonState | ADMMState | None = None
) -> Iterator[NewtonState]:
    """Maximise the dual by Newton's method, with a quadratic programme over the box in each step.

    Parameters
    ----------
    problem : SMMProblem
    start : NewtonState or ADMMState, optional
        A state of a run on the same X and y. With the same C, tau and sample weights a NewtonState
        continues exactly; others are a warm start, and k counts from 1 again. Other data raise a
        ValueError at the call.

    Yields
    ------
    NewtonState
        Endlessly, one for each iteration. The first are those of Algorithm 1: three, or one from a
        warm start. D(alpha) never falls after these. All iterations are Newton steps if there are
        more than 2000 samples, or if few alpha are free and the Gram matrix is costly or the start
        is warm.

    Notes
    -----
    In u = y alpha the dual is D(u) = y @ u - 1/2 ||D_tau(Omega(u))||_F^2 with the gradient
    g_i = y_i - <W, X_i>, W = D_tau(Omega). Its second derivative is -H_ij = -<X_i, D_tau'[X_j]>,
    where D_tau' is the derivative of the singular value threshold at Omega. Iteration k:

    v = argmax g @ (v - u) - 1/2 (v - u)' M (v - u) over the box and sum(v) = 0,
    with M = theta K + (1 - theta) H and the Gram matrix K
    u <- u + t (v - u), with a t in (0, 1] near the maximum of D on this line
    theta <- theta / 10 if D rose by 0.7 of what the model promised at t = 1, 4 theta below 0.3

    As D_tau' is at most the identity, the model with theta = 1 is a lower bound of D, so theta = 1
    always gives ascent. H alone is singular: it is 0 where W is 0. Only the alpha strictly between
    0 and C_i, and those that violate the KKT conditions, change in a step: the working set. If
    rounding ends the ascent, Algorithm 1 continues from there.

    Algorithm 1 needs the Gram matrix of all samples. With more than 2000 samples, M is computed for
    the working set alone, and Algorithm 1 solves for 500 of them only, which gives the first alpha.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import SMMProblem
    >>> from smmcore.solvers import newton, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, newton(problem), 1e-9, 100)
    >>> proof.rank, proof.within(1e-9)
    (1, True)
    """
    return _run(problem, _first(problem, start))


def _run(problem: SMMProblem, state: NewtonState) -> Iterator[NewtonState]:
    while True:
        state = _follow_admm(problem, state) if state.admm else _step(problem, state)
        yield state


def _first(problem: SMMProblem, start: NewtonState | ADMMState | None) -> NewtonState:
    weights = (problem.C, problem.tau)
    if isinstance(start, NewtonState):
        check_start(problem, start.Omega, start.alpha, start.fingerprint)
        if start.weights == weights and has_sample_weight(problem, start.fingerprint):
            return start
    alpha = _guess(problem) if start is None else _scaled_alpha(problem, start)
    if alpha is not None:
        return _zeroth(problem, alpha, problem.omega(alpha), start is None)
    if isinstance(start, NewtonState):
        start = start.admm or _as_admm(problem, start)
    first = first_state(problem, "auto", start)
    return replace(
        _zeroth(problem, first.alpha, first.Omega, start is None),
        admm=first,
        admm_left=_COLD if start is None else _WARM,
        margin_error=first.margin_error,
    )


def _zeroth(problem: SMMProblem, alpha: Array, Omega: Array, is_cold: bool) -> NewtonState:
    """Return a state whose next iteration is a Newton step."""
    return NewtonState(
        k=0,
        alpha=alpha,
        Omega=Omega,
        damping=_COLD_DAMPING if is_cold else _WARM_DAMPING,
        length=0.0,
        is_double=False,
        weights=(problem.C, problem.tau),
        fingerprint=problem.fingerprint,
        admm=None,
        admm_left=0,
        margin_error=0.0,
    )


def _many(problem: SMMProblem) -> bool:
    """Whether there are too many samples for Algorithm 1 and the Gram matrix that it needs."""
    return len(problem.y) > MOST_GRAM


def _is_sparse(problem: SMMProblem, alpha: Array) -> bool:
    """Whether so few alpha are free that Newton steps cost less than those of Algorithm 1."""
    free = (alpha > 0) & (alpha < problem.sample_C)
    return int(np.count_nonzero(free)) <= _SPARSE * len(alpha)


def _scaled_alpha(problem: SMMProblem, start: NewtonState | ADMMState) -> Array | None:
    """Return the alpha of a state of other weights, scaled down to C_i, unless it is dense."""
    check_start(problem, start.Omega, start.alpha, start.fingerprint)
    alpha = problem.feasible(start.alpha * min(1.0, problem.C / start.weights[0]))
    return alpha if _many(problem) or _is_sparse(problem, alpha) else None


def _guess(problem: SMMProblem) -> Array | None:
    """Return a dual feasible alpha near the solution, by a few iterations on some of the samples.

    A few of the other samples are free: those whose margins are nearest to 1. If a Gram matrix of
    all samples is affordable, and cheap or likely to be needed, return None.
    """
    y, weights = problem.y, problem.sample_weight
    n, p, q = problem.shape
    some, free = _SOME, _SOME_FREE
    if not _many(problem):
        if n**2 * p * q < _COSTLY:
            return None
        some, free = max(1, n // 4), max(1, n // 32)
    classes = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    chosen = np.concatenate([each[:: max(1, n // some)] for each in classes])
    C = problem.C * float(weights.sum() / weights[chosen].sum())
    part = SMMProblem(problem.X[chosen], y[chosen], C, problem.tau, sample_weight=weights[chosen])
    first = first_state(part, "auto", None)
    if not _many(problem) and not _is_sparse(part, first.alpha):
        return None
    state = next(islice(fast_admm(part, rho="auto", start=first), _COLD - 1, None))
    W = state.certificate(part).W
    b = problem.best_intercept(W) - problem.intercept(W, 0.0)
    slack = 1 - y * (problem.centred_scores(W) + b)
    width = float(np.sort(np.abs(slack))[free]) or 1.0
    middle = y * problem.sample_C * (0.5 + 0.5 * slack / width)
    alpha = np.abs(qp.project(middle, *problem.box)[0])
    # The projection loses digits of the sum where the C_i of the classes differ by 1e8. Elsewhere
    # the alpha at C_i stay there exactly.
    is_balanced = abs(y @ alpha) <= 1e-13 * alpha.sum()
    return alpha if is_balanced else problem.balance(alpha)


def _follow_admm(problem: SMMProblem, state: NewtonState) -> NewtonState:
    """Do one iteration of Algorithm 1."""
    admm = next(fast_admm(problem, rho="auto", start=state.admm))
    left = state.admm_left - 1
    return replace(
        state,
        k=state.k + 1,
        alpha=admm.alpha,
        Omega=admm.Omega,
        length=1.0,
        admm=admm if left else None,
        admm_left=left,
        margin_error=admm.margin_error,
    )


def _hand_over(problem: SMMProblem, state: NewtonState) -> NewtonState:
    """Let Algorithm 1 go on from here, or, where there are too many samples, try a shorter step."""
    if _many(problem):
        error = qp.EPS * problem.largest_sample * float(np.linalg.norm(state.Omega))
        return replace(state, damping=min(4 * state.damping, 1.0), margin_error=error)
    return replace(state, admm=_as_admm(problem, state), admm_left=_HELP)


def _as_admm(problem: SMMProblem, state: NewtonState) -> ADMMState:
    """Return the state of Algorithm 1 at the dual point of a state, for that state's C and tau."""
    C, tau = state.weights
    problem, Omega = problem.with_weights(C=C, tau=tau), state.Omega
    alpha = problem.feasible(state.alpha)
    if alpha is not state.alpha:  # it belongs to other sample weights
        Omega = problem.omega(alpha)
    return at_dual_point(problem, alpha, Omega)


class _DualPoint(NamedTuple):
    """The Omega of a dual point, and its singular value decomposition."""

    Omega: Array
    U: Array
    sigma: Array
    Vt: Array
    shrunk: Array  # [sigma - tau]_+, the singular values of W

    @property
    def W(self) -> Array:
        r = np.count_nonzero(self.shrunk)
        return np.asarray((self.U[:, :r] * self.shrunk[:r]) @ self.Vt[:r])


def _decompose(Omega: Array, tau: float) -> _DualPoint:
    U, sigma, Vt = np.linalg.svd(Omega, full_matrices=False)
    return _DualPoint(Omega, U, sigma, Vt, np.maximum(sigma - tau, 0.0))


class _Model(NamedTuple):
    """The maximum of the quadratic model of D over the box, as a change of u."""

    change: Array  # (n,)
    promised: float  # rise of the model
    slope: float  # of D along the change
    is_double: bool  # see `NewtonState`


def _step(problem: SMMProblem, state: NewtonState) -> NewtonState:
    """Do one Newton step; if rounding leaves nothing to gain, hand over."""
    Omega = state.Omega if state.k % 16 else problem.omega(state.alpha)  # limits the rounding
    here = _decompose(Omega, problem.tau)
    model = _maximise_model(problem, state, here)
    state = replace(state, k=state.k + 1, length=0.0, is_double=model.is_double)
    if model.slope <= 0:
        return _hand_over(problem, state)
    dOmega = problem.omega(problem.y * model.change)

    def along(t: float) -> tuple[Array, float]:
        """Return Omega at a point on the line and the slope of D there."""
        point = _decompose(Omega + t * dOmega, problem.tau)
        return point.Omega, model.slope - float(np.vdot(point.W - here.W, dOmega))

    t, there, slope = 1.0, *along(1.0)
    rounding = np.linalg.norm(Omega) * np.linalg.norm(dOmega) + np.abs(model.change).sum()
    hidden = model.slope <= 16 * qp.EPS * float(rounding)
    if not hidden:
        # D's rise by the trapezoidal rule: near the solution it is below the rounding of D.
        ratio = 0.5 * (model.slope + slope) / model.promised
        state = replace(state, damping=_next_damping(state.damping, ratio))
        t, there = _search(along, there, slope, model.slope)
    alpha = np.clip(state.alpha + t * problem.y * model.change, 0.0, problem.sample_C)
    state = replace(state, alpha=alpha, Omega=there, length=t)
    return _hand_over(problem, state) if hidden else state


def _maximise_model(problem: SMMProblem, state: NewtonState, here: _DualPoint) -> _Model:
    y, u = problem.y, problem.y * state.alpha
    lower, upper = problem.box
    scores = problem.centred_scores(here.W)
    primal, b = problem.best_primal(Candidate(here.W, here.shrunk, scores))
    slopes = y - scores - b
    F = _working_set(u, slopes, lower, upper)
    change = np.zeros_like(u)
    if len(F) < 2:  # no change keeps the sum
        return _Model(change, 0.0, 0.0, state.is_double)
    dual = float(state.alpha.sum()) - 0.5 * float(here.shrunk @ here.shrunk)
    # A violation v of the KKT conditions costs up to v / 2 sum(C_i).
    tolerance = max(1e-3 * (primal - dual) / len(y), 1e-10 * float(state.alpha.mean()))
    tolerance /= problem.mean_C
    # The sum of u is 0 but for rounding, which must not accumulate.
    box, total = (lower[F], upper[F]), float(u[F].sum() - u.sum())

    def solve(dtype: DTypeLike) -> tuple[Array, Array]:
        M = _model_matrix(problem, F, here, state.damping, dtype)
        return M, qp.maximise(M, slopes[F] + M @ u[F], *box, u[F], tolerance, total).u

    solved, is_double = None, state.is_double
    dtype = float if is_double else _model_type(problem, F, here)
    try:
        solved = solve(dtype)
    except LinAlgError:  # the rounding of single precision has made M indefinite
        is_double = True
    M, found = solved or solve(float)  # outside the handler, whose exception holds the matrices
    change[F] = step = found - u[F]
    slope = float(slopes[F] @ step)
    return _Model(change, slope - 0.5 * float(step @ M @ step), slope, is_double)


def _next_damping(damping: float, ratio: float) -> float:
    """Return theta for the next step, given the rise of D relative to that of the model."""
    if ratio > _GOOD:
        return max(0.1 * damping, _LEAST_DAMPING)
    return min(4 * damping, 1.0) if ratio < _BAD else damping


def _search(
    along: Callable[[float], tuple[Array, float]],  # returns Omega and the slope at a length
    Omega: Array,  # at length 1
    here: float,  # the slope at length 1
    first: float,  # the slope at length 0, positive
) -> tuple[float, Array]:
    """Return a step length in (0, 1] near the maximum of D on a line, and Omega there.

    D is concave, so its slope falls, and the maximum is where it is 0. A step will do if its slope
    is at most half of the first one in absolute value, or positive at length 1.
    """
    t, low, low_slope, high, high_slope = 1.0, 0.0, first, 1.0, here
    for _ in range(_TRIALS):
        if abs(here) <= 0.5 * first or (t == 1.0 and here > 0):
            break
        share = low_slope / (low_slope - high_slope)
        t = low + min(max(share, 0.05), 0.9) * (high - low)
        Omega, here = along(t)
        if here > 0:
            low, low_slope = t, here
        else:
            high, high_slope = t, here
    return t, Omega


def _working_set(u: Array, excess: Array, lower: Array, upper: Array) -> Indices:
    """Return the free indices and those that can move the way their gradient points.

    Of the latter at most as many as there are free ones, the worst first; if they are few, also
    those that come next. If all of these rise, or all fall, as at W = 0, the same number that can
    do the opposite join, since the sum stays the same.
    """
    free = (lower < u) & (u < upper)
    violation = np.where(u <= lower, excess, -excess)
    violation[free] = -np.inf
    most = max(_FEWEST_NEW, int(np.count_nonzero(free)))
    count = min(max(_FEWEST_NEW, np.count_nonzero(violation > 0)), most, np.count_nonzero(~free))
    new = np.argsort(-violation, kind="stable")[:count]
    rise = u[new] <= lower[new]
    if rise.all() or not rise.any():
        other = np.flatnonzero(~free & (u > lower if rise.all() else u < upper))
        order = excess[other] if rise.all() else -excess[other]
        new = np.union1d(new, other[np.argsort(order, kind="stable")[: len(new)]])
    return np.union1d(np.flatnonzero(free), new)


def _model_type(problem: SMMProblem, F: Indices, at: _DualPoint) -> DTypeLike:
    """Return the precision of H: single for a large matrix that may have full rank.

    The gradient has double precision, so the model's rounding changes the steps, not their end.
    """
    (_, p, q), r = problem.shape, int(np.count_nonzero(at.shrunk))
    return np.float32 if _LARGE <= len(F) <= r * (p + q - r) else float


def _model_matrix(
    problem: SMMProblem, F: Indices, at: _DualPoint, damping: float, dtype: DTypeLike
) -> Array:
    """Return M = theta K + (1 - theta) H for the samples F, shape (|F|, |F|)."""
    M = problem.gram_of(F)
    if not problem.tau:
        return M
    H = sum_of_grams(_derivative_roots(problem, F, at, dtype), len(F), dtype)
    M *= damping
    M += np.multiply(H, (1 - damping) * problem.largest_sample**2, dtype=float)
    return M


def _derivative_roots(
    problem: SMMProblem, F: Indices, at: _DualPoint, dtype: DTypeLike
) -> Iterator[NDArray[Any]]:
    """Yield matrices Z with |F| rows, in the same memory; H is s^2 times the sum of Z Z'.

    Samples are divided by s, the norm of the largest, so that single precision does not overflow.
    """
    _, p, q = problem.shape
    step = max(1, min(_PART, problem.X.size) // (len(F) * (p + q)))
    memory = np.empty(0, dtype)
    for first in range(0, np.count_nonzero(at.shrunk), step):
        part = slice(first, first + step)
        derivative = SVTDerivative(at.U, at.sigma, at.Vt, problem.tau, part, dtype)
        size = len(F) * derivative.rank
        if size > len(memory):
            memory = np.empty(size, dtype)
        rows = memory[:size].reshape(len(F), -1)
        for some in blocks(len(F), 2 * p * q):
            X = problem.centred_samples(F[some])
            X /= problem.largest_sample
            derivative.root(X.astype(dtype, copy=False), rows[some])
        yield rows
