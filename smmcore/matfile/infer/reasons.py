"""Why a file cannot be used."""

from __future__ import annotations

from contextlib import suppress
from math import prod

import numpy as np

from ..formats import LARGEST_ARRAY, NUMERIC, READABLE, REFUSED, MatFileError, shown, size_of, times
from ..layout import Variable
from .context import MAX_TRIED, Context, label_likelihood
from .labels import MAX_CLASSES

MOST_COLUMNS = 10  # of a matrix that tells something of each sample


def too_large_to_read(variable: Variable) -> bool:
    return size_of(variable.matlab_class, variable.shape) > LARGEST_ARRAY


def of_largest(context: Context, name: str) -> str:
    """What is wrong with the samples, or which column of a matrix beside them may be the labels."""
    largest = context.variables[name]
    if too_large_to_read(largest):
        return (
            f"{shown(name)} is {times(largest.shape)} {largest.matlab_class}, more than "
            f"{LARGEST_ARRAY // 10**6} MB."
        )
    for other, variable in list(context.may_tell((name,)).items())[:MAX_TRIED]:
        fits = variable.shape and variable.shape[0] in largest.shape
        if fits and (told := of_columns(context, other)):
            return told
    return ""


def of_pixels(context: Context, samples: str, labels: str) -> str:
    """That a label stands for each pixel of a cube, as of a hyperspectral picture."""
    cube, plane = context.variables[samples].shape, context.labels[labels].shape
    if len(cube) != 3 or plane not in (cube[:2], cube[1:]):
        return ""
    return (
        f"{shown(labels)} has a label for each pixel of {shown(samples)}, {times(cube)}: a sample "
        f"would be the {prod(cube) // prod(plane):,} numbers of a pixel, a vector, not a matrix. "
        "Cut small matrices around pixels, and save a label for each of them."
    )


def of_columns(context: Context, name: str) -> str:
    """Which column of a small matrix may be the labels of its rows."""
    variable = context.labels[name]
    n, *columns = variable.shape
    if variable.matlab_class not in NUMERIC or len(columns) != 1 or columns[0] > MOST_COLUMNS:
        return ""
    with suppress(MatFileError):
        ks = [len(np.unique(column)) for column in context.read_labels(name).T]
        few = [k for k in ks if 2 <= k <= min(MAX_CLASSES, n / 2)]
        if few and len(ks) > 1:
            return (
                f"{shown(name)} is {times(variable.shape)}, which are no labels, but its "
                f"column {ks.index(min(few)) + 1} has {min(few):,} different values: if these "
                "are the classes, save that column as a variable of its own."
            )
    return ""


def damaged(variables: dict[str, Variable]) -> list[str]:
    """A sentence for each variable that a file, damaged or cut off, holds no more."""
    return [
        f"{shown(name)} {REFUSED[variable.matlab_class]}"
        for name, variable in variables.items()
        if variable.matlab_class in ("array that was cut off", "damaged object")
    ]


def reason_for_no_labels(context: Context, matrices: list[str]) -> str:
    """Why a file with nothing that looks like labels cannot be used."""
    if not matrices:
        return "The file holds no variable that could be samples, which are matrices."
    for name, variable in context.labels.items():
        if label_likelihood(name) > 0 and variable.matlab_class in REFUSED:
            return f"{shown(name)} {REFUSED[variable.matlab_class]}"
        if label_likelihood(name) > 0 and variable.matlab_class not in READABLE:
            return (
                f"{shown(name)} is of class {shown(variable.matlab_class)}, which only MATLAB can "
                "read: save the labels there as numbers, y = double(y), or as text, y = cellstr(y)."
            )
    shape = times(context.variables[matrices[0]].shape)
    nothing = f"has one value for each sample of {shown(matrices[0])}, which is {shape}."
    if context.beside:
        return f"The second file holds no labels: nothing in it {nothing}"
    return (
        f"The file holds no labels: nothing in it {nothing} Save them as a variable or a column of "
        "their own, one label a sample, or give them in a second file."
    )
