"""The experiment of the lesson Your data: a trial of methods on labelled samples, and its panels.

Below it are two questions about samples that a worker answers for the page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.results import cautions
from pages.matrix.your_data.results.samples import class_means
from pages.shared.data.samples import Array, Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.dataset_cache import get_prepared
from pages.shared.player.panels import METHODS, by_method, readout
from smmcore.experiments.experiment import Experiment, Frame
from smmcore.matfile import distinct
from smmcore.model_selection import Machine, Material, Scheme, State, Trial, states, strands

MAX_MATERIALS = 2  # trials whose problems a worker holds


@dataclass(frozen=True)
class TrialRun(Experiment):
    """Methods, trained on parts of the samples and tested on the others."""

    data: LabelledDataset
    trial: Trial

    def frames(self, prepared: Labelled, state: State | None = None) -> Iterator[Frame]:
        """Yield a frame for each training and each strand of a search; between, resume points."""
        material = _material(self, prepared)
        total, before = len(material.order), _progress(state or State())
        for at in states(material, state):
            done, now = len(at.tested) == total, _progress(at)
            # The last class of a machine is drawn with the test that follows at once.
            last_class = len(prepared.classes) == 2 or len(at.fits) == len(prepared.classes) - 1
            if now == before or (last_class and _has_trained(at)):
                yield Frame(at, certificate=at.tested)
            else:
                images = {"W": self._last_W(at)}
                yield Frame(at, self._metrics(at, material), images, at.tested, done)
            before = now

    def _metrics(self, at: State, material: Material) -> dict[str, float]:
        after_test = bool(at.tested) and not (at.search or at.way)
        split, machine = material.order[len(at.tested) - after_test]
        grid = strands(machine.method, *material.X.shape[1:])
        machines = self.trial.machines
        validated = {each.method: self._validated(each, machine, at) for each in machines}
        trained = len(at.tested[-1].W) if after_test else len(at.fits) + _has_trained(at)
        rank = at.tested[-1].rank[-1] if at.tested else 0
        return {
            "step": at.steps,
            "split": split + 1,
            **{f"held_{each.method}": _mean_accuracy(each, at) for each in machines},
            **{f"cv_{method}": accuracy for method, accuracy in validated.items()},
            "cells": len(at.search.tried) if at.search else 0,  # tried by the search under way
            "of": sum(map(len, grid)),  # cells of its grid
            "best": validated[machine.method],  # accuracy of the best of them
            "searched": at.searched,  # seconds of all searches
            # method * (K + 1) + number of its classes that are trained: 0 in a search
            "doing": machines.index(machine) * (int(material.y.max()) + 2) + trained,
            "rank": at.way.fit.rank if _has_trained(at) else rank,  # of the last W
        }

    def _validated(self, machine: Machine, under_way: Machine, at: State) -> float:
        """Return the accuracy in cross-validation of the best weights of a method so far."""
        if machine == under_way and at.search and at.search.best:
            return at.search.best.right / at.search.best.of
        found = [one.validated for one in at.tested if one.machine.method == machine.method]
        return found[-1] if found else np.nan

    def _last_W(self, at: State) -> Array:
        if _has_trained(at):
            return at.way.fit.W
        return at.tested[-1].W[-1] if at.tested else np.zeros(self.data.shape[1:])

    def summary(self, last: Frame) -> str:
        """Say how much was trained."""
        machines = sum(len(one.W) for one in last.certificate)
        cells = sum(len(one.tried) for one in last.certificate)
        searched = f", after {cells:,} cells of their grids were tried" if cells else ""
        return f"{machines:,} machine{'s' if machines > 1 else ''} trained and tested{searched}."

    def repeating(self, strands: tuple[int, ...]) -> TrialRun:
        """Return the trial with a number of strands for each search in place of a budget."""
        return replace(self, trial=replace(self.trial, strands=strands))

    def script(self, most: int | None = None) -> str:
        """Return a program that prints split, method, right answers, tests and accuracy.

        Parameters
        ----------
        most : int, optional
            Number of tests after which it ends: a trial that was stopped has no more.
        """
        trial = self.trial
        machines = "".join(f"        {machine!r},\n" for machine in trial.machines)
        rest = "".join(
            f"    {field.name}={getattr(trial, field.name)!r},\n"
            for field in fields(trial)
            if field.name != "machines"
        )
        further = "".join(f", {name}={name}" for name in self.data.known)
        each, tests = "tested", f"trial.tested(X, y{further})"
        if most is not None:
            each, tests = "_, tested", f"zip(range({most}), {tests})"  # no test is made in vain
        return f'''\
"""A trial of the support matrix machine lab; it needs the lab's package smmcore."""

