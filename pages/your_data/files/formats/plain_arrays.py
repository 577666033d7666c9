"""Convert what a parser returns into plain arrays of numbers or of text."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .errors import STRUCTS, FileError, quote, too_large_error, unequal_cells_error
from .variables import LARGEST_ARRAY

REPLACED = "\ufffd"  # the decoders' replacement for bytes that are not text


def cast_to_class(array: Any, kind: str) -> Any:
    """Convert an array to the type of its class, as MATLAB packs doubles into small integers."""
    kind = {"logical": "bool", "single": "float32", "double": "float64"}.get(kind, "")
    return array.astype(kind) if kind and array.dtype.kind != "c" else array


def decode_rows(units: Any) -> list[str]:
    """Decode the rows of a char matrix: UTF-16 or, if its letters have one byte, UTF-8."""
    wide, encoding = ("<u2", "utf-16-le") if units.itemsize > 1 else ("u1", "utf-8")
    return [row.astype(wide).tobytes().decode(encoding, "replace") for row in units]


def to_plain_array(value: Any, name: str) -> Any:
    """Convert a value to a plain array of numbers or of text.

    A cell array (an array of objects) becomes one stack of its cells, column by column; these must
    agree in shape.
    """
    if kind := getattr(value, "kind", ""):  # of an array that no NumPy array can hold
        if kind == "struct":
            raise FileError(f"{quote(name)} {STRUCTS}")
        held = f"of class {quote(value.held_class or kind)}, not numbers or text"
        raise FileError(f"{quote(name)} has a cell that is {held}.")
    if value is None or value.dtype.kind not in "biufcUO":
        raise FileError(
            f"{quote(name)} is not an array of numbers or of text: in MATLAB, save double(x) or "
            "cellstr(x) in its place."
        )
    if value.dtype.kind == "U":
        if any(REPLACED in text for text in value.flat):
            raise FileError(f"{quote(name)} holds letters that cannot be decoded.")
        return np.strings.rstrip(value)  # MATLAB pads the rows of a char matrix with blanks
    if value.dtype.kind != "O":
        return value
    if not value.size:
        raise FileError(f"{quote(name)} is an empty cell array.")
    parts = _list_cells(value, name)
    if parts[0].dtype.kind == "U":
        if (most := max(part.size for part in parts)) > 1:
            raise FileError(f"A cell of {quote(name)} holds {most:,} texts, not one.")
        return np.array([str(part.item()) if part.size else "" for part in parts])
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise unequal_cells_error(name, shapes)
    if sum(part.nbytes for part in parts) > LARGEST_ARRAY:
        raise too_large_error(name, (len(parts), *parts[0].shape))
    stacked = np.stack(parts)
    return stacked.ravel() if stacked.size == len(parts) else stacked


def _list_cells(value: Any, name: str) -> list[Any]:
    """Return the cells of a cell array as plain arrays, all of numbers or all of text."""
    parts = [to_plain_array(part, name) for part in value.ravel("F")]
    if len({part.dtype.kind == "U" for part in parts}) > 1:
        raise FileError(f"{quote(name)} mixes text and numbers in one cell array.")
    return parts


def join_cells(value: Any, name: str, how: str, number: int) -> Any:
    """Return the cells of a cell array of numbers, column by column, in one array.

    See `reader.try_read_arrays` for the ways; `number` is an axis or a cell, counted from 1.
    """
    if not isinstance(value, np.ndarray) or value.dtype.kind != "O" or not value.size:
        raise FileError(f"{quote(name)} is not a cell array of numbers.")
    if how == "cell":
        if number > value.size:
            raise FileError(f"{quote(name)} has {value.size:,} cells, not {number:,}.")
        return to_plain_array(value.ravel("F")[number - 1], name)
    parts = _list_cells(value, name)
    axes = max(number, *(part.ndim for part in parts))
    # MATLAB drops trailing axes of length 1.
    parts = [part.reshape((*part.shape, *[1] * (axes - part.ndim))) for part in parts]
    shapes = np.array([part.shape for part in parts])
    if how == "size":
        return shapes
    if how == "pad":
        if parts[0].dtype.kind not in "biuf":
            raise FileError(f"{quote(name)} is not a cell array of real numbers.")
        whole = (len(parts), *map(int, shapes.max(axis=0)))
        if 8 * prod(whole) > LARGEST_ARRAY:
            raise too_large_error(name, whole)
        padded = np.full(whole, np.nan)
        for place, part in zip(padded, parts, strict=True):
            place[tuple(map(slice, part.shape))] = part
        return padded
    if len(np.unique(np.delete(shapes, number - 1, axis=1), axis=0)) > 1:
        raise unequal_cells_error(name, {part.shape for part in parts})
    if sum(part.nbytes for part in parts) > LARGEST_ARRAY:
        raise too_large_error(name, parts[0].shape)
    return np.concatenate(parts, number - 1)
