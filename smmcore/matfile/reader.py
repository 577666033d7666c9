"""The child's side of `smmcore.matfile`: hostile bytes in, plain arrays out.

The parent runs this file by its path in a process of its own (`sandbox.py`), so it imports nothing
of ours: `smmcore/__init__.py` would cost seconds that a child does not have. Headers are read here,
in pure Python; the numbers are left to `scipy.io`, which a damaged file can kill by signal.
"""

import io
import json
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from math import prod
from types import SimpleNamespace
from typing import Any, BinaryIO

LARGEST_ARRAY = 20_000_000  # numbers; 160 MB as float64
MOST_VARIABLES = 10_000  # struct fields included
DEEPEST = 8  # struct in struct in struct ...
LONGEST_ELEMENT = 1 << 20  # bytes of a name or of a struct's field names

# In the order of their codes in a file.
CLASSES = [
    *("unknown", "cell", "struct", "object", "char", "sparse", "double", "single"),
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("function_handle", "opaque"),
]
NUMERIC = {*CLASSES[5:16], "logical"}
MATRIX, COMPRESSED = 14, 15  # data types of top-level elements

HDF5 = b"\x89HDF\r\n\x1a\n"
PRINTABLE = bytes(range(32, 127)) + b"\t\n\r"

SAVE = "save('file.mat', 'X', 'y', '-v7')."
AGAIN = "please download it again."
IN_OCTAVE = "in Octave, save it again with save -v7 file.mat X y."
CUT_OFF = f"The file ends in the middle of a variable, it was cut off: {AGAIN}"

Header = tuple[tuple[str, ...], str, tuple[int, ...]]  # path, class, shape


class MatFileError(ValueError):
    """A file that cannot be used, or not as asked; its message is one sentence."""


def shown(name: object, longest: int = 40) -> str:
    """A name fit for a message: quoted, control characters escaped, shortened."""
    text = str(name)
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def times(shape: tuple[int, ...]) -> str:
    """A shape as MATLAB writes it: `20 x 16 x 78`."""
    return " x ".join(f"{length:,}" for length in shape)


# ---- headers --------------------------------------------------------------------------------


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
    """What a v5, v6 or v7 file holds, structs opened, without reading any numbers."""
    order = "<" if data[126:128] == b"IM" else ">"
    file = Cursor(io.BytesIO(data).read, order)
    file.skip_to(128)
    while (start := file.at) < len(data):
        kind, size = file.words(2)
        end = file.at + size
        if kind == COMPRESSED:
            inside = Cursor(inflated(file.read(size)), order)
            kind, size = inside.words(2)
        else:
            inside = file
        if kind != MATRIX:
            raise MatFileError(f"The file is damaged: no variable begins at byte {start:,}.")
        yield from matrix(inside, ())
        file.skip_to(end)


def matrix(cursor: Cursor, parents: tuple[str, ...], field: str | None = None) -> Iterator[Header]:
    """The header of one array and, where it is a struct, of what it holds."""
    flags = cursor.integers()[0]
    code = flags & 0xFF
    kind = "logical" if flags & 0x200 else CLASSES[code] if code < len(CLASSES) else "unknown"
    shape = cursor.integers() if kind != "opaque" else ()
    name = cursor.text()
    path = (*parents, name if field is None else field)
    if kind == "opaque":  # string, table, categorical: no dimensions, but "MCOS" and the class
        cursor.element()
        yield path, cursor.text(), ()
        return
    if path == ("",):  # the workspace of function handles is no variable
        return
    if min(shape, default=-1) < 0 or len(shape) < 2:
        raise MatFileError(f"The file is damaged: {shown(name)} has the shape {shown(shape)}.")
    yield path, kind, shape
    if kind == "struct" and len(path) <= DEEPEST:
        (length,) = cursor.integers()
        names = cursor.element()
        starts = range(0, len(names), max(length, 1))
        fields = [names[at : at + length].split(b"\0")[0].decode("latin1") for at in starts]
        if prod(shape) != 1:  # each field of a struct array is as good as a cell array
            yield from (((*path, each), "cell", shape) for each in fields)
            return
        for each in fields:
            kind_of_element, size = cursor.words(2)
            end = cursor.at + size
            if kind_of_element != MATRIX:
                raise MatFileError(f"The file is damaged in the struct {shown(name)}.")
            if size:  # zero: an empty field without any header
                yield from matrix(cursor, path, each)
            cursor.skip_to(end)


