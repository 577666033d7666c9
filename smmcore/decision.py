"""Classes predicted from decision values, and the accuracy of these predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def predicted_class(decision: Array) -> NDArray[np.intp]:
    """Return the number of the predicted class of each sample, shape (m,).

    Parameters
    ----------
    decision : ndarray of shape (m,), (m, 1) or (m, K)
        <W, X_i> + b. Of two classes there is one value, and class 1 is predicted where it is
        positive, so 0 means class 0. Of K > 2 classes, each against the rest, the class with the
        largest value is predicted, the first of equals.
    """
    if decision.ndim == 1:
        decision = decision[:, None]
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))


def accuracy(decision: Array, y: Array) -> float:
    """Return the share of correct predictions, from decision values (m,) and labels -1 and +1."""
    return float(np.mean(predicted_class(decision) == (y > 0)))
