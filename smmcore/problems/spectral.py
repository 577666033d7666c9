"""What a loss with the spectral elastic net has in common, whichever the loss: a certificate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.problems.base import Candidate, Certificate, MatrixProblem
from smmcore.prox import thresholded_svd

Array = NDArray[np.float64]


class Regression(NamedTuple):
    """The W and b that minimise P without its nuclear norm, drawn to an S, told by their alpha."""

    alpha: Array  # (n,), dual feasible
    scores: Array  # (n,), <W, X_i - mean>
    b: float  # of <W, X_i - mean> + b
    error: float  # what is left of the conditions of optimality, in units of a margin


@dataclass(frozen=True, eq=False)
class SMMCertificate(Certificate):
    """A certificate that bounds the error of W as well: 1/2 ||W - W*||_F^2 <= gap, W* unique."""

    @property
    def radius(self) -> float:
        """sqrt(2 gap): ||W - W*||_F is at most this."""
        return float(np.sqrt(2 * self.gap))

    @property
    def relative_radius(self) -> float:
        """sqrt(2 gap) / ||W||_F, infinite at W = 0. A small relative gap alone can be empty."""
        norm = float(np.linalg.norm(self.singular_values))
        return self.radius / norm if norm else np.inf

    @property
    def certain_rank(self) -> int:
        """The rank that W* has at least: so many singular values of W exceed the radius."""
        return int(np.count_nonzero(self.singular_values > self.radius))


@dataclass(frozen=True, eq=False)
class SpectralProblem(MatrixProblem):
    """A loss of the scores and the spectral elastic net.

    P(W, b) = 1/2 ||W||_F^2 + tau ||W||_* + C sum_i loss(y_i, <W, X_i> + b)

    D(alpha) = value(alpha) - 1/2 ||D_tau(Omega(alpha))||_F^2 with Omega(alpha) = sum_i alpha_i y_i
    X_i and y @ alpha = 0, where value is what the loss makes of it.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples; not copied, so they are not to be changed.
    y : array-like of shape (n,)
        Labels -1 and +1, both present.
    C : float
        Loss weight, positive.
    tau : float
        Nuclear weight, at least 0.

    Raises
    ------
    ValueError
        If a shape, a label or a weight is not of this kind, or X is not finite or so large or small
        that its squares are not.
    """

    C: float
    tau: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_weights()

    def _check_weights(self) -> None:
        self._check_positive("C")
        if not (isinstance(self.tau, Real) and 0 <= self.tau < np.inf):
            raise ValueError(f"tau must be at least 0 and finite, got {self.tau!r}")
        self._check_size("tau", float(self.tau))

    def with_weights(self, *, C: float | None = None, tau: float | None = None) -> Self:
        """The problem with other weights on the same data, and what was computed from these."""
        C, tau = self.C if C is None else C, self.tau if tau is None else tau
        other = self._with(C=C, tau=tau)
        other._check_weights()
        return other

    @abstractmethod
    def tau_bound(self) -> float:
        """An upper bound of `tau_max` that costs one SVD: W = 0 at this tau and above."""

    @abstractmethod
    def regression(self, pull: Array, rho: float, start: Array) -> Regression:
        """Minimise P(W, b) - tau ||W||_* - <Lambda, W> + rho/2 ||W - S||_F^2 over W and b.

        Then W = (Lambda + rho S + Omega(alpha)) / (1 + rho).

        Parameters
        ----------
        pull : ndarray of shape (n,)
            <Lambda + rho S, X_i - mean>.
        rho : float
        start : ndarray of shape (n,)
            A dual feasible alpha near which to look.
        """

    def primal(self, W: Array, b: float) -> float:
        """P(W, b)."""
        scores = self.centred_scores(W)
        sigma = np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False)
        return self._primal(sigma, scores, b - self.intercept(W, 0.0))

    def dual(self, alpha: ArrayLike) -> float:
        """D(alpha), minus infinity where alpha is not feasible.

        y @ alpha counts as 0 up to the rounding of a sum of n terms.

        Raises
        ------
        ValueError
            If alpha does not have shape (n,).
        """
        alpha = np.asarray(alpha, dtype=float)
        sigma = np.linalg.svd(self.omega(alpha), compute_uv=False)
        return self._dual(alpha, np.maximum(sigma - self.tau, 0.0))

    def duality_gap(self, W: Array, b: float, alpha: ArrayLike) -> float:
        """P(W, b) - D(alpha), which bounds P(W, b) - P* and 1/2 ||W - W*||_F^2, up to rounding."""
        return self.primal(W, b) - self.dual(alpha)

    def best_intercept(self, W: Array) -> float:
        """The b that minimises P(W, b)."""
        return self.intercept(W, self._best_offset(self.centred_scores(W)))

    def best_primal(self, candidate: Candidate, s: float = 1.0) -> tuple[float, float]:
        """(P(s W, b), b) at the best b, the b of <s W, X_i - mean> + b."""
        b = self._best_offset(s * candidate.scores)
        return self._primal(s * candidate.singular_values, s * candidate.scores, b), b

    def certificate(
        self, alpha: Array, Omega: Array | None = None, also: Sequence[Candidate] = ()
    ) -> SMMCertificate:
        """Prove how good a dual feasible alpha is by the best primal point at hand.

        That is s D_tau(Omega(alpha)) (Theorem 1 of the SMM paper), or s W of one of the further
        candidates, where s >= 0 and b minimise P(s W, b), or W = 0 where nothing is better. The
        rank counts singular values above the rounding of Omega.

        Parameters
        ----------
        alpha : ndarray of shape (n,)
        Omega : ndarray of shape (p, q), optional
            Omega(alpha), where the caller has it.
        also : sequence of Candidate
            Where tau exceeds ||W||_2 by more than the digits of a float, D_tau(Omega) has lost W;
            the S of an ADMM has not.
        """
        n, p, q = self.shape
        svd = thresholded_svd(self.omega(alpha) if Omega is None else Omega, self.tau)
        dual = self._dual(alpha, svd.thresholded)
        theorem_1 = Candidate(svd.matrix, svd.thresholded, self.centred_scores(svd.matrix))
        nothing = Candidate(np.zeros_like(svd.matrix), np.zeros_like(svd.thresholded), np.zeros(n))
        zero, *points = [(c, self.best_primal(c)) for c in (nothing, theorem_1, *also)]
        best, (primal, b) = min(points, key=lambda point: point[1][0])
        if not primal < zero[1][0] * (1 - 8 * np.finfo(float).eps):  # at tau_max it is rounding
            best, (primal, b) = zero
        scale, primal, b = self._best_scale(best, primal, b, dual)
        W = scale * best.W
        floor = max(p, q) * np.finfo(float).eps * float(np.abs(alpha) @ self._norms)
        return SMMCertificate(
            W=W,
            b=self.intercept(W, b),
            alpha=alpha,
            decision=scale * best.scores + b,
            singular_values=scale * best.singular_values,
            rank=int(np.count_nonzero(best.singular_values > floor)),
            primal=primal,
            dual=dual,
        )

    def _primal(self, sigma: Array, scores: Array, b: float) -> float:
        return float(0.5 * sigma @ sigma + self.tau * sigma.sum() + self._loss(scores + b))

    def _dual(self, alpha: Array, thresholded: Array) -> float:
        balanced = abs(self.y @ alpha) <= 1e-12 * float(np.abs(alpha).sum())
        value = self._dual_value(alpha) if balanced else -np.inf
        return value - 0.5 * float(thresholded @ thresholded)

    @abstractmethod
    def _loss(self, decision: Array) -> float:
        """C times the sum of the losses."""

    @abstractmethod
    def _dual_value(self, alpha: Array) -> float:
        """What the loss makes of alpha in D, minus infinity where that is not feasible."""

    @abstractmethod
    def _best_offset(self, scores: Array) -> float:
        """The b of scores + b with the least loss."""

    @abstractmethod
    def _best_scale(
        self, point: Candidate, primal: float, b: float, dual: float
    ) -> tuple[float, float, float]:
        """(s, P(s W, b), b) that minimise, given P and b at s = 1 and a dual value."""
