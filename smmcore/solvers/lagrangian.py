"""The augmented Lagrangian method with Newton steps in W, for many samples of few entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from smmcore import qp
from smmcore.arrays import Array
from smmcore.problems import Candidate, SMMCertificate, SMMProblem
from smmcore.problems.samples import blocks
from smmcore.prox import SVTDerivative, thin_svd, threshold_svd, thresholded_svd
from smmcore.solvers.admm import guess_norm, natural_rho
from smmcore.solvers.newton import NewtonState
from smmcore.solvers.states import State, check_start, has_sample_weight

# Figures are iterations of 39 problems: seeds 300 to 369 of `tests.benchmarks.choice`, n > 1.5 p q.
# Of the penalties after one step and after more: always 10 takes twice as many, always 4 19 % more,
# always 2 4 % fewer, but 8 % more time.
_MOST_GROWTH, _GROWTH = 10.0, 2.0
_SHRINKING = 0.1  # where rounding hides the minimum; 0.05 and 0.2 take as many
_VISIBLE = 1e-8  # size of <W, X_i - mean> that is no rounding; the labels are -1 and 1
# Penalty of S = W, relative to the natural one at the last minimum. Without it 10 % more, half and
# double take as many.
_LEAST_SPECTRAL = 0.03
_MOST_STEPS = 60  # towards one minimum; more are a sign of rounding: 30 and 120 take as many
_TRIALS = 12  # of a step length; 6 and 24 take as many
_FLAT = 0.3  # part of the slope that a step length may leave; 0.6 takes 5 % more, 0.15 as many
_SAMPLES = 4  # free samples that the Hessian uses at least, in units of p q; 2 and 8 take as many
_MOST_STUCK = 2  # such ends of a descent to give up at
_MOST_ITERATIONS = 250  # to give up at; few problems need 60
_LEAST_SHARE = 1e-12  # of the largest penalties so far, below which a penalty does not shrink


@dataclass(frozen=True, eq=False, repr=False)
class LagrangianState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    W: Array  # (p, q)
    b: float  # of <W, X_i - mean> + b
    scores: Array  # (n,), <W, X_i - mean>
    alpha: Array  # (n,), dual feasible
    Omega: Array  # (p, q), sum_i alpha_i y_i X_i
    u: Array  # (n,), the multipliers y alpha of the margins
    Lambda: Array  # (p, q), the multiplier of S = W
    next_Lambda: Array  # (p, q), Lambda(W), which becomes the multiplier at a minimum
    penalties: tuple[float, float]  # of the margins and of S = W
    largest: tuple[float, float]  # penalties of this run so far
    weights: tuple[float, float]  # C and tau of the problem that the state belongs to
    fingerprint: Array  # (3, 8), of X, y and the sample weights
    moves: tuple[float, float] = 0.0, 0.0  # of the multipliers until now, each with its penalty
    growth: float = 0.0  # of the penalties behind this W, if it is a minimum of phi; else 0
    steps: int = 0  # Newton steps since the multipliers changed
    stuck: int = 0  # how often `_MOST_STEPS` steps have not found a minimum
    handed: int = 0  # how often another method has handed over, see `default_solver`
    since: int = 0  # the k at which this method took over
    length: float = 0.0  # t of this step
    free: int = 0  # number of alpha strictly between 0 and C_i before this step
    margin_error: float = 0.0  # largest rounding of a margin

    @property
    def is_minimum(self) -> bool:
        """Whether W minimises phi, without which the gap is seldom small."""
        return self.growth > 0

    @property
    def gives_up(self) -> bool:
        """Whether another method should try: steps become too short, as of few distinct samples."""
        return self.stuck >= _MOST_STUCK or self.k - self.since >= _MOST_ITERATIONS * (
            1 + self.handed
        )

    def certificate(self, problem: SMMProblem) -> SMMCertificate:
        """Return the certificate of the better of D_tau(Omega(alpha)) and S, with D(alpha).

        S is the minimiser of the augmented Lagrangian for this W. It is the better one where Omega
        is a small difference of large terms.
        """
        r = self.penalties[1]
        svd = thresholded_svd(self.Lambda / r + self.W, problem.tau / r)
        S = Candidate(svd.matrix, svd.thresholded, problem.centred_scores(svd.matrix))
        return problem.certificate(self.alpha, thin_svd(self.Omega), also=[S])


def augmented_lagrangian(
    problem: SMMProblem, *, start: LagrangianState | NewtonState | None = None
) -> Iterator[LagrangianState]:
    """Minimise the augmented Lagrangian of the margins and of S = W by Newton steps in W.

    Each step passes over the samples a few times and solves a linear system with an unknown for
    each free alpha, at most p q. Nothing of size n^2 is stored: this is the method for n far above
    p q.

    Parameters
    ----------
    problem : SMMProblem
        Samples, labels, C and tau.
    start : LagrangianState or NewtonState, optional
        A state of a run on the same X and y. With the same C, tau and sample weights a
        LagrangianState continues exactly; others are a warm start, and k counts from 1 again. Other
        data raise a ValueError at the call.

    Yields
    ------
    LagrangianState
        Endlessly, one for each Newton step. The gap is small only where a minimum is reached.

    Notes
    -----
    With the multipliers u^ = y alpha^ and Lambda^ and the penalties s and r, the function

    phi(W) = 1/2 ||W||_F^2 + max_u (sum_i u_i (y_i - <W, X_i>) - ||u - u^||^2 / (2 s))
    + max_Lambda (<Lambda, W> - ||Lambda - Lambda^||_F^2 / (2 r))

    over 0 <= y u <= C_i, sum(u) = 0 and ||Lambda||_2 <= tau is convex and once differentiable:

    u(W) = the projection of u^ + s (y - <W, X_i>) on its set
    Lambda(W) = M - D_tau(M) with M = Lambda^ + r W
    phi'(W) = W + Lambda(W) - Omega(u(W))

    A generalised second derivative is H = (1 + r) I - r D_tau'(M) + s sum_F X_i X_i', where F are
    the samples with 0 < alpha_i < C_i, less their mean. Iteration k:

    W <- W - t H^-1 phi'(W), with a t in (0, 1] near the minimum on this line
    if ||phi'(W)||_F^2 <= ||u(W) - u^||^2 / s + ||Lambda(W) - Lambda^||_F^2 / r:
    u^, Lambda^ <- u(W), Lambda(W), and the penalty whose multiplier moved more grows

    A penalty starts small, as one that is too large costs steps: from the size of the problem, and
    in a warm start at the geometric mean of this and the last one. The penalty r grows at least
    towards 0.06 tau / ||W||_2, ten times at most, because ||W||_2 is only guessed at first. If a
    warm start has C and tau with a common factor, it multiplies alpha, Lambda and the last
    penalties.

    This is the proximal point method on the dual. Where F is large, H uses every second, third, ...
    of its samples, which leaves a direction of descent. Where F has fewer than p q samples, the
    Woodbury identity replaces the system of p q unknowns: D_tau' is diagonal in a basis that the
    singular value decomposition of M gives. Where rounding hides the minimum, the penalties shrink.

    References
    ----------
    Wu, Li, Sun: Support matrix machine: exploring sample sparsity, low rank, and adaptive sieving
    in high-performance computing, 2024, arXiv 2412.08023, for the method with other steps.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import SMMProblem
    >>> from smmcore.solvers import augmented_lagrangian, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, augmented_lagrangian(problem), 1e-6, 100)
    >>> proof.within(1e-6), proof.rank
    (True, 1)
    """
    return _run(problem, first_state(problem, start))


def _run(problem: SMMProblem, state: LagrangianState) -> Iterator[LagrangianState]:
    while True:
        state = step(problem, state)
        yield state


def first_state(
    problem: SMMProblem, start: LagrangianState | NewtonState | None
) -> LagrangianState:
    """Return the state before the first iteration: `start` itself if it belongs to the problem."""
    weights = problem.C, problem.tau
    if start is None:
        return _cold(problem)
    if isinstance(start, NewtonState):
        return _at_dual_point(problem, start)
    check_start(problem, start.W, start.alpha, start.fingerprint)
    if start.weights == weights and has_sample_weight(problem, start.fingerprint):
        return start
    C, tau = start.weights
    ratio, tau_ratio = problem.C / C, problem.tau / tau if tau else 1.0
    # A common factor of C and tau hardly changes W where C is large, and the multipliers grow like
    # it. With another change, larger multipliers would be a worse start.
    is_common = abs(problem.tau - ratio * tau) <= 1e-9 * problem.tau
    alpha = problem.feasible(start.alpha * (ratio if is_common else min(1.0, ratio)))
    natural = _natural_penalties(problem, _norm(problem, start.W))
    last = np.multiply(start.penalties, ratio if is_common else 1.0)
    penalties = np.sqrt(natural * last)  # the last ones alone are too large: twice the iterations
    Lambda = start.Lambda * tau_ratio
    return _state_at(problem, alpha, start.W, start.scores, Lambda, penalties.tolist(), start.b)


def _cold(problem: SMMProblem) -> LagrangianState:
    n, p, q = problem.shape
    W, zeros = np.zeros((p, q)), np.zeros(n)
    return _state_at(problem, zeros, W, zeros, W, _natural_penalties(problem))


def _at_dual_point(problem: SMMProblem, start: NewtonState) -> LagrangianState:
    """Return a state whose multipliers and W are those that the alpha of a state determines."""
    check_start(problem, start.Omega, start.alpha, start.fingerprint)
    alpha = problem.feasible(start.alpha * min(1.0, problem.C / start.weights[0]))
    Omega = problem.omega(alpha)
    W = thresholded_svd(Omega, problem.tau).matrix
    penalties = _natural_penalties(problem, _norm(problem, W))
    return _state_at(problem, alpha, W, problem.centred_scores(W), Omega - W, penalties)


def _state_at(
    problem: SMMProblem,
    alpha: Array,
    W: Array,
    scores: Array,
    Lambda: Array,
    penalties: tuple[float, float],
    b: float = 0.0,
) -> LagrangianState:
    """Return state 0."""
    return LagrangianState(
        k=0,
        W=W,
        b=b,
        scores=scores,
        alpha=alpha,
        Omega=problem.omega(alpha),
        u=problem.y * alpha,
        Lambda=Lambda,
        next_Lambda=Lambda,
        penalties=penalties,
        largest=penalties,
        weights=(problem.C, problem.tau),
        fingerprint=problem.fingerprint,
    )


def _natural_penalties(problem: SMMProblem, norm: float = 0.0) -> tuple[float, float]:
    """Return penalties that are rather too small: they grow, and too large ones need more steps.

    `norm` is ||W||_2, which is guessed if it is 0.
    """
    n, p, q = problem.shape
    # With this penalty the margins weigh ten times more than 1/2 ||W||_F^2.
    margins = min(problem.mean_C, 10 * p * q / (n * (problem.spread or 1.0) ** 2))
    norm = norm or guess_norm(problem, problem.balance(problem.sample_weight))
    return margins, natural_rho(problem, norm)


def _norm(problem: SMMProblem, W: Array) -> float:
    """Return ||W||_2, or 0 if no margin would show it."""
    norm = float(np.linalg.norm(W, 2))
    return norm if norm * problem.spread > _VISIBLE else 0.0


class _Point:
    """phi at a W: the multipliers, and what the derivatives need."""

    def __init__(self, problem: SMMProblem, state: LagrangianState, W: Array, scores: Array):
        y, (s, r) = problem.y, state.penalties
        lower, upper = problem.box
        M = state.Lambda + r * W
        self.W, self.scores = W, scores
        if W is state.W and state.steps:  # the last step has found u
            self.u, self.b = y * state.alpha, state.b
        else:  # around the last b, so that rounding does not hide the samples near their margin
            self.u, shift = qp.project(state.u + s * (y - scores - state.b), lower, upper)
            self.b = state.b - shift / s
        self.free = np.flatnonzero((lower < self.u) & (self.u < upper))
        self.svd = thin_svd(M)
        self.Lambda = M - threshold_svd(self.svd, problem.tau).matrix

    def slope(self, direction: Array, scores: Array) -> float:
        """Return the derivative of phi in a direction, given the scores of the direction."""
        return float(np.vdot(self.W + self.Lambda, direction)) - float(self.u @ scores)


def step(problem: SMMProblem, state: LagrangianState) -> LagrangianState:
    """Do one Newton step, from new multipliers if the last step has found the minimum."""
    if state.is_minimum:
        state = _move(problem, state)
    here = _Point(problem, state, state.W, state.scores)
    Omega = state.Omega if state.steps else problem.omega(np.abs(here.u))
    gradient = here.W + here.Lambda - Omega
    change = _newton(problem, state, here, gradient)
    scores = problem.centred_scores(change)

    def along(t: float) -> tuple[_Point, float]:
        point = _Point(problem, state, here.W + t * change, here.scores + t * scores)
        return point, point.slope(change, scores)

    t, point = _search(along, here.slope(change, scores))
    alpha, steps = np.abs(point.u), state.steps + 1
    Omega = problem.omega(alpha)
    moves, growth = _judge(problem, state, point, Omega, steps)
    is_stuck = growth == _SHRINKING and steps >= _MOST_STEPS
    return replace(
        state,
        k=state.k + 1,
        W=point.W,
        b=point.b,
        scores=point.scores,
        alpha=alpha,
        Omega=Omega,
        next_Lambda=point.Lambda,
        moves=moves,
        growth=growth,
        steps=steps,
        stuck=state.stuck + is_stuck,
        length=t,
        free=len(here.free),
        margin_error=qp.EPS * problem.largest_sample * float(np.linalg.norm(point.W)),
    )


def _judge(
    problem: SMMProblem, state: LagrangianState, point: _Point, Omega: Array, steps: int
) -> tuple[tuple[float, float], float]:
    """Return how far the multipliers move, and the growth of the penalties if W is a minimum.

    Where rounding, which grows with the penalties, ends the descent, the penalties shrink.
    """
    s, r = state.penalties
    moves = (
        float(np.sum((point.u - state.u) ** 2)) / s,
        float(np.sum((point.Lambda - state.Lambda) ** 2)) / r,
    )
    norm = float(np.linalg.norm(point.W))
    margins = float(np.abs(problem.y - point.scores).max()) * len(point.free) ** 0.5
    rounding = 2 * qp.EPS * (s * problem.spread * margins + r * norm)
    size = float(np.linalg.norm(point.W + point.Lambda - Omega))
    goal = sum(moves) ** 0.5
    if size > max(goal, rounding) and steps < _MOST_STEPS:
        return moves, 0.0
    if size > goal:
        return moves, _SHRINKING
    return moves, _MOST_GROWTH if steps == 1 else _GROWTH


def _move(problem: SMMProblem, state: LagrangianState) -> LagrangianState:
    """Return the state with the multipliers at the minimum, and new penalties."""
    growth = state.growth
    s, r = (
        penalty * (growth if move > 0.1 * max(state.moves) or growth < 1 else 1.0)
        for penalty, move in zip(state.penalties, state.moves, strict=True)
    )
    if growth > 1 and (spectral := _norm(problem, state.W)):  # the first guess may be far too large
        least = _LEAST_SPECTRAL * natural_rho(problem, spectral)
        r = max(r, min(least, _MOST_GROWTH * state.penalties[1]))
    penalties = np.maximum((s, r), np.multiply(_LEAST_SHARE, state.largest)).tolist()
    return replace(
        state,
        u=problem.y * state.alpha,
        Lambda=state.next_Lambda,
        penalties=tuple(penalties),
        largest=tuple(np.maximum(penalties, state.largest).tolist()),
        steps=0,
    )


def _newton(problem: SMMProblem, state: LagrangianState, here: _Point, gradient: Array) -> Array:
    """Return -H^-1 phi' from a linear system of |F| or p q unknowns, whichever are fewer.

    In the eigenvectors of D_tau'(M), H is s Z' Z plus a diagonal B, where the rows of Z are the
    free samples less their mean. With fewer samples, that is with R = Z B^-1/2,
    H^-1 = B^-1/2 (I - R' (I / s + R R')^-1 R) B^-1/2.
    """
    (s, r), d, count = state.penalties, gradient.size, len(here.free)
    basis = SVTDerivative(here.svd, problem.tau)
    B = 1 + r * (1 - basis.values)
    some = here.free[:: max(1, count // (_SAMPLES * d))]
    Z = np.empty((len(some), d))
    for part in blocks(len(some), d):
        Z[part] = basis.coordinates(problem.centred_samples(some[part]))
    Z -= Z.mean(axis=0) if count else 0.0
    step = basis.coordinates(-gradient[None])[0]
    if count < d:
        Z /= np.sqrt(B)
        step /= np.sqrt(B)
        if count:
            step -= _solve(Z @ Z.T, 1 / s, Z @ step) @ Z
        return basis.combine(step / np.sqrt(B))
    H = Z.T @ Z
    H *= s * count / len(some)
    return basis.combine(_solve(H, B, step))


def _solve(H: Array, diagonal: Array | float, side: Array) -> Array:
    """Solve a system with H plus a diagonal, and a ridge that grows until rounding is overcome."""
    H[np.diag_indices(len(H))] += diagonal
    ridge = 4 * qp.EPS * len(H) * H.diagonal()  # in proportion, as rounding is
    return qp.solve_definite(H, ridge, side)


def _search(
    along: Callable[[float], tuple[_Point, float]],  # returns the point and the slope at a length
    first: float,  # the slope at length 0, negative up to rounding
) -> tuple[float, _Point]:
    """Return a length in (0, 1] near the minimum of phi on a line, and phi's point there."""
    t, (point, slope) = 1.0, along(1.0)
    low, low_slope, high, high_slope = 0.0, first, 1.0, slope
    for _ in range(_TRIALS):
        if slope <= _FLAT * abs(first) and (t == 1.0 or slope >= -_FLAT * abs(first)):
            break
        if low_slope >= high_slope:  # by rounding
            break
        share = low_slope / (low_slope - high_slope)
        t = low + min(max(share, 0.1), 0.9) * (high - low)
        point, slope = along(t)
        if slope > 0:
            high, high_slope = t, slope
        else:
            low, low_slope = t, slope
    return t, point
