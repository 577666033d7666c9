"""One variable of samples for each class."""

from __future__ import annotations

from fnmatch import fnmatchcase
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import EACH, NUMERIC, MatFileError
from ..layout import Implied, Layout, agree, long_axes, split_column
from .context import MAX_TRIED, Context, label_likelihood, sample_axes, test_names, test_variables
from .image_size import folds_along, refuse_other_than_pictures
from .labels import MAX_CLASSES

MOST_UNEQUAL = 50  # times as many samples one variable may have as the next, if each is a class


def by_variables(context: Context, reasons: list[tuple[int, str]]) -> list[Layout]:
    """One stack of samples for each class: variables that agree but for one axis."""
    stacks: dict[tuple[int, ...], list[str]] = {}
    tests = test_variables(context)
    matrices = {
        name: each.shape
        for name, each in context.variables.items()
        if each.matlab_class in NUMERIC and len(long_axes(each.shape)) > 1 and name not in tests
    }
    samples = [name for name in matrices if label_likelihood(name) < 2] or list(matrices)
    for name in samples:
        shape = matrices[name]
        for rank, axis in enumerate(sample_axes(shape, context.by_rows)):
            key = (rank, axis, len(shape), *(n for at, n in enumerate(shape) if at != axis))
            stacks.setdefault(key, []).append(name)

    def likely(item: tuple[tuple[int, ...], list[str]]) -> tuple[int, int]:
        (rank, *_), names = item
        return sum(prod(context.variables[name].shape) for name in names), -rank

    def alike(names: list[str]) -> bool:
        sizes = [prod(context.variables[name].shape) for name in names]
        return 2 <= len(names) <= MAX_CLASSES and max(sizes) <= MOST_UNEQUAL * min(sizes)

    def of_one_part(names: list[str]) -> bool:
        return len({bool(test_names(name, context.variables)) for name in names}) == 1

    some = {key: names for key, names in stacks.items() if alike(names) and of_one_part(names)}
    ways: list[Layout] = []
    for (_, axis, *_), names in sorted(some.items(), key=likely, reverse=True)[:MAX_TRIED]:
        try:
            one, other = (context.read(name) for name in names[:2])
            implied = _constant_column(one, other, axis) or "variable"
            values = np.concatenate([one, other], axis)  # as symmetric as all classes together
            rest = values if implied == "variable" else split_column(values, axis, implied)[0]
            folded = folds_along(context, rest, axis, names[0])
            if folded[0][0] and implied == "variable":
                refuse_other_than_pictures(np.moveaxis(one, axis, 0), names)
        except MatFileError as error:
            reasons.append((0, str(error)))
            continue
        test = _tests(context, names, axis) if implied == "variable" else None
        ways += [
            Layout(tuple(names), axis, shape, order, implied=implied, test=test)
            for shape, order in (folded if not ways else folded[:1])
        ]
    return ways[:6] or _by_families(context)


def _by_families(context: Context) -> list[Layout]:
    """Variables for each sample of a class: left_1, left_2, ..., right_1, right_2, ..."""
    families = [name for name in context.variables if EACH in name]
    try:
        shapes = {context.read(name).shape[1:] for name in families}
    except MatFileError:  # of another shape each: no samples of one kind
        return []
    if len(families) < 2 or len(shapes) > 1 or len(long_axes(*shapes)) != 2:
        return []
    like_them = [name for name, each in context.variables.items() if {each.shape} == shapes]
    if any(sum(fnmatchcase(name, each) for each in families) != 1 for name in like_them):
        return []
    return [Layout(tuple(families), 0, implied="variable")]


def _tests(context: Context, names: list[str], axis: int) -> tuple[str, ...] | None:
    """The variables of the test part, if each of these has one."""
    shape = context.variables[names[0]].shape
    tests = [
        [
            other
            for other in test_names(name, context.variables).values()
            if agree(context.variables[other].shape, shape, axis)
        ]
        for name in names
    ]
    return tuple(each[0] for each in tests) if all(tests) else None


def _constant_column(one: NDArray[Any], other: NDArray[Any], axis: int) -> Implied:
    """The column that has one whole number in the first stack, and another in the second."""
    if one.ndim == 2 and axis == 0:
        sides: tuple[Implied, ...] = ("last column", "first column")
        for side in sides:
            labels = [np.unique(split_column(each, 0, side)[1]) for each in (one, other)]
            if all(len(each) == 1 and not each % 1 for each in labels) and labels[0] != labels[1]:
                return side
    return ""
