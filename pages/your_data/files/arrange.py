"""Arrange arrays of any layout as samples (n, p, q) with labels, groups and test part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .formats.errors import FileError, format_shape, quote
from .formats.variables import LARGEST_ARRAY
from .labels import (
    MissingError,
    are_known,
    make_test_mask,
    number_alike,
    refuse_missing_labels,
    require_one_each,
    split_at,
    to_labels,
)
from .layout import Layout, Missing, Order, Read

PARTS_IN_TIME = 5  # of a recording, as groups where its class has no other
LEAST_LENGTH = 4  # of samples that are cut to the shortest


class FileSamples(NamedTuple):
    """Samples with their labels, groups, test part and positions in the file."""

    X: NDArray[np.float64]  # (n, p, q)
    y: NDArray[Any]  # (n,), as given
    groups: NDArray[Any] | None  # (n,)
    test: NDArray[np.bool_] | None  # (n,), whether in the file's own test part
    rows: NDArray[np.intp]  # (n,), positions in the file from 0; the test part comes last


@dataclass(frozen=True, eq=False)
class RawSamples:
    """Samples that are not copied, in the type in which they were saved.

    The other fields (`y`, `groups`, `test`, `rows`) are those of `FileSamples`.
    """

    # Of the training part, and perhaps the test part: one array (n_i, p, q) per colour
    stacks: list[list[NDArray[Any]]]
    y: NDArray[Any]
    groups: NDArray[Any] | None
    test: NDArray[np.bool_] | None
    rows: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Samples n, rows p and columns q."""
        _, p, q = self.stacks[0][0].shape
        return len(self.y), p, q

    def take(self, some: NDArray[np.intp]) -> FileSamples:
        """Return these samples, counted from 0; only they are converted to float64."""
        X = np.empty((len(some), *self.shape[1:]))
        start = 0
        for stack in self.stacks:
            at = self.rows[some] - start
            here = (at >= 0) & (at < len(stack[0]))
            X[here] = sum(colour[at[here]].astype(float) for colour in stack) / len(stack)
            start += len(stack[0])
        X[~np.isfinite(X)] = np.nan
        groups, test = (None if each is None else each[some] for each in (self.groups, self.test))
        return FileSamples(X, self.y[some], groups, test, self.rows[some])


def arrange(layout: Layout, read: Read) -> RawSamples:
    """Arrange samples and labels in a layout; `read` returns a variable by its name."""
    stack, y, groups = _samples_and_labels(layout, read)
    stacks = [stack]
    n, test, group_names = len(y), None, [layout.groups]
    if layout.test:
        test_stack, test_y, test_groups = _test_part(layout, read)
        shape, test_shape = stack[0].shape[1:], test_stack[0].shape[1:]
        if test_shape != shape:
            raise FileError(
                f"The samples of {quote(layout.test[0])} are {format_shape(test_shape)}, but those "
                f"of {quote(layout.samples)} are {format_shape(shape)}."
            )
        if (y.dtype.kind == "U") != (test_y.dtype.kind == "U"):
            both = f"{quote(layout.labels)} and {quote(layout.test[1])}"
            raise FileError(f"Of {both} one holds text, the other numbers.")
        test = np.repeat([False, True], [n, len(test_y)])
        stacks, y = [stack, test_stack], np.concatenate([y, test_y])
        if groups is not None and test_groups is not None:
            groups = np.concatenate([groups, test_groups])
        group_names += layout.test[2:]
    if sum(array.nbytes for stack in stacks for array in stack) > 2 * LARGEST_ARRAY:
        raise FileError(
            f"The samples take more than the {2 * LARGEST_ARRAY // 10**6} MB that can be read."
        )
    if layout.parts:
        marks = _repeat_in_cells(layout, read(layout.parts), read)
        test = make_test_mask(marks, len(y), layout.sense, layout.parts)
    if layout.groups and not layout.window:
        lengths = [n, len(y) - n] if len(group_names) > 1 else [len(y)]
        named = zip(group_names, lengths, strict=True)
        each = [
            require_one_each(_repeat_in_cells(layout, read(name), read), length, name)
            for name, length in named
        ]
        groups = np.concatenate(each)
    raw = RawSamples(stacks, y, groups, test, np.arange(len(y)))
    if layout.missing == "cut":
        p, q = _find_shortest(raw.stacks)
        raw = replace(raw, stacks=[[each[:, :p, :q] for each in one] for one in raw.stacks])
    raw = raw if layout.missing == "refuse" else _drop_missing(raw, layout)
    if layout.are_alike:
        raw = replace(raw, y=number_alike(raw.y, raw.test if raw.groups is None else raw.groups))
    if layout.threshold is None:
        return raw
    return replace(raw, y=split_at(raw.y, layout.threshold, layout.labels))


