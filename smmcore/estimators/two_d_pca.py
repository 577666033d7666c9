"""Two-dimensional principal component analysis as a scikit-learn transformer."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from smmcore.estimators.base import as_samples

Array = NDArray[np.float64]


class TwoDPCA(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """2DPCA: project the rows of matrices on the main axes of their scatter, X_i -> X_i V.

    V holds the leading eigenvectors of G = 1/n sum_i (X_i - mean)' (X_i - mean). Columns only are
    compressed, so the result follows A X_i B' in A, while orthogonal B changes nothing but signs.

    Parameters
    ----------
    n_components : int, default=1
        k, at most q.

    Attributes
    ----------
    components_ : ndarray of shape (k, q)
        The axes, orthonormal rows.
    explained_variance_ : ndarray of shape (k,)
        Their eigenvalues, descending.
    n_features_in_ : int
        p.

    References
    ----------
    Yang, Zhang, Frangi, Yang: Two-dimensional PCA, PAMI 2004.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_components: int = 1) -> None:
        self.n_components = n_components

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Find the axes; X of shape (n, p, q), or (n, p), which is (n, p, 1).

        Raises
        ------
        ValueError
            If a parameter or an array is out of range.
        """
        self._validate_params()
        samples = as_samples(validate_data(self, X, dtype=float, allow_nd=True))
        q = samples.shape[2]
        if self.n_components > q:
            raise ValueError(f"n_components must be at most q = {q}, got {self.n_components}")
        largest = float(np.abs(samples).max())
        if largest >= 1e100:
            raise ValueError(f"X must have entries below 1e100, got {largest:.1e}: rescale it")
        rows = (samples - samples.mean(axis=0)).reshape(-1, q)
        values, vectors = np.linalg.eigh(rows.T @ rows / len(samples))
        leading = slice(None, -self.n_components - 1, -1)
        self.components_ = vectors.T[leading]
        self.explained_variance_ = np.maximum(values[leading], 0.0)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """X_i V, shape (n, p, k)."""
        check_is_fitted(self)
        samples = as_samples(validate_data(self, X, dtype=float, allow_nd=True, reset=False))
        q = self.components_.shape[1]
        if samples.shape[2] != q:
            raise ValueError(f"X must hold samples of shape (p, {q}), got {samples.shape[1:]}")
        return np.asarray(samples @ self.components_.T)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags
