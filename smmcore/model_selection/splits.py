"""Training and test parts: at random, with the classes' shares, by group, or the file's own."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]  # rows to train on, rows to test on
Kind = Literal["hold-out", "k-fold", "own"]
By = Literal["class", "chance", "group"]

KINDS: tuple[str, ...] = get_args(Kind)
BY: tuple[str, ...] = get_args(By)
INNER = 5  # folds in which weights are chosen


@dataclass(frozen=True)
class Scheme:
    """How samples are divided into training and test parts.

    Parameters
    ----------
    kind : {"hold-out", "k-fold", "own"}
        A share is kept for the test, `number` times anew; or each of `number` folds is tested once;
        or the test part is the data's own.
    by : {"class", "chance", "group"}
        Each part has its share of every class; or is drawn by chance alone; or no group is in
        both, and each has its share of every class as nearly as whole groups allow.
    number : int
        Repetitions or folds.
    share : float
        Of the samples (or groups) that a hold-out keeps for the test.
    seed : int
    """

    kind: str = "hold-out"
    by: str = "class"
    number: int = 1
    share: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"the kind of split must be one of {KINDS}, got {self.kind!r}")
        if self.by not in BY:
            raise ValueError(f"a split must go by one of {BY}, got {self.by!r}")
        if not 0 < self.share < 1:
            raise ValueError(f"the share to test must be between 0 and 1, got {self.share:g}")
        least = 2 if self.kind == "k-fold" else 1
        if self.number < least:
            raise ValueError(f"a {self.kind} takes at least {least} parts, got {self.number}")

    def splits(
        self, y: Rows, groups: Rows | None = None, test: NDArray[np.bool_] | None = None
    ) -> list[Split]:
        """Divide samples.

        Parameters
        ----------
        y : ndarray of shape (n,)
            Classes, 0 to K - 1.
        groups : ndarray of shape (n,), optional
            What a split by group keeps together.
        test : ndarray of bool, shape (n,), optional
            The data's own test part.

        Raises
        ------
        ValueError
            If the samples cannot be divided so, or a training part lacks a class.
        """
        if self.kind == "own":
            if test is None:
                raise ValueError("the data have no test part of their own")
            made = [(np.flatnonzero(~test), np.flatnonzero(test))]
        elif self.by != "group":
            made = _divided(self._splitter(), y, None)
        elif groups is None:
            raise ValueError("a split by group needs groups, and the data have none")
        elif self.kind == "hold-out":
            seeds = [[self.seed, i] for i in range(self.number)]
            made = [_whole_groups(y, groups, self.share, seed) for seed in seeds]
        else:
            made = _divided(self._splitter(), y, groups)
        for number, (train, kept) in enumerate(made, 1):
            if lacking := np.setdiff1d(y, y[train]).size:
                raise ValueError(
                    f"the training part of split {number} has no sample of {lacking} of the "
                    f"{len(np.unique(y))} classes: {self._way_out()}"
                )
            if not len(kept):
                raise ValueError(f"the test part of split {number} is empty: {self._way_out()}")
        return made

    def _way_out(self) -> str:
        if self.kind == "own":
            return "leave these classes out, or take a random split instead of the data's own"
        if self.by == "group":
            return (
                "to be split by group a class must come in two groups at least. Leave out those "
                "that come in one, take another seed, or divide by class"
            )
        return "take another seed, more folds, a smaller test share, or fewer classes"

    def folds(self, y: Rows, groups: Rows | None = None) -> list[Split]:
        """Divide a training part into folds in which weights are chosen, by the same rule.

        The data's own test part is taken for that of new groups: folds keep those that are known.
        """
        by, most = self.by, len(y)
        if groups is not None and (by == "group" or self.kind == "own"):
            by, most = "group", len(np.unique(groups))
        elif by != "chance":
            by, most = "class", int(np.bincount(y).max())
        number = min(INNER, most)
        made: list[Split] = []
        if number > 1:
            inner = Scheme("k-fold", by, number, seed=self.seed)
            made = _divided(inner._splitter(), y, groups)
        whole = [(train, kept) for train, kept in made if not np.setdiff1d(y, y[train]).size]
        if not whole:
            raise ValueError(
                "weights cannot be chosen by cross-validation: without a fold the training part "
                "lacks a class. Give the weights, or take more samples or groups"
            )
        return whole

    def _splitter(self) -> Any:
        from sklearn.model_selection import (
            KFold,
            ShuffleSplit,
            StratifiedGroupKFold,
            StratifiedKFold,
            StratifiedShuffleSplit,
        )

        seed = self.seed
        if self.kind == "k-fold":
            kinds = {"class": StratifiedKFold, "chance": KFold, "group": StratifiedGroupKFold}
            return kinds[self.by](self.number, shuffle=True, random_state=seed)
        shuffles = {"class": StratifiedShuffleSplit, "chance": ShuffleSplit}
        return shuffles[self.by](self.number, test_size=self.share, random_state=seed)


def _whole_groups(y: Rows, groups: Rows, share: float, seed: list[int]) -> Split:
    """Keep groups for the test, drawn so that it has about a share of each class.

    scikit-learn's splits by group have the share of groups, whatever their classes are, or folds.
    A class that comes in one group only stays in the training part.
    """
    _, place = np.unique(groups, return_inverse=True)
    counts = np.zeros((place.max() + 1, y.max() + 1))
    np.add.at(counts, (place, y), 1)
    counts = counts[:, counts.any(axis=0)]
    total, held = counts.sum(axis=0), np.zeros(counts.shape[1])
    order = np.random.default_rng(seed).permutation(len(counts)).tolist()
    kept: list[int] = []

    def spare(group: int) -> bool:
        return group not in kept and bool((held + counts[group] < total).all())

    for k in np.argsort(np.count_nonzero(counts, axis=0), kind="stable"):  # the hardest first
        if not held[k]:
            for group in [g for g in order if counts[g, k] and spare(g)][:1]:
                kept.append(group)
                held += counts[group]
    for group in order:
        now, then = (np.square(some / total - share).sum() for some in (held, held + counts[group]))
        if then < now and spare(group):
            kept.append(group)
            held += counts[group]
    test = np.isin(place, kept)
    return np.flatnonzero(~test), np.flatnonzero(test)


def _divided(splitter: Any, y: Rows, groups: Rows | None) -> list[Split]:
    try:
        with warnings.catch_warnings(action="ignore"):  # of small classes: the page says it
            return [(train, test) for train, test in splitter.split(y[:, None], y, groups)]
    except ValueError as error:
        text = str(error).rstrip(".")
        raise ValueError(f"the samples cannot be divided so; scikit-learn says: {text}") from None
