"""The experiment of a trial of regression, its panels, and the tasks that the page sends."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from pages.shared.data.samples import Array, Labelled
from pages.shared.data.uploads import Upload
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.slices import get_prepared
from pages.shared.player.panels import (
    Axis,
    Case,
    Lines,
    Number,
    Panel,
    Picture,
    Readout,
    Sentence,
    series,
)
from pages.your_data.runs import (
    Rows,
    SampleRequest,
    SplitRequest,
    copy_warnings,
    count_noun,
    first_copies,
    group_warnings,
    prepared_once,
)
from pages.your_data.trial.regression_trial import (
    REGRESSIONS,
    SHARES,
    PreparedRegression,
    RegressionState,
    RegressionTrial,
    regression_states,
)
from pages.your_data.trial.splits import Split

METHODS = list(REGRESSIONS)  # in the order of their training


@dataclass(frozen=True)
class RegressionRun(Experiment):
    """A trial of regression; the values of the target are the labels of the data."""

    data: Upload
    trial: RegressionTrial

    def frames(self, prepared: Labelled, state: RegressionState | None = None) -> Iterator[Frame]:
        """Yield a frame for each fold of a search and each test; between, resume points."""
        samples = prepared_regression(self, prepared)
        before = _progress(state or RegressionState())
        for at in regression_states(samples, state):
            done, now = len(at.results) == len(samples.order), _progress(at)
            if now == before:
                yield Frame(at, certificate=at.results)
            else:
                images = {"W": _last_W(at, samples.shape)}
                yield Frame(at, _metrics(at, samples), images, at.results, done)
            before = now

    def summary(self, last: Frame) -> str:
        """Return a sentence that counts the trained models."""
        count = len(last.certificate)
        is_searched = any(one.tried for one in last.certificate)
        searched = ", their weights chosen by cross-validation" if is_searched else ""
        return f"{count_noun(count, 'model')} trained and tested{searched}."


class HasRegressionTrial(Hashable, Protocol):
    """An experiment about a trial of regression."""

    @property
    def trial(self) -> RegressionTrial:
        """The trial."""


def prepared_regression(run: HasRegressionTrial, prepared: Labelled) -> PreparedRegression:
    """Return the samples and problems of an experiment; keep them for its next slices."""
    X, y, classes, groups, test = prepared
    return prepared_once(run, lambda: PreparedRegression(run.trial, X, classes[y], groups, test))


def _progress(at: RegressionState) -> tuple[int, int]:
    """Count the parts of a state that are worth a frame: tests, and folds of a search."""
    method = METHODS[len(at.results) % len(METHODS)]
    return len(at.results), sum(len(fold) == len(SHARES[method]) for fold in at.errors)


def _metrics(at: RegressionState, samples: PreparedRegression) -> dict[str, float]:
    is_test = not at.errors and bool(at.results)
    split, method = samples.order[len(at.results) - is_test]
    folds = len(samples.inner(split)) if at.errors else 0
    return {
        "step": at.steps,
        "split": split + 1,
        **{f"r2_{name}": _mean_r2(at, name) for name in METHODS},
        "fold": _progress(at)[1],
        "folds": folds,
        "rank": at.results[-1].rank if at.results else 0,
        # 2 * method, and 1 more in a search
        "doing": 2 * METHODS.index(method) + (not is_test),
    }


def _last_W(at: RegressionState, shape: tuple[int, int]) -> Array:
    if at.solver:
        return at.solver.theta.reshape(shape)
    return at.results[-1].fit.W if at.results else np.zeros(shape)


def _mean_r2(at: RegressionState, method: str) -> float:
    """Return R² of a method on test samples, its mean over the splits so far."""
    found = [one.r2 for one in at.results if one.method == method]
    return float(np.mean(found)) if found else np.nan


def regression_panels(trial: RegressionTrial) -> list[Panel]:
    """Return the panels of a trial: current work, W and R²."""
    cases = []
    for number, name in enumerate(REGRESSIONS.values()):
        search = f"{name}: fold {{fold:int}} of {{folds:int}} of the cross-validation is done"
        texts = f"W of the last model: {name}", search
        cases += [Case("doing", 2 * number + i, text) for i, text in enumerate(texts)]
    return [
        Sentence(cases),
        Picture("W", "W of the last training", own=True),
        Readout([Number("split", "split", "int"), Number("rank", "rank of the last W", "int")]),
        Lines(
            series({f"r2_{method}": REGRESSIONS[method] for method in METHODS[::-1]}),
            f"R² on {trial.scheme.part} samples, mean so far",
            "linear",
            format="score",
            span=(0.0, 1.0),
        ),
    ]


def regression_axis(trial: RegressionTrial, splits: int) -> Axis:
    """Return the axis of the trainings; those of a search are not counted beforehand."""
    searches = trial.lam is None or trial.ridge is None
    return Axis("step", "steps", count=None if searches else splits * len(METHODS))


class TargetSplits(NamedTuple):
    """The training and test parts of samples with a target."""

    splits: list[Split]  # rows to train on, rows to test on
    y: Array  # (n,), the target
    groups: Rows | None  # (n,)
    warnings: list[str]  # why a test on these parts may mislead


def split_target(request: SplitRequest) -> TargetSplits:
    """Split samples with a target, and find reasons why the test would be too optimistic."""
    X, y, values, groups, test = get_prepared(request.data)
    splits = request.scheme.splits(np.zeros(len(y), np.intp), groups, test)
    warnings = copy_warnings(first_copies(X), splits, request.scheme.part, "R²")
    return TargetSplits(
        splits, values[y].astype(float), groups, warnings + group_warnings(splits, groups, "R²")
    )


def fetch_rows(request: SampleRequest) -> tuple[Array, bool]:
    """Return some samples without any scaling, and whether any number of the data is negative."""
    X, *_ = get_prepared(request.data)
    return X[list(request.rows)], bool((X < 0).any())