def is_version_4(data: bytes) -> bool:
    """Whether a file begins like MATLAB 4: no magic number, but a type word below 5,000."""
    return 0 in data[:4] and any(0 <= struct.unpack(f"{o}i", data[:4])[0] < 5000 for o in "<>")


# How files begin that are often taken for MATLAB files, in lower case.
FOREIGN = {
    b"matlab 7.3": "This is a MATLAB v7.3 (HDF5) file, which cannot be read yet: in MATLAB, save "
    f"it again with {SAVE}",
    HDF5.lower(): "This is an HDF5 file, but not one of MATLAB's: in MATLAB, read it with h5read "
    f"and save it with {SAVE}",
    b"# created by octave": f"This is a text file of Octave's: {IN_OCTAVE}",
    b"octave-1-": f"This is a binary file of Octave's: {IN_OCTAVE}",
    b"<!doctype": f"This is a web page, not a MATLAB file: {AGAIN}",
    b"<html": f"This is a web page, not a MATLAB file: {AGAIN}",
    b"version https://git-lfs": f"This is a pointer of Git LFS, not the file itself: {AGAIN}",
    b"pk\3\4": "This is a ZIP archive: please unpack it first.",
    b"\x1f\x8b": "This is a gzip archive: please unpack it first.",
}


def foreign(data: bytes) -> str | None:
    """What a file is that MATLAB 4 to 7 did not write, and what to do; None if it is not known."""
    head = data[:512].lstrip()
    for beginning, sentence in FOREIGN.items():
        if head.lower().startswith(beginning):
            return sentence
    if head.startswith(b"MATLAB") and len(data) < 128:
        return CUT_OFF
    if data[512:520] == HDF5:
        return FOREIGN[HDF5.lower()]
    if head and not head.startswith(b"MATLAB") and not head.translate(None, PRINTABLE):
        return (
            f"This is a text file, not a MATLAB file: it begins with {shown(head[:16].decode())}. "
            f"In MATLAB, read it with readmatrix and save it with {SAVE}"
        )
    return None


def table_of_contents(data: bytes) -> dict[str, Header]:
    """What the file holds, by dotted name; of two variables of one name the first."""
    if not data:
        raise MatFileError("The file is empty.")
    if (sentence := foreign(data)) is not None:
        raise MatFileError(sentence)
    mark = data[126:128]  # how the writer's machine stored "MI"
    version = {b"IM": data[125:126], b"MI": data[124:125]}.get(mark, b"")
    found: Iterator[Header]
    if version == b"\1":
        found = headers(data)
    elif len(data) >= 20 and is_version_4(data):
        from scipy.io import whosmat

        found = (((name,), kind, shape) for name, shape, kind in whosmat(io.BytesIO(data)))
    else:
        raise MatFileError(f"This is not a MATLAB file: it begins with {data[:16]!r}.")
    contents: dict[str, Header] = {}
    for path, kind, shape in found:
        contents.setdefault(".".join(path), (path, kind, shape))
        if len(contents) > MOST_VARIABLES:
            raise MatFileError(f"The file holds more than {MOST_VARIABLES:,} variables.")
    if not contents:
        raise MatFileError("The file holds no variables.")
    return contents


# ---- numbers --------------------------------------------------------------------------------


def arrays(data: bytes, names: list[str]) -> list[Any]:
    """The variables of these names as arrays of numbers or of text."""
    contents = table_of_contents(data)
    for name in names:
        if name not in contents:
            some = ", ".join(shown(each, 20) for each in list(contents)[:5])
            more = f" and {len(contents) - 5:,} more" if len(contents) > 5 else ""
            raise MatFileError(f"{shown(name)} is not in this file, which has {some}{more}.")
        _, kind, shape = contents[name]
        if kind not in NUMERIC | {"cell", "char"}:
            raise MatFileError(f"{shown(name)} is of class {shown(kind)}, not an array of numbers.")
        if prod(shape) > LARGEST_ARRAY:
            raise MatFileError(
                f"{shown(name)} is {times(shape)}, which is more than the {LARGEST_ARRAY:,} "
                "numbers that can be read."
            )
        if not prod(shape):
            raise MatFileError(f"{shown(name)} is empty: it is {times(shape)}.")
    found = [contents[name] for name in names]
    from scipy.io import loadmat  # a third of a second, so only where numbers are wanted

    loaded = loadmat(io.BytesIO(data), variable_names=[path[0] for path, _, _ in found])
    values = []
    for name, (path, kind, shape) in zip(names, found, strict=True):
        value = as_declared(plain(opened(loaded[path[0]], path[1:]), name), kind)
        if kind in NUMERIC and value.shape != shape:  # two variables of one name, or worse
            raise MatFileError(
                f"The file is damaged: {shown(name)} is {times(shape)} in its table of contents, "
                f"but {times(value.shape)} in truth."
            )
        values.append(value)
    return values


