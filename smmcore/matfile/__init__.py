"""Read what people upload, some of it damaged, some hostile: MATLAB files of every version, HDF5,
NumPy (.npz, .npy) and text (.csv and MATLAB's `save -ascii`), told apart by their content.

Every byte is parsed in a child process with a limit of memory and of time (`sandbox.py`,
`child.py`): on bad bytes `scipy.io.loadmat` can die by signal, hang, or turn 2 MB into 2 GB, and
none of that is an exception one could catch. What cannot be used raises `MatFileError`, a
`ValueError` whose message is one sentence.

>>> list_variables("faces.mat")                                             # doctest: +SKIP
[Variable(name='fea', matlab_class='double', shape=(400, 1024)),
 Variable(name='gnd', matlab_class='double', shape=(400, 1))]
>>> layout = Layout(("fea",), axis=0, shape=(32, 32), labels="gnd")          # doctest: +SKIP
>>> X, y, *_ = read_samples("faces.mat", layout)                            # doctest: +SKIP
>>> X.shape, y.shape                                                        # doctest: +SKIP
((400, 32, 32), (400,))
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .formats import EACH, LARGEST_ARRAY, NUMERIC, READABLE, MatFileError, expression, shown
from .layout import (
    Dataset,
    Layout,
    Stored,
    Variable,
    advised,
    agree,
    arrange,
    arrange_bare,
    draw,
    long_axes,
)
from .proposals import (
    MOST_CLASSES,
    Known,
    bare,
    first_read,
    lost,
    may_tell,
    propose,
    sizes_told,
    unused,
)
from .samples import MissingError, distinct, to_labels, to_samples, written
from .sandbox import PATIENCE, SECONDS, ask, warm_up

__all__ = [
    "EACH",
    "LARGEST_ARRAY",
    "MOST_CLASSES",
    "NUMERIC",
    "READABLE",
    "Contents",
    "Dataset",
    "Layout",
    "MatFileError",
    "MissingError",
    "Stored",
    "Variable",
    "agree",
    "distinct",
    "draw",
    "list_variables",
    "long_axes",
    "may_tell",
    "proposals",
    "read_samples",
    "read_variables",
    "shown",
    "to_labels",
    "to_samples",
    "warm_up",
    "written",
]

MOST_KEPT = 2 * LARGEST_ARRAY  # bytes of variables between questions
MOST_SEEN = 200  # samples that tell whether they are matrices
LONGEST = PATIENCE * SECONDS  # for all the variables that are read to find samples and labels

File = str | os.PathLike[str] | bytes | BinaryIO


def list_variables(file: File) -> list[Variable]:
    """List what a file holds, from its headers alone; text has none and is read.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.

    Returns
    -------
    list of Variable
        In the order of the file, each struct before its fields. A cell array of structs is listed
        as a struct array, each field as a cell array. What comes once for each subject, `S1.X`,
        `S2.X`, ..., is listed again at the end as one cell array, `S*.X`.

    Raises
    ------
    MatFileError
        Where the bytes are no file that can be read, or are damaged.
    """
    return list(_listed(_bytes(file))[1].values())


def read_variables(file: File, names: list[str]) -> list[NDArray[Any]]:
    """Read variables as plain arrays of numbers or text, each in the shape that MATLAB shows.

    A cell array comes as one stack of its cells, which must agree in shape, column by column.
    Errors are those of `read_samples`.
    """
    found: list[NDArray[Any]] = []
    for array in ask(_bytes(file), names)[1]:
        if isinstance(array, MatFileError):
            raise array
        found.append(array)
    return found


class Contents:
    """What a file holds, and a file of labels beside it: each variable is read when asked for.

    Parameters
    ----------
    file, labels_file : path, bytes or binary file object
        Labels, groups and parts are looked up in the second file where there is one, and what it
        does not have in the first.
    """

    def __init__(self, file: File, labels_file: File | None = None) -> None:
        self._file = _bytes(file)
        self._labels_file = self._file if labels_file is None else _bytes(labels_file)
        self._spent: list[float] = []  # seconds of answers
        self._read: dict[tuple[bool, str], NDArray[Any] | MatFileError] = {}

    @cached_property
    def _listed(self) -> tuple[str, dict[str, Variable]]:
        return _listed(self._file)

    @property
    def variables(self) -> dict[str, Variable]:
        """What the file holds, by name."""
        return self._listed[1]

    @cached_property
    def beside(self) -> dict[str, Variable]:
        """What the second file holds, by name; nothing where there is none."""
        if self._labels_file is self._file:
            return {}
        try:
            return _listed(self._labels_file)[1]
        except MatFileError as error:
            raise _of_second(error) from None

    @cached_property
    def labels(self) -> dict[str, Variable]:
        """Where labels are looked up, by name: in the second file before the first."""
        if not self.beside:
            return self.variables
        return self.beside | {
            name: each for name, each in self.variables.items() if name not in self.beside
        }

    def is_beside(self, name: str) -> bool:
        """Whether a label, group or part of this name is that of the second file.

        The name may be an expression that stands for its cells, as in `formats.answers`.
        """
        return expression(name, self.beside)[0] in self.beside

    def read(self, name: str) -> NDArray[Any]:
        """The variable of this name in the file."""
        return self._once(False, [name])

    def read_labels(self, name: str) -> NDArray[Any]:
        """The variable of this name in the file of labels, or else in the first."""
        return self._once(self.is_beside(name), [name])

    def _once(self, beside: bool, names: list[str]) -> NDArray[Any]:
        """The first of these variables; all of them are kept for the next questions."""
        new = [name for name in names if (beside, name) not in self._read]
        if new:
            if sum(self._spent) > LONGEST:
                raise MatFileError(f"The file took longer than {LONGEST:g} seconds to read.")
            found: Sequence[NDArray[Any] | MatFileError]
            try:
                found = ask(self._labels_file if beside else self._file, new, self._spent)[1]
            except MatFileError as error:
                if len(new) > 1:  # the others may be sound
                    raise
                found = [error]
            self._read |= {(beside, name): each for name, each in zip(new, found, strict=True)}
        first = self._read[beside, names[0]]
        while sum(getattr(each, "nbytes", 0) for each in self._read.values()) > MOST_KEPT:
            del self._read[next(iter(self._read))]
        if isinstance(first, MatFileError):
            raise _of_second(first) if beside else first
        return first

    def proposals(self) -> list[Layout]:
        """How the file can be read; see the function of this name."""
        self._read_ahead()
        return propose(self._known)

    @property
    def lost(self) -> list[str]:
        """A sentence for each variable that is damaged, or cut off at the end of its file."""
        return lost(self.variables) + [f"In the second file: {each}" for each in lost(self.beside)]

    def tells_sizes(self, layout: Layout, data: Stored) -> bool:
        """Whether anything in the file tells the rows and columns of what a layout has stored."""
        if layout.shape is None:
            return True
        X = data.take(np.linspace(0, len(data.y) - 1, min(MOST_SEEN, len(data.y))).astype(int)).X
        rows = X.swapaxes(1, 2) if layout.order == "F" else X
        return sizes_told(self._known, rows.reshape(len(X), -1))

    def unused(self, layout: Layout) -> dict[str, int]:
        """Vectors of a value a sample, some repeated, that a layout does not use: how many differ.

        They may tell subjects apart.
        """
        told = layout.groups or layout.cells or layout.group_axis is not None
        if layout.test or told or not layout.labels:
            return {}
        return unused(self._known, layout)

    @property
    def _known(self) -> Known:
        kind = self._listed[0]
        table = kind == "text"
        by_rows = table or kind == "npy"
        return Known(
            self.variables,
            self.labels,
            self.beside.keys(),
            self.read,
            self.read_labels,
            by_rows,
            table,
        )

    def _read_ahead(self) -> None:
        """Read what a proposal will ask for at once: each question takes its time."""
        for beside, held in ((False, self.variables), (True, self.beside)):
            if names := first_read(held):
                with suppress(MatFileError):  # said where the variable is needed
                    self._once(beside, names)

    def stored(self, layout: Layout) -> Stored:
        """Samples in the type they were saved in, and labels."""
        return arrange(layout, self.read, self.read_labels)

    def bare(self) -> list[Layout]:
        """How the samples of a file without labels may lie, best first: to be looked at."""
        return bare(self._known)

    def stored_bare(self, layout: Layout) -> Stored:
        """The samples of one of these, with their numbers for labels."""
        return arrange_bare(layout, self.read)

    def samples(
        self,
        layout: Layout,
        *,
        classes: Sequence[Any] | None = None,
        most: int | None = None,
        seed: int = 0,
    ) -> Dataset:
        """Samples and labels; see `read_samples`."""
        stored = self.stored(layout)
        return stored.take(draw(stored.y, classes, most, seed))


def proposals(file: File, labels_file: File | None = None) -> list[Layout]:
    """Find how a file holds samples and their labels.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    labels_file : path, bytes or binary file object, optional
        Where the labels are, if not in the same file.

    Returns
    -------
    list of Layout
        Best first, one at least. The others are what a reader may have to choose instead: a
        transpose, other rows and columns, another axis, other labels.

    Raises
    ------
    MatFileError
        Where the file holds no samples of two classes; the message says why.
    """
    return Contents(file, labels_file).proposals()


def read_samples(
    file: File,
    layout: Layout,
    labels_file: File | None = None,
    *,
    classes: Sequence[Any] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> Dataset:
    """Read matrices and their labels as a layout says.

    Parameters
    ----------
    file : path, bytes or binary file object
        The whole file; a file object is read from its start.
    layout : Layout
        One of the `proposals`, or your own.
    labels_file : path, bytes or binary file object, optional
        Where the labels and groups are, if not in the same file.
    classes : sequence, optional
        The labels of the samples to read; all by default.
    most : int, optional
        Of more samples than that a part is drawn, of each class its share (two at least).
    seed : int
        Of that draw.

    Returns
    -------
    Dataset
        X of shape (n, p, q), float64; y, the labels as given; groups and the file's own test part
        where it has them; rows, the place of each sample in the file.

    Raises
    ------
    MissingError
        Where samples or labels hold NaN or infinity, and `layout.missing` is "refuse".
    MatFileError
        Where the file or a variable in it cannot be used; the message says which and why.
    """
    try:
        contents = Contents(file, labels_file)
        return contents.samples(layout, classes=classes, most=most, seed=seed)
    except MissingError as error:
        raise advised(error) from None


def _listed(data: bytes) -> tuple[str, dict[str, Variable]]:
    """The format of a file, and what it holds by name."""
    head, _ = ask(data)
    found = [Variable(name, kind, tuple(shape)) for name, kind, shape in head["variables"]]
    return head["format"], {each.name: each for each in found}


def _of_second(error: MatFileError) -> MatFileError:
    """An error of the file of labels, which says so."""
    return MatFileError(f"In the second file: {error}")


def _bytes(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    if file.seekable():
        file.seek(0)
    return file.read()
