"""Receiver operating characteristics: right and wrong answers at any threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.results.scores import Array, Rows, Spread


class Roc(NamedTuple):
    """A curve from (0, 0) to (1, 1), and the area below it."""

    wrong: Array  # (m,), share of the other classes' samples that are taken for this class
    right: Array  # (m,), share of this class's samples that are
    area: Spread  # over the splits

    def __str__(self) -> str:
        """Write "AUC 0.987 ± 0.004"."""
        mean, deviation = self.area
        return f"AUC {mean:.3f}" + ("" if np.isnan(deviation) else f" ± {deviation:.3f}")


def roc_curves(truths: Sequence[Rows], decisions: Sequence[Array]) -> list[Roc | None]:
    """Return one curve for each column of the decisions: the second of two classes, or each of K.

    A class stands against the rest. Decisions of different machines have no common threshold, so
    the curve of several splits is the mean of theirs over `right`; its area is the mean of theirs.
    It is None for a class without a test sample, or without one of another class.
    """
    K = decisions[0].shape[1]
    found: list[Roc | None] = []
    for column in range(K):
        code = 1 if K == 1 else column
        of_splits = [
            _curve(truth == code, decision[:, column])
            for truth, decision in zip(truths, decisions, strict=True)
            if 0 < np.count_nonzero(truth == code) < len(truth)
        ]
        areas = Spread.of([_area(*curve) for curve in of_splits])
        found.append(Roc(*_mean(of_splits), areas) if of_splits else None)
    return found


def macro(truths: Sequence[Rows], decisions: Sequence[Array]) -> Roc | None:
    """Return the mean of the curves of all classes, with equal weights."""
    of_splits = []
    for truth, decision in zip(truths, decisions, strict=True):
        known = [(roc.wrong, roc.right) for roc in roc_curves([truth], [decision]) if roc]
        if known:
            of_splits.append(_mean(known))
    areas = Spread.of([_area(*curve) for curve in of_splits])
    return Roc(*_mean(of_splits), areas) if of_splits else None


def _curve(positive: NDArray[np.bool_], decision: Array) -> tuple[Array, Array]:
    """Return `wrong` and `right` at each threshold; equal decisions are one threshold.

    The function of scikit-learn takes milliseconds, too many for forty classes in ten splits.
    """
    order = np.argsort(-decision, kind="stable")
    last = np.append(np.flatnonzero(np.diff(decision[order])), len(order) - 1)
    right = np.cumsum(positive[order])[last]
    wrong = last + 1 - right
    return np.append(0.0, wrong / wrong[-1]), np.append(0.0, right / right[-1])


def _area(wrong: Array, right: Array) -> float:
    return float(np.trapezoid(right, wrong))


def _mean(several: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Average curves over `right` from below and from above, which keeps their jumps."""
    if len(several) == 1:
        return several[0]
    grid = np.unique(np.concatenate([wrong for wrong, _ in several]))
    above = np.mean([np.interp(grid, wrong, right) for wrong, right in several], axis=0)
    below = np.mean(
        [np.interp(-grid, -wrong[::-1], right[::-1]) for wrong, right in several], axis=0
    )
    return np.repeat(grid, 2), np.column_stack([below, above]).ravel()
