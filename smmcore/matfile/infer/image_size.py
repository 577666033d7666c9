"""Rows and columns of flattened samples: as the file declares them, or their numbers tell."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..folding import Fold, folds, is_recording, tell_lines
from ..formats import NUMERIC, MatFileError, shown, times
from ..layout import Variable, long_axes
from .context import COLUMN_NAMES, MAX_TRIED, ROW_NAMES, Context, own_name

FEWEST = 5  # vectors that may be the samples of a class


def folds_along(context: Context, values: NDArray[Any], axis: int, name: str) -> list[Fold]:
    """Shape and order of flattened samples along an axis: (None, "F") where they are matrices."""
    sizes = [n for at, n in enumerate(values.shape) if at != axis and n > 1]
    if len(sizes) == 2:
        return [(None, "F")]
    if len(sizes) != 1:
        stored = times(values.shape)
        each = f"{times(tuple(sizes))}, which is not a matrix" if sizes else "one number"
        raise MatFileError(f"{shown(name)} is {stored}: along axis {axis + 1} each is {each}.")
    rows = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    m = rows.shape[1]
    declared = _declared(context, m)
    if not declared and is_recording(rows):
        raise MatFileError(
            f"{shown(name)} is a recording of {len(rows):,} moments, each a vector of {m:,} "
            "numbers: cut it to pieces of one length, and stack these matrices."
        )
    return folds(rows, declared, context.by_rows, context.table, name)


def refuse_other_than_pictures(rows: NDArray[Any], names: list[str]) -> None:
    """Raise an error where vectors look like no flattened matrices: no label says they are."""
    if len(rows) < FEWEST or not tell_lines(rows.reshape(len(rows), -1)):
        more = f" and {len(names) - 2:,} more" if len(names) > 2 else ""
        hold = "hold" if len(names) > 1 else "holds"
        raise MatFileError(
            f"{', '.join(map(shown, names[:2]))}{more} {hold} vectors, {times(rows.shape)}, in "
            "which nothing tells rows and columns: if they are matrices, fold them yourself."
        )


def sizes_are_known(context: Context, rows: NDArray[Any]) -> bool:
    """Whether the file, or the numbers of flattened samples, tell rows and columns."""
    return _declared(context, rows.shape[1]) is not None or tell_lines(rows)


def _declared(context: Context, m: int) -> tuple[int, int] | None:
    """Rows and columns as the file has them: two numbers, a pair, or a matrix of that size."""
    numbers = {}
    small = [each for each in context.variables.values() if may_tell_size(each)]
    for name, *_ in small[:MAX_TRIED]:
        values = context.read(name).real.ravel()
        if len(values) == 1:
            numbers[name] = float(values[0])
        elif values[0] * values[1] == m and min(values) > 1 and not (values % 1).any():
            return int(values[0]), int(values[1])
    sizes = {name: int(x) for name, x in numbers.items() if x > 1 and x % 1 == 0 and m % x == 0}
    high = {name: p for name, p in sizes.items() if re.search(ROW_NAMES, own_name(name))}
    wide = {name: q for name, q in sizes.items() if re.search(COLUMN_NAMES, own_name(name))}
    for p in high.values():
        if m // p in wide.values():
            return p, m // p
    pictures = (each.shape for each in context.variables.values() if each.matlab_class in NUMERIC)
    for shape in pictures:
        if prod(shape) == m and len(shape) == 2 == len(long_axes(shape)):  # a mean of all samples?
            return shape[0], shape[1]
    return None


def may_tell_size(variable: Variable) -> bool:
    size = prod(variable.shape) if variable.matlab_class in NUMERIC else 0
    called = re.search(f"{ROW_NAMES}|{COLUMN_NAMES}", own_name(variable.name))
    return size == 2 or (size == 1 and called is not None)
