"""Layouts whose labels are a vector: a variable, or a column of a table."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import isqrt, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import read_cell_sizes, read_stack, require_real, split_column
from ..formats.errors import FileError
from ..formats.variables import EACH, LARGEST_ARRAY, NUMERIC
from ..layout import Implied, Layout, long_axes
from .context import (
    MOST_TRIED,
    Context,
    field_name,
    field_words,
    is_for_test,
    sample_axes,
    test_counterparts,
)
from .images import SMOOTHER, Fold, are_images, find_colour_axis, list_folds, roughness
from .recordings import cut_cells
from .vectors import (
    CERTAIN,
    MAX_CLASSES,
    LabelVector,
    explain_length_mismatch,
    explain_pixel_labels,
    find_groups,
    find_parts,
    find_test_variables,
    label_vectors,
    rate_values,
)

MOST_LIKE = 0.05  # the largest share of columns with the range of a column of labels
MOST_TOGETHER = 0.6  # the largest correlation of labels with the neighbouring pixel
MOST_COMPARED = 200  # samples
ENOUGH_SAMPLES = 20  # cells: fewer are rather recordings
MOST_LAYOUTS = 8
ENOUGH_CELLS, MOST_CELLS = 0.5, 0.9  # shares of the cells of the usual size

Rated = list[tuple[int, float, int, LabelVector]]  # likelihood, preference, axis, vector


def find_labelled_layouts(
    context: Context, name: str, reasons: list[tuple[int, str]]
) -> list[tuple[int, Layout]]:
    """Find layouts of one variable with the label vectors that fit it, the likeliest first.

    Each comes with the likelihood of its labels. Sentences that explain why vectors do not fit are
    added to `reasons`, with their weight.
    """
    matches = _match_vectors(context, name, reasons)
    if not matches:
        return []
    rated = _rate_matches(context, name, matches, reasons)
    recordings = _cut_recordings(context, name, rated)
    try:
        cuts = find_cuts(context, name)
        values = read_stack(name, cuts[0], context.read)
        is_complex = values.dtype.kind == "c"
        values = np.abs(values) if is_complex else values
        require_real(values, name)
    except FileError as error:
        reasons.append((CERTAIN if rated else 0, str(error)))
        return recordings
    axes = {axis for *_, axis, _ in rated}
    rough = {axis: roughness(values, axis) if len(axes) > 1 else 1.0 for axis in axes}
    layouts: list[tuple[int, Layout]] = []
    for likelihood, axis, vector in _rank_matches(rated, rough):
        colours = find_colour_axis(values, axis)
        folds: list[Fold] = [(None, "F")]
        try:
            if colours is None:
                folds = list_folds(context, values, axis, name)
        except FileError as error:
            reasons.append((CERTAIN, str(error)))
            continue
        layout = Layout(name, axis, labels=vector.name, mean_over=colours)
        layout = replace(layout, magnitude=is_complex)
        layout = _cut_cells(context, layout, cuts[0])
        completed = _complete_layout(context, layout, vector.n, folds, alternatives=not layouts)
        layouts += [(likelihood, each) for each in completed]
    if layouts:
        likelihood, first = layouts[0]
        layouts[1:1] = [(likelihood, _cut_cells(context, first, each)) for each in cuts[1:]]
    return ([*recordings, *layouts[:1]] if recordings else layouts)[:MOST_LAYOUTS]


def _cut_recordings(context: Context, name: str, rated: Rated) -> list[tuple[int, Layout]]:
    """Return layouts of cells that are recordings, cut into windows, with one label for each.

    They differ in length, or are few, or come as vectors that are no images, in a file each.
    """
    count = prod(context.variables[name].shape)
    if context.variables[name].matlab_class != "cell" or not rated:
        return []
    with suppress(FileError):  # cells of text
        sizes = read_cell_sizes(name, context.read)
        layout = cut_cells(Layout(name, 0), sizes)
        are_many = not np.ptp(sizes, axis=0).any() and count >= ENOUGH_SAMPLES
        are_vectors = (sizes > 1).sum(axis=1).max() == 1
        if are_many and not (EACH in name and are_vectors and not are_images(context.read(name))):
            return []
        if layout:
            ranked = [(each[0], replace(layout, labels=each[-1].name)) for each in rated]
            return [
                (likelihood, replace(each, groups=find_groups(context, each, count)))
                for likelihood, each in sorted(ranked, key=lambda each: -each[0])
            ]
    return []


def find_cuts(context: Context, name: str) -> list[tuple[int, ...] | None]:
    """Find the sizes to which cells of different sizes may be cut, the best first; None if equal.

    They are cut to the shortest, if that is half as long as the longest, or smaller cells than
    most are left out: first if they are few.
    """
    if context.variables[name].matlab_class != "cell":
        return [None]
    try:
        sizes = read_cell_sizes(name, context.read)
    except FileError:
        return [None]
    if not np.ptp(sizes, axis=0).any():
        return [None]
    shapes, counts = np.unique(sizes, axis=0, return_counts=True)
    low, high, usual = sizes.min(axis=0), sizes.max(axis=0), shapes[counts.argmax()]
    share = counts.max() / len(sizes)
    cuts = []
    if np.count_nonzero(low < high) == 1 and (2 * low >= high).all():
        cuts.append(low)
    if share >= ENOUGH_CELLS:
        cuts.insert(0 if share >= MOST_CELLS else len(cuts), usual)
    sized = dict.fromkeys(tuple(map(int, cut)) for cut in cuts)
    return list(sized) or [None]  # reading all cells as one array says what is wrong


def _cut_cells(context: Context, layout: Layout, cut: tuple[int, ...] | None) -> Layout:
    """Return a layout whose cells are cut, and left out where they are smaller."""
    if cut is None:
        return layout
    smaller = (read_cell_sizes(layout.samples, context.read) < cut).any()
    return replace(layout, cut=cut, missing="drop" if smaller else "refuse")


def find_joined_layouts(context: Context, name: str) -> list[tuple[int, Layout]]:
    """Find layouts of samples of three axes, two of which become one, or one place of an axis.

    Of a patch of an image, pixels x bands comes first; the last is a single band.
    """
    shape = context.variables[name].shape
    if context.variables[name].matlab_class not in NUMERIC or len(long_axes(shape)) != 4:
        return []
    rated = _rate_matches(context, name, _match_vectors(context, name, []), [])
    layouts: list[tuple[int, Layout]] = []
    for likelihood, _, axis, vector in sorted(rated, key=lambda each: each[:2], reverse=True):
        if likelihood > 0 and not layouts:
            layout = Layout(name, axis, labels=vector.name)
            folds: list[Fold] = [(None, "F")]
            (layout,) = _complete_layout(context, layout, vector.n, folds, alternatives=False)
            one, two, three = (at for at in long_axes(shape) if at != axis)
            pairs = sorted([(one, two), (two, three)], key=lambda at: shape[at[0]] != shape[at[1]])
            layouts = [(likelihood, replace(layout, joined=pair)) for pair in pairs]
            (band,) = {one, two, three} - {*pairs[0]}
            layouts.append((likelihood, replace(layout, place=(band, shape[band] // 2))))
    return layouts


def _match_vectors(
    context: Context, name: str, reasons: list[tuple[int, str]]
) -> list[tuple[int, LabelVector]]:
    """Pair each axis of a variable with the label vectors of the same length, likely ones first."""
    variable = context.variables[name]
    vectors = [
        each
        for each in label_vectors(context, name)
        if is_for_test(name) or not is_for_test(each.name)
    ]
    vectors = [
        each for each in vectors if EACH in name or EACH not in each.name not in context.of_members
    ]
    if EACH in name:  # so few cells that any vector may be as long
        vectors = [
            each
            for each in vectors
            if each.likelihood > 0
            or each.name in context.beside | context.of_members
            or EACH in each.name
        ]
    if variable.matlab_class == "cell":
        lengths = {0: prod(variable.shape)}
    else:
        lengths = {
            axis: variable.shape[axis] for axis in sample_axes(variable.shape, context.by_rows)
        }
    matches = [
        (axis, vector) for axis, n in lengths.items() for vector in vectors if vector.n == n > 1
    ]
    # A label of the same name in another struct belongs to other samples.
    own = {field_name(each.name) for _, each in matches if _share_struct(each.name, name)}
    matches = [
        (axis, each)
        for axis, each in matches
        if field_name(each.name) not in own
        or _share_struct(each.name, name)
        or each.name in context.beside
    ]
    beside = [
        (axis, each)
        for axis, each in matches
        if each.name in context.beside
        and (each.likelihood >= 0 or {"group", "groups"} & field_words(each.name))
    ]
    matches = beside or matches  # another file without labels holds groups or parts
    matches.sort(key=lambda each: each[1].likelihood, reverse=True)  # stable
    best = matches[0][1].likelihood if matches else 0
    likelier = [vector for vector in vectors if vector.likelihood > max(best, 0)]
    if likelier:
        vector = max(likelier, key=lambda vector: vector.likelihood)
        sentence = explain_length_mismatch(vector, name, variable)
        doubt = context.doubts.get(vector.name, "")
        reasons.append((vector.likelihood, f"{sentence} {doubt}".strip()))
    return matches


def _rate_matches(
    context: Context,
    name: str,
    matches: list[tuple[int, LabelVector]],
    reasons: list[tuple[int, str]],
) -> Rated:
    """Read the vectors and rate them as labels; leave out those that cannot be labels."""
    rated: Rated = []
    for axis, vector in matches[:MOST_TRIED]:
        try:
            values = context.read(vector.name)
            rated.append((*rate_values(context, vector.name, values, vector.n), axis, vector))
        except FileError as error:
            variable = context.variables[vector.name]
            is_vector = len(long_axes(variable.shape)) < 2
            if (is_vector and variable.matlab_class in NUMERIC) or vector.likelihood > 0:
                sentence = ""
                if not is_vector:
                    sentence = explain_pixel_labels(context, name, vector.name)
                reasons.append((vector.likelihood, sentence or str(error)))
    return rated


def _rank_matches(rated: Rated, rough: dict[int, float]) -> list[tuple[int, int, LabelVector]]:
    """Sort rated matches, the best first, and drop the unlikely ones if there is a likely one.

    `rough` is the roughness of the samples along each axis.
    """
    # The sort is stable. Among equals it prefers an axis that does not run over time, then the
    # usual axis, then the earlier variable.
    rated = sorted(
        rated,
        key=lambda each: (*each[:2], SMOOTHER * rough[each[2]] > max(rough.values())),
        reverse=True,
    )
    if rated and rated[0][0] > 0:
        rated = [each for each in rated if each[0] >= 0]
    return [(likelihood, axis, vector) for likelihood, _, axis, vector in rated]


def _complete_layout(
    context: Context, layout: Layout, n: int, folds: list[Fold], *, alternatives: bool
) -> list[Layout]:
    """Add groups, test part and fold to a layout, and list alternatives if these are unclear."""
    layout = replace(layout, groups=find_groups(context, layout, n))
    layout = replace(layout, test=find_test_variables(context, layout))
    unclear: list[Layout] = []
    if layout.test and len(layout.test) < 3:  # the groups of the test part are unknown
        layout = replace(layout, groups="")
    if not layout.test:
        certain, possible = find_parts(context, layout, n)
        for part, sense in certain[:1]:
            layout = replace(layout, parts=part, sense=sense)
        if alternatives and not certain:
            unclear = [replace(layout, parts=part, sense=sense) for part, sense in possible]
    (shape, order), *others = folds if alternatives else folds[:1]
    completed = [replace(each, shape=shape, order=order) for each in (layout, *unclear)]
    return completed + [replace(layout, shape=shape, order=order) for shape, order in others]


def _share_struct(one: str, other: str) -> bool:
    """Return whether two variables are fields of the same struct, or of none."""
    return one.rpartition(".")[0] == other.rpartition(".")[0]


def find_label_column_layouts(context: Context, matrices: list[str]) -> list[Layout]:
    """Find layouts whose labels are the first or last column, if samples fold better without it."""
    for name in matrices:
        variable = context.variables[name]
        if variable.matlab_class not in NUMERIC or len(variable.shape) != 2:
            continue
        n, m = variable.shape
        if not 5 <= m <= LARGEST_ARRAY or _elongation(m - 1) >= _elongation(m):
            continue
        values = context.read(name)
        columns: list[tuple[float, Implied]] = []
        sides: tuple[Implied, ...] = ("last column", "first column")
        for column in sides:
            rest, y = split_column(values, 0, column)
            labels, counts = np.unique(y, return_counts=True)
            k = len(counts)
            few = 2 <= k <= min(MAX_CLASSES, n / 2) and counts.min() > 1
            if few and _are_class_numbers(labels) and not _is_like_pixels(rest, y, column):
                columns.append((counts.min() * k / n, column))
        # Classes have about the same size; the grey values of a border do not.
        columns.sort(key=lambda each: each[0], reverse=True)
        layouts: list[Layout] = []
        for _, column in columns:
            rest, _ = split_column(values, 0, column)
            others = test_counterparts(name, context.variables).values()
            test = [other for other in others if context.variables[other].shape[1:] == (m,)]
            folds = list_folds(context._replace(by_rows=True, table=True), rest, 0, name)
            layouts += [
                Layout(name, 0, shape, order, implied=column, test=(*test[:1],) or None)
                for shape, order in (folds if not layouts else folds[:1])
            ]
        if layouts:
            return layouts
    return []


def _are_class_numbers(labels: NDArray[Any]) -> bool:
    """Return whether sorted labels are 0, 1, ..., or 1, 2, ..., or -1 and 1."""
    counted = np.arange(len(labels))
    numberings = (counted, counted + 1, np.array([-1, 1]))
    return labels.dtype.kind in "biuf" and any(np.array_equal(labels, way) for way in numberings)


def _is_like_pixels(rest: NDArray[Any], y: NDArray[Any], side: str) -> bool:
    """Return whether a column is a pixel: others share its range, or its neighbour correlates."""
    if (rest[:MOST_COMPARED] % 1).any():  # and the column holds whole numbers
        return False
    low, high = rest.min(0), rest.max(0)
    next_one = rest[:, 0 if side[0] == "f" else -1].astype(float)
    spread = next_one.std() * y.std()
    together = np.mean((next_one - next_one.mean()) * (y - y.mean())) / spread if spread else 0
    same = (low == y.min()) & (high == y.max())
    within = low.min() >= y.min() and high.max() <= y.max()
    return bool(same.mean() > MOST_LIKE or within or together > MOST_TOGETHER)


def _elongation(m: int) -> float:
    """Return the ratio of length to width of the squarest image of m numbers."""
    p = max(p for p in range(1, isqrt(m) + 1) if m % p == 0)
    return m / p**2
