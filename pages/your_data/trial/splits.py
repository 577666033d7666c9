"""Training and test sets: stratified, by group, or given; and why a test on them may mislead."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pages.shared.words import count_noun, join_names
from smmcore.arrays import Array

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]  # rows to train on, rows to test on
Kind = Literal["hold-out", "k-fold", "own"]
By = Literal["class", "group"]

MAX_INNER_FOLDS = 5  # in which weights are chosen
MIN_CLASS_SAMPLES = 10  # a warning names classes with fewer
MOST_SHARED = 8  # samples that share a moment, of windows that overlap by up to 7/8
LEAST_SHARED = 3  # moments that two windows share
ALIKE = 0.5  # correlation of neighbours from which they seem to be of one recording


@dataclass(frozen=True)
class Scheme:
    """A scheme to divide samples into training and test sets."""

    # Hold out a share for the test, drawn `number` times; test each of `number` folds once; or
    # take the test set that was given with the data
    kind: Kind = "hold-out"
    # Stratified by class; at random; or with no group in both parts, and stratified as far as
    # whole groups allow
    by: By = "class"
    number: int = 1  # number of repetitions or folds
    # Share of the samples (by group, of each class) that a hold-out keeps for the test
    share: float = 0.3
    seed: int = 0
    repetitions: int = 1  # of the folds, each with other random numbers
    everything: bool = False  # whether to train on all samples, and to test none

    def splits(
        self, y: Rows, groups: Rows | None = None, test: NDArray[np.bool_] | None = None
    ) -> list[Split]:
        """Divide samples into pairs of training and test rows."""
        if self.everything:
            every = np.arange(len(y))
            return [(every, every[:0])]
        most = int(np.bincount(y).max())  # samples of the largest class
        if self.kind == "k-fold" and self.number > most:
            raise ValueError(
                f"{self.number} folds take a class of at least {self.number} samples, and the "
                f"largest has {most}: take fewer folds"
            )
        if self.kind == "own":
            assert test is not None
            splits = [(np.flatnonzero(~test), np.flatnonzero(test))]
        elif self.by == "group" and self.kind == "hold-out":
            assert groups is not None
            pairs = [[self.seed, i] for i in range(self.number)]
            splits = [_hold_out_groups(y, groups, self.share, pair) for pair in pairs]
        else:
            each = groups if self.by == "group" else None
            seeds = range(self.seed, self.seed + self.repetitions)
            splits = [split for seed in seeds for split in _divide(self._splitter(seed), y, each)]
        remedy = "take more folds, or leave out the smallest classes"
        if self.by == "group":
            remedy = (
                "to be split by group a class must come in two groups at least: leave out those "
                "that come in one, or record them in a second one"
            )
        for number, (train, held_out) in enumerate(splits, 1):
            if lacking := np.setdiff1d(y, y[train]).size:
                raise ValueError(
                    f"the training set of split {number} has no sample of {lacking} of the "
                    f"{len(np.unique(y))} classes: {remedy}"
                )
            if not len(held_out):
                raise ValueError(f"the test set of split {number} is empty: {remedy}")
        return splits

    def folds(self, y: Rows, groups: Rows | None = None) -> list[Split]:
        """Divide a training set into folds in which weights are chosen, by the same rule.

        If the test set was given with the data and groups are known, folds are by group, as the
        test set presumably holds new groups. Folds whose training set lacks a class are left out.
        """
        by: By = "class"
        if groups is not None and (self.by == "group" or self.kind == "own"):
            by, most = "group", len(np.unique(groups))
        else:
            most = int(np.bincount(y).max())
        number = min(MAX_INNER_FOLDS, most)
        splits: list[Split] = []
        if number > 1:
            splits = _divide(Scheme("k-fold", by, number)._splitter(self.seed), y, groups)
        whole = [split for split in splits if not np.setdiff1d(y, y[split[0]]).size]
        if not whole:
            raise ValueError(
                "weights cannot be chosen by cross-validation: without a fold the training set "
                "is empty or lacks a class. Give the weights, or take more samples or groups"
            )
        return whole

    def _splitter(self, seed: int) -> Any:
        from sklearn.model_selection import (
            StratifiedGroupKFold,
            StratifiedKFold,
            StratifiedShuffleSplit,
        )

        if self.kind == "k-fold":
            kinds = {"class": StratifiedKFold, "group": StratifiedGroupKFold}
            return kinds[self.by](self.number, shuffle=True, random_state=seed)
        return StratifiedShuffleSplit(self.number, test_size=self.share, random_state=seed)


def _hold_out_groups(y: Rows, groups: Rows, share: float, seed: list[int]) -> Split:
    """Hold out whole groups at random, so that the test set has about a share of each class.

    scikit-learn's hold-out by group takes a share of the groups, regardless of their classes. A
    class with a single group stays in the training set.
    """
    _, place = np.unique(groups, return_inverse=True)
    counts = np.zeros((place.max() + 1, y.max() + 1))
    np.add.at(counts, (place, y), 1)
    counts = counts[:, counts.any(axis=0)]
    total, held_out = counts.sum(axis=0), np.zeros(counts.shape[1])
    order = np.random.default_rng(seed).permutation(len(counts)).tolist()
    chosen: list[int] = []

    def can_move(group: int) -> bool:
        return group not in chosen and bool((held_out + counts[group] < total).all())

    few_groups_first = np.argsort(np.count_nonzero(counts, axis=0), kind="stable")
    for k in few_groups_first:
        if not held_out[k]:
            for group in [g for g in order if counts[g, k] and can_move(g)][:1]:
                chosen.append(group)
                held_out += counts[group]
    for group in order:
        options = held_out, held_out + counts[group]
        now, then = (np.square(some / total - share).sum() for some in options)
        if then < now and can_move(group):
            chosen.append(group)
            held_out += counts[group]
    test = np.isin(place, chosen)
    return np.flatnonzero(~test), np.flatnonzero(test)


def _divide(splitter: Any, y: Rows, groups: Rows | None) -> list[Split]:
    try:
        with warnings.catch_warnings(action="ignore"):  # of small classes: the app says so
            return [(train, test) for train, test in splitter.split(y[:, None], y, groups)]
    except ValueError:
        what = f"{len(y):,} samples of {count_noun(len(np.unique(y)), 'class', 'classes')}"
        if groups is not None:
            what = count_noun(len(np.unique(groups)), "group")
        raise ValueError(
            f"the {what} are too few to be divided in this way: take fewer folds or a larger test "
            "set, or leave out the smallest classes"
        ) from None


def split_warnings(
    X: Array,
    y: Rows,
    names: Sequence[str],
    splits: Sequence[Split],
    groups: Rows | None = None,
) -> list[str]:
    """Return sentences that say why a test on these splits may mislead.

    The sentences contain the names of classes unchanged: escape them before showing them.
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
            f"The test set of split {found[0] + 1} has no sample of {listed}{also}: its accuracy "
            "says nothing about them."
        )
    same = first_copies(X)
    copies = [int(np.isin(same[test], same[train]).sum()) for train, test in splits]
    if count := max(copies):
        most = copies.index(count)
        where = f" in split {most + 1}" if several else ""
        sentences.append(
            f"{count:,} of {count_noun(len(splits[most][1]), 'test sample')}{where} "
            f"{'is' if count == 1 else 'are'} identical to a training sample: the accuracy "
            "counts what was learned by heart."
        )
    pairs = np.array(find_overlaps(X), dtype=np.intp).reshape(-1, 2)
    one, other = np.r_[pairs, pairs[:, ::-1]].T
    across = [other[np.isin(one, train) & np.isin(other, test)] for train, test in splits]
    if count := max(len(np.unique(rows)) for rows in across):
        sentences.append(
            f"{count_noun(count, 'test sample')} {'overlaps' if count == 1 else 'overlap'} with "
            "a training sample, as windows of one recording do, so the accuracy says nothing about "
            "new recordings. Give the recording of each sample as its group, and split by group."
        )
    elif sentence := _explain_neighbours(X, y, splits):
        sentences.append(sentence)
    if groups is None:
        return sentences
    if count := max(len(np.intersect1d(groups[train], groups[test])) for train, test in splits):
        sentences.append(
            f"{count} of {count_noun(len(np.unique(groups)), 'group')} "
            f"{'has' if count == 1 else 'have'} samples on both sides of a split, so the accuracy "
            "says nothing about new groups, and may be far too good for them: split by group."
        )
    return sentences


