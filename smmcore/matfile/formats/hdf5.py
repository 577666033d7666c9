"""HDF5: MATLAB 7.3, Octave's `save -hdf5`, hdf5storage, and what h5py writes.

Nothing is followed out of the file: links that are not hard ones, storage that lies elsewhere and
filters that would have to be loaded are told from their headers and listed under a class of that
name, which nobody can read. HDF5's own messages may name other files, so none is ever passed on.
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
from .octave import KINDS, spread
from .variables import (
    CUT_OFF,
    DEEPEST,
    LARGEST_ARRAY,
    MOST_VARIABLES,
    NUMERIC,
    STRUCTS,
    Header,
    MatFileError,
    Value,
    class_of,
    decoded,
    lacking,
    shown,
    times,
    too_large,
)

MOST_CELLS = 50_000  # in one variable, cells in cells included: some five seconds
LONGEST_CLASS = 64  # bytes of the name of a class
HIDDEN = (b"#refs#", b"#subsystem#")  # where MATLAB keeps what cells and objects refer to
FILTERS = {
    *(h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32, h5z.FILTER_SZIP),
    *(h5z.FILTER_NBIT, h5z.FILTER_SCALEOFFSET, h5z.FILTER_LZF),
}
_numbers = count()  # HDF5 takes two files in memory for one where they have the same name
LINKS = {h5l.TYPE_SOFT: "soft link", h5l.TYPE_EXTERNAL: "external link"}


class Budget:
    """What one variable may take, all its cells together."""

    def __init__(self, name: str) -> None:
        self.name, self.bytes, self.cells = name, 0, 0

    def take(self, shape: tuple[int, ...], itemsize: int = 1) -> None:
        self.bytes += prod(shape) * itemsize
        if self.bytes > LARGEST_ARRAY:
            raise too_large(self.name, shape)

    def take_cells(self, shape: tuple[int, ...], depth: int) -> None:
        self.cells += prod(shape)
        if self.cells > MOST_CELLS:
            raise MatFileError(
                f"{shown(self.name)} has more than the {MOST_CELLS:,} cells that can be read."
            )
        if depth > DEEPEST:
            raise MatFileError(f"{shown(self.name)} nests cells more than {DEEPEST} deep.")


Read = Callable[[Budget, int], Any]


class Node(NamedTuple):
    """An object of the file as MATLAB would show it."""

    kind: str
    shape: tuple[int, ...] = ()
    read: Read | None = None  # its numbers, text or cells; its depth in cells of cells
    fields: h5g.GroupID | dict[str, Node] | None = None  # of a struct, or a table
    cells: h5d.DatasetID | h5g.GroupID | None = None  # that refers to each of them, or holds them


NOTHING = Node("double", (0, 0), lambda budget, depth: np.zeros((0, 0)))  # that a cell refers to


def headers(data: bytes) -> Iterator[Header]:
    """What the file holds, structs opened, without reading any numbers."""
    for path, node in contents(data).items():
        yield Header(path, node.kind, node.shape)


@lru_cache(maxsize=1)  # listed first, then loaded, by a process that then ends
def contents(data: bytes) -> dict[tuple[str, ...], Node]:
    """All variables by the names that lead to them; of two of one name the first."""
    nodes: dict[tuple[str, ...], Node] = {}
    for path, node in islice(walk(File(data)), MOST_VARIABLES + 1):
        nodes.setdefault(path, node)
    return nodes


def load(data: bytes, found: list[Header]) -> list[Any]:
    """The variables with these headers, cells as arrays of objects."""
    nodes = contents(data)
    values: list[Any] = []
    for path, kind, _ in found:
        name, read = ".".join(path), nodes[path].read
        if read is None:  # an object, whose numbers are elsewhere
            values.append(
                MatFileError(f"{shown(name)} is of class {shown(kind)}, not an array of numbers.")
            )
            continue
        try:
            with damage(f"{shown(name)} is damaged and cannot be read."):
                values.append(read(Budget(name), 0))
        except MatFileError as error:
            values.append(error)
    return values


@contextmanager
def damage(sentence: str) -> Iterator[None]:
    """Say this sentence, and nothing of HDF5's, where it stumbles."""
    try:
        yield
    except (MatFileError, MemoryError):
        raise
    except Exception:
        raise MatFileError(sentence) from None


