"""The experiment of the lesson Your data: a trial of methods on labelled samples, and its panels.

Below are the tasks that the page sends to a worker: `split_samples`, `fetch_samples` and
`preprocess_samples`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Array, Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.slices import get_prepared
from pages.shared.files.labels import label_names
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
from pages.your_data.trial.split_warnings import check_labels_of_parts, split_warnings
from pages.your_data.trial.splits import Scheme, Split
from pages.your_data.trial.trial import PreparedTrial, Trial, TrialState, trial_states
from pages.your_data.words import count_noun
from smmcore.estimators.scaling import Scaling

Rows = NDArray[np.intp]

MAX_PREVIEW, MAX_PREVIEW_EACH = 16, 4  # preprocessed samples in a picture, and of each class


@dataclass(frozen=True)
class TrialRun(Experiment):
    """A trial: methods are trained on parts of the samples and tested on the rest."""

    data: LabelledDataset
    trial: Trial

    def frames(self, prepared: Labelled, state: TrialState | None = None) -> Iterator[Frame]:
        """Yield a frame for each fold of a search and for each training with its test."""
        samples = _prepare_trial(self)
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
            "of": len(samples.search_steps(split, spec.method)),
            "best": validated[spec.method],
            # 3 times the place of the method; 1 more if weights are through all folds, 2 if trained
            "doing": 3 * methods.index(spec.method)
            + (2 if not at.searched else 1 if at.best else 0),
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


@lru_cache(maxsize=2)
def _prepare_trial(run: TrialRun) -> PreparedTrial:
    """Return the samples of a trial, kept from slice to slice with what was scaled already."""
    X, y, _, groups, test = get_prepared(run.data)
    return PreparedTrial(run.trial, X, y, groups, test)


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
        looks = f"The {NAMES[method]} looks for its settings: step {{searched:int}} of {{of:int}}"
        stop = "Stop keeps the classifiers that have been tested."
        cases += [
            Case("doing", 3 * number, f"{looks}. {stop}"),
            Case("doing", 3 * number + 1, f"{looks}, best so far {{best:percent}}. {stop}"),
            Case("doing", 3 * number + 2, f"W of the {NAMES[method]}, {towards}"),
        ]
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
    """Return the axis of the trainings or, if there are searches, of their steps as well."""
    if trial.search:
        return Axis("step", "steps")
    return Axis("training", "trainings", count=splits * len(trial.specs))


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
