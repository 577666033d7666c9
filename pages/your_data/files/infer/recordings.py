"""Recordings: long rows of moments that are cut into windows, each of which is a sample."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import ceil, log2, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..arrange import RawSamples, read_cell_sizes
from ..formats.errors import FileError
from ..formats.variables import COLUMN, EACH, NUMERIC, RECORDING
from ..layout import Layout, long_axes
from .context import Context, field_name, label_likelihood
from .images import roughness
from .vectors import count_values, rate_values

LONGER = 20  # times as many moments as channels
SMOOTH = 0.25  # differences of neighbouring moments, relative to any two
LONG_RUNS = 10  # moments of one label, or more
USUAL = 256  # moments of a window
LONGEST = 1_000  # moments of a window at an onset, at first
TRIAL_WORDS = "trial", "epoch", "segment", "instance", "series"
FEWEST_WINDOWS = 4  # of a recording

Way = Literal["rows × columns", "channels × moments", "spectrogram"]


def cut_cells(base: Layout, sizes: NDArray[np.intp]) -> Layout | None:
    """Cut the cells of a layout into windows if they are recordings, and not all of one size."""
    axis = int(sizes.max(axis=0).argmax())
    shortest, channels = int(sizes[:, axis].min()), prod(np.delete(sizes[0], axis).tolist())
    if shortest < RECORDING or shortest < LONGER * channels:
        return None
    layout = replace(base, axis=axis + 1, cells=(len(sizes), 1), parts="")
    way: Way = "rows × columns" if channels == 1 else "channels × moments"
    return with_window(layout, find_length(shortest), way=way)


def cut_moments(context: Context, layout: Layout, stored: RawSamples) -> Layout | None:
    """Cut samples that are moments of one recording, with a label for each, into windows."""
    n, *sample = stored.shape
    name, m = layout.samples, prod(sample)
    is_one = not layout.cells and EACH not in name and layout.labels and layout.threshold is None
    if not is_one or n < max(RECORDING, LONGER * m) or layout.test or layout.parts:
        return None
    y = np.unique(stored.y, return_inverse=True)[1]
    values = context.read(name)
    in_runs = LONG_RUNS * (1 + np.count_nonzero(np.diff(y))) <= n
    if not in_runs or len(long_axes(values.shape)) > 2 or values.ndim > 2:
        return None
    trial = _find_trials(context, layout, n)
    in_time = trial or context.has_clock(name) or roughness(values, layout.axis) < SMOOTH
    if not in_time:
        return None
    runs = [y] if not trial else [y, np.unique(context.read(trial), return_inverse=True)[1].ravel()]
    changes = np.flatnonzero(np.any([np.diff(each) != 0 for each in runs], axis=0))
    lengths = np.diff(np.r_[-1, changes, n - 1])
    if int(lengths.min()) < LONG_RUNS:
        return None
    length = int(lengths.min()) if trial else find_length(int(lengths.min()))
    cut = replace(layout, groups=trial or layout.groups, order="C", shape=None)
    return with_window(cut, length, way="rows × columns" if m == 1 else "channels × moments")


def find_length(shortest: int) -> int:
    """Return the usual length of a window, or a power of two of which the shortest has a few."""
    return int(min(USUAL, 1 << (max(1, shortest // FEWEST_WINDOWS).bit_length() - 1)))


def with_window(
    layout: Layout, length: int, step: int = 0, way: Way = "channels × moments"
) -> Layout:
    """Return a layout with windows, each of which becomes a matrix in this way.

    Rows × columns are those of one channel, folded as square as can be.
    """
    shape: tuple[int, int] | None = None
    if way == "rows × columns":
        p = max(p for p in range(1, int(length**0.5) + 1) if length % p == 0)
        shape = p, length // p
    # About as many frequencies as segments
    segment = 1 << ceil(log2(2 * length) / 2) if way == "spectrogram" else 0
    window = length, step or length
    return replace(layout, window=window, shape=shape, order="C", segment=segment)


def find_way(layout: Layout) -> Way:
    """Return the way in which windows become matrices."""
    if layout.segment:
        return "spectrogram"
    return "rows × columns" if layout.shape else "channels × moments"


def find_onset_layouts(context: Context) -> list[Layout]:
    """Find recordings whose windows begin at onsets, with a label for each.

    A recording is a matrix or a cell; onsets ascend within it.
    """
    layouts = []
    for name, variable in context.variables.items():
        is_cell = variable.matlab_class == "cell"
        sizes = np.array([variable.shape])
        with suppress(FileError):  # cells of text
            sizes = read_cell_sizes(name, context.read) if is_cell else sizes
        if variable.matlab_class not in (*NUMERIC, "cell") or sizes.shape[1] != 2:
            continue
        axis = int(sizes.max(axis=0).argmax())
        shortest = int(sizes[:, axis].min())
        channels = int(sizes[:, 1 - axis].max())
        if shortest < max(RECORDING, LONGER * channels):
            continue
        found = _match_onsets(context, len(sizes) if is_cell else 0, sizes[:, axis])
        for onsets, labels, length in found:
            cells = (len(sizes), 1) if is_cell else None
            layout = Layout(name, axis + is_cell, labels=labels, cells=cells, onsets=onsets)
            layout = replace(layout, first_moment=0 if context.by_rows else 1)
            layouts.append(with_window(layout, length))
    return layouts


def _match_onsets(
    context: Context, count: int, moments: NDArray[np.intp]
) -> list[tuple[str, str, int]]:
    """Return onsets, labels of as many, and the moments between two onsets, at least."""
    given: dict[str, list[NDArray[Any]]] = {}
    for name, variable in context.variables.items():
        is_cell = variable.matlab_class == "cell" and prod(variable.shape) == count > 0
        if not is_cell and (count or len(long_axes(variable.shape)) != 1):
            continue
        with suppress(FileError):
            values = [context.read(f"{name}{{{i + 1}}}") for i in range(count)]
            given[name] = [each.ravel("F") for each in values or [context.read(name)]]
    layouts = []
    for name, onsets in given.items():
        are_onsets = all(
            each.dtype.kind in "iuf"
            and len(each) >= FEWEST_WINDOWS
            and not (each % 1).any()
            and (np.diff(each.astype(float)) > 0).all()
            and 0 <= each[0] <= each[-1] <= n
            for each, n in zip(onsets, moments.tolist(), strict=True)
        )
        if not are_onsets or label_likelihood(name) > 1:
            continue
        length = int(min(np.diff(each.astype(int)).min() for each in onsets))
        for labels, values in given.items():
            y = np.concatenate(values) if len({each.dtype.kind for each in values}) == 1 else None
            fits = [len(each) for each in values] == [len(each) for each in onsets]
            of_events = (
                COLUMN in labels and labels.partition(COLUMN)[0] == name.partition(COLUMN)[0]
            )
            is_called = label_likelihood(labels) > 0 or of_events
            if labels != name and fits and y is not None and is_called:
                with suppress(FileError):
                    rate_values(context, labels, y, len(y))
                    layouts.append((name, labels, max(FEWEST_WINDOWS, min(length, LONGEST))))
    return layouts


def _find_trials(context: Context, layout: Layout, n: int) -> str:
    """Find the column of a long table that tells the trials."""
    for name, variable in context.variables.items():
        is_called = any(word in field_name(name) for word in TRIAL_WORDS)
        if count_values(variable) == n and is_called and name != layout.labels:
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
