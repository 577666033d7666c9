"""Layouts of cell arrays: one cell per subject, or one row or column of cells per class."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import read_cell_sizes, stack_cells
from ..formats.errors import MatFileError, format_shape, quote
from ..formats.variables import EACH
from ..layout import Implied, Layout, Variable
from .context import MOST_TRIED, Context, sample_axes
from .images import list_folds, require_images
from .names import label_likelihood
from .reasons import CERTAIN
from .vectors import LabelVector, rate_labels

MOST_LAYOUTS = 6


def find_subject_cell_layouts(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """Find layouts with a cell array of stacks and one of label vectors: one cell per subject."""
    layouts: list[tuple[int, Layout]] = []
    for samples, labels in product(
        _list_cell_arrays(context.variables), _list_cell_arrays(context.variables)
    ):
        if samples is labels or samples.shape != labels.shape:
            continue
        base = Layout((samples.name,), 0, labels=labels.name, cells=labels.shape)
        with suppress(MatFileError):
            sizes = read_cell_sizes(samples.name, context.read)
            label_sizes = read_cell_sizes(labels.name, context.read)
            if (label_sizes > 1).sum(1).max() != 1 or (sizes > 1).sum(1).max() < 2:
                continue
            fitting = np.flatnonzero((sizes == label_sizes.prod(1)[:, None]).all(0))
            axes = [
                axis
                for axis in sample_axes(tuple(sizes.max(0)), context.by_rows)
                if axis in fitting
            ]
            long_axis = int(label_sizes.max(0).argmax()) + 1
            y = context.read(f"cat({long_axis},{labels.name}{{:}})").ravel()
            joined = context._replace(read={labels.name: y}.__getitem__)
            vector = LabelVector(labels.name, len(y), label_likelihood(labels.name))
            likelihood, _ = rate_labels(joined, vector)
            if likelihood < 0 or (likelihood == 0 and _are_axis_values(y, label_sizes)):
                continue
            if not axes and likelihood > 0:
                sentence = _explain_cell_mismatch(samples.name, sizes, labels.name, label_sizes)
                reasons.append((CERTAIN, sentence))
            for axis in axes:
                base = replace(base, axis=axis + 1)
                values, _ = stack_cells(base, context.read)
                layouts += [
                    (likelihood, replace(base, shape=shape, order=order))
                    for shape, order in list_folds(context, values, 0, samples.name)
                ]
    layouts.sort(key=lambda each: (each[1].labels in context.beside, each[0]), reverse=True)
    return [layout for _, layout in layouts[:MOST_LAYOUTS]]


def _explain_cell_mismatch(
    samples: str, sizes: NDArray[np.intp], labels: str, label_sizes: NDArray[np.intp]
) -> str:
    return (
        f"A cell of {quote(labels)} has {label_sizes[0].prod():,} labels, but no axis of a cell of "
        f"{quote(samples)} ({format_shape(tuple(sizes[0]))} numbers) is as long. There must be one "
        "label for each sample: cut recordings into pieces of one length, one for each label."
    )


def _are_axis_values(y: NDArray[Any], sizes: NDArray[np.intp]) -> bool:
    """Return whether all cells hold the same numbers, all different, such as times or channels."""
    if not (sizes == sizes[0]).all():
        return False
    cells = y.reshape(len(sizes), -1)
    return bool((cells == cells[0]).all()) and len(np.unique(cells[0])) == cells.shape[1]


def find_class_cell_layouts(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """Find layouts with one row or column of cells per class, and one sample per cell or many."""
    for name, _, (r, c) in _list_cell_arrays(context.variables):
        if EACH in name:  # perhaps one class each, as in `per_class`
            continue
        try:
            if _holds_text(context, name):
                continue
            sizes = read_cell_sizes(name, context.read)
            if not sizes.prod(axis=1).any():
                continue
            (varying,) = np.ptp(sizes, axis=0).nonzero()
            stacked = min(r, c) == 1 and (sizes.max(0) > 1).sum() >= 2
            if len(varying) > 1 or (len(varying) and not stacked):
                context.read(name)  # raises the error that says how they differ
            if not (stacked or min(r, c) > 1):
                continue
            implied: list[Implied] = ["row", "column"]
            if c > 1 and (r == 1 or not is_nearer_in_rows(context.read(name).reshape(c, r, -1))):
                implied.reverse()
            along = [*varying, *sample_axes(tuple(sizes.max(0)), context.by_rows)]
            base = Layout((name,), int(along[0]) + 1 if stacked else 0, implied=implied[0])
            base = replace(base, cells=(r, c))
            values, _ = stack_cells(base, context.read)
            if values.dtype.kind not in "biuf":
                continue
            folds = list_folds(context, values, 0, name)
            if folds[0][0] and stacked:
                require_images(values, [name])
        except MatFileError as error:
            reasons.append((0, str(error)))
            continue
        layouts = [replace(base, shape=shape, order=order) for shape, order in folds]
        return layouts if stacked else [*layouts, replace(layouts[0], implied=implied[1])]
    return []


def find_larger_stacks(context: Context, layout: Layout) -> list[Layout]:
    """Find layouts with one cell of matrices per class that hold more than a labelled variable.

    A few labelled samples beside such stacks are usually something else, such as examples.
    """
    if layout.cells or layout.group_axis is not None:
        return []
    ours = [context.variables[name] for name in layout.samples]
    n = sum(
        prod(each.shape) if each.matlab_class == "cell" else each.shape[layout.axis]
        for each in ours
    )
    numbers = sum(prod(each.shape) for each in ours)  # each cell counts as one
    larger: dict[str, Variable] = {}
    for variable in _list_cell_arrays(context.variables):
        with suppress(MatFileError):  # another variable may be what the file is for
            sizes = read_cell_sizes(variable.name, context.read)
            stacks = min(variable.shape) == 1 and bool(((sizes > 1).sum(1) == 3).all())
            if stacks and sizes.prod(1).sum() > numbers:
                larger[variable.name] = variable
    layouts = find_class_cell_layouts(context._replace(variables=larger), [])
    return [
        each
        for each in layouts
        if read_cell_sizes(each.samples[0], context.read)[:, each.axis - 1].sum() > n
    ]


def _holds_text(context: Context, name: str) -> bool:
    with suppress(MatFileError):  # raised again where its cells are needed
        return context.read(name).dtype.kind == "U"
    return False


def is_nearer_in_rows(cells: NDArray[Any]) -> bool:
    """Return whether cells (columns, rows, entries) vary less within a row than within a column."""
    some = np.nan_to_num(cells[..., :: -(-cells.shape[2] // 256)].astype(float))
    return bool(some.var(axis=0, ddof=1).mean() < some.var(axis=1, ddof=1).mean())


def _list_cell_arrays(variables: dict[str, Variable]) -> list[Variable]:
    """List the cell arrays that have two axes and more than one cell."""
    return [
        each
        for each in variables.values()
        if each.matlab_class == "cell" and len(each.shape) == 2 and prod(each.shape) > 1
    ][:MOST_TRIED]
