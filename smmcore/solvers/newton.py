"""Newton's method on the dual of the support matrix machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from smmcore import qp
from smmcore.arrays import Array
from smmcore.problems import Candidate, SMMCertificate, SMMProblem
from smmcore.problems.samples import Indices, blocks, check_square, is_too_large, sum_of_grams
from smmcore.problems.smm import MOST_GRAM
from smmcore.prox import SVD, SVTDerivative, thin_svd, threshold_svd
from smmcore.solvers.admm import at_dual_point, iterate
from smmcore.solvers.admm import first_state as first_state_of_admm
from smmcore.solvers.states import DualState, State, check_start, has_sample_weight

# Half and double of each were tried on 49 problems of `tests.benchmarks.choice` with n <= 1.5 p q
# (seeds 300 to 519), those of the first guess on 10. They take 4 % fewer to 2 % more iterations but
# where another figure is given.
_FIRST_DAMPING, _LEAST_DAMPING = 0.03, 1e-10
_GOOD, _BAD = 0.7, 0.3  # ratios of the gain to the model's, at which the damping changes
_HALVINGS = 8  # of a step length
_LARGE = 200  # samples from which H is computed in single precision, in half of the time
_PART = 5_000_000  # numbers of a part of H's root, at most as many as in X
_FEWEST_NEW = 40  # samples that may always join the working set in one step
# Samples of the first guess where there are many (250: 15 % more), free alpha after it.
_SOME, _SOME_FREE = 500, 200
_GUESSES = 3  # iterations for the first guess; 6: 6 % fewer, but each is one more
_FROM_ZERO = 2  # iterations of Algorithm 1 where the first W is 0; 1: 10 % more, 4: 12 % fewer
_SPARSE = 0.25  # share of free alpha up to which a guess from some samples is used; 0.5: 21 % more
_COSTLY = 2e9  # products of two numbers in a Gram matrix from which this guess is made
_ROUGH, _ROUGH_STEPS = 1e-2, 16  # violation and steps at which the solution at tau = 0 will do
_MODEL_STEPS = 60  # towards the maximum of a model; a point on the way to it is an ascent as well
# To give up at: iterations, of which few problems need 30; QP steps; iterations without a gain.
_MOST_ITERATIONS, _MOST_STEPS, _MOST_STALLED = 80, 3000, 4


@dataclass(frozen=True, eq=False, repr=False)
class NewtonState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    alpha: Array  # (n,), dual feasible
    Omega: Array  # (p, q), sum_i alpha_i y_i X_i
    svd: SVD  # of Omega
    weights: tuple[float, float]  # C and tau of the problem that the state belongs to
    fingerprint: Array  # (3, 8), of X, y and the sample weights
    damping: float  # theta of the next step
    length: float = 0.0  # t of this step, 0 if the damping only grew
    stalled: int = 0  # steps in a row that rounding has kept from any gain
    qp_steps: int = 0  # towards the maxima of all models so far
    handed: int = 0  # how often another method has handed over, see `default_solver`
    since: int = 0  # the k at which this method took over
    margin_error: float = 0.0  # largest rounding of a margin, 0 where there is a gain
    outgrown: int = 0  # size of the working set that was too large for a step, else 0

    @property
    def gives_up(self) -> bool:
        """Whether another method should try: rounding, short steps or memory stop this one."""
        is_long = (
            self.k - self.since >= _MOST_ITERATIONS * (1 + self.handed)
            or self.qp_steps >= _MOST_STEPS
        )
        return is_long or self.stalled >= _MOST_STALLED or self.outgrown > 0

    def certificate(self, problem: SMMProblem) -> SMMCertificate:
        """Return the certificate of D_tau(Omega(alpha)) with D(alpha)."""
        return problem.certificate(self.alpha, self.svd)


def newton(problem: SMMProblem, *, start: DualState | None = None) -> Iterator[NewtonState]:
    """Maximise the dual by Newton's method, with a quadratic programme over the box in each step.

    Parameters
    ----------
    problem : SMMProblem
        Samples, labels, C and tau.
    start : NewtonState or state of another method, optional
        A state of a run on the same X and y. With the same C, tau and sample weights a NewtonState
        continues exactly; others are a warm start, and k counts from 1 again. Other data raise a
        ValueError at the call.

    Yields
    ------
    NewtonState
        Endlessly, one for each Newton step. D(alpha) never falls.

    Notes
    -----
    In u = y alpha the dual is D(u) = y @ u - 1/2 ||D_tau(Omega(u))||_F^2 with the gradient
    g_i = y_i - <W, X_i>, W = D_tau(Omega). Its second derivative is -H_ij = -<X_i, D_tau'[X_j]>,
    where D_tau' is the derivative of the singular value threshold at Omega. Iteration k:

    1. The working set: all alpha strictly between 0 and C_i, and as many others, at least 40, the
       worst violations of the KKT conditions first, half at each bound. Other alpha stay. Without
       this limit, samples in blocks took twice the time.
    2. v = argmax g @ (v - u) - 1/2 (v - u)' M (v - u) over the box and sum(v) = 0, roughly, with
       M = theta K + (1 - theta) H and the Gram matrix K, both of the working set alone.
    3. u <- u + t (v - u), with t = 1, 1/2, 1/4, ... until the slope of D, which falls along this
       line, is at least minus half of what it was.
    4. theta <- theta / 10 if D rose by 0.7 of what the model promised at t = 1, 4 theta below 0.3,
       and 4 theta where rounding hides any gain.

    As D_tau' is at most the identity, the model with theta = 1 is a lower bound of D, so theta = 1
    always gives ascent. H alone is singular: it is 0 where W is 0. From 200 samples on, where it
    may have full rank, it is computed in single precision: the gradient is exact, so this changes
    the steps, not their end. 1000 Gaussian samples take two thirds of the time.

    The first alpha is a rough solution at tau = 0 (a violation of 1e-2, or 16 steps), where the
    Gram matrix of all n samples is cheap. If W = 0 there, as for a large tau, H says nothing, and
    two iterations of Algorithm 1 follow: 12 instead of 22 Newton steps on Gaussian samples. One
    does the same for a warm start of which more than a quarter of the alpha are free (a path takes
    two thirds of the time). From n^2 p q = 2e9 on, or n > 2000, a quarter of the samples is tried
    first, but at most 500: if at most a quarter of its alpha are free, three Newton steps on this
    part give W, and the n / 32 samples nearest its margin the first free alpha, at most 200 (1000
    samples in blocks: half of the time). With more than 2000 samples, whose Gram matrix is never
    computed, this is always done.

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
    return _run(problem, first_state(problem, start))


