"""The synthetic data of the SMM paper: block-correlated matrices, noise, correlated pairs."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from smmcore.arrays import Array

Scaling = Literal["as printed", "unit length", "unit variance"]


def column_groups(q: int, n_groups: int) -> NDArray[np.intp]:
    """Return the group of each column, from 0: ceil(l V / q) - 1 for l = 1..q.

    Parameters
    ----------
    q : int
        Number of columns.
    n_groups : int
        V, at least 1 and at most q.

    Returns
    -------
    ndarray of shape (q,)

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 5.1, which prints
    ceil(l / (0.2 q)) and so makes five groups for any V.

    Examples
    --------
    >>> from smmcore.datasets import column_groups
    >>> column_groups(5, 2)
    array([0, 0, 1, 1, 1])
    """
    if not 1 <= n_groups <= q:
        raise ValueError(f"n_groups must be between 1 and q = {q}, got {n_groups}")
    columns = np.arange(1, q + 1)
    return -(-columns * n_groups // q) - 1


def make_block_correlated(
    n_samples: int = 200,
    shape: tuple[int, int] = (20, 25),
    n_groups: int = 4,
    noise: float = 1e-3,
    rank: int | None = None,
    scaling: Scaling = "as printed",
    random_state: int | np.random.Generator | None = None,
    coef: bool = False,
    *,
    positives: float | None = None,
) -> tuple[Array, ...]:
    """Make matrices whose columns form groups of strongly correlated features.

    The values of feature (k, l) in all samples are f_kl = nu_g + epsilon_kl, where g is the group
    of column l, nu_1..nu_V are orthonormal vectors in R^n and epsilon_kl is normal with standard
    deviation `noise`. Then the features are scaled, W of the given rank is drawn, and
    y_i = sign(<W, X_i>) or, for a given share of positives, sign(<W, X_i> - c).

    Parameters
    ----------
    n_samples : int
        n, at least 2.
    shape : (int, int)
        p and q.
    n_groups : int
        V, at most n and q.
    noise : float
        delta, at least 0; before scaling a feature has length about 1 over all samples.
    rank : int, optional
        Rank of W, at most min(p, q); by default 0.2 q, as in the paper, or min(p, q) if smaller.
    scaling : {"as printed", "unit length", "unit variance"}
        Each feature stays, or is divided by its length, or by its standard deviation.
    random_state : int, Generator or None
        Seed of the draws, or their generator; None draws anew each time.
    coef : bool
        Whether to return W as well.
    positives : float, optional
        Share of the samples in class +1, between 0 and 1; each class has at least one sample.

    Returns
    -------
    X : ndarray of shape (n, p, q)
    y : ndarray of shape (n,)
        -1 and +1; W is drawn again until both are present.
    W : ndarray of shape (p, q)
        With `coef` only.

    Raises
    ------
    ValueError
        If a parameter is out of range, or 100 draws of W give one class only.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, section 5.1.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y, W = make_block_correlated(60, (6, 5), random_state=0, coef=True)
    >>> X.shape, y.shape, W.shape
    ((60, 6, 5), (60,), (6, 5))
    """
    p, q = shape
    if rank is None:
        rank = max(1, min(p, q // 5))
    if n_samples < 2:
        raise ValueError(f"n_samples must be at least 2, got {n_samples}")
    if p < 1 or q < 1:
        raise ValueError(f"shape must hold two positive numbers, got {shape}")
    if not 1 <= n_groups <= min(n_samples, q):
        raise ValueError(
            f"n_groups must be between 1 and {min(n_samples, q)} "
            f"(n_samples and the number of columns), got {n_groups}"
        )
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be at least 0 and finite, got {noise}")
    if not 1 <= rank <= min(p, q):
        raise ValueError(f"rank must be between 1 and {min(p, q)}, got {rank}")
    if scaling not in get_args(Scaling):
        raise ValueError(f"scaling must be one of {get_args(Scaling)}, got {scaling!r}")
    if positives is not None and not 0 < positives < 1:
        raise ValueError(f"positives must lie strictly between 0 and 1, got {positives}")

    rng = np.random.default_rng(random_state)
    nu, _ = np.linalg.qr(rng.standard_normal((n_samples, n_groups)))
    X = nu[:, None, column_groups(q, n_groups)] + noise * rng.standard_normal((n_samples, p, q))
    if scaling == "unit length":
        X /= np.linalg.norm(X, axis=0)
    elif scaling == "unit variance":
        X /= X.std(axis=0)
    for _ in range(100):
        W = rng.standard_normal((p, rank)) @ rng.standard_normal((rank, q))
        scores = np.tensordot(X, W)
        least = 0.0
        if positives is not None:
            least = np.sort(scores)[-positive_count(n_samples, positives)]
        y = np.where(scores >= least, 1.0, -1.0)
        if len(np.unique(y)) == 2:
            return (X, y, W) if coef else (X, y)
    raise ValueError(
        f"{n_samples} samples in {n_groups} groups gave one class in 100 draws of W; "
        "use more samples or another random_state"
    )


def positive_count(n_samples: int, share: float) -> int:
    """Return the number of positives among n samples; each class has at least one sample."""
    return int(np.clip(round(share * n_samples), 1, n_samples - 1))


def add_gaussian_noise(
    X: ArrayLike, deviation: float, random_state: int | np.random.Generator | None = None
) -> Array:
    """Add independent normal noise of mean 0 to each entry (SMM paper, section 5.2).

    A classifier sign(f(X)), f(X) = <W, X> + b, is then right with probability
    Phi(y f(X) / (deviation ||W||_F)).

    Parameters
    ----------
    X : array-like
        Samples of any shape; they are not changed.
    deviation : float
        Standard deviation, at least 0, in the unit of X.
    random_state : int, Generator or None
        Seed of the draws, or their generator; None draws anew each time.

    Returns
    -------
    ndarray of the shape of X
    """
    if not 0 <= deviation < np.inf:
        raise ValueError(f"deviation must be at least 0 and finite, got {deviation}")
    X = np.asarray(X, dtype=float)
    return X + deviation * np.random.default_rng(random_state).standard_normal(X.shape)


def add_salt_and_pepper(
    X: ArrayLike,
    density: float,
    random_state: int | np.random.Generator | None = None,
    *,
    salt: float = 1.0,
    pepper: float = 0.0,
) -> Array:
    """Replace random entries of X, half of them by salt and half by pepper.

    Section 5.2 of the SMM paper does not give the values of its noise; 1 and 0 are those of an
    image, and matter only if the entries of X are smaller than 1.

    Parameters
    ----------
    X : array-like
        Samples of any shape; they are not changed.
    density : float
        Probability that an entry is replaced, between 0 and 1.
    random_state : int, Generator or None
        Seed of the draws, or their generator; None draws anew each time.
    salt, pepper : float
        The values, in the unit of X.

    Returns
    -------
    ndarray of the shape of X

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import add_salt_and_pepper
    >>> noisy = add_salt_and_pepper(np.full((5, 3, 2), 0.5), 0.4, random_state=0)
    >>> np.unique(noisy)
    array([0. , 0.5, 1. ])
    """
    if not 0 <= density <= 1:
        raise ValueError(f"density must be between 0 and 1, got {density}")
    X = np.asarray(X, dtype=float)
    chance = np.random.default_rng(random_state).random(X.shape)
    return np.where(chance < density, np.where(chance < density / 2, salt, pepper), X)


def correlated_pair(X: ArrayLike, first: int, second: int, correlation: float) -> Array:
    """Replace a column by a mixture of itself and another column with a given correlation.

    In each row, with f and the old feature centred, the new feature is f' = r f + sqrt(1 - r^2) g
    plus the mean of f, where g is the part of the old feature orthogonal to f, scaled to the length
    of f. So f and f' have the correlation r, and ||f - f'||^2 = 2 (1 - r) ||f - mean f||^2.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples; they are not changed.
    first, second : int
        The column that stays and the one that is replaced, counted from 0.
    correlation : float
        r, between 0 and 1.

    Returns
    -------
    ndarray of shape (n, p, q)

    Raises
    ------
    ValueError
        If r is out of range, or g = 0 in some row as the features are multiples of each other.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import correlated_pair
    >>> X = np.random.default_rng(0).standard_normal((40, 3, 4))
    >>> mixed = correlated_pair(X, 0, 1, 0.9)
    >>> print(f"{np.corrcoef(mixed[:, 2, 0], mixed[:, 2, 1])[0, 1]:.3f}")
    0.900
    """
    if not 0 <= correlation <= 1:
        raise ValueError(f"the correlation must be at least 0 and at most 1, got {correlation}")
    mixed = np.array(X, dtype=float)
    f, old = mixed[:, :, first], mixed[:, :, second]
    if correlation == 1:
        mixed[:, :, second] = f
        return mixed
    mean = f.mean(axis=0)
    f, old = f - mean, old - old.mean(axis=0)
    lengths, before = np.linalg.norm(f, axis=0), np.linalg.norm(old, axis=0)
    g = old - f * (np.sum(f * old, axis=0) / np.where(lengths > 0, lengths, 1.0) ** 2)
    own = np.linalg.norm(g, axis=0)
    if (own <= 1e-9 * before).any():  # g is rounding alone
        raise ValueError(
            f"column {second + 1} is a multiple of column {first + 1} up to a constant, so it "
            "cannot be mixed to a correlation below 1: take columns of two groups, or add noise"
        )
    g *= lengths / own
    mixed[:, :, second] = mean + correlation * f + np.sqrt(1 - correlation**2) * g
    return mixed


def tight_pair(X: ArrayLike, y: ArrayLike, first: int, second: int) -> tuple[Array, Array]:
    """Replace a column so that Lemma 1 is tight at alpha = C: two columns differ by the labels.

    In each row f' = f + s y, with s the standard deviation of f. The last samples of the larger
    class are left out, so that the classes have equal sizes.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples; they are not changed.
    y : array-like of shape (n,)
        Labels -1 and +1.
    first, second : int
        The column that stays and the one that is replaced, counted from 0.

    Returns
    -------
    X : ndarray of shape (m, p, q)
    y : ndarray of shape (m,)
    """
    labels = np.asarray(y, dtype=float)
    m = min(np.count_nonzero(labels < 0), np.count_nonzero(labels > 0))
    kept = np.sort(np.concatenate([np.flatnonzero(labels == label)[:m] for label in (-1, 1)]))
    samples, labels = np.asarray(X, dtype=float)[kept], labels[kept]
    f = samples[:, :, first]
    samples[:, :, second] = f + labels[:, None] * f.std(axis=0)
    return samples, labels
