"""Samples without labels: to be looked at, while a second file may bring these."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..folding import Fold, tell_lines
from ..formats import EACH, MatFileError
from ..layout import Layout, long_axes
from .context import Context, likely_samples, sample_axes
from .image_size import folds_along
from .label_vector import colours_along

MAX_LAYOUTS = 5


def unlabelled_layouts(context: Context) -> list[Layout]:
    """How the likeliest matrices of a file may lie, best first; none where there are none."""
    unequal: list[str] = []  # matrices that are one for each sample, say recordings
    for name in sorted(likely_samples(context), key=lambda name: EACH not in name):  # stable
        flat = len(long_axes(context.variables[name].shape)) == 2
        if flat and any(fnmatchcase(name, each) for each in unequal):
            continue
        try:
            values = context.read(name)
        except MatFileError:
            unequal += [name] if EACH in name else []
            continue
        with suppress(MatFileError):
            if values.dtype.kind in "biuf" and (ways := _ways(context, name, values)):
                return ways[:MAX_LAYOUTS]
    return []


def _ways(context: Context, name: str, values: NDArray[Any]) -> list[Layout]:
    """Readings of one variable, those along an axis where pictures tell their lines first."""
    cell = context.variables[name].matlab_class == "cell"
    ways: list[tuple[bool, Layout]] = []
    for axis in [0] if cell else sample_axes(values.shape, context.by_rows):
        with suppress(MatFileError):
            grey = colours_along(values, axis)
            folded: list[Fold] = [(None, "F")]
            if grey is None:
                folded = folds_along(context, values, axis, name)
            rows = np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)
            told = folded[0][0] is None or tell_lines(rows)
            some = folded if told else folded[:1]
            ways += [
                (told, Layout((name,), axis, shape, order, mean_over=grey)) for shape, order in some
            ]
    return [way for _, way in sorted(ways, key=lambda each: not each[0])]
