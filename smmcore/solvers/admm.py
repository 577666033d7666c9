"""Algorithm 1 of the SMM paper, fast ADMM with restart, and ADMM without momentum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf, sqrt
from numbers import Real
from typing import Literal

import numpy as np
from scipy.optimize import minimize_scalar

from smmcore.arrays import Array
from smmcore.problems import Candidate, SMMCertificate, SpectralProblem
from smmcore.prox import thin_svd, thresholded_svd
from smmcore.solvers.states import State, check_start, has_sample_weight

Rho = float | Literal["auto"]

# Iterations at which rho may change, finitely often, so that ADMM converges. On 30 problems of
# `tests.benchmarks.choice` 4 and 16, 1.3 and 2.5, 150 and 600 take 2 % fewer to 3 % more.
_FIRST_CHANGE, _CHANGE_GROWTH, _LAST_CHANGE = 8, 1.6, 300


@dataclass(frozen=True, eq=False, repr=False)
class Pair(State):
    """The two matrices that ADMM iterates, with their scores, which are linear in the matrices."""

    S: Array  # (p, q)
    Lambda: Array  # (p, q)
    S_scores: Array  # (n,), <S, X_i - mean>
    Lambda_scores: Array  # (n,), <Lambda, X_i - mean>

    def extrapolate(self, previous: Pair, factor: float) -> Pair:
        """Return self + factor (self - previous)."""
        return Pair(
            self.S + factor * (self.S - previous.S),
            self.Lambda + factor * (self.Lambda - previous.Lambda),
            self.S_scores + factor * (self.S_scores - previous.S_scores),
            self.Lambda_scores + factor * (self.Lambda_scores - previous.Lambda_scores),
        )


@dataclass(frozen=True, eq=False, repr=False)
class ADMMState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    W: Array  # (p, q)
    b: float
    decision: Array  # (n,), <W, X_i> + b
    alpha: Array  # (n,), dual feasible for the problem, for any S^ and Lambda^
    Omega: Array  # (p, q), sum_i alpha_i y_i X_i
    pair: Pair  # S(k), Lambda(k)
    start: Pair  # S^(k + 1), Lambda^(k + 1)
    S_singular_values: Array  # (min(p, q),)
    rho: float
    next_change: float  # iteration after which rho may change again, infinite if never
    weights: tuple[float, float]  # C and tau of the problem that the state belongs to
    fingerprint: Array  # (3, 8), of X, y and the sample weights
    primal_residual: float = inf  # ||W - S||_F
    dual_residual: float = inf  # rho ||S - S^||_F
    residual: float = inf  # c(k) as measured
    restarted: bool = False  # iteration k + 1 starts again from S(k - 1), Lambda(k - 1)
    t: float = 1.0  # t(k + 1)
    compared: float = inf  # c(k + 1) is compared with eta times this
    margin_error: float = inf  # violation of the KKT conditions by the W-step, in a margin's unit

    @property
    def S(self) -> Array:
        """S(k), shape (p, q), exactly low rank."""
        return self.pair.S

    @property
    def Lambda(self) -> Array:
        """Lambda(k), shape (p, q)."""
        return self.pair.Lambda

    def certificate(self, problem: SpectralProblem) -> SMMCertificate:
        """Return the certificate of the better of D_tau(Omega(alpha)) and S(k), with D(alpha)."""
        S = Candidate(self.S, self.S_singular_values, self.pair.S_scores)
        return problem.certificate(self.alpha, thin_svd(self.Omega), also=[S])


def fast_admm(
    problem: SpectralProblem, *, rho: Rho, eta: float = 0.999, start: ADMMState | None = None
) -> Iterator[ADMMState]:
    """Run Algorithm 1: ADMM with Nesterov's momentum, restarted if the residual does not fall.

    Parameters
    ----------
    problem : SpectralProblem
        Samples, labels, C and tau, with hinge loss or squared loss.
    rho : float or "auto"
        Penalty of the augmented Lagrangian, positive. "auto" starts with 2 tau / ||W||_2, where W
        is the better of two cheap guesses, and balances the two residuals at growing intervals.
    eta : float
        A residual that is not below eta times the last one causes a restart, except directly after
        a restart; 0 < eta < 1. With infinity there are no restarts, and convergence is not proved.
    start : ADMMState, optional
        A state of a run on the same X and y. With the same C, tau and sample weights the run
        continues exactly, with the rho of the state; with others it is a warm start, and k counts
        from 1 again.

    Yields
    ------
    ADMMState
        Endlessly, one for each iteration.

    Raises
    ------
    ValueError
        At the call, if rho or eta is out of range or `start` is a state of other data.

    Notes
    -----
    One iteration, from (S^, Lambda^), t and c_prev (at first 0, 0, 1 and infinity):

    alpha = solution of the QP of Theorem 4 at (S^, Lambda^)
    W = (Lambda^ + rho S^ + Omega(alpha)) / (1 + rho)
    S = D_tau(rho W - Lambda^) / rho
    Lambda = Lambda^ - rho (W - S)
    c = ||Lambda - Lambda^||^2 / rho + rho ||S - S^||^2

    if c < eta c_prev, or the last iteration was a restart: t' = (1 + sqrt(1 + 4 t^2)) / 2 and
    (S^, Lambda^) = (S, Lambda) + (t - 1) / t' ((S, Lambda) - (S, Lambda)_prev);
    otherwise, a restart: t' = 1, (S^, Lambda^) = (S, Lambda)_prev and c = c_prev / eta.

    The paper compares after a restart as well: c < eta (c_prev / eta), where c_prev is the c of the
    iteration that led to (S, Lambda)_prev. A step without momentum never raises c, so this holds
    except for ties. Ties occur: while S = 0 and W stays the same (with a hard margin, for example),
    Lambda moves equally far in each step, and rounding would decide. So the step after a restart is
    accepted without a comparison, and a restart never follows another.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, Algorithm 1.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.iterate import last, until
    >>> from smmcore.problems import SMMProblem
    >>> from smmcore.solvers import fast_admm
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> states = fast_admm(problem, rho="auto")
    >>> state = last(until(states, lambda state: state.certificate(problem).within(1e-6), 1000))
    >>> state.certificate(problem).rank
    1
    """
    if not (0 < eta < 1 or eta == inf):
        raise ValueError(f"eta must lie strictly between 0 and 1, or be infinite, got {eta}")

    def restart_or_accelerate(new: ADMMState, old: ADMMState) -> ADMMState:
        if old.restarted or new.residual < eta * old.compared:
            t = (1 + sqrt(1 + 4 * old.t**2)) / 2
            return replace(new, start=new.pair.extrapolate(old.pair, (old.t - 1) / t), t=t)
        return replace(new, start=old.pair, compared=old.compared / eta, restarted=True)

    return _run(problem, first_state(problem, rho, start), restart_or_accelerate)


def admm(
    problem: SpectralProblem, *, rho: Rho, start: ADMMState | None = None
) -> Iterator[ADMMState]:
    """Run ADMM without momentum: the iteration of `fast_admm` with (S^, Lambda^) = (S, Lambda).

    Parameters, states and errors are those of `fast_admm`, without eta.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 4.
    """
    return _run(problem, first_state(problem, rho, start), lambda new, old: new)


def _run(
    problem: SpectralProblem, state: ADMMState, then: Callable[[ADMMState, ADMMState], ADMMState]
) -> Iterator[ADMMState]:
    while True:
        if state.next_change <= state.k:
            state = _adapt_rho(state)
        state = then(iterate(problem, state), state)
        yield state


def update_W(
    problem: SpectralProblem, state: ADMMState, hat: Pair, most: int | None = None
) -> tuple[ADMMState, Array]:
    """Do the W-step from (S^, Lambda^), and return the next state and the scores of its W."""
    rho = state.rho
    step = problem.regression(hat.Lambda_scores + rho * hat.S_scores, rho, state.alpha, most)
    Omega = _update_omega(problem, state, step.alpha)
    W = (hat.Lambda + rho * hat.S + Omega) / (1 + rho)  # eq. 10
    state = replace(
        state,
        k=state.k + 1,
        W=W,
        b=problem.intercept(W, step.b),
        decision=step.scores + step.b,
        alpha=step.alpha,
        Omega=Omega,
        margin_error=step.error,
    )
    return state, step.scores


def iterate(problem: SpectralProblem, state: ADMMState, most: int | None = None) -> ADMMState:
    """Do one iteration of ADMM from (S^, Lambda^), with `most` steps of its W-step at most."""
    rho, hat = state.rho, state.start
    state, W_scores = update_W(problem, state, hat, most)
    W = state.W
    svd = thresholded_svd(rho * W - hat.Lambda, problem.tau)
    S = svd.matrix / rho  # eq. 9
    S_scores = problem.centred_scores(S)
    pair = Pair(
        S,
        hat.Lambda - rho * (W - S),
        S_scores,
        hat.Lambda_scores - rho * (W_scores - S_scores),
    )
    primal, dual = float(np.linalg.norm(W - S)), rho * float(np.linalg.norm(S - hat.S))
    residual = rho * primal**2 + dual**2 / rho
    return replace(
        state,
        pair=pair,
        S_singular_values=svd.thresholded / rho,
        primal_residual=primal,
        dual_residual=dual,
        residual=residual,
        restarted=False,
        start=pair,
        t=1.0,
        compared=residual,
    )


def _update_omega(problem: SpectralProblem, state: ADMMState, alpha: Array) -> Array:
    """Return Omega(alpha), updated from the state's if few alpha have changed."""
    change = alpha - state.alpha
    changed = np.flatnonzero(change)
    if 8 * len(changed) > len(alpha) or state.k % 16 == 0:  # limits the rounding
        return problem.omega(alpha)
    return state.Omega + problem.omega(change, changed)


