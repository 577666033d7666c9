"""The experiment of Xia and Fan's Table 2: both losses cross-validated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pages.research.table_2.cross_validation import (
    FOLDS,
    GRID,
    GridPoint,
    cross_validate,
    two_classes,
)
from pages.shared.data.samples import Labelled
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.losses import LOSSES
from pages.shared.player.panels import Axis, Lines, Number, Panel, Readout, series

ACCURACY_SPAN = (0.8, 1.0)  # of the axis: a single test sample then makes a small difference


@dataclass(frozen=True)
class CrossValidation(Experiment):
    """Both losses cross-validated on two classes, over a grid of powers of two."""

    data: LabelledDataset
    pair: tuple[int, int] = (3, 8)
    every: int = 4  # of the 17 exponents from -8 to 8: a divisor of 16

    @property
    def grid(self) -> tuple[float, ...]:
        """The values of C, and of tau, ascending."""
        return GRID[:: self.every]

    @property
    def weights(self) -> list[tuple[float, float]]:
        """All (C, tau) in their order: C ascending and, at each C, tau descending."""
        return [(C, tau) for C in self.grid for tau in self.grid[::-1]]

    def frames(
        self, prepared: Labelled, state: tuple[GridPoint, ...] | None = None
    ) -> Iterator[Frame]:
        """Yield the settings of C and tau, from the strongest regularisation."""
        done, weights = state or (), self.weights
        X, y = two_classes(prepared.X, prepared.classes[prepared.y], *self.pair)
        left = weights[len(done) :]
        for point in cross_validate(X, y, weights=left):
            done = (*done, point)
            metrics = {"C": point.C, "tau": point.tau}
            for loss, name in LOSSES.items():
                metrics[f"accuracy_{loss}"] = point.accuracy[name].mean()
                metrics[f"seconds_{loss}"] = point.seconds[name]  # at this setting
            yield Frame(done, metrics, certificate=done, done=len(done) == len(weights))

    def summary(self, last: Frame) -> str:
        """Say how many classifiers were trained."""
        machines = 2 * FOLDS * len(last.state)
        return (
            f"{len(last.state)} settings of C and τ, {machines:,} classifiers trained and tested."
        )


def cross_validation_panels() -> list[Panel]:
    """Return the panels of a cross-validation: the accuracy of each classifier, its numbers."""
    names = {f"accuracy_{loss}": name for loss, name in LOSSES.items()}
    numbers = [
        Number("C", "C", "sci"),
        Number("tau", "τ", "sci"),
        *(Number(f"seconds_{loss}", f"{name}: seconds", "sci") for loss, name in LOSSES.items()),
    ]
    return [
        Lines(series(names), "Accuracy", "linear", "percent", span=ACCURACY_SPAN),
        Readout(numbers),
    ]


def cross_validation_axis(experiment: CrossValidation) -> Axis:
    """Return the axis of a cross-validation: at each C, all tau from large to small."""
    n = len(experiment.grid)
    ticks = [(k * n / (n * n - 1), f"{C:.3g}") for k, C in enumerate(experiment.grid)]
    return Axis("setting", "C, at each C all τ", count=n * n, ticks=ticks)
