"""Tables in long form, which have a row for each sample and sensor, and perhaps each moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .clocks import FEWEST, TIMES
from .variables import split_words

SAMPLES = {  # words in the names of columns that tell the sample
    *("trial", "trials", "id", "epoch", "instance", "case", "segment", "subject", "participant"),
    *("patient", "session", "run", "recording"),
}
WEAK_SAMPLES = {"sample", "image", "item", "name", "file", "window"}  # or the moments of one
CLASSES = {"label", "class", "condition", "target", "group", "stimulus"}
SENSORS = {"sensor", "sensors", "channel", "channels", "chan", "electrode", "lead", "roi", "region"}
MOMENTS = TIMES | {"moment", "moments", "sample", "frame"}
MOST_STATES = 20  # different values of a label that each moment has
MOST = 12  # columns, in which any may tell the sensor or the moment


class LongForm(NamedTuple):
    """Samples that are put together from rows."""

    X: Any  # (n, p, q), NaN where there is no row
    rows: Any  # (n,), a row of each sample, which tells its label
    single: list[int]  # columns with one value for each sample
    keys: list[int]  # columns that tell the sample, its row and its column


def find_long_form(columns: Mapping[int, Any], names: Sequence[str]) -> LongForm | None:
    """Put samples together if there is one row for each sample and sensor, and perhaps moment.

    Where rows are moments and have labels, windows may be cut, too: that is asked elsewhere.
    """
    words = {at: split_words(names[at]) for at in columns if names[at].strip()}
    called = SAMPLES | WEAK_SAMPLES | SENSORS | MOMENTS | CLASSES
    told = [at for at in words if len(words) <= MOST or words[at] & called]
    if not any(words[at] & (SAMPLES | WEAK_SAMPLES) for at in told):
        return None
    codes = {at: _number(columns[at]) for at in told}
    codes = {at: code for at, code in codes.items() if code.max() < len(code) // 2}  # repeated
    keys = [at for at in codes if words[at] & SAMPLES]
    keys = keys or [at for at in codes if words[at] & WEAK_SAMPLES]
    if not keys:
        return None
    classes = [at for at in codes if words[at] & CLASSES and at not in keys]
    sample = _number(np.stack([codes[at] for at in (*keys, *classes)], 1), axis=0)
    first = np.unique(sample, return_index=True)[1]

    def is_single(at: int) -> bool:
        """Return whether a column has one value for each sample."""
        return bool((columns[at] == columns[at][first][sample]).all())

    axes = [
        at
        for at, code in codes.items()
        if at not in (*keys, *classes) and not is_single(at)
        if words[at] & (SENSORS | MOMENTS) or np.ptp(np.bincount(code)) == 0
    ]
    axes.sort(key=lambda at: not words[at].isdisjoint(MOMENTS))  # rows are sensors
    single = [
        at
        for at in words
        if at not in (*keys, *axes) and is_single(at)
        if len(axes) > 1 or (columns[at] != columns[at][0]).any()
    ]
    values = [at for at in words if at not in (*keys, *axes, *single)]
    places = [sample, *(codes[at] for at in axes)]
    count = len(sample)
    if axes and words[axes[-1]] & MOMENTS and 2 * count <= _count_places(places):
        places[-1] = _rank_within(places[:-1], places[-1])  # they go on from sample to sample
    most = _count_places(places)
    is_table = len(axes) == 2 and len(values) == 1 and 2 * count > most
    has_one = len(axes) == 1 and count == most and len(first) > 1
    of_sensors = has_one and words[axes[0]] & SENSORS
    of_moments = has_one and words[axes[0]] & MOMENTS
    of_moments = of_moments and not single and places[-1].max() >= FEWEST
    has_states = any(at in codes and codes[at].max() < MOST_STATES for at in values)
    if not values or not (is_table or of_sensors or (of_moments and not has_states)):
        return None
    lengths = [each.max() + 1 for each in places]
    are_numbers = all(columns[at].dtype.kind == "f" for at in values)
    if not are_numbers or len(np.unique(np.ravel_multi_index(places, lengths))) < count:
        return None
    X = np.full((*lengths, len(values)), np.nan)
    X[tuple(places)] = np.stack([columns[at] for at in values], 1)
    X = X[..., 0] if is_table else X.transpose(0, 2, 1) if of_moments else X
    return LongForm(X, first, [*keys, *single], [*keys, *axes])


def _count_places(places: Sequence[Any]) -> int:
    return prod(int(each.max()) + 1 for each in places)


def _rank_within(groups: Sequence[Any], values: Any) -> Any:
    """Return the place of each value among those with the same places in groups."""
    order = np.lexsort((values, *groups))
    begins = np.any([np.diff(each[order], prepend=-1) != 0 for each in groups], axis=0)
    (starts,) = begins.nonzero()
    ranks = np.empty_like(values)
    ranks[order] = np.arange(len(values)) - starts[np.cumsum(begins) - 1]
    return ranks


def _number(values: Any, axis: int | None = None) -> Any:
    """Return the number of each value among the different ones; texts are in their order."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True, axis=axis)
    codes = codes.ravel()
    return codes if values.dtype.kind == "f" else np.argsort(np.argsort(first))[codes]
