"""What a file is known to hold, and which of its variables may be samples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from math import prod
from typing import NamedTuple

from ..formats import NUMERIC
from ..layout import Read, Variable, long_axes
from .names import SAMPLE_NAMES, test_names, words

MOST_TRIED = 20  # variables tried as anything else: a file may hold thousands


def may_tell(
    samples: Collection[str], labels: dict[str, Variable], beside: Set[str]
) -> dict[str, Variable]:
    """Select what may tell labels, groups or parts of some samples: all but themselves.

    Parameters
    ----------
    samples : collection of str
        The variables that hold the samples, in the first file.
    labels : dict
        The variables of both files, by name.
    beside : set of str
        Which of these are of the second file. They may be called what the samples are: every .npy
        file calls its only array "array".
    """
    return {name: each for name, each in labels.items() if name in beside or name not in samples}


class Known(NamedTuple):
    """What two files hold, and how to read it."""

    variables: dict[str, Variable]  # by name
    labels: dict[str, Variable]  # where labels are looked for: in a second file before the first
    beside: Set[str]  # which of these are of the second file
    read: Read
    read_labels: Read
    by_rows: bool  # made where arrays run along rows: NumPy, a table
    table: bool  # of text, where also MATLAB's go by rows

    def may_tell(self, samples: Collection[str]) -> dict[str, Variable]:
        """Select what may tell labels, groups or parts of these samples: all but themselves."""
        return may_tell(samples, self.labels, self.beside)


def sample_axes(shape: tuple[int, ...], by_rows: bool) -> list[int]:
    """The axes that may run over samples, as usual first: the last of a stack in MATLAB."""
    axes = long_axes(shape)
    return axes if by_rows or len(axes) == 2 else [axes[-1], *axes[:-1]]


def likely_samples(known: Known) -> Iterator[str]:
    """The variables that may hold samples: those called so first, then the largest."""
    tests = test_variables(known)
    names = [
        name for name, each in known.variables.items() if each.may_be_samples and name not in tests
    ]

    def size(name: str) -> tuple[bool, int]:
        variable = known.variables[name]
        # What a cell array holds its header does not tell, but those of texts are labels.
        return variable.matlab_class in NUMERIC, prod(variable.shape)

    largest = max((size(name) for name in names), default=(False, 0))
    yield from sorted(
        names,
        key=lambda name: (
            bool(SAMPLE_NAMES & words(name)) and 4 * size(name)[1] >= largest[1],
            size(name),
        ),
        reverse=True,
    )


def test_variables(known: Known) -> set[str]:
    return {test for name in known.variables for test in test_names(name, known.variables).values()}
