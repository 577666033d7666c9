"""Find how a file holds its samples and labels: try each kind of layout, and rank what fits."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import filterfalse, islice

import numpy as np

from ..formats.errors import MatFileError
from ..formats.variables import EACH
from ..layout import Layout
from .context import Context, is_coordinate, label_likelihood, likely_samples
from .label_vector import (
    find_group_axis_layouts,
    find_joined_layouts,
    find_label_column_layouts,
    find_labelled_layouts,
)
from .others import describe_lost, explain_largest, explain_missing_labels, is_too_large
from .per_class import (
    find_class_axis_layouts,
    find_class_cell_layouts,
    find_class_variable_layouts,
    find_larger_stacks,
    find_subject_cell_layouts,
)
from .vectors import CERTAIN

MOST_MATRICES = 5  # variables tried as samples, the largest first
MOST_OF_ALL = 3  # layouts of all subjects, before those of a single one
MOST_LOST = 1  # lost variables that an error names


def find_layouts(context: Context) -> list[Layout]:
    """Find layouts in which a file can be read, the likeliest first."""
    reasons: list[tuple[int, str]] = []  # with their weights
    candidates = list(likely_samples(context))
    matrices = [name for name in candidates if EACH not in name]
    per_subject = [name for name in candidates if EACH in name]
    layouts = _find_layouts_with_labels(context, matrices, per_subject, reasons)
    if context.beside:  # a file without samples is given for its labels, groups or parts
        using = [each for each in layouts if not context.beside.isdisjoint(_annotation_names(each))]
        layouts = using if using or _has_labels_beside(context) else layouts
    if (
        not _has_labels_beside(context)
        and not layouts
        and not any(weight > 0 for weight, _ in reasons)
    ):
        layouts = find_label_column_layouts(context, matrices)
        layouts = layouts or find_class_axis_layouts(context, matrices)
    if layouts:
        stacks = [] if context.beside else find_larger_stacks(context, layouts[0])
        return [*stacks, *layouts]
    weight, reason = max(reasons, key=lambda reason: reason[0], default=(-1, ""))
    if matrices and (weight <= 0 or is_too_large(context.variables[matrices[0]])):
        # a variable with another kind of name, or labels of samples that cannot be read, explain
        # nothing.
        reason = explain_largest(context, matrices[0]) or reason
    reason = reason or explain_missing_labels(context, matrices)
    lost = [each for each in describe_lost(context.variables) if each not in reason]
    raise MatFileError(" ".join([reason, *lost[:MOST_LOST]]))


def _find_layouts_with_labels(
    context: Context, matrices: list[str], per_subject: list[str], reasons: list[tuple[int, str]]
) -> list[Layout]:
    """Find layouts whose labels are in a vector or in cells, or implied by a variable or a cell."""
    found: list[tuple[int, Layout]] = []
    likely = filterfalse(partial(_holds_single_values, context), matrices)
    for name in [*islice(likely, MOST_MATRICES), *per_subject[:MOST_MATRICES]]:
        found += (
            find_labelled_layouts(context, name, reasons)
            or find_group_axis_layouts(context, name)
            or find_joined_layouts(context, name)
        )
        if any(likelihood > 0 and not _holds_vectors(layout) for likelihood, layout in found):
            break
    layouts = sorted((layout for _, layout in found), key=_holds_vectors)  # stable
    if per_subject:
        in_cells = find_subject_cell_layouts(context, reasons)
        if of_all_subjects := [each for each in in_cells if EACH in each.samples[0]]:
            return [*of_all_subjects[:MOST_OF_ALL], *layouts]
    if any(likelihood > 0 for likelihood, _ in found):
        return layouts
    if in_cells := find_subject_cell_layouts(context, reasons):
        return in_cells
    if _has_labels_beside(context) or CERTAIN in dict(
        reasons
    ):  # labels fit, but samples cannot be read
        return layouts
    per_class = find_class_variable_layouts(context, reasons)
    return [*per_class, *layouts] or find_class_cell_layouts(context, reasons)


def find_threshold_layouts(context: Context) -> list[Layout]:
    """Find layouts whose labels are measurements, in two classes: up to the median, and above."""
    measured = context._replace(measured=True)
    matrices = [name for name in likely_samples(context) if EACH not in name]
    found = [
        each
        for name in matrices[:MOST_MATRICES]
        for each in find_labelled_layouts(measured, name, [])
        if each[0] > 0 and not is_coordinate(each[1].labels, context.variables)
    ]
    ranked = sorted(found, key=lambda each: (-each[0], _holds_vectors(each[1])))  # stable
    return [replace(layout, threshold=_median(context, layout)) for _, layout in ranked]


def _median(context: Context, layout: Layout) -> float:
    """Return the median of the labels or, if it is the largest, the largest value below it."""
    y = context.read(layout.labels)
    middle = float(np.nanmedian(y))
    return middle if middle < np.nanmax(y) else float(np.nanmax(y[y < middle]))


def _annotation_names(layout: Layout) -> set[str]:
    """Return the variables of labels, groups and parts in a layout."""
    return {layout.labels, layout.groups, layout.parts, *(layout.test or ())[1:]}


def _has_labels_beside(context: Context) -> bool:
    """Return whether a file without samples has a variable that is called like labels."""
    return any(label_likelihood(name) > 0 for name in context.beside)


def _holds_vectors(layout: Layout) -> bool:
    """Return whether the samples of a layout are vectors, which fold to no matrix."""
    return layout.shape is not None and layout.shape[0] == 1


def _holds_single_values(context: Context, name: str) -> bool:
    """Return whether each cell of a cell array holds a single number or text."""
    if context.variables[name].matlab_class == "cell":
        with suppress(MatFileError):  # raised again where the variable is needed
            values = context.read(name)
            return values.dtype.kind == "U" or values.ndim < 2
    return False
