"""Recordings: long rows of moments that are cut into windows, each of which is a sample."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrange import RawSamples
from ..formats.variables import EACH, RECORDING
from ..layout import Layout, long_axes
from .context import Context, field_name
from .images import roughness
from .vectors import count_values

LONGER = 20  # times as many moments as channels
SMOOTH = 0.25  # differences of neighbouring moments, relative to any two
LONG_RUNS = 10  # moments of one label, or more
USUAL = 256  # moments of a window
FEWEST_WINDOWS = 4  # of a recording


def cut_cells(base: Layout, sizes: NDArray[np.intp]) -> Layout | None:
    """Cut the cells of a layout into windows if they are recordings, and not all of one size."""
    axis = int(sizes.max(axis=0).argmax())
    shortest, channels = int(sizes[:, axis].min()), prod(np.delete(sizes[0], axis).tolist())
    if shortest < RECORDING or shortest < LONGER * channels:
        return None
    layout = replace(base, axis=axis + 1, cells=(len(sizes), 1), parts="")
    return with_window(layout, channels, find_length(shortest))


def cut_moments(context: Context, layout: Layout, stored: RawSamples) -> Layout | None:
    """Cut samples that are moments of one recording, with a label for each, into windows."""
    n, *sample = stored.shape
    name, m = layout.samples[0], prod(sample)
    is_one = not layout.cells and EACH not in name and layout.labels and layout.threshold is None
    if not is_one or n < max(RECORDING, LONGER * m) or layout.test or layout.parts:
        return None
    y = np.unique(stored.y, return_inverse=True)[1]
    values = context.read(name)
    in_runs = LONG_RUNS * (1 + np.count_nonzero(np.diff(y))) <= n
    if not in_runs or len(long_axes(values.shape)) > 2 or values.ndim > 2:
        return None
    trial = _find_trials(context, layout, n)
    if not trial and roughness(values, layout.axis) >= SMOOTH:
        return None
    runs = [y] if not trial else [y, np.unique(context.read(trial), return_inverse=True)[1].ravel()]
    changes = np.flatnonzero(np.any([np.diff(each) != 0 for each in runs], axis=0))
    lengths = np.diff(np.r_[-1, changes, n - 1])
    if int(lengths.min()) < LONG_RUNS:
        return None
    length = int(lengths.min()) if trial else find_length(int(lengths.min()))
    cut = replace(layout, groups=trial or layout.groups, order="C", shape=None)
    return with_window(cut, m, length)


def find_length(shortest: int) -> int:
    """Return the usual length of a window, or a power of two of which the shortest has a few."""
    return int(min(USUAL, 1 << (max(1, shortest // FEWEST_WINDOWS).bit_length() - 1)))


def with_window(layout: Layout, channels: int, length: int, step: int = 0) -> Layout:
    """Return a layout with windows; those of one channel are folded as square as can be."""
    shape: tuple[int, int] | None = None
    if channels == 1:
        p = max(p for p in range(1, int(length**0.5) + 1) if length % p == 0)
        shape = p, length // p
    return replace(layout, window=(length, step or length), shape=shape, order="C")


def _find_trials(context: Context, layout: Layout, n: int) -> str:
    """Find the column of a long table that tells the trials."""
    for name, variable in context.variables.items():
        if count_values(variable) == n and "trial" in field_name(name) and name != layout.labels:
            return name
    return ""


def explain_recordings(context: Context) -> str:
    """Name a vector that is too long for labels, in a file without samples; empty if none."""
    for name, variable in context.variables.items():
        if variable.matlab_class in ("double", "single") and max(variable.shape) >= RECORDING:
            values: NDArray[Any] = context.read(name)
            if values.size == max(values.shape) and len(np.unique(values)) > values.size / 2:
                return name
    return ""
