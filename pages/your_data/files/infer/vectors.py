"""Vectors with one value per sample: which may hold the labels, the groups or the test part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..formats.errors import FileError, format_shape, quote
from ..formats.variables import NUMERIC, READABLE, TRAIN_WORDS, are_parts
from ..labels import are_equivalent, are_known, make_test_mask, to_labels
from ..layout import Layout, Sense, Variable, agree_except_along, long_axes
from .context import (
    GROUP_NAMES,
    MOST_TRIED,
    PART_NAME,
    PART_NAMES,
    TARGET_NAMES,
    Context,
    field_name,
    field_words,
    is_covariate,
    is_for_test,
    label_likelihood,
    test_counterparts,
)
from .families import PERSON_NAMES, SESSION_NAMES

CERTAIN = 9  # the weight of a reason that does not depend on names
MAX_CLASSES = 200  # more different values than that are measurements, not classes
FEW = 5  # a "group" with fewer different values is a class, such as patients and controls
SETS = ([1, 2, 3], [1, 3])  # MatConvNet's codes for training, validation and test


class LabelVector(NamedTuple):
    """A variable that could be the labels of n samples."""

    name: str
    n: int
    likelihood: int  # by its name, as in `label_likelihood`


def label_vectors(context: Context, samples: str) -> Iterator[LabelVector]:
    """Yield the variables that may hold labels, with the number of samples that they would fit."""
    cells = context.variables[samples].matlab_class == "cell" and context.variables[samples].shape
    for name, variable in context.label_candidates(samples).items():
        axes = long_axes(variable.shape)
        kind, size = variable.matlab_class, prod(variable.shape)
        likelihood = label_likelihood(name)
        if kind not in READABLE:
            continue
        if kind == "char":
            if len(variable.shape) == 2:
                yield LabelVector(
                    name, size if variable.shape[0] == 1 else variable.shape[0], likelihood
                )
        elif len(axes) == 1 or (axes and (kind == "cell" or variable.shape == cells)):
            yield LabelVector(name, size, likelihood)
        elif kind in NUMERIC and len(axes) == 2 == len(variable.shape):  # one-hot
            for n, k in (variable.shape, variable.shape[::-1]):
                if k <= min(MAX_CLASSES, n):
                    yield LabelVector(name, n, likelihood)


def rate_values(context: Context, name: str, values: NDArray[Any], n: int) -> tuple[int, float]:
    """Rate the values of a variable as labels of n samples: by name, then by number of classes."""
    y = to_labels(values, n, name)
    given = y[are_known(y)]
    k, whole = len(np.unique(given)), y.dtype.kind != "f" or not (given % 1).any()
    numbering = whole and TARGET_NAMES.isdisjoint(field_words(name))
    if are_too_many(k, len(given)) != context.measured or (numbering and context.measured):
        kind = "a number for each sample" if whole else "measurements"
        kind = "classes, not measurements" if context.measured else f"{kind}, not classes"
        raise FileError(
            f"{quote(name)} has {k:,} different values for {n:,} samples: that is {kind}."
        )
    if context.measured and is_axis(y):
        raise FileError(f"{quote(name)} runs in steps, as an axis such as time does.")
    likelihood = 1 if is_rather_class(name, y.dtype, k) else label_likelihood(name)
    if name in context.of_members:  # a table of the recordings is there to say what they are
        likelihood = likelihood or 1
    if given.dtype.kind == "U" and are_parts(given.tolist()):
        likelihood = -1
    return likelihood, whole - is_covariate(name) - k / 1000


def is_axis(y: NDArray[Any]) -> bool:
    """Return whether numbers are all different and ascending, descending or evenly spaced."""
    if y.dtype.kind not in "iuf" or len(y) < 3:
        return False
    steps, sorted_steps = np.diff(y.astype(float)), np.diff(np.sort(y.astype(float)))
    even = np.ptp(sorted_steps) <= 1e-3 * np.abs(sorted_steps).max(initial=0)
    return bool((steps > 0).all() or (steps < 0).all() or (sorted_steps.min() > 0 and even))


def are_too_many(k: int, n: int) -> bool:
    """Return whether n labels of k different values are rather numbers than classes."""
    return k > min(MAX_CLASSES, n / 2)


def is_rather_class(name: str, dtype: np.dtype[Any], k: int) -> bool:
    """Return whether a vector with the name of a group holds classes: k different values, few."""
    words = field_words(name)
    is_group = words & {"group", "groups"} or (words & GROUP_NAMES and dtype.kind == "U")
    return k < FEW and bool(is_group)


def explain_length_mismatch(vector: LabelVector, name: str, variable: Variable) -> str:
    """Explain that a vector has another length than every axis of the samples."""
    cells = "cells" if variable.matlab_class == "cell" else "numbers"
    return (
        f"{quote(vector.name)} has {vector.n:,} label{'s' * (vector.n > 1)}, but no axis of "
        f"{quote(name)} ({format_shape(variable.shape)} {cells}) is as long. There must be one "
        "label for each sample, and two samples or more."
    )


def explain_pixel_labels(context: Context, samples: str, labels: str) -> str:
    """Explain that labels are for the pixels of a cube, as of a hyperspectral image."""
    cube, plane = context.variables[samples].shape, context.variables[labels].shape
    if len(cube) != 3 or plane not in (cube[:2], cube[1:]):
        return ""
    return (
        f"{quote(labels)} has a label for each pixel of {quote(samples)}, {format_shape(cube)}: a "
        f"sample would be the {prod(cube) // prod(plane):,} numbers of a pixel, a vector, not a "
        "matrix. Cut small matrices around pixels, and save a label for each of them."
    )


def count_values(variable: Variable) -> int:
    """Return the number of values of a vector; each row of characters is one text."""
    of_rows = variable.matlab_class == "char" and variable.shape[0] > 1
    return variable.shape[0] if of_rows else prod(variable.shape)


def find_groups(context: Context, layout: Layout, n: int) -> str:
    """Find a vector of n values with the name of a group: of a person rather than of a session."""
    y = to_labels(context.read(layout.labels), n, layout.labels)
    for names in (PERSON_NAMES, SESSION_NAMES):
        for name, variable in _list_vectors(context, layout).items():
            if not field_words(name) & names or count_values(variable) != n or is_for_test(name):
                continue
            with suppress(FileError):
                values = context.read(name).ravel("F")
                k = len(np.unique(values))
                has_labels = label_likelihood(layout.labels) > 1 and k > 2
                is_class = is_rather_class(name, values.dtype, k) and not has_labels
                repeats = len(values) == n and 2 <= k < n
                if repeats and not is_class and not are_equivalent(values, y):
                    return name
    return ""


def find_parts(
    context: Context, layout: Layout, n: int
) -> tuple[list[tuple[str, Sense]], list[tuple[str, Sense]]]:
    """Find the vectors that mark the test part, each with its sense."""
    certain: list[tuple[str, Sense]] = []
    possible: list[tuple[str, Sense]] = []
    for name, variable in _list_vectors(context, layout).items():
        match = PART_NAME.fullmatch(field_name(name))
        is_part = match is not None or not PART_NAMES.isdisjoint(field_words(name))
        if not (is_part or variable.matlab_class not in NUMERIC):
            continue
        with suppress(FileError):
            values = context.read(name).ravel()
            if not (is_part or values.dtype.kind == "U"):  # a field of numbers in a struct array
                continue
            senses = _possible_senses(values, n, match["part"] if match else "", context.by_rows)
            for sense in senses:
                make_test_mask(values, n, sense, name)  # raises if it marks none or all
            (certain if len(senses) == 1 else possible).extend((name, sense) for sense in senses)
    return sorted(certain, key=lambda each: each[1] in ("smallest", "other places")), possible


def _possible_senses(values: NDArray[Any], n: int, part: str, by_rows: bool) -> list[Sense]:
    """Return the senses in which a vector may mark the test part: none, one, or two if unclear."""
    different = np.unique(values)
    train = part in TRAIN_WORDS
    if values.dtype.kind == "U":
        return ["largest"] if are_parts(different.tolist()) else []
    if len(values) == n and part and different.tolist() == [0, 1]:
        return ["smallest" if train else "largest"]
    if len(values) == n and not part and different.tolist() in SETS:
        return ["largest"]
    if len(values) == n and 2 <= len(different) <= 3:
        return ["largest", "smallest"]
    from_zero = (different == 0).any()  # without a 0, NumPy's places may count from 0 or 1
    if part and len(different) == len(values) and (from_zero or not by_rows):
        return ["other places" if train else "places"]
    return []


def are_placeholders(context: Context, labels: str, of_test: str) -> bool:
    """Return whether the labels of a test part are one value that seems to stand for none.

    It is no label of the training part, or 0 or -1, of which a file does not say what it means.
    """
    try:
        y, tests = (np.unique(context.read(name).ravel()) for name in (labels, of_test))
    except FileError:
        return False
    return len(tests) == 1 and (tests[0] not in y or tests[0] in (0, -1))


def find_placeholders(context: Context, layout: Layout) -> tuple[str, str] | None:
    """Find the samples and labels of a test part whose labels seem to be placeholders."""
    if not layout.labels or layout.test or layout.parts:
        return None
    samples = test_counterparts(layout.samples, context.variables)
    for word, labels in test_counterparts(layout.labels, context.variables).items():
        if word in samples and are_placeholders(context, layout.labels, labels):
            return samples[word], labels
    return None


def find_class_names(context: Context, layout: Layout, labels: NDArray[Any]) -> tuple[str, ...]:
    """Find the names of the classes in the file: K texts beside the labels 1 to K, or 0 to K - 1.

    `labels` are the different labels, sorted.
    """
    k = len(labels)
    if labels.dtype.kind not in "biuf" or k < 2:
        return ()
    if not any(np.array_equal(labels, np.arange(k) + first) for first in (0, 1)):
        return ()
    for name, variable in context.variables.items():
        called = field_name(name)
        is_called = any(word in called for word in ("class", "label", "categor", "name"))
        is_text = variable.matlab_class in ("cell", "string", "char")
        if not (is_called and is_text) or name == layout.labels or count_values(variable) != k:
            continue
        with suppress(FileError):
            names = context.read(name).ravel("F")
            if names.dtype.kind == "U" and len(np.unique(names)) == k == len(names):
                return tuple(each.strip() for each in names.tolist())
    return ()


def find_test_variables(context: Context, layout: Layout) -> tuple[str, ...] | None:
    """Find the samples, labels and groups of a test part by the names of those for training."""
    labels, groups = (
        test_counterparts(name, context.variables) for name in (layout.labels, layout.groups)
    )
    ours = context.variables[layout.samples].shape
    for word, samples in test_counterparts(layout.samples, context.variables).items():
        shape = context.variables[samples].shape
        alike = agree_except_along(ours, shape, layout.axis)
        cell = context.variables[samples].matlab_class == "cell"
        if word in labels and (alike or cell) and 0 not in shape:
            if are_placeholders(context, layout.labels, labels[word]):
                continue
            return samples, labels[word], *([groups[word]] if word in groups else [])
    return None


def _list_vectors(context: Context, layout: Layout) -> dict[str, Variable]:
    """List the vectors of any length but the labels, and variables with one value per cell."""
    samples = context.variables[layout.samples]
    cells = samples.matlab_class == "cell" and samples.shape
    vectors = {
        name: each
        for name, each in context.label_candidates(layout.samples).items()
        if name != layout.labels
        and each.matlab_class in READABLE
        and (len(long_axes(each.shape)) == 1 or each.matlab_class == "char" or each.shape == cells)
    }
    return dict(list(vectors.items())[: 5 * MOST_TRIED])
