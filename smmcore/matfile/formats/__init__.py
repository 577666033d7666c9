"""The child's side of `smmcore.matfile`: hostile bytes in, plain arrays out. One format a file.

A format has two functions: `headers(data)` yields a `Header` for each variable without reading its
numbers, and `load(data, found)` returns the arrays of some of them. The child runs this package by
its path (`child.py`), so it imports nothing of ours from outside.
"""

from __future__ import annotations

import re
from collections.abc import Container
from math import prod
from types import ModuleType
from typing import Any

from .numbered import families
from .variables import (
    AGAIN,
    CUT_OFF,
    EACH,
    LARGEST_ARRAY,
    MOST_CELLS,
    MOST_VARIABLES,
    NUMERIC,
    READABLE,
    REFUSED,
    Header,
    MatFileError,
    as_declared,
    cells_joined,
    plain,
    shown,
    size_of,
    times,
    too_large,
)

__all__ = [
    "CUT_OFF",
    "EACH",
    "LARGEST_ARRAY",
    "NUMERIC",
    "READABLE",
    "REFUSED",
    "Header",
    "MatFileError",
    "answers",
    "arrays",
    "expression",
    "shown",
    "size_of",
    "table_of_contents",
    "times",
]

HDF5 = b"\x89HDF\r\n\x1a\n"
USER_BLOCKS = (0, 512, 1024, 2048)  # bytes before the signature; MATLAB writes 512
ZIP = b"PK\3\4"
PICKLE = (
    "This is a Python pickle, which is not read, as that could run any program: save the arrays "
    "with numpy.savez."
)
# Protocols 2 to 5, and the text of protocol 0 where it calls something.
PICKLES = re.compile(rb"\x80[\2-\5]|\(*c[\w.]+\n[\w.]+\n(p\d|q[^a-z]|\()")

CELLS = re.compile(r"(size\(|cat\((?P<axis>[1-9]),)(?P<name>.+)\{:\}\)")

# How files begin that are often taken for data files, in lower case.
NO_H5PY = 'This is an HDF5 or MATLAB v7.3 file, which needs h5py: pip install "smmcore[files]".'
FOREIGN = {
    b"<!doctype": f"This is a web page, not a data file: {AGAIN}",
    b"<html": f"This is a web page, not a data file: {AGAIN}",
    b"version https://git-lfs": f"This is a pointer of Git LFS, not the file itself: {AGAIN}",
    b"\x1f\x8b": "This is a gzip archive: please unpack it first.",
}


def format_of(data: bytes) -> ModuleType:
    """The module that reads files which begin like this one, by their content, not their name.

    A module is imported where it is needed, in the child: the server parses nothing.
    """
    if not data:
        raise MatFileError("The file is empty.")
    from . import octave

    if octave.is_octave(data):
        return octave
    head = data[:512].lstrip()
    for beginning, sentence in FOREIGN.items():
        if head.lower().startswith(beginning):
            raise MatFileError(sentence)
    if PICKLES.match(data):
        raise MatFileError(PICKLE)
    if any(data[at : at + len(HDF5)] == HDF5 for at in USER_BLOCKS):
        try:
            from . import hdf5
        except ImportError:
            raise MatFileError(NO_H5PY) from None
        return hdf5
    if data.startswith((ZIP, b"\x93NUMPY")):
        from . import npy

        return npy
    if head.startswith(b"MATLAB"):
        if len(data) < 128 or (head.startswith(b"MATLAB 7.3") and len(data) <= 512):
            raise MatFileError(CUT_OFF)
        if head.startswith(b"MATLAB 7.3"):
            raise MatFileError("The file is damaged: it says MATLAB 7.3, but no HDF5 follows.")
    else:
        from . import text

        if text.is_text(data):
            return text
    from . import matlab

    return matlab


def table_of_contents(data: bytes) -> dict[str, Header]:
    """What the file holds, by dotted name; of two variables of one name the first."""
    found = listed(data)
    return found | {name: family.header for name, family in families(found).items()}


