"""Logistic regression of flattened samples.

The program of a trial holds what follows, so it imports nothing of the app.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_sample_weight

Array = NDArray[np.float64]
MOST_NEWTON = 500  # features, whose second derivatives are a square matrix


class FlatLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Minimise 1/2 ||W||_F^2 + C sum_i w_i log(1 + exp(-y_i f(X_i))), each class against the rest.

    scikit-learn's solver sees the samples in units of their spread, so that no unit is too small.
    """

    def __init__(self, C: float = 1.0, class_weight: str | None = None, tol: float = 1e-4) -> None:
        self.C, self.class_weight, self.tol = C, class_weight, tol

    def fit(self, X: Array, y: NDArray[np.generic]) -> Self:
        """Fit W and b, with the duality gap of each class."""
        self.classes_ = np.unique(y)
        weights = compute_sample_weight(self.class_weight, y)
        flat = X.reshape(len(X), -1)
        mean = flat.mean(axis=0)
        spread = np.sqrt(np.square(flat - mean).sum() / len(flat))
        Z, C = (flat - mean) / spread, self.C * spread**2
        features, back = Z, None
        if len(Z) < len(Z.T):  # W lies in the span of the samples
            left, sigma, back = np.linalg.svd(Z, full_matrices=False)
            features = left * sigma
        method = "newton-cholesky" if len(features.T) <= MOST_NEWTON else "lbfgs"
        solver = LogisticRegression(C=C, solver=method, tol=1e-3 * self.tol, max_iter=1_000)
        found = []
        for label in self.classes_[1:] if len(self.classes_) == 2 else self.classes_:
            side = np.where(y == label, 1.0, -1.0)
            solver.fit(features, side, weights)
            w, b = solver.coef_[0], float(solver.intercept_[0])
            primal, dual = _bounds(features, side, C * weights, w, b)
            w = (w if back is None else w @ back) / spread
            rank = np.linalg.matrix_rank(w.reshape(X.shape[1:]))
            found.append((w, b - mean @ w, primal, primal - dual, rank))
        W, *numbers = map(np.array, zip(*found, strict=True))
        self.coef_ = W.reshape(-1, *X.shape[1:])
        self.intercept_, self.objective_, self.dual_gap_, self.rank_ = numbers
        return self

    def decision_function(self, X: Array) -> Array:
        """Return f of each sample: (m,) for two classes, and (m, K) for K."""
        f = X.reshape(len(X), -1) @ self.coef_.reshape(len(self.coef_), -1).T + self.intercept_
        return np.asarray(f[:, 0] if len(self.classes_) == 2 else f)

    def predict(self, X: Array) -> NDArray[np.generic]:
        """Return the label of each sample."""
        f = self.decision_function(X)
        return np.asarray(self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)])


def _bounds(X: Array, y: Array, C: Array, w: Array, b: float) -> tuple[float, float]:
    """Return the objective at w and b, and the value of a dual point, which is a lower bound."""
    from scipy.special import expit, xlog1py, xlogy

    margins = y * (X @ w + b)
    primal = w @ w / 2 + C @ np.logaddexp(0, -margins)
    alpha = C * expit(-margins)
    sums = [alpha[y > 0].sum(), alpha[y < 0].sum()]
    alpha *= min(sums) / np.where(y > 0, *sums)  # both classes weigh the same
    share, v = alpha / C, (alpha * y) @ X
    return float(primal), float(
        -(v @ v) / 2 - C @ (xlogy(share, share) + xlog1py(1 - share, -share))
    )
