"""The layout of samples and labels in a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from numpy.typing import NDArray

from .formats.variables import NUMERIC

Implied = Literal["", "row", "column", "first column", "last column"]
Sense = Literal["largest", "smallest", "places", "other places"]
Order = Literal["F", "C"]  # of the numbers of a flattened matrix
Missing = Literal["refuse", "drop", "impute", "cut"]
Read = Callable[[str], NDArray[Any]]  # from the name of a variable to its array


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

    samples: str
    # The axis that runs over samples, from 0. A cell array is one stack of its cells, column by
    # column: 0 runs over cells; any other axis means that each cell holds many samples, along
    # that axis of its own (from 1), in which cells may differ.
    axis: int
    shape: tuple[int, int] | None = None  # rows p and columns q, where samples lie flattened
    # Whether a flattened sample runs down its columns (MATLAB's `X(:)`) or along its rows
    order: Order = "F"
    # Where flattened samples are the upper triangles of symmetric matrices: the first diagonal that
    # they hold, 0 for the main one. `order` says how they run
    triangle: int | None = None
    labels: str = ""  # a vector, or a one-hot matrix; empty if the labels are implied
    # What determines the class of a sample if there is no label vector: its row or column in the
    # cell array, or the first or last column of the flattened samples
    implied: Implied = ""
    # Rows and columns of the cell array, if its rows or columns are the classes; or if each cell
    # holds many samples, with the labels in a cell array of the same shape, or one label for each
    # cell. Then the cells are the groups, unless each is a class of its own.
    cells: tuple[int, ...] | None = None
    # The variables of the file's own test part, which has the same layout: samples, labels if
    # they are not implied and,
    # if `groups` is not empty, groups.
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
    # `Trial` of *Your data* does. Samples without a label are left out by both. Or cut all samples
    # to the columns, or rows, that every one has.
    missing: Missing = "refuse"
    # A number that stands for none, such as -9999
    sentinel: float | None = None
    # Whether labels that differ in case are one, and the numbers of classes are counted anew in
    # each group or part, as some count from 0
    are_alike: bool = False
    # Length and step of the windows into which recordings are cut, in moments. `cells` are the
    # recordings, each along `axis`, which is that of the moments; the groups are the recordings or,
    # of a single one, the runs of one label. A sample is channels × moments, or folded to `shape`.
    window: tuple[int, int] | None = None
    # A vector, or one for each recording, with the moment at which each window begins; without it
    # windows follow one another. `labels` has a label for each. The first moment has this number
    onsets: str = ""
    first_moment: int = 1
    # Moments of a segment, if the sample is the spectrogram of the window, in decades: for each
    # channel, frequencies × time, below one another
    segment: int = 0
    # Whether complex numbers are taken by their magnitude
    magnitude: bool = False
    # The size to which cells of different sizes are cut; a smaller one is padded with NaN
    cut: tuple[int, ...] | None = None
    # Two axes, from 0, that become one, for samples of three axes: the first one varies slowest
    joined: tuple[int, int] | None = None
    # An axis, from 0, of which one place, from 0, is used: a band of an image
    place: tuple[int, int] | None = None
    # The axis that runs over colours, from 0; samples are their mean, which is grey
    mean_over: int | None = None
