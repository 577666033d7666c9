"""Sentences that say why a number may mislead.

They hold labels as they are: escape before showing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from pages.matrix.your_data.results.scores import Array, Rows, Score, Spread, tested_once
from smmcore.model_selection import Split

FEW_SAMPLES = 10  # in a class
FEW_TESTS = 30  # an accuracy of fewer says little


def of_split(
    X: Array,
    y: Rows,
    names: Sequence[str],
    splits: Sequence[Split],
    groups: Rows | None = None,
) -> list[str]:
    """Caution against a split of classes with these names, before anything is trained."""
    return (
        _small(y, names)
        + _untested(y, names, splits)
        + _copied(X, y, splits)
        + _shared(splits, groups)
    )


def of_test(
    scores: Mapping[str, Sequence[Score]],  # by method, one for each split
    splits: Sequence[Split],
    rate: Spread,  # of always naming the largest class
    certified: Mapping[str, Sequence[bool]] | None = None,  # by method, one for each machine
) -> list[str]:
    """Caution against the accuracies of a test."""
    sentences = []
    tests = next(iter(scores.values()))
    if tested_once(splits):  # folds are one test together
        tests = [Score(sum(test.right for test in tests), sum(test.of for test in tests))]
    smallest = min(tests, key=lambda test: test.of)
    if smallest.of < FEW_TESTS:
        low, high = smallest.interval
        part = "The test" if len(tests) == 1 else "The smallest test part"
        sentences.append(
            f"{part} has {_count(smallest.of, 'sample')}: an accuracy on new samples anywhere from "
            f"{low:.0%} to {high:.0%} agrees with it (Wilson's 95 % interval)."
        )
    for name, of_method in scores.items():
        share = Spread.of([score.share for score in of_method]).mean
        if share <= rate.mean:
            sentences.append(
                f"{name} gets {share:.1%} right, and always naming the largest class of the "
                f"training part gets {rate.mean:.1%}: it has learned nothing that this accuracy "
                "shows. See the balanced accuracy."
            )
    for name, good in (certified or {}).items():
        if count := len(good) - int(np.count_nonzero(good)):
            sentences.append(
                f"{name}: {count} of {_count(len(good), 'machine')} "
                f"{'is' if count == 1 else 'are'} not certified, as the training ended before the "
                "gap was small enough. More iterations may give other numbers."
            )
    return sentences


def of_search(tried: Mapping[str, Sequence[int]], cells: Mapping[str, int]) -> list[str]:
    """Say which searches ended before their grids: cells tried in each split, cells there are."""
    if all(min(counts) == cells[name] for name, counts in tried.items()):
        return []

    def count(name: str) -> str:
        low, high = min(tried[name]), max(tried[name])
        if not high:
            return f"{name}: none, the weights given at first serve"
        some = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        serve = ", and where none the weights given at first serve" if not low else ""
        return f"{name}: {some} of {cells[name]:,}{serve}"

    return [
        f"The budget ended searches before their grids did. Cells tried: "
        f"{'; '.join(map(count, tried))}. Who has tried less is compared at weights less good."
    ]


def copies(X: Array) -> Rows:
    """Give identical samples the number of the first one, (n,)."""
    first: dict[bytes, int] = {}
    return np.array(
        [
            first.setdefault(hashlib.blake2b((sample + 0.0).tobytes()).digest(), i)  # -0.0 is 0.0
            for i, sample in enumerate(X)
        ]
    )


def _small(y: Rows, names: Sequence[str]) -> list[str]:
    counts = np.bincount(y, minlength=len(names))
    small = np.flatnonzero(counts < FEW_SAMPLES)
    if not small.size:
        return []
    shown = ", ".join(f"{names[k]} ({counts[k]})" for k in small[:5])
    if len(small) > 5:
        shown += f" and {len(small) - 5} more"
    return [
        f"Fewer than {FEW_SAMPLES} samples in {_count(len(small), 'class', 'classes')}: {shown}. "
        f"What is said about {'it' if len(small) == 1 else 'them'} rests on very few tests."
    ]


def _untested(y: Rows, names: Sequence[str], splits: Sequence[Split]) -> list[str]:
    lacking = [np.setdiff1d(np.arange(len(names)), y[test]) for _, test in splits]
    found = [number for number, classes in enumerate(lacking) if classes.size]
    if not found:
        return []
    first = found[0]
    shown = " and of ".join(names[k] for k in lacking[first][:3])
    if len(lacking[first]) > 3:
        shown += f" and {len(lacking[first]) - 3} more"
    never = set.intersection(*(set(classes.tolist()) for classes in lacking))
    end = "says nothing about that" if len(never) == 1 else "says nothing about those"
    what = f"the accuracy {end}" if never else "the other splits alone test them"
    also = f" ({len(found)} of {len(splits)} splits lack a class so)" if len(splits) > 1 else ""
    return [f"The test part of split {first + 1} has no sample of {shown}{also}: {what}."]


def _copied(X: Array, y: Rows, splits: Sequence[Split]) -> list[str]:
    same = copies(X)
    sentences = []
    both = [np.isin(same[test], same[train]) for train, test in splits]
    most = max(range(len(splits)), key=lambda s: both[s].mean())
    if count := int(both[most].sum()):
        where = "" if len(splits) == 1 else f" in split {most + 1}"
        sentences.append(
            f"{count:,} of {_count(len(both[most]), 'test sample')}{where} "
            f"{'is' if count == 1 else 'are'} identical to a training sample: the accuracy counts "
            "what was learned by heart."
        )
    low, high = np.full(len(y), len(y)), np.zeros(len(y), np.intp)
    np.minimum.at(low, same, y)
    np.maximum.at(high, same, y)
    if count := int((low < high)[same].sum()):
        sentences.append(
            f"{count:,} samples are identical to one of another class: no machine can be right "
            "about all of them."
        )
    return sentences


def _shared(splits: Sequence[Split], groups: Rows | None) -> list[str]:
    if groups is None:
        return []
    shared = max(len(np.intersect1d(groups[train], groups[test])) for train, test in splits)
    if not shared:
        return []
    return [
        f"{shared} of {_count(len(np.unique(groups)), 'group')} "
        f"{'has' if shared == 1 else 'have'} samples on both sides of a split, so the accuracy "
        "says nothing about new groups, and may be far too good for them: split by group."
    ]


def _count(n: int, one: str, several: str = "") -> str:
    return f"{n:,} {one if n == 1 else several or one + 's'}"
