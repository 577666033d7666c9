"""Sentences that explain why a file cannot be used."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from math import prod

import numpy as np

from ..formats.errors import MatFileError, describe_class, format_shape, quote
from ..formats.variables import COLUMN, EACH, LARGEST_ARRAY, NUMERIC, READABLE, REFUSED, size_of
from ..inputs import IMAGES
from ..layout import Layout, Variable, long_axes
from .context import MOST_TRIED, Context
from .names import label_likelihood
from .unlabelled import find_unlabelled
from .vectors import MAX_CLASSES, LabelVector, are_too_many, is_axis

CERTAIN = 9  # the weight of a reason that does not depend on names
MOST_EXPLAINED = 30  # variables that are not used
MOST_COLUMNS = 10  # of a matrix that may hold labels


def explain_length_mismatch(vector: LabelVector, name: str, variable: Variable) -> str:
    """Explain that a vector has another length than every axis of the samples."""
    cells = "cells" if variable.matlab_class == "cell" else "numbers"
    return (
        f"{quote(vector.name)} has {vector.n:,} label{'s' * (vector.n > 1)}, but no axis of "
        f"{quote(name)} ({format_shape(variable.shape)} {cells}) is as long. There must be one "
        "label for each sample, and two samples or more."
    )


def is_too_large(variable: Variable) -> bool:
    """Return whether a variable is larger than what can be read."""
    return size_of(variable.matlab_class, variable.shape) > LARGEST_ARRAY


def explain_largest(context: Context, name: str) -> str:
    """Explain why the largest matrix cannot be read, or which column of another may be labels."""
    largest = context.variables[name]
    if is_too_large(largest):
        return (
            f"{quote(name)} is {format_shape(largest.shape)} {largest.matlab_class}, more than "
            f"{LARGEST_ARRAY // 10**6} MB."
        )
    for other, variable in list(context.label_candidates((name,)).items())[:MOST_TRIED]:
        fits = variable.shape and variable.shape[0] in largest.shape
        if fits and (sentence := explain_label_column(context, other)):
            return sentence
    return ""


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


def explain_label_column(context: Context, name: str) -> str:
    """Say which column of a small matrix may be the labels of its rows."""
    variable = context.variables[name]
    n, *columns = variable.shape
    if variable.matlab_class not in NUMERIC or len(columns) != 1 or columns[0] > MOST_COLUMNS:
        return ""
    with suppress(MatFileError):
        ks = [len(np.unique(column)) for column in context.read(name).T]
        few = [k for k in ks if 2 <= k <= min(MAX_CLASSES, n / 2)]
        if few and len(ks) > 1:
            return (
                f"{quote(name)} is {format_shape(variable.shape)}, which is not a label vector, "
                f"but its column {ks.index(min(few)) + 1} has {min(few):,} different values: if "
                "these are the classes, save that column as a variable of its own."
            )
    return ""


def explain_unused(context: Context, layout: Layout, n: int) -> dict[str, str]:
    """Return why each variable that a layout does not use is no label, group or sample of it."""
    used = {*layout.samples, layout.labels, layout.parts, layout.groups, *(layout.test or ())}
    found = {}
    for name, variable in context.variables.items():
        if name in used or any(fnmatchcase(name, each) for each in used if EACH in each):
            continue
        if any(each.startswith((f"{name}{COLUMN}", f"{name}{{")) for each in used):
            continue  # one of its columns or cells is used
        if EACH not in name and variable.matlab_class not in ("struct", "table"):
            found[name] = _explain_unused(context, variable, n)
    for each in find_unlabelled(context, layout):
        (name,) = each.samples
        if n not in context.variables[name].shape:  # as many as are used are another choice
            found[name] = "holds samples without labels, which a trained classifier can predict"
    return dict(list(found.items())[:MOST_EXPLAINED])


def _explain_unused(context: Context, variable: Variable, n: int) -> str:
    """Return why a variable is not used beside n samples."""
    shape, kind = format_shape(variable.shape), variable.matlab_class
    if kind in REFUSED:
        return REFUSED[kind].rstrip(".")
    if kind not in READABLE:
        return f"is of class {kind}"
    if not prod(variable.shape):
        return f"is empty: {shape}"
    if kind in NUMERIC and len(long_axes(variable.shape)) > 1:
        fits = ": it could be samples, and another variable is likelier" * (n in variable.shape)
        return f"is {shape}{fits}"
    try:
        values = context.read(variable.name).ravel("F")
    except MatFileError as error:
        return str(error).rstrip(".")
    what = "text" if values.dtype.kind == "U" else "number"
    if len(values) == 1:
        return f"is a single {what}"
    if is_axis(values):
        return "is all different and in order or evenly spaced, as an axis (time, place) is"
    if len(values) != n:
        return f"has {len(values):,} {what}s for {n:,} samples"
    k = len(np.unique(values))
    if k == 1:
        return f"has the same {what} for every sample"
    if are_too_many(k, n):
        return f"has {k:,} different {what}s for {n:,} samples: too many for classes or groups"
    return f"has {k:,} different {what}s for {n:,} samples, and could be labels or groups"


def describe_lost(variables: dict[str, Variable]) -> list[str]:
    """Return a sentence about variables that are damaged, and one about those that are cut off."""
    sentences = []
    for kind in ("array that was cut off", "damaged object"):
        names = [name for name, each in variables.items() if each.matlab_class == kind]
        if len(names) == 1:
            sentences.append(f"{quote(names[0])} {REFUSED[kind]}")
        elif names:
            some = f"Each of {len(names):,} variables, such as {quote(names[0])},"
            sentences.append(f"{some} {REFUSED[kind]}")
    return sentences


def explain_missing_labels(context: Context, matrices: list[str]) -> str:
    """Explain that nothing in the file looks like labels, or why these labels cannot be read."""
    if not matrices:
        trained = [
            f" {quote(name)} is {what}."
            for name, each in context.variables.items()
            if (what := describe_class(each.matlab_class)).startswith("a trained")
        ]
        none = (
            "No variable in this file can hold samples. They take a stack of matrices, or one row "
            "for each sample."
        )
        refused = [
            f" {quote(name)} {REFUSED[each.matlab_class]}"
            for name, each in context.variables.items()
            if each.matlab_class in REFUSED
        ]
        return none + "".join([*trained, *refused][:1])
    for name, variable in context.variables.items():
        if label_likelihood(name) > 0 and variable.matlab_class in REFUSED:
            return f"{quote(name)} {REFUSED[variable.matlab_class]}"
        if label_likelihood(name) > 0 and variable.matlab_class not in READABLE:
            return (
                f"{quote(name)} is of class {quote(variable.matlab_class)}, which only MATLAB can "
                "read: save the labels there as numbers, y = double(y), or as text, y = cellstr(y)."
            )
    if context.archive and matrices[0].rpartition(".")[2] == IMAGES:
        return (
            "The images have no labels: put those of each class in a folder of its own in a .zip, "
            "or add a file with one label for each image, in the order of their names."
        )
    shape = format_shape(context.variables[matrices[0]].shape)
    nothing = f"has one value for each sample of {quote(matrices[0])}, which is {shape}."
    if context.beside:
        return f"The files hold no labels: nothing in them {nothing}"
    return (
        f"The file holds no labels: nothing in it {nothing} Save them as a variable or a column of "
        "their own, one label per sample, or add a file with the labels."
    )
