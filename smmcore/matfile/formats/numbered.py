"""Variables that come once for each subject or session, read as one cell array.

`S1.X`, `S2.X`, ... of structs beside each other, or `X_1`, `X_2`, ..., are also listed as `S*.X`
and `X_*`, a cell array with a cell for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .variables import (
    EACH,
    LARGEST_ARRAY,
    NUMERIC,
    READABLE,
    Header,
    MatFileError,
    as_declared,
    plain,
    size_of,
    too_large,
)

MOST_FAMILIES = 20
PARTS = {"train", "training", "test", "testing", "val", "valid", "validation"}  # no subjects


class Family(NamedTuple):
    """A name that stands for several variables, and these."""

    name: str
    headers: list[Header]

    @property
    def members(self) -> list[str]:
        return [".".join(each.path) for each in self.headers]

    @property
    def header(self) -> Header:
        """That of the cell array."""
        return Header((self.name,), "cell", (len(self.headers), 1))

    def too_large(self) -> MatFileError | None:
        """Why they must not be read together."""
        size = sum(size_of(kind, shape) for _, kind, shape in self.headers)
        return too_large(self.name, self.headers[0].shape) if size > LARGEST_ARRAY else None

    def gathered(self, loaded: dict[Header, Any]) -> Any:
        """The cell array, or the first error among its cells."""
        import numpy as np

        cells = np.empty((len(self.headers), 1), object)
        for i, header in enumerate(self.headers):
            value = loaded[header]
            if isinstance(value, MatFileError):
                return value
            try:
                cells[i, 0] = as_declared(plain(value, self.members[i]), header.kind)
            except MatFileError as error:
                return error
        return cells


def families(contents: dict[str, Header]) -> dict[str, Family]:
    """Variables that come more than once, matrices and what goes along with them, by their name."""
    found: dict[str, dict[str, Header]] = {}
    for header in contents.values():
        if header.kind in READABLE and 0 not in header.shape:
            for pattern, place in patterns(header.path):
                found.setdefault(pattern, {}).setdefault(place, header)
    kept: dict[frozenset[Header], str] = {}  # of two names for the same, `S*.X` and `*.X`, one
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
        pattern: Family(
            pattern, [found[pattern][at] for at in sorted(found[pattern], key=in_order)]
        )
        for pattern in some[:MOST_FAMILIES]
    }


def patterns(path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What a name may have in common with others, and what is then its own: numbers first."""
    name = ".".join(path)
    for number in re.finditer(r"\d+", name):
        yield name[: number.start()] + EACH + name[number.end() :], number.group()
    for at, part in enumerate(path[:-1]):
        yield ".".join((*path[:at], EACH, *path[at + 1 :])), part


def is_matrix(header: Header) -> bool:
    return header.kind in NUMERIC and sum(length > 1 for length in header.shape) > 1


def in_order(place: str) -> tuple[list[int], str]:
    """A key by which S2 comes before S10."""
    return [int(number) for number in re.findall(r"\d+", place)], place
