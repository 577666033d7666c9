"""The experiment of *Your data*: a trial of methods on labelled samples, and its panels.

Below are the tasks that the page sends to a worker: `split_samples` and `fetch_samples`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.bundled import P300
from pages.shared.data.samples import Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.methods import LINEAR_SVM, SMM
from pages.shared.player.panels import Number, Panel, Picture, Readout, by_method
from pages.shared.system import clock
from pages.shared.words import count_noun
from pages.your_data.files.labels import label_names
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.quality import Difference
from pages.your_data.trial.splits import By, Scheme, Split, check_labels_of_parts, split_warnings
from pages.your_data.trial.trial import (
    CHOSEN,
    LOGISTIC,
    METHODS,
    MethodSpec,
    PreparedTrial,
    Trial,
    TrialState,
    trial_states,
)
from smmcore.arrays import Array
from smmcore.estimators.scaling import Scaling

Rows = NDArray[np.intp]

CURVES = LINEAR_SVM.key, LOGISTIC.key, SMM.key  # the methods of a learning curve
CURVE_SHARE = 0.625  # of the samples, on which it trains at most
# Of a permutation test: as many as tell 1 of 20, more if processor time is left
FEWEST_PERMUTATIONS, MOST_PERMUTATIONS, PERMUTATION_SECONDS = 19, 99, 20.0
FEWEST_OF_CLASS, FEWEST_GROUPS = 5, 3  # with which it begins to train


@dataclass(frozen=True)
class TrialExperiment(Experiment):
    """A trial: methods are trained on parts of the samples and tested on the rest."""

    data: LabelledDataset
    trial: Trial

    def frames(self, prepared: Labelled, state: TrialState | None = None) -> Iterator[Frame]:
        """Yield a frame for each fold of a search and for each training with its test."""
        samples = _prepare_trial(self)
        for at in trial_states(samples, state):
            done = len(at.results) == len(samples.order)
            shape = self.trial.preprocessing.shape(*self.data.shape[1:])
            W = at.results[-1].W[0] if at.results else np.zeros(shape)
            yield Frame(at, self._metrics(at, samples), {"W": W}, at.results, done)

    def _metrics(self, at: TrialState, samples: PreparedTrial) -> dict[str, float]:
        split, spec = samples.order[len(at.results) - (not at.searched)]
        return {
            "split": split + 1,
            **{f"held_{each.method}": _mean_accuracy(each.method, at) for each in self.trial.specs},
            "searched": at.searched,
            "of": len(samples.search_steps(split, spec.method)),
            "rank": at.results[-1].rank[0] if at.results else 0,
        }

    def summary(self, last: Frame) -> str:
        """Return a sentence that counts the classifiers."""
        count = len(last.certificate)
        searched = ", each after a search for its settings" if self.trial.search else ""
        return f"{count_noun(count, 'classifier')} trained and tested{searched}."


@lru_cache(maxsize=2)
def _prepare_trial(experiment: TrialExperiment) -> PreparedTrial:
    """Return the samples of a trial, kept from slice to slice with what was scaled already."""
    X, y, _, groups, test = get_prepared(experiment.data)
    return PreparedTrial(experiment.trial, X, y, groups, test)


def _mean_accuracy(method: str, at: TrialState) -> float:
    """Return the accuracy of a method on test samples, its mean over the splits so far."""
    found = [one.accuracy for one in at.results if one.spec.method == method]
    tested = [accuracy for accuracy in found if np.isfinite(accuracy)]
    return float(np.mean(tested)) if tested else np.nan


def trial_panels(trial: Trial, names: Sequence[str]) -> list[Panel]:
    """Return the panels of a trial of classes with these names: W, progress and accuracies."""
    towards = f"{names[0]} against the rest" if len(names) > 2 else f"positive: {names[1]}"
    progress = [Number("split", "split", "int"), Number("rank", "rank of W", "int")]
    if trial.search:
        progress += [Number("searched", "step of the search", "int"), Number("of", "of", "int")]
    tested = {spec.method: METHODS[spec.method] for spec in trial.specs}
    accuracies = "Accuracy on test samples, mean so far"
    return [
        Picture("W", f"W of the last training, {towards}", own=True),
        Readout(progress),
        # At least a fifth of the axis, so that one test sample makes no large step.
        by_method(tested, accuracies, "held_", (0.8, 1.0), format="percent"),
    ]


@dataclass(frozen=True)
class LearningCurve(Experiment):
    """Accuracies of a trial's methods against the number of training samples, on the same splits.

    Split r of size n trains each method on n samples and tests it on all others; weights are
    chosen or given as in the trial.
    """

    data: LabelledDataset
    trial: Trial
    sizes: tuple[int, ...]  # ascending
    splits: int = 15

    def frames(self, prepared: Labelled, state: CurveState | None = None) -> Iterator[Frame]:
        """Yield a frame for each size of each split, all sizes of a split first."""
        X, y, _, groups, _ = prepared
        order = [(split, n) for split in range(self.splits) for n in self.sizes]
        at = state or CurveState()
        for split, n in order[len(at.done) :]:
            scheme = Scheme("hold-out", self.trial.scheme.by, share=1 - n / len(y), seed=split)
            part = PreparedTrial(replace(self.trial, scheme=scheme), X, y, groups)
            for inner in trial_states(part, at.inner):
                inner = inner._replace(results=tuple(one.shrink() for one in inner.results))
                at = at._replace(inner=inner)
                yield Frame(at)
            assert at.inner is not None  # there is a method
            (train, test), right = part.splits[0], tuple(one.is_right for one in at.inner.results)
            at = CurveState((*at.done, CurvePoint(n, len(train), test, right)))
            is_last = len(at.done) == len(order)
            yield Frame(at, self._metrics(at), {}, None, is_last)

    def _metrics(self, at: CurveState) -> dict[str, float]:
        """Return the means so far at the last size, and their standard errors."""
        n = at.done[-1].n
        here = [point for point in at.done if point.n == n]
        metrics: dict[str, float] = {
            "split": len(here),
            "n": float(np.mean([point.trained for point in here])),
        }
        keys = [spec.method for spec in self.trial.specs]
        tests = [point.test for point in here]
        for place, key in enumerate(keys):
            right = [point.right[place] for point in here]
            pairs = [(one, np.zeros_like(one)) for one in right]
            metrics[f"held_{key}"], metrics[f"error_{key}"] = Difference.of(pairs, tests)
            both = [(point.right[-1], point.right[place]) for point in here]
            metrics[f"lead_{key}"], metrics[f"lead_error_{key}"] = Difference.of(both, tests)
        return metrics

    def summary(self, last: Frame) -> str:
        """Return a sentence that counts the splits."""
        return f"{count_noun(self.splits, 'split')} of {count_noun(len(self.sizes), 'size')}."


class CurvePoint(NamedTuple):
    """One split at one size."""

    n: int  # wanted
    trained: int  # samples, which may differ where groups stay whole
    test: Rows
    right: tuple[NDArray[np.bool_], ...]  # of each method, whether it is right


class CurveState(NamedTuple):
    """What a learning curve has, and how far the trial of the next size is."""

    done: tuple[CurvePoint, ...] = ()
    inner: TrialState | None = None


def learning_curve(data: LabelledDataset, trial: Trial, group_count: int) -> LearningCurve | None:
    """Return the learning curve of a trial's linear methods and the SMM; None of few samples."""
    by, n = trial.scheme.by, data.shape[0]
    by_group = by == "group"
    least = FEWEST_OF_CLASS * len(data.classes)
    if by_group:  # whole groups stay together, and a search divides them once more
        least = max(least, FEWEST_GROUPS * n // group_count)
    ratio = np.sqrt(2) if by_group else 2
    sizes = tuple(round(CURVE_SHARE * n / ratio**power) for power in (3, 2, 1, 0))
    sizes = tuple(size for size in sizes if size >= least)
    specs = tuple(
        MethodSpec(each.method) if trial.search else each
        for each in trial.specs
        if each.method in CURVES
    )
    if len(sizes) < 2 or not specs:
        return None
    scheme = Scheme(by=by)
    return LearningCurve(data, replace(trial, specs=specs, scheme=scheme), sizes)


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
    group_count: int = 0


def split_samples(request: SplitRequest) -> TrainTestSplits:
    """Split labelled samples, and find reasons why the test would be too optimistic."""
    X, y, classes, groups, test = get_prepared(request.data)
    names = label_names(classes)
    if request.scheme.kind == "own" and test is not None:
        check_labels_of_parts(y, test, names)
    splits = request.scheme.splits(y, groups, test)
    warnings = split_warnings(X, y, names, splits, groups)
    count = 0 if groups is None else len(np.unique(groups))
    return TrainTestSplits(splits, y, warnings, count)


@dataclass(frozen=True)
class PermutationRequest:
    """A trial's data and scheme, and the weights of one method in each split."""

    data: LabelledDataset
    trial: Trial
    specs: tuple[MethodSpec, ...]


def shuffled_accuracies(request: PermutationRequest) -> Array:
    """Return accuracies of a method on shuffled labels, each the mean over the splits.

    Labels are shuffled within groups; if each group has one label, whole groups change labels.
    """
    X, y, _, groups, test = get_prepared(request.data)
    prepared = PreparedTrial(replace(request.trial, search=False), X, y, groups, test)
    _ = prepared.splits  # of the labels as they are
    random = np.random.default_rng(0)
    found: list[float] = []
    end = clock() + PERMUTATION_SECONDS
    while len(found) < FEWEST_PERMUTATIONS or (len(found) < MOST_PERMUTATIONS and clock() < end):
        prepared.y = _shuffle(y, groups, random)
        some = [prepared.test(split, spec).accuracy for split, spec in enumerate(request.specs)]
        found.append(float(np.mean(some)))
        prepared.forget_scaled()  # with the labels of the last one
    return np.array(found)


def _shuffle(y: Rows, groups: Rows | None, random: np.random.Generator) -> Rows:
    """Return shuffled labels."""
    if groups is None:
        return random.permutation(y)
    shuffled = y.copy()
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    if all(len(np.unique(y[rows])) == 1 for rows in members):
        labels = random.permutation([y[rows[0]] for rows in members])
        for rows, label in zip(members, labels, strict=True):
            shuffled[rows] = label
        return shuffled
    for rows in members:
        shuffled[rows] = random.permutation(y[rows])
    return shuffled


@dataclass(frozen=True)
class SampleRequest:
    """The rows of some samples that the page draws, and the steps that they go through before."""

    data: LabelledDataset
    rows: tuple[int, ...]
    steps: Preprocessing = field(default_factory=Preprocessing)


class FetchedSamples(NamedTuple):
    """Some samples without any scaling."""

    samples: Array  # (m, p, q)
    signed: bool  # whether any number of the data is negative


def fetch_samples(request: SampleRequest) -> FetchedSamples:
    """Return some samples after the steps.

    If there are steps, missing numbers are filled in; unlike in a trial, with means over all
    samples.
    """
    X, *_ = get_prepared(request.data)
    some, signed = X[list(request.rows)], bool((X < 0).any())
    if request.steps != Preprocessing():
        left, right = request.steps.matrices(*X.shape[1:])
        gaps = not np.isfinite(X).all()
        some = Scaling.fit("none", X, gaps, left, right, request.steps.each)(some)
    return FetchedSamples(some, signed)


STORED_SIZES: dict[By, tuple[int, ...]] = {"group": (57, 80, 113, 160), "class": (20, 40, 80, 160)}
PRECOMPUTED = {  # see tests/precompute.py
    f"Learning curve of P300 by {by}": LearningCurve(
        P300(), Trial(tuple(map(MethodSpec, CURVES)), CHOSEN, Scheme(by=by), search=True), sizes
    )
    for by, sizes in STORED_SIZES.items()
}
