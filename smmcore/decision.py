"""Decision values, the classes predicted from them, and the accuracy of these predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def decision_values(
    X: Array,  # (m, p, q)
    W: Array,  # (K, p, q)
    b: Array,  # (K,)
) -> Array:  # (m, K)
    """Return f_k(X_i) = <W_k, X_i> + b_k."""
    return np.asarray(X.reshape(len(X), W[0].size) @ W.reshape(len(W), -1).T + b)


def predicted_class(
    decision: Array,  # (m,), (m, 1) or (m, K)
) -> NDArray[np.intp]:
    """Return the number of the predicted class of each sample, shape (m,).

    With one decision value each, class 1 is predicted where it is positive, and class 0 elsewhere.
    With K > 2 values, each of a class against the rest, the class with the largest value is
    predicted.
    """
    if decision.ndim == 1:
        decision = decision[:, None]
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))


def accuracy(
    decision: Array,  # (m,)
    y: Array,  # (m,), -1 or +1
) -> float:
    """Return the share of correct predictions, where a decision value of 0 counts as class -1."""
    return float(np.mean(predicted_class(decision) == (y > 0)))
