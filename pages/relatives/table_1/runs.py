"""The experiments of the lesson Wolf's Table 1: methods compared on repeated draws of data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pages.shared.data.bundled import Faces
from pages.shared.data.samples import Labelled, Prepared, check
from pages.shared.data.synthetic import Relevant
from pages.shared.player.panels import lines
from smmcore.experiments import wolf
from smmcore.experiments.experiment import Experiment, Frame

COLOURS = {"SVM": 3, "AROM": 1, "2DPCA + AROM": 2, "LowRank": 0}  # the linear SVM's is 3 elsewhere


def column(kind: str, method: str, setting: int) -> str:
    """Return the name of a metric: "mean_LowRank_3"."""
    return f"{kind}_{method.replace(' + ', '_')}_{setting + 1}"


class Repetitions(Experiment):
    """Accuracies of methods in settings, and their means over the repetitions so far.

    The state is a tuple with the accuracies of each repetition, as shares.
    """

    limit = "repetitions"
    repetitions: int
    settings: ClassVar[Sequence[str]]
    methods: ClassVar[Sequence[str]]
    printed: ClassVar[Mapping[str, Sequence[tuple[float, float]]]]  # mean and deviation

    @abstractmethod
    def trial(self, prepared: Any, repetition: int) -> Iterator[wolf.Record]:
        """Yield the accuracy of each method in each setting on one draw, in percent."""

    def frames(self, prepared: Any, state: tuple | None = None) -> Iterator[Frame]:
        """Yield the repetitions: their accuracies, the means so far and the standard errors."""
        rows = state or ()
        cells = [(method, k) for k in range(len(self.settings)) for method in self.methods]
        for repetition in range(len(rows), self.repetitions):
            records = self.trial(prepared, repetition)
            right = {(r.method, r.setting): r.accuracy / 100 for r in records}
            rows += (tuple(right[cell] for cell in cells),)
            k, shares = len(rows), np.array(rows)
            error = np.full(len(cells), np.nan)
            if k > 1:
                error = shares.std(axis=0, ddof=1) / np.sqrt(k)
            kinds = {"right": shares[-1], "mean": shares.mean(axis=0), "error": error}
            metrics = {"k": k} | {
                column(kind, *cell): value
                for kind, values in kinds.items()
                for cell, value in zip(cells, values, strict=True)
            }
            yield Frame(rows, metrics, done=k == self.repetitions)

    def summary(self, last: Frame) -> str:
        """Say how many machines were trained."""
        machines = len(last.state) * sum(map(len, self.printed.values()))
        return f"{len(last.state)} repetitions, {machines} machines trained and tested."


@dataclass(frozen=True)
class Table1Run(Repetitions):
    """Four methods in three settings, each repetition on new data."""

    reading: wolf.Reading = wolf.AS_PRINTED
    repetitions: int = wolf.REPETITIONS

    settings = (*wolf.SETTINGS, "lost at 10 x 10")  # the last one is the cost of A and B
    methods = wolf.METHODS
    printed = wolf.PRINTED

    def __post_init__(self) -> None:
        _ = self.data  # which checks its own settings
        check("the number of repetitions", self.repetitions, 1, 100)
        check("C, the weight of the loss,", self.reading.C, 1e-100, 1e100)
        check("the number of components of the 2DPCA", self.reading.components, 1, 10)

    @property
    def data(self) -> Relevant:
        """The first draw of the last setting; each trial makes its own data."""
        protocol, permute, noise, *_ = self.reading
        return Relevant(wolf.SAMPLES, wolf.TRAIN, wolf.SIZES[-1], noise, protocol, permute)

    def trial(self, prepared: Prepared, repetition: int) -> Iterator[wolf.Record]:
        """Yield four methods in three settings, and the cost of A and B to each."""
        records = list(wolf.table_1(self.reading, [repetition]))
        yield from records
        several = len(wolf.METHODS)
        for plain, turned in zip(records[:several], records[several : 2 * several], strict=True):
            cost = plain.accuracy - turned.accuracy
            yield wolf.Record(len(wolf.SETTINGS), repetition, plain.method, cost)


@dataclass(frozen=True)
class FacesRun(Repetitions):
    """Three methods on faces and background, each repetition on a new split: a quarter trains.

    The printed figures are those of other faces.
    """

    C: float = wolf.AS_PRINTED.C
    repetitions: int = 10

    data = Faces()
    settings = ("faces",)
    methods = tuple(wolf.PRINTED_FACES)
    printed: ClassVar = {method: (cell,) for method, cell in wolf.PRINTED_FACES.items()}

    def __post_init__(self) -> None:
        check("the number of repetitions", self.repetitions, 1, 100)
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)

    def trial(self, prepared: Labelled, repetition: int) -> Iterator[wolf.Record]:
        """Yield three methods on one split."""
        return wolf.split_trials(prepared.X, prepared.y, self.C, [repetition])


PRECOMPUTED = {"Wolf's Table 1": Table1Run()}  # see tests/bake.py


def table_1_panels(run: Table1Run) -> list[dict[str, Any]]:
    """Return a panel for each setting, and one for the cost of A and B."""
    *settings, cost = (_panel(run, k) for k in range(len(run.settings)))
    return [*(panel | {"span": (0.6, 1.0)} for panel in settings), cost | {"span": (0.0, 0.2)}]


def faces_panels(run: FacesRun) -> list[dict[str, Any]]:
    """Return a panel for the faces."""
    return [_panel(run, 0) | {"span": (0.8, 1.0)}]


def _panel(run: Repetitions, setting: int) -> dict[str, Any]:
    """Return running means in a setting, their errors, and the printed figures."""
    methods = {column("mean", method, setting): method for method in run.methods}
    errors = {mean: column("error", method, setting) for mean, method in methods.items()}
    printed = {mean: _printed_mean(run, method, setting) for mean, method in methods.items()}
    panel = lines(
        methods,
        f"Accuracy: {run.settings[setting]}",
        "linear",
        format="percent",
        bands={"label": "error", "of": errors},
        levels={"label": "printed", "of": printed},
    )
    for method, field in zip(run.methods, panel["fields"], strict=True):
        field["colour"] = COLOURS[method]
    return panel


def _printed_mean(run: Repetitions, method: str, setting: int) -> float:
    means = [mean / 100 for mean, _ in run.printed[method]]
    return means[setting] if setting < len(means) else means[0] - means[1]


def repetition_axis(run: Repetitions) -> dict[str, object]:
    """Return the axis of the repetitions."""
    return {"name": "repetition", "label": "repetitions", "count": run.repetitions}
