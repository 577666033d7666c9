"""The base of the problems with a spectral elastic net: weights, W-step, certificate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from smmcore.arrays import Array
from smmcore.problems.base import Candidate, Certificate, MatrixProblem
from smmcore.prox import SVD, thin_svd, threshold_svd


class WStep(NamedTuple):
    """The solution of the W-step of ADMM, given by its dual variables."""

    alpha: Array  # (n,), dual feasible
    scores: Array  # (n,), <W, X_i - mean>
    b: float  # of <W, X_i - mean> + b
    error: float  # violation of the optimality conditions, in units of a margin


@dataclass(frozen=True, eq=False, repr=False)
class SMMCertificate(Certificate):
    """A certificate that also bounds the error of W: 1/2 ||W - W*||_F^2 <= gap, with W* unique."""

    @property
    def radius(self) -> float:
        """sqrt(2 gap), an upper bound of ||W - W*||_F."""
        return float(np.sqrt(2 * self.gap))

    @property
    def relative_radius(self) -> float:
        """sqrt(2 gap) / ||W||_F, infinite at W = 0; it may be large though the gap is small."""
        norm = float(np.linalg.norm(self.singular_values))
        return self.radius / norm if norm else np.inf

    @property
    def certain_rank(self) -> int:
        """A lower bound of the rank of W*: the number of singular values of W above the radius."""
        return int(np.count_nonzero(self.singular_values > self.radius))

    def _facts(self) -> list[str]:
        return [*super()._facts(), f"||W - W*|| <= {self.radius:.1e}"]


@dataclass(frozen=True, eq=False, repr=False)
class SpectralProblem(MatrixProblem):
    """A loss of the decision values with the spectral elastic net.

    P(W, b) = 1/2 ||W||_F^2 + tau ||W||_* + C sum_i w_i loss(y_i, <W, X_i> + b)

    D(alpha) = value(alpha) - 1/2 ||D_tau(Omega(alpha))||_F^2 with
    Omega(alpha) = sum_i alpha_i y_i X_i, on y @ alpha = 0, where value depends on the loss.
    """

    C: float
    tau: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_weights()

    def _check_weights(self) -> None:
        self._check_C()
        if not (isinstance(self.tau, Real) and 0 <= self.tau < np.inf):
            raise ValueError(f"tau must be at least 0 and finite, got {self.tau!r}")
        self._check_size("tau", float(self.tau))

    def with_weights(self, *, C: float | None = None, tau: float | None = None) -> Self:
        """Return the problem with another C or tau; what depends on the data alone is shared."""
        C, tau = self.C if C is None else C, self.tau if tau is None else tau
        other = self._with(C=C, tau=tau)
        other._check_weights()
        return other

    def with_labels(self, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        other = super().with_labels(y, sample_weight)
        vars(other).pop("_linear_alphas", None)
        return other

    def _prepare(self) -> None:
        super()._prepare()
        _ = self._linear_alphas

    @cached_property
    def _linear_alphas(self) -> dict[float, Array]:
        """The last result of `linear_alpha` by C, shared by problems that differ in tau."""
        return {}

    def linear_alpha(self) -> Array:
        """Return the alpha of the solution at tau = 0, which is kept until C changes."""
        alpha = self._linear_alphas.get(self.C)
        if alpha is None:
            zeros = np.zeros(len(self.y))
            alpha = self.regression(zeros, 0.0, zeros).alpha
            alpha.setflags(write=False)
            self._linear_alphas.clear()
            self._linear_alphas[self.C] = alpha
        return alpha

    @property
    def sample_C(self) -> Array:
        """C_i = C w_i, the weight of each sample's loss, shape (n,)."""
        return self.C * self.sample_weight

    @property
    def mean_C(self) -> float:
        """The mean of `sample_C`."""
        return self.C * float(self.sample_weight.mean())

    def feasible(self, alpha: Array) -> Array:
        """Return a dual feasible point near the alpha of a problem with other weights."""
        return alpha

    @abstractmethod
    def tau_bound(self) -> float:
        """Return an upper bound of `tau_max`, at the cost of one SVD."""

    @abstractmethod
    def regression(
        self,
        pull: Array,  # (n,), <Lambda + rho S, X_i - mean>
        rho: float,
        start: Array,  # (n,), a dual feasible alpha
        most: int | None = None,  # steps after which an approximation will do
    ) -> WStep:
        """Minimise P(W, b) - tau ||W||_* - <Lambda, W> + rho/2 ||W - S||_F^2: the W-step of ADMM.

        The solution is W = (Lambda + rho S + Omega(alpha)) / (1 + rho).
        """

    def primal(self, W: Array, b: float) -> float:
        """Return P(W, b)."""
        scores = self.centred_scores(W)
        sigma = np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False)
        return self._primal(sigma, scores, b - self.intercept(W, 0.0))

    def dual(self, alpha: ArrayLike) -> float:
        """Return D(alpha), minus infinity if alpha is not feasible.

        y @ alpha = 0 is checked up to the rounding of a sum of n terms.
        """
        alpha = np.asarray(alpha, dtype=float)
        sigma = np.linalg.svd(self.omega(alpha), compute_uv=False)
        return self._dual(alpha, np.maximum(sigma - self.tau, 0.0))

    def duality_gap(self, W: Array, b: float, alpha: ArrayLike) -> float:
        """Return P(W, b) - D(alpha), a bound of P(W, b) - P* and of 1/2 ||W - W*||_F^2."""
        return self.primal(W, b) - self.dual(alpha)

    def best_primal(self, candidate: Candidate, s: float = 1.0) -> tuple[float, float]:
        """Return P(s W, b) at the best b, and this b, that of <s W, X_i - mean> + b."""
        b = self.best_offset(s * candidate.scores)
        return self._primal(s * candidate.singular_values, s * candidate.scores, b), b

    def certificate(
        self,
        alpha: Array,  # (n,)
        svd: SVD | None = None,  # of Omega(alpha), if known
        also: Sequence[Candidate] = (),  # further primal points, such as the S of an ADMM
    ) -> SMMCertificate:
        """Return the certificate of a dual feasible alpha and the best known primal point.

        That point is s D_tau(Omega(alpha)) (Theorem 1 of the SMM paper), s W of one of the further
        candidates, where s >= 0 and b minimise P(s W, b), or W = 0 if no other is better. The rank
        counts singular values above the rounding of Omega. A candidate is needed where tau exceeds
        ||W||_2 by more than the precision of a float: D_tau(Omega) then has no correct digit.
        """
        n, p, q = self.shape
        svd = thin_svd(self.omega(alpha)) if svd is None else svd
        W, _, sigma = threshold_svd(svd, self.tau)
        dual = self._dual(alpha, sigma)
        theorem_1 = Candidate(W, sigma, self.centred_scores(W))
        nothing = Candidate(np.zeros_like(W), np.zeros_like(sigma), np.zeros(n))
        zero, *points = [(c, self.best_primal(c)) for c in (nothing, theorem_1, *also)]
        best, (primal, b) = min(points, key=lambda point: point[1][0])
        if not primal < zero[1][0] * (1 - 8 * np.finfo(float).eps):  # rounding, at tau_max
            best, (primal, b) = zero
        scale, primal, b = self._best_scale(best, primal, b, dual)
        W = scale * best.W
        floor = max(p, q) * np.finfo(float).eps * float(np.abs(alpha) @ self._samples.norms)
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
        """Return the sum of the losses, each times its C_i."""

    @abstractmethod
    def _dual_value(self, alpha: Array) -> float:
        """Return the loss's part of D(alpha), minus infinity if alpha is not feasible."""

    @abstractmethod
    def _best_scale(
        self, point: Candidate, primal: float, b: float, dual: float
    ) -> tuple[float, float, float]:
        """Return s, P(s W, b) and b at the best s, given P and b at s = 1 and a dual value."""
