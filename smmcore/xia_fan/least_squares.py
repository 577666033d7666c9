"""The problem of the least-squares support matrix machine, with a W-step in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from smmcore.arrays import Array
from smmcore.problems.base import Candidate
from smmcore.problems.spectral import SpectralProblem, WStep
from smmcore.qp import EPS


class Spectrum(NamedTuple):
    """Spectrum of K = R R' with rows sqrt(w_i) (X_i - weighted mean), for (K + delta I) a = v."""

    vectors: Array  # (n, n), those of K; or (pq, pq), those of R'R, where pq < n
    values: Array  # (min(n, pq),), the eigenvalues


@dataclass(frozen=True, eq=False, repr=False)
class LSSMMProblem(SpectralProblem):
    """The least-squares support matrix machine on given data (Xia and Fan, eq. 10).

    P(W, b) = 1/2 ||W||_F^2 + tau ||W||_* + C/2 sum_i w_i (1 - y_i (<W, X_i> + b))^2

    The text before eq. 10 has the loss without its 1/2.

    D(alpha) = sum_i alpha_i - sum_i alpha_i^2 / (2 C w_i) - 1/2 ||D_tau(Omega(alpha))||_F^2 with
    Omega(alpha) = sum_i alpha_i y_i X_i, on y @ alpha = 0: the dual of the SMM without its box and
    with an additional term. For any W with its best b, the residuals
    alpha_i = C w_i (1 - y_i f_i) are dual feasible.

    Since b is not penalised, it is the weighted mean of y on samples less their weighted mean. This
    eliminates b and reduces the (pq + 1) x (pq + 1) system of eq. 11.

    Parameters
    ----------
    X, y, sample_weight : array-like
        As in `SMMProblem`.
    C : float
        Loss weight, positive.
    tau : float
        Nuclear weight, at least 0; at 0 the problem is the LS-SVM, ridge regression on the labels
        with weight 1 / C.

    References
    ----------
    Xia, Fan: Least squares support matrix machines based on bilevel programming, 2016.
    """

    def with_labels(self, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        other = super().with_labels(y, sample_weight)
        if sample_weight is not None:
            vars(other).pop("_spectrum", None)
        return other

    def _prepare(self) -> None:
        super()._prepare()
        _ = self._spectrum

    @cached_property
    def _spectrum(self) -> Spectrum:
        n, p, q = self.shape
        if n <= p * q:
            matrix = self._weighted.gram() * np.outer(self._root, self._root)
        else:
            matrix = self._weighted.covariance(self._root)
        values, vectors = np.linalg.eigh(matrix)
        return Spectrum(vectors, np.maximum(values, 0.0))  # rounding may make a 0 negative

    @property
    def _root(self) -> Array:
        return np.sqrt(self.sample_weight)

    def _mean_of(self, values: Array) -> float:
        """Return the weighted mean over samples of an array of shape (n,)."""
        return float(self.sample_weight @ values / self.sample_weight.sum())

    def regression(self, pull: Array, rho: float, start: Array, most: int | None = None) -> WStep:
        """Solve the W-step, eq. 11 without b and by Woodbury's identity; neither `start`
        nor `most` is used.

        With a_i = y_i alpha_i / sqrt(w_i): (K + (1 + rho) / C I) a = sqrt(w) r with the residuals
        r = (1 + rho) y - pull less their weighted mean.
        """
        y, delta, root = self.y, (1 + rho) / self.C, self._root
        vectors, values = self._spectrum
        rounding = EPS * float(values[-1])
        error = rounding / delta * float(root.max() / root.min())
        # For smaller delta a margin has hardly a correct digit, and errors grow from step to step.
        delta = max(delta, 32 * rounding)
        right = (1 + rho) * y - pull
        right = root * (right - self._mean_of(right))
        if len(vectors) == len(y):
            a = vectors @ (right @ vectors / (values + delta))
        else:
            inner = self._weighted.combine(root * right) @ vectors
            solved = root * self._weighted.scores(vectors @ (inner / (values + delta)))
            a = (right - solved) / delta
        a -= root * (root @ a) / self.sample_weight.sum()
        decision = y - delta / (1 + rho) * a / root
        b = float(decision.mean())  # as the mean of <W, X_i - mean> is 0
        return WStep(y * root * a, decision - b, b, error)

    def tau_max(self) -> float:
        """Return the smallest tau with the solution W = 0, C ||sum_i w_i (y_i - mean) X_i||_2."""
        zero = np.zeros_like(self.y)
        return float(np.linalg.norm(self.omega(self.residual(zero)), 2))

    def tau_bound(self) -> float:
        return self.tau_max()

    def residual(self, scores: Array) -> Array:
        """Return the dual feasible alpha_i = C_i (1 - y_i f_i) with f = scores + the best b."""
        return self.sample_C * (1 - self.y * (scores + self.best_offset(scores)))

    def _loss(self, decision: Array) -> float:
        return 0.5 * self.C * float(np.sum(self.sample_weight * (self.y - decision) ** 2))

    def _dual_value(self, alpha: Array) -> float:
        return float(alpha.sum()) - 0.5 * float(alpha @ (alpha / self.sample_weight)) / self.C

    def best_offset(self, scores: Array) -> float:
        return float(self._mean_of(self.y - scores))

    def _best_scale(
        self, point: Candidate, primal: float, b: float, dual: float
    ) -> tuple[float, float, float]:
        sigma, scores, C = point.singular_values, point.scores, self.C
        centred = scores - self._mean_of(scores)
        weighted = self.sample_weight * centred
        curvature = float(sigma @ sigma) + C * float(weighted @ centred)
        if not curvature:
            return 1.0, primal, b
        s = (C * float(self.y @ weighted) - self.tau * float(sigma.sum())) / curvature
        return s, *self.best_primal(point, s)
