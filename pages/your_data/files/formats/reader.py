"""Read a file of any format: recognise the format, list the variables, return plain arrays.

The child process (`child.py`) imports `formats` as a top-level package, so nothing in it imports
other code of ours.
"""

from __future__ import annotations

import re
from collections.abc import Container
from math import prod
from types import ModuleType
from typing import Any, Literal, NamedTuple

from .detection import ZIPS, detect_single_file
from .errors import FileError, format_shape, missing_variable_error, quote, too_large_error
from .plain_arrays import cast_to_class, join_cells, to_plain_array
from .variables import (
    LARGEST_ARRAY,
    MOST_CELLS,
    MOST_VARIABLES,
    NUMERIC,
    READABLE,
    REFUSED,
    Header,
    size_of,
)

CELLS = re.compile(r"(?P<how>size|pad|cat)\(((?P<axis>[1-9]),)?(?P<name>.+)\{:\}\)")
CELL = re.compile(r"(?P<name>.+)\{(?P<cell>[1-9]\d*)\}")


class Expression(NamedTuple):
    """A variable, and what is asked about its cells: all of it if nothing is."""

    name: str
    how: Literal["", "size", "pad", "cat", "cell"] = ""
    number: int = 0  # the axis or the cell, from 1


def detect_format(data: bytes) -> ModuleType:
    """Return the module that reads this file, recognised by its content, not by its name."""
    if not data.startswith(ZIPS):
        return detect_single_file(data)
    from . import archive

    return archive


def name_format(data: bytes) -> str:
    """Return the name of the format; of an archive without images that of its files."""
    module = detect_format(data)
    kinds = module.list_kinds(data) if hasattr(module, "list_kinds") else [module]
    return (kinds[0] if len(kinds) == 1 else module).__name__.rpartition(".")[2]


def list_remarks(data: bytes) -> tuple[list[str], list[str]]:
    """Return what a reader should know about an archive, and which images of it are not read."""
    module = detect_format(data)
    return module.remarks(data) if hasattr(module, "remarks") else ([], [])


def list_headers(data: bytes) -> dict[str, Header]:
    """List the variables of a file by dotted name; of two with the same name, the first."""
    contents: dict[str, Header] = {}
    for header in detect_format(data).headers(data):
        contents.setdefault(".".join(header.path), header)
        if len(contents) > MOST_VARIABLES:
            raise FileError(f"The file holds more than {MOST_VARIABLES:,} variables.")
    if not contents:
        raise FileError("The file holds no variables.")
    return contents


def try_read_arrays(data: bytes, names: list[str]) -> list[Any]:
    """Read the variables of these names: each as an array of numbers or of text, or as an error.

    A name may be an expression about a cell array: `X{2}` is one of its cells, column by column;
    `cat(3,X{:})` joins them along an axis, counted from 1, in which they may differ; `size(X{:})`
    returns their sizes, one row per cell; `pad(X{:})`, which is not of MATLAB, stacks them, with
    NaN behind the shorter ones.
    """
    contents = list_headers(data)
    requests = [parse_expression(name, contents) for name in names]
    values: dict[str, Any] = {each.name: find_refusal(each.name, contents) for each in requests}
    wanted = [name for name, error in values.items() if error is None]
    if wanted:
        loaded = detect_format(data).load(data, [contents[name] for name in wanted])
        values |= dict(zip(wanted, loaded, strict=True))
    found = []
    for each in requests:
        value = values[each.name]
        if not isinstance(value, FileError):
            _, kind, shape = contents[each.name]
            value = finish_array(value, kind, shape, each)
        found.append(value)
    return found


def parse_expression(name: str, contents: Container[str]) -> Expression:
    """Return the variable of a name and what is asked about its cells."""
    if name not in contents:
        if found := CELLS.fullmatch(name):
            return Expression(found["name"], found["how"], int(found["axis"] or 0))  # type: ignore[arg-type]
        if found := CELL.fullmatch(name):
            return Expression(found["name"], "cell", int(found["cell"]))
    return Expression(name)


def find_refusal(name: str, contents: dict[str, Header]) -> FileError | None:
    """Return the error if a variable must not, or cannot, be read."""
    if name not in contents:
        return missing_variable_error(name, list(contents))
    _, kind, shape = contents[name]
    if kind in REFUSED:
        return FileError(f"{quote(name)} {REFUSED[kind]}")
    if kind not in READABLE:
        return FileError(f"{quote(name)} is of class {quote(kind)}, not an array of numbers.")
    if size_of(kind, shape) > LARGEST_ARRAY:
        return too_large_error(name, shape, kind)
    if kind == "cell" and prod(shape) > MOST_CELLS:
        return FileError(
            f"{quote(name)} has {prod(shape):,} cells; there may be {MOST_CELLS:,} at most. Join "
            "them to one array."
        )
    if not prod(shape):
        return FileError(f"{quote(name)} is empty: it is {format_shape(shape)}.")
    return None


def finish_array(value: Any, kind: str, shape: tuple[int, ...], asked: Expression) -> Any:
    """Convert a loaded value to a plain array, or return the error that says why it cannot be."""
    name = asked.name
    try:
        if asked.how:
            return join_cells(value, *asked)
        value = cast_to_class(to_plain_array(value, name), kind)
        if kind in NUMERIC and value.shape != shape:  # the file is damaged, or has two of this name
            raise FileError(
                f"The file is damaged: {quote(name)} is {format_shape(shape)} in its table of "
                f"contents, but {format_shape(value.shape)} in truth."
            )
        if value.nbytes > LARGEST_ARRAY:  # text and complex numbers take more than their class
            raise too_large_error(name, value.shape)
    except FileError as error:
        return error
    return value
