"""Write arrays to files for NumPy and MATLAB."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, cast

import numpy as np


def to_npz(arrays: Mapping[str, object]) -> bytes:
    """Return arrays as a file for NumPy (.npz)."""
    file = io.BytesIO()
    np.savez_compressed(file, **cast(dict[str, Any], arrays))
    return file.getvalue()


def to_mat(arrays: Mapping[str, object]) -> bytes:
    """Return arrays as a file for MATLAB (v7); an array of text becomes a cell array."""
    from scipy.io import savemat  # takes a third of a second, and a worker has no use for it

    file = io.BytesIO()
    cells = {name: _cells(value) for name, value in arrays.items()}
    savemat(file, cells, oned_as="column", do_compression=True)
    return file.getvalue()


def _cells(value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return value.astype(object)
    return value
