"""The actions of Wolf, Jhuang and Hazan: a low-rank SVM for tensors, here on generated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    in_part,
    mean_and_error,
    not_tried,
    on_other_data,
)
from pages.shared.reproduction.sources import SourceSamples
from pages.variants.low_rank.tensor_data import make_rank_one_tensors

SHAPE = {"small": (3, 5, 4, 3), "paper": (3, 5, 8, 6)}  # frames, layers, height, width
TRAIN, TEST = 150, 1_000
REPETITIONS = {"small": 3, "paper": 20}


@dataclass(frozen=True)
class TensorCell(Cell):
    """Three methods on tensors whose classes differ along one tensor of rank 1."""

    shape: tuple[int, ...]
    seed: int
    C: float = 1.0

    def row(self, samples: SourceSamples | None) -> Row:
        """Return the accuracy of each method in percent."""
        X, y, _ = make_rank_one_tensors(TRAIN + TEST, self.shape, self.seed)
        reading = wolf.Reading(C=self.C)
        row: Row = {}
        for method in wolf.PRINTED_ACTIONS:
            # Only LowRank uses the arrangement of the entries.
            Z = X if method == "LowRank" else X.reshape(len(X), -1)
            parts = Z[:TRAIN], y[:TRAIN], Z[TRAIN:], y[TRAIN:]
            row[method] = wolf.accuracy(method, reading, *parts)
        return row


class WolfTensors(Reproduction):
    """Printed accuracies of actions, and the lead of LowRank on generated tensors."""

    name = "wolf-tensors"
    title = "Wolf, Jhuang, Hazan 2007, section 6: actions, tensors of four indices"
    minutes = Minutes(small=0.1, paper=0.1)

    def cells(self, size: Size, available: Sequence[str]) -> list[TensorCell]:
        """Return a cell for each draw."""
        return [TensorCell(SHAPE[size], seed) for seed in range(REPETITIONS[size])]

    def compare(self, results: Results) -> list[Comparison]:
        """Return the printed figures, and the lead of LowRank over the SVM on our tensors."""
        rows = [*results.values()]
        lead = mean_and_error([row["LowRank"] - row["SVM"] for row in rows])
        printed = wolf.PRINTED_ACTIONS["LowRank"] - wolf.PRINTED_ACTIONS["SVM"]
        means = ", ".join(
            f"{method} {np.mean([row[method] for row in rows]):.1f}" for method in rows[0]
        )
        films = (
            not_tried(method, accuracy, "The paper's films are not available.")
            for method, accuracy in wolf.PRINTED_ACTIONS.items()
        )
        reading = (
            "on generated tensors: normal noise whose classes differ along one tensor of rank 1, "
            f"which suits LowRank ({means})"
        )
        generated = on_other_data("LowRank minus SVM", reading, printed, lead)
        return in_part("Actions, accuracy in percent", [*films, generated])
