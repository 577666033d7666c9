"""Write the same variables in every format that can hold them.

A variable is an array of numbers or of text, a sparse matrix, a dict for a struct, or an array of
objects for a cell array.
"""

import io
import struct
from collections.abc import Callable
from functools import partial

import h5py
import numpy as np
from scipy.sparse import issparse

from tests.files.make import mat, npz

HEAD = "# Created by Octave 7.3.0, Sat Nov 21 09:53:56 2026 UTC <me@here>\n"
CELL = "<cell-element>"
LETTERS = {"f8": "d", "f4": "f", "c16": "d", "b1": "B", "u1": "B", "i2": "h", "u8": "Q"}


def kind_in_octave(value):
    """What Octave calls a variable."""
    if isinstance(value, dict):
        return "scalar struct"
    if issparse(value):
        return "sparse bool matrix" if value.dtype == bool else "sparse matrix"
    kinds = {"object": "cell", "float64": "matrix", "float32": "float matrix"}
    kinds |= {"complex128": "complex matrix", "bool": "bool matrix"}
    name = np.asarray(value).dtype.name
    return "string" if name.startswith("str") else kinds.get(name, f"{name} matrix")


# ---- Octave's text and binary ---------------------------------------------------------------


def text(*variables):
    return (HEAD + "\n\n".join(variables) + "\n\n").encode()


def t(name, kind, *lines):
    return "\n".join([f"# name: {name}", f"# type: {kind}", *lines])


def binary(*variables, order="<"):
    mark = {"<": b"L", ">": b"B"}[order]
    return b"Octave-1-" + mark + b"\0" + b"".join(each(order) for each in variables)


def b(name, kind, form="", *content):
    """A variable in binary: its numbers as `struct` packs them, after them what it holds."""

    def packed(order):
        numbers = [each for each in content if not callable(each)]
        head = b"".join(struct.pack(f"{order}i", len(each)) + each for each in (name.encode(), b""))
        head += b"\0\xff" + struct.pack(f"{order}i", len(kind)) + kind.encode()
        inner = b"".join(each(order) for each in content if callable(each))
        return head + struct.pack(order + form, *numbers) + inner

    return packed


def in_text(name, value):
    """A variable in Octave's text."""
    write = partial(t, name, kind_in_octave(value))
    if isinstance(value, dict):
        fields = [in_text(*each) for each in value.items()]
        return write("# ndims: 2", " 1 1", f"# length: {len(fields)}", *fields)
    size = [f"# {what}: {n}" for what, n in zip(("rows", "columns"), np.shape(value), strict=False)]
    if issparse(value):
        entries = [f"{i + 1} {j + 1} {x:g}" for i, j, x in zip(*find_entries(value), strict=True)]
        return write(f"# nnz: {value.nnz}", *size, *entries)
    value = np.atleast_2d(value)
    if value.dtype == object:
        return write(*size, *(in_text(CELL, each) for each in value.ravel("F")))
    if value.dtype.kind == "U":
        words = [f"# length: {width(value)}\n{each:{width(value)}}" for each in value.ravel()]
        return write(f"# elements: {value.size}", *words)
    numbers = value.ravel("F").tolist()
    if value.dtype.kind == "c":
        numbers = [f"({each.real},{each.imag})" for each in numbers]
    numbers = map(str, map(int, numbers) if value.dtype == bool else numbers)
    return write(f"# ndims: {value.ndim}", " ".join(map(str, value.shape)), *numbers)


def in_binary(name, value):
    """A variable in Octave's binary."""
    write = partial(b, name, kind_in_octave(value))
    if isinstance(value, dict):
        return write("i", len(value), *(in_binary(*each) for each in value.items()))
    if issparse(value):
        S = value.tocsc()
        form, numbers = pack_numbers(S.data)
        places = [-2, *S.shape, S.nnz, *S.indptr, *S.indices]
        return write(f"{len(places)}i{form}", *places, *numbers)
    value = np.atleast_2d(value)
    if value.dtype == object:
        return write("3i", -2, *value.shape, *(in_binary(CELL, x) for x in value.ravel("F")))
    if value.dtype.kind == "U":
        letters = letters_of(value).ravel("F").tolist()
        return write(f"3i{len(letters)}B", -2, value.size, width(value), *letters)
    form, numbers = pack_numbers(value.ravel("F"))
    return write(f"{value.ndim + 1}i{form}", -value.ndim, *value.shape, *numbers)


def pack_numbers(numbers):
    """How `struct` packs numbers, and these; before floats is the number of their type."""
    letter = LETTERS[numbers.dtype.str[1:]]
    parts = numbers.view("f8") if numbers.dtype.kind == "c" else numbers
    mark = [{"d": 7, "f": 6}[letter]] if letter in "df" else []
    return f"{'b' * len(mark)}{parts.size}{letter}", [*mark, *parts.tolist()]


def find_entries(S):
    entries = S.tocsc().tocoo()
    return entries.row, entries.col, entries.data


def width(words):
    return max(map(len, words.ravel()))


def letters_of(words):
    """A row of numbers for each word, padded with spaces."""
    padded = [list(each.ljust(width(words))) for each in words.ravel()]
    return np.array(padded).view("u4").astype("u2")


# ---- HDF5 -----------------------------------------------------------------------------------


