"""Probabilities of classes from decision values, by Platt's sigmoid as scikit-learn fits it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smmcore.decision import predicted_class

Array = NDArray[np.float64]


class Calibration(NamedTuple):
    """A sigmoid for each class against the rest.

    P(class | f) = 1 / (1 + exp(slope f + offset)). Of two classes there is one sigmoid, for the
    second class; of more, the values of all classes are divided by their sum.
    """

    slope: Array  # (K',), k' = 1 with two classes, K' = K with more
    offset: Array  # (K',), k' = 1 with two classes, K' = K with more

    @classmethod
    def fit(cls, decision: Array, y: NDArray[np.intp]) -> Calibration:
        """Fit the sigmoids to decision values of samples that were not used for training.

        These are the sigmoids of scikit-learn's `CalibratedClassifierCV` with `ensemble=False`.
        """
        from sklearn.base import BaseEstimator, ClassifierMixin
        from sklearn.calibration import CalibratedClassifierCV

        class Decisions(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
            """A classifier whose samples are decision values; there is nothing to fit."""

            def fit(self, X: Array, y: NDArray[np.intp]) -> Decisions:
                self.classes_ = np.unique(y)
                return self

            def decision_function(self, X: Array) -> Array:
                return X[:, 0] if X.shape[1] == 1 else X

            def predict(self, X: Array) -> NDArray[np.intp]:
                return predicted_class(X)

        every = np.arange(len(y))  # one fold with all samples, as the decisions are held out
        calibrated = CalibratedClassifierCV(Decisions(), cv=[(every, every)], ensemble=False)
        calibrated.fit(decision, y)
        sigmoids = calibrated.calibrated_classifiers_[0].calibrators
        slope, offset = np.array([(each.a_, each.b_) for each in sigmoids]).T
        return cls(slope, offset)

    def __call__(self, decision: Array) -> Array:
        """Return the probability of each class, (m, K), for decision values (m, K')."""
        from scipy.special import expit  # takes a quarter of a second

        each = np.asarray(expit(-(decision * self.slope + self.offset)))
        if each.shape[1] == 1:
            return np.hstack([1 - each, each])
        total = each.sum(axis=1, keepdims=True)
        # Far from all classes every value may be 0.
        even = np.full_like(each, 1 / each.shape[1])
        return np.asarray(np.divide(each, total, out=even, where=total > 0))
