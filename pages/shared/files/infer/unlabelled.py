"""Samples without labels, beside samples that have labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from math import prod

import numpy as np

from ..arrange import read_cell_sizes
from ..formats.errors import MatFileError
from ..formats.variables import EACH, NUMERIC
from ..layout import Layout, Variable
from .context import Context, sample_axes
from .names import test_counterparts
from .vectors import are_placeholders


def find_unlabelled(context: Context, layout: Layout) -> list[Layout]:
    """Find the variables that hold two or more samples of the same rows and columns, unlabelled.

    A variable that the layout uses, or whose labels are found by its name, is left out.
    """
    used = {*layout.samples, layout.labels, layout.groups, layout.parts, *(layout.test or ())}
    used |= _labelled_counterparts(context, layout)
    series = [name for name in used if EACH in name]
    plain = Layout((), layout.axis, layout.shape, layout.order, missing=layout.missing)
    plain = replace(plain, joined=layout.joined, place=layout.place)
    return [
        replace(plain, samples=(name,), axis=axis, mean_over=colours)
        for name, each in context.variables.items()
        if name not in used and EACH not in name
        if not any(fnmatchcase(name, each) for each in series)
        for axis, colours in [*_fitting_axes(context, layout, each)][:1]
    ]


def _labelled_counterparts(context: Context, layout: Layout) -> set[str]:
    """Return the counterparts of the samples, such as X_val, whose labels are there, too."""
    labels = test_counterparts(layout.labels, context.variables)
    samples = test_counterparts(layout.samples[0], context.variables)
    return {
        name
        for word, name in samples.items()
        if word in labels and not are_placeholders(context, layout.labels, labels[word])
    }


def _fitting_axes(
    context: Context, layout: Layout, variable: Variable
) -> Iterator[tuple[int, int | None]]:
    """Yield the axes along which a variable holds samples of a layout, and that of the colours."""
    ours, shape = context.variables[layout.samples[0]], variable.shape
    sizes = [prod(layout.shape)] if layout.shape else _matrix_lengths(context, layout)
    if not sizes:  # cells of different sizes
        return
    if variable.matlab_class == "cell" == ours.matlab_class and prod(shape) > 1:
        with suppress(MatFileError):
            if _cell_lengths(context, variable.name) == sizes:
                yield 0, None
    if variable.matlab_class not in NUMERIC:
        return
    axes = sample_axes(shape, context.by_rows)
    same_axes = ours.matlab_class != "cell" and len(shape) == len(ours.shape)
    if same_axes and layout.axis in axes:  # the axis of the labelled samples comes first
        axes = [layout.axis, *(at for at in axes if at != layout.axis)]
    for axis in axes:
        if _long_lengths(shape, {axis}) != sizes:
            continue
        if layout.mean_over is None and not (layout.joined or layout.place):
            yield axis, None
        elif same_axes and axis == layout.axis:
            yield axis, layout.mean_over


def _matrix_lengths(context: Context, layout: Layout) -> list[int]:
    """Return the lengths of a sample's axes, colours included."""
    ours = context.variables[layout.samples[0]]
    if ours.matlab_class == "cell":
        return _cell_lengths(context, ours.name, layout.axis)
    return _long_lengths(ours.shape, {layout.axis, layout.class_axis, layout.group_axis})


def _cell_lengths(context: Context, name: str, axis: int = 0) -> list[int]:
    """Return the lengths of the axes of each cell but the one (from 1) that runs over samples."""
    sizes = read_cell_sizes(name, context.read)
    lengths = np.delete(sizes, axis - 1, 1) if axis else sizes
    return lengths.max(0)[lengths.max(0) > 1].tolist() if not np.ptp(lengths, 0).any() else []


def _long_lengths(shape: tuple[int, ...], without: set[int | None]) -> list[int]:
    """Return the lengths, more than 1, of all axes but some."""
    return [n for at, n in enumerate(shape) if at not in without and n > 1]
