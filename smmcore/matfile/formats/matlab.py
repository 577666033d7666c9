"""MATLAB 4 to 7. Headers are read here, in pure Python; the numbers are left to `scipy.io`, which a
damaged file can kill by signal.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from . import mcos
from .variables import (
    CUT_OFF,
    DEEPEST,
    MOST_VARIABLES,
    Header,
    MatFileError,
    Value,
    lacking,
    listed,
    shown,
)

LONGEST_ELEMENT = 1 << 20  # bytes of a name or of a struct's field names

# In the order of their codes in a file.
CLASSES = [
    *("unknown", "cell", "struct", "object", "char", "sparse", "double", "single"),
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("function_handle", "opaque"),
]
MATRIX, COMPRESSED = 14, 15  # data types of top-level elements
TRAILER = re.compile(rb"MATLAB|[\0\s]*\Z")  # what may stand behind the last: a file, or nothing


class Cursor:
    """A stream that knows where it is and calls a short read by its name."""

    def __init__(self, read: Callable[[int], bytes], order: str) -> None:
        self.at, self._read, self._order = 0, read, order

    def read(self, size: int) -> bytes:
        data = self._read(size)
        if len(data) < size:
            raise MatFileError(CUT_OFF)
        self.at += size
        return data

    def skip_to(self, at: int) -> None:
        while self.at < at:
            self.read(min(at - self.at, 1 << 20))

    def words(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"{self._order}{count}I", self.read(4 * count))

    def element(self) -> bytes:
        """The bytes of the next small element: flags, dimensions or names."""
        (word,) = self.words(1)
        if word >> 16:  # four bytes or fewer share the tag
            return self.read(4)[: word >> 16]
        (size,) = self.words(1)
        if size > LONGEST_ELEMENT:
            raise MatFileError(f"The file is damaged: it holds a name of {size:,} bytes.")
        data = self.read(size)
        self.read(-size % 8)
        return data

    def matrix(self) -> bytes:
        """The content of an array that fits a reference; nothing of any other."""
        kind, size = self.words(2)
        return self.read(size) if kind == MATRIX and size <= LONGEST_ELEMENT else b""

    def integers(self) -> tuple[int, ...]:
        data = self.element()
        return struct.unpack(f"{self._order}{len(data) // 4}i", data)

    def text(self) -> str:
        return self.element().rstrip(b"\0").decode("latin1")  # as scipy.io decodes names


def inflated(data: bytes) -> Callable[[int], bytes]:
    """A `read` for a zlib stream which inflates no further than it is asked to."""
    inflate, source = zlib.decompressobj(), io.BytesIO(data)

    def read(size: int) -> bytes:
        found = b""
        while len(found) < size:
            packed = inflate.unconsumed_tail or source.read(1 << 14)
            piece = inflate.decompress(packed, size - len(found))
            if not (piece or packed):
                break
            found += piece
        return found

    return read


def headers(data: bytes) -> Iterator[Header]:
    """What a file holds, without reading any numbers."""
    return (header for header, _ in contents(data))


def contents(data: bytes) -> Iterator[tuple[Header, Value | None]]:
    """What a file holds, structs opened; a value where it is an object or a part of one."""
    mark = data[126:128]  # how the writer's machine stored "MI"
    version = {b"IM": data[125:126], b"MI": data[124:125]}.get(mark, b"")
    if version == b"\1":
        yield from contents_5(data)
    elif len(data) >= 20 and is_version_4(data):
        from scipy.io import whosmat

        for name, shape, kind in whosmat(io.BytesIO(data), chars_as_strings=False):
            yield Header((name,), kind, shape), None
    else:
        raise MatFileError(
            "This is no file of MATLAB, HDF5, NumPy or text that can be read: it begins with "
            f"{data[:16]!r}."
        )


def contents_5(data: bytes) -> Iterator[tuple[Header, Value | None]]:
    """What a v5, v6 or v7 file holds."""
    order = "<" if data[126:128] == b"IM" else ">"
    objects = mcos.Objects(lambda: mcos.subsystem(data, order), order)
    file = Cursor(io.BytesIO(data).read, order)
    file.skip_to(128)
    whole = 0
    while (start := file.at) < len(data):
        try:
            found = element(file, data, order, objects)
        except (MatFileError, zlib.error, struct.error) as error:
            if not whole:
                raise
            yield lost(data, start, order, str(error) == CUT_OFF), None
            return
        if found is None:
            return
        whole += len(found)
        yield from found


Found = list[tuple[Header, Value | None]]


def element(file: Cursor, data: bytes, order: str, objects: mcos.Objects) -> Found | None:
    """What the top-level element holds at which the file stands; nothing after the last."""
    start = file.at
    kind, size = file.words(2) if len(data) - start >= 8 else (0, 0)
    end = file.at + size
    if kind == COMPRESSED:
        inside = Cursor(inflated(file.read(size)), order)
        kind, size = inside.words(2)
    else:
        inside = file
    if kind != MATRIX:
        if start > 128 and TRAILER.match(data, start):
            return None
        raise MatFileError(f"The file is damaged: no variable begins at byte {start:,}.")
    found: Found = []
    for header, value in islice(matrix(inside, (), objects), MOST_VARIABLES + 1):
        if header.kind == "char" and len(header.path) == 1:  # SciPy fails beyond 16 bits
            value = Value("char", header.shape, partial(text, data, start, order))
        found.append((header, value))
    file.skip_to(end)
    return found


def lost(data: bytes, start: int, order: str, cut_off: bool) -> Header:
    """What is left of the header of an array that cannot be read."""
    name = f"what begins at byte {start:,}"
    with suppress(MatFileError, zlib.error, struct.error):
        cursor = Cursor(io.BytesIO(data[start:]).read, order)
        kind, _ = cursor.words(2)
        if kind == COMPRESSED:
            cursor = Cursor(inflated(data[start + 8 :]), order)
            kind, _ = cursor.words(2)
        if kind == MATRIX:
            cursor.integers()
            cursor.integers()
            name = cursor.text() or name
    return Header((name,), "array that was cut off" if cut_off else "damaged object", ())


def text(data: bytes, start: int, order: str) -> Any:
    """The rows of the char array whose data element begins here."""
    return mcos.variable(memoryview(data)[start:], order).read()


def matrix(
    cursor: Cursor, parents: tuple[str, ...], objects: mcos.Objects, field: str | None = None
) -> Iterator[tuple[Header, Value | None]]:
    """The header of one array and, where it is a struct, of what it holds.

    Structs in the cells of a cell array are as good as a struct array.
    """
    kind, shape = head(cursor)
    name = cursor.text()
    path = (*parents, name if field is None else field)
    if kind == "opaque":  # string, table, categorical: no dimensions, but "MCOS" and the class
        cursor.element()
        kind, reference = cursor.text(), memoryview(cursor.matrix())
        value = objects.value(kind, lambda: mcos.array(reference, objects.order))
        yield from listed(path, value)
        return
    if path == ("",):  # the workspace of function handles is no variable
        return
    if min(shape, default=-1) < 0 or len(shape) < 2:
        raise MatFileError(f"The file is damaged: {shown(name)} has the shape {shown(shape)}.")
    in_cells = kind == "cell" and prod(shape) > 0 and is_struct(cursor)
    yield Header(path, "struct" if in_cells else kind, shape), None
    if (in_cells or kind == "struct") and len(path) <= DEEPEST:
        if in_cells or prod(shape) != 1:
            yield from fields_of_array(cursor, path, shape, objects)
        else:
            for _, found in fields_of(cursor, path, objects):
                yield from found


def head(cursor: Cursor) -> tuple[str, tuple[int, ...]]:
    """Class and shape of an array, behind which its name stands; objects have no shape."""
    if not (words := cursor.integers()):
        raise MatFileError("The file is damaged: an array does not tell its class.")
    flags = words[0]
    code = flags & 0xFF
    kind = "logical" if flags & 0x200 else CLASSES[code] if code < len(CLASSES) else "unknown"
    return kind, cursor.integers() if kind != "opaque" else ()


def is_struct(cursor: Cursor) -> bool:
    """Whether the first cell here is a struct, whose fields then follow."""
    kind_of_element, size = cursor.words(2)
    found = kind_of_element == MATRIX and size > 0 and head(cursor)[0] == "struct"
    if found:
        cursor.text()
    return found


Lists = Iterator[tuple[Header, Value | None]]


def fields_of(
    cursor: Cursor, path: tuple[str, ...], objects: mcos.Objects, empty: bool = False
) -> Iterator[tuple[str, Lists]]:
    """Each field of the struct that begins here, and what it holds; none of an empty array."""
    (length,) = cursor.integers()
    names = cursor.element()
    for at in range(0, len(names), max(length, 1)):
        field = names[at : at + length].split(b"\0")[0].decode("latin1")
        if empty:
            yield field, iter(())
            continue
        kind, size = cursor.words(2)
        end = cursor.at + size
        if kind != MATRIX:
            raise MatFileError(f"The file is damaged in the struct {shown('.'.join(path))}.")
        # Of size zero: an empty field without any header.
        yield field, matrix(cursor, path, objects, field) if size else iter(())
        cursor.skip_to(end)


def fields_of_array(
    cursor: Cursor, path: tuple[str, ...], shape: tuple[int, ...], objects: mcos.Objects
) -> Lists:
    """Each field of a struct array, as good as a cell array, by the first of its structs."""
    for field, found in fields_of(cursor, path, objects, not prod(shape)):
        (_, kind, _), *inner = [header for header, _ in found] or [Header((), "", ())]
        for each in (Header((*path, field), kind, shape), *inner):
            yield (
                each._replace(kind="struct" if each.kind == "struct" else "cell", shape=shape),
                None,
            )


def is_version_4(data: bytes) -> bool:
    """Whether a file begins like MATLAB 4: no magic number, but a type word below 5,000."""
    return 0 in data[:4] and any(0 <= struct.unpack(f"{o}i", data[:4])[0] < 5000 for o in "<>")


def load(data: bytes, found: list[Header]) -> list[Any]:
    """The variables with these headers, as SciPy has them."""
    from scipy.io import loadmat

    objects = {header: value for header, value in reversed(list(contents(data))) if value}
    names = [header.path[0] for header in found if header not in objects]
    loaded = loadmat(io.BytesIO(data), variable_names=names) if names else {}
    values: list[Any] = []
    for header in found:
        try:
            known = header in objects
            values.append(
                objects[header].read() if known else within(loaded[header.path[0]], header.path, 1)
            )
        except MatFileError as error:
            values.append(error)
    return values


def within(value: Any, path: tuple[str, ...], at: int) -> Any:
    """What lies under the names from this one on; in a cell array of structs, in each."""
    for field in path[at:]:
        if value.dtype == object:
            cells = np.empty(value.shape, object)
            for place in np.ndindex(cells.shape):
                cells[place] = within(value[place], path, at)
            return cells
        if field not in (value.dtype.names or ()):
            raise lacking(path, at)
        value = value[field]
        at += 1
        if value.size == 1:
            value = value.item()
    return value
