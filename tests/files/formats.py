"""Write the same variables in every format that can hold them.

A variable is an array of numbers or of text, a sparse matrix, a dict for a struct, or an array of
objects for a cell array.
"""

import io
from collections.abc import Callable

import h5py
import numpy as np
from scipy.sparse import issparse

from tests.files.make import mat, npz


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
    elif names := (value := np.atleast_2d(value)).dtype.names:
        made = group.create_group(name)
        made.attrs["MATLAB_class"] = np.bytes_("struct")
        for field in names:
            each = enumerate(value[field].flat)
            held = [in_matlab_73(heap, f"{name}.{field}{i}", x) for i, x in each]
            store_cells(made, field, held, "")
    elif value.dtype == object:
        held = [in_matlab_73(heap, f"{name}{i}", each) for i, each in enumerate(value.ravel())]
        made = store_cells(group, name, held)
    elif value.dtype.kind == "U":
        words = np.char.ljust(value.ravel(), value.itemsize // 4)
        made = store(group, name, words.view("u4").reshape(words.size, -1).astype("u2"), "char")
    elif not value.size:
        made = store(group, name, np.array(value.shape, "u8"))
        made.attrs["MATLAB_empty"] = np.uint8(1)
    else:
        classes = {"float64": "double", "complex128": "double", "float32": "single"}
        word = {**classes, "bool": "logical"}.get(value.dtype.name, value.dtype.name)
        stored = {"bool": "u1", "complex128": [("real", "f8"), ("imag", "f8")]}
        numbers = np.ascontiguousarray(value).view(stored.get(value.dtype.name, value.dtype))
        made = store(group, name, numbers, word)
    return made


WRITERS = {
    "version 6": lambda variables: mat(_compress=False, **variables),
    "version 7": lambda variables: mat(**variables),
    "version 7.3": lambda variables: matlab_73(
        lambda file: [in_matlab_73(file, *each) for each in variables.items()]
    ),
    "npz": lambda variables: npz(**variables),
}