def _run(problem: SMMProblem, state: NewtonState) -> Iterator[NewtonState]:
    while True:
        state = step(problem, state)
        check_square(state.outgrown, "the Gram matrix of {} samples")
        yield state


def first_state(problem: SMMProblem, start: DualState | None) -> NewtonState:
    """Return the state before the first iteration: `start` itself if it belongs to the problem."""
    weights = (problem.C, problem.tau)
    if start is None:
        return _cold(problem)
    check_start(problem, start.Omega, start.alpha, start.fingerprint)
    is_same = start.weights == weights and has_sample_weight(problem, start.fingerprint)
    if isinstance(start, NewtonState) and is_same:
        return start
    alpha = problem.feasible(start.alpha * min(1.0, problem.C / start.weights[0]))
    if len(alpha) <= MOST_GRAM and _share_of_free(problem, alpha) > _SPARSE:
        old = problem.with_weights(C=start.weights[0], tau=start.weights[1])
        alpha = _by_algorithm_1(problem, old, alpha, 1)
    return _state_at(problem, alpha)


def _share_of_free(problem: SMMProblem, alpha: Array) -> float:
    return float(np.mean((alpha > 0) & (alpha < problem.sample_C)))


def _state_at(problem: SMMProblem, alpha: Array) -> NewtonState:
    weights, Omega = (problem.C, problem.tau), problem.omega(alpha)
    svd, data = thin_svd(Omega), problem.fingerprint
    return NewtonState(0, alpha, Omega, svd, weights, data, _FIRST_DAMPING)


def _by_algorithm_1(problem: SMMProblem, old: SMMProblem, alpha: Array, steps: int) -> Array:
    """Return the alpha of a few steps of Algorithm 1, from the dual point of an old problem."""
    state = first_state_of_admm(problem, "auto", at_dual_point(old, alpha, problem.omega(alpha)))
    for _ in range(steps):  # without momentum, which begins with the third
        state = iterate(problem, state, _ROUGH_STEPS)
    return state.alpha


def _cold(problem: SMMProblem) -> NewtonState:
    """Return the state before the first iteration of a run that starts from nothing.

    There are three steps: a guess from some samples where it is worth while, else a rough solution
    at tau = 0, and from there Algorithm 1 if W = 0.
    """
    alpha = _guess_from_some(problem)
    if alpha is not None:
        return _state_at(problem, alpha)
    state = _state_at(problem, _solve_roughly(problem))
    if state.svd.sigma[0] > problem.tau:
        return state
    # W = 0, where H is 0 as well
    return _state_at(problem, _by_algorithm_1(problem, problem, state.alpha, _FROM_ZERO))


def _solve_roughly(problem: SMMProblem) -> Array:
    """Return the alpha of a rough solution at tau = 0."""
    zeros = np.zeros(len(problem.y))
    end = qp.maximise(problem.gram, problem.y, *problem.box, zeros, _ROUGH, most=_ROUGH_STEPS)
    return np.abs(end.u)


