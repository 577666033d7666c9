"""The experiment of *Your data*: a trial of methods on labelled samples, and its panels.

Below are the tasks that the page sends to a worker: `split_samples` and `fetch_samples`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.player.panels import Number, Panel, Picture, Readout, by_method
from pages.shared.words import count_noun
from pages.your_data.files.labels import label_names
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme, Split, check_labels_of_parts, split_warnings
from pages.your_data.trial.trial import METHODS, PreparedTrial, Trial, TrialState, trial_states
from smmcore.arrays import Array
from smmcore.estimators.scaling import Scaling

Rows = NDArray[np.intp]


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
    accuracies = f"Accuracy on {trial.scheme.part} samples, mean so far"
    return [
        Picture("W", f"W of the last training, {towards}", own=True),
        Readout(progress),
        # At least a fifth of the axis, so that one test sample makes no large step.
        by_method(tested, accuracies, "held_", (0.8, 1.0), format="percent"),
    ]


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
