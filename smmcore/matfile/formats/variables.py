"""What all formats share: the error, the limits, how names and shapes are said, plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple

LARGEST_ARRAY = 160_000_000  # bytes, in the class that the file declares
MOST_CELLS = 100_000  # each takes some 30 microseconds, however small it is
MOST_VARIABLES = 10_000  # struct fields included
EACH = "*"  # in a name: one variable for each subject, say, as a cell array
DEEPEST = 8  # struct in struct in struct ...

NUMERIC = {
    *("sparse", "double", "single", "logical"),
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
}
READABLE = NUMERIC | {"cell", "char", "string", "categorical"}
BYTES = {"sparse": 8, "double": 8, "single": 4, "char": 4}  # of one number or letter, once read
BYTES |= {f"{u}int{bits}": bits // 8 for u in ("", "u") for bits in (8, 16, 32, 64)}

REPLACED = "\ufffd"  # stands for what is no letter
# Classes of ours, for what a file lists but must not, or cannot, be read.
REFUSED = {
    "external link": "is a link to another file, which is not followed.",
    "soft link": "is a soft link, which is not followed.",
    "circular link": "is a link to a group that holds it, which is not followed.",
    "virtual dataset": "is a virtual dataset, which takes its numbers from other files.",
    "dataset with external storage": "keeps its numbers in another file, which is not opened.",
    "dataset with an unknown filter": "is compressed by a filter that is not part of HDF5.",
    "encrypted array": "is encrypted.",
    "array of an unknown compression": "is compressed in a way that NumPy does not write.",
    "pickled objects": "holds Python objects, which only pickle could read, and that could run any "
    "program: save arrays of numbers.",
    "structured array": "is a structured array: save each of its fields as an array.",
    "array that was cut off": "was cut off at the end of the file: please download it again.",
    "damaged object": "is damaged and cannot be read.",
}

SAVE = "save('file.mat', 'X', 'y', '-v7')."
STRUCTS = "holds structs in some of its cells: save what they hold as arrays."
AGAIN = "please download it again."
CUT_OFF = f"The file ends in the middle of a variable, it was cut off: {AGAIN}"


class Header(NamedTuple):
    """What a file says of one variable before its numbers are read."""

    path: tuple[str, ...]  # of names, through the structs that hold it
    kind: str  # MATLAB's class, in MATLAB's words
    shape: tuple[int, ...]  # as MATLAB shows it; empty for a class that does not tell


class Value(NamedTuple):
    """A value whose place is known, and whose numbers are not read yet."""

    kind: str  # MATLAB's class
    shape: tuple[int, ...]
    read: Callable[[], Any] = lambda: None
    fields: dict[str, Value] = {}  # noqa: RUF012


def listed(path: tuple[str, ...], value: Value) -> Iterator[tuple[Header, Value]]:
    """The header of a value and, where it is a struct or a table, of what it holds."""
    yield Header(path, value.kind, value.shape), value
    if len(path) <= DEEPEST:
        for name, field in value.fields.items():
            yield from listed((*path, name), field)


class MatFileError(ValueError):
    """A file that cannot be used, or not as asked; its message is one sentence."""


def shown(name: object, longest: int = 40) -> str:
    """A name fit for a message: quoted, control characters escaped, shortened."""
    text = str(name)
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def times(shape: tuple[int, ...]) -> str:
    """A shape as MATLAB writes it: `20 x 16 x 78`."""
    return " x ".join(f"{length:,}" for length in shape)


def size_of(kind: str, shape: tuple[int, ...]) -> int:
    """Bytes of an array of a MATLAB class; of a cell array only that it has cells."""
    return BYTES.get(kind, 1) * prod(shape)


def too_large(name: str, shape: tuple[int, ...], kind: str = "") -> MatFileError:
    """The error for a variable of more bytes than can be read."""
    return MatFileError(
        f"{shown(name)} is {times(shape)}, which is more than the {LARGEST_ARRAY // 10**6} MB that "
        f"can be read{kind and f', of class {shown(kind)}'}."
    )


def class_of(dtype: Any) -> str:
    """The MATLAB class that numbers or texts of a NumPy type have; empty if none has."""
    kind, size = dtype.kind, dtype.itemsize
    if kind in "fc":
        return "single" if size <= (4 if kind == "f" else 8) else "double"
    if kind in "iu":
        return f"{'u' * (kind == 'u')}int{8 * size}"
    return {"b": "logical", "U": "char", "S": "char"}.get(kind, "")


def as_declared(array: Any, kind: str) -> Any:
    """An array in the type that its class tells: MATLAB packs doubles into small integers."""
    kind = {"logical": "bool", "single": "float32", "double": "float64"}.get(kind, "")
    return array.astype(kind) if kind and array.dtype.kind != "c" else array


def decoded(units: Any) -> list[str]:
    """The rows of a char matrix, whose letters are in UTF-16 or, of one byte, in UTF-8."""
    wide, encoding = ("<u2", "utf-16-le") if units.itemsize > 1 else ("u1", "utf-8")
    return [row.astype(wide).tobytes().decode(encoding, "replace") for row in units]


def filled(value: Any) -> Any:
    """A sparse matrix with its zeros; nothing for what is none."""
    from scipy.sparse import issparse

    if not issparse(value):
        return None
    if value.format != "coo":  # of version 4, whose indices SciPy has checked
        value.check_format(full_check=True)  # toarray writes wherever the indices say
    return value.toarray()


def plain(value: Any, name: str) -> Any:
    """An array of numbers or of text, whatever it was kept in.

    A cell array (an array of objects) becomes one stack of its cells, column by column, which must
    agree in shape.
    """
    import numpy as np

    if not isinstance(value, np.ndarray):
        value = filled(value)
    if value is not None and value.dtype.names:
        raise MatFileError(f"{shown(name)} {STRUCTS}")
    if value is None or value.dtype.kind not in "biufcUO":
        raise MatFileError(
            f"{shown(name)} is not an array of numbers or of text: in MATLAB, save double(x) or "
            "cellstr(x) in its place."
        )
    if value.dtype.kind == "U":
        if any(REPLACED in text for text in value.flat):
            raise MatFileError(f"{shown(name)} holds letters that cannot be decoded.")
        return np.strings.rstrip(value)  # MATLAB pads the rows of a char matrix with blanks
    if value.dtype.kind != "O":
        return value
    parts = [plain(part, name) for part in value.ravel("F")]
    if not parts:
        raise MatFileError(f"{shown(name)} is an empty cell array.")
    if len({part.dtype.kind == "U" for part in parts}) > 1:
        raise MatFileError(f"{shown(name)} mixes text and numbers in one cell array.")
    if parts[0].dtype.kind == "U":
        if (most := max(part.size for part in parts)) > 1:
            raise MatFileError(f"A cell of {shown(name)} holds {most:,} texts, not one.")
        return np.array([str(part.item()) if part.size else "" for part in parts])
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise differ(name, shapes)
    if sum(part.nbytes for part in parts) > LARGEST_ARRAY:
        raise too_large(name, (len(parts), *parts[0].shape))
    stacked = np.stack(parts)
    return stacked.ravel() if stacked.size == len(parts) else stacked


def differ(name: str, shapes: set[tuple[int, ...]]) -> MatFileError:
    """The error for cells that do not fit together."""
    one, *_, other = sorted(shapes)
    return MatFileError(
        f"The cells of {shown(name)} differ in shape: {times(one)} and {times(other)}."
    )


def lacking(path: tuple[str, ...], at: int) -> MatFileError:
    """The error for a cell array in which not every cell has the field at this place of a path."""
    cells = ".".join(path[:at])
    return MatFileError(f"Not every cell of {shown(cells)} has a field {shown(path[at])}.")


def cells_joined(value: Any, name: str, axis: int) -> Any:
    """The cells of a cell array of numbers, column by column, joined along an axis from 1; the
    size of each, a row a cell, where the axis is 0.
    """
    import numpy as np

    if not isinstance(value, np.ndarray) or value.dtype.kind != "O" or not value.size:
        raise MatFileError(f"{shown(name)} is not a cell array of numbers.")
    parts = [plain(part, name) for part in value.ravel("F")]
    if any(part.dtype.kind == "U" for part in parts):
        raise MatFileError(f"{shown(name)} holds text, not numbers.")
    axes = max(axis, *(part.ndim for part in parts))
    shapes = [(*part.shape, *[1] * (axes - part.ndim)) for part in parts]  # MATLAB drops ones
    if not axis:
        return np.array(shapes)
    rest = {(*shape[: axis - 1], *shape[axis:]) for shape in shapes}
    if len(rest) > 1:
        raise differ(name, set(shapes))
    if sum(part.nbytes for part in parts) > LARGEST_ARRAY:
        raise too_large(name, shapes[0])
    return np.concatenate(
        [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)], axis - 1
    )