def as_declared(array: Any, kind: str) -> Any:
    """MATLAB packs doubles into small integers where they fit; `mat_dtype=True` of scipy.io unpacks
    them too, but drops the imaginary part of complex numbers on the way."""
    kind = {"logical": "bool", "single": "float32", "double": "float64"}.get(kind, "")
    return array.astype(kind) if kind and array.dtype.kind != "c" else array


def opened(value: Any, fields: tuple[str, ...]) -> Any:
    """What lies in a struct under these fields."""
    for field in fields:
        value = value[field]
        if value.size == 1:
            value = value.item()
    return value


def plain(value: Any, name: str) -> Any:
    """An array of numbers or of text, whatever MATLAB kept it in."""
    import numpy as np
    from scipy.sparse import issparse

    if issparse(value):
        value.check_format(full_check=True)  # toarray writes wherever the indices say
        return value.toarray()
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufcUO":
        raise MatFileError(f"{shown(name)} is not an array of numbers or of text.")
    if value.dtype.kind == "U":
        return np.strings.rstrip(value)  # MATLAB pads the rows of a char matrix with blanks
    if value.dtype.kind != "O":
        return value
    parts = [plain(part, name) for part in value.ravel("F")]
    if not parts:
        raise MatFileError(f"{shown(name)} is an empty cell array.")
    if len({part.dtype.kind == "U" for part in parts}) > 1:
        raise MatFileError(f"{shown(name)} mixes text and numbers in one cell array.")
    if parts[0].dtype.kind == "U":
        return np.array([str(part.item()) if part.size else "" for part in parts])
    shapes = sorted({part.shape for part in parts})
    if len(shapes) > 1:
        raise MatFileError(
            f"The cells of {shown(name)} differ in shape: {times(shapes[0])} and "
            f"{times(shapes[-1])}."
        )
    stacked = np.stack(parts)
    if stacked.size > LARGEST_ARRAY:
        raise MatFileError(
            f"{shown(name)} is {times(stacked.shape)}, which is more than the {LARGEST_ARRAY:,} "
            "numbers that can be read."
        )
    return stacked.ravel() if stacked.size == len(parts) else stacked


# ---- the process ----------------------------------------------------------------------------


def confine(memory: int, seconds: float) -> None:
    """Limit what this process can take; where the platform cannot, the parent's clock remains."""
    try:
        import os
        import resource
    except ImportError:  # Windows
        return
    cpu = int(seconds) + 1
    for what, limit in (
        (resource.RLIMIT_AS, (memory, memory)),
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),  # a signal that has a name, then death
        (resource.RLIMIT_CORE, (0, 0)),
    ):
        try:
            resource.setrlimit(what, limit)
        except (OSError, ValueError):  # macOS has no RLIMIT_AS
            continue
    os.nice(5)  # behind the server, before the solvers


def main(question: BinaryIO, answer: BinaryIO) -> None:
    """Answer one question: a line of JSON, after it the file or the arrays."""
    asked = json.loads(question.readline())
    confine(asked["memory"], asked["seconds"])
    sys.path += asked["folders"]  # at the end: they hide nothing of the standard library
    found: list[Any] = []
    try:
        data = question.read()
        if asked["names"] is None:
            reply: dict[str, Any] = {
                "variables": [
                    (name, kind, shape)
                    for name, (_, kind, shape) in table_of_contents(data).items()
                ]
            }
        else:
            found = arrays(data, asked["names"])
            reply = {"arrays": len(found)}
    except MatFileError as error:
        reply = {"error": str(error)}
    except MemoryError:
        reply = {"error": f"Reading the file takes more than {asked['memory'] >> 20:,} MB."}
    except Exception as error:  # scipy.io raises some eleven kinds on damaged files
        damaged = f"The file is damaged: reading it gave {shown(error, 80)}."
        cut_off = str(error).startswith("Not enough bytes")  # of version 4
        reply = {"error": CUT_OFF if cut_off else damaged}
    answer.write(json.dumps(reply).encode() + b"\n")
    if found:
        import numpy as np

        # Not `answer` itself: into a file NumPy writes with `tofile`, which fails on a pipe.
        pipe = SimpleNamespace(write=answer.write)
        for array in found:
            np.lib.format.write_array(pipe, array, allow_pickle=False)


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