{self.data.script()}
from smmcore.model_selection import Machine, Scheme, Trial

trial = Trial(
    machines=(
{machines}    ),
{rest})
for {each} in {tests}:
    of = len(tested.decision)
    print(tested.split + 1, tested.machine.method, tested.right, of, f"{{tested.accuracy:.1%}}")
'''


def _has_trained(at: State) -> bool:
    """Return whether the class under way has just been trained."""
    return at.way is not None and at.way.fit is not None


def _progress(at: State) -> tuple[int, int, int]:
    """Count the parts of a state that are worth a frame: tests, strands, trained classes."""
    return len(at.tested), at.search.strands if at.search else 0, len(at.fits) + _has_trained(at)


def _mean_accuracy(machine: Machine, at: State) -> float:
    """Return the accuracy of a method on test samples, its mean over the splits so far."""
    found = [one.accuracy for one in at.tested if one.machine.method == machine.method]
    return float(np.mean(found)) if found else np.nan


_materials: OrderedDict[TrialRun, Material] = OrderedDict()


def _material(run: TrialRun, prepared: Labelled) -> Material:
    """Return the material of a trial, with the problems that its last slice has left."""
    if run not in _materials:
        X, y, _, groups, test = prepared
        _materials[run] = Material(run.trial, X, y, groups, test)
        if len(_materials) > MAX_MATERIALS:
            _materials.popitem(last=False)
    _materials.move_to_end(run)
    return _materials[run]


SPAN = 0.8, 1.0  # of the axis of accuracies: a single test sample must not look like a gulf
TRAININGS = {"name": "training", "label": "trainings"}


def trial_panels(trial: Trial, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the panels of a trial of classes with these names: its work, W and accuracies."""
    names = [name.replace("{", "(").replace("}", ")") for name in names]  # braces hold fields
    towards = [f"positive: {names[1]}"]
    if len(names) > 2:
        towards = [f"{name} against the rest" for name in names]
    methods, cases = [machine.method for machine in trial.machines], []
    for number, method in enumerate(methods):
        texts = [
            f"The {METHODS[method]} looks for its weights: {{cells:int}} of {{of:int}} cells of "
            f"its grid tried, best so far {{best:percent}} in cross-validation; {{searched:int}} "
            f"of {trial.budget:g} s spent. Stop keeps the machines that are tested."
        ]
        texts += [f"W of the {METHODS[method]}, {which}" for which in towards]
        first = number * (len(names) + 1)
        cases += [{"field": "doing", "is": first + i, "text": text} for i, text in enumerate(texts)]
    percent = {"format": "percent"}
    panels = [
        {"kind": "sentence", "cases": cases},
        {"kind": "picture", "field": "W", "title": "W of the last training", "own": True},
        readout([("split", "split", "int"), ("rank", "rank of W", "int")]),
        by_method("Accuracy on test samples, mean so far", "held_", SPAN, methods) | percent,
    ]
    if trial.search:
        title = "Cross-validation, the best weights so far"
        panels.append(by_method(title, "cv_", SPAN, methods) | percent)
    return panels


@dataclass(frozen=True)
class Division:
    """Samples, and a scheme that divides them into training and test parts."""

    data: LabelledDataset
    scheme: Scheme


class Divided(NamedTuple):
    """Labelled samples as a scheme divides them."""

    splits: list[tuple[NDArray[np.intp], NDArray[np.intp]]]  # rows to train on, rows to test on
    y: NDArray[np.intp]  # (n,), places in the classes
    cautions: list[str]  # why a test on them may mislead


def divide(division: Division) -> Divided:
    """Divide labelled samples, and look for what would flatter a test on them.

    Raises
    ------
    ValueError
        If the scheme does not fit the samples.
    """
    X, y, classes, groups, test = get_prepared(division.data)
    splits = division.scheme.splits(y, groups, test)
    return Divided(splits, y, cautions.of_split(X, y, distinct(classes), splits, groups))


@dataclass(frozen=True)
class Look:
    """Some of the samples, to be pictured."""

    data: LabelledDataset
    rows: tuple[int, ...]


class Seen(NamedTuple):
    """Some samples, as they came, and the mean of each class."""

    samples: NDArray[np.float64]  # (m, p, q)
    means: NDArray[np.float64]  # (K, p, q)
    signed: bool  # whether any number of the data is negative


def fetch_samples(look: Look) -> Seen:
    """Fetch some samples, and the means of all classes."""
    X, y, classes, *_ = get_prepared(look.data)
    means = class_means(X, y, len(classes))
    return Seen(X[list(look.rows)], means, bool((X < 0).any()))
