"""The layout of samples and labels in a file, and the arrays that it describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .folding import Order
from .formats.errors import MatFileError, format_shape, quote
from .formats.variables import LARGEST_ARRAY, NUMERIC
from .samples import Missing, MissingError, refuse_missing, stack_matrices, to_labels

Implied = Literal["", "variable", "row", "column", "first column", "last column", "axis"]
Sense = Literal["largest", "smallest", "places", "other places"]
TEST_WORDS = ("test", "testing", "tst", "te")
VALIDATION_WORDS = ("val", "valid", "validation", "dev")
Read = Callable[[str], NDArray[Any]]  # from the name of a variable to its array


def split_words(text: str) -> set[str]:
    """Return the words of a name in lower case: xTrain_2 gives x, train."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


class Variable(NamedTuple):
    """The header of an array in a file; a field of a struct has a dotted name (`s.images.data`)."""

    name: str
    matlab_class: str
    shape: tuple[int, ...]  # empty for classes that do not store it (table, string, ...)

    @property
    def may_be_samples(self) -> bool:
        """Whether it may hold matrices, by its header; any cell array may."""
        kinds = (*NUMERIC, "cell")
        least = 1 if self.matlab_class == "cell" else 2
        return self.matlab_class in kinds and len(long_axes(self.shape)) >= least


def long_axes(shape: tuple[int, ...]) -> list[int]:
    """Return the axes that are longer than 1."""
    return [axis for axis, length in enumerate(shape) if length > 1]


def agree_except_along(one: tuple[int, ...], other: tuple[int, ...], axis: int) -> bool:
    """Return whether two shapes differ at most along this axis."""
    return (
        len(one) == len(other) and one[:axis] + one[axis + 1 :] == other[:axis] + other[axis + 1 :]
    )


@dataclass(frozen=True)
class Layout:
    """The variables and axes that hold the samples and their labels in a file."""

    samples: tuple[str, ...]  # one variable, or one for each class where `implied` is "variable"
    # The axis that runs over samples, from 0. A cell array is one stack of its cells, column by
    # column: 0 runs over cells; any other axis means that each cell holds many samples, along
    # that axis of its own (from 1), in which cells may differ.
    axis: int
    shape: tuple[int, int] | None = None  # rows p and columns q, where samples lie flattened
    # Whether a flattened sample runs down its columns (MATLAB's `X(:)`) or along its rows
    order: Order = "F"
    labels: str = ""  # a vector, or a one-hot matrix; empty if the labels are implied
    # What determines the class of a sample if there is no label vector: its variable (the class
    # is the part of the name that the others do not share), its row or column in the cell array,
    # the first or last column of the flattened samples, or its place along `class_axis`. There
    # may be several variables only with "variable" and the two columns.
    implied: Implied = ""
    # Rows and columns of the cell array, if its rows or columns are the classes; or if each cell
    # holds the samples of a subject, with the labels in a cell array of the same shape. Then the
    # cells are the groups.
    cells: tuple[int, ...] | None = None
    # The variables of the file's own test part, which has the same layout: samples, labels and,
    # if `groups` is not empty, groups. If `implied` is "variable", the samples of each class.
    test: tuple[str, ...] | None = None
    parts: str = ""  # a vector that marks the test part, such as MatConvNet's `set`
    # How it marks the test part: where `parts` is largest (of words, where it says test, or else
    # val), where it is smallest, at the places that it lists, from 1, or at all other places
    sense: Sense = "largest"
    # Two classes of a measurement: labels up to this number, and above it
    threshold: float | None = None
    groups: str = ""  # a vector with the group of each sample, such as its subject or session
    # What to do with samples that hold NaN or infinity: raise an error; leave them out; or set
    # these numbers to NaN, so that training can fill them in without looking at the test part, as
    # `Trial` of *Your data* does. Samples without a label are left out by "drop" and by
    # "impute"; "keep" leaves out none, for predictions.
    missing: Missing = "refuse"
    # The size to which cells of different sizes are cut; a smaller one is padded with NaN
    cut: tuple[int, ...] | None = None
    # Two axes, from 0, that become one, for samples of three axes: the first one varies slowest
    joined: tuple[int, int] | None = None
    # An axis, from 0, of which one place, from 0, is used: a band of an image
    place: tuple[int, int] | None = None
    # The axis that runs over colours, from 0; samples are their mean, which is grey
    mean_over: int | None = None
    # The axis that runs over classes, from 0, if `implied` is "axis". The labels are 1, 2, ...
    class_axis: int | None = None
    # The axis that runs over groups, from 0, such as subjects, with the same number of samples
    # each. `labels` holds the labels of one group, which all share, or a matrix of all.
    group_axis: int | None = None


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

    stacks: list[list[NDArray[Any]]]  # for each variable, one array (n_i, p, q) per colour
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


def draw(
    y: NDArray[Any], classes: Sequence[Any] | None = None, most: int | None = None, seed: int = 0
) -> NDArray[np.intp]:
    """Return the positions of the samples of some classes, at most `most` of them.

    Of more samples a random part is drawn: the same share of each class, but at least two samples
    of each class that has two.
    """
    rows = np.arange(len(y)) if classes is None else np.flatnonzero(np.isin(y, list(classes)))
    if most is None or len(rows) <= most:
        return rows
    rows = np.random.default_rng(seed).permutation(rows)
    _, codes, counts = np.unique(y[rows], return_inverse=True, return_counts=True)
    by_class = np.argsort(codes, kind="stable")
    place = np.empty(len(rows), int)  # position of a sample within its class
    place[by_class] = np.concatenate([np.arange(count) for count in counts])
    share = np.maximum(place - 1, 0) / counts[codes]
    return np.sort(rows[np.argsort(share, kind="stable")[:most]])


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


ADVICE = {
    "drop": 'leave those samples out (missing="drop")',
    "impute": 'have each trial fill in the mean over its training part (missing="impute")',
}


def add_advice(error: MissingError) -> MissingError:
    """Return the same error with advice on the values of `missing` that avoid it."""
    advice = ", or ".join(ADVICE[way] for way in error.ways)
    return type(error)(f"{error} {advice[0].upper()}{advice[1:]}.")
