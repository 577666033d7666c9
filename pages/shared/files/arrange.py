"""The arrays that a layout describes: stacks of samples with their labels, groups and test part."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .formats.errors import MatFileError, format_shape, quote
from .formats.variables import LARGEST_ARRAY
from .layout import TEST_WORDS, VALIDATION_WORDS, Layout, RawSamples, Read, Sense, split_words
from .samples import refuse_missing, stack_matrices, to_labels


def arrange(layout: Layout, read: Read) -> RawSamples:
    """Arrange samples and labels in a layout; `read` returns a variable by its name."""
    if len(set(layout.samples)) < len(layout.samples):
        twice = next(name for name in layout.samples if layout.samples.count(name) > 1)
        raise MatFileError(f"{quote(twice)} is among the samples more than once.")
    stacks, y, groups = _samples_and_labels(layout, read)
    n, test, group_names = len(y), None, [layout.groups]
    if layout.test:
        samples, *others = layout.test
        if layout.implied == "variable":
            test_layout = replace(layout, samples=layout.test)
        else:
            test_layout = replace(layout, samples=(samples,), labels=others[0])
            group_names += others[1:]
        test_stacks, test_y, test_groups = _samples_and_labels(test_layout, read, is_test=True)
        if layout.implied == "variable":
            lengths = [len(stack[0]) for stack in test_stacks]
            test_y = np.repeat(_distinguish_names(layout.samples), lengths)
        shape, test_shape = stacks[0][0].shape[1:], test_stacks[0][0].shape[1:]
        if test_shape != shape:
            raise MatFileError(
                f"The samples of {quote(samples)} are {format_shape(test_shape)}, but those of "
                f"{quote(layout.samples[0])} are {format_shape(shape)}."
            )
        if (y.dtype.kind == "U") != (test_y.dtype.kind == "U"):
            both = f"{quote(layout.labels)} and {quote(others[0])}"
            raise MatFileError(f"Of {both} one holds text, the other numbers.")
        test = np.repeat([False, True], [n, len(test_y)])
        stacks, y = [*stacks, *test_stacks], np.concatenate([y, test_y])
        if groups is not None and test_groups is not None:
            groups = np.concatenate([groups, test_groups])
    if sum(array.nbytes for stack in stacks for array in stack) > 2 * LARGEST_ARRAY:
        raise MatFileError(
            f"The samples take more than the {2 * LARGEST_ARRAY // 10**6} MB that can be read."
        )
    if layout.parts:
        test = make_test_mask(read(layout.parts), len(y), layout.sense, layout.parts)
    if layout.groups:
        lengths = [n, len(y) - n] if len(group_names) > 1 else [len(y)]
        groups = np.concatenate(
            [
                _require_one_each(read(name), length, name)
                for name, length in zip(group_names, lengths, strict=True)
            ]
        )
    raw = RawSamples(stacks, y, groups, test, np.arange(len(y)))
    raw = raw if layout.missing in ("refuse", "keep") else _drop_missing(raw, layout)
    if layout.threshold is None:
        return raw
    return replace(raw, y=split_at(raw.y, layout.threshold, layout.labels))


def split_at(y: NDArray[Any], threshold: float, name: str) -> NDArray[np.str_]:
    """Return two classes of numbers, up to a threshold and above it."""
    if y.dtype.kind not in "biuf":
        raise MatFileError(f"{quote(name)} holds text, which a threshold cannot divide.")
    above = y > threshold
    if above.all() or not above.any():
        raise MatFileError(
            f"The threshold must divide {quote(name)}, which runs from {y.min():g} to "
            f"{y.max():g}, got {threshold:g}."
        )
    number = f"{threshold:.6g}".replace("-", "\N{MINUS SIGN}")
    return np.where(above, f"above {number}", f"up to {number}")


def arrange_unlabelled(layout: Layout, read: Read) -> RawSamples:
    """Arrange samples in a layout without labels; the labels are the numbers from 1."""
    name, axis = layout.samples[0], layout.axis
    if layout.cells:
        values, axis = stack_cells(layout, read)[0], 0
    else:
        values = read(name)
    stack = _stack_samples(replace(layout, missing="impute"), values, name, axis)
    rows = np.arange(len(stack[0]))
    return RawSamples([stack], rows + 1, None, None, rows)


def _require_one_each(values: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    """Return n values as a vector, or raise an error if there are not n."""
    if values.size != n:
        raise MatFileError(f"{quote(name)} has {values.size:,} values for {n:,} samples.")
    return values.ravel("F")


def make_test_mask(values: NDArray[Any], n: int, sense: Sense, name: str) -> NDArray[np.bool_]:
    """Return which of n samples a vector marks for testing; none or all is an error."""
    if sense in ("places", "other places"):
        if values.dtype.kind not in "biuf" or not np.isin(values, np.arange(1, n + 1)).all():
            raise MatFileError(f"{quote(name)} must hold places of samples, 1 to {n:,}.")
        test = np.isin(np.arange(1, n + 1), values, invert=sense != "places")
    elif (values := _require_one_each(values, n, name)).dtype.kind == "U":
        words = [split_words(str(value)) for value in values]
        test = np.array([not each.isdisjoint(TEST_WORDS) for each in words])
        if not test.any():
            test = np.array([not each.isdisjoint(VALIDATION_WORDS) for each in words])
    else:
        test = values == (values.max() if sense == "largest" else values.min())
    if test.all() or not test.any():
        some = "all" if test.all() else "none"
        raise MatFileError(
            f"By {quote(name)} {some} of the {n:,} samples are for testing; some must be."
        )
    return test


def _samples_and_labels(
    layout: Layout, read: Read, is_test: bool = False
) -> tuple[list[list[NDArray[Any]]], NDArray[Any], NDArray[Any] | None]:
    """Return stacks of samples, their labels and, if cells imply them, their groups."""
    names, missing = layout.samples, layout.missing != "refuse"
    if layout.cells or layout.implied in ("row", "column"):
        values, place = stack_cells(layout, read)
        stacks = [_stack_samples(layout, values, names[0], 0)]
        if layout.implied and layout.cells:
            r = layout.cells[0]
            return stacks, 1 + (place % r if layout.implied == "row" else place // r), None
        y, places = _read_cell_labels(layout, read, place)
        if not np.array_equal(place, places):
            raise MatFileError(
                f"The cells of {quote(layout.labels)} do not hold one label for each sample in "
                f"those of {quote(names[0])}."
            )
        return stacks, to_labels(y, len(y), name=layout.labels, missing=missing), 1 + place
    if layout.implied in ("first column", "last column"):
        split = [split_column(read(name), layout.axis, layout.implied) for name in names]
        stacks = [
            _stack_samples(layout, rest, name) for (rest, _), name in zip(split, names, strict=True)
        ]
        y = np.concatenate([column for _, column in split])
        return stacks, to_labels(y, len(y), name=f"the {layout.implied}"), None
    if layout.implied == "axis":
        stacks = _stack_along(layout, "class_axis", read(names[0]), names[0])
        return stacks, np.repeat(np.arange(len(stacks)) + 1, len(stacks[0][0])), None
    if layout.group_axis is not None:
        stacks = _stack_along(layout, "group_axis", read(names[0]), names[0])
        shape = len(stacks), len(stacks[0][0])
        given, groups_first = read(layout.labels), layout.group_axis < layout.axis
        y = arrange_group_labels(given, shape, groups_first, name=layout.labels, missing=missing)
        return stacks, y, np.repeat(np.arange(shape[0]) + 1, shape[1])
    stacks = [_stack_samples(layout, read_stack(name, layout.cut, read), name) for name in names]
    if layout.implied == "variable":
        if len({stack[0].shape[1:] for stack in stacks}) > 1:
            raise MatFileError(f"The samples of {', '.join(map(quote, names))} differ in shape.")
        return (
            stacks,
            np.repeat(_distinguish_names(names), [len(stack[0]) for stack in stacks]),
            None,
        )
    n, name = len(stacks[0][0]), layout.labels
    y = to_labels(read(name), n, name=name, missing=missing, one_class=is_test)
    return stacks, y, None


def _distinguish_names(names: tuple[str, ...]) -> list[str]:
    """Return the part of each name that differs: 0 and 1 for train0 and train1."""
    parts = [re.findall(r"[^\W\d_]+|\d+|.", name) for name in names]
    start = sum(1 for _ in takewhile(_are_equal, zip(*parts, strict=False)))
    ends = (reversed(each[start:]) for each in parts)
    end = sum(1 for _ in takewhile(_are_equal, zip(*ends, strict=False)))
    own = ["".join(each[start : len(each) - end]) for each in parts]
    return own if all(own) else list(names)


def _are_equal(parts: tuple[str, ...]) -> bool:
    return len(set(parts)) == 1


def _stack_samples(
    layout: Layout, values: NDArray[Any], name: str, axis: int | None = None
) -> list[NDArray[Any]]:
    """Return one stack of samples for each colour."""
    at = axis = layout.axis if axis is None else axis
    if layout.place:
        values = take_place(values, *layout.place, name)
    if layout.joined:
        values, at = join_axes(values, layout.joined, axis)
        axis = at
    colours = [values]
    if layout.mean_over is not None:
        if not 0 <= layout.mean_over < values.ndim or layout.mean_over == axis:
            raise MatFileError(
                f"mean_over, which counts from 0, must be another axis of {quote(name)}, "
                f"{format_shape(values.shape)}, than that of the samples, got {layout.mean_over}."
            )
        colours = list(np.moveaxis(values, layout.mean_over, 0))
        axis -= axis > layout.mean_over
    stack = [
        stack_matrices(colour, axis, shape=layout.shape, order=layout.order, name=name)
        for colour in colours
    ]
    if layout.missing == "refuse":
        refuse_missing(np.moveaxis(values, at, 0), name)
    return stack


def take_place(values: NDArray[Any], axis: int, place: int, name: str) -> NDArray[Any]:
    """Return one place of an axis, which keeps the length 1."""
    if not (0 <= axis < values.ndim and 0 <= place < values.shape[axis]):
        raise MatFileError(
            f"place must be an axis of {quote(name)}, {format_shape(values.shape)}, and a place on "
            f"it, both from 0, got {axis} and {place}."
        )
    return values.take([place], axis)


def join_axes(values: NDArray[Any], joined: tuple[int, int], axis: int) -> tuple[NDArray[Any], int]:
    """Make one axis of two; return also the place of another axis, that of the samples."""
    one, other = joined
    if axis in joined or one == other or not all(0 <= at < values.ndim for at in joined):
        raise MatFileError(f"joined must be two axes beside that of the samples, got {joined}.")
    rest = [at for at in range(values.ndim) if at != other]
    place = rest.index(one)
    moved = values.transpose([*rest[: place + 1], other, *rest[place + 1 :]])
    shape = [*moved.shape[:place], -1, *moved.shape[place + 2 :]]
    return moved.reshape(shape), rest.index(axis)


def _stack_along(
    layout: Layout, which: Literal["class_axis", "group_axis"], values: NDArray[Any], name: str
) -> list[list[NDArray[Any]]]:
    """Return one stack of samples for each place along the axis of the classes or groups."""
    given: int | None = getattr(layout, which)
    at = -1 if given is None else given
    if not 0 <= at < values.ndim or at == layout.axis or values.shape[at] < 2:
        raise MatFileError(
            f"{which}, which counts from 0, must be another axis of {quote(name)}, "
            f"{format_shape(values.shape)}, than that of the samples, got {given}."
        )
    axis = layout.axis - (layout.axis > at)
    lenient = replace(layout, missing="impute")  # missing numbers are counted in the whole below
    stacks = [_stack_samples(lenient, part, name, axis) for part in np.moveaxis(values, at, 0)]
    if layout.missing == "refuse":
        whole = np.moveaxis(values, (at, layout.axis), (0, 1))
        refuse_missing(whole.reshape(-1, *whole.shape[2:]), name)
    return stacks


def arrange_group_labels(
    values: NDArray[Any], shape: tuple[int, int], groups_first: bool, *, name: str, missing: bool
) -> NDArray[Any]:
    """Return one label for each of n samples of each of k groups.

    `values` holds the labels of one group, which all share, or a matrix of all labels. `shape` is
    (k, n), and `groups_first` says which axis of a square matrix runs over the groups. The other
    parameters are those of `to_labels`.
    """
    k, n = shape
    if values.size != k * n:
        return np.tile(to_labels(values, n, name=name, missing=missing), k)
    table = values.reshape([length for length in values.shape if length > 1])
    by_group = table.shape == shape and (groups_first or k != n)
    y = (table if by_group else table.T).ravel()
    return to_labels(y, k * n, name=name, missing=missing)


def split_column(values: NDArray[Any], axis: int, column: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split flattened samples into their entries and the label, the first or last of them."""
    rows = np.moveaxis(values, axis, -2)
    parts = (rows[..., 1:], rows[..., 0]) if column[0] == "f" else (rows[..., :-1], rows[..., -1])
    return np.moveaxis(parts[0], -2, axis), parts[1].ravel()


