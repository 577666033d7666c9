"""Octave's own formats, text and binary, which `save` writes by default; both may be gzipped.

They are read as Octave's `ls-oct-text.cc` and `ls-oct-binary.cc` read them, as there is no other
description. Each count is checked against the data that are there before it is used.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import floor, isfinite, prod
from typing import Any, Literal, NamedTuple

import numpy as np

from .errors import CUT_OFF, MatFileError, format_shape, quote
from .variables import LARGEST_ARRAY, Header, Value, walk_value

TEXT, BINARY, GZIP = (b"# Created by Octave", b"# name: "), b"Octave-1-", b"\x1f\x8b"
LARGEST_INFLATED = 1 << 28  # bytes
MOST_AXES = 32
NESTED = 100  # levels of structs and cells; those deeper than DEEPEST are not listed

FLOATS = {"double": "f8", "single": "f4"}
INTEGERS = {
    f"{kind}{8 * size}": f"{kind[0]}{size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)
}
COMMAS = bytes.maketrans(b"(,)", b"   ")  # (1,2) is 1 + 2i
Order = Literal["C", "F"]
# The types in which floats may be stored, in the order of their codes.
SAVE_TYPES = ["u1", "u2", "u4", "i1", "i2", "i4", "f4", "f8", "u8", "i8"]


class Kind(NamedTuple):
    """The storage of a type, and its class in MATLAB."""

    form: str
    name: str
    dtype: str = ""
    imaginary: bool = False

    @property
    def stored(self) -> str:
        return "u1" if self.dtype == "?" else self.dtype


# By the names of types in Octave.
KINDS = {
    "cell": Kind("cell", "cell"),
    "struct": Kind("struct", "struct"),
    "scalar struct": Kind("struct", "struct"),
    "class": Kind("object", "object"),
    "function handle": Kind("function", "function_handle"),
    "permutation matrix": Kind("permutation", "permutation matrix"),
    "lazy_index": Kind("index", "double"),
    "bool": Kind("scalar", "logical", "?"),
    "bool matrix": Kind("matrix", "logical", "?"),
    "null_matrix": Kind("matrix", "double", "f8"),
    "range": Kind("range", "double", "f8"),
    "double_range": Kind("range", "double", "f8"),
    "sparse matrix": Kind("sparse", "sparse", "f8"),
    "sparse complex matrix": Kind("sparse", "sparse", "f8", True),
    "sparse bool matrix": Kind("sparse", "sparse", "?"),
}
for _name in ("string", "sq_string", "null_string", "null_sq_string"):
    KINDS[_name] = Kind("text", "char")
for _name, _dtype in INTEGERS.items():
    for _form in ("scalar", "matrix"):
        KINDS[f"{_name} {_form}"] = Kind(_form, _name, _dtype)
for _name, _dtype in FLOATS.items():
    for _form in ("scalar", "matrix", "diagonal matrix"):
        for _complex in ("", "complex "):
            _type = f"{'float ' if _name == 'single' else ''}{_complex}{_form}"
            KINDS[_type] = Kind(_form.split()[0], _name, _dtype, bool(_complex))


def damage_error(what: str) -> MatFileError:
    return MatFileError(f"The file is damaged: {what}.")


class OctaveFile:
    """A file and a position in it; the base class of the text and the binary format."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = memoryview(data), at

    def take(self, size: int) -> memoryview:
        """Return the next bytes without copying them."""
        if not 0 <= size <= len(self.data) - self.at:
            raise MatFileError(CUT_OFF)
        self.at += size
        return self.data[self.at - size : self.at]

    def variable(self, depth: int = 0) -> tuple[str, Value]:
        """Read the name and the value that begin here."""
        raise NotImplementedError

    def variables(self, count: int, depth: int) -> list[tuple[str, Value]]:
        """Read this many variables; each takes at least about twenty bytes."""
        if depth > NESTED:
            raise MatFileError(f"The file nests more than {NESTED} structs and cells.")
        if 20 * count > len(self.data) - self.at:
            raise MatFileError(CUT_OFF)
        return [self.variable(depth + 1) for _ in range(count)]

    def cells(self, shape: tuple[int, ...], depth: int) -> Value:
        return make_cell_array(shape, [part for _, part in self.variables(prod(shape), depth)])

    def fields(self, shape: tuple[int, ...], count: int, depth: int) -> Value:
        """Read a struct; each field of a struct array is a cell array."""
        return Value("struct", shape, fields=dict(self.variables(count, depth)))


