"""Decision values, the classes predicted from them, and the accuracy of these predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def decision_values(X: Array, W: Array, b: Array) -> Array:
    """Return f_k(X_i) = <W_k, X_i> + b_k, shape (m, K), of W of shape (K, p, q) and b (K,)."""
    return np.asarray(X.reshape(len(X), W[0].size) @ W.reshape(len(W), -1).T + b)


def predicted_class(decision: Array) -> NDArray[np.intp]:
    """Return the number of the predicted class of each sample, shape (m,).

    With one decision value each, shape (m,) or (m, 1), class 1 is predicted where it is positive,
    and class 0 elsewhere. With K > 2 values, each of a class against the rest, the class with the
    largest value is predicted.
    """
    if decision.ndim == 1:
        decision = decision[:, None]
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))


def accuracy(decision: Array, y: Array) -> float:
    """Return the share of correct predictions of labels -1 and +1; a value of 0 counts as -1."""
    return float(np.mean(predicted_class(decision) == (y > 0)))
