"""HDF5: MATLAB 7.3, hdf5storage, and what h5py writes.

Groups are structs, and datasets of references are cell arrays, whose targets are opened when they
are needed. No other file is opened: soft and external links, external storage, and filters that
would have to be loaded are recognised by their headers and listed with a class of our own that
cannot be read. HDF5's own messages may name other files, so they are never passed on.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from math import prod
from typing import Any

import h5py
import numpy as np
from h5py import h5d, h5o, h5z

from .arrays import Array, Parts, fill_in_zeros
from .errors import (
    CUT_OFF,
    OCTAVE,
    FileError,
    format_shape,
    quote,
    replace_errors,
    too_large_error,
)
from .mcos import Objects, walk_array
from .plain_arrays import decode_rows
from .variables import DEEPEST, LARGEST_ARRAY, MOST_VARIABLES, NUMERIC, Header, Value, class_of

MOST_CELLS = 25_000  # in one variable, including cells in cells: they take about five seconds
LONGEST_CLASS = 64  # letters in the name of a class
MOST_SMALL = 64  # numbers of a shape or a reference
HIDDEN = ("#refs#", "#subsystem#")  # where MATLAB stores the targets of cells and objects
FILTERS = {
    *(h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32, h5z.FILTER_SZIP),
    *(h5z.FILTER_NBIT, h5z.FILTER_SCALEOFFSET, h5z.FILTER_LZF),
}


class Dataset(Array):
    """An array of numbers or text, which are read when they are needed."""

    @cached_property
    def values(self) -> Any:  # flat, as in `Array`
        found = self.read()
        return found if self.kind == "char" else found.ravel("F")

    def read(self) -> Any:
        return self[2]()


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each variable and field, without reading numbers."""
    return (header for header, _ in contents(data)[1].values())


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers; cells are arrays of objects."""
    file, variables = contents(data)
    values: list[Any] = []
    for path, *_ in found:
        name = file.name = ".".join(path)
        file.bytes = file.cells = 0
        try:
            with replace_errors(f"{quote(name)} is damaged and cannot be read."):
                values.append(variables[path][1].read())
        except FileError as error:
            values.append(error)
    return values


@lru_cache(maxsize=1)  # `headers` and `load` share it, in a process that then ends
def contents(data: bytes) -> tuple[File, dict[tuple[str, ...], tuple[Header, Value]]]:
    """Return all variables and fields by their paths; of two with the same path, the first."""
    file = File(data)
    variables: dict[tuple[str, ...], tuple[Header, Value]] = {}
    for header, value in islice(file.walk(), MOST_VARIABLES + 1):
        variables.setdefault(header.path, (header, value))
    return file, variables


class File:
    """An HDF5 file in memory, with the bytes and cells that were read of one variable."""

    def __init__(self, data: bytes) -> None:
        try:
            self.root = h5py.File(io.BytesIO(data), "r")
        except Exception as error:
            cut_off = "truncated" in str(error)
            raise FileError(
                CUT_OFF if cut_off else "The file is damaged: HDF5 cannot open it."
            ) from None
        # MATLAB reverses the axes; h5py writes them in NumPy's order.
        self.turned = data.startswith(b"MATLAB")
        self.name, self.bytes, self.cells = "", 0, 0

    def count_bytes(self, shape: tuple[int, ...], itemsize: int = 1) -> None:
        self.bytes += prod(shape) * itemsize
        if self.bytes > LARGEST_ARRAY:
            raise too_large_error(self.name, shape)

    def count_cells(self, count: int, depth: int) -> None:
        self.cells += count
        if self.cells > MOST_CELLS:
            raise FileError(
                f"{quote(self.name)} has more than the {MOST_CELLS:,} cells that can be read."
            )
        if depth > DEEPEST:
            raise FileError(f"{quote(self.name)} nests cells more than {DEEPEST} deep.")

    def walk(self) -> Iterator[tuple[Header, Value]]:
        """Yield the header and the value of each variable and field."""
        objects = Objects(self.open_subsystem, "<")
        with replace_errors("The file is damaged: its table of contents cannot be read."):
            names = list(islice(self.root, MOST_VARIABLES + len(HIDDEN) + 1))
        for name in names:
            if name not in HIDDEN:
                self.bytes = self.cells = 0
                array = self.open_link(self.root, name, (address(self.root),), 0)
                yield from walk_array((name,), array, objects)

    def open_link(
        self, group: h5py.Group, name: str, holders: tuple[int, ...], depth: int
    ) -> Array:
        """Open a link, if it cannot lead out of the file, nor to a group that holds it."""
        try:
            if not is_hard(group, name):
                kind = group.get(name, getclass=True, getlink=True)
                return Array("external link" if kind is h5py.ExternalLink else "soft link", ())
            if "/" in name or name == ".":  # a path may contain links of any kind
                return Array("damaged object", ())
            return self.open(group[name], holders, depth)
        except (FileError, MemoryError):
            raise
        except Exception:  # the others may be readable
            return Array("damaged object", ())

    def open(self, object_: Any, holders: tuple[int, ...], depth: int) -> Array:
        """Open an object as MATLAB would show it."""
        if isinstance(object_, h5py.Dataset):
            return self.open_dataset(object_, holders, depth)
        if not isinstance(object_, h5py.Group):
            return Array("unknown", ())  # a named type
        kind = read_class(object_)
        if "MATLAB_sparse" in object_.attrs:
            return self.open_sparse(object_, kind)
        if "OCTAVE_NEW_FORMAT" in object_.attrs:
            raise FileError(OCTAVE)
        if kind not in ("", "struct"):
            return Array(kind, ())
        if address(object_) in holders:
            return Array("circular link", ())
        holders = (*holders, address(object_))
        names = tuple(islice(object_, MOST_VARIABLES + 1))

        def open_field(place: int) -> Array:
            return self.open_link(object_, names[place], holders, depth)

        shape = self.struct_shape(object_)
        return Array("struct", shape, parts=Parts(len(names), open_field), names=names)

    def struct_shape(self, group: h5py.Group) -> tuple[int, ...]:
        """Return the shape of a struct array: its fields are references without a class."""
        for name in islice(group, 1):
            is_inside = "/" not in name and is_hard(group, name)
            if is_inside and group.get(name, getclass=True) is h5py.Dataset:
                array = self.open_dataset(group[name], (), 0)
                is_cell = isinstance(array.parts, Parts)
                if is_cell and "MATLAB_class" not in group[name].attrs:
                    return array.shape
        return (1, 1)

    def open_dataset(self, data: h5py.Dataset, holders: tuple[int, ...], depth: int) -> Array:
        """Open a dataset: numbers, text, cells, an object, or an empty array."""
        if refused := find_danger(data):
            return Array(refused, ())
        kind = read_class(data)
        if "MATLAB_empty" in data.attrs:
            empty = "double" if kind in ("", "canonical empty") else kind
            shape = tuple(read_small(data).tolist())
            return Dataset(empty, shape, lambda: self.make_empty(shape, empty))
        if data.shape is None:
            return Array(kind or "unknown", ())
        if "MATLAB_object_decode" in data.attrs:
            reference = Dataset("uint32", data.shape, lambda: read_small(data))
            return Array("opaque", (), parts=(reference,), held_class=kind or "unknown")
        turned = self.turned or bool(kind)
        shape = data.shape[::-1] if turned else data.shape
        shape = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
        dtype = data.dtype
        if h5py.check_ref_dtype(dtype) is h5py.Reference:
            return Array("cell", shape, parts=self.open_cells(data, holders, depth + 1))
        if h5py.check_string_dtype(dtype) is not None:
            return self.open_texts(data, shape)
        is_complex = sorted(name[0].lower() for name in dtype.names or ()) == ["i", "r"]
        found = class_of(dtype[0] if is_complex else dtype)
        if kind == "char" and dtype.kind in "iu":
            return Dataset(kind, shape, lambda: self.read_characters(data, shape))
        if not found or (kind and kind not in NUMERIC):
            return Array("damaged object" if kind in ("char", "cell") else kind or "unknown", ())

        def read() -> Any:
            self.count_bytes(shape, dtype.itemsize)
            raw = data[()].astype(dtype.newbyteorder("="), copy=False)
            if is_complex:
                real, imag = (raw[name] for name in sorted(dtype.names, reverse=True))
                raw = real.astype(np.result_type(real, 1j))
                raw.imag = imag  # 1j * infinity would have the real part NaN
            return (raw.T if turned else raw).reshape(shape)

        return Dataset(kind or found, shape, read)

    def open_cells(self, data: h5py.Dataset, holders: tuple[int, ...], depth: int) -> Parts:
        """Return the cells of a cell array, in MATLAB's order."""
        references: list[Any] = []

        def open_cell(place: int) -> Array:
            self.count_cells(1, depth)
            if not references:
                references.extend(data[()].ravel())
            reference = references[place]
            if not reference:
                return Array("double", (0, 0), np.zeros(0), "f8")
            return self.open(self.root[reference], holders, depth)

        return Parts(data.size, open_cell)

    def open_sparse(self, group: h5py.Group, kind: str) -> Array:
        """Open a sparse matrix of MATLAB: values, their rows, and the start of each column."""
        rows, starts = int(group.attrs["MATLAB_sparse"]), open_child(group, "jc").shape[0]
        shape = rows, starts - 1

        def read() -> Any:
            self.count_bytes(shape, 8)
            if "data" not in group:  # nothing but zeros
                return np.zeros(shape)
            parts = [
                self.open_dataset(open_child(group, name), (), 0) for name in ("data", "ir", "jc")
            ]
            values, ir, jc = (part.read().ravel() for part in parts)
            return fill_in_zeros(values, ir.astype(np.int64), jc.astype(np.int64), shape)

        return Dataset("logical" if kind == "logical" else "sparse", shape, read)

    def open_subsystem(self) -> Sequence[Array]:
        """Open the cells in which MATLAB stores the properties of all objects."""
        cells = open_child(open_child(self.root, "#subsystem#"), "MCOS")
        return self.open_cells(cells, (), 0)

    def make_empty(self, shape: tuple[int, ...], kind: str) -> Any:
        """Return an empty array of this shape and class."""
        if prod(shape):
            raise FileError(
                f"The file is damaged: {quote(self.name)} is marked as empty, but is "
                f"{format_shape(shape)}."
            )
        return np.zeros(shape, {"char": "U1", "cell": object}.get(kind, "f8"))

    def read_characters(self, data: h5py.Dataset, shape: tuple[int, ...]) -> Any:
        """Read the rows of a char matrix, which MATLAB stores in UTF-16 and Octave in bytes."""
        self.count_bytes(shape, 4)
        if data.ndim != 2:
            raise FileError(
                f"{quote(self.name)} is text of {format_shape(shape)}, not one row for each text."
            )
        return np.array(decode_rows(data[()].T), "U")

    def open_texts(self, data: h5py.Dataset, shape: tuple[int, ...]) -> Array:
        """Open strings of h5py: of one width, like a char matrix, or of any, like a cellstr."""

        def read() -> Any:
            self.count_cells(prod(shape), 0)
            found = data.asstr("utf-8", "replace")[()]
            self.count_bytes((sum(map(len, found.ravel())),))
            return np.array(found.ravel().tolist(), "U")

        if data.dtype.kind == "S" and prod(shape) == max(shape):
            return Dataset("char", (max(shape), data.dtype.itemsize), read)
        return Dataset("cell", shape, read)


