"""Soft thresholds of vectors and singular values, and the derivative of the latter.

The functions raise a ValueError if an array is not real, not finite or of the wrong shape. Only
`thresholded_svd` and the derivative, which run in every iteration of a solver, check nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from smmcore.arrays import Array


class ThresholdedSVD(NamedTuple):
    """D_tau(M) together with the spectra before and after the threshold."""

    matrix: Array  # (p, q), D_tau(M)
    singular_values: Array  # (min(p, q),), of M, descending
    thresholded: Array  # (min(p, q),), [sigma - tau]_+, of D_tau(M)

    @property
    def rank(self) -> int:
        return int(np.count_nonzero(self.thresholded))


class SVD(NamedTuple):
    """The thin singular value decomposition M = U diag(sigma) V', m = min(p, q)."""

    U: Array  # (p, m)
    sigma: Array  # (m,), descending
    Vt: Array  # (m, q)


def thin_svd(M: Array) -> SVD:
    """Return the decomposition of M, shape (p, q)."""
    return SVD(*np.linalg.svd(M, full_matrices=False))


def thresholded_svd(M: Array, tau: float) -> ThresholdedSVD:
    """Return D_tau(M) and both spectra, for M of shape (p, q) and tau >= 0."""
    return threshold_svd(thin_svd(M), tau)


def threshold_svd(svd: SVD, tau: float) -> ThresholdedSVD:
    """Return D_tau(M), given the decomposition of M."""
    U, sigma, Vt = svd
    shrunk = np.maximum(sigma - tau, 0.0)
    r = np.count_nonzero(shrunk)
    return ThresholdedSVD((U[:, :r] * shrunk[:r]) @ Vt[:r], sigma, shrunk)


def singular_value_threshold(M: ArrayLike, tau: float) -> Array:
    """Proximal operator of tau times the nuclear norm: D_tau(M) = U diag([sigma - tau]_+) V'.

    Parameters
    ----------
    M : array-like of shape (p, q)
        Any real matrix, M = U diag(sigma) V'.
    tau : float
        Threshold, at least 0, in the unit of the singular values.

    Returns
    -------
    ndarray of shape (p, q)
        The minimiser of 1/2 ||Z - M||_F^2 + tau ||Z||_* over Z.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 2.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.prox import singular_value_threshold
    >>> singular_value_threshold(np.diag([3.0, 1.0]), 2.0)
    array([[1., 0.],
           [0., 0.]])
    """
    M = as_matrix(M)
    check_not_negative("tau", tau)
    return thresholded_svd(M, tau).matrix


class SVTDerivative:
    """Eigenvalues and eigenvectors of the derivative of the threshold, D_tau'(M), with tau > 0.

    In the bases U, V of M = U diag(sigma) V' it acts on each pair of entries (i, j), (j, i): it
    multiplies their sum by (s_i - s_j) / (sigma_i - sigma_j) and their difference by
    (s_i + s_j) / (sigma_i + sigma_j), with s = [sigma - tau]_+, and entries outside the span of the
    smaller basis by s_i / sigma_i. So the eigenvectors are orthonormal matrices: the units of the
    diagonal, the sums and differences of the units of a pair, divided by sqrt(2), and the units
    outside. Where a sigma equals tau, the derivative is that from below.
    """

    def __init__(
        self,
        svd: SVD,  # of M
        tau: float,
        part: slice = slice(None),  # of the i <= j: the eigenvectors of all parts are a basis
        dtype: DTypeLike = float,
    ) -> None:
        U, sigma, Vt = svd
        self._is_wide = len(U) < Vt.shape[1]  # D_tau(M') = D_tau(M)', so the longer side is first
        short, long = (U, Vt.T) if self._is_wide else (Vt.T, U)
        self._short, self._long = np.ascontiguousarray(short, dtype), _basis(long, dtype)
        m = len(sigma)
        self._of = of = np.arange(m)[part]
        self._upper = np.nonzero(of[:, None] < np.arange(m))  # places in `of` x m
        shrunk, i, j = np.maximum(sigma - tau, 0.0), of[self._upper[0]], self._upper[1]
        same, apart, sums = (sigma > tau) * 1.0, sigma[i] - sigma[j], sigma[i] + sigma[j]
        sum_values, difference_values = same[i], np.zeros(len(i))
        np.divide(shrunk[i] - shrunk[j], apart, out=sum_values, where=apart > 0)
        sum_values = np.clip(sum_values, 0.0, 1.0)  # the rounding of nearly equal sigma
        np.divide(shrunk[i] + shrunk[j], sums, out=difference_values, where=sums > 0)
        outside = np.divide(shrunk, sigma, out=np.zeros(m), where=sigma > 0)[of]
        rest = np.repeat(outside, len(long) - m)
        self.values = np.concatenate([same[of], sum_values, difference_values, rest])

    def coordinates(self, X: Array) -> Array:
        """Return the coordinates of matrices, shape (n, len(values)), given X, (n, p, q)."""
        if not self._is_wide:
            X = X.transpose(0, 2, 1)
        U, V = self._short[:, self._of], self._long.V[:, self._of]
        above, rest = _in_basis(U.T @ X, self._long)  # entries (i, j); the rest
        (k, j), n, (some, m) = self._upper, len(X), above.shape[1:]
        below = above if some == m else self._short.T @ (X @ V)  # (j, i)
        above, below = above.reshape(n, -1), below.reshape(n, -1)
        ij, ji = above[:, k * m + j], below[:, j * some + k]
        half = above.dtype.type(np.sqrt(0.5))
        diagonal = above[:, np.arange(some) * m + self._of]
        parts = diagonal, half * (ij + ji), half * (ij - ji), rest.reshape(n, rest[0].size)
        return np.concatenate(parts, axis=1)

    def combine(self, coordinates: Array) -> Array:
        """Return the matrix with given coordinates, of all parts, shape (p, q)."""
        m, (i, j) = len(self._short), self._upper
        diagonal, sums, differences, rest = np.split(coordinates, np.cumsum([m, len(i), len(i)]))
        inner = np.diag(diagonal)
        inner[i, j] = np.sqrt(0.5) * (sums + differences)
        inner[j, i] = np.sqrt(0.5) * (sums - differences)
        V, YM = self._long
        rest = rest.reshape(m, len(V) - m)
        rows = inner @ V.T
        if rest.size:
            rows -= (rest @ V[m:]) @ YM.T
            rows[:, m:] += rest
        moved = self._short @ rows  # (m, the longer side)
        return np.asarray(moved if self._is_wide else moved.T)


