"""HDF5: MATLAB 7.3, hdf5storage, and what h5py writes.

No other file is opened: soft and external links, external storage, and filters that would have to
be loaded are recognised by their headers and listed with a class of our own that cannot be read.
HDF5's own messages may name other files, so they are never passed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache, partial
from itertools import count, islice
from math import prod
from typing import Any, NamedTuple

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5l, h5o, h5p, h5r, h5s, h5t, h5z
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

MOST_CELLS = 50_000  # in one variable, including cells in cells: they take about five seconds
LONGEST_CLASS = 64  # bytes in the name of a class
HIDDEN = (b"#refs#", b"#subsystem#")  # where MATLAB stores the targets of cells and objects
FILTERS = {
    *(h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32, h5z.FILTER_SZIP),
    *(h5z.FILTER_NBIT, h5z.FILTER_SCALEOFFSET, h5z.FILTER_LZF),
}
# HDF5 takes two files in memory for the same if they have one name, also from two copies of this
# module: `formats.hdf5` and the one below `pages`.
_numbers = count()
LINKS = {h5l.TYPE_SOFT: "soft link", h5l.TYPE_EXTERNAL: "external link"}


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
    fields: h5g.GroupID | dict[str, Node] | None = None  # of a struct or a table
    cells: h5d.DatasetID | None = None  # of a cell array: the references to its cells


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
    for path, node in islice(walk(File(data)), MOST_VARIABLES + 1):
        nodes.setdefault(path, node)
    return nodes


def load(data: bytes, found: list[Header]) -> list[Any]:
    """Read the variables with these headers; cells are arrays of objects."""
    nodes = contents(data)
    values: list[Any] = []
    for path, kind, _ in found:
        name, read = ".".join(path), nodes[path].read
        if read is None:  # an object, whose numbers are in the subsystem
            values.append(
                MatFileError(f"{quote(name)} is of class {quote(kind)}, not an array of numbers.")
            )
            continue
        try:
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
        in_memory = h5p.create(h5p.FILE_ACCESS)
        in_memory.set_fapl_core(backing_store=False)
        in_memory.set_file_image(data)
        try:
            name = f"{__name__} {next(_numbers)}".encode()
            self.id = h5f.open(name, h5f.ACC_RDONLY, in_memory)
        except Exception as error:
            cut_off = "truncated" in str(error)
            raise MatFileError(
                CUT_OFF if cut_off else "The file is damaged: HDF5 cannot open it."
            ) from None
        self.objects = mcos.Objects(lambda: open_subsystem(self), "<")
        # MATLAB reverses the axes; h5py writes them in NumPy's order.
        self.turned = data.startswith(b"MATLAB")


def walk(
    file: File,
    group: h5g.GroupID | None = None,
    parents: tuple[str, ...] = (),
    holders: tuple[int, ...] = (),
) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield the path and the node of each variable and field, a struct before its fields."""
    group = group or h5g.open(file.id, b"/")
    with replace_errors("The file is damaged: its table of contents cannot be read."):
        holders = (*holders, h5o.get_info(group).addr)
        links = list_links(group, MOST_VARIABLES + len(HIDDEN))
    for name, kind_of_link in links:
        if not parents and name in HIDDEN:
            continue
        path = (*parents, name.decode("utf-8", "replace"))
        try:
            node = open_link(file, group, name, kind_of_link, holders)
        except (MatFileError, MemoryError):
            raise
        except Exception:  # the others may be readable
            node = Node("damaged object")
        first = open_first_struct(file, node, holders) if len(path) <= DEEPEST else None
        yield path, node if first is None else Node("struct", node.shape)
        if first is not None:
            yield from walk_struct_cells(file, node, path, walk(file, first, path, holders))
        elif isinstance(node.fields, dict):
            yield from (((*path, each), column) for each, column in node.fields.items())
        elif node.fields is not None and len(path) <= DEEPEST:
            yield from walk(file, node.fields, path, holders)


def open_first_struct(file: File, node: Node, holders: tuple[int, ...]) -> h5g.GroupID | None:
    """Open the struct in the first cell, if there is one; the other cells have the same fields."""
    if node.cells is None or not prod(node.shape):
        return None
    with suppress(Exception):  # raised again where the cells are read
        object_ = open_first_cell(file, node.cells)
        fields = describe(file, object_).fields
        if isinstance(fields, h5g.GroupID) and h5o.get_info(object_).addr not in holders:
            return fields
    return None


def open_first_cell(file: File, held: h5d.DatasetID) -> Any:
    """Open the first cell without reading the references of the others."""
    first = np.empty((1,) * held.rank, held.dtype)
    space = held.get_space()
    space.select_hyperslab((0,) * first.ndim, first.shape)
    held.read(h5s.create_simple(first.shape), space, first)
    return h5r.dereference(first.item(), file.id)


