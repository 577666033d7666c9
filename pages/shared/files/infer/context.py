"""The variables of the uploaded files, and which of them may hold samples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from itertools import accumulate
from math import prod
from typing import NamedTuple

from ..formats.variables import COLUMN, NUMERIC, READABLE, size_of
from ..layout import Read, Variable, long_axes
from .names import SAMPLE_NAMES, field_words, may_be_image_size, test_counterparts

MOST_TRIED = 20  # variables tried as anything but samples: a file may hold thousands
MOST_CELLS = 2000  # of a variable that is prefetched
MOST_PREFETCHED = 40  # variables
LARGEST_PREFETCHED = 1 << 25  # bytes of all of them


class Context(NamedTuple):
    """The variables of all files, and the function that reads them."""

    variables: dict[str, Variable]  # by name
    beside: Set[str]  # the names of those in files without samples, beside others
    read: Read
    by_rows: bool  # whether arrays are usually stored by rows: NumPy, tables of text
    table: bool  # whether the file is a table of text, in which MATLAB, too, stores by rows
    archive: bool = False  # whether the file is an archive, whose images may lie in folders
    measured: bool = False  # whether a vector of measurements is wanted in place of classes

    def label_candidates(self, samples: Collection[str]) -> dict[str, Variable]:
        """Select the variables that may hold labels, groups or parts of these samples."""
        return {
            name: each
            for name, each in self.variables.items()
            if name.partition(COLUMN)[0] not in samples
        }


def sample_axes(shape: tuple[int, ...], by_rows: bool) -> list[int]:
    """Return the axes that may run over samples, the usual one first: in MATLAB, the last."""
    axes = long_axes(shape)
    return axes if by_rows or len(axes) <= 2 else [axes[-1], *axes[:-1]]


def likely_samples(context: Context) -> Iterator[str]:
    """Yield the variables that may hold samples: those with such names first, then the largest."""
    tests = test_variables(context)
    names = [
        name
        for name, each in context.variables.items()
        if each.may_be_samples and name not in tests
    ]

    def size(name: str) -> tuple[bool, int]:
        variable = context.variables[name]
        # Numbers come first: the cells of a cell array may be texts, which are labels.
        return variable.matlab_class in NUMERIC, prod(variable.shape)

    largest = max((size(name) for name in names), default=(False, 0))
    yield from sorted(
        names,
        key=lambda name: (
            bool(SAMPLE_NAMES & field_words(name)) and 4 * size(name)[1] >= largest[1],
            size(name),
        ),
        reverse=True,
    )


def test_variables(context: Context) -> set[str]:
    """Return the variables that hold a test part, by their names."""
    return {
        test
        for name in context.variables
        for test in test_counterparts(name, context.variables).values()
    }


def list_names_to_prefetch(variables: dict[str, Variable]) -> list[str]:
    """List the variables that inference may read, the smallest first, up to a size."""
    wanted = [
        each
        for each in variables.values()
        if each.matlab_class in READABLE and (prod(each.shape) > 1 or may_be_image_size(each))
        if prod(each.shape) <= MOST_CELLS or each.matlab_class != "cell"
    ]
    wanted.sort(key=lambda each: size_of(each.matlab_class, each.shape))
    sizes = accumulate(size_of(each.matlab_class, each.shape) for each in wanted)
    some = [each for each, size in zip(wanted, sizes, strict=True) if size <= LARGEST_PREFETCHED]
    cells = [f"size({each.name}{{:}})" for each in some if each.matlab_class == "cell"]
    return [*(each.name for each in some[:MOST_PREFETCHED]), *cells[:MOST_PREFETCHED]]