def _explain_neighbours(X: Array, y: Rows, splits: Sequence[Split]) -> str:
    """Warn if samples of a class that follow one another are alike and most are split up."""
    alike = neighbour_correlation(X, y)
    if alike < ALIKE:
        return ""
    order = np.argsort(y, kind="stable")
    first, second = order[:-1], order[1:]
    same = y[first] == y[second]
    shares = []
    for train, test in splits:
        side = np.zeros(len(y), int)
        side[train], side[test] = 1, 2
        pairs = np.c_[side[first], side[second]][same]
        tested = (pairs == 2).any(axis=1)
        shares.append(float((pairs[tested] == 1).any(axis=1).mean()) if tested.any() else 0.0)
    if max(shares) < ALIKE:  # as whole recordings are on one side
        return ""
    return (
        f"Samples that follow one another are alike (correlation {alike:.2f}), as moments of one "
        f"recording or pictures of one person are, and most test samples have a neighbour in "
        "training. So the accuracy says nothing about new recordings or persons: give the "
        "recording of each sample as its group, and split by group."
    )


def neighbour_correlation(X: Array, y: Rows) -> float:
    """Return how alike consecutive samples of a class are: 0 in a random order, 1 if equal."""
    steps = spread = 0.0
    for k in np.unique(y):
        Z = np.nan_to_num(X[y == k], posinf=0.0, neginf=0.0)
        if len(Z) > 2:
            steps += float(np.square(np.diff(Z, axis=0)).sum()) / (len(Z) - 1)
            spread += float(np.square(Z - Z.mean(axis=0)).sum()) / (len(Z) - 1)
    return 1 - steps / (2 * spread) if spread else 0.0


