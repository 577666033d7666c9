"""Parts of variables that may be used like variables: columns, cells, and events at time 0."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .formats.errors import MatFileError
from .formats.variables import COLUMN, EACH, NUMERIC
from .infer.names import label_likelihood
from .layout import Read, Variable

AT_ZERO = " at time 0"  # in a name: of the events of EEGLAB, one for each epoch
MOST_COLUMNS = 10  # of a matrix of labels
MOST_VIEWS = 10  # cells of a cell array


def find_columns(variables: Mapping[str, Variable]) -> dict[str, tuple[str, int]]:
    """Find the columns of matrices that are called like labels: variable and place, by name."""
    return {
        f"{name}{COLUMN}{column + 1})": (name, column)
        for name, each in variables.items()
        if EACH not in name and each.matlab_class in NUMERIC and len(each.shape) == 2
        if label_likelihood(name) > 0 and 2 <= each.shape[1] <= MOST_COLUMNS < each.shape[0]
        for column in range(each.shape[1])
    }


def find_views(variables: Mapping[str, Variable], read: Read) -> dict[str, Variable]:
    """Find cells that hold other entries of the same samples, as many as labels of the file."""
    labels = {prod(each.shape) for name, each in variables.items() if label_likelihood(name) > 0}
    found: dict[str, Variable] = {}
    for name, each in variables.items():
        count = prod(each.shape)
        is_cell = each.matlab_class == "cell" and EACH not in name
        if not is_cell or not 2 <= count <= MOST_VIEWS or count in labels:
            continue
        with suppress(MatFileError):
            sizes = read(f"size({name}{{:}})")
            along = [n for n in sizes[0] if (sizes == n).any(axis=1).all() and n in labels]
            if along and sizes.shape[1] == 2:
                names = [f"{name}{{{number}}}" for number in range(1, count + 1)]
                found |= {
                    part: Variable(part, "double", tuple(map(int, shape)))
                    for part, shape in zip(names, sizes, strict=True)
                }
    return found


def find_events(variables: Mapping[str, Variable], read: Read) -> dict[str, Variable]:
    """Find the events of EEGLAB, of which an epoch may have several: those at time 0."""
    found = {}
    for name, each in variables.items():
        epochs = variables.get(f"{name.removesuffix('type')}epoch")
        if name.endswith("event.type") and epochs and epochs.shape == each.shape:
            with suppress(MatFileError):
                n = len(np.unique(read(epochs.name)))
                if n < prod(each.shape):
                    found[name + AT_ZERO] = Variable(name + AT_ZERO, "string", (n, 1))
    return found


def read_events(variables: Mapping[str, Variable], name: str, read: Read) -> NDArray[Any]:
    """Read the type of the event of each epoch that is nearest to time 0."""
    struct = name.removesuffix(f"type{AT_ZERO}")
    outer = struct.removesuffix("event.")
    kinds = read(f"{struct}type").ravel("F")
    epochs = read(f"{struct}epoch").ravel("F").astype(int)
    distance = np.zeros(len(kinds))
    needed = (f"{struct}latency", f"{outer}times", f"{outer}pnts")
    if all(each in variables for each in needed):
        latency, times, points = (read(each).ravel("F") for each in needed)
        zero = 1 + np.abs(times).argmin()
        distance = np.abs(latency - (epochs - 1) * points.item() - zero)
    nearest = np.lexsort((distance, epochs))
    _, first = np.unique(epochs[nearest], return_index=True)
    return np.asarray(kinds[nearest[first]])