class File:
    """An HDF5 file in memory, and whose manners it has."""

    def __init__(self, data: bytes) -> None:
        in_memory = h5p.create(h5p.FILE_ACCESS)
        in_memory.set_fapl_core(backing_store=False)
        in_memory.set_file_image(data)
        try:
            self.id = h5f.open(b"memory %d" % next(_numbers), h5f.ACC_RDONLY, in_memory)
        except Exception as error:
            cut_off = "truncated" in str(error)
            raise MatFileError(
                CUT_OFF if cut_off else "The file is damaged: HDF5 cannot open it."
            ) from None
        self.objects = mcos.Objects(lambda: subsystem(self), "<")
        # MATLAB and Octave turn the axes around; h5py writes them as NumPy has them.
        self.turned = data.startswith(b"MATLAB")


def walk(
    file: File,
    group: h5g.GroupID | None = None,
    parents: tuple[str, ...] = (),
    holders: tuple[int, ...] = (),
) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Each variable with the names that lead to it, a struct before its fields."""
    group = group or h5g.open(file.id, b"/")
    with damage("The file is damaged: its table of contents cannot be read."):
        holders = (*holders, h5o.get_info(group).addr)
        links = links_of(group, MOST_VARIABLES + len(HIDDEN))
    for name, kind_of_link in links:
        if not parents and name in HIDDEN:
            continue
        path = (*parents, name.decode("utf-8", "replace"))
        try:
            node = linked(file, group, name, kind_of_link, holders)
        except MemoryError:
            raise
        except Exception:  # it must not hide the others
            node = Node("damaged object")
        first = first_struct(file, node, holders) if len(path) <= DEEPEST else None
        yield path, node if first is None else Node("struct", node.shape)
        if first is not None:
            yield from of_structs(file, node, path, walk(file, first, path, holders))
        elif isinstance(node.fields, dict):
            yield from (((*path, each), column) for each, column in node.fields.items())
        elif node.fields is not None and len(path) <= DEEPEST:
            yield from walk(file, node.fields, path, holders)


def first_struct(file: File, node: Node, holders: tuple[int, ...]) -> h5g.GroupID | None:
    """The struct in the first cell, whose fields those in the others have, too."""
    if node.cells is None or not prod(node.shape):
        return None
    with suppress(Exception):  # said where the cells are read
        object_ = first_cell(file, node.cells)
        fields = described(file, object_).fields
        if isinstance(fields, h5g.GroupID) and h5o.get_info(object_).addr not in holders:
            return fields
    return None


def first_cell(file: File, held: h5d.DatasetID | h5g.GroupID) -> Any:
    """What lies in the first cell, of which alone the reference is read."""
    if isinstance(held, h5g.GroupID):
        return next(in_cells(file, held))
    first = np.empty((1,) * held.rank, held.dtype)
    space = held.get_space()
    space.select_hyperslab((0,) * first.ndim, first.shape)
    held.read(h5s.create_simple(first.shape), space, first)
    return h5r.dereference(first.item(), file.id)


def of_structs(
    file: File,
    node: Node,
    path: tuple[str, ...],
    first: Iterator[tuple[tuple[str, ...], Node]],
) -> Iterator[tuple[tuple[str, ...], Node]]:
    """What each struct in the cells of a cell array holds, by what the first does."""
    assert node.cells is not None
    for inner, field in first:
        kind = "struct" if field.kind == "struct" else "cell"
        read = partial(cells, file, node.cells, node.shape, inner, len(path))
        yield inner, Node(kind, node.shape, None if kind == "struct" else read)


def links_of(group: h5g.GroupID, most: int) -> list[tuple[bytes, int]]:
    """Names and types of what a group holds; of more than so many one more."""
    links: list[tuple[bytes, int]] = []

    def note(name: bytes, info: Any) -> bool | None:
        links.append((name, info.type))
        return len(links) > most or None

    group.links.iterate(note, info=True)
    return links


def linked(
    file: File,
    group: h5g.GroupID,
    name: bytes,
    kind_of_link: int = h5l.TYPE_HARD,
    holders: tuple[int, ...] = (),
) -> Node:
    """What lies behind a link, if the link cannot lead out of the file."""
    if kind_of_link != h5l.TYPE_HARD:
        return Node(LINKS.get(kind_of_link, "soft link"))
    if b"/" in name or name == b".":  # a path, whose parts may be links of any kind
        return Node("damaged object")
    object_ = h5o.open(group, name)
    if h5o.get_info(object_).addr in holders:
        return Node("circular link")
    return described(file, object_)


def described(file: File, object_: Any) -> Node:
    """An object as MATLAB would show it."""
    if isinstance(object_, h5d.DatasetID):
        return dataset(file, object_)
    if not isinstance(object_, h5g.GroupID):
        return Node("unknown")  # a type that has a name
    kind = text_attribute(object_, b"MATLAB_class")
    if h5a.exists(object_, b"MATLAB_sparse"):
        return sparse(file, object_, kind)
    if h5a.exists(object_, b"OCTAVE_NEW_FORMAT"):
        return octave(file, object_)
    if kind not in ("", "struct"):
        return Node(kind)
    return Node("struct", shape_of_struct(file, object_), fields=object_)


def shape_of_struct(file: File, group: h5g.GroupID) -> tuple[int, ...]:
    """That of its fields in a struct array, where each is a dataset of references without class."""
    for name, kind_of_link in links_of(group, 1)[:1]:
        if kind_of_link == h5l.TYPE_HARD and b"/" not in name:
            first = h5o.open(group, name)
            if (
                isinstance(first, h5d.DatasetID)
                and not h5a.exists(first, b"MATLAB_class")
                and first.get_type().get_class() == h5t.REFERENCE
            ):
                return dataset(file, first).shape
    return (1, 1)


# ---- datasets -------------------------------------------------------------------------------


def dataset(file: File, data: h5d.DatasetID, turned: bool | None = None, kind: str = "") -> Node:
    """A dataset: numbers, text, cells, or what only says that it is empty."""
    kind = kind or text_attribute(data, b"MATLAB_class")
    if refused := unsafe(data):
        return Node(refused)
    if h5a.exists(data, b"MATLAB_empty"):
        return empty(data, "double" if kind in ("", "canonical empty") else kind)
    if data.shape is None:
        return Node(kind or "unknown")
    if h5a.exists(data, b"MATLAB_object_decode"):
        return node_of(file.objects.value(kind or "unknown", lambda: reference(data)))
    if turned is None:
        turned = file.turned or bool(kind)
    shape = data.shape[::-1] if turned else data.shape
    shape = shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
    dtype = data.dtype
    if h5py.check_ref_dtype(dtype) is h5py.Reference:
        return Node("cell", shape, partial(cells, file, data, shape, (), 0), cells=data)
    if h5py.check_string_dtype(dtype) is not None or dtype.kind == "S":
        return texts(data, dtype, shape)
    is_complex = dtype.names is not None and len(dtype.names) == 2 and dtype.kind == "V"
    is_complex = is_complex and {name[0].lower() for name in dtype.names} == {"r", "i"}
    found = class_of(dtype[0] if is_complex else dtype)
    if kind == "char" and dtype.kind in "iu":
        return Node(kind, shape, lambda budget, depth: characters(data, shape, budget))
    if not found or (kind and kind not in NUMERIC):
        return Node("damaged object" if kind in ("char", "cell") else kind or "unknown")

    def read(budget: Budget, depth: int) -> Any:
        budget.take(shape, dtype.itemsize)
        raw = raw_numbers(data, dtype.newbyteorder("="))
        if is_complex:
            real, imag = (raw[name] for name in sorted(dtype.names, reverse=True))
            raw = real.astype(np.result_type(real, 1j))
            raw.imag = imag  # 1j * infinity has a real part, NaN
        return (raw.T if turned else raw).reshape(shape)

    return Node(kind or found, shape, read)


def unsafe(data: h5d.DatasetID) -> str:
    """Why a dataset must not be read, as the name of a class; empty if it may."""
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


def raw_numbers(data: h5d.DatasetID, dtype: np.dtype[Any]) -> Any:
    """All of a dataset, as it lies in the file."""
    raw = np.empty(data.shape, dtype)
    data.read(h5s.ALL, h5s.ALL, raw)
    return raw


def small_integers(data: h5d.DatasetID) -> Any:
    """The lengths that a dataset lists."""
    if data.get_type().get_class() != h5t.INTEGER or prod(data.shape) > 64:
        raise ValueError
    return raw_numbers(data, data.dtype).ravel()


def empty(data: h5d.DatasetID, kind: str) -> Node:
    """What a dataset says is empty, whose lengths it lists."""
    shape = tuple(int(length) for length in small_integers(data))
    return Node(kind, shape, lambda budget, depth: emptiness(shape, kind, budget))


def emptiness(shape: tuple[int, ...], kind: str, budget: Budget) -> Any:
    """What is declared to be empty."""
    if prod(shape):
        raise MatFileError(
            f"The file is damaged: {shown(budget.name)} is said to be empty and {times(shape)}."
        )
    return np.zeros(shape, {"char": "U1", "cell": object}.get(kind, "f8"))


def characters(data: h5d.DatasetID, shape: tuple[int, ...], budget: Budget) -> Any:
    """The rows of a char matrix, which MATLAB stores as UTF-16 and Octave as bytes."""
    budget.take(shape, 4)
    raw = raw_numbers(data, data.dtype)
    if raw.ndim != 2:
        raise MatFileError(
            f"{shown(budget.name)} is text of {times(shape)}, not one row for each text."
        )
    return np.array(decoded(raw.T), "U")


def texts(data: h5d.DatasetID, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Node:
    """Strings, as h5py writes them: of one width like a char matrix, or of any like a cellstr."""

    def read(budget: Budget, depth: int) -> Any:
        budget.take_cells(shape, depth)
        raw = raw_numbers(data, dtype).ravel()
        found = [text.decode("utf-8", "replace") if text else "" for text in raw.tolist()]
        budget.take((sum(map(len, found)),))
        return np.array(found, "U")

    if dtype.kind == "S" and prod(shape) == max(shape):
        return Node("char", (max(shape), dtype.itemsize), read)
    return Node("cell", shape, read)


def cells(
    file: File,
    held: h5d.DatasetID | h5g.GroupID,
    shape: tuple[int, ...],
    path: tuple[str, ...],
    at: int,
    budget: Budget,
    depth: int,
) -> Any:
    """The cells of a cell array, in MATLAB's order, wherever in this file they lie.

    Of structs what lies in each under the names of a path from this place on.
    """
    budget.take_cells(shape, depth)
    found = np.empty(prod(shape), object)
    for i, object_ in zip(range(len(found)), in_cells(file, held), strict=True):
        node = NOTHING if object_ is None else described(file, object_)
        for place in range(at, len(path)):
            if node.cells is not None:
                found[i] = cells(file, node.cells, node.shape, path, place, budget, depth + 1)
                break
            name = path[place].encode()
            if not isinstance(node.fields, h5g.GroupID) or name not in node.fields:
                raise lacking(path, place)
            node = linked(file, node.fields, name, node.fields.links.get_info(name).type)
        else:
            found[i] = inside(node, budget, depth)
    return found


def in_cells(file: File, held: h5d.DatasetID | h5g.GroupID) -> Iterator[Any]:
    """What lies in each cell, in MATLAB's order; nothing for a reference to nothing."""
    if isinstance(held, h5g.GroupID):  # Octave's `_0`, `_1`, ..., padded with zeros
        names = (name for name, _ in links_of(held, MOST_CELLS) if name.startswith(b"_"))
        yield from (child(file, held, name) for name in sorted(names))
    else:
        for reference in raw_numbers(held, held.dtype).ravel():
            yield h5r.dereference(reference, file.id) if reference else None


