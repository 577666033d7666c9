"""Readings that are as likely as the first: a reader is asked which is right."""

from __future__ import annotations

from contextlib import suppress
from math import prod

from ..arrange import read_cell_sizes, read_stack
from ..folding import SMOOTHER, roughness
from ..formats.errors import MatFileError
from ..formats.variables import COLUMN
from ..layout import Layout
from .context import Context
from .label_vector import find_labelled_layouts
from .names import COVARIATE_NAMES, SAMPLE_NAMES, field_words, label_likelihood
from .vectors import are_equivalent

LARGER = 2  # times as many numbers: likelier samples
MOST_ALIKE = 4


def find_alike(context: Context, layouts: list[Layout]) -> list[Layout]:
    """Find the layouts that are as likely as the first, which comes first; only it if it is clear.

    They use the same labels for other samples or another axis, or other labels of the same rank;
    or the classes run along another axis.
    """
    first, found = layouts[0], layouts[:1]
    if first.implied == "axis":  # no name says so
        return [first, *(each for each in layouts[1:] if each.axis == first.class_axis)][:2]
    if not first.labels or first.test or first.cells or first.group_axis is not None:
        return found
    candidates = [*layouts[1:], *_other_samples(context, first)]
    for other in candidates:
        is_new = all(_source(other) != _source(each) for each in found)
        if is_new and _are_alike(context, first, other):
            found.append(other)
    return found[:MOST_ALIKE]


def _source(layout: Layout) -> tuple[object, ...]:
    return layout.samples, layout.axis, layout.labels


def _other_samples(context: Context, first: Layout) -> list[Layout]:
    """Return layouts of other variables with the labels of the first."""
    (name,) = first.samples
    called, size = _is_called_samples(name), _count_numbers(context, name)
    found = []
    for other, variable in context.variables.items():
        if other == name or not variable.may_be_samples:
            continue
        is_view = "{" in name and other.partition("{")[0] == name.partition("{")[0]
        alike = size <= LARGER * _count_numbers(context, other) <= LARGER**2 * size
        if not (is_view or (alike and _is_called_samples(other) == called)):
            continue
        fitting = find_labelled_layouts(context, other, [])
        found += [layout for _, layout in fitting if layout.labels == first.labels][:1]
        if len(found) == MOST_ALIKE - 1:  # each is read, and a file may hold hundreds
            break
    return found


def _count_numbers(context: Context, name: str) -> int:
    """Return the numbers in a variable, those in all cells of a cell array."""
    variable = context.variables[name]
    if variable.matlab_class == "cell":
        with suppress(MatFileError):  # cells of text, or damaged
            return int(read_cell_sizes(name, context.read).prod(axis=1).sum())
    return prod(variable.shape)


def _is_called_samples(name: str) -> bool:
    return not SAMPLE_NAMES.isdisjoint(field_words(name))


def _are_alike(context: Context, first: Layout, other: Layout) -> bool:
    """Return whether nothing makes the first layout likelier than another."""
    if other.samples != first.samples:
        return other.labels == first.labels
    try:
        if other.labels != first.labels:
            one, two = (context.read(each.labels) for each in (first, other))
            return (
                bool(other.labels)
                and other.labels.partition(COLUMN)[0] != first.labels  # which is one-hot
                and label_likelihood(other.labels) == label_likelihood(first.labels)
                and _is_covariate(other.labels) == _is_covariate(first.labels)
                and (
                    first.threshold is not None
                    or not are_equivalent(one.ravel("F"), two.ravel("F"))
                )
            )
        if other.axis == first.axis:
            return False
        values = read_stack(first.samples[0], first.cut, context.read)
    except MatFileError:
        return False
    rough = [roughness(values, each.axis) for each in (first, other)]
    return max(rough) < SMOOTHER * min(rough)


def _is_covariate(name: str) -> bool:
    return not COVARIATE_NAMES.isdisjoint(field_words(name))
