"""Which samples to look at: those that carry a machine, and those that it is most wrong about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.shared.evaluation.scores import Array, Rows, predicted


class Mistake(NamedTuple):
    """A sample that was taken for another class."""

    row: int
    true: int  # codes
    predicted: int
    decision: float  # that of the predicted class; of two classes negative for the first
    lead: float  # by how much the wrong class is ahead of the true one

    def caption(self, names: Sequence[str], number: int) -> str:
        """Write the sample's number, which class was taken for which and the decision, as HTML."""
        pair = [names[self.true], f"→ {names[self.predicted]}"]
        said = f"{self.decision:.2f}".replace("-", "−")
        if sum(map(len, pair)) <= 6:
            return f"{number:,}: {' '.join(pair)}<br>{said}"
        return "<br>".join([f"{number:,}", *pair, said])


def mistakes(rows: Rows, truth: Rows, decision: Array, most: int = 12) -> list[Mistake]:
    """The most confident mistakes, each sample once, the worst first.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        Of the samples that were tested, of several splits one after the other.
    truth : ndarray of shape (m,)
    decision : ndarray of shape (m, 1) or (m, K)
    most : int
    """
    named = predicted(decision)
    every = np.arange(len(rows))
    if decision.shape[1] == 1:
        value = decision[:, 0]
        lead = np.abs(value)
    else:
        value = decision[every, named]
        lead = value - decision[every, truth]
    worst: dict[int, Mistake] = {}
    for i in every[named != truth][np.argsort(-lead[named != truth], kind="stable")]:
        found = Mistake(int(rows[i]), int(truth[i]), int(named[i]), float(value[i]), float(lead[i]))
        worst.setdefault(found.row, found)
    return list(worst.values())[:most]


def support(alpha: Array, rows: Rows, most: int = 12) -> list[tuple[int, float]]:
    """Row and weight of the samples with the largest alpha > 0, the largest first.

    Parameters
    ----------
    alpha : ndarray of shape (n,)
        Of the training samples.
    rows : ndarray of shape (n,)
        Their rows.
    most : int
    """
    order = np.argsort(-alpha, kind="stable")[:most]
    return [(int(rows[i]), float(alpha[i])) for i in order if alpha[i] > 0]


def class_means(X: Array, y: Rows, classes: int) -> Array:
    """The mean sample of each class, of what is known: NaN where nothing is, (K, p, q)."""
    known = np.isfinite(X)
    counts = np.stack([known[y == code].sum(axis=0) for code in range(classes)])
    sums = [X[y == code].sum(axis=0, where=known[y == code]) for code in range(classes)]
    return np.where(counts > 0, np.stack(sums) / np.maximum(counts, 1), np.nan)