def inside(node: Node, budget: Budget, depth: int) -> Any:
    """A cell."""
    if node.kind == "struct":
        raise MatFileError(f"{shown(budget.name)} {STRUCTS}")
    if node.read is None:
        raise MatFileError(
            f"{shown(budget.name)} has a cell of class {shown(node.kind)}, not of numbers or text."
        )
    return node.read(budget, depth + 1)


# ---- groups that are variables ----------------------------------------------------------------


def child(file: File, group: h5g.GroupID, name: bytes) -> Any:
    """A dataset or group that must be there, and safe."""
    if group.links.get_info(name).type != h5l.TYPE_HARD:
        raise ValueError
    object_ = h5o.open(group, name)
    if isinstance(object_, h5d.DatasetID) and unsafe(object_):
        raise ValueError
    return object_


def sparse(file: File, group: h5g.GroupID, kind: str) -> Node:
    """A sparse matrix of MATLAB's: values, their rows, and where each column begins."""
    rows = integer_attribute(group, b"MATLAB_sparse")
    (starts,) = child(file, group, b"jc").shape
    return compressed_columns(file, group, (rows, starts - 1), (b"data", b"ir", b"jc"), kind)


def compressed_columns(
    file: File, group: h5g.GroupID, shape: tuple[int, int], names: tuple[bytes, ...], kind: str
) -> Node:
    """A sparse matrix, whose indices are checked before anything is put where they say."""

    def read(budget: Budget, depth: int) -> Any:
        budget.take(shape, 8)
        if b"data" not in group:  # nothing but zeros
            return np.zeros(shape)
        parts = [dataset(file, child(file, group, name)) for name in names]
        for part in parts:
            if part.read is None or len(part.shape) != 2:
                raise MatFileError(f"{shown(budget.name)} is damaged and cannot be read.")
        values, ir, jc = (part.read(budget, depth).ravel() for part in parts)  # type: ignore[misc]
        matrix = csc_matrix((values, ir.astype(np.int64), jc.astype(np.int64)), shape)
        matrix.check_format(full_check=True)
        return matrix.toarray()

    return Node("logical" if kind == "logical" else "sparse", shape, read)


