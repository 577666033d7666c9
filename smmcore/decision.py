"""Decision values, the classes predicted from them, and the accuracy of these predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def decision_values(X: Array, W: Array, b: Array) -> Array:
    """Return f_k(X_i) = <W_k, X_i> + b_k.

    Parameters
    ----------
    X : ndarray of shape (m, p, q)
    W : ndarray of shape (K, p, q)
    b : ndarray of shape (K,)

    Returns
    -------
    ndarray of shape (m, K)

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.decision import decision_values
    >>> decision_values(np.ones((1, 2, 3)), np.ones((1, 2, 3)), np.array([0.5])).tolist()
    [[6.5]]
    """
    return np.asarray(X.reshape(len(X), W[0].size) @ W.reshape(len(W), -1).T + b)


def predicted_class(decision: Array) -> NDArray[np.intp]:
    """Return the number of the predicted class of each sample.

    Parameters
    ----------
    decision : ndarray of shape (m,), (m, 1) or (m, K)
        <W, X_i> + b. Of two classes there is one value, and class 1 is predicted where it is
        positive, so 0 means class 0. Of K > 2 classes, each against the rest, the class with the
        largest value is predicted, the first of equals.

    Returns
    -------
    ndarray of int, shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.decision import predicted_class
    >>> predicted_class(np.array([0.5, -2.0, 0.0]))
    array([1, 0, 0])
    >>> predicted_class(np.array([[0.5, -2.0, 1.0]]))
    array([2])
    """
    if decision.ndim == 1:
        decision = decision[:, None]
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))


def accuracy(decision: Array, y: Array) -> float:
    """Return the share of correct predictions of two classes.

    Parameters
    ----------
    decision : ndarray of shape (m,)
        <W, X_i> + b; 0 counts as class -1.
    y : ndarray of shape (m,)
        Labels -1 and +1.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.decision import accuracy
    >>> accuracy(np.array([0.5, -2.0]), np.array([1.0, 1.0]))
    0.5
    """
    return float(np.mean(predicted_class(decision) == (y > 0)))
