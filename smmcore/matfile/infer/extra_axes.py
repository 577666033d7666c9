"""Find layouts of an array with a further axis: of classes, or of subjects."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..folding import LEAST, RGB, SMOOTHER, roughness, tell_lines
from ..formats import NUMERIC, READABLE, MatFileError
from ..layout import Layout, labels_by_group, long_axes
from .cell_array import nearer_in_rows
from .context import Context, label_likelihood
from .image_size import folds_along
from .label_vector import COLOURS
from .labels import MAX_CLASSES, Vector, quality
from .split_and_groups import test_of

FEW, PIXELS = 40, 256  # places along an axis, and numbers, that tell which pictures are alike


def by_axes(context: Context, matrices: list[str]) -> list[Layout]:
    """p x q x n x K, or p q x n x K where the numbers tell rows and columns."""
    for name in matrices:
        variable = context.variables[name]
        axes = long_axes(variable.shape)
        if variable.matlab_class not in NUMERIC or len(axes) not in (3, 4):
            continue
        try:
            values = context.read(name)
            if values.dtype.kind not in "biuf":
                continue
            inside = _inside(values, axes, context.by_rows)
            outside = [at for at in axes if at not in inside]
            few = min(values.shape[at] for at in inside) <= max(COLOURS)
            colours = values.shape[outside[1 if context.by_rows else 0]]
            # p x q x 3 x n, or n x 3 x p x q: no classes.
            if few or (len(axes) == 4 and colours == RGB):
                continue
            ways = _ways(context, values, inside, outside, name)
        except MatFileError:
            continue
        if ways:
            return ways
    return []


def _inside(values: NDArray[Any], axes: list[int], by_rows: bool) -> list[int]:
    """The axes of the matrices: MATLAB's come first, NumPy's last, but for one over time."""
    if len(axes) == 3:
        return axes[2:] if by_rows else axes[:1]
    usual = 2 if by_rows else 0
    rough = [roughness(values, axis) for axis in axes]
    pairs = sorted(range(3), key=lambda first: abs(first - usual))
    time = min(pairs, key=lambda first: min(rough[first : first + 2]))  # the first of equals
    if SMOOTHER * min(rough) < min(rough[usual : usual + 2]):
        usual = time
    return axes[usual : usual + 2]


def _nearest_in_rows(stacked: NDArray[Any]) -> bool:
    """Whether the picture most like another is rather of its row than of its column.

    Of the light on faces the variance tells more than of the faces themselves.
    """
    some = stacked[:FEW, :FEW, :: -(-stacked.shape[2] // PIXELS)].astype(float)
    columns, rows, pixels = some.shape
    entries = np.nan_to_num(some).reshape(-1, pixels)
    near = (entries**2).sum(axis=1) - 2 * entries @ entries.T  # but for each one's own square
    np.fill_diagonal(near, np.inf)
    nearest, own = near.argmin(axis=1), np.arange(columns * rows)
    by_row = np.mean(nearest % rows == own % rows)
    return bool(by_row > np.mean(nearest // rows == own // rows))


def _ways(
    context: Context, values: NDArray[Any], inside: list[int], outside: list[int], name: str
) -> list[Layout]:
    """Readings with either axis as that of the classes, the likelier first."""
    stacked = np.moveaxis(values, outside, (0, 1)).reshape(
        *(values.shape[at] for at in outside), -1
    )
    if len(inside) == 1 and not tell_lines(stacked.reshape(-1, stacked.shape[-1])):
        return []
    pictures = values.min() >= 0
    by_row = _nearest_in_rows(stacked) if pictures else nearer_in_rows(stacked)
    order = outside if by_row else outside[::-1]
    ways: list[Layout] = []
    for axis, class_axis in (order, order[::-1]):
        if values.shape[class_axis] > MAX_CLASSES or values.shape[axis] < LEAST:
            continue
        part = values.take(0, class_axis)
        folded = folds_along(context, part, axis - (axis > class_axis), name)
        ways += [
            Layout((name,), axis, shape, fold, implied="axis", class_axis=class_axis)
            for shape, fold in (folded if not ways else folded[:1])
        ]
    return ways


def by_groups(context: Context, name: str) -> list[tuple[int, Layout]]:
    """p x q x n x groups, or groups x n x p x q, with labels of n, or of n x groups."""
    variable = context.variables[name]
    axes = long_axes(variable.shape)
    if variable.matlab_class not in NUMERIC or len(axes) != 4:
        return []
    outermost = [(axes[2], axes[3]), (axes[1], axes[0])]  # any other axis may be of each sample
    if context.by_rows:
        outermost.reverse()
    ways = []
    for label, each in context.labels.items():
        likelihood = label_likelihood(label)
        if likelihood < 1 or each.matlab_class not in READABLE:
            continue
        lengths = [length for length in each.shape if length > 1]
        for axis, group_axis in outermost:
            n, k = variable.shape[axis], variable.shape[group_axis]
            if lengths != [n] and sorted(lengths) != sorted((n, k)):
                continue
            with suppress(MatFileError):
                given, groups_first = context.read_labels(label), group_axis < axis
                y = labels_by_group(given, (k, n), groups_first, name=label, missing=True)
                joined = context._replace(read_labels={label: y}.__getitem__)
                rank = quality(joined, Vector(label, len(y), likelihood))
                way = Layout((name,), axis, labels=label, group_axis=group_axis)
                ways.append((rank, way))
    ways.sort(key=lambda each: each[0], reverse=True)  # stable
    return [(rank, replace(way, test=test_of(context, way))) for (rank, _), way in ways]
