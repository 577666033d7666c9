"""Arrays of MATLAB files from version 5: numbers, texts, cells and structs, read when needed."""

from __future__ import annotations

import codecs
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .errors import CUT_OFF, FileError, quote
from .plain_arrays import decode_rows
from .variables import DEEPEST

MAGIC = 0xDD000000
LARGEST_INFLATED = 1 << 28  # bytes
LONGEST_NAME = 4096  # bytes
MATRIX, COMPRESSED = 14, 15  # types of data elements
NUMBERS = {
    **{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4"},
    **{7: "f4", 9: "f8", 12: "i8", 13: "u8"},
}
# Functions, not names, because a reader cannot load codecs under its limits.
DECODE = {1: codecs.latin_1_decode, 2: codecs.latin_1_decode, 16: codecs.utf_8_decode}
CELL, STRUCT, OBJECT, CHAR, SPARSE, OPAQUE = 1, 2, 3, 4, 5, 17  # classes of arrays
NUMERIC = {
    **{6: ("double", "f8"), 7: ("single", "f4"), 8: ("int8", "i1"), 9: ("uint8", "u1")},
    **{10: ("int16", "i2"), 11: ("uint16", "u2"), 12: ("int32", "i4"), 13: ("uint32", "u4")},
    **{14: ("int64", "i8"), 15: ("uint64", "u8")},
}
KINDS = {code: kind for code, (kind, _) in NUMERIC.items()}
KINDS |= {CELL: "cell", STRUCT: "struct", OBJECT: "object", CHAR: "char", SPARSE: "sparse"}
KINDS |= {16: "function_handle", OPAQUE: "opaque"}
# The errors that an array, or objects, of an unknown layout may raise.
UNKNOWN = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError),
    *(StopIteration, TypeError, ValueError, struct.error, zlib.error),
)


Elements = Iterator[tuple[int, memoryview]]  # the type and the content of each


class Parts(Sequence["Array"]):
    """The fields of a struct or the cells of a cell array, each opened when it is needed."""

    def __init__(self, length: int, open_part: Callable[[int], Array]) -> None:
        self.length, self.open_part = length, open_part

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self.open_part(each) for each in range(*place.indices(self.length))]
        if not 0 <= place < self.length:
            raise IndexError(place)
        return self.open_part(place)


class Array(NamedTuple):
    """An array, whose numbers are not copied until they are read."""

    kind: str
    shape: tuple[int, ...]
    values: Any = None  # of numbers, flat; the rows of a char array
    dtype: str = ""
    parts: Sequence[Array] = ()  # cells, values of fields, what an opaque array refers to
    names: tuple[str, ...] = ()  # of fields
    held_class: str = ""  # of an object, to which the only part refers

    def read(self) -> Any:
        """Return numbers in their shape, a text, cells as an array of objects, or else itself."""
        if self.kind == "char":  # None for letters along three axes
            return None if self.values is None else np.array(self.values, dtype=str)
        if self.kind == "cell":
            box = np.empty(len(self.parts), object)
            for place, part in enumerate(self.parts):
                box[place] = Array("object", ()) if part.is_reference() else part.read()
            return box.reshape(self.shape, order="F")
        if self.values is None:  # a struct, or an object, which a cell cannot hold
            return self
        if self.kind == "sparse" or self.dtype == "sparse":
            return self._read_sparse()
        return self.values.astype(self.dtype, copy=False).reshape(self.shape, order="F")

    def is_single_struct(self) -> bool:
        return self.kind == "struct" and len(self.parts) == len(self.names)

    def holds_structs(self) -> bool:
        """Return whether it is a cell array whose first cell is a struct; the others should be."""
        with suppress(FileError, *UNKNOWN):  # raised again where the cells are read
            return self.kind == "cell" and len(self.parts) > 0 and self.parts[0].kind == "struct"
        return False

    def _read_sparse(self) -> Any:
        rows, starts, *values = (part.values for part in self.parts)
        complete = values[0] + 1j * values[1] if len(values) > 1 else values[0]
        whole = fill_in_zeros(complete, rows[: len(complete)], starts, self.shape)
        return whole.astype("?" if self.kind == "logical" else complete.dtype)

    def texts(self) -> list[str]:
        """Return the texts in a cell array of texts."""
        return ["".join(part.values) if part.kind == "char" else "" for part in self.parts]

    def is_reference(self) -> bool:
        """Return whether it refers to an object; MATLAB, too, recognises it only by its numbers."""
        return self.kind == "uint32" and len(self.values) > 3 and self.values[0] == MAGIC


def fill_in_zeros(values: Any, rows: Any, starts: Any, shape: tuple[int, ...]) -> Any:
    """Return a sparse matrix with its zeros; its indices are checked before they are used."""
    from scipy.sparse import csc_matrix

    matrix = csc_matrix((values, rows, starts), shape)
    matrix.check_format(full_check=True)  # toarray writes wherever the indices say
    return matrix.toarray()


