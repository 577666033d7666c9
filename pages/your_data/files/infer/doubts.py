"""Doubts about the likeliest layout: each is a sentence, and stops the training until it is read.

A variable that is called labels, samples or test and is not used may be what the file is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrange import RawSamples
from ..formats.errors import FileError, format_shape, quote
from ..formats.variables import (
    COLUMNS,
    IN_NAMES,
    MASKS,
    NUMERIC,
    READABLE,
    SLOT,
    are_parts,
    split_words,
)
from ..labels import are_equivalent
from ..layout import Layout, Variable, long_axes
from .context import (
    COUNT_NAMES,
    Context,
    count_numbers,
    field_name,
    label_likelihood,
    test_counterparts,
)
from .images import COLOURS, RGB
from .recordings import with_window
from .search import list_unused
from .vectors import count_values, is_axis

LARGER = 4  # times as many numbers as the samples: perhaps what the file is for
ALIKE = "both alike"
NINES = [10.0**k - 1 for k in range(2, 7)]
FAR = 3  # times as large as any other number
MANY_VALUES, MOST_COMPARED = 20, 200  # different numbers, and samples
MANY_CLASSES = 10  # words in names


class Doubts(NamedTuple):
    """Sentences about a layout, and the layouts that would be right if these are."""

    sentences: list[str]
    remedies: list[Layout]


def find_doubts(context: Context, layout: Layout, stored: RawSamples) -> Doubts:
    """Find why a layout may be wrong, so that nothing is trained before it is chosen."""
    used = (layout.labels, layout.groups, layout.parts, *(layout.test or ()))
    doubts = [context.doubts[name] for name in used if context.doubts.get(name)]
    if field_name(layout.labels) == COLUMNS:
        doubts.append("Each column is a sample, and its name tells the class.")
    if IN_NAMES in layout.labels:
        some = ", ".join(map(quote, np.unique(stored.y)[:3].tolist()))
        doubts.append(f"The classes are read from the names of the images, such as {some}.")
    if field_name(layout.labels) in COUNT_NAMES:
        doubts.append(f"The labels are {quote(layout.labels)}, which may number the trials only.")
    remedies: list[Layout] = []
    if layout.window:
        at = f" at {quote(layout.onsets)}" if layout.onsets else ""
        doubts.append(
            f"{quote(layout.samples)} holds recordings. They are cut{at} into windows of "
            f"{layout.window[0]:,} moments, each of which is a sample."
        )
        remedies.append(with_window(layout, *layout.window, way="spectrogram"))
    if layout.magnitude:
        doubts.append(
            f"{quote(layout.samples)} holds complex numbers, of which the magnitude is taken."
        )
    if numbering := list(_doubt_labels(layout, stored)):
        doubts += numbering
        remedies += [replace(layout, are_alike=True)] * (ALIKE in numbering[-1])
    if (sentinel := _find_sentinel(stored)) is not None:
        doubts.append(f"{sentinel:g} occurs often, and may mean that there is no number.")
        remedies.append(replace(layout, sentinel=sentinel))
    doubts += [*_doubt_names(context, layout), *_doubt_masks(layout, stored)]
    for slot, words in _find_words(context, layout).items():
        some = ", ".join(map(quote, np.unique(words)[:3].tolist()))
        doubts.append(f"The names hold words that may be the classes, too: {some}.")
        groups = context.families[layout.samples].find_groups(slot)
        remedies.append(replace(layout, labels=slot, groups=groups))
    doubts += [*_doubt_colours(context, layout)]
    for variable in list_unused(context, layout):
        doubts += [*_doubt_unused(context, layout, stored, variable)]
    return Doubts(list(dict.fromkeys(doubts)), remedies)


def _find_sentinel(stored: RawSamples) -> float | None:
    """Find a number of nines, -9999, that is far from all others and occurs more than once."""
    n = len(stored.y)
    some = stored.take(np.linspace(0, n - 1, min(n, MOST_COMPARED)).astype(int)).X
    values, counts = np.unique(some[np.isfinite(some)], return_counts=True)
    for at, next_one in ((0, 1), (-1, -2)):
        is_many = len(values) > MANY_VALUES and counts[at] > 1
        if is_many and abs(values[at]) in NINES and FAR * abs(values[next_one]) < abs(values[at]):
            return float(values[at])
    return None


def _doubt_names(context: Context, layout: Layout) -> Iterator[str]:
    """Yield a doubt about classes that are words in many names, or beside subjects."""
    if SLOT in layout.labels:
        words = np.unique(context.families[layout.samples].slots[layout.labels])
        some = ", ".join(map(quote, words[:3].tolist())) + " ..." * (len(words) > 3)
        if len(words) > MANY_CLASSES or layout.groups:
            yield f"The classes are read from the names: {some}."


def _doubt_masks(layout: Layout, stored: RawSamples) -> Iterator[str]:
    """Yield a doubt about a class that is called as a folder of masks, beside others."""
    if field_name(layout.labels) == "folder" or SLOT in layout.labels:
        classes = np.unique(stored.y).tolist()
        masks = [name for name in classes if split_words(name) & MASKS]
        if 0 < len(masks) < len(classes):
            yield (
                f"Is {quote(masks[0])} a class? If it holds a mask for each of the other images, "
                "give those alone, with their labels."
            )


def _find_words(context: Context, layout: Layout) -> dict[str, NDArray[np.str_]]:
    """Find words in the names of samples, beside labels of a table that are not called labels."""
    family = context.families.get(layout.samples)
    if not family or layout.labels in family.slots or label_likelihood(layout.labels) > 0:
        return {}
    given = context.read(layout.labels).ravel("F")
    return {
        slot: words
        for slot, words in family.slots.items()
        if 2 * len(np.unique(words)) <= len(words) and not all(map(str.isdecimal, words.tolist()))
        if not are_parts(words.tolist()) and not are_equivalent(words, given)
    }


def _doubt_labels(layout: Layout, stored: RawSamples) -> Iterator[str]:
    """Yield doubts about numbers of classes: -1, and parts that are numbered differently."""
    y, name = stored.y, quote(layout.labels)
    if y.dtype.kind == "U" and len(np.unique(np.strings.lower(y))) < len(np.unique(y)):
        yield f"Labels in {name} differ only in capital letters: write {ALIKE}."
    if y.dtype.kind not in "iuf" or not layout.labels:
        return
    labels = np.unique(y[np.isfinite(y)])
    if len(labels) > 2 and labels[0] == -1 and labels[1] >= 0:
        count = np.count_nonzero(y == -1)
        yield f"{count:,} labels in {name} are \N{MINUS SIGN}1, which may mean that there is none."
    for what, part in (("Two groups", stored.groups), ("Training and test set", stored.test)):
        sets = [] if part is None else [np.unique(y[part == each]) for each in np.unique(part)]
        if sets and all(len(each) < len(labels) for each in sets):
            for one, other in pairwise(sets):
                if len(one) == len(other) > 1 and np.ptp(other - one) == 0 != other[0] - one[0]:
                    both = [", ".join(f"{label:g}" for label in each[:4]) for each in (one, other)]
                    yield (
                        f"{what} number the classes differently, {both[0]} and {both[1]}: "
                        f"number {ALIKE}."
                    )
                    return


def _doubt_colours(context: Context, layout: Layout) -> Iterator[str]:
    """Yield a doubt about an axis that is taken for colours, and may be bands."""
    variable = context.variables[layout.samples]
    count = 0 if layout.mean_over is None else variable.shape[layout.mean_over]
    if layout.joined or layout.place:
        count = next((n for n in variable.shape if n in COLOURS), 0)
    is_float = variable.matlab_class in ("double", "single")
    if count in COLOURS and (layout.mean_over is None or count != RGB or is_float):
        yield (
            f"Each sample has three axes, one of {count}: are these colours, of which the mean is "
            "grey, or bands, of which one is taken, or which are joined?"
        )


def _doubt_unused(
    context: Context, layout: Layout, stored: RawSamples, variable: Variable
) -> Iterator[str]:
    """Yield a doubt about a variable that is not used, and is called labels, samples or test."""
    (n, *sample), name = stored.shape, variable.name
    if variable.matlab_class not in READABLE or not prod(variable.shape):
        return
    count, ours = count_values(variable), context.variables[layout.samples]
    axes = long_axes(variable.shape)
    classes = len(np.unique(stored.y))
    is_vector = len(axes) == 1 or variable.matlab_class == "char"
    named = label_likelihood(layout.labels) > 2
    if is_vector and label_likelihood(name) > (2 if named else 1) and count != classes:
        counterparts = test_counterparts(layout.labels, context.variables).values()
        same = name in counterparts or field_name(name) == field_name(layout.labels)
        if count not in (n, *sample, 1) and not same and not _is_axis(context, name):
            yield f"{quote(name)} has {count:,} labels, and there are {n:,} samples."
    elif count_numbers(context, name) > LARGER * stored.shape[0] * prod(sample):
        yield f"{quote(name)} is not used, and holds far more numbers than the samples."
    elif len(axes) > 1 and variable.matlab_class in NUMERIC:
        tested = name in test_counterparts(layout.samples, context.variables).values()
        other_shape = field_name(name) == field_name(ours.name) and name != ours.name
        if other_shape and not tested and len(axes) == len(long_axes(ours.shape)):
            shapes = f"{format_shape(variable.shape)}, and {quote(ours.name)}"
            if 2 * prod(variable.shape) > prod(ours.shape) and variable.shape != ours.shape:
                yield (
                    f"{quote(name)} is not used: it is {shapes} is {format_shape(ours.shape)}, so "
                    "their samples differ in shape."
                )


def _is_axis(context: Context, name: str) -> bool:
    try:
        return is_axis(context.read(name).ravel())
    except FileError:
        return False
