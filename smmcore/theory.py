"""Bounds of the grouping effect from the paper, and a grouping score."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from smmcore.arrays import Array


def element_distance_bound(X: ArrayLike, C: float, first: ArrayLike, second: ArrayLike) -> Array:
    """Return the bound of Lemma 1 for any scaling, n C^2 ||f_kl - f_k'l'||^2.

    It bounds (Omega_kl - Omega_k'l')^2, where f_kl holds feature (k, l) of all samples and
    Omega = sum_i alpha_i y_i X_i for any alpha in [0, C]^n. The bound is tight if f - f' is
    proportional to y, the classes have equal sizes and alpha = C. For features of unit length it is
    the printed bound 2 n C^2 (1 - f'f'), which fails in other units.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples.
    C : float
        Loss weight.
    first, second : array-like of shape (..., 2)
        Pairs (k, l), counted from 0.

    Returns
    -------
    ndarray of shape (...)

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, Lemma 1.

    Examples
    --------
    >>> from smmcore.theory import element_distance_bound
    >>> X = [[[1.0, 2.0]], [[3.0, 5.0]]]
    >>> float(element_distance_bound(X, 0.5, (0, 0), (0, 1)))  # 2 * 0.5**2 * (1 + 4)
    2.5
    """
    X = np.asarray(X, dtype=float)
    k, l = np.moveaxis(np.asarray(first), -1, 0)  # noqa: E741
    m, o = np.moveaxis(np.asarray(second), -1, 0)
    return np.asarray(len(X) * C**2 * np.sum((X[:, k, l] - X[:, m, o]) ** 2, axis=0))


def column_distance_bound(X: ArrayLike, C: float) -> Array:
    """Return the bound of Theorem 2 for any scaling, n C^2 sum_k ||f_kl - f_kl'||^2.

    It bounds ||W_:l - W_:l'||^2 for W = D_tau(Omega(alpha)) with any alpha in [0, C]^n and
    tau >= 0. For the rows of W, transpose the samples.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples.
    C : float
        Loss weight.

    Returns
    -------
    ndarray of shape (q, q)

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, Theorem 2.

    Examples
    --------
    >>> from smmcore.theory import column_distance_bound
    >>> column_distance_bound([[[1.0, 2.0]], [[3.0, 5.0]]], 0.5)
    array([[0. , 2.5],
           [2.5, 0. ]])
    """
    X = np.asarray(X, dtype=float)
    return len(X) * C**2 * _squared_distances(np.moveaxis(X, 2, 0).reshape(X.shape[2], -1))


def column_distances(W: ArrayLike) -> Array:
    """Return ||W_:l - W_:l'||^2 for all pairs of columns of W, which Theorem 2 bounds.

    Parameters
    ----------
    W : array-like of shape (p, q)
        The weights.

    Returns
    -------
    ndarray of shape (q, q)

    Examples
    --------
    >>> from smmcore.theory import column_distances
    >>> column_distances([[0.0, 3.0], [0.0, 4.0]])
    array([[ 0., 25.],
           [25.,  0.]])
    """
    return _squared_distances(np.asarray(W, dtype=float).T)


def grouping_score(W: ArrayLike, groups: ArrayLike) -> float:
    """Return the adjusted R^2 of W's columns, explained by their V groups.

    1 - [SSW / (q - V)] / [SST / (q - 1)], where SSW sums the squared distances of the columns from
    the means of their groups and SST those from the mean of all columns. The score is 1 if the
    columns of each group are equal, and 0 on average if the columns are random.

    Parameters
    ----------
    W : array-like of shape (p, q)
        The weights.
    groups : array-like of shape (q,)
        The group of each column.

    Returns
    -------
    float
        At most 1; NaN if all columns are equal, if there is only one group, or if no group has two
        columns.

    Raises
    ------
    ValueError
        If W is not a matrix or `groups` does not have one entry for each column.

    Examples
    --------
    >>> from smmcore.theory import grouping_score
    >>> grouping_score([[1.0, 1.0, 5.0, 5.0]], [0, 0, 1, 1])
    1.0
    """
    W, groups = np.asarray(W, dtype=float), np.asarray(groups)
    if W.ndim != 2 or 0 in W.shape:
        raise ValueError(f"W must be a matrix without zeros in its shape, got {W.shape}")
    if groups.shape != (W.shape[1],):
        raise ValueError(
            f"groups must have shape ({W.shape[1]},), one group for each column, got {groups.shape}"
        )
    names, q = np.unique(groups), W.shape[1]
    total = np.sum((W - W.mean(axis=1, keepdims=True)) ** 2)
    if total <= (1e-14 * np.abs(W).max()) ** 2 * W.size or not 1 < len(names) < q:
        return float("nan")
    parts = (W[:, groups == name] for name in names)
    within = sum(np.sum((part - part.mean(axis=1, keepdims=True)) ** 2) for part in parts)
    return float(1 - (within / (q - len(names))) / (total / (q - 1)))


def _squared_distances(points: Array) -> Array:
    # The Gram matrix would lose all digits of the distances between nearly equal columns, of which
    # there are many here.
    distances = np.zeros((len(points), len(points)))
    for i, point in enumerate(points):
        apart = points[i + 1 :] - point
        distances[i, i + 1 :] = distances[i + 1 :, i] = np.einsum("ij,ij->i", apart, apart)
    return distances
