"""Two-dimensional principal component analysis as a scikit-learn transformer."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import TransformerMixin
from sklearn.utils._param_validation import Interval

from smmcore.arrays import Array
from smmcore.estimators.base import SampleEstimator
from smmcore.problems.samples import blocks, by_blocks


class TwoDPCA(TransformerMixin, SampleEstimator):  # type: ignore[misc]
    """2DPCA: project the rows of matrices on their principal axes, X_i -> X_i V.

    V holds the leading eigenvectors of G = 1/n sum_i (X_i - mean)' (X_i - mean). Only columns are
    compressed: for samples A X_i B' with orthogonal A and B the result is A X_i V, up to signs.

    Parameters
    ----------
    n_components : int, default=1
        k, at most q.
    shape : tuple of int, optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples.

    Attributes
    ----------
    components_ : ndarray of shape (k, q)
        The axes, orthonormal rows.
    explained_variance_ : ndarray of shape (k,)
        The eigenvalues of G, descending.
    n_features_in_ : int
        p, or p q with `shape`.

    References
    ----------
    Yang, Zhang, Frangi, Yang: Two-dimensional PCA, PAMI 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore import TwoDPCA
    >>> X = np.array([[[1.0, 1.0], [3.0, 3.0]], [[-1.0, -1.0], [5.0, 5.0]]])
    >>> pca = TwoDPCA(n_components=1).fit(X)
    >>> pca.transform(X).shape
    (2, 2, 1)
    >>> np.abs(pca.components_).round(3)
    array([[0.707, 0.707]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "shape": [tuple, list, None],
    }

    def __init__(self, n_components: int = 1, *, shape: tuple[int, ...] | None = None) -> None:
        self.n_components = n_components
        self.shape = shape

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Find the axes, given X as in `SupportMatrixMachine`; y is not used."""
        self._validate_params()
        samples = self._fit_samples(X)
        q = samples.shape[2]
        if self.n_components > q:
            raise ValueError(f"n_components must be at most q = {q}, got {self.n_components}")
        largest = max(float(samples.max()), -float(samples.min()))
        if largest >= 1e100:
            raise ValueError(f"X must have entries below 1e100, got {largest:.1e}: rescale it")
        mean, G = samples.mean(axis=0, dtype=float), np.zeros((q, q))
        for part in blocks(len(samples), samples[0].size):
            rows = (samples[part] - mean).reshape(-1, q)
            G += rows.T @ rows
        values, vectors = np.linalg.eigh(G / len(samples))
        leading = slice(None, -self.n_components - 1, -1)
        self.components_ = vectors.T[leading].copy()
        self.explained_variance_ = np.maximum(values[leading], 0.0)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Return the projected samples X_i V, shape (n, p, k); X as for `fit`."""
        return by_blocks(self._samples(X), lambda X: X @ self.components_.T)
