"""A table with its labels in the first or last column."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import LARGEST_ARRAY, NUMERIC
from ..layout import Implied, Layout, split_column
from .context import Context
from .image_size import folds_along
from .labels import MAX_CLASSES

MAX_LIKE_THE_REST = 0.05  # of all columns may have the range of a column of labels
MAX_CORRELATION = 0.6  # correlation of labels with the pixel beside them
ENOUGH = 200  # samples


def by_column(context: Context, matrices: list[str]) -> list[Layout]:
    """A table whose first or last column is the label: without it samples fold better."""
    for name in matrices:
        variable = context.variables[name]
        if variable.matlab_class not in NUMERIC or len(variable.shape) != 2:
            continue
        n, m = variable.shape
        if not 5 <= m <= LARGEST_ARRAY or _elongation(m - 1) >= _elongation(m):
            continue
        values = context.read(name)
        columns: list[tuple[float, Implied]] = []
        sides: tuple[Implied, ...] = ("last column", "first column")
        for column in sides:
            rest, y = split_column(values, 0, column)
            labels, counts = np.unique(y, return_counts=True)
            k = len(counts)
            few = 2 <= k <= min(MAX_CLASSES, n / 2) and counts.min() > 1
            if few and _count(labels) and not _like_the_rest(rest, y, column):
                columns.append((counts.min() * k / n, column))
        # Classes are about as large as each other, the grey values of a border are not.
        columns.sort(key=lambda each: each[0], reverse=True)
        ways: list[Layout] = []
        for _, column in columns:
            rest, _ = split_column(values, 0, column)
            folded = folds_along(context._replace(by_rows=True, table=True), rest, 0, name)
            ways += [
                Layout((name,), 0, shape, order, implied=column)
                for shape, order in (folded if not ways else folded[:1])
            ]
        if ways:
            return ways
    return []


def _count(labels: NDArray[Any]) -> bool:
    """Whether sorted labels are 0, 1, ..., or 1, 2, ..., or -1 and 1."""
    counted = np.arange(len(labels))
    ways = (counted, counted + 1, np.array([-1, 1]))
    return labels.dtype.kind in "biuf" and any(np.array_equal(labels, way) for way in ways)


def _like_the_rest(rest: NDArray[Any], y: NDArray[Any], side: str) -> bool:
    """Whether a column is one more pixel: others have its range, or the next one goes with it."""
    low, high = rest.min(0), rest.max(0)
    next_one = rest[:, 0 if side[0] == "f" else -1].astype(float)
    spread = next_one.std() * y.std()
    together = np.mean((next_one - next_one.mean()) * (y - y.mean())) / spread if spread else 0
    same = (low == y.min()) & (high == y.max())
    within = low.min() >= y.min() and high.max() <= y.max() and not (rest[:ENOUGH] % 1).any()
    return bool(same.mean() > MAX_LIKE_THE_REST or within or together > MAX_CORRELATION)


def _elongation(m: int) -> float:
    """How long the squarest picture of m numbers is to its width."""
    p = max(p for p in range(1, isqrt(m) + 1) if m % p == 0)
    return m / p**2
