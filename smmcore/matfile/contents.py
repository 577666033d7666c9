"""The variables of a file and of its optional labels file, each read when it is needed."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .formats.errors import MatFileError
from .formats.reader import parse_expression
from .formats.variables import LARGEST_ARRAY
from .infer.context import Context, list_names_to_prefetch
from .infer.images import has_image_size
from .infer.reasons import describe_lost
from .infer.search import find_layouts, find_target_layouts
from .infer.unlabelled import find_unlabelled, find_unlabelled_layouts
from .infer.vectors import find_unused_vectors
from .layout import Layout, RawSamples, Variable, arrange, arrange_unlabelled
from .sandbox import PATIENCE, SECONDS, ask

MOST_CACHED = 2 * LARGEST_ARRAY  # bytes of variables that are kept for the next questions
MOST_COMPARED = 200  # samples that show whether they are matrices
LONGEST = PATIENCE * SECONDS  # for all the variables that are read to find samples and labels

File = str | os.PathLike[str] | bytes | BinaryIO


class Contents:
    """The variables of a file, and of a second file with labels; each is read when it is needed.

    Parameters
    ----------
    file, labels_file : path, bytes or binary file object
        Labels, groups and parts are looked up in the second file if there is one, and in the first
        file if the second does not have them.
    """

    def __init__(self, file: File, labels_file: File | None = None) -> None:
        self._file = read_bytes(file)
        self._labels_file = self._file if labels_file is None else read_bytes(labels_file)
        self._spent: list[float] = []  # seconds of each answer
        self._cache: dict[tuple[bool, str], NDArray[Any] | MatFileError] = {}

    @cached_property
    def _listing(self) -> tuple[str, dict[str, Variable]]:
        return _list_file(self._file)

    @property
    def variables(self) -> dict[str, Variable]:
        """The variables of the file, by name."""
        return self._listing[1]

    @cached_property
    def second_variables(self) -> dict[str, Variable]:
        """The variables of the second file, by name; empty if there is none."""
        if self._labels_file is self._file:
            return {}
        try:
            return _list_file(self._labels_file)[1]
        except MatFileError as error:
            raise _name_second_file(error) from None

    @cached_property
    def labels(self) -> dict[str, Variable]:
        """The variables among which labels are looked up, by name: the second file comes first."""
        if not self.second_variables:
            return self.variables
        return self.second_variables | {
            name: each for name, each in self.variables.items() if name not in self.second_variables
        }

    def is_in_second(self, name: str) -> bool:
        """Return whether a label, group or part of this name is in the second file.

        The name may be an expression about cells, as in `formats.reader.try_read_arrays`.
        """
        return parse_expression(name, self.second_variables)[0] in self.second_variables

    def read(self, name: str) -> NDArray[Any]:
        """Read a variable of the first file."""
        return self._read_cached(False, [name])

    def read_labels(self, name: str) -> NDArray[Any]:
        """Read a variable of the second file or, if it is not there, of the first."""
        return self._read_cached(self.is_in_second(name), [name])

    def _read_cached(self, second: bool, names: list[str]) -> NDArray[Any]:
        """Read these variables of one file, keep all in the cache, and return the first."""
        new = [name for name in names if (second, name) not in self._cache]
        if new:
            self._cache |= {(second, name): each for name, each in self._read(second, new).items()}
        first = self._cache[second, names[0]]
        while sum(getattr(each, "nbytes", 0) for each in self._cache.values()) > MOST_CACHED:
            del self._cache[next(iter(self._cache))]
        if isinstance(first, MatFileError):
            raise _name_second_file(first) if second else first
        return first

    def _read(self, second: bool, names: list[str]) -> dict[str, NDArray[Any] | MatFileError]:
        """Read these variables of one file: each as an array, or as the error that it raises."""
        if sum(self._spent) > LONGEST:
            raise MatFileError(f"The file took longer than {LONGEST:g} seconds to read.")
        arrays: Sequence[NDArray[Any] | MatFileError]
        try:
            arrays = ask(self._labels_file if second else self._file, names, self._spent)[1]
        except MatFileError as error:
            if len(names) > 1:  # the others may be readable
                raise
            arrays = [error]
        return dict(zip(names, arrays, strict=True))

    def infer_layouts(self) -> list[Layout]:
        """Infer how the file can be read; see the function of this name."""
        self._prefetch()
        return find_layouts(self._context)

    def infer_target_layouts(self) -> list[Layout]:
        """Infer layouts whose labels are measurements, such as temperatures, the likeliest first.

        Returns
        -------
        list of Layout
            `labels` is a vector with a number for each sample: many different ones, and not only
            whole numbers. There is none if the file holds no such vector.
        """
        self._prefetch()
        return find_target_layouts(self._context)

    def infer_unlabelled_layouts(self) -> list[Layout]:
        """Infer how the samples of a file without labels can be read, the likeliest first."""
        return find_unlabelled_layouts(self._context)

    @property
    def lost_variables(self) -> list[str]:
        """A sentence for each variable that is damaged, or cut off at the end of its file."""
        second = [f"In the second file: {each}" for each in describe_lost(self.second_variables)]
        return describe_lost(self.variables) + second

    def has_image_size(self, layout: Layout, samples: RawSamples) -> bool:
        """Return whether the file shows the rows and columns of the samples of a layout."""
        if layout.shape is None:
            return True
        n = len(samples.y)
        X = samples.take(np.linspace(0, n - 1, min(MOST_COMPARED, n)).astype(int)).X
        rows = X.swapaxes(1, 2) if layout.order == "F" else X
        return has_image_size(self._context, rows.reshape(len(X), -1))

    def find_unused_vectors(self, layout: Layout) -> dict[str, int]:
        """Find vectors that a layout does not use and that may identify subjects.

        They have one value per sample, and some values are repeated.

        Returns
        -------
        dict
            The number of different values, by the name of the vector.
        """
        has_groups = layout.groups or layout.cells or layout.group_axis is not None
        if layout.test or has_groups or not layout.labels:
            return {}
        return find_unused_vectors(self._context, layout)

    def find_unlabelled(self, layout: Layout) -> list[Layout]:
        """Find samples of the same rows and columns that have no labels, such as `X_test`.

        Parameters
        ----------
        layout : Layout
            The layout of the labelled samples.

        Returns
        -------
        list of Layout
            One for each variable that the layout does not use, for `raw_unlabelled_samples`. A
            variable that holds a single matrix is not among them, nor one whose labels are found
            by its name (`X_val` beside `y_val`).
        """
        return find_unlabelled(self._context, layout)

    @property
    def _context(self) -> Context:
        format_name = self._listing[0]
        return Context(
            variables=self.variables,
            labels=self.labels,
            in_second=self.second_variables.keys(),
            read=self.read,
            read_labels=self.read_labels,
            by_rows=format_name in ("text", "npy"),
            table=format_name == "text",
        )

    def _prefetch(self) -> None:
        """Read the variables that inference needs in one question, as each question takes time."""
        for second, variables in ((False, self.variables), (True, self.second_variables)):
            if names := list_names_to_prefetch(variables):
                with suppress(MatFileError):  # raised again where the variable is needed
                    self._read_cached(second, names)

    def raw_samples(self, layout: Layout) -> RawSamples:
        """Read labels, and samples in the type in which they were saved."""
        return arrange(layout, self.read, self.read_labels)

    def raw_unlabelled_samples(self, layout: Layout) -> RawSamples:
        """Read samples without labels; their numbers take the place of the labels."""
        return arrange_unlabelled(layout, self.read)


def read_bytes(file: File) -> bytes:
    """Return the whole content of a file."""
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    if file.seekable():
        file.seek(0)
    return file.read()


def _list_file(data: bytes) -> tuple[str, dict[str, Variable]]:
    """Return the format of a file and its variables by name."""
    head, _ = ask(data)
    variables = [Variable(name, kind, tuple(shape)) for name, kind, shape in head["variables"]]
    return head["format"], {each.name: each for each in variables}


def _name_second_file(error: MatFileError) -> MatFileError:
    """Return the same error, which says that it concerns the second file."""
    return MatFileError(f"In the second file: {error}")
