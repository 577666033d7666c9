"""Sizes and colours of images, as the file declares them or their numbers show them."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import RawSamples
from ..folding import Fold, are_faces, has_lines, is_recording, rank_folds, scale_some
from ..formats.errors import MatFileError, format_shape, quote
from ..formats.variables import NUMERIC
from ..layout import Layout, long_axes
from .context import MOST_TRIED, Context
from .names import COLUMN_NAMES, ROW_NAMES, field_name, may_be_image_size

MOST_COMPARED = 50  # samples that show whether numbers are grey values
MOST_FLATTENED = 200  # and whether they are matrices
TOGETHER = 0.5  # least correlation of red and green: 0.9 in photographs, 0.3 in recordings
COLOURS = 3, 4  # red, green, blue, and perhaps opacity
FEWEST = 5  # vectors that are enough to recognise flattened images


def find_colour_axis(values: NDArray[Any], axis: int) -> int | None:
    """Find the axis that runs over the colours of images, the last if there are several."""
    rest = [at for at in long_axes(values.shape) if at != axis]
    few = [at for at in rest if values.shape[at] in COLOURS]
    if len(rest) != 3 or not few:
        return None
    by_colour = np.moveaxis(values, (axis, few[-1]), (0, 1))
    some = scale_some(by_colour.reshape(len(by_colour), -1)).reshape(-1, *by_colour.shape[1:])
    levels = not (np.nan_to_num(by_colour[:MOST_COMPARED]) % 1).any()
    return few[-1] if (levels and some.min() >= 0) or _are_correlated(some) else None


def _are_correlated(colours: NDArray[np.float64]) -> bool:
    """Return whether the first two along axis 1 are correlated like the colours of an image."""
    pixels = colours.reshape(*colours.shape[:2], -1)
    one, other = (pixels[:, i] - pixels[:, i].mean(axis=1, keepdims=True) for i in (0, 1))
    size = np.sqrt((one**2).sum() * (other**2).sum())
    return bool((one * other).sum() > TOGETHER * size)


def list_folds(context: Context, values: NDArray[Any], axis: int, name: str) -> list[Fold]:
    """List shape and order of flattened samples along an axis; (None, "F") if not flattened."""
    sizes = [n for at, n in enumerate(values.shape) if at != axis and n > 1]
    if len(sizes) == 2:
        return [(None, "F")]
    if len(sizes) != 1:
        stored = format_shape(values.shape)
        each = f"{format_shape(tuple(sizes))}, which is not a matrix" if sizes else "one number"
        raise MatFileError(f"{quote(name)} is {stored}: along axis {axis + 1} each is {each}.")
    rows = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    m = rows.shape[1]
    declared = _declared_size(context, m)
    if not declared and is_recording(rows):
        raise MatFileError(
            f"{quote(name)} is a recording of {len(rows):,} moments, each a vector of {m:,} "
            "numbers: cut it to pieces of one length, and stack these matrices."
        )
    return rank_folds(rows, declared, context.by_rows, context.table)


def require_images(rows: NDArray[Any], names: list[str]) -> None:
    """Raise an error if vectors do not look like flattened images."""
    if len(rows) < FEWEST or not has_lines(rows.reshape(len(rows), -1)):
        more = f" and {len(names) - 2:,} more" if len(names) > 2 else ""
        hold = "hold" if len(names) > 1 else "holds"
        raise MatFileError(
            f"{', '.join(map(quote, names[:2]))}{more} {hold} vectors, {format_shape(rows.shape)}, "
            "in which nothing tells rows and columns: if they are matrices, fold them yourself."
        )


def has_image_size(context: Context, layout: Layout, samples: RawSamples) -> bool:
    """Return whether the file, or the numbers of flattened samples, show rows and columns."""
    if layout.shape is None:
        return True
    rows = _flatten(layout, samples)
    return _declared_size(context, rows.shape[1]) is not None or has_lines(rows)


def is_order_known(context: Context, layout: Layout, samples: RawSamples) -> bool:
    """Return whether the file, or the numbers, show that samples are not transposed images."""
    if layout.shape is None or min(layout.shape) == 1:
        return True
    rows, line = _flatten(layout, samples), layout.shape[0 if layout.order == "F" else 1]
    size = _declared_size(context, rows.shape[1])
    return are_faces(rows, line) or (size is not None and (context.table or size[0] != size[1]))


def _flatten(layout: Layout, samples: RawSamples) -> NDArray[np.float64]:
    """Return some samples as the file holds them, each a vector."""
    n = len(samples.y)
    X = samples.take(np.linspace(0, n - 1, min(MOST_FLATTENED, n)).astype(int)).X
    rows = X.swapaxes(1, 2) if layout.order == "F" else X
    return rows.reshape(len(X), -1)


def _declared_size(context: Context, m: int) -> tuple[int, int] | None:
    """Find rows and columns in the file: two numbers, a pair, or a matrix of that size."""
    numbers = {}
    small = [each for each in context.variables.values() if may_be_image_size(each)]
    for name, *_ in small[:MOST_TRIED]:
        values = context.read(name).real.ravel()
        if len(values) == 1:
            numbers[name] = float(values[0])
        elif values[0] * values[1] == m and min(values) > 1 and not (values % 1).any():
            return int(values[0]), int(values[1])
    sizes = {name: int(x) for name, x in numbers.items() if x > 1 and x % 1 == 0 and m % x == 0}
    high = {name: p for name, p in sizes.items() if re.search(ROW_NAMES, field_name(name))}
    wide = {name: q for name, q in sizes.items() if re.search(COLUMN_NAMES, field_name(name))}
    for p in high.values():
        if m // p in wide.values():
            return p, m // p
    pictures = (each.shape for each in context.variables.values() if each.matlab_class in NUMERIC)
    for shape in pictures:
        if prod(shape) == m and len(shape) == 2 == len(long_axes(shape)):  # perhaps the mean
            return shape[0], shape[1]
    return None
