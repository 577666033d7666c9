"""The problem of the regularised GLM, logistic regression with a nuclear norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, xlog1py, xlogy

from smmcore.arrays import Array
from smmcore.problems.base import Certificate, MatrixProblem
from smmcore.prox import thresholded_svd


@dataclass(frozen=True, eq=False, repr=False)
class GLMProblem(MatrixProblem):
    """The regularised GLM for two classes (SMM paper, eq. 5; Zhou and Li, 2014).

    P(W, b) = sum_i w_i log(1 + exp(-y_i (<W, X_i> + b))) + lam ||W||_*

    D(alpha) = -sum_i w_i [a_i log a_i + (1 - a_i) log(1 - a_i)] with a_i = alpha_i / w_i
    on 0 <= a_i <= 1, y @ alpha = 0, ||Omega(alpha)||_2 <= lam.

    Parameters
    ----------
    X, y, sample_weight : array-like
        As in `SMMProblem`.
    lam : float
        Nuclear weight, positive. The offset b is not penalised.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 5. Zhou, Li: Regularized matrix
    regression, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.rivals.glm import GLMProblem
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = GLMProblem(X, y, lam=1.0)
    >>> problem.lam_max() > 1.0  # so W = 0 is not the solution
    True
    >>> round(problem.primal(np.zeros((6, 5)), 0.0), 3)  # 60 log 2
    41.589
    """

    has_curvature: ClassVar[bool] = False  # see `proximal_gradient`

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
        """Return D(alpha), minus infinity if alpha is not feasible up to rounding."""
        alpha = np.asarray(alpha, dtype=float)
        norm = np.linalg.norm(self.omega(alpha), 2)
        inside = alpha.min() >= 0 and np.all(alpha <= self.sample_weight)
        balanced = abs(self.y @ alpha) <= 1e-12 * alpha.sum()
        feasible = inside and balanced and norm <= self.lam * (1 + 1e-12)
        return _entropy(alpha, self.sample_weight) if feasible else -np.inf

    def lam_max(self) -> float:
        """Return the smallest lam with the solution W = 0."""
        scores = np.zeros(len(self.y))
        alpha = self.slopes(scores, self.best_offset(scores))
        return float(np.linalg.norm(self.omega(alpha), 2))

    @property
    def weights(self) -> float:
        """lam."""
        return self.lam

    @property
    def curvature(self) -> float:
        """That of the loss along one sample at W = 0, a lower bound of the largest one."""
        return 0.25 * float(self.sample_weight.min()) * self.largest_sample**2

    def scores(self, W: Array) -> Array:
        """Return <W, X_i - mean>, shape (n,)."""
        return self.centred_scores(W)

    def smooth(self, W: Array, scores: Array) -> float:
        """Return the least loss over b."""
        return self.loss(scores, self.best_offset(scores))

    def linearise(self, W: Array, scores: Array) -> tuple[float, Array]:
        """Return the least loss over b and its gradient in W, -Omega(alpha)."""
        b = self.best_offset(scores)
        return self.loss(scores, b), -self.omega(self.balance(self.slopes(scores, b)))

    def prox(self, V: Array, t: float) -> Array:
        """Return D_{t lam}(V)."""
        return thresholded_svd(V, t * self.lam).matrix

    def certificate(self, W: Array) -> Certificate:
        """Return the certificate of a W with its best b.

        At the best b, alpha_i = w_i / (1 + exp(y_i f_i)) has y @ alpha = 0, and scaled down to
        ||Omega(alpha)||_2 <= lam it is dual feasible.
        """
        scores = self.centred_scores(W)
        b = self.best_offset(scores)
        alpha = self.balance(self.slopes(scores, b))
        norm = float(np.linalg.norm(self.omega(alpha), 2))
        alpha = alpha * min(1.0, self.lam / norm if norm else 1.0)
        sigma = np.asarray(np.linalg.svd(W, compute_uv=False), dtype=float)
        return Certificate(
            W=W,
            b=self.intercept(W, b),
            alpha=alpha,
            decision=scores + b,
            singular_values=sigma,
            rank=int(np.count_nonzero(sigma > max(W.shape) * np.finfo(float).eps * sigma[0])),
            primal=self._primal(sigma, scores, b),
            dual=_entropy(alpha, self.sample_weight),
        )

    def _primal(self, sigma: Array, scores: Array, b: float) -> float:
        return float(self.lam * sigma.sum()) + self.loss(scores, b)

    def loss(self, scores: Array, b: float) -> float:
        """Return sum_i w_i log(1 + exp(-y_i (s_i + b)))."""
        return float((self.sample_weight * np.logaddexp(0.0, -self.y * (scores + b))).sum())

    def slopes(self, scores: Array, b: float) -> Array:
        """Return w_i / (1 + exp(y_i (s_i + b))), minus each loss's derivative in its margin."""
        return np.asarray(self.sample_weight * expit(-self.y * (scores + b)))

    def best_offset(self, scores: Array) -> float:
        """Return the b that minimises the loss, by Newton's method within a bracket."""
        y, weights = self.y, self.sample_weight
        # At either end of the bracket all scores have the same sign, and one class decides.
        room = 50.0 + abs(float(np.log(weights[y > 0].sum() / weights[y < 0].sum())))
        low, high = -float(scores.max()) - room, -float(scores.min()) + room
        b = float(np.clip(super().best_offset(scores), low, high))  # that of the hinge loss is near
        for _ in range(200):
            alpha = self.slopes(scores, b)
            slope, curvature = -float(y @ alpha), float(alpha @ (1 - alpha / weights))
            low, high = (b, high) if slope < 0 else (low, b)
            step = slope / curvature if curvature else np.inf
            # As |f'''| <= f'' for this loss, a Newton step of s leaves an error of about s^2 / 2.
            if abs(step) <= 1e-8:
                return b - step
            if high - low <= 1e-15 * (1 + abs(b)):
                break
            b = b - step if low < b - step < high else 0.5 * (low + high)
        return b


def _entropy(alpha: Array, weights: Array) -> float:
    a = alpha / weights
    # At tiny lambda all a are tiny, and 1 - a would round to 1.
    return -float((weights * (xlogy(a, a) + xlog1py(1 - a, -a))).sum())
