"""HDF5: MATLAB 7.3, hdf5storage, and what h5py writes.

No other file is opened: soft and external links, external storage, and filters that would have to
be loaded are recognised by their headers and listed with a class of our own that cannot be read.
HDF5's own messages may name other files, so they are never passed on.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache, partial
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import h5py
import numpy as np
from h5py import h5d, h5o, h5z
from scipy.sparse import csc_matrix

from . import mcos
from .errors import (
    CUT_OFF,
    OCTAVE,
    STRUCTS,
    MatFileError,
    foreign_cell_error,
    format_shape,
    missing_field_error,
    quote,
    too_large_error,
)
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


class Budget:
    """The limits of bytes and cells for one variable, including cells in cells."""

    def __init__(self, name: str) -> None:
        self.name, self.bytes, self.cells = name, 0, 0

    def take(self, shape: tuple[int, ...], itemsize: int = 1) -> None:
        self.bytes += prod(shape) * itemsize
        if self.bytes > LARGEST_ARRAY:
            raise too_large_error(self.name, shape)

    def take_cells(self, shape: tuple[int, ...], depth: int) -> None:
        self.cells += prod(shape)
        if self.cells > MOST_CELLS:
            raise MatFileError(
                f"{quote(self.name)} has more than the {MOST_CELLS:,} cells that can be read."
            )
        if depth > DEEPEST:
            raise MatFileError(f"{quote(self.name)} nests cells more than {DEEPEST} deep.")


Read = Callable[[Budget, int], Any]


class Node(NamedTuple):
    """An object of the file as MATLAB would show it."""

    kind: str
    shape: tuple[int, ...] = ()
    read: Read | None = None  # reads its numbers, text or cells, at a depth in cells of cells
    fields: h5py.Group | dict[str, Node] | None = None  # of a struct or a table
    cells: h5py.Dataset | None = None  # of a cell array: the references to its cells


Walk = Iterator[tuple[tuple[str, ...], Node]]
# The target of a null reference.
NOTHING = Node("double", (0, 0), lambda budget, depth: np.zeros((0, 0)))


def headers(data: bytes) -> Iterator[Header]:
    """Yield the header of each variable and field, without reading numbers."""
    for path, node in contents(data).items():
        yield Header(path, node.kind, node.shape)


@lru_cache(maxsize=1)  # `headers` and `load` share it, in a process that then ends
def contents(data: bytes) -> dict[tuple[str, ...], Node]:
    """Return all variables and fields by their paths; of two with the same path, the first."""
    nodes: dict[tuple[str, ...], Node] = {}
    for path, node in islice(File(data).walk(), MOST_VARIABLES + 1):
        nodes.setdefault(path, node)
    return nodes


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers; cells are arrays of objects."""
    nodes = contents(data)
    values: list[Any] = []
    for path, kind, _ in found:
        name, read = ".".join(path), nodes[path].read
        try:
            if read is None:  # an object, whose numbers are in the subsystem
                raise MatFileError(
                    f"{quote(name)} is of class {quote(kind)}, not an array of numbers."
                )
            with replace_errors(f"{quote(name)} is damaged and cannot be read."):
                values.append(read(Budget(name), 0))
        except MatFileError as error:
            values.append(error)
    return values


@contextmanager
def replace_errors(sentence: str) -> Iterator[None]:
    """Replace every error of HDF5 by this sentence."""
    try:
        yield
    except (MatFileError, MemoryError):
        raise
    except Exception:
        raise MatFileError(sentence) from None


