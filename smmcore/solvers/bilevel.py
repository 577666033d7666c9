"""The ADMM of Xia and Fan: BP-LSSMM, and with the hinge loss BP-SMM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from numbers import Real

import numpy as np

from smmcore.arrays import Array
from smmcore.problems import Candidate, SMMCertificate, SpectralProblem
from smmcore.prox import thresholded_svd
from smmcore.solvers.states import State, check_start


@dataclass(frozen=True, eq=False, repr=False)
class BilevelState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    W: Array  # (p, q), of the upper level
    b: float
    S: Array  # (p, q), of the lower level, exactly low rank
    Lambda: Array  # (p, q), the multiplier of W and S
    alpha: Array  # (n,), dual feasible
    Omega: Array  # (p, q), sum_i alpha_i y_i X_i
    S_singular_values: Array  # (min(p, q),)
    W_scores: Array  # (n,), <W, X_i - mean>
    S_scores: Array  # (n,)
    Lambda_scores: Array  # (n,)
    fingerprint: Array  # (3, 8), of X, y and the sample weights

    @property
    def largest_difference(self) -> float:
        """max |S - W|; the paper stops below 1e-3, regardless of the size of W."""
        return float(np.abs(self.S - self.W).max())

    def certificate(self, problem: SpectralProblem) -> SMMCertificate:
        """Return the certificate of the better of D_tau(Omega(alpha)) and S(k), with D(alpha)."""
        S = Candidate(self.S, self.S_singular_values, self.S_scores)
        return problem.certificate(self.alpha, self.Omega, also=[S])


def bilevel(
    problem: SpectralProblem, *, rho: float, start: BilevelState | None = None
) -> Iterator[BilevelState]:
    """Run Algorithm 1 of Xia and Fan: the lower level's S, then the upper level's W and b.

    Parameters
    ----------
    problem : SpectralProblem
        With the squared loss this is BP-LSSMM (section 4), with the hinge loss BP-SMM (section 3).
    rho : float
        Penalty of the augmented Lagrangian, positive. It changes the path, not the model.
    start : BilevelState, optional
        A state of a run on the same X and y. With the same weights and rho the run continues
        exactly.

    Yields
    ------
    BilevelState
        Endlessly, one for each iteration.

    Raises
    ------
    ValueError
        At the call, if rho is not positive and finite or `start` is of other data.

    Notes
    -----
    One iteration, from W = S = Lambda = 0 at first:

    Lambda = Lambda - rho (W - S)  (eq. 6)
    S = D_tau(rho W - Lambda) / rho  (eq. 8)
    W, b = argmin P(W, b) - tau ||W||_* - <Lambda, W> + rho/2 ||W - S||^2  (eqs. 7, 13)

    The paper prints eq. 6 with S - W, which has the wrong sign and diverges, and eq. 5 minimises
    over Lambda, which is unbounded below. The intended algorithm is ADMM with S before W, so its
    fixed points are those of `admm`, the solutions. (The paper's Lagrangian has rho ||S - W||^2, of
    which each level takes half, so its rho is that of ADMM.) The paper returns W, which is close to
    the low-rank S but not of low rank.

    References
    ----------
    Xia, Fan: Least squares support matrix machines based on bilevel programming, 2016, Algorithm 1.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import LSSMMProblem
    >>> from smmcore.solvers import bilevel, solve_to_gap
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = LSSMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, bilevel(problem, rho=1.0), 1e-6, 1000)
    >>> proof.rank, proof.within(1e-6)
    (1, True)
    """
    if not (isinstance(rho, Real) and 0 < rho < inf):
        raise ValueError(f"rho must be positive and finite, got {rho!r}")
    if start is not None:
        check_start(problem, start.W, start.alpha, start.fingerprint)
    return _run(problem, float(rho), start or _first(problem))


def _run(problem: SpectralProblem, rho: float, state: BilevelState) -> Iterator[BilevelState]:
    while True:
        state = _iterate(problem, rho, state)
        yield state


def _iterate(problem: SpectralProblem, rho: float, last: BilevelState) -> BilevelState:
    Lambda = last.Lambda - rho * (last.W - last.S)  # eq. 6
    Lambda_scores = last.Lambda_scores - rho * (last.W_scores - last.S_scores)
    svd = thresholded_svd(rho * last.W - Lambda, problem.tau)
    S = svd.matrix / rho  # eq. 8
    S_scores = problem.centred_scores(S)
    step = problem.regression(Lambda_scores + rho * S_scores, rho, last.alpha)  # eq. 13
    Omega = problem.omega(step.alpha)
    W = (Lambda + rho * S + Omega) / (1 + rho)
    return BilevelState(
        k=last.k + 1,
        W=W,
        b=problem.intercept(W, step.b),
        S=S,
        Lambda=Lambda,
        alpha=step.alpha,
        Omega=Omega,
        S_singular_values=svd.thresholded / rho,
        W_scores=step.scores,
        S_scores=S_scores,
        Lambda_scores=Lambda_scores,
        fingerprint=problem.fingerprint,
    )


def _first(problem: SpectralProblem) -> BilevelState:
    n, p, q = problem.shape
    nothing, scores = np.zeros((p, q)), np.zeros(n)
    return BilevelState(
        k=0,
        W=nothing,
        b=0.0,
        S=nothing,
        Lambda=nothing,
        alpha=scores,
        Omega=nothing,
        S_singular_values=np.zeros(min(p, q)),
        W_scores=scores,
        S_scores=scores,
        Lambda_scores=scores,
        fingerprint=problem.fingerprint,
    )
