"""The vectors that may be labels, and how likely each is."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..formats import NUMERIC, READABLE, MatFileError, shown, times
from ..layout import TEST_WORDS, VALIDATION_WORDS, Variable, long_axes, words_in
from ..samples import to_labels
from .context import BESIDE_NAMES, GROUP_NAMES, TRAIN_WORDS, Context, label_likelihood, words

MAX_CLASSES = 200  # more different labels than that are measurements, not classes
FEW = 5  # a "group" of fewer different values is a class: patients and controls


class Vector(NamedTuple):
    """A variable that could be the labels of n samples."""

    name: str
    n: int
    likelihood: int  # by its name: 3 called so, 1 hardly, 0 no, -1 called something else


def label_vectors(context: Context, samples: str) -> Iterator[Vector]:
    """The variables that may hold labels, with the number of samples they would be for."""
    cells = context.variables[samples].matlab_class == "cell" and context.variables[samples].shape
    for name, variable in context.may_tell((samples,)).items():
        axes = long_axes(variable.shape)
        kind, size = variable.matlab_class, prod(variable.shape)
        likelihood = label_likelihood(name)
        if kind not in READABLE:
            continue
        if kind == "char":
            if len(variable.shape) == 2:
                yield Vector(
                    name, size if variable.shape[0] == 1 else variable.shape[0], likelihood
                )
        elif len(axes) == 1 or (axes and (kind == "cell" or variable.shape == cells)):
            yield Vector(name, size, likelihood)
        elif kind in NUMERIC and len(axes) == 2 == len(variable.shape):  # one-hot
            for n, k in (variable.shape, variable.shape[::-1]):
                if k <= min(MAX_CLASSES, n):
                    yield Vector(name, n, likelihood)


def quality(context: Context, vector: Vector) -> tuple[int, float]:
    """How likely a vector is the labels: by its name, then by how few classes it has."""
    y = to_labels(context.read_labels(vector.name), vector.n, name=vector.name, missing=True)
    given = y[np.isfinite(y)] if y.dtype.kind == "f" else y
    k = len(np.unique(given))
    if k > min(MAX_CLASSES, len(given) / 2):
        kind = (
            "measurements"
            if y.dtype.kind == "f" and (given % 1).any()
            else "a number for each sample"
        )
        raise MatFileError(
            f"{shown(vector.name)} has {k:,} different values for {vector.n:,} samples: that is "
            f"{kind}, not classes."
        )
    whole = y.dtype.kind != "f" or not (given % 1).any()
    likelihood = 1 if rather_classes(vector.name, y.dtype, k) else vector.likelihood
    if tell_parts(given):
        likelihood = -1
    beside = not BESIDE_NAMES.isdisjoint(words(vector.name))
    return likelihood, whole - beside - k / 1000


def tell_parts(values: NDArray[Any]) -> bool:
    """Whether texts name training and test part."""
    if values.dtype.kind != "U":
        return False
    parts = {*TRAIN_WORDS, *TEST_WORDS, *VALIDATION_WORDS}
    return not any(parts.isdisjoint(words_in(str(each))) for each in np.unique(values))


def rather_classes(name: str, dtype: np.dtype[Any], k: int) -> bool:
    """Whether what is called a group, or tells people apart by a word, is their class."""
    said = words(name)
    named = said & {"group", "groups"} or (said & GROUP_NAMES and dtype.kind == "U")
    return k < FEW and bool(named)


def scalars(context: Context) -> Iterator[Vector]:
    """Variables called labels that hold a single number."""
    for name, variable in context.labels.items():
        likelihood = label_likelihood(name)
        if variable.matlab_class in NUMERIC and prod(variable.shape) == 1 and likelihood > 0:
            yield Vector(name, 1, likelihood)


def mismatch(vector: Vector, name: str, variable: Variable) -> str:
    cells = "cells" if variable.matlab_class == "cell" else "numbers"
    return (
        f"{shown(vector.name)} has {vector.n:,} label{'s' * (vector.n > 1)}, but no axis of "
        f"{shown(name)}, {times(variable.shape)} {cells}, is as long: there must be one label a "
        "sample, and two samples or more."
    )
