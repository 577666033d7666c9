"""What tells groups and the test part: vectors of a value a sample, names, variables."""

from __future__ import annotations

from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import NUMERIC, READABLE, MatFileError
from ..layout import (
    Layout,
    Sense,
    Variable,
    agree,
    long_axes,
    test_part,
)
from ..samples import to_labels
from .context import (
    MAX_TRIED,
    PART_NAME,
    PART_NAMES,
    PERSON_NAMES,
    SESSION_NAMES,
    TRAIN_WORDS,
    Context,
    for_test,
    label_likelihood,
    own_name,
    test_names,
    words,
)
from .labels import rather_classes, tell_parts

SETS = ([1, 2, 3], [1, 3])  # of MatConvNet: for training, validation and test


def groups_of(context: Context, layout: Layout, n: int) -> str:
    """The vector of n values that is called so: a person rather than a session."""
    y = to_labels(context.read_labels(layout.labels), n, name=layout.labels, missing=True)
    for names in (PERSON_NAMES, SESSION_NAMES):
        for name, variable in _vectors_of(context, layout).items():
            if not words(name) & names or prod(variable.shape) != n or for_test(name):
                continue
            with suppress(MatFileError):
                values = context.read_labels(name).ravel("F")
                k = len(np.unique(values))
                better = label_likelihood(layout.labels) > 1 and k > 2
                classes = rather_classes(name, values.dtype, k) and not better
                if len(values) == n and 2 <= k < n and not classes and not _same(values, y):
                    return name
    return ""


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two vectors tell samples apart alike."""
    codes = [np.unique(each, return_inverse=True)[1] for each in (one, other)]
    k = len(np.unique(codes[0]))
    return len(np.unique(codes[1])) == k == len(np.unique(np.stack(codes), axis=1).T)


def parts_of(
    context: Context, layout: Layout, n: int
) -> tuple[list[tuple[str, Sense]], list[tuple[str, Sense]]]:
    """Vectors that tell the test part, best first, each with its sense; and those that may."""
    sure: list[tuple[str, Sense]] = []
    may: list[tuple[str, Sense]] = []
    for name, variable in _vectors_of(context, layout).items():
        called = PART_NAME.fullmatch(own_name(name))
        told = called is not None or not PART_NAMES.isdisjoint(words(name))
        if not (told or variable.matlab_class not in NUMERIC):
            continue
        with suppress(MatFileError):
            values = context.read_labels(name).ravel()
            if not (told or values.dtype.kind == "U"):  # a struct array's field of numbers
                continue
            senses = _senses(values, n, called["part"] if called else "", context.by_rows)
            for sense in senses:
                test_part(values, n, sense, name)  # none, or all, are no test part
            (sure if len(senses) == 1 else may).extend((name, sense) for sense in senses)
    return sorted(sure, key=lambda each: each[1] in ("smallest", "other places")), may


def _senses(values: NDArray[Any], n: int, part: str, by_rows: bool) -> list[Sense]:
    """In what sense a vector tells the test part: one, none, or two where that is unclear."""
    different = np.unique(values)
    train = part in TRAIN_WORDS
    if values.dtype.kind == "U":
        return ["largest"] if tell_parts(different) else []
    if len(values) == n and part and different.tolist() == [0, 1]:
        return ["smallest" if train else "largest"]
    if len(values) == n and not part and different.tolist() in SETS:
        return ["largest"]
    if len(values) == n and 2 <= len(different) <= 3:
        return ["largest", "smallest"]
    if part and not by_rows and len(different) == len(values):  # NumPy counts from 0
        return ["other places" if train else "places"]
    return []


def unused(context: Context, layout: Layout) -> dict[str, int]:
    """Vectors of a value a sample, some repeated, that a layout does not use: how many differ."""
    samples = context.variables[layout.samples[0]]
    n = prod(samples.shape) if samples.matlab_class == "cell" else samples.shape[layout.axis]
    y = to_labels(context.read_labels(layout.labels), n, name=layout.labels, missing=True)
    found = {}
    for name, variable in _vectors_of(context, layout).items():
        used = name in (layout.parts, layout.groups) or label_likelihood(name) > 0
        if used or prod(variable.shape) != n:
            continue
        with suppress(MatFileError):
            values = context.read_labels(name).ravel("F")
            k = len(np.unique(values))
            if len(values) == n and 3 <= k <= n / 2 and not _same(values, y):
                found[name] = k
    return found


def test_of(context: Context, layout: Layout) -> tuple[str, ...] | None:
    """Samples, labels and groups for testing: named like those for training, with other n."""
    theirs, groups = (test_names(name, context.labels) for name in (layout.labels, layout.groups))
    ours = context.variables[layout.samples[0]].shape
    for word, samples in test_names(layout.samples[0], context.variables).items():
        shape = context.variables[samples].shape
        alike = agree(ours, shape, layout.axis)
        cell = context.variables[samples].matlab_class == "cell"
        if word in theirs and (alike or cell) and 0 not in shape:
            return samples, theirs[word], *([groups[word]] if word in groups else [])
    return None


def _vectors_of(context: Context, layout: Layout) -> dict[str, Variable]:
    """The vectors, of any length, beside samples and labels, and what there is for each cell."""
    samples = context.variables[layout.samples[0]]
    cells = samples.matlab_class == "cell" and samples.shape
    vectors = {
        name: each
        for name, each in context.may_tell(layout.samples).items()
        if name != layout.labels
        and each.matlab_class in READABLE
        and (len(long_axes(each.shape)) == 1 or each.matlab_class == "char" or each.shape == cells)
    }
    return dict(list(vectors.items())[: 5 * MAX_TRIED])