def octave(file: File, group: h5g.GroupID) -> Node:
    """A variable of Octave's: a group of its type, as text, and its value."""
    kind = as_text(child(file, group, b"type"))
    named = KINDS[kind].name if kind in KINDS else kind
    value = child(file, group, b"value")
    if isinstance(value, h5d.DatasetID):
        if h5a.exists(group, b"OCTAVE_EMPTY_MATRIX"):
            return empty(value, named)
        if kind.endswith("string"):
            return dataset(file, value, turned=True, kind="char")
        if kind.endswith("range"):
            return octave_range(value)
        if "matrix" in kind or "scalar" in kind or kind == "bool":
            return dataset(file, value, True, "logical" if kind.startswith("bool") else "")
        return Node(named)
    if kind == "scalar struct":
        return Node("struct", (1, 1), fields=value)
    if kind == "struct":
        return Node("struct", shape_of_octave_struct(file, value), fields=value)
    if kind == "cell":
        shape = tuple(int(length) for length in small_integers(child(file, value, b"dims"))[::-1])
        return Node(kind, shape, partial(cells, file, value, shape, (), 0), cells=value)
    if kind.startswith("sparse"):
        rows, columns = (
            int(small_integers(child(file, value, name))[0]) for name in (b"nr", b"nc")
        )
        logical = "logical" if "bool" in kind else "sparse"
        names = (b"data", b"ridx", b"cidx")
        return compressed_columns(file, value, (rows, columns), names, logical)
    return Node(named)


