"""Regression data whose true model is sparse in coefficients, steps or singular values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smmcore.arrays import Array

Seed = int | np.random.Generator | None


class Curve(NamedTuple):
    """A noisy function of one variable."""

    x: Array  # (n,)
    y: Array  # (n,)
    truth: Array  # (n,), y without its noise


class Regression(NamedTuple):
    """Samples of a linear model."""

    X: Array  # (n, d) or (n, p, q)
    y: Array  # (n,)
    coef: Array  # (d,) or (p, q)


def make_sinc(n: int = 50, noise: float = 0.2, random_state: Seed = None) -> Curve:
    """Make the data of the book's kernel models: sin(pi x) / (pi x) + 0.1 x + noise on [-3, 3].

    Parameters
    ----------
    n : int
        Number of samples, at least 1.
    noise : float
        Standard deviation of the noise in y, at least 0.
    random_state : int, Generator or None
        Seed of the draws, or their generator; None draws anew each time.

    Returns
    -------
    Curve
        x, y and the truth, y without its noise, each of shape (n,).

    References
    ----------
    Sugiyama, listing of Fig. 24.4, which divides 0 by 0 if n is odd.

    Examples
    --------
    >>> from smmcore.datasets import make_sinc
    >>> x, y, truth = make_sinc(random_state=0)
    >>> x.shape, y.shape, truth.shape
    ((50,), (50,), (50,))
    """
    _check(n, noise)
    x = np.linspace(-3, 3, n)
    truth = np.sinc(x) + 0.1 * x
    return Curve(x, truth + noise * np.random.default_rng(random_state).standard_normal(n), truth)


def make_steps(
    n: int = 200, n_steps: int = 6, noise: float = 0.3, random_state: Seed = None
) -> Curve:
    """Make a piecewise constant signal with jumps of at least 1, for total variation denoising.

    Parameters
    ----------
    n, noise, random_state : optional
        As in `make_sinc`, and so is what is returned.
    n_steps : int
        Number of constant pieces, at most n / 2.

    Returns
    -------
    Curve

    References
    ----------
    Sugiyama, section 24.4.1.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_steps
    >>> x, y, truth = make_steps(n_steps=6, random_state=0)
    >>> int((np.diff(truth) != 0).sum())
    5
    """
    _check(n, noise)
    if not 1 <= n_steps <= n / 2:
        raise ValueError(f"n_steps must be between 1 and n / 2 = {n / 2:g}, got {n_steps}")
    rng = np.random.default_rng(random_state)
    ends = 2 * np.sort(rng.choice(np.arange(1, n // 2), n_steps - 1, replace=False))
    jumps = rng.uniform(1, 3, n_steps - 1) * rng.choice([-1.0, 1.0], n_steps - 1)
    truth = np.zeros(n)
    truth[ends] = jumps
    truth = np.cumsum(truth)
    return Curve(np.arange(n) / n, truth + noise * rng.standard_normal(n), truth)


def make_low_rank(
    n: int = 100,
    shape: tuple[int, int] = (12, 10),
    rank: int = 2,
    noise: float = 0.1,
    random_state: Seed = None,
) -> Regression:
    """Make normal matrices X_i and y_i = <Theta, X_i> + noise with a Theta of a given rank.

    ||Theta||_F = 1, so without noise y has the standard deviation 1.

    Parameters
    ----------
    n, noise, random_state : optional
        As in `make_sinc`.
    shape : (int, int)
        p and q.
    rank : int
        At most min(p, q).

    Returns
    -------
    Regression
        X of shape (n, p, q), y of shape (n,) and coef of shape (p, q).

    References
    ----------
    Sugiyama, section 24.4.5.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_low_rank
    >>> X, y, coef = make_low_rank(rank=2, random_state=0)
    >>> X.shape, y.shape, int(np.linalg.matrix_rank(coef))
    ((100, 12, 10), (100,), 2)
    """
    _check(n, noise)
    p, q = shape
    if not 1 <= rank <= min(p, q):
        raise ValueError(f"rank must be between 1 and {min(p, q)}, got {rank}")
    rng = np.random.default_rng(random_state)
    theta = rng.standard_normal((p, rank)) @ rng.standard_normal((rank, q))
    theta /= np.linalg.norm(theta)
    X = rng.standard_normal((n, p, q))
    return Regression(X, np.tensordot(X, theta) + noise * rng.standard_normal(n), theta)


def _check(n: int, noise: float) -> None:
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be at least 0 and finite, got {noise}")
