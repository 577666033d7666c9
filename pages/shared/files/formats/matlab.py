"""MATLAB 4 to 7. Headers are read here, in pure Python; the numbers are read by `scipy.io`, which
can crash by a signal on a damaged file.
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
from .errors import CUT_OFF, MatFileError, missing_field_error, quote
from .variables import DEEPEST, MOST_VARIABLES, Header, Value, walk_value

LONGEST_ELEMENT = 1 << 20  # bytes of a name or of a struct's field names

# In the order of their codes in a file.
CLASSES = [
    *("unknown", "cell", "struct", "object", "char", "sparse", "double", "single"),
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("function_handle", "opaque"),
]
MATRIX, COMPRESSED = 14, 15  # data types of top-level elements
# What may follow the last element: another file, or nothing.
TRAILER = re.compile(rb"MATLAB|[\0\s]*\Z")


class Cursor:
    """A stream that counts its bytes and raises an error when it ends too early."""

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

    def read_words(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"{self._order}{count}I", self.read(4 * count))

    def read_element(self) -> bytes:
        """Read the next small element: flags, dimensions or names."""
        (word,) = self.read_words(1)
        if word >> 16:  # four bytes or fewer share the tag
            return self.read(4)[: word >> 16]
        (size,) = self.read_words(1)
        if size > LONGEST_ELEMENT:
            raise MatFileError(f"The file is damaged: it holds a name of {size:,} bytes.")
        data = self.read(size)
        self.read(-size % 8)
        return data

    def read_matrix(self) -> bytes:
        """Read an array that is small enough for a reference; return nothing for any other."""
        kind, size = self.read_words(2)
        return self.read(size) if kind == MATRIX and size <= LONGEST_ELEMENT else b""

    def read_integers(self) -> tuple[int, ...]:
        data = self.read_element()
        return struct.unpack(f"{self._order}{len(data) // 4}i", data)

    def read_text(self) -> str:
        return self.read_element().rstrip(b"\0").decode("latin1")  # as scipy.io decodes names


def make_inflating_reader(data: bytes) -> Callable[[int], bytes]:
    """Return a `read` function for a zlib stream that inflates only as much as is read."""
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
    """Yield the header of each variable and field, without reading numbers."""
    return (header for header, _ in walk_contents(data))


def walk_contents(data: bytes) -> Iterator[tuple[Header, Value | None]]:
    """Yield the header of each variable and field; for objects and their parts also the value."""
    mark = data[126:128]  # "MI" in the byte order of the writer's machine
    version = {b"IM": data[125:126], b"MI": data[124:125]}.get(mark, b"")
    if version == b"\1":
        yield from walk_contents_5(data)
    elif len(data) >= 20 and is_version_4(data):
        from scipy.io import whosmat

        for name, shape, kind in whosmat(io.BytesIO(data), chars_as_strings=False):
            yield Header((name,), kind, shape), None
    else:
        raise MatFileError(
            "This type of file is not supported. It must be a file of MATLAB, HDF5 or NumPy, a "
            "table, or a .zip of images."
        )


def walk_contents_5(data: bytes) -> Iterator[tuple[Header, Value | None]]:
    """Yield the headers and values of a v5, v6 or v7 file."""
    order = "<" if data[126:128] == b"IM" else ">"
    objects = mcos.Objects(lambda: mcos.open_subsystem(data, order), order)
    file = Cursor(io.BytesIO(data).read, order)
    file.skip_to(128)
    whole = 0
    while (start := file.at) < len(data):
        try:
            found = read_element(file, data, order, objects)
        except (MatFileError, zlib.error, struct.error) as error:
            if not whole:
                raise
            yield describe_lost(data, start, order, str(error) == CUT_OFF), None
            return
        if found is None:
            return
        whole += len(found)
        yield from found


Found = list[tuple[Header, Value | None]]


def read_element(file: Cursor, data: bytes, order: str, objects: mcos.Objects) -> Found | None:
    """Read the headers and values in the next top-level element; return None after the last."""
    start = file.at
    kind, size = file.read_words(2) if len(data) - start >= 8 else (0, 0)
    end = file.at + size
    if kind == COMPRESSED:
        inside = Cursor(make_inflating_reader(file.read(size)), order)
        kind, size = inside.read_words(2)
    else:
        inside = file
    if kind != MATRIX:
        if start > 128 and TRAILER.match(data, start):
            return None
        raise MatFileError(f"The file is damaged: no variable begins at byte {start:,}.")
    found: Found = []
    for header, value in islice(walk_matrix(inside, (), objects), MOST_VARIABLES + 1):
        if header.kind == "char" and len(header.path) == 1:  # SciPy fails beyond 16 bits
            value = Value("char", header.shape, partial(read_text, data, start, order))
        found.append((header, value))
    file.skip_to(end)
    return found


def describe_lost(data: bytes, start: int, order: str, cut_off: bool) -> Header:
    """Return the readable part of the header of an array that cannot be read."""
    name = f"what begins at byte {start:,}"
    with suppress(MatFileError, zlib.error, struct.error):
        cursor = Cursor(io.BytesIO(data[start:]).read, order)
        kind, _ = cursor.read_words(2)
        if kind == COMPRESSED:
            cursor = Cursor(make_inflating_reader(data[start + 8 :]), order)
            kind, _ = cursor.read_words(2)
        if kind == MATRIX:
            cursor.read_integers()
            cursor.read_integers()
            name = cursor.read_text() or name
    return Header((name,), "array that was cut off" if cut_off else "damaged object", ())


def read_text(data: bytes, start: int, order: str) -> Any:
    """Read the rows of the char array whose data element begins at this byte."""
    return mcos.read_variable(memoryview(data)[start:], order).read()


def walk_matrix(
    cursor: Cursor, parents: tuple[str, ...], objects: mcos.Objects, field: str | None = None
) -> Iterator[tuple[Header, Value | None]]:
    """Yield the header of one array and, if it is a struct, those of its fields.

    A cell array of structs is treated as a struct array.
    """
    kind, shape = read_head(cursor)
    name = cursor.read_text()
    path = (*parents, name if field is None else field)
    if kind == "opaque":  # string, table, categorical: no dimensions, but "MCOS" and the class
        cursor.read_element()
        kind, reference = cursor.read_text(), memoryview(cursor.read_matrix())
        value = objects.open_value(kind, lambda: mcos.read_array(reference, objects.order))
        yield from walk_value(path, value)
        return
    if path == ("",):  # the workspace of function handles is not a variable
        return
    if min(shape, default=-1) < 0 or len(shape) < 2:
        raise MatFileError(f"The file is damaged: {quote(name)} has the shape {quote(shape)}.")
    in_cells = kind == "cell" and prod(shape) > 0 and is_struct(cursor)
    yield Header(path, "struct" if in_cells else kind, shape), None
    if (in_cells or kind == "struct") and len(path) <= DEEPEST:
        if in_cells or prod(shape) != 1:
            yield from walk_array_fields(cursor, path, shape, objects)
        else:
            for _, found in walk_fields(cursor, path, objects):
                yield from found


def read_head(cursor: Cursor) -> tuple[str, tuple[int, ...]]:
    """Read the class and the shape of an array, before its name; objects have no shape."""
    if not (words := cursor.read_integers()):
        raise MatFileError("The file is damaged: an array does not tell its class.")
    flags = words[0]
    code = flags & 0xFF
    kind = "logical" if flags & 0x200 else CLASSES[code] if code < len(CLASSES) else "unknown"
    return kind, cursor.read_integers() if kind != "opaque" else ()


def is_struct(cursor: Cursor) -> bool:
    """Return whether the first cell here is a struct; if so, its fields follow."""
    kind_of_element, size = cursor.read_words(2)
    found = kind_of_element == MATRIX and size > 0 and read_head(cursor)[0] == "struct"
    if found:
        cursor.read_text()
    return found


Lists = Iterator[tuple[Header, Value | None]]


def walk_fields(
    cursor: Cursor, path: tuple[str, ...], objects: mcos.Objects, empty: bool = False
) -> Iterator[tuple[str, Lists]]:
    """Yield the name and the headers of each field of the struct that begins here.

    The fields of an empty struct array have no headers.
    """
    (length,) = cursor.read_integers()
    names = cursor.read_element()
    for at in range(0, len(names), max(length, 1)):
        field = names[at : at + length].split(b"\0")[0].decode("latin1")
        if empty:
            yield field, iter(())
            continue
        kind, size = cursor.read_words(2)
        end = cursor.at + size
        if kind != MATRIX:
            raise MatFileError(f"The file is damaged in the struct {quote('.'.join(path))}.")
        # An element of size zero is an empty field without a header.
        yield field, walk_matrix(cursor, path, objects, field) if size else iter(())
        cursor.skip_to(end)


def walk_array_fields(
    cursor: Cursor, path: tuple[str, ...], shape: tuple[int, ...], objects: mcos.Objects
) -> Lists:
    """Yield the headers of a struct array's fields, each as a cell array, by its first struct."""
    for field, found in walk_fields(cursor, path, objects, not prod(shape)):
        (_, kind, _), *inner = [header for header, _ in found] or [Header((), "", ())]
        for each in (Header((*path, field), kind, shape), *inner):
            yield (
                each._replace(kind="struct" if each.kind == "struct" else "cell", shape=shape),
                None,
            )