def matlab_73(write: Callable[[h5py.File], None], **how) -> bytes:
    """An HDF5 file with the header that MATLAB puts before it."""
    file = io.BytesIO()
    with h5py.File(file, "w", userblock_size=512, **how) as content:
        write(content)
    return b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM" + file.getvalue()[128:]


def store(group, name, values, matlab_class="double", **how):
    """An array as MATLAB stores it: its axes turned around, its class beside it."""
    data = group.create_dataset(name, data=np.ascontiguousarray(np.asarray(values).T), **how)
    data.attrs["MATLAB_class"] = np.bytes_(matlab_class)
    return data


def store_cells(group, name, cells, matlab_class="cell"):
    """References as MATLAB stores a cell array or, without class, a field of a struct array."""
    references = np.array([cell.ref for cell in cells], h5py.ref_dtype)
    data = group.create_dataset(name, data=references[:, None])
    if matlab_class:
        data.attrs["MATLAB_class"] = np.bytes_(matlab_class)
    return data


def plain_hdf5(write):
    file = io.BytesIO()
    with h5py.File(file, "w") as content:
        write(content)
    return file.getvalue()


def as_pairs(numbers):
    """Complex numbers as HDF5 has them."""
    if numbers.dtype.kind != "c":
        return numbers
    pairs = np.empty(numbers.shape, [("real", "f8"), ("imag", "f8")])
    pairs["real"], pairs["imag"] = numbers.real, numbers.imag
    return pairs


def octaves(group, name, kind, value=None):
    """A variable as Octave's `save -hdf5` writes it."""
    made = group.create_group(name)
    made.attrs["OCTAVE_NEW_FORMAT"] = np.uint8(1)
    made.create_dataset("type", data=np.bytes_(kind))
    if value is not None:
        made["value"] = value
    return made


def octaves_cells(group, name, count):
    cells = octaves(group, name, "cell").create_group("value")
    cells["dims"] = np.array([count, 1])
    return cells


def in_octaves_hdf5(group, name, value):
    """A variable in Octave's HDF5; cells are a row."""
    write = partial(octaves, group, name, kind_in_octave(value))
    if isinstance(value, dict):
        fields = write().create_group("value")
        for each in value.items():
            in_octaves_hdf5(fields, *each)
    elif issparse(value):
        S, parts = value.tocsc(), write().create_group("value")
        parts["nr"], parts["nc"], parts["nz"] = *S.shape, S.nnz
        parts["ridx"], parts["cidx"], parts["data"] = S.indices, S.indptr, S.data
    elif (value := np.atleast_2d(value)).dtype == object:
        held = octaves_cells(group, name, value.size)
        for i, each in enumerate(value.ravel()):
            in_octaves_hdf5(held, f"_{i:02d}", each)
    elif value.dtype.kind == "U":
        write(letters_of(value).T.astype("i1"))
    elif not value.size:
        write(np.array(value.shape)).attrs["OCTAVE_EMPTY_MATRIX"] = np.uint8(1)
    else:
        write(as_pairs(value.T.astype("f8") if value.dtype == bool else value.T))


def in_matlab_73(group, name, value):
    """A variable in the HDF5 of MATLAB 7.3."""
    heap = group.file.require_group("#refs#")
    if isinstance(value, dict):
        made = group.create_group(name)
        made.attrs["MATLAB_class"] = np.bytes_("struct")
        for each in value.items():
            in_matlab_73(made, *each)
    elif issparse(value):
        S, made = value.tocsc(), group.create_group(name)
        made.attrs["MATLAB_class"] = np.bytes_("logical" if S.dtype == bool else "double")
        made.attrs["MATLAB_sparse"] = np.uint64(S.shape[0])
        if S.nnz:
            made["data"] = S.data.astype("u1") if S.dtype == bool else S.data
            made["ir"] = S.indices.astype("u8")
        made["jc"] = S.indptr.astype("u8")
    elif (value := np.atleast_2d(value)).dtype == object:
        held = [in_matlab_73(heap, f"{name}{i}", each) for i, each in enumerate(value.ravel())]
        made = store_cells(group, name, held)
    elif value.dtype.kind == "U":
        made = store(group, name, letters_of(value), "char")
    elif not value.size:
        made = store(group, name, np.array(value.shape, "u8"))
        made.attrs["MATLAB_empty"] = np.uint8(1)
    else:
        classes = {"float64": "double", "complex128": "double", "float32": "single"}
        word = {**classes, "bool": "logical"}.get(value.dtype.name, value.dtype.name)
        numbers = value.astype("u1") if value.dtype == bool else as_pairs(value)
        made = store(group, name, numbers, word)
    return made


# ---- all formats ----------------------------------------------------------------------------


def into_hdf5(create, write, variables):
    return create(lambda file: [write(file, *each) for each in variables.items()])


WRITERS = {
    "version 6": lambda variables: mat(_compress=False, **variables),
    "version 7": lambda variables: mat(**variables),
    "version 7.3": partial(into_hdf5, matlab_73, in_matlab_73),
    "Octave's text": lambda variables: text(*(in_text(*x) for x in variables.items())),
    "Octave's binary": lambda variables: binary(*(in_binary(*x) for x in variables.items())),
    "Octave's big-endian binary": lambda variables: binary(
        *(in_binary(*x) for x in variables.items()), order=">"
    ),
    "Octave's HDF5": partial(into_hdf5, plain_hdf5, in_octaves_hdf5),
    "npz": lambda variables: npz(**variables),
}
