"""The faces of Wolf, Jhuang and Hazan: three methods, a quarter of the samples to train."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pages.shared import wolf
from pages.shared.reproduction.reproduction import (
    Cell,
    Comparison,
    Minutes,
    Reproduction,
    Results,
    Row,
    Size,
    fit_as_given,
    in_part,
    judge_order,
    mean_and_error,
    not_tried,
    on_other_data,
    rows_with,
)
from pages.shared.reproduction.sources import FACE_NONFACE, FACES, SourceSamples

REPETITIONS = 10
LOSS_WEIGHTS = tuple(10.0**k for k in range(-3, 4))  # with the largest entry of X at 1
FOLDS = 5
LEAD = "LowRank minus SVM"


@dataclass(frozen=True)
class FacesCell(Cell):
    """Three methods on one split; C by cross-validation in the training part."""

    source: str = field()  # it has no default, unlike that of `Cell`
    repetition: int
    grid: tuple[float, ...] = LOSS_WEIGHTS

    def row(self, samples: SourceSamples | None) -> Row:
        """Return accuracy in percent and C of each method; of equally good C the smallest."""
        from sklearn.model_selection import GridSearchCV, StratifiedKFold

        assert samples is not None
        X = samples.X / np.abs(samples.X).max()
        X, test_X, y, test_y = wolf.split(X, samples.y, self.repetition)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=self.repetition)
        row: Row = {}
        for method in wolf.PRINTED_FACES:
            estimator = wolf.make_estimator(method, wolf.Reading())
            search = GridSearchCV(estimator, {"C": self.grid}, cv=folds, refit=False)
            C = fit_as_given(search, X, y).best_params_["C"]
            row[method] = wolf.accuracy(method, wolf.Reading(C=C), X, y, test_X, test_y)
            row[f"C {method}"] = C
        return row


class WolfFaces(Reproduction):
    """Accuracies on faces against background, and the lead of LowRank over the SVM."""

    name = "wolf-faces"
    title = "Wolf, Jhuang, Hazan 2007, section 6: faces against other pictures"
    sources = (FACES, FACE_NONFACE)
    minutes = Minutes(small=0.1, paper=0.5)

    def cells(self, size: Size, available: Sequence[str]) -> list[FacesCell]:
        """Return a cell for each data set and split."""
        small = size == "small"
        return [
            FacesCell(source, repetition, LOSS_WEIGHTS[2:5] if small else LOSS_WEIGHTS)
            for source in available
            for repetition in range(2 if small else REPETITIONS)
        ]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the accuracies, and the lead of LowRank over the SVM on the same splits."""
        comparisons = []
        lead = wolf.PRINTED_FACES["LowRank"][0] - wolf.PRINTED_FACES["SVM"][0]
        for source in self.sources:
            part = f"Faces, percent: our {source.name}"
            rows = rows_with(results, source=source.name)
            if not rows:
                missing = f"Give {source.note}, by --data."
                comparisons += in_part(part, [not_tried(LEAD, lead, missing)])
                continue
            n, p, q = source.shape
            reading = (
                f"on {n} pictures {p} × {q}; theirs are 4,929 pictures 19 × 19, with non-faces "
                "that a detector took for faces"
            )
            compared = [
                on_other_data(
                    method, reading, printed, mean_and_error([row[method] for row in rows])
                )
                for method, (printed, _) in wolf.PRINTED_FACES.items()
            ]
            paired = mean_and_error([row["LowRank"] - row["SVM"] for row in rows])
            reason = "C is chosen in each training part"
            compared.append(judge_order(LEAD, reading, lead, paired, reason))
            comparisons += in_part(part, compared)
        return comparisons + in_part(
            "Pedestrians, percent",
            (
                not_tried(method, accuracy, "The paper's data are not public.")
                for method, accuracy in wolf.PRINTED_PEDESTRIANS.items()
            ),
        )
