"""The experiments that train a classifier on all samples, and their panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pages.shared.data.samples import Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.player.panels import NAMES, Axis, Case, Number, Panel, Picture, Readout, Sentence
from pages.your_data.runs import prepared_trial
from pages.your_data.trial.grid import most_frequent
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.training import MethodSpec
from pages.your_data.trial.training_on_all import (
    MachineState,
    machine_states,
)
from pages.your_data.trial.trial import Trial

TRAININGS = Axis("training", "trainings")
# Fields of `MethodSpec`, as the page writes them.
SETTING_NAMES = {"c": "C s² =", "share": "τ / τₘₐₓ =", "rank": "rank", "C": "C =", "weight": "τ ="}
RGLM_NAMES = {"share": "λ / λₘₐₓ =", "weight": "λ ="}


@dataclass(frozen=True)
class MachineRun(Experiment):
    """A method trained on all samples, then without each fold, to calibrate its probabilities."""

    data: LabelledDataset
    trial: Trial  # of this method alone, without a search

    noun: ClassVar[str] = "classifier"
    pending: ClassVar[str] = (
        "The classifier is being trained on everything, then without each fold for its "
        "probabilities. Once it has seen everything, Stop keeps it, without probabilities."
    )

    @property
    def method(self) -> str:
        """The method that is trained."""
        return self.trial.specs[0].method

    @classmethod
    def after(cls, data: LabelledDataset, trial: Trial, specs: Sequence[MethodSpec]) -> MachineRun:
        """Return the run with the settings that a trial has chosen most often for a method.

        Of its scheme only what decides the folds is kept, so that equal machines share a run.
        """
        kind = "own" if trial.scheme.kind == "own" else "hold-out"
        scheme = Scheme(kind, trial.scheme.by, seed=trial.scheme.seed)
        spec = most_frequent(specs)
        given = replace(trial, specs=(spec,), scheme=scheme, search=False, paths=None)
        return cls(data, replace(given, budget=Trial.budget))

    def frames(self, prepared: Labelled, state: MachineState | None = None) -> Iterator[Frame]:
        """Yield a frame for each trained class and, between, resume points."""
        trial = prepared_trial(self, prepared)
        for at in machine_states(trial, self.trial.specs[0], prepared.classes, state):
            fit = at.progress.fit if at.progress else None
            if fit is None:
                yield Frame(at, certificate=at.trained, done=at.done)
                continue
            metrics = {
                "calibrating": int(at.trained is not None),
                "fold": len(at.decisions) + 1,
                "folds": at.folds,
                "class": len(at.fits) + 1,
                "rank": fit.rank,
            }
            yield Frame(at, metrics, {"W": fit.W}, at.trained)

    def summary(self, last: Frame) -> str:
        """Return a sentence about the training and the calibration."""
        n = self.data.shape[0]
        folds = last.state.folds
        calibrated = f", and its probabilities calibrated on {folds} folds" if folds else ""
        return f"Trained on all {n:,} samples{calibrated}."


def machine_panels(run: MachineRun, names: Sequence[str]) -> list[Panel]:
    """Return the panels of a run: what is trained, and W."""
    method = NAMES[run.method]
    numbers = [Number("rank", "rank of W", "int")]
    if len(names) > 2:
        numbers = [Number("class", f"class, of {len(names)}", "int"), *numbers]
    return [
        Sentence(
            [
                Case("calibrating", 0, f"{method}, trained on all {run.data.shape[0]:,} samples"),
                Case(
                    "calibrating",
                    1,
                    f"{method}, trained without fold {{fold:int}} of {{folds:int}}: what it says "
                    "about that fold calibrates the probabilities",
                ),
            ]
        ),
        Picture("W", "W of the last training", own=True),
        Readout(numbers),
    ]


def describe_setting(specs: Sequence[MethodSpec]) -> str:
    """Return the settings that were chosen most often, and how often if not always."""
    spec = most_frequent(specs)
    names = SETTING_NAMES | (RGLM_NAMES if spec.method == "rglm" else {})
    text = ", ".join(
        f"{names[name]} {float(format(value, '.3g')):g}"  # 2000, not 2e+03
        for name, value in spec._asdict().items()
        if name != "method" and value is not None
    )
    return text + _describe_frequency(spec, specs, "simplest")


def _describe_frequency(chosen: object, of: Sequence[object], rule: str) -> str:
    """Return how often a setting was chosen, and by which rule among equals; empty if always."""
    counts = Counter(of)
    times = counts[chosen]
    if times == len(of):
        return ""
    tied = list(counts.values()).count(times) > 1
    why = f"the {rule} of those chosen as often" if tied else "more often than any other"
    return f" (chosen in {times} of {len(of)} splits, {why})"
