"""Cell arrays: of stacks beside one of labels, or with a row or column for each class."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import EACH, MatFileError, shown, times
from ..layout import Implied, Layout, Variable, sizes_of_cells, stack_of_cells
from .context import MAX_TRIED, Context, label_likelihood, sample_axes
from .image_size import folds_along, refuse_other_than_pictures
from .label_vector import CERTAIN
from .labels import Vector, quality


def by_labels_in_cells(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """A cell array of stacks beside one of label vectors: each cell is, say, a subject's."""
    ways: list[tuple[int, Layout]] = []
    for samples, labels in product(_cell_arrays(context.variables), _cell_arrays(context.labels)):
        if samples is labels or samples.shape != labels.shape:
            continue
        base = Layout((samples.name,), 0, labels=labels.name, cells=labels.shape)
        with suppress(MatFileError):
            sizes = sizes_of_cells(samples.name, context.read)
            theirs = sizes_of_cells(labels.name, context.read_labels)
            if (theirs > 1).sum(1).max() != 1 or (sizes > 1).sum(1).max() < 2:
                continue
            fitting = np.flatnonzero((sizes == theirs.prod(1)[:, None]).all(0))
            axes = [
                axis
                for axis in sample_axes(tuple(sizes.max(0)), context.by_rows)
                if axis in fitting
            ]
            long = int(theirs.max(0).argmax()) + 1
            y = context.read_labels(f"cat({long},{labels.name}{{:}})").ravel()
            joined = context._replace(read_labels={labels.name: y}.__getitem__)
            vector = Vector(labels.name, len(y), label_likelihood(labels.name))
            likelihood, _ = quality(joined, vector)
            if likelihood < 0 or (likelihood == 0 and _axis_of_each(y, theirs)):
                continue
            if not axes and likelihood > 0:
                reasons.append((CERTAIN, _mismatch(samples.name, sizes, labels.name, theirs)))
            for axis in axes:
                base = replace(base, axis=axis + 1)
                values, _ = stack_of_cells(base, context.read)
                ways += [
                    (likelihood, replace(base, shape=shape, order=order))
                    for shape, order in folds_along(context, values, 0, samples.name)
                ]
    ways.sort(key=lambda each: each[0], reverse=True)
    return [layout for _, layout in ways[:6]]


def _mismatch(samples: str, sizes: NDArray[np.intp], labels: str, theirs: NDArray[np.intp]) -> str:
    return (
        f"A cell of {shown(labels)} has {theirs[0].prod():,} labels, but no axis of what is in "
        f"{shown(samples)}, {times(tuple(sizes[0]))} numbers, is as long: there must be one label "
        "a sample. Cut recordings to pieces of one length, one for each label."
    )


def _axis_of_each(y: NDArray[Any], sizes: NDArray[np.intp]) -> bool:
    """Whether each cell has the same numbers, none of them twice: times or channels."""
    if not (sizes == sizes[0]).all():
        return False
    cells = y.reshape(len(sizes), -1)
    return bool((cells == cells[0]).all()) and len(np.unique(cells[0])) == cells.shape[1]


def by_cells(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """A cell array whose rows or columns are the classes, of one sample a cell or many."""
    for name, _, (r, c) in _cell_arrays(context.variables):
        if EACH in name:  # a class each? `by_variables` tells
            continue
        try:
            if _holds_text(context, name):
                continue
            sizes = sizes_of_cells(name, context.read)
            if not sizes.prod(axis=1).any():
                continue
            (varying,) = np.ptp(sizes, axis=0).nonzero()
            stacked = min(r, c) == 1 and (sizes.max(0) > 1).sum() >= 2
            if len(varying) > 1 or (len(varying) and not stacked):
                context.read(name)  # says how they differ
            if not (stacked or min(r, c) > 1):
                continue
            implied: list[Implied] = ["row", "column"]
            if c > 1 and (r == 1 or not nearer_in_rows(context.read(name).reshape(c, r, -1))):
                implied.reverse()
            along = [*varying, *sample_axes(tuple(sizes.max(0)), context.by_rows)]
            base = Layout((name,), int(along[0]) + 1 if stacked else 0, implied=implied[0])
            base = replace(base, cells=(r, c))
            values, _ = stack_of_cells(base, context.read)
            if values.dtype.kind not in "biuf":
                continue
            folded = folds_along(context, values, 0, name)
            if folded[0][0] and stacked:
                refuse_other_than_pictures(values, [name])
        except MatFileError as error:
            reasons.append((0, str(error)))
            continue
        ways = [replace(base, shape=shape, order=order) for shape, order in folded]
        return ways if stacked else [*ways, replace(ways[0], implied=implied[1])]
    return []


def _holds_text(context: Context, name: str) -> bool:
    with suppress(MatFileError):  # said where its cells are needed
        return context.read(name).dtype.kind == "U"
    return False


def nearer_in_rows(cells: NDArray[Any]) -> bool:
    """Whether samples of a row are more alike than those of a column; (columns, rows, entries)."""
    some = np.nan_to_num(cells[..., :: -(-cells.shape[2] // 256)].astype(float))
    return bool(some.var(axis=0, ddof=1).mean() < some.var(axis=1, ddof=1).mean())


def _cell_arrays(variables: dict[str, Variable]) -> list[Variable]:
    """Those of two axes and some cells."""
    return [
        each
        for each in variables.values()
        if each.matlab_class == "cell" and len(each.shape) == 2 and prod(each.shape) > 1
    ][:MAX_TRIED]
