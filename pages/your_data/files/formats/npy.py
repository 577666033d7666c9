"""NumPy's .npy files. Headers are parsed as literals, and nothing is unpickled."""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import prod
from typing import IO, Any, NamedTuple

import numpy as np

from .errors import CUT_OFF, FileError, quote
from .variables import ONE, Header, class_of

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000  # bytes; NumPy's own limit for files that are not trusted
LONGEST_BEGINNING = LONGEST_HEADER + 12  # with what comes before it
HEADERS = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}


class NpyHeader(NamedTuple):
    """The header of an array."""

    kind: str
    shape: tuple[int, ...] = ()  # as MATLAB would show it, with at least two axes
    dtype: Any = None
    stored_shape: tuple[int, ...] = ()
    order: Any = "C"


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of the only array."""
    stored = read_header(io.BytesIO(data))
    yield Header((ONE,), stored.kind, stored.shape)


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the array, once for each header, as numbers or text."""
    file = io.BytesIO(data)
    values = read_numbers(read_header(file), file)
    return [values for _ in found]


def read_header(file: IO[bytes]) -> NpyHeader:
    """Read a header, but no further than a header may be long."""
    magic = file.read(8)
    if len(magic) < 8:
        raise FileError(CUT_OFF)
    version = magic[6]
    if not magic.startswith(MAGIC) or version not in (1, 2, 3):
        raise FileError("The file is damaged: no array of NumPy's begins where one should.")
    length = file.read(2 if version == 1 else 4)
    size = int.from_bytes(length, "little")
    if size > LONGEST_HEADER:
        raise FileError(f"The file is damaged: its header has {size:,} bytes.")
    text = file.read(size)
    if len(text) < size:
        raise FileError(CUT_OFF)
    if version == 3:  # names of fields in UTF-8
        return NpyHeader("structured array")
    try:
        shape, fortran, dtype = HEADERS[version](io.BytesIO(length + text))
    except Exception:
        raise FileError(
            f"The file is damaged: its header, {quote(text.decode('latin1'))}, is none of NumPy's."
        ) from None
    if dtype.hasobject:
        return NpyHeader("pickled objects")
    if dtype.names is not None or dtype.subdtype is not None:
        return NpyHeader("structured array")
    if not (kind := class_of(dtype)):
        return NpyHeader(str(dtype))
    if min(shape, default=0) < 0:
        raise FileError(f"The file is damaged: an array has the shape {quote(shape)}.")
    if kind == "char":
        width = dtype.itemsize // (4 if dtype.kind == "U" else 1)
        wide = (max(prod(shape), 1), width) if prod(shape) == max(shape, default=1) else shape
        kind = "char" if wide != shape or len(shape) < 2 else "cell"
    else:
        wide = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
    return NpyHeader(kind, wide, dtype, shape, "F" if fortran else "C")


def read_numbers(stored: NpyHeader, file: IO[bytes]) -> Any:
    """Read the numbers after a header: exactly as many bytes as it declares."""
    size = prod(stored.stored_shape) * stored.dtype.itemsize
    content = file.read(size)
    if len(content) < size:
        raise FileError(CUT_OFF)
    array = np.frombuffer(content, stored.dtype).reshape(stored.stored_shape, order=stored.order)
    if array.dtype.kind == "S":
        array = np.strings.decode(array, "utf-8", "replace")
    if array.dtype.kind == "U":
        return np.strings.rstrip(array.ravel("F"))
    return array.astype(array.dtype.newbyteorder("="), copy=False).reshape(stored.shape)