class File:
    """An HDF5 file in memory."""

    def __init__(self, data: bytes) -> None:
        try:
            self.root = h5py.File(io.BytesIO(data), "r")
        except Exception as error:
            cut_off = "truncated" in str(error)
            raise MatFileError(
                CUT_OFF if cut_off else "The file is damaged: HDF5 cannot open it."
            ) from None
        self.objects = mcos.Objects(self.open_subsystem, "<")
        # MATLAB reverses the axes; h5py writes them in NumPy's order.
        self.turned = data.startswith(b"MATLAB")

    def walk(
        self,
        group: h5py.Group | None = None,
        parents: tuple[str, ...] = (),
        holders: tuple[int, ...] = (),
    ) -> Walk:
        """Yield the path and the node of each variable and field, a struct before its fields."""
        group = self.root if group is None else group
        with replace_errors("The file is damaged: its table of contents cannot be read."):
            holders = (*holders, address(group))
            names = list(islice(group, MOST_VARIABLES + len(HIDDEN) + 1))
        for name in names:
            if not parents and name in HIDDEN:
                continue
            path = (*parents, name)
            try:
                node = self.open_link(group, name, holders)
            except (MatFileError, MemoryError):
                raise
            except Exception:  # the others may be readable
                node = Node("damaged object")
            first = self.open_first_struct(node, holders) if len(path) <= DEEPEST else None
            yield path, node if first is None else Node("struct", node.shape)
            if first is not None:
                yield from self.walk_struct_cells(node, path, self.walk(first, path, holders))
            elif isinstance(node.fields, dict):
                yield from (((*path, each), column) for each, column in node.fields.items())
            elif node.fields is not None and len(path) <= DEEPEST:
                yield from self.walk(node.fields, path, holders)

    def open_first_struct(self, node: Node, holders: tuple[int, ...]) -> h5py.Group | None:
        """Open the struct in the first cell, if there is one; other cells have the same fields."""
        if node.cells is not None and 0 not in node.shape:
            with suppress(Exception):  # raised again where the cells are read
                first = self.root[node.cells[(0,) * node.cells.ndim]]
                fields = self.describe(first).fields
                if isinstance(fields, h5py.Group) and address(first) not in holders:
                    return fields
        return None

    def walk_struct_cells(self, node: Node, path: tuple[str, ...], first: Walk) -> Walk:
        """Yield the fields of structs in cells, each a cell array, according to the first one."""
        for inner, field in first:
            kind = "struct" if field.kind == "struct" else "cell"
            read = partial(self.read_cells, node, inner, len(path))
            yield inner, Node(kind, node.shape, None if kind == "struct" else read)

    def open_link(self, group: h5py.Group, name: str, holders: tuple[int, ...] = ()) -> Node:
        """Open a link, if it cannot lead out of the file."""
        if not is_hard(group, name):
            kind = group.get(name, getclass=True, getlink=True)
            return Node("external link" if kind is h5py.ExternalLink else "soft link")
        if "/" in name or name == ".":  # a path may contain links of any kind
            return Node("damaged object")
        object_ = group[name]
        return Node("circular link") if address(object_) in holders else self.describe(object_)

    def describe(self, object_: Any) -> Node:
        """Describe an object as MATLAB would show it."""
        if isinstance(object_, h5py.Dataset):
            return self.describe_dataset(object_)
        if not isinstance(object_, h5py.Group):
            return Node("unknown")  # a named type
        kind = read_class(object_)
        if "MATLAB_sparse" in object_.attrs:
            return self.describe_sparse(object_, kind)
        if "OCTAVE_NEW_FORMAT" in object_.attrs:
            raise MatFileError(OCTAVE)
        if kind not in ("", "struct"):
            return Node(kind)
        return Node("struct", self.struct_shape(object_), fields=object_)

    def struct_shape(self, group: h5py.Group) -> tuple[int, ...]:
        """Return the shape of a struct array: its fields are references without a class."""
        for name in islice(group, 1):
            is_inside = "/" not in name and is_hard(group, name)
            if is_inside and group.get(name, getclass=True) is h5py.Dataset:
                node = self.describe_dataset(group[name])
                if node.cells is not None and "MATLAB_class" not in node.cells.attrs:
                    return node.shape
        return (1, 1)

    def describe_dataset(self, data: h5py.Dataset) -> Node:
        """Describe a dataset: numbers, text, cells, or an empty array."""
        if refused := find_danger(data):
            return Node(refused)
        kind = read_class(data)
        if "MATLAB_empty" in data.attrs:
            empty = "double" if kind in ("", "canonical empty") else kind
            shape = tuple(read_small(data).tolist())
            return Node(empty, shape, lambda budget, depth: make_empty(shape, empty, budget))
        if data.shape is None:
            return Node(kind or "unknown")
        if "MATLAB_object_decode" in data.attrs:
            return to_node(
                self.objects.open_value(
                    kind or "unknown", lambda: mcos.Array("uint32", data.shape, read_small(data))
                )
            )
        turned = self.turned or bool(kind)
        shape = data.shape[::-1] if turned else data.shape
        shape = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
        dtype = data.dtype
        if h5py.check_ref_dtype(dtype) is h5py.Reference:
            node = Node("cell", shape, cells=data)
            return node._replace(read=partial(self.read_cells, node, (), 0))
        if h5py.check_string_dtype(dtype) is not None:
            return describe_texts(data, shape)
        is_complex = sorted(name[0].lower() for name in dtype.names or ()) == ["i", "r"]
        found = class_of(dtype[0] if is_complex else dtype)
        if kind == "char" and dtype.kind in "iu":
            return Node(kind, shape, lambda budget, depth: read_characters(data, shape, budget))
        if not found or (kind and kind not in NUMERIC):
            return Node("damaged object" if kind in ("char", "cell") else kind or "unknown")

        def read(budget: Budget, depth: int) -> Any:
            budget.take(shape, dtype.itemsize)
            raw = data[()].astype(dtype.newbyteorder("="), copy=False)
            if is_complex:
                real, imag = (raw[name] for name in sorted(dtype.names, reverse=True))
                raw = real.astype(np.result_type(real, 1j))
                raw.imag = imag  # 1j * infinity would have the real part NaN
            return (raw.T if turned else raw).reshape(shape)

        return Node(kind or found, shape, read)

    def read_cells(
        self, node: Node, path: tuple[str, ...], at: int, budget: Budget, depth: int
    ) -> Any:
        """Read the cells of a cell array, in MATLAB's order.

        Of structs in cells, read the field under the names of a path from this place on.
        """
        budget.take_cells(node.shape, depth)
        found = np.empty(prod(node.shape), object)
        for i, cell in enumerate(self.open_cells(node)):
            for place in range(at, len(path)):
                if cell.cells is not None:
                    found[i] = self.read_cells(cell, path, place, budget, depth + 1)
                    break
                if not isinstance(cell.fields, h5py.Group) or path[place] not in cell.fields:
                    raise missing_field_error(path, place)
                cell = self.open_link(cell.fields, path[place])
            else:
                found[i] = read_cell(cell, budget, depth)
        return found

    def open_cells(self, node: Node) -> Iterator[Node]:
        """Open each cell, in MATLAB's order."""
        assert node.cells is not None
        for reference in node.cells[()].ravel():
            yield self.describe(self.root[reference]) if reference else NOTHING

    def describe_sparse(self, group: h5py.Group, kind: str) -> Node:
        """Describe a sparse matrix of MATLAB: values, their rows, and the start of each column.

        Its indices are checked before they are used.
        """
        rows, starts = int(group.attrs["MATLAB_sparse"]), open_child(group, "jc").shape[0]
        shape = rows, starts - 1

        def read(budget: Budget, depth: int) -> Any:
            budget.take(shape, 8)
            if "data" not in group:  # nothing but zeros
                return np.zeros(shape)
            parts = [self.describe(open_child(group, name)) for name in ("data", "ir", "jc")]
            values, ir, jc = (read_cell(part, budget, depth).ravel() for part in parts)
            matrix = csc_matrix((values, ir.astype(np.int64), jc.astype(np.int64)), shape)
            matrix.check_format(full_check=True)
            return matrix.toarray()

        return Node("logical" if kind == "logical" else "sparse", shape, read)

    def open_subsystem(self) -> tuple[mcos.Array, ...]:
        """Open the cells in which MATLAB stores the properties of all objects."""
        cells = open_child(open_child(self.root, "#subsystem#"), "MCOS")
        return self.open_array_cells(cells, Budget("#subsystem#"), 0)

    def open_array_cells(
        self, data: h5py.Dataset, budget: Budget, depth: int
    ) -> tuple[mcos.Array, ...]:
        """Open the cells of the subsystem, or of a cell array in it."""
        budget.take_cells(data.shape, depth)
        return tuple(
            self.open_array(self.root[each], budget, depth + 1) for each in data[()].ravel()
        )

    def open_array(self, object_: Any, budget: Budget, depth: int) -> mcos.Array:
        """Open an array of the subsystem."""
        if "MATLAB_object_decode" in object_.attrs:
            return mcos.Array("unknown", ())
        node = self.describe(object_)
        if node.kind == "cell" and 0 not in node.shape:
            cells = self.open_array_cells(object_, budget, depth)
            return mcos.Array("cell", node.shape, parts=cells)

        def values() -> Any:
            found = read_cell(node, Budget(budget.name), depth)
            return found if node.kind == "char" else found.ravel("F")

        dtype = {"logical": "?", "double": "f8", "single": "f4"}.get(node.kind, node.kind)
        return LazyArray(node.kind, node.shape, values, dtype)


