"""The experiment that trains a method of regression on all samples, and its panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pages.matrix.your_data.regression.runs import prepared_regression
from pages.matrix.your_data.scripts import SCRIPT_HEAD
from pages.shared.data.samples import Labelled
from pages.shared.data.uploads import Upload
from pages.shared.player.panels import Number, Panel, Picture, Readout
from smmcore.experiments.experiment import Experiment, Frame, constructor, imports
from smmcore.model_selection import (
    RegressionMachineState,
    RegressionTrial,
    Scheme,
    most_frequent_share,
    regression_machine_states,
)
from smmcore.model_selection.regression_trial import REGRESSIONS

SHARE_NAMES = {"trace": "λ / λₘₐₓ", "ridge": "α / ‖Φ‖²"}


@dataclass(frozen=True)
class RegressionMachineRun(Experiment):
    """A method of regression trained on all samples."""

    data: Upload
    trial: RegressionTrial  # with the weight of this method alone
    method: str

    noun: ClassVar[str] = "model"
    pending: ClassVar[str] = "The model is being trained on everything."

    @classmethod
    def after(
        cls, data: Upload, trial: RegressionTrial, method: str, shares: Sequence[float]
    ) -> RegressionMachineRun:
        """Return the run with the weight that a trial has chosen most often for a method."""
        share = most_frequent_share(shares)
        given = replace(
            trial,
            lam=share if method == "trace" else None,
            ridge=share if method == "ridge" else None,
            scheme=Scheme(by="chance"),  # nothing is split
        )
        return cls(data, given, method)

    def frames(
        self, prepared: Labelled, state: RegressionMachineState | None = None
    ) -> Iterator[Frame]:
        """Yield a frame with the model, and before it resume points."""
        samples = prepared_regression(self, prepared)
        share = self.trial.share(self.method)
        assert share is not None
        for at in regression_machine_states(samples, self.method, share, state):
            if at.trained is None:
                yield Frame(at)
            else:
                machine = at.trained.machine
                metrics = {"rank": float(machine.rank)}
                yield Frame(at, metrics, {"W": machine.W}, at.trained, done=True)

    def summary(self, last: Frame) -> str:
        """Return a sentence about the training."""
        return f"Trained on all {self.data.shape[0]:,} samples."

    def script(self) -> str:
        """Return a program that trains the model and saves it."""
        return f"""\
{SCRIPT_HEAD}
{self.data.script()}
from smmcore.model_selection import train_regression_on_all
{imports(self.trial)}

trial = {constructor(self.trial)}
machine, certified, _ = train_regression_on_all(trial, X, y, {self.method!r})
print(machine.method, "rank", machine.rank, "certified" if certified else "not certified")
machine.save("machine.mat")
"""


def regression_machine_panels() -> list[Panel]:
    """Return the panels of a run."""
    return [Picture("W", "W", own=True), Readout([Number("rank", "rank of W", "int")])]


def describe_share(method: str, shares: Sequence[float]) -> str:
    """Return method and weight that were chosen most often, and how often if not always."""
    if method not in SHARE_NAMES:
        return f"the {REGRESSIONS[method]} of the target"
    share = most_frequent_share(shares)
    times, of = Counter(shares)[share], len(shares)
    often = "" if times == of else f" (chosen in {times} of {of} splits)"
    return f"**{REGRESSIONS[method]}** with {SHARE_NAMES[method]} = {share:.3g}{often}"