class _Basis(NamedTuple):
    """An orthonormal basis of R^q whose first m vectors are the columns of V, shape (q, m)."""

    V: Array
    YM: Array  # (q, m), of the reflection


def _basis(V: Array, dtype: DTypeLike) -> _Basis:
    """Complete orthonormal columns to a basis.

    Let E be the first m axes and E' V = A diag(s) B'. With Y = V + E A B' and
    M = B diag(1 / (1 + s)) B', Q = I - Y M Y' is orthogonal and maps the span of E to that of V,
    so its other columns are the rest of the basis.
    """
    q, m = V.shape
    if q == m:
        return _Basis(V.astype(dtype), np.empty((q, 0), dtype))
    A, s, Bt = np.linalg.svd(V[:m])
    Y = V.copy()
    Y[:m] += A @ Bt
    return _Basis(V.astype(dtype), ((Y @ Bt.T / (1 + s)) @ Bt).astype(dtype))


def _in_basis(rows: Array, basis: _Basis) -> tuple[Array, Array]:
    """Return the first m coordinates of rows, shape (..., q), in a basis, and the other ones."""
    q, m = basis.V.shape
    if q == m:
        return rows @ basis.V, rows[..., m:]
    product = rows @ np.hstack(basis)
    return product[..., :m], rows[..., m:] - product[..., m:] @ basis.V[m:].T


def soft_threshold(v: ArrayLike, t: float) -> Array:
    """Proximal operator of t ||.||_1: sign(v_j) [|v_j| - t]_+ for every entry.

    Parameters
    ----------
    v : array-like
        Finite real numbers, of any shape.
    t : float
        Threshold, at least 0, in the unit of v.

    Returns
    -------
    ndarray of the shape of v
        The minimiser of 1/2 ||x - v||^2 + t ||x||_1 over x.

    Examples
    --------
    >>> from smmcore.prox import soft_threshold
    >>> soft_threshold([3.0, -0.5, -2.0], 1.0)
    array([ 2.,  0., -1.])
    """
    v = _finite("v", v)
    check_not_negative("t", t)
    return v - np.clip(v, -t, t)


def l1_ball_threshold(v: ArrayLike, radius: float) -> float:
    """Return the smallest t >= 0 with sum [|v_j| - t]_+ <= radius.

    Soft thresholding at this t is the projection on the l1 ball. Likewise for ||.||_{1,2} and
    ||.||_tr, where v holds the norms of the groups or the singular values.
    """
    check_not_negative("radius", radius)
    sizes = np.sort(np.abs(as_vector(v)))[::-1]
    if sizes.sum() <= radius:
        return 0.0
    excess = (np.cumsum(sizes) - radius) / np.arange(1, len(sizes) + 1)
    return float(excess[np.flatnonzero(sizes >= excess)[-1]])


def _finite(name: str, values: ArrayLike) -> Array:
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must be real, got complex numbers")
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return values


def as_vector(values: ArrayLike) -> Array:
    """Return a finite real vector as floats."""
    v = _finite("v", values)
    if v.ndim != 1:
        raise ValueError(f"v must be a vector, got an array of shape {v.shape}")
    return v


def as_matrix(values: ArrayLike) -> Array:
    """Return a finite real matrix as floats."""
    M = _finite("M", values)
    if M.ndim != 2:
        raise ValueError(f"M must be a matrix, got an array of shape {M.shape}")
    return M


def check_not_negative(name: str, value: float) -> None:
    """Raise a ValueError if a number is negative or NaN."""
    if not value >= 0:
        raise ValueError(f"{name} must be at least 0, got {value}")
