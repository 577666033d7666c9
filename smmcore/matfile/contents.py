"""The contents of a file, read variable by variable when they are needed."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .formats import LARGEST_ARRAY, MatFileError, expression
from .infer.context import Context
from .infer.image_size import sizes_are_known
from .infer.layouts import infer_from
from .infer.prefetch import variables_to_prefetch
from .infer.reasons import damaged
from .infer.split_and_groups import unused
from .infer.unlabelled import unlabelled_layouts
from .layout import (
    Dataset,
    Layout,
    Stored,
    Variable,
    arrange,
    arrange_unlabelled,
    draw,
)
from .sandbox import PATIENCE, SECONDS, ask

MAX_KEPT_BYTES = 2 * LARGEST_ARRAY  # bytes of variables between questions
MAX_SEEN = 200  # samples that tell whether they are matrices
LONGEST = PATIENCE * SECONDS  # for all the variables that are read to find samples and labels

File = str | os.PathLike[str] | bytes | BinaryIO


class Contents:
    """What a file holds, and a file of labels beside it: each variable is read when asked for.

    Parameters
    ----------
    file, labels_file : path, bytes or binary file object
        Labels, groups and parts are looked up in the second file where there is one, and what it
        does not have in the first.
    """

    def __init__(self, file: File, labels_file: File | None = None) -> None:
        self._file = in_bytes(file)
        self._labels_file = self._file if labels_file is None else in_bytes(labels_file)
        self._spent: list[float] = []  # seconds of answers
        self._read: dict[tuple[bool, str], NDArray[Any] | MatFileError] = {}

    @cached_property
    def _listed(self) -> tuple[str, dict[str, Variable]]:
        return listed(self._file)

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
            return listed(self._labels_file)[1]
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
        while sum(getattr(each, "nbytes", 0) for each in self._read.values()) > MAX_KEPT_BYTES:
            del self._read[next(iter(self._read))]
        if isinstance(first, MatFileError):
            raise _of_second(first) if beside else first
        return first

    def inferred_layouts(self) -> list[Layout]:
        """Return the layouts in which the file can be read; see `infer_layouts`."""
        self._prefetch()
        return infer_from(self._context)

    @property
    def damaged(self) -> list[str]:
        """A sentence for each variable that is damaged, or cut off at the end of its file."""
        return damaged(self.variables) + [
            f"In the second file: {each}" for each in damaged(self.beside)
        ]

    def sizes_are_known(self, layout: Layout, data: Stored) -> bool:
        """Whether anything in the file tells the rows and columns of what a layout has stored."""
        if layout.shape is None:
            return True
        X = data.take(np.linspace(0, len(data.y) - 1, min(MAX_SEEN, len(data.y))).astype(int)).X
        rows = X.swapaxes(1, 2) if layout.order == "F" else X
        return sizes_are_known(self._context, rows.reshape(len(X), -1))

    def unused(self, layout: Layout) -> dict[str, int]:
        """Vectors of a value a sample, some repeated, that a layout does not use: how many differ.

        They may tell subjects apart.
        """
        told = layout.groups or layout.cells or layout.group_axis is not None
        if layout.test or told or not layout.labels:
            return {}
        return unused(self._context, layout)

    @property
    def _context(self) -> Context:
        kind = self._listed[0]
        table = kind == "text"
        by_rows = table or kind == "npy"
        return Context(
            self.variables,
            self.labels,
            self.beside.keys(),
            self.read,
            self.read_labels,
            by_rows,
            table,
        )

    def _prefetch(self) -> None:
        """Read at once what the inference will need: each call of the reader takes time."""
        for beside, held in ((False, self.variables), (True, self.beside)):
            if names := variables_to_prefetch(held):
                with suppress(MatFileError):  # said where the variable is needed
                    self._once(beside, names)

    def stored(self, layout: Layout) -> Stored:
        """Samples in the type they were saved in, and labels."""
        return arrange(layout, self.read, self.read_labels)

    def unlabelled_layouts(self) -> list[Layout]:
        """How the samples of a file without labels may lie, best first: to be looked at."""
        return unlabelled_layouts(self._context)

    def stored_unlabelled(self, layout: Layout) -> Stored:
        """The samples of one of these, with their numbers for labels."""
        return arrange_unlabelled(layout, self.read)

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


def listed(data: bytes) -> tuple[str, dict[str, Variable]]:
    """The format of a file, and what it holds by name."""
    head, _ = ask(data)
    found = [Variable(name, kind, tuple(shape)) for name, kind, shape in head["variables"]]
    return head["format"], {each.name: each for each in found}


def _of_second(error: MatFileError) -> MatFileError:
    """An error of the file of labels, which says so."""
    return MatFileError(f"In the second file: {error}")


def in_bytes(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    if file.seekable():
        file.seek(0)
    return file.read()
