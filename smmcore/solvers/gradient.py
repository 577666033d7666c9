"""Accelerated proximal gradient for the regularised GLM: Nesterov's method, restarted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import Candidate, Certificate
from smmcore.problems.glm import GLMProblem
from smmcore.prox import thresholded_svd
from smmcore.solvers.states import State, check_start, has_sample_weight

_EASE = 0.9  # factor by which the curvature falls before each step


@dataclass(frozen=True, eq=False, repr=False)
class GradientState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    W: Array  # (p, q), exactly low rank
    b: float
    singular_values: Array  # (min(p, q),), of W
    scores: Array  # (n,), <W, X_i - mean>
    restarted: bool  # the step opposed the momentum, which is reset
    t: float  # t(k + 1)
    curvature: float  # L, the inverse of the step length
    start: Array  # (p, q), the start of the next step
    start_scores: Array  # (n,)
    weight: float  # lam of the problem that the state belongs to
    fingerprint: Array  # (3, 8), of X, y and the sample weights

    def certificate(self, problem: GLMProblem) -> Certificate:
        """Return the certificate of this W."""
        return problem.certificate(Candidate(self.W, self.singular_values, self.scores))


def accelerated_gradient(
    problem: GLMProblem, *, start: GradientState | None = None
) -> Iterator[GradientState]:
    """Minimise P(W, b) by Nesterov's method, with exact b, backtracking and adaptive restart.

    Parameters
    ----------
    problem : GLMProblem
    start : GradientState, optional
        A state of a run on the same X and y. With the same lam and sample weights the run continues
        exactly; with others it is a warm start, and k counts from 1 again. Other data raise a
        ValueError.

    Yields
    ------
    GradientState
        Endlessly, one for each iteration.

    Notes
    -----
    One iteration, from V = W^, t and L_prev:

    L = 0.9 L_prev; W = D_{lam/L}(V + Omega(alpha(V)) / L), repeated with 2 L until the loss is
    below its quadratic bound;
    t' = (1 + sqrt(1 + 4 t^2 L / L_prev)) / 2 and W^ = W + (t - 1) / t' (W - W_prev);
    but t' = 1 and W^ = W if <V - W, W - W_prev> > 0, as the step then opposes the momentum.

    References
    ----------
    Zhou, Li: Regularized matrix regression, 2014. O'Donoghue, Candes: Adaptive restart for
    accelerated gradient schemes, 2015.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import GLMProblem
    >>> from smmcore.solvers import accelerated_gradient, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = GLMProblem(X, y, lam=5.0)
    >>> proof, state = solve_to_gap(problem, accelerated_gradient(problem), 1e-6, 1000)
    >>> proof.rank, proof.within(1e-6)
    (1, True)
    """
    if start is not None:
        check_start(problem, start.W, start.scores, start.fingerprint)
    state = start or _first(problem)
    if state.weight != problem.lam or not has_sample_weight(problem, state.fingerprint):
        state = replace(
            state,
            k=0,
            t=1.0,
            start=state.W,
            start_scores=state.scores,
            weight=problem.lam,
            fingerprint=problem.fingerprint,
        )
    while True:
        state = _iterate(problem, state)
        yield state


def _first(problem: GLMProblem) -> GradientState:
    n, p, q = problem.shape
    zero, scores = np.zeros((p, q)), np.zeros(n)
    # The curvature along one sample is a lower bound of the largest curvature.
    curvature = 0.25 * float(problem.sample_weight.min()) * problem.largest_sample**2 or 1.0
    return GradientState(
        k=0,
        W=zero,
        b=problem.best_offset(scores),
        singular_values=np.zeros(min(p, q)),
        scores=scores,
        restarted=False,
        t=1.0,
        curvature=curvature,
        start=zero,
        start_scores=scores,
        weight=problem.lam,
        fingerprint=problem.fingerprint,
    )


def _iterate(problem: GLMProblem, state: GradientState) -> GradientState:
    V, V_scores = state.start, state.start_scores
    last, L = state.curvature, _EASE * state.curvature
    b = problem.best_offset(V_scores)
    Omega = problem.omega(problem.balance(problem.slopes(V_scores, b)))
    here = problem.loss(V_scores, b)
    while True:
        svd = thresholded_svd(V + Omega / L, problem.lam / L)
        W, scores = svd.matrix, problem.centred_scores(svd.matrix)
        b, step = problem.best_offset(scores), W - V
        bound = here - float(np.sum(Omega * step)) + 0.5 * L * float(np.sum(step**2))
        if problem.loss(scores, b) <= bound + 1e-13 * here:  # rounding must not shorten the step
            break
        L *= 2
    moved = W - state.W
    restarted = float(np.sum(step * moved)) < 0
    t = 1.0 if restarted else (1 + sqrt(1 + 4 * state.t**2 * L / last)) / 2
    factor = 0.0 if restarted else (state.t - 1) / t
    return GradientState(
        k=state.k + 1,
        W=W,
        b=problem.intercept(W, b),
        singular_values=svd.thresholded,
        scores=scores,
        restarted=restarted,
        t=t,
        curvature=L,
        start=W + factor * moved,
        start_scores=scores + factor * (scores - state.scores),
        weight=problem.lam,
        fingerprint=problem.fingerprint,
    )
