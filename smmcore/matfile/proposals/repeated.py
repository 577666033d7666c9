"""Matrices along two axes: of subjects, say, who each had the same trials, or others."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ..formats import NUMERIC, READABLE, MatFileError
from ..layout import Layout, labels_by_group, long_axes
from .known import Known
from .labels import Vector, quality
from .names import label_likelihood
from .parts import test_of


def by_groups(known: Known, name: str) -> list[tuple[int, Layout]]:
    """p x q x n x groups, or groups x n x p x q, with labels of n, or of n x groups."""
    variable = known.variables[name]
    axes = long_axes(variable.shape)
    if variable.matlab_class not in NUMERIC or len(axes) != 4:
        return []
    outermost = [(axes[2], axes[3]), (axes[1], axes[0])]  # any other axis may be of each sample
    if known.by_rows:
        outermost.reverse()
    ways = []
    for label, each in known.labels.items():
        likelihood = label_likelihood(label)
        if likelihood < 1 or each.matlab_class not in READABLE:
            continue
        lengths = [length for length in each.shape if length > 1]
        for axis, group_axis in outermost:
            n, k = variable.shape[axis], variable.shape[group_axis]
            if lengths != [n] and sorted(lengths) != sorted((n, k)):
                continue
            with suppress(MatFileError):
                given, groups_first = known.read_labels(label), group_axis < axis
                y = labels_by_group(given, (k, n), groups_first, name=label, missing=True)
                joined = known._replace(read_labels={label: y}.__getitem__)
                rank = quality(joined, Vector(label, len(y), likelihood))
                way = Layout((name,), axis, labels=label, group_axis=group_axis)
                ways.append((rank, way))
    ways.sort(key=lambda each: each[0], reverse=True)  # stable
    return [(rank, replace(way, test=test_of(known, way))) for (rank, _), way in ways]
