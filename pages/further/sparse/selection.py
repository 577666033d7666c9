"""Select some features of a linear model: by all subsets, greedily, and along the path of l1.

A subset is a tuple of feature numbers, counted from 0, in ascending order. X has shape (n, d) and
independent columns. X and y are used as they are: centre both first if the model has an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from sklearn.linear_model import lars_path

from smmcore.arrays import Array

Subset = tuple[int, ...]


def squared_error(X: Array, y: Array, subset: Sequence[int]) -> float:
    """Return min ||y - X theta||^2 over theta that are 0 outside a subset."""
    columns = X[:, list(subset)]
    theta = np.linalg.solve(columns.T @ columns, columns.T @ y)
    return float(np.sum((y - columns @ theta) ** 2))


def best_subset(X: Array, y: Array, size: int) -> Subset:
    """Return the subset of a size with the least squared error, out of all of this size."""
    subsets = combinations(range(X.shape[1]), size)
    return min(subsets, key=lambda subset: squared_error(X, y, subset))


def forward_selection(X: Array, y: Array) -> list[Subset]:
    """Return a subset of each size 0 to d: add the feature that lowers the squared error most."""
    features = range(X.shape[1])
    subsets: list[Subset] = [()]
    for _ in features:
        larger = [tuple(sorted((*subsets[-1], j))) for j in features if j not in subsets[-1]]
        subsets.append(min(larger, key=lambda subset: squared_error(X, y, subset)))
    return subsets


def backward_elimination(X: Array, y: Array) -> list[Subset]:
    """Return a subset of each size 0 to d: drop the feature that raises the squared error least."""
    subsets: list[Subset] = [tuple(range(X.shape[1]))]
    for _ in range(X.shape[1]):
        smaller = [tuple(j for j in subsets[-1] if j != left) for left in subsets[-1]]
        subsets.append(min(smaller, key=lambda subset: squared_error(X, y, subset)))
    return subsets[::-1]


def lasso_subsets(X: Array, y: Array) -> list[Subset]:
    """Return a subset of each size 0 to d: the first on the path of the l1 norm with this size.

    The path is exact, by the LARS algorithm. Where it skips a size, the features with the largest
    |theta| are taken.
    """
    path = lars_path(X, y, method="lasso")[2].T  # (steps, d), from strong regularisation
    subsets = []
    for k in range(X.shape[1] + 1):
        theta = next(step for step in path if np.count_nonzero(step) >= k)
        largest = np.argsort(-np.abs(theta), kind="stable")[:k]
        subsets.append(tuple(sorted(largest.tolist())))
    return subsets
