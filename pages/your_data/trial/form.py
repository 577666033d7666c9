"""The form in which a file stores samples, by which new samples are read and never guessed anew."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pages.your_data.files import Contents, FileError
from pages.your_data.files.arrange import (
    count_triangle,
    join_axes,
    mirror,
    read_cell_sizes,
    read_stack,
    require_real,
    split_column,
    take_place,
    to_spectrograms,
)
from pages.your_data.files.formats.errors import format_shape, quote
from pages.your_data.files.formats.headings import find_places
from pages.your_data.files.infer.context import Context, test_counterparts
from pages.your_data.files.infer.search import list_unused
from pages.your_data.files.infer.vectors import are_placeholders
from pages.your_data.files.labels import format_label
from pages.your_data.files.layout import Layout, long_axes

Order = Literal["", "columns", "rows"]
COLOURS = 3, 4  # red, green, blue, and perhaps opacity
FAR_OFF = 10  # times as large or as small as the training entries: another unit

MATRICES = Layout("", 0)  # a stack without a name


class TurnedError(FileError):
    """New samples have the rows of the training samples as columns."""


@dataclass(frozen=True)
class SampleForm:
    """How the file of the training samples stores a sample, and what its labels were called."""

    layout: Layout = MATRICES
    columns: tuple[str, ...] = ()  # names of the entries of a flattened sample, if they have names
    names: tuple[tuple[str, str], ...] = ()  # the label in the file and the class it was renamed to
    is_turned: bool = False  # new samples are transposed
    low: float = np.nan  # the smallest and the largest entry of the training samples
    high: float = np.nan

    @property
    def axis(self) -> int:
        """The axis that runs over samples, from 0; new windows are a stack."""
        layout = self.layout  # which counts the axes of a cell from 1
        return 0 if layout.window else max(0, layout.axis - bool(layout.cells))

    @property
    def order(self) -> Order:
        """Whether a flattened sample runs down its columns or along its rows; "" of a matrix."""
        if not self.layout.shape:
            return ""
        return "columns" if self.layout.order == "F" else "rows"

    @property
    def column(self) -> str:
        """The first or last column, if a table of flattened samples holds the labels there."""
        implied = self.layout.implied
        return implied if implied.endswith(" column") and self.layout.shape else ""

    @property
    def samples(self) -> str:
        """The name of the variable, without the structs that hold it."""
        return self.layout.samples.rpartition(".")[2]

    @property
    def labels(self) -> str:
        """The name of the labels, without the structs that hold them."""
        return self.layout.labels.rpartition(".")[2]

    @property
    def is_cut(self) -> bool:
        """Whether a larger matrix is cut to the size of the training samples."""
        return self.layout.cut is not None or self.layout.missing == "cut"

    def read(self, contents: Contents, name: str, shape: tuple[int, int]) -> list[NDArray[Any]]:
        """Read the samples of p x q in a variable, as `stack` returns them."""
        found = contents.variables.get(name)  # nothing if it is a single cell, `views{2}`
        cut = shape if self.is_cut and found and found.matlab_class == "cell" else None
        values = read_stack(name, cut, contents.read)
        ours = "the training samples"
        if places := find_places(contents.column_names(name), self.columns, name, ours):
            values = values[..., places]
        return self.stack(values, shape, name)

    def stack(self, values: NDArray[Any], shape: tuple[int, int], name: str) -> list[NDArray[Any]]:
        """Return the samples of a variable: for each colour an array m x p x q, not copied.

        A single sample may be p x q, with further axes of length 1, or flattened. It is an error if
        there are no samples of p x q.
        """
        if self.is_turned:
            stacks = replace(self, is_turned=False).stack(values, shape[::-1], name)
            return [each.swapaxes(1, 2) for each in stacks]
        values = np.abs(values) if self.layout.magnitude else values
        require_real(values, name)
        if segment := self.layout.segment:
            windows = values if values.ndim == 3 else values[:, None]
            if windows.shape[-1] >= segment:
                values = to_spectrograms(windows, segment)
        along, axes, colours = self.axis, long_axes(values.shape), [values]
        if self.layout.mean_over is not None and _lengths(values.shape, along) != _lengths(shape):
            few = [at for at in axes if values.shape[at] in COLOURS]
            if len(axes) > 3:  # of four axes the samples have one, however few they are
                few = [at for at in few if at != along]
            for at in few[-1:] if len(axes) > 2 else ():
                colours, along = list(np.moveaxis(values, at, 0)), along - (along > at)
        return [self._stack_matrices(each, along, shape, name) for each in colours]

    def _stack_matrices(
        self, values: NDArray[Any], along: int, shape: tuple[int, int], name: str
    ) -> NDArray[Any]:
        """Return the samples, m x p x q, rather along this axis than along the last that fits."""
        matrix = _lengths(shape)
        if (self.layout.joined or self.layout.place) and len(long_axes(values.shape)) > 2:
            values, along = self._take_two_axes(values, name), 0
        (p, q), triangle = shape, self.layout.triangle
        if self.is_cut and values.ndim == 2 and values.shape[0] >= p and values.shape[1] >= q:
            values = values[:p, :q]
        lengths = _lengths(values.shape)
        if lengths == matrix or (self.order and lengths == (p * q,)):  # a single sample
            values, along = values.reshape(1, *lengths), 0
        for axis in sorted(range(values.ndim), key=lambda at: (at != along, -at)):
            rest, rows = _lengths(values.shape, axis), np.moveaxis(values, axis, 0)
            if triangle is not None and rest == (count_triangle(p, triangle),):
                return mirror(rows.reshape(len(rows), -1), p, self.layout.order, triangle)
            if self.column and rest == (p * q + 1,):
                entries, _ = split_column(values, axis, self.column)
                rest, rows = (p * q,), np.moveaxis(entries, axis, 0)
            if rest == matrix or (rest == (p * q,) and self.order == "rows"):
                return rows.reshape(-1, p, q)
            if rest == (p * q,) and self.order == "columns":
                return rows.reshape(-1, q, p).swapaxes(1, 2)
        raise self._explain(values, shape, name)

    def _take_two_axes(self, values: NDArray[Any], name: str) -> NDArray[Any]:
        """Return samples along the first axis, of whose three axes two are left."""
        if values.ndim == 3:  # a single sample
            values = np.expand_dims(values, min(self.axis, 3))
        if values.ndim != 4 or self.axis > 3:
            raise FileError(f"{quote(name)} does not hold samples of three axes.")
        if self.layout.place:
            values, axis = take_place(values, *self.layout.place, name), self.axis
        else:
            values, axis = join_axes(values, self.layout.joined or (0, 0), self.axis)
        return np.moveaxis(values, axis, 0)

    def _explain(self, values: NDArray[Any], shape: tuple[int, int], name: str) -> FileError:
        """Return the error about a variable that holds no samples of this shape."""
        p, q = shape
        stored = f"{quote(name)} is {format_shape(values.shape)}"
        lengths = {n for n in values.shape if n > 1}
        if p != q and {p, q} <= lengths:
            return TurnedError(
                f"{stored}: its samples are {q} × {p}, and those of the classifier {p} × {q}."
            )
        if not self.order and (p * q in lengths or values.size == p * q):
            return FileError(
                f"{stored}, which may be flattened samples. The training samples were matrices, so "
                f"nothing says in which order to fold these: save matrices of {p} × {q}."
            )
        return FileError(f"{stored}, which holds no samples of {p} × {q}.")

    def label_column(self, values: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any] | None:
        """Return the labels in the first or last column of a table, if they are there."""
        if not self.column or values.ndim != 2 or prod(shape) + 1 not in values.shape:
            return None
        axis = 0 if values.shape[1] == prod(shape) + 1 else 1
        return split_column(values, axis, self.column)[1]

    def find_unit_problem(self, low: float, high: float) -> str:
        """Explain that entries from low to high seem to be in another unit; or return ""."""
        largest, ours = max(abs(self.low), abs(self.high)), max(abs(low), abs(high))
        if not np.isfinite(largest) or not ours or largest / FAR_OFF <= ours <= largest * FAR_OFF:
            return ""
        return (
            f"The entries of these samples range from {low:.3g} to {high:.3g}, those of the "
            f"training samples from {self.low:.3g} to {self.high:.3g}. If they are in another "
            "unit, the predictions mean nothing: bring them to the same unit."
        )


def label_text(label: Any) -> str:
    """Return a label as a text: 3.0 as "3", as MATLAB's numbers are doubles."""
    return label if isinstance(label, str) else format_label(np.array([label])[0])