def octave_range(data: h5d.DatasetID) -> Node:
    """Numbers of which Octave keeps the first, the step and a bound, as of `1:78`."""
    raw = raw_numbers(data, data.dtype)
    value = spread(*(float(raw[name].item()) for name in ("base", "limit", "increment")))

    def read(budget: Budget, depth: int) -> Any:
        budget.take(value.shape, 8)
        return value.read()

    return Node(value.kind, value.shape, read)


def shape_of_octave_struct(file: File, group: h5g.GroupID) -> tuple[int, ...]:
    """That of its fields, which are cell arrays."""
    for name, _ in links_of(group, 1)[:1]:
        return octave(file, child(file, group, name)).shape
    return (1, 1)


# ---- objects of MATLAB's ----------------------------------------------------------------------


class Stored(mcos.Array):
    """An array of the subsystem, whose numbers are read where they are asked for."""

    @cached_property
    def values(self) -> Any:
        return self[2]()


def stored(file: File, object_: Any, budget: Budget, depth: int) -> mcos.Array:
    """An array of the subsystem."""
    if h5a.exists(object_, b"MATLAB_object_decode"):
        return mcos.Array("unknown", ())
    node = described(file, object_)
    if node.kind == "cell" and 0 not in node.shape:
        return mcos.Array("cell", node.shape, parts=parts(file, object_, budget, depth))

    def values() -> Any:
        assert node.read is not None
        found = node.read(Budget(budget.name), depth)
        return found if node.kind == "char" else found.ravel("F")

    dtype = {"logical": "?", "double": "f8", "single": "f4"}.get(node.kind, node.kind)
    return Stored(node.kind, node.shape, values, dtype)


