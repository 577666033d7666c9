"""The variables of the uploaded files, and which of them may hold samples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from math import prod
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..formats.errors import MatFileError, quote
from ..formats.variables import COLUMN, EACH, NUMERIC, READABLE, size_of
from ..layout import Read, Variable, long_axes
from .names import SAMPLE_NAMES, field_words, may_be_image_size, test_counterparts

MOST_TRIED = 20  # variables tried as anything but samples: a file may hold thousands
SMALL = 1 << 20, 2000  # bytes and cells of a variable that is prefetched
MOST_PREFETCHED = 40  # variables


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
    """List the variables that inference will read: small ones, and the likeliest samples."""
    small = [
        each
        for each in variables.values()
        if EACH not in each.name
        if each.matlab_class in READABLE and (prod(each.shape) > 1 or may_be_image_size(each))
        if prod(each.shape) <= SMALL[1] or each.matlab_class != "cell"
        if 0 < size_of(each.matlab_class, each.shape) <= SMALL[0]
    ]
    small.sort(key=lambda each: size_of(each.matlab_class, each.shape))
    names = [each.name for each in small[:MOST_PREFETCHED]]
    context = Context(variables, frozenset(), _refuse_reading, by_rows=False, table=False)
    names += [name for name in [*likely_samples(context)][:1] if name not in names]
    cells = [name for name in names if variables[name].matlab_class == "cell"]
    return [*names, *(f"size({name}{{:}})" for name in cells)]


def _refuse_reading(name: str) -> NDArray[Any]:
    raise MatFileError(f"{quote(name)} is not read yet.")