def walk_struct_cells(
    file: File,
    node: Node,
    path: tuple[str, ...],
    first: Iterator[tuple[tuple[str, ...], Node]],
) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield the fields of structs in cells, each as a cell array, according to the first struct."""
    assert node.cells is not None
    for inner, field in first:
        kind = "struct" if field.kind == "struct" else "cell"
        read = partial(read_cells, file, node.cells, node.shape, inner, len(path))
        yield inner, Node(kind, node.shape, None if kind == "struct" else read)


def list_links(group: h5g.GroupID, most: int) -> list[tuple[bytes, int]]:
    """List the names and types of the links in a group: at most one more than `most`."""
    links: list[tuple[bytes, int]] = []

    def note(name: bytes, info: Any) -> bool | None:
        links.append((name, info.type))
        return len(links) > most or None

    group.links.iterate(note, info=True)
    return links


def open_link(
    file: File,
    group: h5g.GroupID,
    name: bytes,
    kind_of_link: int = h5l.TYPE_HARD,
    holders: tuple[int, ...] = (),
) -> Node:
    """Open a link, if it cannot lead out of the file."""
    if kind_of_link != h5l.TYPE_HARD:
        return Node(LINKS.get(kind_of_link, "soft link"))
    if b"/" in name or name == b".":  # a path may contain links of any kind
        return Node("damaged object")
    object_ = h5o.open(group, name)
    if h5o.get_info(object_).addr in holders:
        return Node("circular link")
    return describe(file, object_)


def describe(file: File, object_: Any) -> Node:
    """Describe an object as MATLAB would show it."""
    if isinstance(object_, h5d.DatasetID):
        return describe_dataset(file, object_)
    if not isinstance(object_, h5g.GroupID):
        return Node("unknown")  # a named type
    kind = read_text_attribute(object_, b"MATLAB_class")
    if h5a.exists(object_, b"MATLAB_sparse"):
        return describe_sparse(file, object_, kind)
    if h5a.exists(object_, b"OCTAVE_NEW_FORMAT"):
        raise MatFileError(OCTAVE)
    if kind not in ("", "struct"):
        return Node(kind)
    return Node("struct", struct_shape(file, object_), fields=object_)


def struct_shape(file: File, group: h5g.GroupID) -> tuple[int, ...]:
    """Return the shape of a struct array: its fields are datasets of references without a class."""
    for name, kind_of_link in list_links(group, 1)[:1]:
        if kind_of_link == h5l.TYPE_HARD and b"/" not in name:
            first = h5o.open(group, name)
            if (
                isinstance(first, h5d.DatasetID)
                and not h5a.exists(first, b"MATLAB_class")
                and first.get_type().get_class() == h5t.REFERENCE
            ):
                return describe_dataset(file, first).shape
    return (1, 1)


# ---- datasets -------------------------------------------------------------------------------


def describe_dataset(file: File, data: h5d.DatasetID) -> Node:
    """Describe a dataset: numbers, text, cells, or an empty array."""
    kind = read_text_attribute(data, b"MATLAB_class")
    if refused := find_danger(data):
        return Node(refused)
    if h5a.exists(data, b"MATLAB_empty"):
        return describe_empty(data, "double" if kind in ("", "canonical empty") else kind)
    if data.shape is None:
        return Node(kind or "unknown")
    if h5a.exists(data, b"MATLAB_object_decode"):
        return to_node(file.objects.open_value(kind or "unknown", lambda: read_reference(data)))
    turned = file.turned or bool(kind)
    shape = data.shape[::-1] if turned else data.shape
    shape = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
    dtype = data.dtype
    if h5py.check_ref_dtype(dtype) is h5py.Reference:
        return Node("cell", shape, partial(read_cells, file, data, shape, (), 0), cells=data)
    if h5py.check_string_dtype(dtype) is not None or dtype.kind == "S":
        return describe_texts(data, dtype, shape)
    is_complex = dtype.names is not None and len(dtype.names) == 2 and dtype.kind == "V"
    is_complex = is_complex and {name[0].lower() for name in dtype.names} == {"r", "i"}
    found = class_of(dtype[0] if is_complex else dtype)
    if kind == "char" and dtype.kind in "iu":
        return Node(kind, shape, lambda budget, depth: read_characters(data, shape, budget))
    if not found or (kind and kind not in NUMERIC):
        return Node("damaged object" if kind in ("char", "cell") else kind or "unknown")

    def read(budget: Budget, depth: int) -> Any:
        budget.take(shape, dtype.itemsize)
        raw = read_raw(data, dtype.newbyteorder("="))
        if is_complex:
            real, imag = (raw[name] for name in sorted(dtype.names, reverse=True))
            raw = real.astype(np.result_type(real, 1j))
            raw.imag = imag  # 1j * infinity would have the real part NaN
        return (raw.T if turned else raw).reshape(shape)

    return Node(kind or found, shape, read)


def find_danger(data: h5d.DatasetID) -> str:
    """Return why a dataset must not be read, as the name of a class; empty if it may be read."""
    how = data.get_create_plist()
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


def read_raw(data: h5d.DatasetID, dtype: np.dtype[Any]) -> Any:
    """Read a whole dataset as it is stored."""
    raw = np.empty(data.shape, dtype)
    data.read(h5s.ALL, h5s.ALL, raw)
    return raw


def read_small_integers(data: h5d.DatasetID) -> Any:
    """Read a short list of whole numbers."""
    if data.get_type().get_class() != h5t.INTEGER or prod(data.shape) > 64:
        raise ValueError
    return read_raw(data, data.dtype).ravel()


def describe_empty(data: h5d.DatasetID, kind: str) -> Node:
    """Describe an empty array, whose dataset lists its lengths."""
    shape = tuple(int(length) for length in read_small_integers(data))
    return Node(kind, shape, lambda budget, depth: make_empty(shape, kind, budget))


def make_empty(shape: tuple[int, ...], kind: str, budget: Budget) -> Any:
    """Return an empty array of this shape and class."""
    if prod(shape):
        raise MatFileError(
            f"The file is damaged: {quote(budget.name)} is marked as empty, but is "
            f"{format_shape(shape)}."
        )
    return np.zeros(shape, {"char": "U1", "cell": object}.get(kind, "f8"))


def read_characters(data: h5d.DatasetID, shape: tuple[int, ...], budget: Budget) -> Any:
    """Read the rows of a char matrix, which MATLAB stores in UTF-16 and Octave in bytes."""
    budget.take(shape, 4)
    raw = read_raw(data, data.dtype)
    if raw.ndim != 2:
        raise MatFileError(
            f"{quote(budget.name)} is text of {format_shape(shape)}, not one row for each text."
        )
    return np.array(decode_rows(raw.T), "U")


def describe_texts(data: h5d.DatasetID, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Node:
    """Describe strings of h5py: of one width, like a char matrix, or of any, like a cellstr."""

    def read(budget: Budget, depth: int) -> Any:
        budget.take_cells(shape, depth)
        raw = read_raw(data, dtype).ravel()
        found = [text.decode("utf-8", "replace") if text else "" for text in raw.tolist()]
        budget.take((sum(map(len, found)),))
        return np.array(found, "U")

    if dtype.kind == "S" and prod(shape) == max(shape):
        return Node("char", (max(shape), dtype.itemsize), read)
    return Node("cell", shape, read)


def read_cells(
    file: File,
    held: h5d.DatasetID,
    shape: tuple[int, ...],
    path: tuple[str, ...],
    at: int,
    budget: Budget,
    depth: int,
) -> Any:
    """Read the cells of a cell array, in MATLAB's order.

    Of structs in cells, read the field under the names of a path from this place on.
    """
    budget.take_cells(shape, depth)
    found = np.empty(prod(shape), object)
    for i, object_ in zip(range(len(found)), open_cells(file, held), strict=True):
        node = NOTHING if object_ is None else describe(file, object_)
        for place in range(at, len(path)):
            if node.cells is not None:
                found[i] = read_cells(file, node.cells, node.shape, path, place, budget, depth + 1)
                break
            name = path[place].encode()
            if not isinstance(node.fields, h5g.GroupID) or name not in node.fields:
                raise missing_field_error(path, place)
            node = open_link(file, node.fields, name, node.fields.links.get_info(name).type)
        else:
            found[i] = read_cell(node, budget, depth)
    return found


def open_cells(file: File, held: h5d.DatasetID) -> Iterator[Any]:
    """Open each cell, in MATLAB's order; None for a null reference."""
    for reference in read_raw(held, held.dtype).ravel():
        yield h5r.dereference(reference, file.id) if reference else None


