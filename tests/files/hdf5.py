"""Write HDF5 as MATLAB does."""

import io
from collections.abc import Callable

import h5py
import numpy as np


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