def make_cell_array(shape: tuple[int, ...], parts: list[Value]) -> Value:
    """Return a cell array, or a struct array if all its cells are structs."""
    if parts and all(part.kind == "struct" for part in parts):
        common = [name for name in parts[0].fields if all(name in part.fields for part in parts)]
        fields = {
            name: make_cell_array(shape, [part.fields[name] for part in parts]) for name in common
        }
        return Value("struct", shape, fields=fields)

    def read() -> Any:
        if sum(8 * prod(part.shape) for part in parts) > LARGEST_ARRAY:
            limit = f"{LARGEST_ARRAY // 10**6} MB"
            raise MatFileError(f"A cell array holds more than the {limit} that can be read.")
        box = np.empty(len(parts), object)
        for place, part in enumerate(parts):
            box[place] = part.read()
        return box.reshape(shape, order="F")

    return Value("cell", shape, read)


def cast_to_kind(values: Any, kind: Kind) -> Any:
    """Convert pairs to complex numbers, and bytes to logical values."""
    if kind.imaginary:
        return values.view(f"c{2 * values.itemsize}")
    return values.astype(kind.dtype, copy=False)


def make_array(
    kind: Kind, shape: tuple[int, ...], numbers: Callable[[], Any], order: Order = "F"
) -> Value:
    return Value(kind.name, shape, lambda: numbers().reshape(shape, order=order))


def make_diagonal(kind: Kind, shape: tuple[int, ...], numbers: Callable[[], Any]) -> Value:
    def read() -> Any:
        values = numbers()
        array = np.zeros(shape, values.dtype)
        np.fill_diagonal(array, values)
        return array

    return Value(kind.name, shape, read)


def make_sparse(shape: tuple[int, ...], rows: Any, columns: Any, values: Any) -> Any:
    """Return a sparse matrix with its zeros."""
    for places, length in ((rows, shape[0]), (columns, shape[1])):
        if len(places) and not 0 <= places.min() <= places.max() < length:
            raise damage_error("a sparse matrix has entries outside it")
    array = np.zeros(shape, values.dtype)
    array[rows, columns] = values
    return array


def make_range(base: float, limit: float, increment: float) -> Value:
    """Return the range base:increment:limit; if the increment is 0, the limit is the length."""
    steps = (limit - base) / increment if increment else limit - 1
    if not isfinite(steps):
        raise damage_error("it holds a range without an end")
    length = max(0, 1 + floor(steps * (1 + 3 * np.finfo(float).eps)))

    def read() -> Any:
        values = base + increment * np.arange(length)[None]
        return values.clip(min(base, limit), max(base, limit)) if increment else values

    return Value("double", (1, length), read)


def decode_utf8_rows(rows: list[bytes]) -> Any:
    return np.array([row.decode("utf-8", "replace") for row in rows], dtype=str)


def split_rows(letters: memoryview, count: int, length: int) -> list[bytes]:
    """Split a matrix of letters, which is stored by columns, into rows."""
    return [bytes(letters[row::count]) for row in range(count)] if length else [b""] * count