def iterate_elements(data: memoryview, order: str) -> Elements:
    """Yield the type and the content of consecutive data elements."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}2I", data, at)
        start, end = at + 8, at + 8 + size
        if kind >> 16:  # four bytes or fewer share the tag
            kind, start, end = kind & 0xFFFF, at + 4, at + 4 + (kind >> 16)
        if end > len(data):
            raise FileError(CUT_OFF)
        yield kind, data[start:end]
        at = end + -end % 8


class Head(NamedTuple):
    """What comes before the content of an array."""

    kind: str
    shape: tuple[int, ...]  # empty for an object
    name: str
    code: int
    is_logical: bool


def read_head(elements: Elements, order: str) -> Head:
    """Read class, shape and name, the first elements of an array, which may be cut off."""
    (word,) = struct.unpack_from(f"{order}I", next(elements)[1])
    code, is_logical = word & 0xFF, bool(word & 0x200)
    shape: tuple[int, ...] = ()
    if code != OPAQUE:
        lengths = next(elements)[1]
        shape = struct.unpack_from(f"{order}{len(lengths) // 4}i", lengths)
        if len(shape) < 2 or min(shape) < 0:
            raise FileError(f"The file is damaged: an array has the shape {quote(shape)}.")
    letters = bytes(next(elements)[1][:LONGEST_NAME])
    name = letters.split(b"\0")[0].decode("latin1")  # as SciPy does
    kind = "logical" if is_logical else KINDS.get(code, "unknown")
    return Head(kind, shape, name, code, is_logical)


def read_array(content: memoryview, order: str, depth: int = 0) -> Array:
    """Read the array in a data element of type MATRIX; an element without bytes is []."""
    if not content:
        return Array("double", (0, 0), np.empty(0), "f8")
    if depth > DEEPEST:
        return Array("unknown", ())
    elements = iterate_elements(content, order)
    kind, shape, _, code, is_logical = read_head(elements, order)
    if kind in ("unknown", "function_handle"):
        return Array(kind, shape)
    held = list(elements)
    if code == OBJECT:  # of a class of old: its name, then the fields of a struct
        held = held[1:]
        kind = "struct" if len(held) > 1 and held[1][1] else kind
    if code == OPAQUE:  # "MCOS", the class, and a reference
        (_, _), (_, named), (_, reference), *_ = held
        held_class = bytes(named[:LONGEST_NAME]).rstrip(b"\0").decode("latin1")
        return Array(
            kind, (), parts=(read_array(reference, order, depth + 1),), held_class=held_class
        )
    if code in (CELL, STRUCT, OBJECT):
        names: tuple[str, ...] = ()
        if code != CELL:
            (length,) = struct.unpack_from(f"{order}i", held[0][1])
            packed = bytes(held[1][1])
            starts = range(0, len(packed), max(length, 1))
            names = tuple(
                packed[at : at + length].split(b"\0")[0].decode("latin1") for at in starts
            )
            held = held[2:]
        if len(held) != prod(shape) * (1 if code == CELL else len(names)):
            raise FileError(CUT_OFF)
        inner = Parts(len(held), lambda place: read_array(held[place][1], order, depth + 1))
        return Array(kind, shape, parts=inner, names=names)
    if code == CHAR:
        coding, letters = held[0]
        return Array("char", shape, split_rows(letters, coding, shape, order))
    numbers = [np.frombuffer(part, order + NUMBERS[coding]) for coding, part in held]
    if code == SPARSE:
        parts = tuple(Array("", each.shape, each) for each in numbers)
        return Array(kind, shape, numbers[0], "sparse", parts)
    (_, dtype), values = NUMERIC[code], numbers[0]
    if len(values) != prod(shape):
        raise FileError(CUT_OFF)
    if len(numbers) > 1:
        values = values.astype("c16")
        values.imag = numbers[1]  # 1j * infinity would have the real part NaN
        dtype = "c16"
    return Array(kind, shape, values, "?" if is_logical else dtype)


def split_rows(letters: memoryview, kind: int, shape: tuple[int, ...], order: str) -> Any:
    """Split a char array into rows; MATLAB counts its letters in UTF-16 units, SciPy as letters."""
    if len(shape) > 2 or not prod(shape):
        return None if prod(shape) else []
    if kind in DECODE:
        text = DECODE[kind](letters, "replace")[0]
        if len(text) == prod(shape):
            return [text[row :: shape[0]] for row in range(shape[0])]
        letters, order = memoryview(codecs.utf_16_le_encode(text)[0]), "<"
    return decode_rows(np.frombuffer(letters, f"{order}u2").reshape(shape, order="F"))


def inflate(packed: memoryview, longest: int) -> memoryview:
    """Inflate a data element, which may be cut off, to no more than so many bytes."""
    return memoryview(zlib.decompressobj().decompress(packed, longest))


def read_variable(data: memoryview, order: str) -> Array:
    """Read the array in the data element, compressed or not, that begins here."""
    kind, content = next(iterate_elements(data, order))
    if kind == COMPRESSED:
        kind, content = next(iterate_elements(inflate(content, LARGEST_INFLATED), order))
    return read_array(content, order)
