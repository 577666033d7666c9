"""Linear maps of centred samples, in double precision and by blocks, without a copy of X."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.linalg.blas import dsyrk, ssyrk

from smmcore.arrays import Array
from smmcore.threads import all_blas_threads

Samples = NDArray[Any]  # of one of the types `STORED`
Indices = NDArray[np.intp]

# Types whose numbers are doubles too, except large integers of 64 bits. Others become the first.
STORED = (
    *(np.float64, np.float32, np.float16, np.bool_),
    *(np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64),
)

_MOST_BYTES = 1e9  # of a square matrix
_BLOCK = 2**17  # numbers of a block, a megabyte, which stays in the cache
_FEWEST_COLUMNS = 64  # of a block, so that a product of matrices is fast
_LARGE_GRAM = 1e8  # products of two numbers, some ten ms: fewer are not worth waking threads
_FAR = 4.0  # ||mean|| / spread above which products with X itself would lose more than two bits


def as_samples(X: ArrayLike) -> Samples:
    """Return real X as a C-contiguous array of one of the types `STORED`, itself if it is one."""
    if np.iscomplexobj(X):
        raise ValueError("X must be real, got complex numbers")
    X = np.asarray(X)
    return np.ascontiguousarray(X, None if X.dtype in STORED else float)


def lift(X: Samples) -> Samples:
    """Return samples with at least two axes: vectors become matrices of one column."""
    return X[:, :, None] if X.ndim == 2 else X


def blocks(n: int, size: int, least: int = 1) -> Iterator[slice]:
    """Yield slices of n items of a given size, each of about a megabyte, at least `least` items."""
    step = max(least, _BLOCK // max(size, 1))
    for first in range(0, n, step):
        yield slice(first, min(first + step, n))


def as_doubles(X: Samples) -> Array:
    """Return samples as C-contiguous doubles, X itself if it is that."""
    return np.ascontiguousarray(X, dtype=float)


def by_blocks(X: NDArray[Any], function: Callable[[Array], Array]) -> Array:
    """Return a function of samples, an entry or a row for each, computed by blocks of them.

    The function takes blocks as doubles, for any type and order of X, shape (n, ...).
    """
    result: Array | None = None
    for part in blocks(len(X), X[:1].size):
        values = function(as_doubles(X[part]))
        if result is None:
            result = np.empty((len(X), *values.shape[1:]))
        result[part] = values
    assert result is not None
    return result


def is_too_large(n: int) -> bool:
    """Return whether n^2 numbers would take more than a gigabyte."""
    return 8 * n**2 > _MOST_BYTES


def check_square(n: int, what: str) -> None:
    """Raise a ValueError if n^2 numbers, described by `what`, would take more than a gigabyte."""
    if is_too_large(n):
        size = 8 * n**2
        raise ValueError(
            f"{what.format(n)}, which this method needs, would take {size / 1e9:.1f} GB, and 1 GB "
            "is allowed: take fewer, or SupportMatrixMachine with its own choice of solver, which "
            "does without"
        )


class CentredSamples:
    """The samples X_i - mean as vectors. Products are formed in double precision by blocks.

    X itself, of one of the types `STORED`, stays as it is: its blocks are converted and centred one
    after the other. Products with doubles whose mean is not far from 0 are formed with X itself,
    and those with the mean are subtracted, which is faster. If the mean is far from 0, rounding
    would then hide differences of the samples. A mean with other weights of the samples may be
    given.
    """

    def __init__(self, X: Samples, mean: Array | None = None) -> None:
        self._X = X.reshape(len(X), -1)
        self.mean: Array = self._X.mean(axis=0, dtype=float) if mean is None else mean

    @cached_property
    def norms(self) -> Array:
        """||X_i - mean||, shape (n,)."""
        squares = np.empty(len(self._X))
        for part in blocks(*self._X.shape):
            Z = self._X[part] - self.mean
            np.einsum("ij,ij->i", Z, Z, out=squares[part])
        return np.sqrt(squares)

    @cached_property
    def _is_near(self) -> bool:
        """Whether X can take the place of X - mean in products."""
        spread = float(np.linalg.norm(self.norms)) / np.sqrt(len(self._X))
        return bool(np.linalg.norm(self.mean) <= _FAR * spread)

    def rows(self, of: slice | Indices) -> Array:
        """Return a copy of X_i - mean for some samples, shape (len(of), p q)."""
        return np.asarray(self._X[of] - self.mean)

    def scores(self, w: Array) -> Array:
        """Return <w, X_i - mean>, shape (n,)."""
        if not self._is_near:
            return by_blocks(self._X, lambda Z: (Z - self.mean) @ w)
        if self._X.dtype == float:
            return np.asarray(self._X @ w - self.mean @ w)
        return by_blocks(self._X, lambda Z: Z @ w) - self.mean @ w

    def combine(self, weights: Array, of: Indices | None = None) -> Array:
        """Return sum_i weights_i (X_i - mean), shape (p q,).

        `of` holds the indices of the weights that are not 0, if they are known.
        """
        of = np.flatnonzero(weights) if of is None else of
        few = 2 * len(of) < len(weights)
        if self._is_near and self._X.dtype == float and not few:
            return np.asarray(weights @ self._X - weights.sum() * self.mean)
        total = np.zeros_like(self.mean)
        for part in blocks(len(of) if few else len(weights), len(total)):
            some = of[part] if few else part
            total += weights[some] @ self._rows(some)
        return total - weights.sum() * self.mean if self._is_near else total

    @cached_property
    def whole_gram(self) -> Array:
        """<X_i - mean, X_j - mean> of all samples, shape (n, n)."""
        return self.gram()

    def gram(self, of: slice | Indices = slice(None)) -> Array:
        """Return <X_i - mean, X_j - mean> of some samples, shape (len(of), len(of))."""
        m, d = len(self.norms[of]), self._X.shape[1]
        check_square(m, "the Gram matrix of {} samples")
        columns = blocks(d, m, _FEWEST_COLUMNS)
        matrices = (self._X[of, part] - self.mean[part] for part in columns)
        with all_blas_threads() if m**2 * d >= _LARGE_GRAM else nullcontext():
            return sum_of_grams(matrices, m)

    def covariance(self, factors: Array) -> Array:
        """Return sum_i factors_i^2 (X_i - mean) (X_i - mean)', shape (p q, p q)."""
        n, d = self._X.shape
        check_square(d, "the covariance of {} entries of a sample")
        parts = blocks(n, d, _FEWEST_COLUMNS)
        return sum_of_grams((self.rows(part).T * factors[part] for part in parts), d)

    def _rows(self, of: slice | Indices) -> Array:
        """Return X_i, or X_i - mean if the mean is far from 0, for some samples."""
        return as_doubles(self._X[of]) if self._is_near else self.rows(of)


def sum_of_grams(
    matrices: Iterable[NDArray[Any]], n: int, dtype: DTypeLike = float
) -> NDArray[Any]:
    """Return sum_k Z_k Z_k' of matrices with n rows each, of a type, shape (n, n)."""
    K = np.zeros((n, n), dtype, order="F")
    syrk = dsyrk if K.dtype == float else ssyrk
    for Z in matrices:  # into the upper triangle, without a copy of a contiguous Z
        Z, transposed = (Z, 0) if Z.flags.f_contiguous else (Z.T, 1)
        K = syrk(1.0, Z, trans=transposed, beta=1.0, c=K, overwrite_c=True)
    for part in blocks(n, n):
        K[part, part] = np.triu(K[part, part]) + np.triu(K[part, part], 1).T
        K[part.stop :, part] = K[part, part.stop :].T
    return np.asarray(K.T)
