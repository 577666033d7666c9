"""Train one method on all samples of a trial; calibrate the probabilities of a classifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.files.samples import format_label
from pages.your_data.trial.calibration import Calibration
from pages.your_data.trial.grid import most_frequent
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.training import (
    Fit,
    Fold,
    MethodSpec,
    Progress,
    finished_fits,
    train_classes,
)
from pages.your_data.trial.trial import PreparedTrial, Trial
from smmcore.decision import decision_values

Array = NDArray[np.float64]
MIN_PER_CLASS = 5  # samples for probabilities: scikit-learn also wants one in each of five folds


class TrainedMachine(NamedTuple):
    """A machine that was trained on all samples."""

    machine: Machine
    certified: bool  # whether the gap of each solution is small enough
    reason: str = ""  # why a classifier has no probabilities; empty if it has


class MachineState(NamedTuple):
    """The progress of a training on all samples, from which it resumes.

    The folds whose held-out decision values calibrate the probabilities come after the training on
    all samples, so that a training which is stopped keeps its machine.
    """

    fits: tuple[Fit, ...] = ()  # of the classes of the training under way
    progress: Progress | None = None  # of its next class
    trained: TrainedMachine | None = None
    decisions: tuple[Array, ...] = ()  # of the samples that each fold holds out, (m, K')
    folds: int = 0  # in all, as soon as the machine is trained
    done: bool = False


def machine_states(
    prepared: PreparedTrial,
    spec: MethodSpec,
    classes: NDArray[Any],
    state: MachineState | None = None,
) -> Iterator[MachineState]:
    """Train a method on all samples, then calibrate it, in steps of about a second or less.

    The training is on everything, the test sets of the trial included. For the probabilities
    (`Calibration`) the method is trained again without each fold of `Scheme.folds`, and the
    sigmoids are fitted to the decision values of the samples that the folds hold out.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from pages.your_data.trial.training import MethodSpec
    >>> from pages.your_data.trial.training_on_all import machine_states
    >>> from pages.your_data.trial.trial import PreparedTrial, Trial
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> spec = MethodSpec("smm", c=10.0, share=0.1)
    >>> prepared = PreparedTrial(Trial((spec,)), X, (y > 0).astype(int))
    >>> *_, state = machine_states(prepared, spec, np.array(["no", "yes"]))
    >>> state.trained.machine.probabilities(X).shape
    (60, 2)
    """
    at = state or MachineState()
    if at.trained is None:
        fold = prepared.fold(None)
        for fits, progress in train_classes(fold.part, spec, at.fits, at.progress):
            at = at._replace(fits=fits, progress=progress)
            yield at
        reason = _missing_probabilities(prepared, classes)
        trained = _trained_machine(finished_fits(at.fits, at.progress), fold, spec, classes, reason)
        folds = 0 if reason else len(prepared.inner(None))
        at = MachineState(trained=trained, folds=folds, done=not folds)
        yield at
    if at.done:
        return
    while len(at.decisions) < at.folds:
        fold = prepared.inner_fold(None, len(at.decisions))
        for fits, progress in train_classes(fold.part, spec, at.fits, at.progress):
            at = at._replace(fits=fits, progress=progress)
            yield at
        fits = finished_fits(at.fits, at.progress)
        W, b = np.array([fit.W for fit in fits]), np.array([fit.b for fit in fits])
        decision = decision_values(fold.held_out, W, b)
        at = at._replace(fits=(), progress=None, decisions=(*at.decisions, decision))
        yield at
    assert at.trained is not None
    held_out = np.concatenate([rows for _, rows in prepared.inner(None)])
    calibration = Calibration.fit(np.concatenate(at.decisions), prepared.y[held_out])
    machine = replace(at.trained.machine, calibration=calibration)
    yield at._replace(trained=at.trained._replace(machine=machine), decisions=(), done=True)


def train_on_all(
    trial: Trial,
    X: NDArray[Any],
    y: NDArray[Any],
    specs: Sequence[MethodSpec] = (),
    groups: NDArray[Any] | None = None,
) -> TrainedMachine:
    """Train a method on all samples; see `machine_states`, which does so in steps.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from pages.your_data.trial.training import MethodSpec
    >>> from pages.your_data.trial.training_on_all import train_on_all
    >>> from pages.your_data.trial.trial import Trial
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> trained = train_on_all(Trial((MethodSpec("smm", c=10.0, share=0.1),)), X, y)
    >>> trained.certified, trained.machine.predict(X[:3]).tolist() == y[:3].tolist()
    (True, True)
    """
    classes, codes = np.unique(y, return_inverse=True)
    prepared = PreparedTrial(trial, X, codes, groups)
    *_, state = machine_states(prepared, most_frequent(specs or trial.specs[:1]), classes)
    assert state.trained is not None
    return state.trained


def _trained_machine(
    fits: tuple[Fit, ...],
    fold: Fold,
    spec: MethodSpec,
    classes: NDArray[Any],
    reason: str,
) -> TrainedMachine:
    W, b, _, rank, _, gap, certified, C, weight = map(np.array, zip(*fits, strict=True))
    machine = Machine(spec.method, W, b, fold.scaling, classes, C, weight, rank, gap)
    return TrainedMachine(machine, bool(certified.all()), reason)


def _missing_probabilities(prepared: PreparedTrial, classes: NDArray[Any]) -> str:
    """Return why held-out decision values cannot be had for every sample; empty if they can."""
    counts = np.bincount(prepared.y)
    smallest = int(counts.argmin())
    if counts[smallest] < MIN_PER_CLASS:
        return (
            f"class {format_label(classes[smallest])} has {counts[smallest]} samples, and "
            f"probabilities take at least {MIN_PER_CLASS} of each class"
        )
    try:
        held_out = sum(len(rows) for _, rows in prepared.inner(None))
    except ValueError:
        held_out = 0
    if held_out < len(prepared.y):
        return (
            "where a fold of the cross-validation is held out, a class is missing from the "
            "training; each class must come in two groups or more"
        )
    return ""
