"""One array of all samples, with an axis for the class and another for its samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..folding import LEAST, RGB, SMOOTHER, roughness, tell_lines
from ..formats import NUMERIC, MatFileError
from ..layout import Layout, long_axes
from .beside import COLOURS
from .cells import nearer_in_rows
from .known import Known
from .labels import MOST_CLASSES
from .sizes import folds_along

FEW, PIXELS = 40, 256  # places along an axis, and numbers, that tell which pictures are alike


def by_axes(known: Known, matrices: list[str]) -> list[Layout]:
    """p x q x n x K, or p q x n x K where the numbers tell rows and columns."""
    for name in matrices:
        variable = known.variables[name]
        axes = long_axes(variable.shape)
        if variable.matlab_class not in NUMERIC or len(axes) not in (3, 4):
            continue
        try:
            values = known.read(name)
            if values.dtype.kind not in "biuf":
                continue
            inside = _inside(values, axes, known.by_rows)
            outside = [at for at in axes if at not in inside]
            few = min(values.shape[at] for at in inside) <= max(COLOURS)
            colours = values.shape[outside[1 if known.by_rows else 0]]
            # p x q x 3 x n, or n x 3 x p x q: no classes.
            if few or (len(axes) == 4 and colours == RGB):
                continue
            ways = _ways(known, values, inside, outside, name)
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
    known: Known, values: NDArray[Any], inside: list[int], outside: list[int], name: str
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
        if values.shape[class_axis] > MOST_CLASSES or values.shape[axis] < LEAST:
            continue
        part = values.take(0, class_axis)
        folded = folds_along(known, part, axis - (axis > class_axis), name)
        ways += [
            Layout((name,), axis, shape, fold, implied="axis", class_axis=class_axis)
            for shape, fold in (folded if not ways else folded[:1])
        ]
    return ways