def _lengths(shape: tuple[int, ...], without: int | None = None) -> tuple[int, ...]:
    """Return the lengths, more than 1, of all axes but one."""
    return tuple(n for at, n in enumerate(shape) if at != without and n > 1)


def find_unlabelled(context: Context, layout: Layout, shape: tuple[int, int]) -> list[str]:
    """Find the variables that hold two samples of p x q or more, stored as those of a layout.

    A variable that the layout uses, or whose labels are found by its name, is left out.
    """
    form, variables = SampleForm(replace(layout, implied="")), context.variables
    labels = test_counterparts(layout.labels, variables)
    labelled = {
        name
        for word, name in test_counterparts(layout.samples, variables).items()
        if word in labels and not are_placeholders(context, layout.labels, labels[word])
    }
    of_cells = variables[layout.samples].matlab_class == "cell"
    found = []
    for name, kind, stored in list_unused(context, layout):
        is_candidate = variables[name].may_be_samples and (of_cells or kind != "cell")
        if name in labelled or not is_candidate:
            continue
        with suppress(FileError):
            if kind == "cell":
                sizes = read_cell_sizes(name, context.read)
                stored = () if np.ptp(sizes, axis=0).any() else (len(sizes), *sizes[0])
            # Zeros that take no memory show whether numbers of this shape would fit.
            if len(form.stack(np.broadcast_to(np.uint8(0), stored), shape, name)[0]) > 1:
                found.append(name)
    return found
