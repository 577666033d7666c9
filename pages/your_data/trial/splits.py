"""Training and test sets: stratified, at random, by group, or given with the data."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]  # rows to train on, rows to test on
Kind = Literal["hold-out", "k-fold", "own"]
By = Literal["class", "group"]

MAX_INNER_FOLDS = 5  # in which weights are chosen
MIN_PER_CLASS = 5  # samples for probabilities: scikit-learn also wants one in each of five folds


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
    # Train on all samples first, then without each fold of `folds`: what is said about the samples
    # that these hold out calibrates probabilities. There are no folds if that cannot be had for
    # every sample.
    everything: bool = False
    # Leave a single test set untouched: the splits are then folds of its training set, the same
    # in which weights would be chosen
    locked: bool = False

    def __post_init__(self) -> None:
        if self.locked and self.kind != "own" and (self.kind, self.number) != ("hold-out", 1):
            every = "folds" if self.kind == "k-fold" else "repetitions"
            raise ValueError(
                f"no test set can be locked, because {self.number} {every} also train on samples "
                "that they test: take a hold-out with one repetition, or the data's own test set"
            )

    @property
    def part(self) -> str:
        """What the samples are that a split holds out from training: "test" or "validation"."""
        return "validation" if self.locked or self.everything else "test"

    def splits(
        self, y: Rows, groups: Rows | None = None, test: NDArray[np.bool_] | None = None
    ) -> list[Split]:
        """Divide samples into pairs of training and test rows."""
        if self.everything:
            every = np.arange(len(y))
            return [(every, every[:0]), *self._calibration_folds(y, groups)]
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
                "to be split by group a class must come in two groups at least. Leave out those "
                "that come in one, or split at random"
            )
        for number, (train, held_out) in enumerate(splits, 1):
            if lacking := np.setdiff1d(y, y[train]).size:
                raise ValueError(
                    f"the training set of split {number} has no sample of {lacking} of the "
                    f"{len(np.unique(y))} classes: {remedy}"
                )
            if not len(held_out):
                raise ValueError(f"the test set of split {number} is empty: {remedy}")
        if not self.locked:
            return splits
        train, _ = splits[0]
        try:
            inner = self.folds(y[train], None if groups is None else groups[train])
        except ValueError:
            raise ValueError(
                "the training set is too small to lock the test set: without a fold it is empty "
                "or lacks a class. Unlock the test set, or take more samples or groups"
            ) from None
        return [(train[rows], train[held_out]) for rows, held_out in inner]

    def _calibration_folds(self, y: Rows, groups: Rows | None) -> list[Split]:
        """Return folds that hold out each sample once; none if a class is too small for that."""
        try:
            folds = self.folds(y, groups)
        except ValueError:
            return []
        is_whole = sum(len(held_out) for _, held_out in folds) == len(y)
        return folds if is_whole and np.bincount(y).min() >= MIN_PER_CLASS else []

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
            inner = Scheme("k-fold", by, number)
            splits = _divide(inner._splitter(self.seed), y, groups)
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
    except ValueError as error:
        text = str(error).rstrip(".")
        raise ValueError(
            f"the samples cannot be divided in this way; scikit-learn says: {text}"
        ) from None