def _guess_from_some(problem: SMMProblem) -> Array | None:
    """Return an alpha from a few iterations on some samples of each class, if worth while.

    A few of the other samples are free: those whose margins are nearest to 1.
    """
    y, weights, (n, p, q) = problem.y, problem.sample_weight, problem.shape
    has_gram = n <= MOST_GRAM
    if has_gram and n**2 * p * q < _COSTLY:
        return None
    step = max(1, n // min(_SOME, max(1, n // 4)))
    some = np.concatenate([np.flatnonzero(y == label)[::step] for label in (1, -1)])
    C = problem.C * float(weights.sum() / weights[some].sum())
    part = SMMProblem(problem.X[some], y[some], C, problem.tau, sample_weight=weights[some])
    alpha = _solve_roughly(part)
    if has_gram and _share_of_free(part, alpha) > _SPARSE:
        return None
    W = next(islice(_run(part, _state_at(part, alpha)), _GUESSES - 1, None)).certificate(part).W
    b = problem.best_intercept(W) - problem.intercept(W, 0.0)
    slack = 1 - y * (problem.centred_scores(W) + b)
    width = float(np.sort(np.abs(slack))[min(_SOME_FREE, max(1, n // 32))]) or 1.0
    middle = y * problem.sample_C * (0.5 + 0.5 * slack / width)
    alpha = np.abs(qp.project(middle, *problem.box)[0])
    # The projection loses digits of the sum where the C_i of the classes differ by 1e8. Elsewhere
    # the alpha at C_i stay there exactly.
    is_balanced = abs(y @ alpha) <= 1e-13 * alpha.sum()
    return alpha if is_balanced else problem.balance(alpha)


class _Model(NamedTuple):
    """The maximum of the quadratic model of D over the box, as a change of u."""

    change: Array  # (n,)
    promised: float  # rise of the model
    slope: float  # of D along the change
    steps: int  # of the quadratic programme


def step(problem: SMMProblem, state: NewtonState, most: float = np.inf) -> NewtonState:
    """Do one Newton step, unless its working set has more than `most` samples or needs a gigabyte.

    At a start, twice as many that should move are too many as well: the working set will grow. If
    rounding leaves nothing to gain, the next step is shorter.
    """
    if state.k % 16 == 15:  # limits the rounding
        Omega = problem.omega(state.alpha)
        state = replace(state, Omega=Omega, svd=thin_svd(Omega))
    Omega, here = state.Omega, threshold_svd(state.svd, problem.tau)
    scores = problem.centred_scores(here.matrix)
    primal, b = problem.best_primal(Candidate(here.matrix, here.thresholded, scores))
    slopes = problem.y - scores - b
    u, (lower, upper) = problem.y * state.alpha, problem.box
    F = _working_set(u, slopes, lower, upper)
    wanting = np.count_nonzero(np.where(slopes > 0, u < upper, u > lower))
    if len(F) > most or is_too_large(len(F)) or (not state.k and wanting > 2 * most):
        return replace(state, k=state.k + 1, outgrown=len(F))
    dual = float(state.alpha.sum()) - 0.5 * float(here.thresholded @ here.thresholded)
    model = _maximise_model(problem, state, F, here.rank, slopes, primal - dual)
    dOmega = problem.omega(problem.y * model.change)
    rounding = np.linalg.norm(Omega) * np.linalg.norm(dOmega) + np.abs(model.change).sum()
    steps = state.qp_steps + model.steps
    state = replace(state, k=state.k + 1, length=0.0, qp_steps=steps)
    if model.slope <= 16 * qp.EPS * float(rounding):
        error = qp.EPS * problem.largest_sample * float(np.linalg.norm(Omega))
        return replace(
            state,
            damping=min(4 * state.damping, 1.0),
            stalled=state.stalled + 1,
            margin_error=error,
        )

    def along(t: float) -> tuple[SVD, float]:
        """Return the SVD of Omega at a point on the line and the slope of D there."""
        svd = thin_svd(Omega + t * dOmega)
        change = threshold_svd(svd, problem.tau).matrix - here.matrix
        return svd, model.slope - float(np.vdot(change, dOmega))

    there, slope = along(1.0)
    # D's rise by the trapezoidal rule: near the solution it is below the rounding of D.
    damping = _next_damping(state.damping, 0.5 * (model.slope + slope) / model.promised)
    t, there = _search(along, there, slope, model.slope)
    alpha = np.clip(state.alpha + t * problem.y * model.change, 0.0, problem.sample_C)
    return replace(
        state,
        alpha=alpha,
        Omega=Omega + t * dOmega,
        svd=there,
        damping=damping,
        length=t,
        stalled=0,
        margin_error=0.0,
    )


def _maximise_model(
    problem: SMMProblem,
    state: NewtonState,
    F: Indices,  # the working set
    r: int,  # rank of W
    slopes: Array,  # (n,), of D
    gap: float,
) -> _Model:
    u, (lower, upper) = problem.y * state.alpha, problem.box
    change = np.zeros_like(u)
    if len(F) < 2:  # no change keeps the sum
        return _Model(change, 0.0, 0.0, 0)
    # A violation v of the KKT conditions costs up to v / 2 sum(C_i).
    tolerance = max(1e-3 * gap / len(u), 1e-10 * float(state.alpha.mean())) / problem.mean_C
    # The sum of u is 0 but for rounding, which must not accumulate.
    box, total = (lower[F], upper[F]), float(u[F].sum() - u.sum())
    M = _model_matrix(problem, F, state.svd, r, state.damping)
    linear = slopes[F] + M @ u[F]
    found = qp.maximise(M, linear, *box, u[F], tolerance, total, _MODEL_STEPS)
    change[F] = step = found.u - u[F]
    slope = float(slopes[F] @ step)
    return _Model(change, slope - 0.5 * float(step @ M @ step), slope, found.steps)


def _next_damping(damping: float, ratio: float) -> float:
    """Return theta for the next step, given the rise of D relative to that of the model."""
    if ratio > _GOOD:
        return max(0.1 * damping, _LEAST_DAMPING)
    return min(4 * damping, 1.0) if ratio < _BAD else damping


def _search(
    along: Callable[[float], tuple[SVD, float]],  # returns Omega's SVD and the slope at a length
    svd: SVD,  # at length 1
    here: float,  # the slope at length 1
    first: float,  # the slope at length 0, positive
) -> tuple[float, SVD]:
    """Return a step length, halved from 1 until D has risen, and Omega's SVD there.

    D is concave, so its slope falls. If it is at least -first / 2, the step is a gain.
    """
    t = 1.0
    for _ in range(_HALVINGS):
        if here >= -0.5 * first:
            break
        t *= 0.5
        svd, here = along(t)
    return t, svd


def _working_set(u: Array, excess: Array, lower: Array, upper: Array) -> Indices:
    """Return the free indices and those that can move the way their gradient points.

    Of the latter at most as many as there are free ones, half of them at each bound, the worst
    first, so that some can rise and others fall, as the sum stays the same; if they are few, also
    those that come next.
    """
    free = (lower < u) & (u < upper)
    most, F = max(_FEWEST_NEW, int(np.count_nonzero(free))) // 2, np.flatnonzero(free)
    for side, violation in ((u <= lower, excess), (u >= upper, -excess)):
        count = min(max(_FEWEST_NEW // 2, np.count_nonzero(side & (violation > 0))), most)
        others = np.flatnonzero(side)
        F = np.union1d(F, others[np.argsort(-violation[others], kind="stable")[:count]])
    return F


def _model_type(problem: SMMProblem, F: Indices, r: int) -> DTypeLike:
    """Return the precision of H: single for a large matrix that may have full rank.

    The gradient has double precision, so the model's rounding changes the steps, not their end.
    """
    _, p, q = problem.shape
    return np.float32 if _LARGE <= len(F) <= r * (p + q - r) else float


def _model_matrix(problem: SMMProblem, F: Indices, svd: SVD, r: int, damping: float) -> Array:
    """Return M = theta K + (1 - theta) H for the samples F, shape (|F|, |F|), at a W of rank r."""
    M = problem.gram_of(F)
    if not problem.tau:
        return M
    dtype = _model_type(problem, F, r)
    H = sum_of_grams(_derivative_roots(problem, F, svd, r, dtype), len(F), dtype)
    M *= damping
    M += np.multiply(H, (1 - damping) * problem.largest_sample**2, dtype=float)
    return M


def _derivative_roots(
    problem: SMMProblem, F: Indices, svd: SVD, r: int, dtype: DTypeLike
) -> Iterator[NDArray[Any]]:
    """Yield matrices Z with |F| rows; H is s^2 times the sum of Z Z'.

    Samples are divided by s, the norm of the largest, so that single precision does not overflow.
    """
    _, p, q = problem.shape
    step = max(1, min(_PART, problem.X.size) // (len(F) * (p + q)))
    for first in range(0, r, step):
        part = slice(first, min(first + step, r))  # the eigenvalues of the others are 0
        derivative = SVTDerivative(svd, problem.tau, part, dtype)
        rows = np.empty((len(F), len(derivative.values)), dtype)
        for some in blocks(len(F), 2 * p * q):
            X = problem.centred_samples(F[some]) / problem.largest_sample
            rows[some] = derivative.coordinates(X.astype(dtype, copy=False))
        rows *= np.sqrt(derivative.values)
        yield rows