def is_version_4(data: bytes) -> bool:
    """Return whether a file begins like MATLAB 4: no magic number, but a type word below 5,000."""
    return 0 in data[:4] and any(0 <= struct.unpack(f"{o}i", data[:4])[0] < 5000 for o in "<>")


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers, in the form in which SciPy returns them."""
    from scipy.io import loadmat

    objects = {header: value for header, value in reversed(list(walk_contents(data))) if value}
    names = [header.path[0] for header in found if header not in objects]
    loaded = loadmat(io.BytesIO(data), variable_names=names) if names else {}
    values: list[Any] = []
    for header in found:
        try:
            known = header in objects
            values.append(
                objects[header].read()
                if known
                else select_path(loaded[header.path[0]], header.path, 1)
            )
        except MatFileError as error:
            values.append(error)
    return values


def select_path(value: Any, path: tuple[str, ...], at: int) -> Any:
    """Return the field at a path, from this name on; of a cell array of structs, a cell array."""
    for field in path[at:]:
        if value.dtype == object:
            cells = np.empty(value.shape, object)
            for place in np.ndindex(cells.shape):
                cells[place] = select_path(value[place], path, at)
            return cells
        if field not in (value.dtype.names or ()):
            raise missing_field_error(path, at)
        value = value[field]
        at += 1
        if value.size == 1:
            value = value.item()
    return value
