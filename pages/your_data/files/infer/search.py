"""Find how a file holds its samples and labels: try each kind of layout, and rank what fits.

Find also the readings that are as likely, and say why the rest of the file is not used.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import filterfalse, islice
from math import prod

import numpy as np

from ..arrange import read_stack
from ..formats.errors import FileError, format_shape, quote
from ..formats.variables import (
    COLUMN,
    EACH,
    IMAGES,
    LARGEST_ARRAY,
    NAMES,
    NUMERIC,
    READABLE,
    REFUSED,
    size_of,
)
from ..labels import are_equivalent
from ..layout import Layout, Variable, long_axes
from .context import (
    SAMPLE_NAMES,
    Context,
    count_numbers,
    field_name,
    field_words,
    is_covariate,
    label_likelihood,
    likely_samples,
)
from .images import SMOOTHER, roughness
from .keys import BY
from .label_vector import (
    find_joined_layouts,
    find_label_column_layouts,
    find_labelled_layouts,
)
from .per_class import (
    find_cell_label_layouts,
    find_class_cell_layouts,
    find_family_layouts,
    find_subject_cell_layouts,
)
from .recordings import explain_recordings, find_onset_layouts
from .vectors import CERTAIN, are_too_many, is_axis

MOST_MATRICES = 5  # variables tried as samples, the largest first
MOST_OF_ALL = 3  # layouts of all subjects, before those of a single one
MOST_LOST = 1  # lost variables that an error names
LARGER = 3  # times as many numbers: likelier samples
MOST_ALIKE = 4
MOST_EXPLAINED = 30  # variables that are not used


def find_layouts(context: Context) -> list[Layout]:
    """Find layouts in which a file can be read, the likeliest first."""
    reasons: list[tuple[int, str]] = []  # with their weights
    candidates = list(likely_samples(context))
    matrices = [name for name in candidates if EACH not in name]
    per_subject = [name for name in candidates if EACH in name]
    layouts = _find_layouts_with_labels(context, matrices, per_subject, reasons)
    layouts = layouts or find_onset_layouts(context)
    if context.beside:  # a file without samples is given for its labels, groups or parts
        using = [
            each
            for each in layouts
            if context.beside & {each.labels, each.groups, each.parts, *(each.test or ())[1:]}
        ]
        layouts = using if using or _has_labels_beside(context) else layouts
    if (
        not _has_labels_beside(context)
        and not layouts
        and not any(weight > 0 for weight, _ in reasons)
    ):
        layouts = find_label_column_layouts(context, matrices)
    if layouts:
        return layouts
    weight, reason = max(reasons, key=lambda reason: reason[0], default=(-1, ""))
    if matrices and (weight <= 0 or is_too_large(context.variables[matrices[0]])):
        # a variable with another kind of name, or labels of samples that cannot be read, explain
        # nothing.
        reason = explain_largest(context, matrices[0]) or reason
    reason = reason or explain_missing_labels(context, matrices)
    lost = [each for each in describe_lost(context.variables) if each not in reason]
    raise FileError(" ".join([reason, *lost[:MOST_LOST]]))


def _find_layouts_with_labels(
    context: Context, matrices: list[str], per_subject: list[str], reasons: list[tuple[int, str]]
) -> list[Layout]:
    """Find layouts whose labels are in a vector or in cells, or implied by a variable or a cell."""
    found: list[tuple[int, Layout]] = []
    likely = filterfalse(partial(_holds_single_values, context), matrices)
    for name in [*islice(likely, MOST_MATRICES), *per_subject[:MOST_MATRICES]]:
        found += (
            find_labelled_layouts(context, name, reasons)
            or find_joined_layouts(context, name)
            or find_cell_label_layouts(context, name)
        )
        if any(likelihood > 0 and not _holds_vectors(layout) for likelihood, layout in found):
            break
    folded = {layout.samples for _, layout in found if not _holds_vectors(layout)}
    layouts = sorted((layout for _, layout in found), key=lambda each: each.samples not in folded)
    if per_subject:
        in_cells = find_subject_cell_layouts(context, reasons)
        if of_all_subjects := [each for each in in_cells if EACH in each.samples]:
            whole = of_all_subjects[0]
            alone = [each for each in layouts if _are_of_one_subject(each, whole)]
            return [*of_all_subjects[:MOST_OF_ALL], *alone]
    if any(likelihood > 0 for likelihood, _ in found):
        return layouts
    if in_cells := find_subject_cell_layouts(context, reasons):
        return in_cells
    if _has_labels_beside(context) or CERTAIN in dict(
        reasons
    ):  # labels fit, but samples cannot be read
        return layouts
    per_class = find_family_layouts(context, reasons)
    return [*per_class, *layouts] or find_class_cell_layouts(context, reasons)


def _are_of_one_subject(layout: Layout, whole: Layout) -> bool:
    """Return whether samples and labels differ from the patterns of all subjects by equal words."""
    named = ((whole.samples, layout.samples), (whole.labels, layout.labels))
    patterns = [(re.escape(pattern).replace(r"\*", "(.+)"), name) for pattern, name in named]
    one, other = (re.fullmatch(pattern, name) for pattern, name in patterns)
    return one is None or other is None or one.groups() == other.groups()


def find_threshold_layouts(context: Context) -> list[Layout]:
    """Find layouts whose labels are measurements, in two classes: up to the median, and above."""
    measured = context._replace(measured=True)
    matrices = [name for name in likely_samples(context) if EACH not in name]
    found = [
        each
        for name in matrices[:MOST_MATRICES]
        for each in find_labelled_layouts(measured, name, [])
        if each[0] > 0
    ]
    ranked = sorted(found, key=lambda each: (-each[0], _holds_vectors(each[1])))  # stable
    return [replace(layout, threshold=_median(context, layout)) for _, layout in ranked]


def _median(context: Context, layout: Layout) -> float:
    """Return the median of the labels or, if it is the largest, the largest value below it."""
    y = context.read(layout.labels)
    middle = float(np.nanmedian(y))
    return middle if middle < np.nanmax(y) else float(np.nanmax(y[y < middle]))


def _has_labels_beside(context: Context) -> bool:
    """Return whether a file without samples has a variable that is called like labels."""
    return any(label_likelihood(name) > 0 for name in context.beside)


def _holds_vectors(layout: Layout) -> bool:
    """Return whether the samples of a layout are vectors, which fold to no matrix."""
    return layout.shape is not None and layout.shape[0] == 1


def _holds_single_values(context: Context, name: str) -> bool:
    """Return whether each cell of a cell array holds a single number or text."""
    if context.variables[name].matlab_class == "cell":
        with suppress(FileError):  # raised again where the variable is needed
            values = context.read(name)
            return values.dtype.kind == "U" or values.ndim < 2
    return False


def find_alike(context: Context, layouts: list[Layout]) -> list[Layout]:
    """Find the layouts that are as likely as the first, which comes first; only it if it is clear.

    They use the same labels for other samples or another axis, or other labels of the same rank.
    """
    first, found = layouts[0], layouts[:1]
    if not first.labels or first.test or first.cells:
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
    name = first.samples
    called, size = _is_called_samples(name), count_numbers(context, name)
    found = []
    for other, variable in context.variables.items():
        if other == name or not variable.may_be_samples:
            continue
        is_view = "{" in name and other.partition("{")[0] == name.partition("{")[0]
        alike = size <= LARGER * count_numbers(context, other) <= LARGER**2 * size
        if not (is_view or (alike and _is_called_samples(other) == called)):
            continue
        fitting = find_labelled_layouts(context, other, [])
        found += [layout for _, layout in fitting if layout.labels == first.labels][:1]
        if len(found) == MOST_ALIKE - 1:  # each is read, and a file may hold hundreds
            break
    return found


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
                and is_covariate(other.labels) == is_covariate(first.labels)
                and (
                    first.threshold is not None
                    or not are_equivalent(one.ravel("F"), two.ravel("F"))
                )
            )
        if other.axis == first.axis or context.table:  # whose rows are the samples
            return False
        values = read_stack(first.samples, first.cut, context.read)
    except FileError:
        return False
    rough = [roughness(values, each.axis) for each in (first, other)]
    return max(rough) < SMOOTHER * min(rough)


def is_too_large(variable: Variable) -> bool:
    """Return whether a variable is larger than what can be read."""
    return size_of(variable.matlab_class, variable.shape) > LARGEST_ARRAY


def explain_largest(context: Context, name: str) -> str:
    """Explain why the largest matrix cannot be read; empty if it can."""
    if not is_too_large(largest := context.variables[name]):
        return ""
    return (
        f"{quote(name)} is {format_shape(largest.shape)} {largest.matlab_class}, more than "
        f"{LARGEST_ARRAY // 10**6} MB."
    )


def list_unused(context: Context, layout: Layout) -> list[Variable]:
    """List the variables of which a layout uses no part."""
    used = {layout.samples, layout.labels, layout.parts, layout.groups, *(layout.test or ())}
    patterns = [each for each in used if EACH in each]
    keys = {each.rpartition(BY)[2].lower() for each in used if BY in each}  # which join the rows
    return [
        variable
        for name, variable in context.variables.items()
        if field_name(name) not in keys
        if EACH not in name and variable.matlab_class not in ("struct", "table")
        if not (context.archive and field_name(name) == NAMES)  # of the images
        if name not in used and not any(fnmatchcase(name, each) for each in patterns)
        # None of its columns or cells is used, either.
        if not any(each.startswith((f"{name}{COLUMN}", f"{name}{{")) for each in used)
    ]


def explain_unused(context: Context, layout: Layout, n: int) -> dict[str, str]:
    """Return why each variable that a layout does not use is no label, group or sample of it."""
    unused = list_unused(context, layout)[:MOST_EXPLAINED]
    return {each.name: _explain_unused(context, each, n) for each in unused}


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
    except FileError as error:
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
        none = (
            "No variable in this file can hold samples. They take a stack of matrices, or one row "
            "for each sample."
        )
        refused = [
            f" {quote(name)} {REFUSED[each.matlab_class]}"
            for name, each in context.variables.items()
            if each.matlab_class in REFUSED
        ]
        for name, each in context.variables.items():
            if each.matlab_class not in (*READABLE, *REFUSED, "struct", "table"):
                none += (
                    f" {quote(name)} is an object of class {quote(each.matlab_class)}: save "
                    "what is in it, such as x = nir.data; y = nir.class{1}."
                )
        for name, each in context.variables.items():
            if each.matlab_class == "char" and field_name(name) == "data":  # of EEGLAB
                none = (
                    f"{quote(name)} names the file that holds the numbers: save both as one file."
                )
        if name := explain_recordings(context):
            none = (
                f"{quote(name)} is a recording of {max(context.variables[name].shape):,} moments, "
                "and nothing tells the class of each: add the recordings of the other classes, "
                "and they can be cut into windows."
            )
        return none + "".join(refused[:1])
    for name, variable in context.variables.items():
        if label_likelihood(name) > 0 and variable.matlab_class in REFUSED:
            return f"{quote(name)} {REFUSED[variable.matlab_class]}"
        if label_likelihood(name) > 0 and variable.matlab_class not in READABLE:
            return (
                f"{quote(name)} is of class {quote(variable.matlab_class)}, which only MATLAB can "
                "read: save the labels there as numbers, y = double(y), or as text, y = cellstr(y)."
            )
    decoded = context.variables[matrices[0]].matlab_class in ("uint8", "uint16")
    if context.archive and decoded and matrices[0].rpartition(".")[2] == IMAGES:
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
