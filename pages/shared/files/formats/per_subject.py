"""Variables that come once for each subject or session, read as one cell array.

The fields `S1.X`, `S2.X`, ... of several structs, or the variables `X_1`, `X_2`, ..., are also
listed as `S*.X` and `X_*`, a cell array with one cell for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .errors import MatFileError, too_large_error
from .plain_arrays import cast_to_class, to_plain_array
from .variables import EACH, LARGEST_ARRAY, NUMERIC, READABLE, Header, size_of

MOST_PATTERNS = 20
# These words name parts, not subjects.
PARTS = {"train", "training", "test", "testing", "val", "valid", "validation"}


class SubjectVariables(NamedTuple):
    """Several variables with one name that stands for all of them."""

    name: str
    headers: list[Header]

    @property
    def members(self) -> list[str]:
        return [".".join(each.path) for each in self.headers]

    @property
    def header(self) -> Header:
        """The header of the cell array."""
        return Header((self.name,), "cell", (len(self.headers), 1))

    def find_size_error(self) -> MatFileError | None:
        """Return the error if they are too large to be read together."""
        size = sum(size_of(kind, shape) for _, kind, shape in self.headers)
        return too_large_error(self.name, self.headers[0].shape) if size > LARGEST_ARRAY else None

    def gather(self, loaded: dict[Header, Any]) -> Any:
        """Return the cell array, or the first error among its cells."""
        import numpy as np

        cells = np.empty((len(self.headers), 1), object)
        for i, header in enumerate(self.headers):
            value = loaded[header]
            if isinstance(value, MatFileError):
                return value
            try:
                cells[i, 0] = cast_to_class(to_plain_array(value, self.members[i]), header.kind)
            except MatFileError as error:
                return error
        return cells


def find_subject_variables(contents: dict[str, Header]) -> dict[str, SubjectVariables]:
    """Find matrices that come once for each subject, and the other variables that do, by name."""
    found: dict[str, dict[str, Header]] = {}
    for header in contents.values():
        if header.kind in READABLE and 0 not in header.shape:
            for pattern, place in list_patterns(header.path):
                found.setdefault(pattern, {}).setdefault(place, header)
    # Of two patterns for the same variables, `S*.X` and `*.X`, only the first is kept.
    kept: dict[frozenset[Header], str] = {}
    for pattern, members in found.items():
        subjects = not all(
            PARTS.intersection(re.findall("[a-z]+", each.lower())) for each in members
        )
        if len(members) > 1 and subjects and pattern not in contents:
            kept.setdefault(frozenset(members.values()), pattern)
    of_matrices = {
        frozenset(found[pattern])
        for pattern in kept.values()
        if all(is_matrix(header) for header in found[pattern].values())
    }
    some = [pattern for pattern in kept.values() if frozenset(found[pattern]) in of_matrices]
    return {
        pattern: SubjectVariables(
            pattern, [found[pattern][at] for at in sorted(found[pattern], key=sort_key)]
        )
        for pattern in some[:MOST_PATTERNS]
    }


def list_patterns(path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of a name, numbers first, each with the part that `*` stands for."""
    name = ".".join(path)
    for number in re.finditer(r"\d+", name):
        yield name[: number.start()] + EACH + name[number.end() :], number.group()
    for at, part in enumerate(path[:-1]):
        yield ".".join((*path[:at], EACH, *path[at + 1 :])), part


def is_matrix(header: Header) -> bool:
    """Return whether a variable holds numbers along two axes or more."""
    return header.kind in NUMERIC and sum(length > 1 for length in header.shape) > 1


def sort_key(place: str) -> tuple[list[int], str]:
    """Return a key that sorts S2 before S10."""
    return [int(number) for number in re.findall(r"\d+", place)], place
