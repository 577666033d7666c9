"""Matrices with few relevant features: the data of Table 1 in the low-rank SVM paper."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from smmcore.arrays import Array

Protocol = Literal["as printed", "Weston", "one triple"]


def make_low_rank_relevant(
    n_samples: int = 500,
    size: int | None = None,
    noise: float = 0.0,
    random_state: int | np.random.Generator | None = None,
    coef: bool = False,
    *,
    protocol: Protocol = "as printed",
    permute: bool = True,
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Make matrices A X B' where six of the 100 entries of X are relevant features.

    Features 1 to 3 form one triple, 4 to 6 the other. The informative triple has the distributions
    y N(1, 1), y N(2, 1), y N(3, 1); all other features are noise. Each feature is scaled to mean 0
    and standard deviation 1; then all features are permuted and arranged row by row as a 10 x 10
    matrix X.

    Parameters
    ----------
    n_samples : int
        At least 2.
    size : int, optional
        At least 10. A and B are random, size x 10, with orthonormal columns; without a size A and
        B are the identity.
    noise : float
        Standard deviation of the normal noise on each entry of A X B', at least 0.
    random_state : int, Generator or None
        Seed of the draws, or their generator; None draws anew each time.
    coef : bool
        Whether to return W as well.
    protocol : {"as printed", "Weston", "one triple"}
        The informative triple: the first in class +1 and the second in class -1, as the paper
        says; the first in 70 % of the samples of either class, as in Weston's paper, and otherwise
        the second; or always the first. Class +1 has probability 0.7, with "Weston" 0.5.
    permute : bool
        Whether the features are permuted. If not, the six are in one row, so that W has rank 1.

    Returns
    -------
    X : ndarray of shape (n, 10, 10) or (n, size, size)
    y : ndarray of shape (n,)
        -1 and +1; labels are drawn again until both are present.
    W : ndarray of shape (10, 10) or (size, size)
        With `coef` only: the direction that separates the means best without noise.

    Notes
    -----
    As printed, the means are 2 sqrt(7) = 5.29 standard deviations apart, so no classifier has an
    accuracy above 99.63 %; the paper's Table 1 reports 99.90 %.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, section 6. Weston,
    Elisseeff, Schölkopf, Tipping: Use of the zero-norm with linear models and kernel methods, JMLR
    2003.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank_relevant
    >>> X, y, W = make_low_rank_relevant(50, coef=True, random_state=0)
    >>> X.shape, int((W != 0).sum())
    ((50, 10, 10), 6)
    """
    if n_samples < 2:
        raise ValueError(f"n_samples must be at least 2, got {n_samples}")
    if size is not None and size < 10:
        raise ValueError(f"size must be at least 10, got {size}")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be at least 0 and finite, got {noise}")
    if protocol not in get_args(Protocol):
        raise ValueError(f"protocol must be one of {get_args(Protocol)}, got {protocol!r}")
    rng = np.random.default_rng(random_state)
    y = np.ones(n_samples)
    while abs(y.sum()) == n_samples:
        y = np.where(rng.random(n_samples) < (0.5 if protocol == "Weston" else 0.7), 1.0, -1.0)
    first = {
        "as printed": y > 0,
        "Weston": rng.random(n_samples) < 0.7,
        "one triple": y != 0,
    }[protocol]
    x = rng.standard_normal((n_samples, 100))
    informative = np.repeat(np.stack([first, ~first], axis=1), 3, axis=1)
    means = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    x[:, :6] += informative * (y[:, None] * means)
    deviations = x.std(axis=0)
    x = (x - x.mean(axis=0)) / deviations
    w = np.zeros(100)
    w[:6] = means * deviations[:6] * informative.any(axis=0)
    order = rng.permutation(100) if permute else np.arange(100)
    X, W = x[:, order].reshape(-1, 10, 10), w[order].reshape(10, 10)
    if size is not None:
        A, B = (np.linalg.qr(rng.standard_normal((size, 10)))[0] for _ in range(2))
        X, W = A @ X @ B.T, A @ W @ B.T
    X = X + noise * rng.standard_normal(X.shape)
    return (X, y, W) if coef else (X, y)
