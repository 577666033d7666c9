"""Names of columns: those of two tables are matched, and those of a grid tell rows and columns.

The names of a grid are such as r1c1, x_1_1, ch1_t1, Fz_1, or 1,1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .errors import FileError, quote

SEPARATORS = re.compile(r"[^\w.]+|_+|(?<!\d)\.|\.(?!\d)")  # a point between digits is decimal
PIECES = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")  # numbers and words
NUMBERED = re.compile(r"(\D*)(\d+(?:\.\d+)?)(\D*)")


def find_places(names: Sequence[str], wanted: Sequence[str], table: str, of: str) -> list[int]:
    """Return the place of each wanted column in a table; nothing if they stand there already.

    Tables without a common name are matched by place. It is an error if only some names are there,
    or if a name stands twice.
    """
    if [*names] == [*wanted] or {*names}.isdisjoint(wanted):
        return []
    places = {name: place for place, name in enumerate(names)}
    if lost := [each for each in wanted if each not in places]:
        more = f", and {len(lost) - 1:,} more" if len(lost) > 1 else ""
        lacks = f"{quote(table)} lacks the column {quote(lost[0])} of {of}{more}"
        raise FileError(f"{lacks}: columns are matched by their names.")
    for listed, title in ((names, table), (wanted, of)):
        if twice := [name for name, count in Counter(listed).items() if count > 1]:
            two = f"{quote(title)} has two columns {quote(twice[0])}"
            raise FileError(f"{two}: columns in another order are matched by their names.")
    return [places[each] for each in wanted]


def find_grid(names: Sequence[str]) -> tuple[int, int, list[int]] | None:
    """Return rows p, columns q and the place of each name, row after row, of a complete grid.

    Two parts of the names differ, and at least one of them is numbered. Numbers are sorted, words
    are in the order in which they come.
    """
    for split in (SEPARATORS.split, PIECES.findall):
        parts = [split(name) for name in names]
        if len({*map(len, parts)}) != 1:
            continue
        differing = [column for column in zip(*parts, strict=True) if len({*column}) > 1]
        if len(differing) != 2 or not any(map(_are_numbered, differing)):
            continue
        rows, columns = map(_rank, differing)
        p, q = max(rows) + 1, max(columns) + 1
        places = [row * q + column for row, column in zip(rows, columns, strict=True)]
        if p * q == len({*places}) == len(names):
            return p, q, places
    return None


def _are_numbered(words: Sequence[str]) -> bool:
    """Return whether words differ in a number alone."""
    found = [NUMBERED.fullmatch(word) for word in words]
    return len({each and (each[1], each[3]) for each in found}) == 1 and None not in found


def _rank(words: Sequence[str]) -> list[int]:
    different = list(dict.fromkeys(words))
    if _are_numbered(words):
        different.sort(key=lambda word: float(NUMBERED.sub(r"\2", word)))
    place = {word: at for at, word in enumerate(different)}
    return [place[word] for word in words]
