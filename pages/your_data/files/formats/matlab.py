"""MATLAB 4 to 7: the variables of a file, and the fields of its structs.

Version 5 and later are parsed in `arrays`, as `scipy.io` can crash by a signal on a damaged file,
reads all numbers before it lists any, and neither strings nor tables. It reads version 4.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from . import arrays
from .arrays import COMPRESSED, MATRIX
from .errors import CUT_OFF, FileError, quote, replace_errors, too_large_error
from .mcos import Objects, Walk, open_subsystem, walk_array
from .variables import LARGEST_ARRAY, MOST_VARIABLES, Header, Value, class_of

LONGEST_HEAD = 1 << 13  # bytes, with a name of any length that is read
LARGEST_ELEMENT = 2 * LARGEST_ARRAY  # bytes of a variable, all its fields together
# What may follow the last element: another file, or nothing.
TRAILER = re.compile(rb"MATLAB|[\0\s]*\Z")


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each variable and field, without copying numbers."""
    return (header for header, _ in walk_contents(data))


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers; cells are arrays of objects."""
    values: dict[tuple[str, ...], Any] = {}
    wanted = {header.path for header in found}
    for (path, *_), value in walk_contents(data):
        if path in wanted - values.keys():
            name = quote(".".join(path))
            try:
                with replace_errors(f"{name} is damaged and cannot be read."):
                    values[path] = value.read()
            except FileError as error:
                values[path] = error
    return [values[header.path] for header in found]


def walk_contents(data: bytes) -> Walk:
    """Yield the header and the value of each variable and field."""
    mark = data[126:128]  # "MI" in the byte order of the writer's machine
    version = {b"IM": data[125:126], b"MI": data[124:125]}.get(mark, b"")
    if version == b"\1":
        yield from walk_version_5(data, "<" if mark == b"IM" else ">")
    elif len(data) >= 20 and is_version_4(data):
        from scipy.io import loadmat
        from scipy.sparse import issparse

        for name, array in loadmat(io.BytesIO(data), chars_as_strings=False).items():
            if name.startswith("__"):
                continue
            if issparse(array):
                yield Header((name,), "sparse", array.shape), Value("", (), array.toarray)
                continue
            kind = class_of(array.dtype)
            rows = np.array(["".join(row) for row in array]) if kind == "char" else array
            yield Header((name,), kind, array.shape), Value("", (), partial(np.asarray, rows))
    else:
        raise FileError(
            "This type of file is not supported. It must be a file of MATLAB, HDF5 or NumPy, a "
            "table, or a .zip of images."
        )


def is_version_4(data: bytes) -> bool:
    """Return whether a file begins like MATLAB 4: no magic number, but a type word below 5,000."""
    return 0 in data[:4] and any(0 <= struct.unpack(f"{o}i", data[:4])[0] < 5000 for o in "<>")


def walk_version_5(data: bytes, order: str) -> Walk:
    """Yield the headers and values of a v5, v6 or v7 file; raise an error if all are damaged."""
    objects = Objects(lambda: open_subsystem(data, order), order)
    at, whole, problem = 128, 0, ""
    while at < len(data):
        content = memoryview(data)[at + 8 :]
        kind, size = struct.unpack_from(f"{order}2I", data, at) if len(content) else (0, 0)
        known = kind in (MATRIX, COMPRESSED)
        if whole and not known and TRAILER.match(data, at):
            break
        start, at, name = at, at + 8 + size, ""
        try:
            if not known:
                raise FileError(f"The file is damaged: no variable begins at byte {start:,}.")
            element = Element(content[:size], size, kind == COMPRESSED, order)
            name = element.head.name
            if len(content) < size:
                raise FileError(CUT_OFF)
            found = list(islice(walk_element(element, objects), MOST_VARIABLES + 1))
            whole += 1
        except (FileError, *arrays.UNKNOWN) as error:
            damaged = f"The file is damaged: the variable at byte {start:,} cannot be read."
            sentence = str(error) if isinstance(error, FileError) else damaged
            problem = problem or sentence
            lost = "array that was cut off" if sentence == CUT_OFF else "damaged object"
            found = [
                (Header((name or f"what begins at byte {start:,}",), lost, ()), Value(lost, ()))
            ]
            at = at if known else len(data)
        yield from found
    if problem and not whole:
        raise FileError(problem)


class Element:
    """A variable in a file, which is inflated when its numbers or fields are needed."""

    def __init__(self, content: memoryview, size: int, is_packed: bool, order: str) -> None:
        self.content, self.size, self.is_packed, self.order = content, size, is_packed, order
        if is_packed:
            first = arrays.inflate(content, LONGEST_HEAD)
            kind, self.size = struct.unpack_from(f"{order}2I", first)
            if kind != MATRIX:
                raise FileError("The file is damaged: it holds something that is no variable.")
            content = first[8:]
        self.head = arrays.read_head(arrays.iterate_elements(content, order), order)

    def read_array(self) -> arrays.Array:
        """Parse the array, whose numbers are not copied."""
        if self.size > LARGEST_ELEMENT:
            raise too_large_error(self.head.name, self.head.shape)
        content = self.content
        if self.is_packed:
            content = arrays.inflate(content, self.size + 8)[8:]
        if len(content) < self.size:
            raise FileError(CUT_OFF)
        return arrays.read_array(content, self.order)

    def read(self) -> Any:
        """Read the numbers or the text."""
        return self.read_array().read()


def walk_element(element: Element, objects: Objects) -> Walk:
    """Yield the headers and values of a variable and its fields."""
    kind, shape, name, *_ = element.head
    if kind in ("cell", "struct", "object", "opaque"):
        yield from walk_array((name,), element.read_array(), objects)
    elif name:  # else it is the workspace of function handles, which is not a variable
        yield Header((name,), kind, shape), Value(kind, shape, element.read)
