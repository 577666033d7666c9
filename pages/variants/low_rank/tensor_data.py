"""Tensors whose classes differ along one direction of rank 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LabelledTensors(NamedTuple):
    """Tensors of two classes, and the W that separates them."""

    X: Array  # (n, p, q, ...)
    y: Array  # (n,), -1 and +1
    coef: Array  # (p, q, ...)


def make_rank_one_tensors(
    n_samples: int = 150,
    shape: tuple[int, ...] = (8, 8, 4),
    random_state: int | np.random.Generator | None = None,
) -> LabelledTensors:
    """Make tensors of independent normal entries with the labels sign <W, X_i>, W of rank 1.

    W is the outer product of one normal vector for each axis, a o b o c for three axes.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, section 4.3.
    """
    if n_samples < 2:
        raise ValueError(f"n_samples must be at least 2, got {n_samples}")
    if not shape or min(shape) < 1:
        raise ValueError(f"shape must have one axis or more, each of 1 or more, got {shape}")
    rng = np.random.default_rng(random_state)
    W = np.ones(())
    for length in shape:
        W = np.multiply.outer(W, rng.standard_normal(length))
    X = rng.standard_normal((n_samples, *shape))
    y = np.where(X.reshape(n_samples, -1) @ W.ravel() > 0, 1.0, -1.0)
    return LabelledTensors(X, y, W)
