"""How a file holds samples and labels, and reading it so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .formats import LARGEST_ARRAY, NUMERIC, MatFileError, shown, times
from .samples import MissingError, laid, refuse_missing, to_labels

Implied = Literal["", "variable", "row", "column", "first column", "last column", "axis"]
Sense = Literal["largest", "smallest", "places", "other places"]
TEST_WORDS = ("test", "testing", "tst", "te")
VALIDATION_WORDS = ("val", "valid", "validation", "dev")
Read = Callable[[str], NDArray[Any]]  # from the name of a variable to its array


def words_in(text: str) -> set[str]:
    """The words of a name, in lower case: xTrain_2 gives x, train."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


class Variable(NamedTuple):
    """One array in a file; what lies in a struct has a dotted name (`imdb.images.data`)."""

    name: str
    matlab_class: str
    shape: tuple[int, ...]  # empty for the classes that do not tell theirs (table, string, ...)

    @property
    def may_be_samples(self) -> bool:
        """Whether it holds matrices, by its header; what is in a cell array that does not tell."""
        kinds = (*NUMERIC, "cell")
        least = 1 if self.matlab_class == "cell" else 2
        return self.matlab_class in kinds and len(long_axes(self.shape)) >= least


def long_axes(shape: tuple[int, ...]) -> list[int]:
    """The axes that hold more than one number."""
    return [axis for axis, length in enumerate(shape) if length > 1]


def agree(one: tuple[int, ...], other: tuple[int, ...], axis: int) -> bool:
    """Whether two shapes differ along this axis at most."""
    return (
        len(one) == len(other) and one[:axis] + one[axis + 1 :] == other[:axis] + other[axis + 1 :]
    )


@dataclass(frozen=True)
class Layout:
    """Where in a file the samples and their labels are, and how they lie.

    Parameters
    ----------
    samples : tuple of str
        One variable, or one for each class where `implied` is "variable".
    axis : int
        The axis that runs over samples, from 0. A cell array is one stack of its cells, column by
        column: 0 runs over cells; any other axis means that each cell holds many samples, along
        that axis of its own (from 1), in which cells may differ.
    shape : (int, int), optional
        Rows p and columns q, where samples lie flattened.
    order : {"F", "C"}
        Whether a flattened sample runs down its columns (MATLAB's `X(:)`) or along its rows.
    labels : str
        A vector, or a one-hot matrix; none where the labels are implied.
    implied : {"", "variable", "row", "column", "first column", "last column", "axis"}
        What tells a sample's class where there is no such vector: its variable (called by what the
        others' names do not share), its row or column of the cell array, the first or last column
        of the flattened samples, or its place along `class_axis`. Only with "variable" and the
        columns there may be several variables.
    cells : (int, int), optional
        Rows and columns of the cell array, where one of them tells the class; or where each cell
        holds the samples of a subject, and the labels are in a cell array of the same shape. Then
        the cells are the groups.
    test : tuple of str, optional
        Samples, labels and, where `groups` tells those of the others, groups of the file's own test
        part, which lies as the others do; where `implied` is "variable", the samples of each class.
    parts : str
        A vector that tells the test part: MatConvNet's `set`.
    sense : {"largest", "smallest", "places", "other places"}
        Where the test part is: where `parts` is largest (of words, where it says test, or else
        val), smallest, at the places that it holds, from 1, or at all other places.
    groups : str
        A vector that tells, say, the subject or session of each sample.
    missing : {"refuse", "drop", "impute"}
        What becomes of samples with NaN or infinity: an error; they are left out; or each such
        number is NaN, for whoever trains to fill in without looking at what is tested, as
        `smmcore.model_selection.Trial` does. A sample whose label is missing is left out by both.
    mean_over : int, optional
        The axis that runs over colours, from 0: their mean, which is grey, is taken.
    class_axis : int, optional
        The axis that runs over classes, from 0, where `implied` is "axis": they are 1, 2, ...
    group_axis : int, optional
        The axis that runs over groups, from 0, say subjects, each with as many samples: `labels`
        are those of each of them, or a matrix of all.
    """

    samples: tuple[str, ...]
    axis: int
    shape: tuple[int, int] | None = None
    order: Literal["F", "C"] = "F"
    labels: str = ""
    implied: Implied = ""
    cells: tuple[int, ...] | None = None
    test: tuple[str, ...] | None = None
    parts: str = ""
    sense: Sense = "largest"
    groups: str = ""
    missing: Literal["refuse", "drop", "impute"] = "refuse"
    mean_over: int | None = None
    class_axis: int | None = None
    group_axis: int | None = None


