"""Norms as penalties or constraints of least squares (Sugiyama, section 24.4)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from smmcore.arrays import Array
from smmcore.prox import (
    as_matrix,
    as_vector,
    check_not_negative,
    l1_ball_threshold,
    soft_threshold,
    thin_svd,
    threshold_svd,
    thresholded_svd,
)

SLACK = 1e-12  # relative; a projection is on a boundary only up to rounding
ROOT_EPS = float(np.sqrt(np.finfo(float).eps))


class Norm(Protocol):
    """A norm of vectors, with its dual, its proximal operator and the projection on its ball."""

    def value(self, x: ArrayLike) -> Array:
        """||x||, over the last axis."""

    def dual(self, s: ArrayLike) -> float:
        """The dual norm, max <s, x> over ||x|| <= 1."""

    def prox(self, v: ArrayLike, t: float) -> Array:
        """The minimiser of 1/2 ||x - v||^2 + t ||x||."""

    def project(self, v: ArrayLike, radius: float) -> Array:
        """The point nearest to v with ||x|| <= radius."""


@dataclass(frozen=True)
class Lp:
    """The l_p norm, p from 0 to infinity; for p < 1 it is not a norm and its ball is not convex.

    Parameters
    ----------
    p : float
        At least 0, or infinity.

    References
    ----------
    Sugiyama, section 24.4.2 and Fig. 24.6.

    Examples
    --------
    >>> from smmcore.sugiyama.penalties import Lp
    >>> norm, v = Lp(1), [3.0, -0.5]
    >>> float(norm.value(v)), norm.dual(v)
    (3.5, 3.0)
    >>> norm.prox(v, 1.0)
    array([2., 0.])
    >>> norm.project([3.0, -2.0, 0.5], 2.0)
    array([ 1.5, -0.5,  0. ])
    """

    p: float

    def __post_init__(self) -> None:
        if not self.p >= 0:
            raise ValueError(f"p must be at least 0, got {self.p}")

    def value(self, x: ArrayLike) -> Array:
        """||x||_p over the last axis; for p = 0 the number of nonzero entries."""
        sizes = np.abs(x)
        if self.p == 0:
            return np.asarray(np.count_nonzero(sizes, axis=-1), dtype=float)
        largest = sizes.max(axis=-1)
        if self.p == np.inf:
            return np.asarray(largest)
        scale = np.where(largest > 0, largest, 1.0)  # powers of large numbers would overflow
        powers = (sizes / scale[..., None]) ** self.p
        return np.asarray(scale * powers.sum(axis=-1) ** (1 / self.p))

    def dual(self, s: ArrayLike) -> float:
        """||s||_q with 1/p + 1/q = 1."""
        return float(self._conjugate().value(s))

    def prox(self, v: ArrayLike, t: float) -> Array:
        """v minus its projection on the ball of the dual norm (Moreau's identity)."""
        v = as_vector(v)
        return v - self._conjugate().project(v, t)

    def project(self, v: ArrayLike, radius: float) -> Array:
        """The point nearest to v with ||x||_p <= radius, p at least 1 or 0.

        For p = 0 the `radius` largest entries stay; this nearest point is not unique if some
        entries are equal. For other p the multiplier mu of x + mu p x^(p - 1) = |v| is found by
        root finding.
        """
        p = self.p
        if 0 < p < 1:
            raise ValueError(f"p must be 0 or at least 1 for a projection, got {p}")
        check_not_negative("radius", radius)
        v = as_vector(v)
        if radius == np.inf:
            return v.copy()
        if p == 0:
            kept = np.argsort(-np.abs(v), kind="stable")[: int(min(radius, len(v)))]
            x = np.zeros_like(v)
            x[kept] = v[kept]
            return x
        if p - 1 <= ROOT_EPS:
            # So close to 1 rounding hides the power, and the balls differ by as little.
            return soft_threshold(v, l1_ball_threshold(v, radius))
        if p == np.inf:
            return np.clip(v, -radius, radius)
        if p == 2 or not radius or not np.any(v):  # the direction stays the same
            return v * min(1.0, radius / (float(np.linalg.norm(v)) or 1.0))
        sizes = np.abs(v) / radius

        def shrunk(mu: float) -> Array:
            if not mu:
                return sizes
            c, m = mu * p, p - 1
            return (
                _solve_power(sizes, c, m)
                if m >= 1
                else _solve_power(sizes / c, 1 / c, 1 / m) ** (1 / m)
            )

        x = _at_level(shrunk, lambda x: float(self.value(x)), 1.0)
        return np.asarray(np.sign(v) * x * radius)

    def _conjugate(self) -> Lp:
        if self.p < 1:
            raise ValueError(f"p must be at least 1 for a norm, got {self.p}")
        return Lp(np.inf if self.p == 1 else 1.0 if self.p == np.inf else self.p / (self.p - 1))


@dataclass(frozen=True)
class L12:
    """The l_{1,2} norm, the sum of the l2 norms of groups (group lasso).

    Parameters
    ----------
    groups : tuple of int
        The group of each entry, counted from 0 without gaps.

    References
    ----------
    Sugiyama, section 24.4.4 and Fig. 24.9.

    Examples
    --------
    >>> from smmcore.sugiyama.penalties import L12
    >>> norm, v = L12((0, 0, 1)), [3.0, 4.0, -1.0]
    >>> float(norm.value(v)), norm.dual(v)
    (6.0, 5.0)
    >>> norm.prox(v, 2.5)
    array([ 1.5,  2. , -0. ])
    """

    groups: tuple[int, ...]

    def __post_init__(self) -> None:
        labels = set(self.groups)
        if not labels or sorted(labels) != list(range(len(labels))):
            raise ValueError(f"groups must be counted from 0 without gaps, got {self.groups}")

    def value(self, x: ArrayLike) -> Array:
        """||x||_{1,2}, over the last axis."""
        x = np.asarray(x)
        numbers = self._numbers(x)
        order = np.argsort(numbers, kind="stable")
        firsts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        return np.asarray(np.sqrt(np.add.reduceat((x * x)[..., order], firsts, -1)).sum(axis=-1))

    def dual(self, s: ArrayLike) -> float:
        """The largest l2 norm of a group."""
        return float(self._norms(as_vector(s)).max())

    def prox(self, v: ArrayLike, t: float) -> Array:
        """v with the norm of every group reduced by t, but not below 0."""
        check_not_negative("t", t)
        v = as_vector(v)
        norms = self._norms(v)
        share = np.maximum(norms - t, 0.0) / np.where(norms > 0, norms, 1.0)
        return np.asarray(v * share[self._numbers(v)])

    def project(self, v: ArrayLike, radius: float) -> Array:
        """v with the norms of its groups projected on the l1 ball."""
        return self.prox(v, l1_ball_threshold(self._norms(as_vector(v)), radius))

    def _norms(self, v: Array) -> Array:
        """Return the l2 norm of each group."""
        return np.sqrt(np.bincount(self._numbers(v), v * v))

    def _numbers(self, x: Array) -> NDArray[np.intp]:
        """Return the groups of the entries of x, over its last axis."""
        count = len(self.groups)
        if x.shape[-1:] != (count,):
            raise ValueError(f"x must have {count} entries in its last axis, got shape {x.shape}")
        return np.array(self.groups, dtype=np.intp)


@dataclass(frozen=True)
class TraceNorm:
    """The trace norm of a p x q matrix given row by row as a vector: the sum of singular values.

    Parameters
    ----------
    shape : (int, int)
        p and q, each at least 1.

    References
    ----------
    Sugiyama, section 24.4.5 and Fig. 24.10.

    Examples
    --------
    >>> from smmcore.sugiyama.penalties import TraceNorm
    >>> norm, v = TraceNorm((2, 2)), [3.0, 0.0, 0.0, 1.0]
    >>> float(norm.value(v)), norm.dual(v)
    (4.0, 3.0)
    >>> norm.prox(v, 2.0)
    array([1., 0., 0., 0.])
    """

    shape: tuple[int, int]

    def __post_init__(self) -> None:
        if len(self.shape) != 2 or min(self.shape) < 1:
            raise ValueError(f"shape must be (p, q), each at least 1, got {self.shape}")

    def value(self, x: ArrayLike) -> Array:
        """||X||_tr, over the last axis."""
        return np.asarray(self.singular_values(x).sum(axis=-1))

    def dual(self, s: ArrayLike) -> float:
        """The spectral norm."""
        return float(self.singular_values(s)[0])

    def prox(self, v: ArrayLike, t: float) -> Array:
        """The singular value threshold; the entries are not checked."""
        return thresholded_svd(self._matrices(v), t).matrix.reshape(-1)

    def project(self, v: ArrayLike, radius: float) -> Array:
        """v with its singular values projected on the l1 ball."""
        svd = thin_svd(as_matrix(self._matrices(v)))
        return threshold_svd(svd, l1_ball_threshold(svd.sigma, radius)).matrix.reshape(-1)

    def singular_values(self, x: ArrayLike) -> Array:
        """The singular values of the matrix, descending."""
        return np.asarray(np.linalg.svd(self._matrices(x), compute_uv=False))

    def _matrices(self, x: ArrayLike) -> Array:
        x, (p, q) = np.asarray(x), self.shape
        if x.shape[-1:] != (p * q,):
            raise ValueError(f"x must have {p} x {q} entries in its last axis, got shape {x.shape}")
        return x.reshape(*x.shape[:-1], p, q)


class Penalty(ABC):
    """A convex function g of the parameters, with its proximal operator and its conjugate."""

    @abstractmethod
    def value(self, z: Array) -> float:
        """g(z)."""

    @abstractmethod
    def prox(self, v: Array, t: float) -> Array:
        """The minimiser of 1/2 ||z - v||^2 + t g(z)."""

    @abstractmethod
    def conjugate(self, s: Array) -> float:
        """g*(s) = max <s, z> - g(z)."""

    @abstractmethod
    def share(self, s: Array) -> float:
        """The largest factor a, at most 1, for which g*(a s) is finite."""

    def room(self, z: Array) -> float:
        """The largest factor a, at most 1, for which g(a z) is finite."""
        return 1.0


@dataclass(frozen=True)
class WeightedNorm(Penalty):
    """The penalty g(z) = lam ||z||.

    At lam = 0 the only dual feasible multiple of a residual is 0, so without an eta the duality gap
    of plain least squares proves nothing.

    Parameters
    ----------
    norm : Norm
        Such as `Lp(1)`.
    lam : float
        Weight, at least 0 and finite.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.sugiyama.penalties import Lp, WeightedNorm
    >>> WeightedNorm(Lp(1), 2.0).prox(np.array([3.0, -0.5]), 1.0)
    array([1., 0.])
    """

    norm: Norm
    lam: float

    def __post_init__(self) -> None:
        if not 0 <= self.lam < np.inf:
            raise ValueError(f"lam must be at least 0 and finite, got {self.lam}")

    def value(self, z: Array) -> float:
        return self.lam * float(self.norm.value(z))

    def prox(self, v: Array, t: float) -> Array:
        return self.norm.prox(v, t * self.lam)

    def conjugate(self, s: Array) -> float:
        """0 if the dual norm of s is at most lam, otherwise infinity."""
        return 0.0 if self.norm.dual(s) <= self.lam * (1 + SLACK) else np.inf

    def share(self, s: Array) -> float:
        size = self.norm.dual(s)
        return self.lam / size if size > self.lam else 1.0


class Region(Penalty):
    """A set as a constraint; with each point it contains the segment from 0 to this point."""

    @abstractmethod
    def contains(self, x: Array) -> NDArray[np.bool_]:
        """Whether x, over the last axis, is in the set, up to rounding."""

    @abstractmethod
    def reach(self, directions: Array) -> Array:
        """The largest t with t d in the set, for each direction d over the last axis."""

    @abstractmethod
    def project(self, v: Array) -> Array:
        """The nearest point."""

    def value(self, z: Array) -> float:
        """0 in the set, infinity outside."""
        return 0.0 if self.contains(z) else np.inf

    def prox(self, v: Array, t: float) -> Array:
        """The projection, for any t."""
        return self.project(v)

    def share(self, s: Array) -> float:
        """1, as the conjugate of a bounded set is finite."""
        return 1.0

    def room(self, z: Array) -> float:
        return 1.0 if self.contains(z) else float(self.reach(z))

    def _within(self, z: Array) -> Array:
        """Scale a projection into the set: the rounding of a far point may exceed a small ball."""
        return self.room(z) * z


@dataclass(frozen=True)
class Ball(Region):
    """The ball {||x|| <= radius} of a norm; the book mostly writes R^2 for the radius.

    Parameters
    ----------
    norm : Norm
        Such as `Lp(1)`.
    radius : float
        Positive and finite.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.sugiyama.penalties import Ball, Lp
    >>> Ball(Lp(1), 2.0).project(np.array([3.0, -2.0, 0.5]))
    array([ 1.5, -0.5,  0. ])
    """

    norm: Norm
    radius: float

    def __post_init__(self) -> None:
        if not 0 < self.radius < np.inf:
            raise ValueError(f"radius must be positive and finite, got {self.radius}")

    def contains(self, x: Array) -> NDArray[np.bool_]:
        return np.asarray(self.norm.value(x) <= self.radius * (1 + SLACK))

    def reach(self, directions: Array) -> Array:
        """radius / ||d||; for p = 0, where scaling has no effect, 0 or infinity."""
        if self.norm == Lp(0):
            return np.where(self.contains(directions), np.inf, 0.0)
        return self.radius / self.norm.value(directions)

    def project(self, v: Array) -> Array:
        return self._within(self.norm.project(v, self.radius))

    def conjugate(self, s: Array) -> float:
        """The radius times the dual norm of s."""
        return self.radius * self.norm.dual(s)


@dataclass(frozen=True)
class ElasticBall(Region):
    """The (l1 + l2)-ball {(1 - tau) ||x||_1 + tau ||x||^2 <= bound}; the book writes R^2 for bound.

    Parameters
    ----------
    tau : float
        Share of the squared norm, between 0 and 1.
    bound : float
        Positive and finite.

    References
    ----------
    Sugiyama, section 24.4.3 and Fig. 24.8.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.sugiyama.penalties import ElasticBall
    >>> ElasticBall(0.0, 1.0).project(np.array([2.0, -1.0]))  # at tau = 0 the l1 ball
    array([1., 0.])
    """

    tau: float
    bound: float

    def __post_init__(self) -> None:
        if not 0 <= self.tau <= 1:
            raise ValueError(f"tau must lie between 0 and 1, got {self.tau}")
        if not 0 < self.bound < np.inf:
            raise ValueError(f"bound must be positive and finite, got {self.bound}")

    def contains(self, x: ArrayLike) -> NDArray[np.bool_]:
        return np.asarray(self._size(np.asarray(x, dtype=float)) <= self.bound * (1 + SLACK))

    def reach(self, directions: Array) -> Array:
        """The positive root t of t (1 - tau) ||d||_1 + t^2 tau ||d||^2 = bound."""
        linear = (1 - self.tau) * np.abs(directions).sum(axis=-1)
        square = self.tau * (directions * directions).sum(axis=-1)
        root = np.sqrt(linear * linear + 4 * square * self.bound)
        return np.asarray(2 * self.bound / (linear + root))  # no difference of equal numbers

    def project(self, v: ArrayLike) -> Array:
        v, tau = as_vector(v), self.tau
        nearest = _at_level(
            lambda mu: soft_threshold(v, mu * (1 - tau)) / (1 + 2 * mu * tau),
            lambda x: float(self._size(x)),
            self.bound,
        )
        return self._within(nearest)

    def conjugate(self, s: Array) -> float:
        """The minimum of mu bound + ||[|s| - mu (1 - tau)]_+||^2 / (4 tau mu) over mu > 0.

        If k entries exceed mu (1 - tau), the slope is 0 where mu^2 (4 tau bound + k (1 - tau)^2) is
        the sum of their squares. Any other k has a smaller root, so mu is the largest root.
        """
        sizes = np.sort(np.abs(s))[::-1]
        largest = float(sizes.max(initial=0.0))
        if self.tau == 0 or largest == 0:
            return self.bound * largest
        across = 1 - self.tau
        counts = np.arange(1, len(sizes) + 1)
        roots = np.cumsum(sizes * sizes) / (4 * self.tau * self.bound + counts * across**2)
        mu = float(np.sqrt(roots.max()))
        beyond = np.maximum(sizes - mu * across, 0.0)
        return mu * self.bound + float(beyond @ beyond) / (4 * self.tau * mu)

    def _size(self, x: Array) -> Array:
        """Return the left side of the inequality, over the last axis."""
        return np.asarray((1 - self.tau) * np.abs(x).sum(axis=-1) + self.tau * (x * x).sum(axis=-1))


def _solve_power(a: Array, c: float, m: float) -> Array:
    """Solve x + c x^m = a for x >= 0, entry by entry, m >= 1, by Newton's method from above."""
    x = np.minimum(a, (a / c) ** (1 / m))  # at most twice the root: one term has half of a
    for _ in range(100):  # about log(m) steps that each divide the power by e, and a few more
        power = c * x ** (m - 1)
        new = np.maximum(x - (x + power * x - a) / (1 + m * power), 0.0)
        if (new >= x).all():
            break
        x = new
    return x


def _at_level(
    shrunk: Callable[[float], Array], value: Callable[[Array], float], bound: float
) -> Array:
    """Return shrunk(mu) at the smallest multiplier mu >= 0 with value(shrunk(mu)) <= bound."""
    if value(shrunk(0.0)) <= bound:
        return shrunk(0.0)
    high = 1.0
    while value(shrunk(high)) > bound:
        high *= 2
    # The tolerance is relative to mu, which may be so tiny that bisection takes over 100 steps.
    options = {"xtol": 1e-300, "rtol": 1e-15, "maxiter": 10_000}
    return shrunk(brentq(lambda mu: value(shrunk(mu)) - bound, 0.0, high, **options))