def _adapt_rho(state: ADMMState) -> ADMMState:
    """Move rho towards equal parts of c(k), by at most a factor 3, and reset the momentum."""
    again = max(state.k + 1, int(_CHANGE_GROWTH * state.k))
    state = replace(state, next_change=again if again <= _LAST_CHANGE else inf)
    primal = state.rho * state.primal_residual
    ratio = primal / max(state.dual_residual, 0.1 * primal, np.finfo(float).tiny)
    if 1 / 3 <= ratio <= 3:
        return state
    rho = state.rho * float(np.clip(ratio, 1 / 3, 3))
    return replace(state, rho=rho, start=state.pair, t=1.0, compared=inf)


def first_state(problem: SpectralProblem, rho: Rho, start: ADMMState | None) -> ADMMState:
    """Return `start` itself if it has the same weights, else state 0 of a run from there."""
    if rho != "auto" and not (isinstance(rho, Real) and 0 < rho < inf):
        raise ValueError(f'rho must be positive and finite or "auto", got {rho!r}')
    n, p, q = problem.shape
    if start is not None:
        check_start(problem, start.S, start.alpha, start.fingerprint)
        same = start.weights == (problem.C, problem.tau)
        if same and has_sample_weight(problem, start.fingerprint):
            return start
    first_change = _FIRST_CHANGE if rho == "auto" else inf
    if start is None:
        pair = Pair(np.zeros((p, q)), np.zeros((p, q)), np.zeros(n), np.zeros(n))
        alpha, sigma = np.zeros(n), np.zeros(min(p, q))
    else:
        # Lambda = W - Omega has the spectral norm tau, so it is scaled with tau.
        ratio = problem.tau / start.weights[1] if start.weights[1] else 1.0
        old, sigma = start.pair, start.S_singular_values
        pair = replace(old, Lambda=ratio * old.Lambda, Lambda_scores=ratio * old.Lambda_scores)
        alpha = problem.feasible(start.alpha * min(1.0, problem.C / start.weights[0]))
    if rho == "auto":
        if not sigma[0]:
            alpha = problem.linear_alpha()
        rho = natural_rho(problem, sigma[0] or guess_norm(problem, alpha))
    return _state_at(problem, pair, alpha, problem.omega(alpha), sigma, rho, first_change)