def read_cell(node: Node, budget: Budget, depth: int) -> Any:
    """Read one cell."""
    if node.kind == "struct":
        raise MatFileError(f"{quote(budget.name)} {STRUCTS}")
    if node.read is None:
        raise foreign_cell_error(budget.name, node.kind)
    return node.read(budget, depth + 1)


# ---- groups that are variables ----------------------------------------------------------------


def open_child(file: File, group: h5g.GroupID, name: bytes) -> Any:
    """Open a dataset or group, which must exist and be safe."""
    if group.links.get_info(name).type != h5l.TYPE_HARD:
        raise ValueError
    object_ = h5o.open(group, name)
    if isinstance(object_, h5d.DatasetID) and find_danger(object_):
        raise ValueError
    return object_


def describe_sparse(file: File, group: h5g.GroupID, kind: str) -> Node:
    """Describe a sparse matrix of MATLAB: values, their rows, and the start of each column.

    Its indices are checked before they are used.
    """
    rows = read_integer_attribute(group, b"MATLAB_sparse")
    (starts,) = open_child(file, group, b"jc").shape
    shape = rows, starts - 1

    def read(budget: Budget, depth: int) -> Any:
        budget.take(shape, 8)
        if b"data" not in group:  # nothing but zeros
            return np.zeros(shape)
        parts = [
            describe_dataset(file, open_child(file, group, name))
            for name in (b"data", b"ir", b"jc")
        ]
        for part in parts:
            if part.read is None or len(part.shape) != 2:
                raise MatFileError(f"{quote(budget.name)} is damaged and cannot be read.")
        values, ir, jc = (part.read(budget, depth).ravel() for part in parts)  # type: ignore[misc]
        matrix = csc_matrix((values, ir.astype(np.int64), jc.astype(np.int64)), shape)
        matrix.check_format(full_check=True)
        return matrix.toarray()

    return Node("logical" if kind == "logical" else "sparse", shape, read)


