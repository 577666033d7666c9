"""Strings, categoricals and tables of MATLAB files from version 5, and what lies in structs.

MathWorks does not document the format of objects. A variable holds a reference: 0xDD000000, a
shape, ids of objects and the id of their class. The objects are in the subsystem data, a cell
array: its first cell maps ids to classes, names and positions, the others hold the properties. The
subsystem data is at the end of a file, or in `#subsystem#/MCOS` of HDF5.

The package mat-io reads objects, too, but only from a path, which the sandbox does not allow, and
without listing the columns of a table or their shapes before it has read everything.
"""

from __future__ import annotations

import codecs
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from .arrays import UNKNOWN, Array, read_variable
from .errors import FileError, quote
from .variables import DEEPEST, Header, Value, walk_value

MISSING = 2**64 - 1  # stands for the length of a string
# Functions, not names, because a reader cannot load codecs under its limits.
UTF_16 = {"<": codecs.utf_16_le_decode, ">": codecs.utf_16_be_decode}

Walk = Iterator[tuple[Header, Value]]


def open_subsystem(data: bytes, order: str) -> Sequence[Array]:
    """Read the subsystem data: a file in an array of bytes, whose only variable is a struct."""
    (start,) = struct.unpack_from(f"{order}Q", data, 116)
    inside = bytes(read_variable(memoryview(data)[start:], order).values)
    systems = read_variable(memoryview(inside)[8:], order)
    wrapper = systems.parts[systems.names.index("MCOS")]
    return wrapper.parts[0].parts


class Objects:
    """The objects of a file, which are found by their references."""

    def __init__(self, open_cells: Callable[[], Sequence[Array]], order: str) -> None:
        self._open_cells, self.order = open_cells, order

    @cached_property
    def cells(self) -> Sequence[Array]:
        return self._open_cells()

    @cached_property
    def regions(self) -> list[Any]:
        """The regions of the first cell: names, then tables of classes, properties and objects."""
        ties = bytes(self.cells[0].values)
        _, count, *starts = struct.unpack_from(f"{self.order}10I", ties)
        names = [name.decode() for name in ties[40 : starts[0]].split(b"\0")[:count]]
        places = pairwise(starts[:5])
        return [names, *(np.frombuffer(ties[a:b], f"{self.order}u4") for a, b in places)]

    @cached_property
    def blocks(self) -> list[list[Any]]:
        """The properties of objects with a `saveobj` method of their own, and of all others."""
        return [list(iterate_triples(self.regions[region])) for region in (2, 4)]

    def properties(self, number: int) -> tuple[str, dict[str, Array]]:
        """Return the class of an object, and those of its properties that are arrays."""
        names, classes, _, objects, _ = self.regions
        kind, _, _, written, usual, _ = objects[6 * number : 6 * number + 6]
        triples = self.blocks[0][written] if written else self.blocks[1][usual]
        found = {names[name - 1]: self.cells[2 + at] for name, how, at in triples if how == 1}
        return names[classes[4 * kind + 1] - 1], found

    def open_value(self, array: Array) -> Value:
        """Return the value of an object, if it can be read."""
        try:
            return self.open(array.parts[0])._replace(kind=array.held_class)
        except UNKNOWN:
            return Value(array.held_class, ())

    def open(self, reference: Array, within: str = "") -> Value:
        _, axes, *rest = reference.values.tolist()
        if rest[:axes] != [1] * axes or len(rest) != axes + 2:  # an array of objects
            return Value("object", ())
        kind, properties = self.properties(rest[axes])
        if kind == "string":
            return open_string(properties["any"], self.order)
        if kind == "categorical" and within != kind:
            return self.categorical(properties)
        if kind == "table" and not within:
            rows, columns = (int(properties[name].values[0]) for name in ("nrows", "nvars"))
            names, data = properties["varnames"].texts(), properties["data"].parts
            fields = {name: self.column(part) for name, part in zip(names, data, strict=True)}
            return Value(kind, (rows, columns), fields=fields)
        return Value(kind, ())

    def column(self, data: Array) -> Value:
        if not data.is_reference():
            return Value(data.kind, data.shape, data.read)
        try:
            return self.open(data, "table")
        except UNKNOWN:
            return Value("object", ())

    def categorical(self, properties: dict[str, Array]) -> Value:
        """Return the name of the category of each element, empty if it is undefined."""
        codes, held = properties["codes"], properties["categoryNames"]
        names = self.open(held, "categorical").read() if held.is_reference() else held.texts()
        labels = np.array(["", *names])
        if codes.values.max(initial=0) >= len(labels) or codes.values.min(initial=0) < 0:
            raise FileError("The file is damaged: a category has no name.")
        return Value("categorical", codes.shape, lambda: labels[codes.values.astype(int)])


