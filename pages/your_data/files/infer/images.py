"""Rows, columns and colours of images, as the file declares them or their numbers show them."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isqrt, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import RawSamples, count_triangle
from ..formats.errors import FileError, format_shape, quote
from ..formats.headings import find_grid
from ..formats.variables import AXIS, NUMERIC
from ..layout import Layout, Order, long_axes
from .context import COLUMN_NAMES, MOST_TRIED, ROW_NAMES, Context, field_name, may_be_image_size

Fold = tuple[tuple[int, int] | None, Order]  # rows and columns, and the order of the numbers

RGB = 3  # red, green and blue
LEAST = 3  # rows and columns: vectors of a few measurements would fold to fewer
ENOUGH = 200  # samples that show how smooth images are
LEAST_DIP = 0.95  # noise has 0.995, images 0.3 to 0.7, EEG 0.1 to 0.9
FOR_SQUARE = 0.1  # the logarithm of the deeper dip that an image e times as long must show
HARMONIC = 1.5  # a multiple of the line length may dip as deep by chance
# How much smoother time is than targets and channels; poses of an object are not this smooth.
SMOOTHER = 4
MOST_COMPARED = 50  # samples that show whether numbers are grey values
MOST_FLATTENED = 200  # and whether they are matrices
TOGETHER = 0.5  # least correlation of red and green: 0.9 in photographs, 0.3 in recordings
COLOURS = 3, 4  # red, green, blue, and perhaps opacity
FEWEST = 5  # vectors that are enough to recognise flattened images


def rank_folds(
    rows: NDArray[Any],
    declared: tuple[int, int] | None = None,
    by_rows: bool = False,
) -> list[Fold]:
    """Rank the folds of flattened samples, the best first: ((p, q), order).

    Lines of an image resemble their neighbours: at the distance of one line, numbers differ less
    than at a distance of one number more or less. This does not distinguish an image from its
    transpose: the usual order of the file's format comes first, and the page asks. An image in
    three colours is folded to its red, green and blue images side by side, or below one another.
    Vectors that fold to no matrix of three rows and columns or more are matrices of one row, on
    which the SMM is a linear SVM of another C.
    """
    m = rows.shape[1]
    if not (lengths := _lengths(m)):
        return [((1, m), "C")]
    some = scale_some(rows)
    dips = {length: _dip(some, length) for length in lengths}
    square = sorted(lengths, key=lambda length: (round(abs(log(length**2 / m)), 9), -length))
    if declared and declared[0] != declared[1]:
        p, q = declared
        across = dips[q] < dips[p] / LEAST_DIP if by_rows else dips[q] < LEAST_DIP * dips[p]
        best = q if across else p
    else:
        best = declared[0] if declared else _find_line_length(dips, m) or square[0]
        best = _length_in_colours(some, best)
        across = by_rows
    order: Order = "C" if across else "F"
    more = [_make_fold(order, length, m) for length in square if length != best]
    return [_make_fold(order, best, m), _make_fold("F" if across else "C", best, m), *more[:2]]


def has_lines(rows: NDArray[Any]) -> bool:
    """Return whether the numbers of flattened samples show lines."""
    m = rows.shape[1]
    some = scale_some(rows)
    return _find_line_length({length: _dip(some, length) for length in _lengths(m)}, m) > 0


def roughness(values: NDArray[Any], axis: int) -> float:
    """Return the difference of neighbours along an axis relative to that of any two (trials: 1)."""
    lines = np.moveaxis(values, axis, -1).reshape(-1, values.shape[axis])
    some = scale_some(lines)
    steps, spread = float(np.mean(np.diff(some) ** 2)), float(some.var(axis=1, ddof=1).mean())
    return steps / (2 * spread) if spread else 1.0


def _lengths(m: int) -> list[int]:
    """List the possible line lengths of m numbers; none if even the squarest fold is too narrow."""
    lengths = [length for length in range(2, m // 2 + 1) if m % length == 0]
    return lengths if any(min(length, m // length) >= LEAST for length in lengths) else []


def scale_some(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Take enough of the samples and scale them to at most 1, so that squares do not overflow."""
    some = rows[:: -(-len(rows) // ENOUGH)].astype(float)
    some = np.where(np.isfinite(some), some, 0)
    return np.asarray(some / (np.abs(some).max() or 1.0))


def _find_line_length(dips: dict[int, float], m: int) -> int:
    """Find the length at which lines resemble their neighbours, 0 if there is none."""

    def cost(length: int) -> float:
        return log(dips[length]) + FOR_SQUARE * abs(log(length**2 / m))

    if not dips:
        return 0
    best = min(dips, key=cost)
    enough = min(LEAST_DIP, HARMONIC * dips[best])
    return min((short for short in dips if best % short == 0 and dips[short] < enough), default=0)


def _length_in_colours(rows: NDArray[np.float64], line: int) -> int:
    """Return the line length of images in colours, if `line` is the distance of two colours.

    That is 3 where the colours of each pixel stand together, or else a third of the numbers.
    """
    plane, rest = divmod(rows.shape[1], RGB)
    if rest or line not in (RGB, plane):
        return line
    grey = rows[:, ::RGB] if line == RGB else rows[:, :plane]
    found = _find_line_length({length: _dip(grey, length) for length in _lengths(plane)}, plane)
    return (RGB * found if line == RGB else found) or line


def _make_fold(order: Order, line: int, m: int) -> Fold:
    return ((line, m // line) if order == "F" else (m // line, line)), order


def _dip(rows: NDArray[Any], length: int) -> float:
    """Return the difference of numbers at this distance relative to one more or less."""

    def difference(lag: int) -> float:
        return float(np.mean((rows[:, lag:] - rows[:, :-lag]) ** 2)) + 1e-300

    return difference(length) / min(difference(length - 1), difference(length + 1))


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
        raise FileError(f"{quote(name)} is {stored}: along axis {axis + 1} each is {each}.")
    rows = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
    m = rows.shape[1]
    if named := _fold_of_names(context, name, m):
        return [named]
    declared = _declared_size(context, m)
    folds = rank_folds(rows, declared, context.by_rows)
    curve: Fold = ((1, m), "C")
    has_axis = any(  # the names of the columns are numbers, such as wavelengths
        field_name(name) == AXIS and max(each.shape) == m
        for name, each in context.variables.items()
    )
    is_curve = has_axis and not declared and folds[0] != curve
    return [curve, *folds] if is_curve else folds


def are_images(rows: NDArray[Any]) -> bool:
    """Return whether vectors look like flattened images."""
    return len(rows) >= FEWEST and has_lines(rows.reshape(len(rows), -1))


def has_image_size(context: Context, layout: Layout, samples: RawSamples) -> bool:
    """Return whether the file, or the numbers of flattened samples, show rows and columns."""
    if layout.shape is None or layout.triangle is not None:
        return True
    rows = _flatten(layout, samples)
    m = rows.shape[1]
    named = _fold_of_names(context, layout.samples, m)
    return bool(named or _declared_size(context, m)) or has_lines(rows)


def is_order_known(context: Context, layout: Layout) -> bool:
    """Return whether the file shows that samples are not transposed images."""
    if layout.shape is None or min(layout.shape) == 1:
        return True
    m = prod(layout.shape)
    if _fold_of_names(context, layout.samples, m):
        return True
    size = _declared_size(context, m)
    return size is not None and (context.table or size[0] != size[1])


def list_triangles(layout: Layout) -> list[Layout]:
    """List the readings of flattened samples as the upper triangles of symmetric matrices."""
    m = prod(layout.shape or ())
    sides = [(isqrt(8 * m + 1) + 1) // 2 - (triangle == 0) for triangle in (1, 0)]
    return [
        replace(layout, shape=(k, k), triangle=triangle)
        for k, triangle in zip(sides, (1, 0), strict=True)
        if k > LEAST and count_triangle(k, triangle) == m
    ]


def _flatten(layout: Layout, samples: RawSamples) -> NDArray[np.float64]:
    """Return some samples as the file holds them, each a vector."""
    n = len(samples.y)
    X = samples.take(np.linspace(0, n - 1, min(MOST_FLATTENED, n)).astype(int)).X
    rows = X.swapaxes(1, 2) if layout.order == "F" else X
    return rows.reshape(len(X), -1)


def _fold_of_names(context: Context, table: str, m: int) -> Fold | None:
    """Return rows, columns and order of m columns whose names give them: r1c1, r1c2."""
    p, q, places = find_grid(context.column_names(table)) or (0, 0, [])
    if p * q != m:
        return None
    return (p, q), "C" if places == [*range(m)] else "F"


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