class LazyArray(mcos.Array):
    """An array of the subsystem, whose numbers are read when they are needed."""

    @cached_property
    def values(self) -> Any:
        return self[2]()


def to_node(value: Value) -> Node:
    fields = {name: to_node(column) for name, column in value.fields.items()}
    return Node(value.kind, value.shape, lambda budget, depth: value.read(), fields or None)


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


def make_empty(shape: tuple[int, ...], kind: str, budget: Budget) -> Any:
    """Return an empty array of this shape and class."""
    if prod(shape):
        raise MatFileError(
            f"The file is damaged: {quote(budget.name)} is marked as empty, but is "
            f"{format_shape(shape)}."
        )
    return np.zeros(shape, {"char": "U1", "cell": object}.get(kind, "f8"))


def read_characters(data: h5py.Dataset, shape: tuple[int, ...], budget: Budget) -> Any:
    """Read the rows of a char matrix, which MATLAB stores in UTF-16 and Octave in bytes."""
    budget.take(shape, 4)
    if data.ndim != 2:
        raise MatFileError(
            f"{quote(budget.name)} is text of {format_shape(shape)}, not one row for each text."
        )
    return np.array(decode_rows(data[()].T), "U")


def describe_texts(data: h5py.Dataset, shape: tuple[int, ...]) -> Node:
    """Describe strings of h5py: of one width, like a char matrix, or of any, like a cellstr."""

    def read(budget: Budget, depth: int) -> Any:
        budget.take_cells(shape, depth)
        found = data.asstr("utf-8", "replace")[()]
        budget.take((sum(map(len, found.ravel())),))
        return np.array(found.ravel().tolist(), "U")

    if data.dtype.kind == "S" and prod(shape) == max(shape):
        return Node("char", (max(shape), data.dtype.itemsize), read)
    return Node("cell", shape, read)


def read_cell(node: Node, budget: Budget, depth: int) -> Any:
    """Read one cell."""
    if node.kind == "struct":
        raise MatFileError(f"{quote(budget.name)} {STRUCTS}")
    if node.read is None:
        raise foreign_cell_error(budget.name, node.kind)
    return node.read(budget, depth + 1)
