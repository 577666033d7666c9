"""Decision values, the classes predicted from them, and the accuracy of these predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array


def decision_values(X: Array, W: Array, b: Array) -> Array:
    """Return the decision values f_k(X_i) = <W_k, X_i> + b_k of K machines, shape (m, K).

    X has the shape (m, p, q), W (K, p, q) and b (K,).
    """
    return np.asarray(X.reshape(len(X), W[0].size) @ W.reshape(len(W), -1).T + b)


def predicted_class(decision: Array) -> NDArray[np.intp]:
    """Return the number of the predicted class of each sample.

    Parameters
    ----------
    decision : ndarray of shape (m,), (m, 1) or (m, K)
        One decision value for two classes; for K > 2 the value of each class against the rest.

    Returns
    -------
    ndarray of shape (m,)
        Of two classes 1 where the value is positive, and 0 elsewhere. Of more classes the one with
        the largest value.
    """
    if decision.ndim == 1:
        decision = decision[:, None]
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))


def accuracy(decision: Array, y: Array) -> float:
    """Return the share of correct predictions, given decision values and labels -1 and +1, (m,).

    A decision value of 0 predicts the label -1.
    """
    return float(np.mean(predicted_class(decision) == (y > 0)))
