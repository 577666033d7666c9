"""Reasons why a test on some splits would mislead, in sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pages.your_data.trial.splits import Split
from pages.your_data.words import count_noun, join_names

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

MIN_CLASS_SAMPLES = 10  # a warning names classes with fewer
MOST_SHARED = 8  # samples that share a moment, of windows that overlap by up to 7/8
LEAST_SHARED = 3  # moments that two windows share


def split_warnings(
    X: Array,
    y: Rows,
    names: Sequence[str],
    splits: Sequence[Split],
    groups: Rows | None = None,
    part: str = "test",
) -> list[str]:
    """Return sentences that say why a test on these splits may mislead.

    `part` is the name of what the splits hold out. The sentences contain the names of classes
    unchanged: escape them before showing them.
    """
    sentences, several = [], len(splits) > 1
    counts = np.bincount(y, minlength=len(names))
    if small := np.flatnonzero(counts < MIN_CLASS_SAMPLES).tolist():
        listed = join_names([f"{names[k]} ({counts[k]})" for k in small], 5)
        sentences.append(
            f"Fewer than {MIN_CLASS_SAMPLES} samples in "
            f"{count_noun(len(small), 'class', 'classes')}: {listed}. "
            f"What is said about {'it' if len(small) == 1 else 'them'} rests on very few tests."
        )
    lacking = [np.setdiff1d(np.arange(len(names)), y[test]).tolist() for _, test in splits]
    if found := [number for number, classes in enumerate(lacking) if classes]:
        listed = join_names([names[k] for k in lacking[found[0]]], 3)
        also = f" ({len(found)} of {len(splits)} splits lack a class so)" if several else ""
        sentences.append(
            f"The {part} set of split {found[0] + 1} has no sample of {listed}{also}: its accuracy "
            "says nothing about them."
        )
    same = first_copies(X)
    copies = [int(np.isin(same[test], same[train]).sum()) for train, test in splits]
    if count := max(copies):
        most = copies.index(count)
        where = f" in split {most + 1}" if several else ""
        sentences.append(
            f"{count:,} of {count_noun(len(splits[most][1]), f'{part} sample')}{where} "
            f"{'is' if count == 1 else 'are'} identical to a training sample: the accuracy "
            "counts what was learned by heart."
        )
    pairs = np.array(find_overlaps(X), dtype=np.intp).reshape(-1, 2)
    one, other = np.r_[pairs, pairs[:, ::-1]].T
    across = [other[np.isin(one, train) & np.isin(other, test)] for train, test in splits]
    if count := max(len(np.unique(rows)) for rows in across):
        sentences.append(
            f"{count_noun(count, f'{part} sample')} {'overlaps' if count == 1 else 'overlap'} with "
            "a training sample, as windows of one recording do, so the accuracy says nothing about "
            "new recordings. Give the recording of each sample as its group, and split by group."
        )
    if groups is None:
        return sentences
    if count := max(len(np.intersect1d(groups[train], groups[test])) for train, test in splits):
        sentences.append(
            f"{count} of {count_noun(len(np.unique(groups)), 'group')} "
            f"{'has' if count == 1 else 'have'} samples on both sides of a split, so the accuracy "
            "says nothing about new groups, and may be far too good for them: split by group."
        )
    return sentences


def first_copies(X: Array) -> Rows:
    """Return for each sample the row of the first sample that is identical to it, (n,)."""
    first: dict[bytes, int] = {}
    return np.array(
        [
            first.setdefault(hashlib.blake2b((sample + 0.0).tobytes()).digest(), i)  # -0.0 is 0.0
            for i, sample in enumerate(X)
        ]
    )


def find_overlaps(X: Array) -> list[tuple[int, int]]:
    """Return the pairs of samples that share moments, at different places: windows of a recording.

    A moment is a column or a row with three values or more. One that more than `MOST_SHARED`
    samples share does not count: pictures have such columns.
    """
    pairs: set[tuple[int, int]] = set()
    for moments in (X.swapaxes(1, 2), X):  # (n, q, p) and (n, p, q)
        n, q, p = moments.shape
        if min(p, q) < 2:
            continue
        # The sum of the bits times random odd numbers is exact, whatever its order.
        factors = 2 * np.random.default_rng(0).integers(0, 2**62, p, dtype=np.uint64) + 1
        bits = np.ascontiguousarray(moments + 0.0).view(np.uint64)  # -0.0 is 0.0
        codes = (bits * factors).sum(axis=2, dtype=np.uint64).ravel()
        ends = moments.min(axis=2, keepdims=True), moments.max(axis=2, keepdims=True)
        varied = np.flatnonzero(((moments > ends[0]) & (moments < ends[1])).any(axis=2))
        order = varied[np.argsort(codes[varied], kind="stable")]
        ranked = codes[order]
        _, place, counts = np.unique(ranked, return_inverse=True, return_counts=True)
        few = counts[place] <= MOST_SHARED
        keys: list[NDArray[np.int64]] = []
        for lag in range(1, MOST_SHARED):
            same = np.flatnonzero((ranked[lag:] == ranked[:-lag]) & few[lag:])
            one, other = order[same], order[same + lag]
            shift = one % q - other % q
            apart = (one // q != other // q) & (shift != 0)
            keys.append(((one // q * n + other // q) * 2 * q + shift + q)[apart])
        found, times = np.unique(np.concatenate(keys), return_counts=True)
        for key in found[times >= max(LEAST_SHARED, q // 8)].tolist():
            pairs.add(divmod(key // (2 * q), n))
    return sorted(pairs)


def check_labels_of_parts(y: Rows, test: NDArray[np.bool_], names: Sequence[str]) -> None:
    """Refuse a test set with labels that the training set lacks, and name those of both."""
    parts = [np.unique(y[rows]).tolist() for rows in (~test, test)]
    lacking = np.setdiff1d(parts[1], parts[0])
    if not len(lacking):
        return
    training, own = (join_names([names[k] for k in part], 8) for part in parts)
    advice = f"leave out {join_names([names[k] for k in lacking], 3)}, or number both alike"
    if len(parts[0]) == len(parts[1]):
        advice = (
            "if the classes are numbered from 0 in one and from 1 in the other, number both alike"
        )
    raise ValueError(
        f"the labels of the training set are {training}, those of the test set {own}: {advice}"
    )