class Dataset(NamedTuple):
    """Samples and labels, and what else a file says of each sample."""

    X: NDArray[np.float64]  # (n, p, q)
    y: NDArray[Any]  # (n,), as given
    groups: NDArray[Any] | None  # (n,)
    test: NDArray[np.bool_] | None  # (n,), of the file's own test part
    rows: NDArray[np.intp]  # (n,), places in the file from 0, the test part after the other


@dataclass(frozen=True, eq=False)
class Stored:
    """Samples where they lie, in the type they were saved in, and what a file says of each.

    What is told of a sample (`y`, `groups`, `test`, `rows`) is as in `Dataset`.
    """

    stacks: list[list[NDArray[Any]]]  # of (n_i, p, q) each; of these one for each colour
    y: NDArray[Any]
    groups: NDArray[Any] | None
    test: NDArray[np.bool_] | None
    rows: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Samples n, rows p and columns q."""
        _, p, q = self.stacks[0][0].shape
        return len(self.y), p, q

    def take(self, some: NDArray[np.intp]) -> Dataset:
        """These samples, counted from 0: only they become float64."""
        X = np.empty((len(some), *self.shape[1:]))
        start = 0
        for stack in self.stacks:
            at = self.rows[some] - start
            here = (at >= 0) & (at < len(stack[0]))
            X[here] = sum(colour[at[here]].astype(float) for colour in stack) / len(stack)
            start += len(stack[0])
        X[~np.isfinite(X)] = np.nan
        groups, test = (None if each is None else each[some] for each in (self.groups, self.test))
        return Dataset(X, self.y[some], groups, test, self.rows[some])


def draw(
    y: NDArray[Any], classes: Sequence[Any] | None = None, most: int | None = None, seed: int = 0
) -> NDArray[np.intp]:
    """Places of the samples of some classes; of more than `most` a draw, of each class its share.

    Of each class come two at least, as long as there are so many.
    """
    rows = np.arange(len(y)) if classes is None else np.flatnonzero(np.isin(y, list(classes)))
    if most is None or len(rows) <= most:
        return rows
    rows = np.random.default_rng(seed).permutation(rows)
    _, codes, counts = np.unique(y[rows], return_inverse=True, return_counts=True)
    by_class = np.argsort(codes, kind="stable")
    place = np.empty(len(rows), int)  # of a sample among those of its class
    place[by_class] = np.concatenate([np.arange(count) for count in counts])
    share = np.maximum(place - 1, 0) / counts[codes]
    return np.sort(rows[np.argsort(share, kind="stable")[:most]])


def arrange(layout: Layout, read: Read, read_labels: Read) -> Stored:
    """Samples and labels as a layout says; `read` returns the variable of a name."""
    stacks, y, groups = _samples_and_labels(layout, read, read_labels)
    n, test, told = len(y), None, [layout.groups]
    if layout.test:
        samples, *beside = layout.test
        if layout.implied == "variable":
            theirs = replace(layout, samples=layout.test)
        else:
            theirs = replace(layout, samples=(samples,), labels=beside[0])
            told += beside[1:]
        more, its, more_groups = _samples_and_labels(theirs, read, read_labels)
        if layout.implied == "variable":
            its = np.repeat(_own_parts(layout.samples), [len(stack[0]) for stack in more])
        if more[0][0].shape[1:] != stacks[0][0].shape[1:]:
            raise MatFileError(
                f"The samples of {shown(samples)} are {times(more[0][0].shape[1:])}, but those of "
                f"{shown(layout.samples[0])} are {times(stacks[0][0].shape[1:])}."
            )
        if (y.dtype.kind == "U") != (its.dtype.kind == "U"):
            both = f"{shown(layout.labels)} and {shown(beside[0])}"
            raise MatFileError(f"Of {both} one holds text, the other numbers.")
        test = np.repeat([False, True], [n, len(its)])
        stacks, y = [*stacks, *more], np.concatenate([y, its])
        if groups is not None and more_groups is not None:
            groups = np.concatenate([groups, more_groups])
    if sum(array.nbytes for stack in stacks for array in stack) > 2 * LARGEST_ARRAY:
        raise MatFileError(
            f"The samples take more than the {2 * LARGEST_ARRAY // 10**6} MB that can be read."
        )
    if layout.parts:
        test = test_part(read_labels(layout.parts), len(y), layout.sense, layout.parts)
    if layout.groups:
        lengths = [n, len(y) - n] if len(told) > 1 else [len(y)]
        groups = np.concatenate(
            [
                _one_each(read_labels(name), length, name)
                for name, length in zip(told, lengths, strict=True)
            ]
        )
    stored = Stored(stacks, y, groups, test, np.arange(len(y)))
    return stored if layout.missing == "refuse" else _without_missing(stored, layout)


def arrange_unlabelled(layout: Layout, read: Read) -> Stored:
    """Samples alone, as a layout without labels says: in their place stand the numbers from 1."""
    stack = _laid(replace(layout, missing="impute"), read(layout.samples[0]), layout.samples[0])
    rows = np.arange(len(stack[0]))
    return Stored([stack], rows + 1, None, None, rows)


def _one_each(values: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    if values.size != n:
        raise MatFileError(f"{shown(name)} has {values.size:,} values for {n:,} samples.")
    return values.ravel("F")


def test_part(values: NDArray[Any], n: int, sense: Sense, name: str) -> NDArray[np.bool_]:
    """The samples of n that a vector tells to be for testing: some of them."""
    if sense in ("places", "other places"):
        if values.dtype.kind not in "biuf" or not np.isin(values, np.arange(1, n + 1)).all():
            raise MatFileError(f"{shown(name)} must hold places of samples, 1 to {n:,}.")
        test = np.isin(np.arange(1, n + 1), values, invert=sense != "places")
    elif (values := _one_each(values, n, name)).dtype.kind == "U":
        said = [words_in(str(value)) for value in values]
        test = np.array([not each.isdisjoint(TEST_WORDS) for each in said])
        if not test.any():
            test = np.array([not each.isdisjoint(VALIDATION_WORDS) for each in said])
    else:
        test = values == (values.max() if sense == "largest" else values.min())
    if test.all() or not test.any():
        some = "all" if test.all() else "none"
        raise MatFileError(
            f"By {shown(name)} {some} of the {n:,} samples are for testing; some must be."
        )
    return test


def _samples_and_labels(
    layout: Layout, read: Read, read_labels: Read
) -> tuple[list[list[NDArray[Any]]], NDArray[Any], NDArray[Any] | None]:
    """Stacks of samples, a label and, where cells imply it, a group for each."""
    names, missing = layout.samples, layout.missing != "refuse"
    if layout.cells or layout.implied in ("row", "column"):
        values, place = stack_of_cells(layout, read)
        stacks = [_laid(layout, values, names[0], 0)]
        if layout.implied and layout.cells:
            r = layout.cells[0]
            return stacks, 1 + (place % r if layout.implied == "row" else place // r), None
        y, places = _labels_of_cells(layout, read_labels)
        if not np.array_equal(place, places):
            raise MatFileError(
                f"The cells of {shown(layout.labels)} do not hold one label for each sample in "
                f"those of {shown(names[0])}."
            )
        return stacks, to_labels(y, len(y), name=layout.labels, missing=missing), 1 + place
    if layout.implied in ("first column", "last column"):
        split = [split_column(read(name), layout.axis, layout.implied) for name in names]
        stacks = [_laid(layout, rest, name) for (rest, _), name in zip(split, names, strict=True)]
        y = np.concatenate([column for _, column in split])
        return stacks, to_labels(y, len(y), name=f"the {layout.implied}"), None
    if layout.implied == "axis":
        stacks = _laid_by(layout, "class_axis", read(names[0]), names[0])
        return stacks, np.repeat(np.arange(len(stacks)) + 1, len(stacks[0][0])), None
    if layout.group_axis is not None:
        stacks = _laid_by(layout, "group_axis", read(names[0]), names[0])
        shape = len(stacks), len(stacks[0][0])
        given, groups_first = read_labels(layout.labels), layout.group_axis < layout.axis
        y = labels_by_group(given, shape, groups_first, name=layout.labels, missing=missing)
        return stacks, y, np.repeat(np.arange(shape[0]) + 1, shape[1])
    stacks = [_laid(layout, read(name), name) for name in names]
    if layout.implied == "variable":
        if len({stack[0].shape[1:] for stack in stacks}) > 1:
            raise MatFileError(f"The samples of {', '.join(map(shown, names))} differ in shape.")
        return stacks, np.repeat(_own_parts(names), [len(stack[0]) for stack in stacks]), None
    n, name = len(stacks[0][0]), layout.labels
    return stacks, to_labels(read_labels(name), n, name=name, missing=missing), None


def _own_parts(names: tuple[str, ...]) -> list[str]:
    """What each name has of its own: 0 and 1 of train0 and train1, which test0 and test1 have."""
    parts = [re.findall(r"[^\W\d_]+|\d+|.", name) for name in names]
    start = sum(1 for _ in takewhile(_is_one, zip(*parts, strict=False)))
    ends = (reversed(each[start:]) for each in parts)
    end = sum(1 for _ in takewhile(_is_one, zip(*ends, strict=False)))
    own = ["".join(each[start : len(each) - end]) for each in parts]
    return own if all(own) else list(names)


def _is_one(parts: tuple[str, ...]) -> bool:
    return len(set(parts)) == 1


def _laid(
    layout: Layout, values: NDArray[Any], name: str, axis: int | None = None
) -> list[NDArray[Any]]:
    """A stack of samples for each colour."""
    at = axis = layout.axis if axis is None else axis
    colours = [values]
    if layout.mean_over is not None:
        if not 0 <= layout.mean_over < values.ndim or layout.mean_over == axis:
            raise MatFileError(
                f"mean_over, which counts from 0, must be another axis of {shown(name)}, "
                f"{times(values.shape)}, than that of the samples, got {layout.mean_over}."
            )
        colours = list(np.moveaxis(values, layout.mean_over, 0))
        axis -= axis > layout.mean_over
    stack = [
        laid(colour, axis, shape=layout.shape, order=layout.order, name=name) for colour in colours
    ]
    if layout.missing == "refuse":
        refuse_missing(np.moveaxis(values, at, 0), name)
    return stack


def _laid_by(
    layout: Layout, which: Literal["class_axis", "group_axis"], values: NDArray[Any], name: str
) -> list[list[NDArray[Any]]]:
    """A stack of samples for each place along the axis of the classes, or of the groups."""
    given: int | None = getattr(layout, which)
    at = -1 if given is None else given
    if not 0 <= at < values.ndim or at == layout.axis or values.shape[at] < 2:
        raise MatFileError(
            f"{which}, which counts from 0, must be another axis of {shown(name)}, "
            f"{times(values.shape)}, than that of the samples, got {given}."
        )
    axis = layout.axis - (layout.axis > at)
    lenient = replace(layout, missing="impute")  # a part would count only what it holds
    stacks = [_laid(lenient, part, name, axis) for part in np.moveaxis(values, at, 0)]
    if layout.missing == "refuse":
        whole = np.moveaxis(values, (at, layout.axis), (0, 1))
        refuse_missing(whole.reshape(-1, *whole.shape[2:]), name)
    return stacks


def labels_by_group(
    values: NDArray[Any], shape: tuple[int, int], groups_first: bool, *, name: str, missing: bool
) -> NDArray[Any]:
    """One label for each of n samples of each of k groups: the same for all, or a matrix.

    `shape` is (k, n); `groups_first` tells which axis of a square matrix runs over the groups. The
    rest is as in `to_labels`.
    """
    k, n = shape
    if values.size != k * n:
        return np.tile(to_labels(values, n, name=name, missing=missing), k)
    table = values.reshape([length for length in values.shape if length > 1])
    by_group = table.shape == shape and (groups_first or k != n)
    y = (table if by_group else table.T).ravel()
    return to_labels(y, k * n, name=name, missing=missing)


def split_column(values: NDArray[Any], axis: int, column: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Flattened samples without the entry that is their label, and the labels."""
    rows = np.moveaxis(values, axis, -2)
    parts = (rows[..., 1:], rows[..., 0]) if column[0] == "f" else (rows[..., :-1], rows[..., -1])
    return np.moveaxis(parts[0], -2, axis), parts[1].ravel()