def listed(data: bytes) -> dict[str, Header]:
    """What the file itself lists."""
    contents: dict[str, Header] = {}
    for header in format_of(data).headers(data):
        contents.setdefault(".".join(header.path), header)
        if len(contents) > MOST_VARIABLES:
            raise MatFileError(f"The file holds more than {MOST_VARIABLES:,} variables.")
    if not contents:
        raise MatFileError("The file holds no variables.")
    return contents


def arrays(data: bytes, names: list[str]) -> list[Any]:
    """What `answers` gives where all these variables can be read."""
    found = answers(data, names)
    for error in found:
        if isinstance(error, MatFileError):
            raise error
    return found


def answers(data: bytes, names: list[str]) -> list[Any]:
    """The variables of these names as arrays of numbers or of text, or why one cannot be read.

    In MATLAB's words `cat(3,X{:})` gives the cells of a cell array joined along an axis (from 1) in
    which they may differ; `size(X{:})` gives their sizes, a row a cell, column by column.
    """
    own = listed(data)
    together = families(own)
    contents = own | {name: family.header for name, family in together.items()}
    asked = [expression(name, contents) for name in names]
    members = {name: together[name].members if name in together else [name] for name, _ in asked}
    refused: dict[str, Any] = {}
    for name, each in members.items():
        errors = [refusal(one, contents) for one in (name, *each)]
        errors += [together[name].too_large()] if name in together else []
        if error := next(filter(None, errors), None):
            refused[name] = error
    wanted = dict.fromkeys(
        own[one] for name, each in members.items() if name not in refused for one in each
    )
    loaded = (
        dict(zip(wanted, format_of(data).load(data, list(wanted)), strict=True)) if wanted else {}
    )
    values = refused | {
        name: together[name].gathered(loaded) if name in together else loaded[own[name]]
        for name in members
        if name not in refused
    }
    return [finished(values[name], contents.get(name), name, axis) for name, axis in asked]


def expression(name: str, contents: Container[str]) -> tuple[str, int | None]:
    """A variable, and along which axis, from 1, its cells are to be joined: 0 for their sizes."""
    found = None if name in contents else CELLS.fullmatch(name)
    return (found["name"], int(found["axis"] or 0)) if found else (name, None)


def refusal(name: str, contents: dict[str, Header]) -> MatFileError | None:
    """Why a variable must not, or cannot, be read."""
    if name not in contents:
        some = ", ".join(shown(each, 20) for each in list(contents)[:5])
        more = f" and {len(contents) - 5:,} more" if len(contents) > 5 else ""
        return MatFileError(f"{shown(name)} is not in this file, which has {some}{more}.")
    _, kind, shape = contents[name]
    if kind in REFUSED:
        return MatFileError(f"{shown(name)} {REFUSED[kind]}")
    if kind not in READABLE:
        return MatFileError(f"{shown(name)} is of class {shown(kind)}, not an array of numbers.")
    if size_of(kind, shape) > LARGEST_ARRAY:
        return too_large(name, shape, kind)
    if kind == "cell" and prod(shape) > MOST_CELLS:
        return MatFileError(
            f"{shown(name)} has {prod(shape):,} cells; there may be {MOST_CELLS:,} at most. Join "
            "them to one array."
        )
    if not prod(shape):
        return MatFileError(f"{shown(name)} is empty: it is {times(shape)}.")
    return None


def finished(value: Any, header: Header | None, name: str, axis: int | None) -> Any:
    """A plain array out of what a format has loaded, or the error that tells why there is none."""
    if header is None or isinstance(value, MatFileError):
        return value
    _, kind, shape = header
    try:
        if axis is not None:
            return cells_joined(value, name, axis)
        value = as_declared(plain(value, name), kind)
        if kind in NUMERIC and value.shape != shape:  # two variables of one name, or worse
            raise MatFileError(
                f"The file is damaged: {shown(name)} is {times(shape)} in its table of contents, "
                f"but {times(value.shape)} in truth."
            )
        if value.nbytes > LARGEST_ARRAY:  # text and complex numbers take more than their class
            raise too_large(name, value.shape)
    except MatFileError as error:
        return error
    return value