def fingerprints(X: NDArray[Any]) -> Array:
    """Return a number for each sample (n, p, q), 48 bits of a hash, which a double holds exactly.

    Samples with equal numbers have equal fingerprints, whatever their type is.
    """
    doubles = np.ascontiguousarray(X, dtype=float) + 0.0  # -0.0 is 0.0
    digests = b"".join(
        blake2b(sample.tobytes(), digest_size=6).digest() + b"\0\0" for sample in doubles
    )
    return np.frombuffer(digests, "<u8").astype(float)


def first_copies(X: Array) -> Rows:
    """Return for each sample the row of the first sample that is identical to it, (n,)."""
    _, first, place = np.unique(fingerprints(X), return_index=True, return_inverse=True)
    return np.asarray(first[place])


def find_overlaps(X: Array) -> list[tuple[int, int]]:
    """Return the pairs of samples that share moments, at different places: windows of a recording.

    A moment is a column or a row with three values or more. One that more than `MOST_SHARED`
    samples share does not count: pictures have such columns. Windows that were standardised one by
    one share the ratios of successive differences.
    """
    pairs: set[tuple[int, int]] = set()
    is_standardised = _are_standardised(X)
    for moments in (X.swapaxes(1, 2), X):  # (n, q, p) and (n, p, q)
        pairs |= _shared_moments(moments)
        if is_standardised and moments.shape[1] > LEAST_SHARED + 2:
            pairs |= _shared_moments(_difference_ratios(moments))
    return sorted(pairs)


def _are_standardised(X: Array) -> bool:
    """Return whether the mean is 0 and the deviation the same in each sample, row or column."""
    for axes in ((1, 2), (2,), (1,)):
        mean, deviation = X.mean(axis=axes), X.std(axis=axes)
        varies = deviation > 0
        usual = np.median(deviation)
        is_same = np.abs(deviation[varies] - usual) < 1e-3 * usual
        if usual > 0 and (np.abs(mean) < 1e-4 * usual).all() and is_same.all():
            return True
    return False


def _difference_ratios(moments: Array) -> Array:
    """Return ratios of successive differences (n, q - 2, p), rounded: no scale or offset counts."""
    step = np.diff(moments, axis=1)
    size = np.abs(step[:, :-1]) + np.abs(step[:, 1:])
    ratio = np.divide(step[:, :-1], size, out=np.zeros_like(size), where=size > 0)
    return np.asarray(np.round(ratio, 4) + 2 * np.sign(step[:, 1:]))


def _shared_moments(moments: Array) -> set[tuple[int, int]]:
    """Return the pairs of samples (n, q, p) of which several moments are equal, all moved alike."""
    n, q, p = moments.shape
    if min(p, q) < 2:
        return set()
    # The sum of the bits times random odd numbers is exact, whatever its order.
    factors = 2 * np.random.default_rng(0).integers(0, 2**62, p, dtype=np.uint64) + 1
    bits = np.ascontiguousarray(moments + 0.0).view(np.uint64)  # -0.0 is 0.0
    codes = (bits * factors).sum(axis=2, dtype=np.uint64).ravel()
    ends = moments.min(axis=2, keepdims=True), moments.max(axis=2, keepdims=True)
    varied = ((moments > ends[0]) & (moments < ends[1])).any(axis=2)
    varied[:, 1:] &= (moments[:, 1:] != moments[:, :-1]).any(axis=2)  # not of enlarged pixels
    varied = np.flatnonzero(varied)
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
    return {divmod(key // (2 * q), n) for key in found[times >= max(LEAST_SHARED, q // 8)].tolist()}


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
