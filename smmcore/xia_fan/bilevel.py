"""The ADMM of Xia and Fan: BP-LSSMM, and with the hinge loss BP-SMM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from smmcore.problems import SpectralProblem
from smmcore.prox import thresholded_svd
from smmcore.solvers.admm import ADMMState, Pair, first_state, update_W


def bilevel(
    problem: SpectralProblem, *, rho: float, start: ADMMState | None = None
) -> Iterator[ADMMState]:
    """Run Algorithm 1 of Xia and Fan: the lower level's S, then the upper level's W and b.

    Parameters
    ----------
    problem : SpectralProblem
        With the squared loss this is BP-LSSMM (section 4), with the hinge loss BP-SMM (section 3).
    rho : float
        Penalty of the augmented Lagrangian, positive. It changes the path, not the model.
    start : ADMMState, optional
        As for `admm`.

    Yields
    ------
    ADMMState
        Endlessly, one for each iteration. Its W is of the upper level, its S of the lower one.

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
    >>> from smmcore.xia_fan.least_squares import LSSMMProblem
    >>> from smmcore.solvers import solve_to_gap
    >>> from smmcore.xia_fan.bilevel import bilevel
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = LSSMMProblem(X, y, C=0.1, tau=1.0)
    >>> proof, state = solve_to_gap(problem, bilevel(problem, rho=1.0), 1e-6, 1000)
    >>> proof.rank, proof.within(1e-6)
    (1, True)
    """
    return _run(problem, first_state(problem, rho, start))


def _run(problem: SpectralProblem, state: ADMMState) -> Iterator[ADMMState]:
    while True:
        state = _iterate(problem, state)
        yield state


def _iterate(problem: SpectralProblem, state: ADMMState) -> ADMMState:
    rho, W, last = state.rho, state.W, state.pair
    Lambda = last.Lambda - rho * (W - last.S)  # eq. 6
    Lambda_scores = last.Lambda_scores - rho * (problem.centred_scores(W) - last.S_scores)
    svd = thresholded_svd(rho * W - Lambda, problem.tau)
    S = svd.matrix / rho  # eq. 8
    pair = Pair(S, Lambda, problem.centred_scores(S), Lambda_scores)
    state, _ = update_W(problem, state, pair)  # eq. 13
    return replace(state, pair=pair, start=pair, S_singular_values=svd.thresholded / rho)
