"""Variables that are made of others: columns, cells, events, and what comes once a subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .formats.errors import MatFileError, too_large_error
from .formats.variables import COLUMN, EACH, LARGEST_ARRAY, NUMERIC, READABLE, are_parts, size_of
from .infer.context import label_likelihood
from .layout import Read, Variable, long_axes

AT_ZERO = " at time 0"  # in a name: of the events of EEGLAB, one for each epoch
MOST_COLUMNS = 10  # of a matrix of labels
MOST_VIEWS = 10  # cells of a cell array
MOST_PATTERNS = 20  # names that stand for the variables of all subjects

Own = Mapping[str, Variable]  # the variables in the files, by name


class Part(NamedTuple):
    """A variable that is made of others."""

    variable: Variable
    sources: list[str]  # the variables of the files
    read: Callable[[], Any]  # returns an array, or cells in an array of objects


def find_parts(own: Own, read: Read, read_all: Callable[[list[str]], list[Any]]) -> dict[str, Part]:
    """Find the variables that are made of those in the files, by name."""
    finders = _find_series(own, read_all), _find_columns(own, read)
    found = [part for parts in finders for part in parts]
    found += [*_find_views(own, read), *_find_events(own, read)]
    return {each.variable.name: each for each in found if each.variable.name not in own}


def _find_columns(own: Own, read: Read) -> Iterator[Part]:
    """Find the columns of matrices that are called like labels."""
    for name, each in own.items():
        if EACH in name or each.matlab_class not in NUMERIC or len(each.shape) != 2:
            continue
        n, count = each.shape
        if label_likelihood(name) > 0 and 2 <= count <= MOST_COLUMNS < n:
            for column in range(count):
                part = Variable(f"{name}{COLUMN}{column + 1})", each.matlab_class, (n, 1))
                yield Part(part, [name], partial(_read_column, read, name, column))


def _read_column(read: Read, name: str, column: int) -> Any:
    return read(name)[:, [column]]


def _find_views(own: Own, read: Read) -> Iterator[Part]:
    """Find cells that hold other entries of the same samples, as many as labels of the file."""
    labels = {prod(each.shape) for name, each in own.items() if label_likelihood(name) > 0}
    for name, each in own.items():
        count = prod(each.shape)
        is_cell = each.matlab_class == "cell" and EACH not in name
        if not is_cell or not 2 <= count <= MOST_VIEWS or count in labels:
            continue
        with suppress(MatFileError):
            sizes = read(f"size({name}{{:}})")
            along = [n for n in sizes[0] if (sizes == n).any(axis=1).all() and n in labels]
            if along and sizes.shape[1] == 2:
                for number, shape in enumerate(sizes.tolist(), start=1):
                    cell = f"{name}{{{number}}}"
                    yield Part(Variable(cell, "double", tuple(shape)), [name], partial(read, cell))


def _find_events(own: Own, read: Read) -> Iterator[Part]:
    """Find the events of EEGLAB, of which an epoch may have several: those at time 0."""
    for name, each in own.items():
        epochs = own.get(f"{name.removesuffix('type')}epoch")
        if name.endswith("event.type") and epochs and epochs.shape == each.shape:
            with suppress(MatFileError):
                n = len(np.unique(read(epochs.name)))
                if n < prod(each.shape):
                    events = Variable(name + AT_ZERO, "string", (n, 1))
                    yield Part(events, [name], partial(_read_events, own, name, read))


def _read_events(own: Own, name: str, read: Read) -> Any:
    """Read the type of the event of each epoch that is nearest to time 0."""
    struct = name.removesuffix("type")
    outer = struct.removesuffix("event.")
    kinds, epochs = read(name).ravel("F"), read(f"{struct}epoch").ravel("F").astype(int)
    distance = np.zeros(len(kinds))
    needed = (f"{struct}latency", f"{outer}times", f"{outer}pnts")
    if all(each in own for each in needed):
        latency, times, points = (read(each).ravel("F") for each in needed)
        zero = 1 + np.abs(times).argmin()
        distance = np.abs(latency - (epochs - 1) * points.item() - zero)
    nearest = np.lexsort((distance, epochs))
    _, first = np.unique(epochs[nearest], return_index=True)
    return kinds[nearest[first]]


def _find_series(own: Own, read_all: Callable[[list[str]], list[Any]]) -> Iterator[Part]:
    """Find matrices that come once for each subject, and the other variables that do.

    The fields `S1.X`, `S2.X`, ... of several structs or files, or the variables `X_1`, `X_2`, ...,
    are also the cell array `S*.X` or `X_*`, with one cell for each.
    """
    found: dict[str, dict[str, Variable]] = {}
    for name, variable in own.items():
        if variable.matlab_class in READABLE and 0 not in variable.shape and EACH not in name:
            for pattern, place in _list_patterns(name):
                found.setdefault(pattern, {}).setdefault(place, variable)
    # Of two patterns for the same variables, `S*.X` and `*.X`, only the first is kept.
    kept: dict[frozenset[str], str] = {}
    for pattern, members in found.items():
        if len(members) > 1 and not are_parts(members):  # else no subjects
            kept.setdefault(frozenset(each.name for each in members.values()), pattern)
    of_matrices = {
        frozenset(found[pattern])
        for pattern in kept.values()
        if all(_is_matrix(each) for each in found[pattern].values())
    }
    some = [pattern for pattern in kept.values() if frozenset(found[pattern]) in of_matrices]
    for pattern in some[:MOST_PATTERNS]:
        members = found[pattern]
        ordered = [members[place] for place in sorted(members, key=_sort_key)]
        cells = Variable(pattern, "cell", (len(ordered), 1))
        yield Part(
            cells,
            [each.name for each in ordered],
            partial(_read_series, pattern, ordered, read_all),
        )


def _list_patterns(name: str) -> Iterator[tuple[str, str]]:
    """Yield the patterns of a name, numbers first, each with the part that `*` stands for."""
    for number in re.finditer(r"\d+", name):
        yield name[: number.start()] + EACH + name[number.end() :], number.group()
    path = name.split(".")
    for at, part in enumerate(path[:-1]):
        yield ".".join((*path[:at], EACH, *path[at + 1 :])), part


def _is_matrix(variable: Variable) -> bool:
    return variable.matlab_class in NUMERIC and len(long_axes(variable.shape)) > 1


def _sort_key(place: str) -> tuple[list[int], str]:
    """Return a key that sorts S2 before S10."""
    return [int(number) for number in re.findall(r"\d+", place)], place


def _read_series(
    name: str, members: list[Variable], read_all: Callable[[list[str]], list[Any]]
) -> Any:
    """Return a cell array of these variables."""
    if sum(size_of(each.matlab_class, each.shape) for each in members) > LARGEST_ARRAY:
        raise too_large_error(name, members[0].shape)
    cells = np.empty((len(members), 1), object)
    for i, values in enumerate(read_all([each.name for each in members])):
        cells[i, 0] = values
    return cells
