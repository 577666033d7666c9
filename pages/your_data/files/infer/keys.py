"""Tables whose rows belong to the samples by a name, not by their place: `diagnosis by id`.

The key is a column of different values. They are also the ids of the samples, the names of the
images, or in the names of the variables that hold one sample or subject each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..formats.errors import FileError, quote
from ..formats.variables import NUMERIC, READABLE, split_words
from ..layout import Read, Variable, long_axes
from .families import Family

BY = " by "  # in a name: a column in the order of the samples
ENDINGS = re.compile(
    r"\.(mat|h5|hdf5|npy|npz|csv|tsv|txt|dat|edf|png|jpe?g|p[gnp]m|bmp|tiff?|gif)$"
)
ID_WORDS = {"id", "ids", "idx", "index", "no", "nr", "number", "row", "sample", "trial"}
FEWEST = 3  # rows
MOST_COLUMNS = 20  # of a table that are read
Tables = dict[tuple[str, str], list[Variable]]  # by file and, in an archive, its member


class Join(NamedTuple):
    """A table whose rows are put in the order of the samples."""

    key: str  # the column of the table
    columns: list[str]  # all of its length
    rows: NDArray[np.intp]  # of the table, for each sample; -1 if there is none
    of_members: bool  # whether there is a row for each variable of a family
    doubt: str  # why the key may be wrong, or what it lacks

    def rename(self, column: str) -> str:
        """Return the name of a column in the order of the samples."""
        return f"{column}{BY}{self.key.rpartition('.')[2]}"

    def read(self, column: str, read: Read) -> NDArray[Any]:
        """Return a column in the order of the samples, NaN or empty where there is no row."""
        values, lacking = read(column).ravel("F")[self.rows], self.rows < 0
        if lacking.any():
            is_text = values.dtype.kind == "U"
            values = values if is_text else values.astype(float)
            values[lacking] = "" if is_text else np.nan
        return values if values.dtype.kind == "U" else values[:, None]


class _Key(NamedTuple):
    """What names the samples."""

    kind: str  # "id", "name" of a member, or "row"
    words: list[str]
    heading: str = ""  # of the column of ids


def find_joins(
    tables: Tables, families: list[Family], read: Read
) -> tuple[list[Join], dict[str, str]]:
    """Find the tables that belong to the samples by a key, and doubts about columns of others."""
    with_samples, keys = _find_keys(tables, families, read)
    ids = [key for key in keys if key.kind == "id" and not _are_numbers(key.words)]
    joins: list[Join] = []
    doubts: dict[str, str] = {}
    for table, variables in tables.items():
        columns = {} if table in with_samples else dict(_read_columns(variables, read))
        found = [
            join
            for name in columns
            for key in keys
            if (join := _join(name, columns, key)) is not None
        ]
        if found:
            best = max(found, key=lambda each: ("counts" not in each.doubt, (each.rows >= 0).sum()))
            is_in_order = np.array_equal(best.rows, np.arange(len(columns[best.key])))
            joins += [best] if best.of_members or not is_in_order else []
            continue
        for name, words in columns.items():
            if any(_names_twice(words, key) for key in keys):
                count = f"{len({*words}):,} samples in {len(words):,} rows"
                sentence = f"{quote(name)} names {count}: keep one row for each."
                doubts |= dict.fromkeys(columns, sentence)
        own = [name for name, words in columns.items() if _are_ids(words)]
        if own and ids and len(columns[own[0]]) == len(ids[0].words):
            sentence = (
                f"The values of {quote(own[0])} are none of the ids of the samples, so rows are "
                "matched by their place: is this right?"
            )
            doubts |= dict.fromkeys(columns, sentence)
    return joins, doubts


def _find_keys(
    tables: Tables, families: list[Family], read: Read
) -> tuple[set[tuple[str, str]], list[_Key]]:
    """Find the tables that hold the samples, and what names these."""

    def size(table: tuple[str, str]) -> int:
        return max((prod(each.shape) for each in tables[table] if _is_matrix(each)), default=0)

    largest = max(tables, key=size)
    for family in sorted(families, key=lambda each: -sum(prod(v.shape) for v in each.members)):
        numbers = sum(prod(each.shape) for each in family.members)
        if family.are_matrices and len(family.members) >= FEWEST and numbers > size(largest):
            names = {each.name for each in family.members}
            held = {at for at, each in tables.items() if names.intersection(v.name for v in each)}
            called = [each.name for each in family.members]
            parts = [[name, *name.split("."), *re.split(r"[_.]", name)] for name in called]
            words = zip(*parts, strict=False) if len({*map(len, parts)}) == 1 else ()
            slots = [each.tolist() for each in family.slots.values()]
            return held, [_Key("name", _normalise(each)) for each in [*map(list, words), *slots]]
    if not size(largest):
        return set(tables), []
    columns = dict(_read_columns(tables[largest], read))
    lengths = {n for each in tables[largest] if _is_matrix(each) for n in each.shape}
    keys = [
        _Key("id", words, _heading(name))
        for name, words in columns.items()
        if _may_be_ids(name, words)
    ]
    return {largest}, [
        *(key for key in keys if len(key.words) in lengths),
        *(_Key("row", [str(i + 1) for i in range(n)]) for n in sorted(lengths) if n >= FEWEST),
    ]


def _read_columns(variables: list[Variable], read: Read) -> Iterator[tuple[str, list[str]]]:
    """Yield the vectors of a table by name, as texts that can be compared."""
    for each in variables[:MOST_COLUMNS]:
        rows = each.shape[0] if each.matlab_class == "char" and len(each.shape) == 2 else 0
        if each.matlab_class in READABLE and (rows > 1 or len(long_axes(each.shape)) == 1):
            with suppress(FileError):
                values = read(each.name).ravel("F")
                if values.dtype.kind in "Uiuf" and len(values) == (rows or prod(each.shape)):
                    yield each.name, _normalise(values.tolist())


def _normalise(values: list[Any]) -> list[str]:
    """Return names so that 7, 7.0, 007 and img/007.png can be compared."""
    words = []
    for value in values:
        word = ENDINGS.sub("", str(value).strip().lower().rpartition("/")[2]).removesuffix(".0")
        words.append((word.lstrip("0") or "0") if word.isdecimal() else word)
    return words


def _are_numbers(words: list[str]) -> bool:
    return all(map(str.isdecimal, words))


def _are_ids(words: list[str]) -> bool:
    return not _are_numbers(words) and len({*words}) == len(words) >= FEWEST


def _may_be_ids(name: str, words: list[str]) -> bool:
    """Return whether values are all different, and texts, whole numbers or called ids."""
    called = name.endswith("name") or not ID_WORDS.isdisjoint(split_words(name))
    is_text = any(re.search(r"[^\W\d_]", word) for word in words[:1])
    return len({*words}) == len(words) >= FEWEST and (called or is_text or _are_numbers(words))


def _heading(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _is_count(words: list[str]) -> bool:
    """Return whether these are the numbers from 0 or 1 on, as a column may hold by chance."""
    counts = ({*map(str, range(first, first + len(words)))} for first in (0, 1))
    return {*words} in counts


def _join(name: str, columns: dict[str, list[str]], key: _Key) -> Join | None:
    """Join a table by a column, if its values are those of a key."""
    theirs, ours = columns[name], key.words
    if not len({*theirs}) == len(theirs) >= FEWEST or len({*ours}) < len(ours):
        return None
    common, least = len({*ours} & {*theirs}), min(len(ours), len(theirs))
    called = not ID_WORDS.isdisjoint(split_words(name.rpartition(".")[2]))
    named = called or _heading(name) == key.heading
    by_chance = _is_count(theirs) and not named
    if 2 * common < least or (_are_numbers(theirs) and (common < least or by_chance)):
        return None
    if key.kind == "row" and (common < len(theirs) or not called or len(ours) != len(theirs)):
        return None
    at = {word: row for row, word in enumerate(theirs)}
    rows = np.array([at.get(word, -1) for word in ours])
    doubt = ""
    if lacking := [word for word in ours if word not in at]:
        some = ", ".join(map(quote, lacking[:3])) + " ..." * (len(lacking) > 3)
        doubt = f"{len(lacking):,} samples have no row in {quote(name)}: {some}"
    if key.kind == "row" and theirs != ours:
        doubt = (
            f"{quote(name)} counts to {len(ours):,} in another order: it is taken as the number "
            "of the sample."
        )
    same = [column for column, words in columns.items() if len(words) == len(theirs)]
    return Join(name, same, rows, key.kind == "name", doubt)


def _names_twice(theirs: list[str], key: _Key) -> bool:
    """Return whether a column has most ids or names of the samples, and several rows for some."""
    ours, found = {*key.words}, {*theirs}
    is_key = key.kind != "row" and len(ours) == len(key.words)
    return is_key and found <= ours and len(ours) < 2 * len(found) < 2 * len(theirs)


def _is_matrix(variable: Variable) -> bool:
    return variable.matlab_class in NUMERIC and len(long_axes(variable.shape)) > 1
