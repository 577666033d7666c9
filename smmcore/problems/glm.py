"""The problem of the regularised GLM, logistic regression with a nuclear norm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, xlog1py, xlogy

from smmcore.problems.base import Candidate, Certificate, MatrixProblem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GLMProblem(MatrixProblem):
    """The regularised GLM for two classes (SMM paper, eq. 5; Zhou and Li, 2014).

    P(W, b) = sum_i log(1 + exp(-y_i (<W, X_i> + b))) + lam ||W||_*

    D(alpha) = -sum_i [alpha_i log alpha_i + (1 - alpha_i) log(1 - alpha_i)]
    on 0 <= alpha <= 1, y @ alpha = 0, ||Omega(alpha)||_2 <= lam.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples.
    y : array-like of shape (n,)
        Labels -1 and +1, both present.
    lam : float
        Nuclear weight, positive. The offset b is not penalised.

    Raises
    ------
    ValueError
        If an argument does not meet these conditions.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 5. Zhou, Li: Regularized matrix
    regression, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import GLMProblem
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> problem = GLMProblem(X, y, lam=1.0)
    >>> problem.lam_max() > 1.0  # so W = 0 is no solution
    True
    >>> round(problem.primal(np.zeros((6, 5)), 0.0), 3)  # 60 log 2
    41.589
    """

    lam: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("lam")

    def with_weight(self, lam: float) -> GLMProblem:
        """Return the problem with another weight; what depends on the data alone is shared."""
        other = self._with(lam=lam)
        other._check_positive("lam")
        return other

    def primal(self, W: Array, b: float) -> float:
        """Return P(W, b)."""
        sigma = np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False)
        return self._primal(sigma, self.centred_scores(W), b - self.intercept(W, 0.0))

    def dual(self, alpha: ArrayLike) -> float:
        """Return D(alpha), minus infinity if alpha is not feasible up to the rounding of its sums.

        Raises
        ------
        ValueError
            If alpha does not have shape (n,).
        """
        alpha = np.asarray(alpha, dtype=float)
        norm = np.linalg.norm(self.omega(alpha), 2)
        inside = alpha.min() >= 0 and alpha.max() <= 1
        balanced = abs(self.y @ alpha) <= 1e-12 * alpha.sum()
        feasible = inside and balanced and norm <= self.lam * (1 + 1e-12)
        return _entropy(alpha) if feasible else -np.inf

    def best_intercept(self, W: Array) -> float:
        """Return the b that minimises P(W, b); it is unique."""
        return self.intercept(W, best_intercept(self.y, self.centred_scores(W)))

    def lam_max(self) -> float:
        """Return the smallest lam with the solution W = 0."""
        scores = np.zeros(len(self.y))
        alpha = slopes(self.y, scores, best_intercept(self.y, scores))
        return float(np.linalg.norm(self.omega(alpha), 2))

    def certificate(self, point: Candidate) -> Certificate:
        """Return the certificate of a W with its best b.

        At the best b, alpha_i = 1 / (1 + exp(y_i f_i)) has y @ alpha = 0, and scaled down to
        ||Omega(alpha)||_2 <= lam it is dual feasible.
        """
        b = best_intercept(self.y, point.scores)
        alpha = self.balance(slopes(self.y, point.scores, b))
        norm = float(np.linalg.norm(self.omega(alpha), 2))
        alpha = alpha * min(1.0, self.lam / norm if norm else 1.0)
        return Certificate(
            W=point.W,
            b=self.intercept(point.W, b),
            alpha=alpha,
            decision=point.scores + b,
            singular_values=point.singular_values,
            rank=int(np.count_nonzero(point.singular_values)),
            primal=self._primal(point.singular_values, point.scores, b),
            dual=_entropy(alpha),
        )

    def _primal(self, sigma: Array, scores: Array, b: float) -> float:
        return float(self.lam * sigma.sum()) + loss(self.y, scores, b)


def loss(y: Array, scores: Array, b: float) -> float:
    """Return sum_i log(1 + exp(-y_i (s_i + b)))."""
    return float(np.logaddexp(0.0, -y * (scores + b)).sum())


def slopes(y: Array, scores: Array, b: float) -> Array:
    """Return 1 / (1 + exp(y_i (s_i + b))), minus the derivative of each loss in its margin."""
    return np.asarray(expit(-y * (scores + b)))


def best_intercept(y: Array, scores: Array) -> float:
    """Return the b that minimises the loss, by Newton's method within a bracket."""
    # At either end of the bracket all scores have the same sign, which the derivative shares.
    low, high = -float(scores.max()) - 50.0, -float(scores.min()) + 50.0
    ratio = np.count_nonzero(y > 0) / np.count_nonzero(y < 0)
    b = float(np.clip(np.log(ratio) - scores.mean(), low, high))
    for _ in range(200):
        alpha = slopes(y, scores, b)
        slope, curvature = -float(y @ alpha), float(alpha @ (1 - alpha))
        low, high = (b, high) if slope < 0 else (low, b)
        step = slope / curvature if curvature else np.inf
        new = b - step if low < b - step < high else 0.5 * (low + high)
        if abs(new - b) <= 1e-15 * (1 + abs(b)):
            break
        b = new
    return b


def _entropy(alpha: Array) -> float:
    # At tiny lambda all alpha are tiny, and 1 - alpha would round to 1.
    return -float((xlogy(alpha, alpha) + xlog1py(1 - alpha, -alpha)).sum())