def stack_cells(layout: Layout, read: Read) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Stack the samples in a cell array along axis 0; return also the cell of each sample."""
    (name,), axis = layout.samples, layout.axis
    if axis:  # cells may differ along it; for the expression see `formats.reader.try_read_arrays`
        lengths = read_cell_sizes(name, read)[:, axis - 1]
        values = np.moveaxis(read(f"cat({axis},{name}{{:}})"), axis - 1, 0)
    else:
        values = read(name)
        lengths = np.ones(len(values), int)
    if layout.cells is None or np.prod(layout.cells) != len(lengths):
        raise MatFileError(
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
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Read the labels of samples in cells: a cell array of vectors, or one vector for all.

    `place` is the cell of each sample. Return also the cell of each label.
    """
    try:
        sizes = read_cell_sizes(layout.labels, read)
    except MatFileError:
        values = read(layout.labels)
        if values.size != len(place):
            raise
        return values.ravel("F"), place
    axis = int(sizes.max(0).argmax()) + 1
    y = read(f"cat({axis},{layout.labels}{{:}})").ravel()
    return y, np.repeat(np.arange(len(sizes)), sizes.prod(1))


def _drop_missing(stored: RawSamples, layout: Layout) -> RawSamples:
    """Leave out samples without a label and, if `missing` is "drop", those with NaN or infinity."""
    y = stored.y
    keep = np.isfinite(y) if y.dtype.kind == "f" else np.ones(len(y), bool)
    if layout.missing == "drop":
        whole = [
            np.all([np.isfinite(colour).all(axis=(1, 2)) for colour in stack], axis=0)
            for stack in stored.stacks
        ]
        keep &= np.concatenate(whole)
    if not keep.any():
        raise MatFileError("Every sample holds NaN or infinity: none is left.")
    groups, test = (None if each is None else each[keep] for each in (stored.groups, stored.test))
    return RawSamples(stored.stacks, y[keep], groups, test, stored.rows[keep])