def parse_numbers(block: memoryview, dtype: str, count: int) -> Any:
    """Parse exactly this many numbers from text."""
    if 2 * count > len(block) + 1:
        raise MatFileError(CUT_OFF)
    text = bytes(block).translate(COMMAS).strip()
    if b"NA" in text:
        text = re.sub(rb"\bNA\b", b"NaN", text)
    try:
        values = np.fromstring(text, dtype, sep=" ") if text else np.empty(0, dtype)
    except ValueError:
        raise damage_error(f"{quote(text.decode('latin1'), 20)} are not numbers") from None
    if len(values) != count:
        raise damage_error(f"{count:,} numbers were announced, but {len(values):,} are there")
    return values


class TextFile(OctaveFile):
    """The text format: `# name: X`, `# type: matrix`, `# rows: 2`, `# columns: 3`, the numbers."""

    NAME = re.compile(rb"^# name: ", re.MULTILINE)
    HASH = re.compile(rb"^#", re.MULTILINE)
    LINE = re.compile(rb"\s*([^\n]*)\n?")
    PARTS = re.compile(rb"^# (name|length): ", re.MULTILINE)

    def __init__(self, data: bytes) -> None:
        super().__init__(data, 0)

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        while found := self.NAME.search(self.data, self.at):
            self.at = found.start()
            yield self.variable()

    def line(self) -> str:
        """Read the next line that is not blank."""
        found = self.LINE.match(self.data, self.at)
        if found is None or not found[1]:
            raise MatFileError(CUT_OFF)
        self.at = found.end()
        return found[1].decode("utf-8", "replace").rstrip("\r")

    def keyword(self, *names: str) -> tuple[str, str]:
        """Read the next line, `# name: value`, which must have one of these names."""
        line = self.line()
        name, _, value = line.removeprefix("# ").partition(": ")
        if name not in names or not line.startswith("# "):
            raise damage_error(f"{quote(line)} stands where {' or '.join(names)} belongs")
        return name, value

    def count(self, name: str) -> int:
        return self.parse_count(self.keyword(name)[1])

    @staticmethod
    def parse_count(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", word):
            raise damage_error(f"{quote(word)} stands where a count belongs")
        return int(word)

    def shape(self) -> tuple[tuple[int, ...], Order]:
        """Read the lengths of an array, and the order of its numbers."""
        name, value = self.keyword("rows", "ndims")
        if name == "rows":
            return (self.parse_count(value), self.count("columns")), "C"
        return self.lengths(value), "F"

    def lengths(self, axes: str) -> tuple[int, ...]:
        shape = tuple(map(self.parse_count, self.line().split()))
        if len(shape) != self.parse_count(axes) or not 2 <= len(shape) <= MOST_AXES:
            raise damage_error(f"an array of {quote(axes)} axes has {len(shape)} lengths")
        return shape

    def block(self) -> memoryview:
        """Return the bytes before the next hash."""
        found = self.HASH.search(self.data, self.at)
        return self.take((found.start() if found else len(self.data)) - self.at)

    def numbers(self, kind: Kind, count: int) -> Callable[[], Any]:
        """Return a function that reads the block here, which must hold this many numbers."""
        block = self.block()
        return lambda: cast_to_kind(
            parse_numbers(block, kind.stored, count * (1 + kind.imaginary)), kind
        )

    def variable(self, depth: int = 0) -> tuple[str, Value]:
        name = self.keyword("name")[1]
        word = self.keyword("type")[1].removeprefix("global ")
        return name, self.value(word, depth)

    def value(self, word: str, depth: int) -> Value:
        kind = KINDS.get(word, Kind("unknown", word))
        match kind.form:
            case "scalar":
                return make_array(kind, (1, 1), self.numbers(kind, 1))
            case "matrix":
                shape, order = self.shape()
                return make_array(kind, shape, self.numbers(kind, prod(shape)), order)
            case "diagonal":
                shape = self.count("rows"), self.count("columns")
                return make_diagonal(kind, shape, self.numbers(kind, min(shape)))
            case "range":
                self.line()  # a comment that names the three numbers
                return make_range(*parse_numbers(self.block(), "f8", 3).tolist())
            case "sparse":
                count, shape = self.count("nnz"), (self.count("rows"), self.count("columns"))
                return self.sparse(kind, shape, count)
            case "text":
                return self.text()
            case "cell":
                return self.cells(self.shape()[0], depth)
            case "struct":
                name, value = self.keyword("ndims", "length")
                shape = self.lengths(value) if name == "ndims" else (1, 1)
                count = self.count("length") if name == "ndims" else self.parse_count(value)
                return self.fields(shape, count, depth)
            case "object":
                self.keyword("classname")
                self.variables(self.count("length"), depth)
            case "index":
                return self.variable(depth)[1]
            case "function":
                if found := self.PARTS.search(self.data, self.at):
                    self.at = found.start()
                    if found[1] == b"length":  # the number of captured variables
                        self.variables(self.count("length"), depth)
            case "permutation":
                self.keyword("size")
                self.keyword("orient")
                self.block()
            case _ if depth:  # its parts would be read as those of its parent
                raise MatFileError(f"The file holds an array of the type {quote(word)}.")
        return Value(kind.name, ())

    def sparse(self, kind: Kind, shape: tuple[int, ...], count: int) -> Value:
        block = self.block()

        def read() -> Any:
            width = 3 + kind.imaginary
            table = parse_numbers(block, "f8", count * width).reshape(count, width)
            rows, columns = (table[:, :2] - 1).astype(int).T
            return make_sparse(shape, rows, columns, cast_to_kind(table[:, 2:].ravel(), kind))

        return Value(kind.name, shape, read)

    def text(self) -> Value:
        name, value = self.keyword("elements", "ndims")
        if name == "ndims":
            shape = self.lengths(value)
            self.take(prod(shape))
            return Value("char", shape)
        rows = [bytes(self.take(self.count("length"))) for _ in range(self.parse_count(value))]
        return Value(
            "char", (len(rows), max(map(len, rows), default=0)), lambda: decode_utf8_rows(rows)
        )


class BinaryFile(OctaveFile):
    """The binary format: a name, a comment, a flag for global variables, the type, the value."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, len(BINARY) + 2)
        self.order = "<" if data[len(BINARY) : len(BINARY) + 1] == b"L" else ">"

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        while self.at < len(self.data):
            yield self.variable()

    def integer(self) -> int:
        value: int = struct.unpack(f"{self.order}i", self.take(4))[0]
        return value

    def word(self) -> str:
        return bytes(self.take(self.integer())).decode("utf-8", "replace")

    def shape(self) -> tuple[int, ...]:
        return self.lengths(-self.integer())

    def lengths(self, axes: int) -> tuple[int, ...]:
        if not 1 <= axes <= MOST_AXES:
            raise damage_error(f"it holds an array of {axes:,} axes")
        shape = tuple(self.integer() for _ in range(axes))
        if min(shape) < 0:
            raise damage_error(f"it holds an array of {format_shape(shape)}")
        return shape if axes > 1 else (1, *shape)

    def flat(self, dtype: str, count: int) -> Any:
        """Return this many numbers without copying them."""
        form = np.dtype(self.order + dtype)
        return np.frombuffer(self.take(count * form.itemsize), form)

    def numbers(self, kind: Kind, count: int) -> Callable[[], Any]:
        dtype = kind.stored
        if kind.dtype in FLOATS.values():
            code = self.take(1)[0]
            if code >= len(SAVE_TYPES):
                raise damage_error(f"its numbers are of the unknown type {code}")
            dtype = SAVE_TYPES[code]
        values = self.flat(dtype, count * (1 + kind.imaginary))
        return lambda: cast_to_kind(values.astype(kind.stored), kind)

    def variable(self, depth: int = 0) -> tuple[str, Value]:
        name, _ = self.word(), self.word()
        if self.take(2)[1] != 255:
            raise damage_error(f"{quote(name)} is of a type that is not named")
        return name, self.value(self.word(), depth)

    def value(self, word: str, depth: int) -> Value:
        kind = KINDS.get(word, Kind("unknown", word))
        match kind.form:
            case "scalar":
                return make_array(kind, (1, 1), self.numbers(kind, 1))
            case "matrix":
                shape = self.shape()
                return make_array(kind, shape, self.numbers(kind, prod(shape)))
            case "diagonal":
                shape = self.lengths(2)
                return make_diagonal(kind, shape, self.numbers(kind, min(shape)))
            case "range":
                self.take(1)  # their type, which is always double
                return make_range(*self.flat("f8", 3).tolist())
            case "sparse":
                return self.sparse(kind)
            case "text":
                shape = self.shape()
                letters = self.take(prod(shape))
                if len(shape) > 2:
                    return Value("char", shape)
                return Value("char", shape, lambda: decode_utf8_rows(split_rows(letters, *shape)))
            case "cell":
                return self.cells(self.shape(), depth)
            case "struct":
                count, shape = self.integer(), (1, 1)
                if count < 0:
                    shape, count = self.lengths(-count), self.integer()
                return self.fields(shape, count, depth)
            case "object":
                self.word()
                self.variables(self.integer(), depth)
            case "index":
                return self.variable(depth)[1]
            case "function":
                name, _, captured = self.word().partition(" ")
                if name == "@<anonymous>":
                    self.word()
                    self.variables(int(captured or 0), depth)
            case "permutation":
                self.take(1 + 8 * self.integer())
            case _:
                raise MatFileError(
                    f"The file holds an array of the type {quote(word)}, behind which nothing can "
                    "be read: in Octave, save X and y alone, with save -v7 file.mat X y."
                )
        return Value(kind.name, ())

    def sparse(self, kind: Kind) -> Value:
        shape = self.shape()
        if len(shape) != 2:
            raise damage_error(f"it holds a sparse matrix of {format_shape(shape)}")
        count = self.integer()
        starts, rows = self.flat("i4", shape[1] + 1), self.flat("i4", count)
        values = self.numbers(kind, count)

        def read() -> Any:
            lengths = np.diff(starts)
            if starts[0] != 0 or starts[-1] != count or lengths.min(initial=0) < 0:
                raise damage_error("the columns of a sparse matrix do not follow one another")
            columns = np.repeat(np.arange(shape[1]), lengths)
            return make_sparse(shape, rows, columns, values())

        return Value(kind.name, shape, read)


def is_octave(data: bytes) -> bool:
    """Return whether a file begins like one of Octave's, gzipped or not."""
    if data.startswith(GZIP):
        with suppress(zlib.error):
            data = zlib.decompressobj(wbits=31).decompress(data[:512], 64)
    return data.startswith((*TEXT, BINARY))


def open_file(data: bytes) -> TextFile | BinaryFile:
    """Open a file, gzipped or not."""
    if data.startswith(GZIP):
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data, LARGEST_INFLATED)
        except zlib.error:
            raise damage_error("it does not inflate") from None
        if len(data) == LARGEST_INFLATED:
            most = f"{LARGEST_INFLATED >> 20:,} MB"
            raise MatFileError(f"The file inflates to more than the {most} that can be read.")
        if not stream.eof:
            raise MatFileError(CUT_OFF)
    return BinaryFile(data) if data.startswith(BINARY) else TextFile(data)


def contents(data: bytes) -> Iterator[tuple[Header, Value]]:
    """Yield the header and the value of each variable and field, without reading numbers."""
    for name, value in open_file(data):
        yield from walk_value((name,), value)


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each variable and field."""
    return (header for header, _ in contents(data))


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers; cells are arrays of objects."""
    values = dict(reversed(list(contents(data))))  # the first of two with one name
    return [values[header].read() for header in found]
