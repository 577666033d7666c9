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
from smmcore.arrays import Array

SHAPE = {"small": (3, 5, 4, 3), "paper": (3, 5, 8, 6)}  # frames, layers, height, width
TRAIN, TEST = 150, 1_000
REPETITIONS = {"small": 3, "paper": 20}


def make_rank_one_tensors(n: int, shape: tuple[int, ...], seed: int) -> tuple[Array, Array, Array]:
    """Make n tensors X of normal entries, their labels y = sign <W, X_i>, and W of rank 1.

    W is the outer product of one normal vector for each axis, a o b o c for three axes.
    """
    rng = np.random.default_rng(seed)
    W = np.ones(())
    for length in shape:
        W = np.multiply.outer(W, rng.standard_normal(length))
    X = rng.standard_normal((n, *shape))
    y = np.where(X.reshape(n, -1) @ W.ravel() > 0, 1.0, -1.0)
    return X, y, W


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
