"""How well decision values tell classes apart, and how certain a difference of accuracies is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.numbers import signed
from smmcore.arrays import Array
from smmcore.decision import predicted_class

Rows = NDArray[np.intp]


class Quality(NamedTuple):
    """How well decision values tell classes apart."""

    accuracy: float
    auc: float  # area under the ROC curve; of more than two classes the mean over them

    @classmethod
    def of(cls, truth: Rows, decision: Array) -> Quality:
        """Measure decision values (m, K') of samples of these classes; no class has AUC 0.5."""
        from sklearn.metrics import roc_auc_score

        columns = dict(enumerate(decision.T)) if decision.shape[1] > 1 else {1: decision[:, 0]}
        insides = ((truth == k, column) for k, column in columns.items())
        areas = [roc_auc_score(*each) for each in insides if 0 < each[0].sum() < len(truth)]
        accuracy = float(np.mean(predicted_class(decision) == truth))
        return cls(accuracy, float(np.mean(areas)) if areas else 0.5)


class Difference(NamedTuple):
    """A difference of two accuracies on the same test samples."""

    mean: float
    error: float  # standard error, of new splits and new test samples

    @classmethod
    def of(
        cls,
        pairs: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]],
        tests: Sequence[Rows],
    ) -> Difference:
        """Return the mean over splits of first minus second, which are right for each test sample.

        Its variance is that of the splits' means divided by their number, plus that of the samples'
        means divided by theirs: both vary, and few samples limit what many splits can show.
        """
        each = [one.astype(float) - other for one, other in pairs]
        rows, of = np.concatenate(tests[: len(each)]), np.concatenate(each)
        _, place = np.unique(rows, return_inverse=True)
        by_sample = np.bincount(place, of) / np.bincount(place)
        variance = by_sample.var(ddof=1) / len(by_sample) if len(by_sample) > 1 else np.inf
        means = np.array([some.mean() for some in each])
        if len(means) > 1 and len(by_sample) < len(of):  # folds share no test samples
            variance += means.var(ddof=1) / len(means)
        return cls(float(means.mean()), float(np.sqrt(variance)))

    @property
    def short(self) -> str:
        """A text such as "+3.2 ± 0.8", in points."""
        return f"{signed(100 * self.mean, '+.1f')} ± {100 * self.error:.1f}"