def reference(data: h5d.DatasetID) -> mcos.Array:
    """What stands where an object would be; small, as that of many objects is not followed."""
    return mcos.Array("uint32", data.shape, small_integers(data))


def parts(file: File, data: h5d.DatasetID, budget: Budget, depth: int) -> tuple[mcos.Array, ...]:
    """The cells of the subsystem, or of a cell in it."""
    budget.take_cells(data.shape, depth)
    references = raw_numbers(data, data.dtype).ravel()
    return tuple(
        stored(file, h5r.dereference(each, file.id), budget, depth + 1) for each in references
    )


def subsystem(file: File) -> tuple[mcos.Array, ...]:
    """The cells in which MATLAB keeps the properties of all objects."""
    root = h5g.open(file.id, b"/")
    data = child(file, child(file, root, b"#subsystem#"), b"MCOS")
    return parts(file, data, Budget("#subsystem#"), 0)


def node_of(value: Value) -> Node:
    fields = {name: node_of(column) for name, column in value.fields.items()}
    return Node(value.kind, value.shape, lambda budget, depth: value.read(), fields or None)


# ---- attributes -------------------------------------------------------------------------------


def text_attribute(object_: Any, name: bytes) -> str:
    """A short text of one width, or nothing."""
    if not h5a.exists(object_, name):
        return ""
    return as_text(h5a.open(object_, name))


def as_text(holder: Any) -> str:
    """The text of an attribute or dataset; nothing where it holds anything else."""
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


def integer_attribute(object_: Any, name: bytes) -> int:
    """A whole number."""
    attribute = h5a.open(object_, name)
    if attribute.get_type().get_class() != h5t.INTEGER or prod(attribute.shape) != 1:
        raise ValueError
    raw = np.empty(attribute.shape, attribute.dtype)
    attribute.read(raw)
    return int(raw.item())
