"""The samples worth a picture: those that carry a machine, and its worst mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.matrix.your_data.results.scores import Array, Rows
from smmcore.decision import predicted_class


class Mistake(NamedTuple):
    """A sample that was taken for another class."""

    row: int
    true: int  # codes
    predicted: int
    decision: float  # of the predicted class; of two classes negative for the first
    lead: float  # by how much the wrong class is ahead of the true one

    def caption(self, names: Sequence[str], number: int) -> str:
        """Write the sample's number, which class was taken for which and the decision, as HTML."""
        pair = [names[self.true], f"→ {names[self.predicted]}"]
        value = f"{self.decision:.2f}".replace("-", "−")
        if sum(map(len, pair)) <= 6:
            return f"{number:,}: {' '.join(pair)}<br>{value}"
        return "<br>".join([f"{number:,}", *pair, value])


def mistakes(rows: Rows, truth: Rows, decision: Array, most: int = 12) -> list[Mistake]:
    """Return the most confident mistakes of several tests, each sample once, the worst first."""
    prediction = predicted_class(decision)
    every = np.arange(len(rows))
    if decision.shape[1] == 1:
        value = decision[:, 0]
        lead = np.abs(value)
    else:
        value = decision[every, prediction]
        lead = value - decision[every, truth]
    worst: dict[int, Mistake] = {}
    wrong = np.flatnonzero(prediction != truth)
    for i in wrong[np.argsort(-lead[wrong], kind="stable")]:
        numbers = int(rows[i]), int(truth[i]), int(prediction[i])
        worst.setdefault(numbers[0], Mistake(*numbers, float(value[i]), float(lead[i])))
    return list(worst.values())[:most]


def support(alpha: Array, rows: Rows, most: int = 12) -> list[tuple[int, float]]:
    """Return row and weight of the training samples with the largest alpha > 0, largest first."""
    order = np.argsort(-alpha, kind="stable")[:most]
    return [(int(rows[i]), float(alpha[i])) for i in order if alpha[i] > 0]


def class_means(X: Array, y: Rows, classes: int) -> Array:
    """Return the mean sample of each class, (K, p, q); NaN where every number is missing."""
    known = np.isfinite(X)
    counts = np.stack([known[y == code].sum(axis=0) for code in range(classes)])
    sums = [X[y == code].sum(axis=0, where=known[y == code]) for code in range(classes)]
    return np.where(counts > 0, np.stack(sums) / np.maximum(counts, 1), np.nan)
