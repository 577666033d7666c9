"""Samples with their labels in a variable beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..folding import SMOOTHER, Fold, roughness, scaled
from ..formats import EACH, NUMERIC, MatFileError
from ..layout import Layout, long_axes
from ..samples import to_samples
from .context import MAX_TRIED, Context, for_test, own_name, sample_axes
from .image_size import folds_along
from .labels import label_vectors, mismatch, quality, scalars
from .reasons import of_columns, of_pixels
from .split_and_groups import groups_of, parts_of, test_of

ENOUGH = 50  # samples that tell whether numbers are levels of light
TOGETHER = 0.5  # correlation of red and green: of photographs 0.9, of recordings 0.3
COLOURS = 3, 4  # red, green, blue; and how opaque
CERTAIN = 9  # the weight of a reason that needs no name to be sure


def labelled(
    context: Context, name: str, reasons: list[tuple[int, str]]
) -> Iterator[tuple[int, Layout]]:
    """Readings of one variable with the labels that fit it, best first."""
    variable = context.variables[name]
    vectors = [
        each for each in label_vectors(context, name) if for_test(name) or not for_test(each.name)
    ]
    if EACH in name:  # few: any vector may be as long
        vectors = [each for each in vectors if each.likelihood > 0 or each.name in context.beside]
    if variable.matlab_class == "cell":
        lengths = {0: prod(variable.shape)}
    else:
        lengths = {
            axis: variable.shape[axis] for axis in sample_axes(variable.shape, context.by_rows)
        }
    fitting = [
        (axis, vector) for axis, n in lengths.items() for vector in vectors if vector.n == n > 1
    ]
    own = {own_name(each.name) for _, each in fitting if _beside(each.name, name)}
    fitting = [
        (axis, each)
        for axis, each in fitting
        if own_name(each.name) not in own or _beside(each.name, name)  # not those of another struct
    ]
    theirs = [
        each for each in fitting if each[1].name in context.beside and each[1].likelihood >= 0
    ]
    fitting = theirs or fitting  # where the second file has no labels it has groups, or parts
    fitting.sort(key=lambda each: each[1].likelihood, reverse=True)  # stable
    most = fitting[0][1].likelihood if fitting else 0
    one_matrix = most <= 0 and len(long_axes(variable.shape)) == 2
    called = [*vectors, *(scalars(context) if one_matrix else [])]
    if called := [vector for vector in called if vector.likelihood > max(most, 0)]:
        best = max(called, key=lambda vector: vector.likelihood)
        reasons.append((best.likelihood, mismatch(best, name, variable)))
    if not fitting:
        return
    ranked = []
    for axis, vector in fitting[:MAX_TRIED]:
        try:
            ranked.append((*quality(context, vector), axis, vector))
        except MatFileError as error:
            told_by = context.labels[vector.name]
            vectorial = len(long_axes(told_by.shape)) < 2
            numbers = vectorial and told_by.matlab_class in NUMERIC  # not channels
            if numbers or vector.likelihood > 0:
                told = ""
                if not vectorial:
                    told = of_pixels(context, name, vector.name) or of_columns(context, vector.name)
                reasons.append((vector.likelihood, told or str(error)))
    try:
        values = context.read(name)
        if values.dtype.kind not in "biuf" or not values.size:
            to_samples(values, 0, name=name)  # says what it holds
    except MatFileError as error:
        reasons.append((CERTAIN if ranked else 0, str(error)))
        return
    axes = {axis for *_, axis, _ in ranked}
    rough = {axis: roughness(values, axis) if len(axes) > 1 else 1.0 for axis in axes}
    # The sort is stable: of equals an axis that is not time, is more usual, the earlier variable.
    ranked.sort(
        key=lambda each: (*each[:2], SMOOTHER * rough[each[2]] > max(rough.values())),
        reverse=True,
    )
    if ranked and ranked[0][0] > 0:
        ranked = [each for each in ranked if each[0] >= 0]
    ways: list[tuple[int, Layout]] = []
    for likelihood, _, axis, vector in ranked:
        colours = colours_along(values, axis)
        try:
            unfolded: list[Fold] = [(None, "F")]
            folded = unfolded if colours is not None else folds_along(context, values, axis, name)
        except MatFileError as error:
            by_class = likelihood <= 0 and len(long_axes(values.shape)) > 3  # an axis may tell it
            reasons.append((0 if by_class else CERTAIN, str(error)))
            continue
        base = Layout((name,), axis, labels=vector.name, mean_over=colours)
        base = replace(base, groups=groups_of(context, base, vector.n))
        base = replace(base, test=test_of(context, base))
        unclear: list[Layout] = []
        if base.test and len(base.test) < 3:  # of these nothing tells the groups
            base = replace(base, groups="")
        if not base.test:
            sure, may = parts_of(context, base, vector.n)
            for name_of_part, sense in sure[:1]:
                base = replace(base, parts=name_of_part, sense=sense)
            if not (sure or ways):
                unclear = [replace(base, parts=part, sense=sense) for part, sense in may]
        some = folded if not ways else folded[:1]
        (shape, order), *rest = some
        found = [replace(each, shape=shape, order=order) for each in (base, *unclear)]
        found += [replace(base, shape=shape, order=order) for shape, order in rest]
        ways += [(likelihood, each) for each in found]
    yield from ways[:8]


def _beside(one: str, other: str) -> bool:
    """Whether two variables are in one struct, or in none."""
    return one.rpartition(".")[0] == other.rpartition(".")[0]


def colours_along(values: NDArray[Any], axis: int) -> int | None:
    """The axis that runs over the colours of pictures, the last if there are several."""
    rest = [at for at in long_axes(values.shape) if at != axis]
    few = [at for at in rest if values.shape[at] in COLOURS]
    if len(rest) != 3 or not few:
        return None
    by_colour = np.moveaxis(values, (axis, few[-1]), (0, 1))
    some = scaled(by_colour.reshape(len(by_colour), -1)).reshape(-1, *by_colour.shape[1:])
    levels = not (np.nan_to_num(by_colour[:ENOUGH]) % 1).any()
    return few[-1] if (levels and some.min() >= 0) or _go_together(some) else None


def _go_together(colours: NDArray[np.float64]) -> bool:
    """Whether the first two of samples x colours x ... are of one picture, not of two people."""
    pixels = colours.reshape(*colours.shape[:2], -1)
    one, other = (pixels[:, i] - pixels[:, i].mean(axis=1, keepdims=True) for i in (0, 1))
    size = np.sqrt((one**2).sum() * (other**2).sum())
    return bool((one * other).sum() > TOGETHER * size)
