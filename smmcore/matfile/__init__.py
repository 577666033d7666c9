"""Read what people upload: MATLAB files (v4 to v7), some damaged, some hostile.

Every byte is parsed in a child process with a limit of memory and of time (`sandbox.py`,
`reader.py`): on bad bytes `scipy.io.loadmat` can die by signal, hang, or turn 2 MB into 2 GB, and
none of that is an exception one could catch. What cannot be used raises `MatFileError`, a
`ValueError` whose message is one sentence.

>>> list_variables("faces.mat")                                             # doctest: +SKIP
[Variable(name='fea', matlab_class='double', shape=(400, 1024)),
 Variable(name='gnd', matlab_class='double', shape=(400, 1))]
>>> X, y = read_dataset("faces.mat", "fea", "gnd", 0, shape=(32, 32))       # doctest: +SKIP
>>> X.shape, y.shape                                                        # doctest: +SKIP
((400, 32, 32), (400,))
"""

import os
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .reader import LARGEST_ARRAY, NUMERIC, MatFileError, shown
from .samples import distinct, to_labels, to_samples, written
from .sandbox import ask

__all__ = [
    "LARGEST_ARRAY",
    "NUMERIC",
    "MatFileError",
    "Variable",
    "distinct",
    "list_variables",
    "read_dataset",
    "read_variables",
    "shown",
    "to_labels",
    "to_samples",
    "written",
]

File = str | os.PathLike[str] | bytes | BinaryIO


class Variable(NamedTuple):
    """One array in a file; what lies in a struct has a dotted name (`imdb.images.data`)."""

    name: str
    matlab_class: str
    shape: tuple[int, ...]  # empty for the classes that do not tell theirs (table, string, ...)


def list_variables(file: File) -> list[Variable]:
    """List what a MATLAB file holds, from its headers alone.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.

    Returns
    -------
    list of Variable
        In the order of the file, each struct before its fields.

    Raises
    ------
    MatFileError
        Where the bytes are not a MATLAB file of version 4 to 7, or are damaged.
    """
    head, _ = ask(_bytes(file))
    return [Variable(name, kind, tuple(shape)) for name, kind, shape in head["variables"]]


def read_variables(file: File, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Parameters and errors are those of `read_dataset`.
    """
    return ask(_bytes(file), names)[1]


def read_dataset(
    file: File,
    samples: str,
    labels: str,
    sample_axis: int,
    *,
    shape: tuple[int, int] | None = None,
    order: Literal["F", "C"] = "F",
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Read matrices and their labels from a MATLAB file.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    samples, labels : str
        Names of variables, dotted for the fields of a struct.
    sample_axis : int
        The axis of `samples` that runs over samples, from 0; -1 is the last. Messages count as
        MATLAB does, from 1.
    shape : (int, int), optional
        Rows p and columns q, where each sample lies flattened in a row or column of `samples`.
    order : {"F", "C"}
        Whether a flattened sample runs down its columns (MATLAB's `X(:)`) or along its rows.

    Returns
    -------
    X : ndarray of shape (n, p, q), float64
    y : ndarray of shape (n,)
        The labels as given, or, where they are one-hot, the places of the ones, from 1.
        Unsigned integers stay unsigned: compare them, do not calculate.

    Raises
    ------
    MatFileError
        Where the file or a variable in it cannot be used; the message says which and why.
    """
    values, given = read_variables(file, [samples, labels])
    X = to_samples(values, sample_axis, shape=shape, order=order, name=samples)
    return X, to_labels(given, len(X), name=labels)


def _bytes(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    if file.seekable():
        file.seek(0)
    return file.read()
