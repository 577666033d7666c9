"""Layouts without a label vector: a variable, a cell or a place along an axis for each class."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import read_cell_sizes, stack_cells
from ..formats.errors import FileError, format_shape, quote
from ..formats.variables import EACH, are_parts
from ..layout import Implied, Layout, Variable
from .context import (
    MOST_TRIED,
    Context,
    label_likelihood,
    sample_axes,
    test_variables,
)
from .families import Family
from .images import are_images, list_folds
from .recordings import cut_cells
from .vectors import CERTAIN, MAX_CLASSES, label_vectors, rate_values

MOST_LAYOUTS = 6
MOST_UNEQUAL = 50  # the largest ratio of samples between two classes


def find_subject_cell_layouts(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """Find layouts with a cell array of stacks and one of label vectors: one cell per subject."""
    layouts: list[Layout] = []
    for samples, labels in product(
        _list_cell_arrays(context.variables), _list_cell_arrays(context.variables)
    ):
        if samples is labels or samples.shape != labels.shape:
            continue
        base = Layout(samples.name, 0, labels=labels.name, cells=labels.shape)
        with suppress(FileError):
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
            likelihood, _ = rate_values(context, labels.name, y, len(y))
            if likelihood < 0:
                continue
            if not axes and likelihood > 0:
                sentence = (
                    f"A cell of {quote(labels.name)} has {label_sizes[0].prod():,} labels, but no "
                    f"axis of a cell of {quote(samples.name)} ({format_shape(tuple(sizes[0]))} "
                    "numbers) is as long. There must be one label for each sample: cut recordings "
                    "into pieces of one length, one for each label."
                )
                reasons.append((CERTAIN, sentence))
            for axis in axes:
                base = replace(base, axis=axis + 1)
                values, _ = stack_cells(base, context.read)
                folds = list_folds(context, values, 0, samples.name)
                layouts += [replace(base, shape=shape, order=order) for shape, order in folds]
    layouts.sort(
        key=lambda each: (each.labels in context.beside, label_likelihood(each.labels)),
        reverse=True,
    )
    return layouts[:MOST_LAYOUTS]


def find_cell_label_layouts(context: Context, name: str) -> list[tuple[int, Layout]]:
    """Find layouts with a stack of samples in each cell, and one label for each cell."""
    variable = context.variables[name]
    if variable.matlab_class != "cell" or len(variable.shape) != 2 or prod(variable.shape) < 2:
        return []
    layouts: list[tuple[int, Layout]] = []
    rated: list[tuple[tuple[int, float], Layout]] = []
    with suppress(FileError):
        sizes = read_cell_sizes(name, context.read)
        (varying,) = np.ptp(sizes, axis=0).nonzero()
        if len(varying) > 1 or (sizes.max(0) > 1).sum() != 3:
            return []
        axes = varying.tolist() or sample_axes(tuple(sizes.max(0)), context.by_rows)
        for vector in label_vectors(context, name):
            is_given = vector.likelihood > 0 or vector.name in context.beside | context.of_members
            with suppress(FileError):  # ids, or measurements
                if vector.n == len(sizes) and is_given:
                    values = context.read(vector.name)
                    rating = rate_values(context, vector.name, values, vector.n)
                    base = Layout(name, 0, labels=vector.name, cells=variable.shape)
                    rated.append((rating, base))
        for (likelihood, _), base in sorted(rated, key=lambda each: each[0], reverse=True):
            layouts += [(likelihood, replace(base, axis=int(at) + 1)) for at in axes]
    return layouts


def find_class_cell_layouts(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """Find layouts with one row or column of cells per class, and one sample per cell or many."""
    for name, _, (r, c) in _list_cell_arrays(context.variables):
        if EACH in name:  # perhaps one class each, as in `per_class`
            continue
        try:
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
            if c > 1 and (r == 1 or not _is_nearer_in_rows(context.read(name).reshape(c, r, -1))):
                implied.reverse()
            along = [*varying, *sample_axes(tuple(sizes.max(0)), context.by_rows)]
            base = Layout(name, int(along[0]) + 1 if stacked else 0, implied=implied[0])
            base = replace(base, cells=(r, c))
            values, _ = stack_cells(base, context.read)
            if values.dtype.kind not in "biuf":
                continue
            folds = list_folds(context, values, 0, name)
            if folds[0][0] and stacked and not are_images(values):
                raise FileError(
                    f"A cell of {quote(name)} holds vectors, {format_shape(tuple(sizes[0]))}, in "
                    "which nothing tells rows and columns: if they are matrices, fold them "
                    "yourself."
                )
        except FileError as error:
            reasons.append((0, str(error)))
            continue
        layouts = [replace(base, shape=shape, order=order) for shape, order in folds]
        return layouts if stacked else [*layouts, replace(layouts[0], implied=implied[1])]
    return []


def _is_nearer_in_rows(cells: NDArray[Any]) -> bool:
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


def find_family_layouts(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """Find layouts whose classes are words in the names of variables: left_1, left_2, right_1.

    Each variable is a sample or, if there are few or they are no matrices, a stack of samples.
    """
    tests = test_variables(context)
    found: list[tuple[int, int, Family]] = []
    for family in context.families.values():
        sizes = [prod(each.shape) for each in family.members]
        given = {label_likelihood(each.name) > 1 for each in family.members}
        in_parts = any(are_parts(words) for words in family.slots.values())
        of_test = tests.intersection([family.pattern, *(each.name for each in family.members)])
        if (
            len(given) == 1
            and (in_parts or not of_test)
            and max(sizes) <= MOST_UNEQUAL * min(sizes)
        ):
            # Of vectors, those in the most files first: normal_*.x and inner_*.x are parts of *_*.x
            size = 0 if family.are_vectors else sum(sizes)
            files = {each.name.rpartition(".")[0] for each in family.members}
            found.append((-size, -len(files), family))
    layouts: list[Layout] = []
    for *_, family in sorted(found, key=lambda each: each[:2])[:MOST_TRIED]:  # stable
        try:
            layouts += _list_family_layouts(context, family)
        except FileError as error:
            reasons.append((0, str(error)))
        if layouts:
            break
    return layouts[:MOST_LAYOUTS]


def _list_family_layouts(context: Context, family: Family) -> list[Layout]:
    """List the layouts of a family with the words of each slot as labels."""
    k, pattern = len(family.members), family.pattern
    sizes = read_cell_sizes(pattern, context.read)
    varying = np.flatnonzero(np.ptp(sizes, axis=0))
    parts = next((slot for slot, words in family.slots.items() if are_parts(words)), "")
    slots = {slot: words for slot, words in family.slots.items() if slot != parts}
    labels = [slot for slot, words in slots.items() if not all(map(str.isdecimal, words))]
    repeated = [slot for slot, words in slots.items() if 2 * len(np.unique(words)) <= k]
    labels = labels or ([*slots] if len(slots) == 1 else repeated if len(repeated) == 1 else [])
    if not labels:
        raise FileError(_explain_single_matrices(family))
    layouts: list[Layout] = []
    for label in labels:
        classes = len(np.unique(slots[label]))
        if len(varying) > 1 or classes > MAX_CLASSES:
            continue
        base = Layout(pattern, 0, labels=label, parts=parts)
        base = replace(base, groups=family.find_groups(label))
        are_samples = not len(varying) and (sizes[0] > 1).sum() == 2 and 2 * classes <= k
        if not are_samples and (cut := cut_cells(base, sizes)):
            layouts.append(cut)
            continue
        if are_samples:
            layouts.append(base)
            continue
        for axis in varying if len(varying) else sample_axes(tuple(sizes[0]), context.by_rows)[:1]:
            stacked = replace(base, axis=int(axis) + 1, cells=(k, 1))
            values, _ = stack_cells(stacked, context.read)
            folds = list_folds(context, values, 0, pattern)
            are_rows = context.table and not all(map(str.isdecimal, slots[label]))
            if folds[0][0] and not (are_rows or are_images(values)):
                raise FileError(_explain_single_matrices(family))
            layouts += [replace(stacked, shape=shape, order=order) for shape, order in folds]
    return layouts


def _explain_single_matrices(family: Family) -> str:
    """Explain that nothing tells the class of each variable, which may be a sample."""
    (first, *_), k = family.members, len(family.members)
    return (
        f"{k:,} variables, such as {quote(first.name)}, hold one matrix of "
        f"{format_shape(first.shape)} each, and nothing tells the class of each: put the files of "
        f"each class in a folder of its own in a .zip, or add a file with {k:,} labels."
    )
