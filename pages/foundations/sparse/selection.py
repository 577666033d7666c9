"""Select some features of a linear model: by all subsets, greedily, by l1, by hard thresholding.

A subset is a tuple of feature numbers, counted from 0, in ascending order. X and y are used as they
are: centre both first if the model has an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.iterate import last, until
from smmcore.penalties import Ball, Lp
from smmcore.problems import RegularizedLS
from smmcore.problems.base import as_real
from smmcore.solvers import proximal_gradient

Array = NDArray[np.float64]
Subset = tuple[int, ...]

MOST_SUBSETS = 200_000  # to try, which takes some seconds
MAX_ITER = 10_000  # of hard thresholding


class FixedPoint(NamedTuple):
    """Least squares on a subset, and whether a step of hard thresholding leaves it unchanged.

    The step is theta <- H(theta + Phi'(y - Phi theta) / L), L = ||Phi||_2^2, where H keeps the
    entries of largest magnitude. Entries in the subset stay. So theta is a fixed point if no entry
    outside becomes larger than the smallest one inside, `pull` <= `smallest`. Every best subset
    is a fixed point, but not every fixed point is a best subset.
    """

    subset: Subset
    theta: Array  # (d,), 0 outside the subset
    smallest: float  # the smallest |theta_j| in the subset
    pull: float  # the largest |phi_j'(y - Phi theta)| / L outside

    @property
    def holds(self) -> bool:
        """Whether theta is a fixed point."""
        return self.pull <= self.smallest


def squared_error(X: Array, y: Array, subset: Sequence[int]) -> float:
    """Return min ||y - X theta||^2 over theta that are 0 outside a subset. Nothing is checked."""
    columns = X[:, list(subset)]
    theta = np.linalg.solve(columns.T @ columns, columns.T @ y)
    return float(np.sum((y - columns @ theta) ** 2))


def best_subset(X: ArrayLike, y: ArrayLike, size: int) -> Subset:
    """Return the subset of a size with the least squared error, out of all of this size.

    References
    ----------
    Sugiyama, section 24.3.
    """
    X, y = _check(X, y)
    subsets = _subsets_of_size(X, size)
    return min(subsets, key=lambda subset: squared_error(X, y, subset))


def forward_selection(X: ArrayLike, y: ArrayLike) -> list[Subset]:
    """Return a subset of each size 0 to d: add the feature that lowers the squared error most.

    References
    ----------
    Sugiyama, section 24.3.
    """
    X, y = _check(X, y)
    features = range(X.shape[1])
    subsets: list[Subset] = [()]
    for _ in features:
        larger = [tuple(sorted((*subsets[-1], j))) for j in features if j not in subsets[-1]]
        subsets.append(min(larger, key=lambda subset: squared_error(X, y, subset)))
    return subsets


def backward_elimination(X: ArrayLike, y: ArrayLike) -> list[Subset]:
    """Return a subset of each size 0 to d: drop the feature that raises the squared error least.

    References
    ----------
    Sugiyama, section 24.3.
    """
    X, y = _check(X, y)
    subsets: list[Subset] = [tuple(range(X.shape[1]))]
    for _ in range(X.shape[1]):
        smaller = [tuple(j for j in subsets[-1] if j != left) for left in subsets[-1]]
        subsets.append(min(smaller, key=lambda subset: squared_error(X, y, subset)))
    return subsets[::-1]


def lasso_subsets(X: ArrayLike, y: ArrayLike) -> list[Subset]:
    """Return a subset of each size 0 to d: the first on the path of the l1 norm with this size.

    The path is exact, by the LARS algorithm. Where it skips a size, the features with the largest
    |theta| are taken.

    References
    ----------
    Sugiyama, section 24.3. Efron, Hastie, Johnstone, Tibshirani: Least angle regression, 2004.
    """
    from sklearn.linear_model import lars_path

    X, y = _check(X, y)
    path = lars_path(X, y, method="lasso")[2].T  # (steps, d), from strong regularisation
    subsets = []
    for k in range(X.shape[1] + 1):
        theta = next(step for step in path if np.count_nonzero(step) >= k)
        subsets.append(_largest(theta, k))
    return subsets


def hard_thresholding(X: ArrayLike, y: ArrayLike, size: int) -> FixedPoint:
    """Minimise ||y - X theta||^2 subject to ||theta||_0 <= size by iterative hard thresholding.

    From theta = 0 it repeats theta <- H(theta + X'(y - X theta) / L), L = ||X||_2^2, where H keeps
    the `size` entries of largest magnitude. It ends at the first subset whose least squares are a
    fixed point.

    References
    ----------
    Sugiyama, section 24.4.2, p = 0. Blumensath, Davies: Iterative thresholding for sparse
    approximations, 2008. Beck, Eldar: Sparsity constrained nonlinear optimization, 2013.
    """
    X, y = _check(X, y)
    _check_size(X, size)
    problem = RegularizedLS(X, y, Ball(Lp(0), size))
    states = proximal_gradient(problem, accelerated=False)
    points = (_examine(problem, [_largest(state.theta, size)])[0] for state in states)
    return last(until(points, lambda point: point.holds, MAX_ITER))


def fixed_points(X: ArrayLike, y: ArrayLike, size: int) -> list[FixedPoint]:
    """Return all fixed points of `hard_thresholding` with this number of features.

    References
    ----------
    Beck, Eldar: Sparsity constrained nonlinear optimization, 2013, where they are L-stationary.
    """
    X, y = _check(X, y)
    _check_size(X, size)
    problem = RegularizedLS(X, y, Ball(Lp(0), size))
    points = _examine(problem, [*_subsets_of_size(X, size)])
    return [point for point in points if point.holds]


def _examine(problem: RegularizedLS, subsets: Sequence[Subset]) -> list[FixedPoint]:
    """Return least squares on each of some subsets of one size, and whether it is a fixed point."""
    inside = np.array(subsets)  # (m, size)
    gram, moment = problem.Phi.T @ problem.Phi, problem.Phi.T @ problem.y
    blocks = gram[inside[:, :, None], inside[:, None, :]]
    entries = np.linalg.solve(blocks, moment[inside][:, :, None])[:, :, 0]
    thetas = np.zeros((len(inside), len(gram)))
    np.put_along_axis(thetas, inside, entries, axis=1)
    slopes = np.abs(moment - thetas @ gram)
    np.put_along_axis(slopes, inside, 0.0, axis=1)  # it is, up to rounding
    smallest = np.abs(entries).min(axis=1).tolist()
    pulls = (slopes.max(axis=1) / problem.curvature).tolist()
    return [FixedPoint(*point) for point in zip(subsets, thetas, smallest, pulls, strict=True)]


def _largest(theta: Array, size: int) -> Subset:
    """Return the entries of largest magnitude."""
    return tuple(sorted(np.argsort(-np.abs(theta), kind="stable")[:size].tolist()))


def _subsets_of_size(X: Array, size: int) -> combinations[Subset]:
    _check_size(X, size, least=0)
    d = X.shape[1]
    if comb(d, size) > MOST_SUBSETS:
        raise ValueError(
            f"{d} features have {comb(d, size):,} subsets of size {size}; "
            f"at most {MOST_SUBSETS:,} can be tried"
        )
    return combinations(range(d), size)


def _check_size(X: Array, size: int, least: int = 1) -> None:
    d = X.shape[1]
    if not least <= size <= d:
        raise ValueError(f"size must be at least {least} and at most d = {d}, got {size}")


def _check(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    X, y = as_real("X", X), as_real("y", y)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X must have shape (n, d) without zeros, got {X.shape}")
    if y.shape != (len(X),):
        raise ValueError(f"y must have shape ({len(X)},), one value per sample, got {y.shape}")
    if not (np.abs(X).max() < 1e100 and np.abs(y).max() < 1e100):  # also refuses NaN
        raise ValueError("X and y must be finite and below 1e100, so that their squares are finite")
    rank = int(np.linalg.matrix_rank(X))
    if rank < X.shape[1]:
        raise ValueError(
            f"the {X.shape[1]} features must be linearly independent, but X has rank {rank}"
        )
    return X, y