def iterate_triples(words: Any) -> Iterator[Any]:
    """Yield blocks of triples: each begins with their count and is padded to eight bytes."""
    at = 0
    while at < len(words):
        count = int(words[at])
        yield words[at + 1 : at + 1 + 3 * count].reshape(count, 3)
        at += 1 + 3 * count
        at += at % 2


def open_string(packed: Array, order: str) -> Value:
    """Unpack a string array: a version, the shape, the lengths of the strings, their letters."""
    numbers = packed.values
    axes = int(numbers[1])
    shape = tuple(numbers[2 : 2 + axes].tolist())
    lengths = numbers[2 + axes : 2 + axes + prod(shape)].tolist()
    lengths = [0 if length == MISSING else 2 * length for length in lengths]
    letters = numbers[2 + axes + prod(shape) :].tobytes()
    complete = len(shape) == axes and len(lengths) == prod(shape) and sum(lengths) <= len(letters)
    if numbers[0] != 1 or not complete:
        raise FileError("The file is damaged: a string array is not as long as it says.")

    def read() -> Any:
        words, at = [], 0
        for length in lengths:
            words.append(UTF_16[order](letters[at : at + length], "replace")[0])
            at += length
        return np.array(words)

    return Value("string", shape, read)


def walk_array(path: tuple[str, ...], array: Array, objects: Objects) -> Walk:
    """Yield the header and value of an array and, if it is a struct, those of its fields.

    The fields of a struct array, or of structs in cells, are cell arrays, by the first struct.
    """
    kind, shape = array.kind, array.shape
    if array.held_class:  # an object, whose properties are in the subsystem
        yield from walk_value(path, objects.open_value(array))
        return
    in_cells = array.holds_structs()
    yield Header(path, "struct" if in_cells else kind, shape), Value(kind, shape, array.read)
    if not (in_cells or kind == "struct") or len(path) > DEEPEST:
        return
    if array.is_single_struct():
        for name, part in zip(array.names, array.parts, strict=True):
            yield from walk_array((*path, name), part, objects)
        return
    first = array.parts[0] if in_cells else array
    for name in first.names:
        inner: list[Header] = [Header((*path, name), "cell", shape)]
        if first.parts:
            part = first.parts[first.names.index(name)]
            inner = [header for header, _ in walk_array((*path, name), part, objects)]
        for each in inner:
            kind = "struct" if each.kind == "struct" else "cell"
            read = partial(lambda at: _select(array, at, len(path)).read(), each.path)
            yield Header(each.path, kind, shape), Value(kind, shape, read)


def _select(array: Array, path: tuple[str, ...], at: int) -> Array:
    """Return the field at a path, from this name on; of structs in cells, a cell array."""
    for place in range(at, len(path)):
        has_field = array.kind == "struct" and path[place] in array.names
        if has_field and array.is_single_struct():
            array = array.parts[array.names.index(path[place])]
        elif has_field:
            fields = array.parts[array.names.index(path[place]) :: len(array.names)]
            cells = tuple(_select(each, path, place + 1) for each in fields)
            return Array("cell", array.shape, parts=cells)
        elif array.kind == "cell":
            cells = tuple(_select(each, path, place) for each in array.parts)
            return Array("cell", array.shape, parts=cells)
        else:
            outer, field = quote(".".join(path[:place])), quote(path[place])
            raise FileError(f"Not every cell of {outer} has a field {field}.")
    return array
