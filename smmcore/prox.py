"""Proximal operators: plain functions of arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class ThresholdedSVD(NamedTuple):
    """D_tau(M) together with the spectra before and after the threshold."""

    matrix: Array  # (p, q), D_tau(M)
    singular_values: Array  # (min(p, q),), those of M, descending
    thresholded: Array  # (min(p, q),), [sigma - tau]_+, those of D_tau(M)


def thresholded_svd(M: Array, tau: float) -> ThresholdedSVD:
    """Singular value thresholding that also hands out the spectra it has computed on the way."""
    U, sigma, Vt = np.linalg.svd(M, full_matrices=False)
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

    Raises
    ------
    ValueError
        If M is not a finite matrix or tau is negative.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 2.
    """
    M = np.asarray(M, dtype=float)
    if M.ndim != 2:
        raise ValueError(f"M must be a matrix, got an array of shape {M.shape}")
    if not np.isfinite(M).all():
        raise ValueError("M must be finite, got NaN or infinity")
    if not tau >= 0:
        raise ValueError(f"tau must be at least 0, got {tau}")
    return thresholded_svd(M, tau).matrix


def project_simplex_ball(v: Array) -> Array:
    """Project non-negative numbers, sorted descending, on {v >= 0, sum v <= 1}."""
    if v.sum() <= 1:
        return np.asarray(v)
    excess = (np.cumsum(v) - 1) / np.arange(1, len(v) + 1)
    return np.asarray(np.maximum(v - excess[np.flatnonzero(v > excess)[-1]], 0.0))