def at_dual_point(problem: SpectralProblem, alpha: Array, Omega: Array) -> ADMMState:
    """Return a state with S = D_tau(Omega(alpha)) and Lambda = S - Omega, as at the solution."""
    svd = thresholded_svd(Omega, problem.tau)
    scores = problem.centred_scores(svd.matrix)
    pair = Pair(svd.matrix, svd.matrix - Omega, scores, scores - problem.centred_scores(Omega))
    rho = natural_rho(problem, svd.thresholded[0] or guess_norm(problem, alpha))
    return _state_at(problem, pair, alpha, Omega, svd.thresholded, rho, _FIRST_CHANGE)


def _state_at(
    problem: SpectralProblem,
    pair: Pair,
    alpha: Array,
    Omega: Array,
    sigma: Array,
    rho: float,
    first_change: float,
) -> ADMMState:
    """Return state 0, with the singular values of the pair's S."""
    return ADMMState(
        k=0,
        W=pair.S,
        b=0.0,
        decision=pair.S_scores - problem.intercept(pair.S, 0.0),
        alpha=alpha,
        Omega=Omega,
        pair=pair,
        start=pair,
        S_singular_values=sigma,
        rho=rho,
        next_change=first_change,
        weights=(problem.C, problem.tau),
        fingerprint=problem.fingerprint,
    )


def natural_rho(problem: SpectralProblem, norm: float) -> float:
    # Good values are proportional to tau / ||W||_2 over ten decades; at tau = 0 small values work.
    return 2 * problem.tau / norm if problem.tau else 1e-3


def guess_norm(problem: SpectralProblem, alpha: Array) -> float:
    """Guess ||W||_2 from the better of two directions: the linear SVM's W and the class means."""
    y, Omega = problem.y, problem.omega(alpha)
    weights = problem.sample_weight
    share = weights / np.where(y > 0, weights[y > 0].sum(), weights[y < 0].sum())
    U, _, Vt = np.linalg.svd(problem.omega(share), full_matrices=False)
    # A guess must be better than W = 0; if none is, tau is so large that any scale will do.
    nothing = Candidate(Omega, np.zeros(1), np.zeros(len(y)))
    best_value = (1 - 1e-9) * problem.best_primal(nothing)[0]
    best_norm = float(np.linalg.norm(Omega, 2)) or 1.0
    for direction in (Omega, np.outer(U[:, 0], Vt[0])):
        scores = problem.centred_scores(direction)
        unit = float(np.abs(scores).max()) or 1.0
        sigma = np.asarray(np.linalg.svd(direction, compute_uv=False) / unit, dtype=float)
        guess = Candidate(direction / unit, sigma, scores / unit)

        def value(log_scale: float, guess: Candidate = guess) -> float:
            return problem.best_primal(guess, float(np.exp(log_scale)))[0]

        found = minimize_scalar(value, bounds=(-30, 30), method="bounded")
        if found.fun < best_value:
            best_value, best_norm = found.fun, float(np.exp(found.x) * sigma[0])
    return best_norm