def _repeat_in_cells(layout: Layout, values: NDArray[Any], read: Read) -> NDArray[Any]:
    """Repeat values, one for each cell, for the samples in each cell; others come as they are."""
    if not layout.cells or not layout.axis or values.size != prod(layout.cells):
        return values
    return np.repeat(values.ravel("F"), read_cell_sizes(layout.samples, read)[:, layout.axis - 1])


Arranged = tuple[list[NDArray[Any]], NDArray[Any], NDArray[Any] | None]


def _test_part(layout: Layout, read: Read) -> Arranged:
    """Return the samples, labels and groups of the file's own test part."""
    samples, *others = layout.test or ()
    ours = replace(layout, samples=samples, labels=(*others, "")[0])
    return _samples_and_labels(ours, read, is_test=True)


def _samples_and_labels(layout: Layout, read: Read, is_test: bool = False) -> Arranged:
    """Return a stack of samples, their labels and, if cells or an axis imply them, their groups."""
    stack, y, groups = _arrange_whole(layout, read, is_test)
    if layout.missing == "refuse":
        _refuse_missing(stack, layout.samples)
        refuse_missing_labels(y, layout.labels or f"the {layout.implied}")
    return stack, y, groups


def _arrange_whole(layout: Layout, read: Read, is_test: bool) -> Arranged:
    """Return samples, labels and groups, also those that hold NaN or infinity."""
    name, labels = layout.samples, layout.labels
    if layout.window:
        return _cut_windows(layout, read)
    if layout.cells or layout.implied in ("row", "column"):
        values, place = stack_cells(layout, read)
        stack = _stack_samples(layout, values, name, 0)
        if layout.implied and layout.cells:
            r = layout.cells[0]
            return stack, 1 + (place % r if layout.implied == "row" else place // r), None
        y, places, groups = _read_cell_labels(layout, read, place)
        if not np.array_equal(place, places):
            raise FileError(
                f"The cells of {quote(labels)} do not hold one label for each sample in "
                f"those of {quote(name)}."
            )
        return stack, to_labels(y, len(y), labels), groups
    if layout.implied in ("first column", "last column"):
        rest, y = split_column(read(name), layout.axis, layout.implied)
        stack = _stack_samples(layout, rest, name)
        return stack, to_labels(y, len(y), f"the {layout.implied}"), None
    stack = _stack_samples(layout, read_stack(name, layout.cut, read), name)
    y = to_labels(read(labels), len(stack[0]), labels, one_class=is_test)
    return stack, y, None


def _cut_windows(layout: Layout, read: Read) -> Arranged:
    """Return the windows of recordings, none of which goes over the end of a run of one label."""
    name, (length, _) = layout.samples, layout.window or (1, 1)
    if layout.cells:
        values, place = stack_cells(layout, read)
    else:
        values = np.moveaxis(read(name), layout.axis, 0)
        place = np.zeros(len(values), int)
    find_starts = _find_onsets if layout.onsets else _find_starts
    starts, y, groups = find_starts(layout, read, place)
    channels = values.reshape(len(values), -1)
    windows = np.lib.stride_tricks.sliding_window_view(channels, length, axis=0)
    require_real(values, name)
    if len(starts) * length * channels.shape[1] * values.itemsize > 2 * LARGEST_ARRAY:
        raise FileError(f"{len(starts):,} windows are too many: take a longer step.")
    samples = windows[starts]
    if layout.segment:
        samples = to_spectrograms(samples, layout.segment)
    elif layout.shape:
        samples = samples.reshape(-1, *layout.shape)
    if any(len(np.unique(groups[y == k])) == 1 for k in np.unique(y)):  # its class has no other
        _, first, counts = np.unique(groups, return_index=True, return_counts=True)
        within = np.arange(len(groups)) - np.repeat(first, counts)
        groups = groups * PARTS_IN_TIME + within * PARTS_IN_TIME // np.repeat(counts, counts)
    return [samples], y, 1 + groups


Starts = tuple[NDArray[np.intp], NDArray[Any], NDArray[np.intp]]


def _find_starts(layout: Layout, read: Read, place: NDArray[np.intp]) -> Starts:
    """Return the first moment, the label and the recording of windows that follow one another."""
    name, (length, step) = layout.samples, layout.window or (1, 1)
    if layout.cells:
        y = _read_cell_labels(layout, read, place)[0]
    else:
        y = to_labels(read(layout.labels), len(place), layout.labels)
    groups = place
    if layout.groups:
        given = read(layout.groups).ravel("F")
        groups = np.unique(given[place] if layout.cells else given, return_inverse=True)[1]
    apart = [each[1:] != each[:-1] for each in (y, place, groups)]
    runs = np.flatnonzero(np.r_[True, np.any(apart, axis=0), True])
    if np.diff(runs).max() < length:
        raise FileError(
            f"The longest run of one label in {quote(name)} has {np.diff(runs).max():,} moments, "
            f"fewer than a window of {length:,}."
        )
    starts = np.concatenate(
        [np.arange(first, end - length + 1, step) for first, end in pairwise(runs.tolist())]
    )
    run_of = np.repeat(np.arange(len(runs) - 1), np.diff(runs))
    groups = groups if layout.cells or layout.groups else run_of
    return starts, to_labels(y, len(y), layout.labels)[starts], groups[starts]


def _find_onsets(layout: Layout, read: Read, place: NDArray[np.intp]) -> Starts:
    """Return the first moment, the label and the recording of the windows at the onsets."""
    given, (length, _) = [], layout.window or (1, 1)
    for name in (layout.onsets, layout.labels):
        if layout.cells:
            values, cell, _ = _read_cell_labels(replace(layout, labels=name), read, place)
        else:
            values = read(name).ravel("F")
            cell = np.zeros(len(values), int)
        given.append(values)
    onsets, y = given[0].astype(int) - layout.first_moment, given[1]
    if len(onsets) != len(y):
        both = f"{quote(layout.onsets)} and {quote(layout.labels)}"
        raise FileError(f"{both} have {len(onsets):,} and {len(y):,} values.")
    whole = (onsets >= 0) & (onsets + length <= np.bincount(place)[cell])
    if not whole.any():
        raise FileError(f"No window of {length:,} moments fits after the onsets.")
    first = np.searchsorted(place, cell)
    y = to_labels(y, len(y), layout.labels)
    return (first + onsets)[whole], y[whole], cell[whole]


def to_spectrograms(windows: NDArray[Any], segment: int) -> NDArray[np.float64]:
    """Return the logarithms of the power of windows (n, channels, moments), (n, p, q)."""
    from scipy.signal import spectrogram  # takes a second

    *_, power = spectrogram(windows.astype(float), nperseg=segment, detrend=False)
    decades = np.log10(np.maximum(power, np.finfo(float).tiny))
    return np.asarray(decades.reshape(len(windows), -1, decades.shape[-1]))


def _stack_samples(
    layout: Layout, values: NDArray[Any], name: str, axis: int | None = None
) -> list[NDArray[Any]]:
    """Return one stack of samples (n, p, q) for each colour, in the type of `values`."""
    axis = layout.axis if axis is None else axis
    values = np.abs(values) if layout.magnitude else values
    require_real(values, name)
    if layout.sentinel is not None:
        values = np.where(values == layout.sentinel, np.nan, values)
    if layout.place:
        values = take_place(values, *layout.place, name)
    if layout.joined:
        values, axis = join_axes(values, layout.joined, axis)
    colours = [values]
    if layout.mean_over is not None:
        _require_axes(values, name, axis, layout.mean_over)
        colours = list(np.moveaxis(values, layout.mean_over, 0))
        axis -= axis > layout.mean_over
    return [
        stack_matrices(each, axis, layout.shape, layout.order, name, layout.triangle)
        for each in colours
    ]


def require_real(values: NDArray[Any], name: str) -> None:
    """Raise an error unless an array holds real numbers."""
    if values.dtype.kind not in "biuf":
        what = {"c": "complex numbers", "U": "text"}.get(values.dtype.kind, str(values.dtype))
        raise FileError(f"{quote(name)} holds {what}; samples must be real numbers.")
    if not values.size:
        raise FileError(f"{quote(name)} is empty: it is {format_shape(values.shape)}.")


def stack_matrices(
    values: NDArray[Any],
    axis: int,
    shape: tuple[int, int] | None,
    order: Order,
    name: str,
    triangle: int | None = None,
) -> NDArray[Any]:
    """Return samples along an axis as a stack (n, p, q), a view if possible."""
    along = f"axis {axis + 1} of {quote(name)}, {format_shape(values.shape)}"
    while values.ndim > 3 and 1 in values.shape:
        last = values.ndim - 1 - values.shape[::-1].index(1)
        axis -= axis > last
        values = np.squeeze(values, last)
    _require_axes(values, name, axis)
    rows = np.moveaxis(values, axis, 0)
    if shape is not None:
        p, q = shape
        length = rows[0].size
        if triangle is not None and count_triangle(p, triangle) == length:
            return mirror(rows.reshape(-1, length), p, order, triangle)
        if max(rows.shape[1:], default=1) != length or min(p, q) < 1 or p * q != length:
            raise FileError(
                f"Samples along {along}, are {format_shape(rows.shape[1:])}, which does not fold "
                f"to {p} × {q}."
            )
        rows = rows.reshape(-1, p, q) if order == "C" else rows.reshape(-1, q, p).swapaxes(1, 2)
    if rows.ndim != 3:
        what = f"{format_shape(rows.shape[1:])}, which is not a matrix"
        if rows.ndim < 3:
            what = f"a vector of {rows[0].size:,} numbers, which rows and columns would fold"
        raise FileError(f"Each sample along {along}, is {what}.")
    return rows


def count_triangle(k: int, triangle: int) -> int:
    """Return how many numbers the upper triangle of k x k has, from a diagonal on."""
    return k * (k + 1) // 2 - k * triangle


def mirror(rows: NDArray[Any], k: int, order: Order, triangle: int) -> NDArray[Any]:
    """Return symmetric matrices (n, k, k) of their upper triangles (n, m), with zeros elsewhere."""
    # Down the columns of an upper triangle is along the rows of a lower one.
    at = np.triu_indices(k, triangle) if order == "C" else np.tril_indices(k, -triangle)
    whole = np.zeros((len(rows), k, k), rows.dtype)
    whole[:, *at] = whole.swapaxes(1, 2)[:, *at] = rows
    return whole


def _require_axes(values: NDArray[Any], name: str, *axes: int) -> None:
    """Raise an error unless an array has these axes, which differ."""
    if len({*axes}) < len(axes) or not all(0 <= axis < values.ndim for axis in axes):
        raise FileError(
            f"The axes of {quote(name)}, {format_shape(values.shape)}, are 0 to {values.ndim - 1}; "
            f"got {', '.join(map(str, axes))}, which must be different ones."
        )


def take_place(values: NDArray[Any], axis: int, place: int, name: str) -> NDArray[Any]:
    """Return one place of an axis, which keeps the length 1."""
    _require_axes(values, name, axis)
    if not 0 <= place < values.shape[axis]:
        raise FileError(
            f"Axis {axis + 1} of {quote(name)} has {values.shape[axis]:,} places, not {place + 1}."
        )
    return values.take([place], axis)


def join_axes(values: NDArray[Any], joined: tuple[int, int], axis: int) -> tuple[NDArray[Any], int]:
    """Make one axis of two; return also the place of another axis, that of the samples."""
    _require_axes(values, "samples", *joined, axis)
    one, other = joined
    rest = [at for at in range(values.ndim) if at != other]
    place = rest.index(one)
    moved = values.transpose([*rest[: place + 1], other, *rest[place + 1 :]])
    shape = [*moved.shape[:place], -1, *moved.shape[place + 2 :]]
    return moved.reshape(shape), rest.index(axis)


def split_column(values: NDArray[Any], axis: int, column: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split flattened samples into their entries and the label, the first or last of them."""
    rows = np.moveaxis(values, axis, -2)
    parts = (rows[..., 1:], rows[..., 0]) if column[0] == "f" else (rows[..., :-1], rows[..., -1])
    return np.moveaxis(parts[0], -2, axis), parts[1].ravel()


def stack_cells(layout: Layout, read: Read) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Stack the samples in a cell array along axis 0; return also the cell of each sample."""
    name, axis = layout.samples, layout.axis
    if axis:  # cells may differ along it; for the expression see `formats.reader.try_read_arrays`
        lengths = read_cell_sizes(name, read)[:, axis - 1]
        values = np.moveaxis(read(f"cat({axis},{name}{{:}})"), axis - 1, 0)
    else:
        values = read(name)
        lengths = np.ones(len(values), int)
    if layout.cells is None or np.prod(layout.cells) != len(lengths):
        raise FileError(
            f"The cells of {quote(name)}, {len(lengths):,}, are not those of a cell array of "
            f"{format_shape(layout.cells or ())}."
        )
    return values, np.repeat(np.arange(len(lengths)), lengths)


def read_stack(name: str, cut: tuple[int, ...] | None, read: Read) -> NDArray[Any]:
    """Read a variable; if `cut` is given, cells of that size, with NaN in the place of nothing."""
    if cut is None:
        return read(name)
    padded = read(f"pad({name}{{:}})")
    stack = np.full((len(padded), *cut), np.nan)
    common = tuple(slice(min(lengths)) for lengths in zip(padded.shape[1:], cut, strict=True))
    stack[:, *common] = padded[:, *common]
    return stack


def read_cell_sizes(name: str, read: Read) -> NDArray[np.intp]:
    """Read the shape of each cell, column by column."""
    return read(f"size({name}{{:}})")


def _read_cell_labels(
    layout: Layout, read: Read, place: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp] | None]:
    """Read the labels of samples in cells: vectors in cells, or one for all samples or cells.

    `place` is the cell of each sample. Return also the cell of each label, and the groups,
    which are the cells unless each is a class, or the part of one.
    """
    try:
        sizes = read_cell_sizes(layout.labels, read)
    except FileError:
        values = read(layout.labels).ravel("F")
        if len(values) == prod(layout.cells or ()):  # one for each cell
            in_parts = layout.parts or len(np.unique(values)) == len(values)
            return values[place], place, None if in_parts else 1 + place
        if len(values) != len(place):
            raise
        return values, place, 1 + place
    axis = int(sizes.max(0).argmax()) + 1
    y = read(f"cat({axis},{layout.labels}{{:}})").ravel()
    return y, np.repeat(np.arange(len(sizes)), sizes.prod(1)), 1 + place


def _refuse_missing(stack: list[NDArray[Any]], name: str) -> None:
    """Raise an error if the samples of a variable hold NaN or infinity."""
    if stack[0].dtype.kind != "f":
        return
    known = [np.isfinite(colour) for colour in stack]
    size, bad = (sum(each.size for each in known), sum(int((~each).sum()) for each in known))
    if not bad:
        return
    whole = _are_whole(stack)
    text = (
        f"{quote(name)} holds NaN or infinity, {bad:,} of its {size:,} numbers, first in sample "
        f"{whole.argmin() + 1} of {len(whole):,}; samples must be finite."
    )
    ways: list[Missing] = ["drop", "impute"] if whole.any() else ["impute"]
    shortest = _find_shortest([stack])
    if shortest != stack[0].shape[1:]:
        p, q = shortest
        text += (
            f" Samples end early: cut to the shortest, they are {p} × {q}. {whole.sum():,} of "
            f"{len(whole):,} are whole."
        )
        ways.insert(0, "cut")
    if lost := np.count_nonzero(~np.any([each.any(axis=0) for each in known], axis=0)):
        text += f" {lost:,} entries have no value in any sample: filled in, they are 0."
    raise MissingError(text, *ways)


def _find_shortest(stacks: list[list[NDArray[Any]]]) -> tuple[int, int]:
    """Return the rows and columns to which samples can be cut that end early; all if none do."""
    known = [np.isfinite(colour) for stack in stacks for colour in stack]
    p, q = known[0].shape[1:]
    for axis in (2, 1):
        ends_early = all((np.diff(each.astype(np.int8), axis=axis) <= 0).all() for each in known)
        other = 3 - axis
        whole = np.all([each.all(axis=(0, other)) for each in known], axis=0)
        if ends_early and LEAST_LENGTH <= whole.sum() < len(whole):
            count = int(whole.sum())
            return (p, count) if axis == 2 else (count, q)
    return p, q


def _are_whole(stack: list[NDArray[Any]]) -> NDArray[np.bool_]:
    """Return which samples hold neither NaN nor infinity, in no colour."""
    whole = [np.isfinite(colour).all(axis=(1, 2)) for colour in stack]
    return np.asarray(np.all(whole, axis=0))


def _drop_missing(stored: RawSamples, layout: Layout) -> RawSamples:
    """Leave out samples without a label and, if `missing` is "drop", those with NaN or infinity."""
    y = stored.y
    keep = are_known(y)
    if layout.missing == "drop":
        keep &= np.concatenate([_are_whole(stack) for stack in stored.stacks])
    if not keep.any():
        raise FileError("Every sample holds NaN or infinity: none is left.")
    groups, test = (None if each is None else each[keep] for each in (stored.groups, stored.test))
    return RawSamples(stored.stacks, y[keep], groups, test, stored.rows[keep])
