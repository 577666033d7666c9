"""The experiment of the lesson Your data: a trial of methods on labelled samples, and its panels.

Below are the tasks that the page sends to a worker: `split_samples`, `fetch_samples` and
`preprocess_samples`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Array, Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.slices import get_prepared
from pages.shared.files.samples import label_names
from pages.shared.player.panels import (
    NAMES,
    Axis,
    Case,
    Number,
    Panel,
    Picture,
    Readout,
    Sentence,
    by_method,
)
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme, Split
from pages.your_data.trial.trial import PreparedTrial, Trial, TrialState, trial_states
from smmcore.estimators.scaling import Scaling

Rows = NDArray[np.intp]

MIN_CLASS_SAMPLES = 10  # a warning names classes with fewer
MOST_SHARED = 8  # samples that share a moment, of windows that overlap by up to 7/8
LEAST_SHARED = 3  # moments that two windows share
MAX_PREVIEW, MAX_PREVIEW_EACH = 16, 4  # preprocessed samples in a picture, and of each class


@dataclass(frozen=True)
class TrialRun(Experiment):
    """A trial: methods are trained on parts of the samples and tested on the rest."""

    data: LabelledDataset
    trial: Trial

    def frames(self, prepared: Labelled, state: TrialState | None = None) -> Iterator[Frame]:
        """Yield a frame for each search at one C and for each training with its test."""
        X, y, _, groups, test = prepared
        samples = PreparedTrial(self.trial, X, y, groups, test)
        for at in trial_states(samples, state):
            done = len(at.results) == len(samples.order)
            W = at.results[-1].W[0] if at.results else np.zeros(self.W_shape)
            yield Frame(at, self._metrics(at, samples), {"W": W}, at.results, done)

    def _metrics(self, at: TrialState, samples: PreparedTrial) -> dict[str, float]:
        last = at.results[-1] if at.results else None
        split, spec = samples.order[len(at.results) - (not at.searched)]
        methods = [each.method for each in self.trial.specs]
        validated = dict.fromkeys(methods, np.nan)
        validated |= {one.spec.method: one.validated for one in at.results}
        if at.best:
            validated[spec.method] = at.best.validated
        return {
            "split": split + 1,
            **{f"held_{method}": _mean_accuracy(method, at) for method in methods},
            **{f"cv_{method}": accuracy for method, accuracy in validated.items()},
            "searched": at.searched,
            "of": len(samples.searches(spec.method)),
            "best": validated[spec.method],
            # Twice the place of the method, and 1 more if it has just been trained.
            "doing": 2 * methods.index(spec.method) + (not at.searched),
            "rank": last.rank[0] if last else 0,
        }

    @property
    def W_shape(self) -> tuple[int, int]:
        """Rows and columns of W: those of a sample after the preprocessing."""
        _, p, q = self.data.shape
        return self.trial.preprocessing.shape(p, q)

    def summary(self, last: Frame) -> str:
        """Return a sentence that counts the classifiers."""
        count = len(last.certificate)
        searched = ", each after a search for its settings" if self.trial.search else ""
        return f"{count_noun(count, 'classifier')} trained and tested{searched}."


def _mean_accuracy(method: str, at: TrialState) -> float:
    """Return the accuracy of a method on test samples, its mean over the splits so far."""
    found = [one.accuracy for one in at.results if one.spec.method == method]
    tested = [accuracy for accuracy in found if np.isfinite(accuracy)]
    return float(np.mean(tested)) if tested else np.nan


# Least range of the accuracy axis, so that one test sample makes no large step.
SPAN = 0.8, 1.0


def trial_panels(trial: Trial, names: Sequence[str]) -> list[Panel]:
    """Return the panels of a trial of classes with these names: current work, W and accuracies."""
    names = [name.replace("{", "(").replace("}", ")") for name in names]  # braces hold fields
    towards = f"{names[0]} against the rest" if len(names) > 2 else f"positive: {names[1]}"
    methods, cases = [spec.method for spec in trial.specs], []
    for number, method in enumerate(methods):
        looks = (
            f"The {NAMES[method]} looks for its settings: {{searched:int}} of {{of:int}} searches "
            "done, best so far {best:percent} in cross-validation. Stop keeps the classifiers that "
            "have been tested."
        )
        cases.append(Case("doing", 2 * number, looks))
        cases.append(Case("doing", 2 * number + 1, f"W of the {NAMES[method]}, {towards}"))
    accuracies = f"Accuracy on {trial.scheme.part} samples, mean so far"
    panels = [
        Sentence(cases),
        Picture("W", "W of the last training", own=True),
        Readout([Number("split", "split", "int"), Number("rank", "rank of W", "int")]),
        by_method(accuracies, "held_", SPAN, methods, format="percent"),
    ]
    if trial.search:
        title = "Cross-validation, the best settings so far"
        panels.append(by_method(title, "cv_", SPAN, methods, format="percent"))
    return panels


def trial_axis(trial: Trial, splits: int) -> Axis:
    """Return the axis of the trainings; searches have frames, too."""
    count = None if trial.search else splits * len(trial.specs)
    return Axis("training", "trainings", count=count)


@dataclass(frozen=True)
class SplitRequest:
    """Samples, and a scheme that splits them into training and test sets."""

    data: LabelledDataset
    scheme: Scheme


class TrainTestSplits(NamedTuple):
    """The training and test sets of labelled samples."""

    splits: list[Split]  # rows to train on, rows to test on
    y: Rows  # (n,), places in the classes
    warnings: list[str]  # why a test on these parts may mislead


def split_samples(request: SplitRequest) -> TrainTestSplits:
    """Split labelled samples, and find reasons why the test would be too optimistic."""
    X, y, classes, groups, test = get_prepared(request.data)
    names, part = label_names(classes), request.scheme.part
    if request.scheme.kind == "own" and test is not None:
        check_labels_of_parts(y, test, names)
    splits = request.scheme.splits(y, groups, test)
    return TrainTestSplits(splits, y, split_warnings(X, y, names, splits, groups, part))


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


def tested_rows(splits: Sequence[Split], n: int, is_locked: bool) -> Rows:
    """Return the rows of n samples that are in a test set, or in the locked one."""
    if is_locked:
        return np.setdiff1d(np.arange(n), np.concatenate(splits[0]))
    return np.unique(np.concatenate([test for _, test in splits]))


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
    same = first_copies(X)
    return (
        _small_class_warnings(y, names)
        + _untested_class_warnings(y, names, splits, part)
        + copy_warnings(same, splits, part)
        + overlap_warnings(X, splits, part)
        + group_warnings(splits, groups)
    )


def first_copies(X: Array) -> Rows:
    """Return for each sample the row of the first sample that is identical to it, (n,)."""
    first: dict[bytes, int] = {}
    return np.array(
        [
            first.setdefault(hashlib.blake2b((sample + 0.0).tobytes()).digest(), i)  # -0.0 is 0.0
            for i, sample in enumerate(X)
        ]
    )


def _small_class_warnings(y: Rows, names: Sequence[str]) -> list[str]:
    counts = np.bincount(y, minlength=len(names))
    small = np.flatnonzero(counts < MIN_CLASS_SAMPLES).tolist()
    if not small:
        return []
    classes = count_noun(len(small), "class", "classes")
    listed = join_names([f"{names[k]} ({counts[k]})" for k in small], 5)
    return [
        f"Fewer than {MIN_CLASS_SAMPLES} samples in {classes}: {listed}. "
        f"What is said about {'it' if len(small) == 1 else 'them'} rests on very few tests."
    ]


def _untested_class_warnings(
    y: Rows, names: Sequence[str], splits: Sequence[Split], part: str
) -> list[str]:
    lacking = [np.setdiff1d(np.arange(len(names)), y[test]).tolist() for _, test in splits]
    found = [number for number, classes in enumerate(lacking) if classes]
    if not found:
        return []
    first = found[0]
    listed = join_names([names[k] for k in lacking[first]], 3, " and of ")
    never = set.intersection(*map(set, lacking))
    end = "says nothing about that" if len(never) == 1 else "says nothing about those"
    what = f"the accuracy {end}" if never else "the other splits alone test them"
    also = f" ({len(found)} of {len(splits)} splits lack a class so)" if len(splits) > 1 else ""
    return [f"The {part} set of split {first + 1} has no sample of {listed}{also}: {what}."]


def copy_warnings(
    same: Rows, splits: Sequence[Split], part: str, measure: str = "the accuracy"
) -> list[str]:
    """Warn about test samples that are identical to a training sample; see `first_copies`."""
    both = [np.isin(same[test], same[train]) for train, test in splits]
    most = max(range(len(splits)), key=lambda s: both[s].mean())
    count = int(both[most].sum())
    if not count:
        return []
    where = "" if len(splits) == 1 else f" in split {most + 1}"
    return [
        f"{count:,} of {count_noun(len(both[most]), f'{part} sample')}{where} "
        f"{'is' if count == 1 else 'are'} identical to a training sample: {measure} counts "
        "what was learned by heart."
    ]


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


def overlap_warnings(X: Array, splits: Sequence[Split], part: str) -> list[str]:
    """Warn about test samples that share moments with a training sample."""
    pairs = np.array(find_overlaps(X), dtype=np.intp).reshape(-1, 2)
    if not len(pairs):
        return []
    counts = []
    for train, test in splits:
        both = np.r_[pairs, pairs[:, ::-1]]
        across = np.isin(both[:, 0], train) & np.isin(both[:, 1], test)
        counts.append(len(np.unique(both[across, 1])))
    count = max(counts)
    if not count:
        return []
    return [
        f"{count_noun(count, f'{part} sample')} {'overlaps' if count == 1 else 'overlap'} with a "
        "training sample, as windows of one recording do, so the accuracy says nothing about new "
        "recordings. Give the recording of each sample as its group, and split by group."
    ]


def group_warnings(
    splits: Sequence[Split], groups: Rows | None, measure: str = "the accuracy"
) -> list[str]:
    """Warn about groups on both sides of a split."""
    if groups is None:
        return []
    shared = max(len(np.intersect1d(groups[train], groups[test])) for train, test in splits)
    if not shared:
        return []
    return [
        f"{shared} of {count_noun(len(np.unique(groups)), 'group')} "
        f"{'has' if shared == 1 else 'have'} samples on both sides of a split, so {measure} "
        "says nothing about new groups, and may be far too good for them: split by group."
    ]


def join_names(names: Sequence[str], max_count: int, separator: str = ", ") -> str:
    """Join the first names, and count the others."""
    rest = f" and {len(names) - max_count} more" if len(names) > max_count else ""
    return separator.join(names[:max_count]) + rest


def join_words(words: Sequence[str]) -> str:
    """Join words as in a sentence: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def count_noun(n: int, one: str, several: str = "") -> str:
    """Return a number with its noun in the singular or plural: "1 class", "2 classes"."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"


@dataclass(frozen=True)
class SampleRequest:
    """The rows of some samples that the page draws."""

    data: LabelledDataset
    rows: tuple[int, ...]


class FetchedSamples(NamedTuple):
    """Some samples without any scaling."""

    samples: Array  # (m, p, q)
    signed: bool  # whether any number of the data is negative


def fetch_samples(request: SampleRequest) -> FetchedSamples:
    """Return some samples."""
    X, *_ = get_prepared(request.data)
    return FetchedSamples(X[list(request.rows)], bool((X < 0).any()))


@dataclass(frozen=True)
class PreviewRequest:
    """Samples, and the steps that some of them go through for a picture."""

    data: LabelledDataset
    steps: Preprocessing


class PreprocessedSamples(NamedTuple):
    """Some samples of each class after the steps."""

    samples: Array  # (m, p', q')
    classes: Rows  # (m,), places in the classes
    rows: Rows  # (m,)


def preprocess_samples(request: PreviewRequest) -> PreprocessedSamples:
    """Return the first samples of each class, or of some of many classes, after the steps.

    Unlike in a trial, missing numbers are filled in with means over all samples.
    """
    X, y, classes, *_ = get_prepared(request.data)
    each = max(1, min(MAX_PREVIEW_EACH, MAX_PREVIEW // len(classes)))
    some = np.linspace(0, len(classes) - 1, min(MAX_PREVIEW, len(classes))).astype(int)
    rows = np.concatenate([np.flatnonzero(y == k)[:each] for k in some])
    left, right = request.steps.matrices(*X.shape[1:])
    gaps = not np.isfinite(X).all()
    scaling = Scaling.fit("none", X, gaps, left, right, request.steps.each)
    return PreprocessedSamples(scaling(X[rows]), y[rows], rows)
