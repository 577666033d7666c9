"""NumPy's .npy and .npz files. Headers are parsed as literals, and nothing is unpickled."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from math import prod
from typing import IO, Any, NamedTuple

import numpy as np

from .errors import CUT_OFF, MatFileError, quote, too_large_error
from .variables import LARGEST_ARRAY, ONE, Header, class_of

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000  # bytes; NumPy's own limit for files that are not trusted
ENCRYPTED = 1  # a flag of a ZIP member
HEADERS = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}


class NpyHeader(NamedTuple):
    """The header of an array."""

    kind: str
    shape: tuple[int, ...] = ()  # as MATLAB would show it, with at least two axes
    dtype: Any = None
    stored_shape: tuple[int, ...] = ()
    order: Any = "C"


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each array."""
    for name, stored, _ in members(data):
        yield Header((name,), stored.kind, stored.shape)


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers as arrays of numbers or of text."""
    wanted = {path[0] for path, _, _ in found}
    values: dict[str, Any] = {}
    for name, stored, file in members(data):
        if name in wanted and name not in values:
            values[name] = read_numbers(name, stored, file)
    return [values[path[0]] for path, _, _ in found]


def is_npz(data: bytes) -> bool:
    """Return whether a ZIP archive holds arrays and nothing else; if it is cut off, it may."""
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except zipfile.BadZipFile:
        return True
    return bool(names) and all(name.endswith(".npy") for name in names)


def members(data: bytes) -> Iterator[tuple[str, NpyHeader, IO[bytes]]]:
    """Yield the name and the header of each array, and a stream at the start of its numbers."""
    if data.startswith(MAGIC):
        file: IO[bytes] = io.BytesIO(data)
        yield ONE, read_header(file), file
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise MatFileError(CUT_OFF) from None
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if member.flag_bits & ENCRYPTED:
            yield name, NpyHeader("encrypted array"), io.BytesIO()
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield name, NpyHeader("array of an unknown compression"), io.BytesIO()
        else:
            try:
                file = archive.open(member)
                stored = read_header(file)
            except MemoryError:
                raise
            except Exception:  # the other arrays may be readable
                stored, file = NpyHeader("damaged object"), io.BytesIO()
            yield name, stored, file


def read_header(file: IO[bytes]) -> NpyHeader:
    """Read a header, but no further than a header may be long."""
    magic = file.read(8)
    if len(magic) < 8:
        raise MatFileError(CUT_OFF)
    version = magic[6]
    if not magic.startswith(MAGIC) or version not in (1, 2, 3):
        raise MatFileError("The file is damaged: no array of NumPy's begins where one should.")
    length = file.read(2 if version == 1 else 4)
    size = int.from_bytes(length, "little")
    if size > LONGEST_HEADER:
        raise MatFileError(f"The file is damaged: its header has {size:,} bytes.")
    text = file.read(size)
    if len(text) < size:
        raise MatFileError(CUT_OFF)
    if version == 3:  # names of fields in UTF-8
        return NpyHeader("structured array")
    try:
        shape, fortran, dtype = HEADERS[version](io.BytesIO(length + text))
    except Exception:
        raise MatFileError(
            f"The file is damaged: its header, {quote(text.decode('latin1'))}, is none of NumPy's."
        ) from None
    if dtype.hasobject:
        return NpyHeader("pickled objects")
    if dtype.names is not None or dtype.subdtype is not None:
        return NpyHeader("structured array")
    if not (kind := class_of(dtype)):
        return NpyHeader(str(dtype))
    if min(shape, default=0) < 0:
        raise MatFileError(f"The file is damaged: an array has the shape {quote(shape)}.")
    if kind == "char":
        width = dtype.itemsize // (4 if dtype.kind == "U" else 1)
        wide = (max(prod(shape), 1), width) if prod(shape) == max(shape, default=1) else shape
        kind = "char" if wide != shape or len(shape) < 2 else "cell"
    else:
        wide = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
    return NpyHeader(kind, wide, dtype, shape, "F" if fortran else "C")


def read_numbers(name: str, stored: NpyHeader, file: IO[bytes]) -> Any:
    """Read the numbers after a header: exactly as many bytes as it declares."""
    size = prod(stored.stored_shape) * stored.dtype.itemsize
    if size > LARGEST_ARRAY:
        raise too_large_error(name, stored.shape)
    try:
        content = file.read(size)
    except (zipfile.BadZipFile, zipfile.zlib.error, EOFError):  # type: ignore[attr-defined]
        raise MatFileError(f"{quote(name)} is damaged and cannot be read.") from None
    if len(content) < size:
        raise MatFileError(CUT_OFF)
    array = np.frombuffer(content, stored.dtype).reshape(stored.stored_shape, order=stored.order)
    if array.dtype.kind == "S":
        array = np.strings.decode(array, "utf-8", "replace")
    if array.dtype.kind == "U":
        return np.strings.rstrip(array.ravel("F"))
    return array.astype(array.dtype.newbyteorder("="), copy=False).reshape(stored.shape)