def stack_of_cells(layout: Layout, read: Read) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Samples along axis 0, out of the cells of a cell array, and the cell that each was in."""
    (name,), axis = layout.samples, layout.axis
    if axis:  # the expressions of `formats.arrays`, in which cells may differ along the axis
        lengths = sizes_of_cells(name, read)[:, axis - 1]
        values = np.moveaxis(read(f"cat({axis},{name}{{:}})"), axis - 1, 0)
    else:
        values = read(name)
        lengths = np.ones(len(values), int)
    if layout.cells is None or np.prod(layout.cells) != len(lengths):
        raise MatFileError(
            f"The cells of {shown(name)}, {len(lengths):,}, are not those of a cell array of "
            f"{times(layout.cells or ())}."
        )
    return values, np.repeat(np.arange(len(lengths)), lengths)


def sizes_of_cells(name: str, read: Read) -> NDArray[np.intp]:
    """The shape of each cell, column by column."""
    return read(f"size({name}{{:}})")


def _labels_of_cells(layout: Layout, read: Read) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The labels in a cell array of vectors, and the cell that each was in."""
    sizes = sizes_of_cells(layout.labels, read)
    axis = int(sizes.max(0).argmax()) + 1
    y = read(f"cat({axis},{layout.labels}{{:}})").ravel()
    return y, np.repeat(np.arange(len(sizes)), sizes.prod(1))


def _without_missing(stored: Stored, layout: Layout) -> Stored:
    """Leave out samples with NaN or infinity if so asked; without a label none is of use."""
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
    return Stored(stored.stacks, y[keep], groups, test, stored.rows[keep])


ADVICE = {
    "drop": 'leave those samples out (missing="drop")',
    "impute": 'have each trial fill in the mean over its training part (missing="impute")',
}


def advised(error: MissingError) -> MissingError:
    """The same error with the ways out."""
    advice = ", or ".join(ADVICE[way] for way in error.ways)
    return type(error)(f"{error} {advice[0].upper()}{advice[1:]}.")