def is_hard(group: h5py.Group, name: str) -> bool:
    """Return whether a link can only lead to an object of this file."""
    return group.get(name, getclass=True, getlink=True) is h5py.HardLink


def address(object_: Any) -> int:
    """Return where an object is in its file."""
    where: int = h5o.get_info(object_.id).addr
    return where


def find_danger(data: h5py.Dataset) -> str:
    """Return why a dataset must not be read, as the name of a class; empty if it may be read."""
    how = data.id.get_create_plist()
    layout = how.get_layout()
    if layout == h5d.VIRTUAL:
        return "virtual dataset"
    if how.get_external_count():
        return "dataset with external storage"
    if layout not in (h5d.CONTIGUOUS, h5d.CHUNKED, h5d.COMPACT):
        return "damaged object"
    if any(how.get_filter(i)[0] not in FILTERS for i in range(how.get_nfilters())):
        return "dataset with an unknown filter"
    if layout == h5d.CHUNKED and prod(how.get_chunk()) * data.dtype.itemsize > LARGEST_ARRAY:
        return "damaged object"
    return ""


def open_child(group: h5py.Group, name: str) -> Any:
    """Open a dataset or group, which must exist and be safe."""
    if not is_hard(group, name):
        raise ValueError
    object_ = group[name]
    if isinstance(object_, h5py.Dataset) and find_danger(object_):
        raise ValueError
    return object_


def read_class(object_: Any) -> str:
    """Return MATLAB's class of an object; empty if there is none, or no short text."""
    if "MATLAB_class" not in object_.attrs:
        return ""
    value = object_.attrs["MATLAB_class"]
    text = value.decode("latin1") if isinstance(value, bytes) else ""
    return text if len(text) <= LONGEST_CLASS and text.isprintable() else ""


def read_small(data: h5py.Dataset) -> Any:
    """Read a short list of whole numbers."""
    if data.dtype.kind not in "iu" or data.size > MOST_SMALL:
        raise ValueError
    return data[()].ravel()
