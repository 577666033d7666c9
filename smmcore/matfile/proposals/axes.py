"""One array of all samples, with an axis for the class and another for its samples."""

from __future__ import annotations

import numpy as np

from ..folding import LEAST, tell_lines
from ..formats import NUMERIC, MatFileError
from ..layout import Layout, long_axes
from .beside import COLOURS
from .cells import nearer_in_rows
from .known import Known
from .labels import MOST_CLASSES
from .sizes import folds_along

RGB = 3  # of p x q x 3 x n, or n x 3 x p x q: no classes


def by_axes(known: Known, matrices: list[str]) -> list[Layout]:
    """p x q x n x K, or p q x n x K where the numbers tell rows and columns."""
    for name in matrices:
        variable = known.variables[name]
        axes = long_axes(variable.shape)
        if variable.matlab_class not in NUMERIC or len(axes) not in (3, 4):
            continue
        # MATLAB's matrices come first, NumPy's last.
        inside, outside = (axes[2:], axes[:2]) if known.by_rows else (axes[:-2], axes[-2:])
        few = min(variable.shape[at] for at in inside) <= max(COLOURS)
        colours = variable.shape[outside[1 if known.by_rows else 0]]
        if few or (len(axes) == 4 and colours == RGB):
            continue
        try:
            ways = _ways(known, name, inside, outside)
        except MatFileError:
            continue
        if ways:
            return ways
    return []


def _ways(known: Known, name: str, inside: list[int], outside: list[int]) -> list[Layout]:
    """Readings with either axis as that of the classes, the likelier first."""
    values = known.read(name)
    if values.dtype.kind not in "biuf":
        return []
    stacked = np.moveaxis(values, outside, (0, 1)).reshape(
        *(values.shape[at] for at in outside), -1
    )
    if len(inside) == 1 and not tell_lines(stacked.reshape(-1, stacked.shape[-1])):
        return []
    order = outside if nearer_in_rows(stacked) else outside[::-1]
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