# ---- objects of MATLAB ------------------------------------------------------------------------


class LazyArray(mcos.Array):
    """An array of the subsystem, whose numbers are read when they are needed."""

    @cached_property
    def values(self) -> Any:
        return self[2]()


def open_array(file: File, object_: Any, budget: Budget, depth: int) -> mcos.Array:
    """Open an array of the subsystem."""
    if h5a.exists(object_, b"MATLAB_object_decode"):
        return mcos.Array("unknown", ())
    node = describe(file, object_)
    if node.kind == "cell" and 0 not in node.shape:
        return mcos.Array("cell", node.shape, parts=open_array_cells(file, object_, budget, depth))

    def values() -> Any:
        assert node.read is not None
        found = node.read(Budget(budget.name), depth)
        return found if node.kind == "char" else found.ravel("F")

    dtype = {"logical": "?", "double": "f8", "single": "f4"}.get(node.kind, node.kind)
    return LazyArray(node.kind, node.shape, values, dtype)


def read_reference(data: h5d.DatasetID) -> mcos.Array:
    """Read the reference to an object; it is short, as arrays of objects are not read."""
    return mcos.Array("uint32", data.shape, read_small_integers(data))


def open_array_cells(
    file: File, data: h5d.DatasetID, budget: Budget, depth: int
) -> tuple[mcos.Array, ...]:
    """Open the cells of the subsystem, or of a cell array in it."""
    budget.take_cells(data.shape, depth)
    references = read_raw(data, data.dtype).ravel()
    return tuple(
        open_array(file, h5r.dereference(each, file.id), budget, depth + 1) for each in references
    )


def open_subsystem(file: File) -> tuple[mcos.Array, ...]:
    """Open the cells in which MATLAB stores the properties of all objects."""
    root = h5g.open(file.id, b"/")
    data = open_child(file, open_child(file, root, b"#subsystem#"), b"MCOS")
    return open_array_cells(file, data, Budget("#subsystem#"), 0)


def to_node(value: Value) -> Node:
    fields = {name: to_node(column) for name, column in value.fields.items()}
    return Node(value.kind, value.shape, lambda budget, depth: value.read(), fields or None)


# ---- attributes -------------------------------------------------------------------------------


def read_text_attribute(object_: Any, name: bytes) -> str:
    """Read an attribute that is a short text; empty if it is anything else."""
    if not h5a.exists(object_, name):
        return ""
    return read_text(h5a.open(object_, name))


def read_text(holder: Any) -> str:
    """Read the short text in an attribute or dataset; empty if it holds anything else."""
    kind = holder.get_type()
    if (
        kind.get_class() != h5t.STRING
        or kind.is_variable_str()
        or kind.get_size() > LONGEST_CLASS
        or prod(holder.shape) != 1
    ):
        return ""
    raw = np.empty(holder.shape, f"S{kind.get_size()}")
    if isinstance(holder, h5d.DatasetID):
        holder.read(h5s.ALL, h5s.ALL, raw)
    else:
        holder.read(raw)
    text = str(raw.item().decode("latin1"))
    return text if text.isprintable() else ""


def read_integer_attribute(object_: Any, name: bytes) -> int:
    """Read an attribute that is a single whole number."""
    attribute = h5a.open(object_, name)
    if attribute.get_type().get_class() != h5t.INTEGER or prod(attribute.shape) != 1:
        raise ValueError
    raw = np.empty(attribute.shape, attribute.dtype)
    attribute.read(raw)
    return int(raw.item())
