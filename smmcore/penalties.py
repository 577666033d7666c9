"""Norms as penalties or constraints of least squares (Sugiyama, section 24.4)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from smmcore import prox

Array = NDArray[np.float64]

SLACK = 1e-12  # relative; a projection is on a boundary only up to rounding


class Norm(Protocol):
    """A norm of vectors, with its dual, its proximal operator and the projection on its ball."""

    def value(self, x: Array) -> Array:
        """||x||, over the last axis."""

    def dual(self, s: Array) -> float:
        """The dual norm, max <s, x> over ||x|| <= 1."""

    def prox(self, v: Array, t: float) -> Array:
        """The minimiser of 1/2 ||x - v||^2 + t ||x||."""

    def project(self, v: Array, radius: float) -> Array:
        """The point nearest to v with ||x|| <= radius."""


@dataclass(frozen=True)
class Lp:
    """The l_p norm, p from 0 to infinity; for p < 1 it is not a norm and its ball is not convex.

    Parameters
    ----------
    p : float
        At least 0, or infinity.

    Raises
    ------
    ValueError
        If p is negative.

    References
    ----------
    Sugiyama, section 24.4.2 and Fig. 24.6.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import Lp
    >>> norm, v = Lp(1), np.array([3.0, -0.5])
    >>> float(norm.value(v)), norm.dual(v)
    (3.5, 3.0)
    >>> norm.prox(v, 1.0)
    array([2., 0.])
    """

    p: float

    def __post_init__(self) -> None:
        if not self.p >= 0:
            raise ValueError(f"p must be at least 0, got {self.p}")

    def value(self, x: Array) -> Array:
        """||x||_p over the last axis; for p = 0 the number of nonzero entries."""
        return prox.lp_norm(x, self.p)

    def dual(self, s: Array) -> float:
        """||s||_q with 1/p + 1/q = 1."""
        return float(self._conjugate().value(s))

    def prox(self, v: Array, t: float) -> Array:
        """v minus its projection on the ball of the dual norm (Moreau's identity)."""
        return np.asarray(v - self._conjugate().project(v, t))

    def project(self, v: Array, radius: float) -> Array:
        """See `prox.project_lp_ball`."""
        return prox.project_lp_ball(v, self.p, radius)

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
        The group of each entry, counted from 0.

    Raises
    ------
    ValueError
        If the groups are not counted from 0 without gaps.

    References
    ----------
    Sugiyama, section 24.4.4 and Fig. 24.9.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import L12
    >>> norm, v = L12((0, 0, 1)), np.array([3.0, 4.0, -1.0])
    >>> float(norm.value(v)), norm.dual(v)
    (6.0, 5.0)
    """

    groups: tuple[int, ...]

    def __post_init__(self) -> None:
        labels = set(self.groups)
        if not labels or sorted(labels) != list(range(len(labels))):
            raise ValueError(f"groups must be counted from 0 without gaps, got {self.groups}")

    def value(self, x: Array) -> Array:
        """||x||_{1,2}, over the last axis."""
        numbers = self._numbers(x)
        order = np.argsort(numbers, kind="stable")
        firsts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        return np.asarray(np.sqrt(np.add.reduceat((x * x)[..., order], firsts, -1)).sum(axis=-1))

    def dual(self, s: Array) -> float:
        """The largest l2 norm of a group."""
        return float(prox.group_norms(s, self._numbers(s)).max())

    def prox(self, v: Array, t: float) -> Array:
        """See `prox.group_soft_threshold`."""
        return prox.group_soft_threshold(v, self._numbers(v), t)

    def project(self, v: Array, radius: float) -> Array:
        """See `prox.project_group_ball`."""
        return prox.project_group_ball(v, self._numbers(v), radius)

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
        p and q.

    Raises
    ------
    ValueError
        If the shape is not two positive numbers.

    References
    ----------
    Sugiyama, section 24.4.5 and Fig. 24.10.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import TraceNorm
    >>> norm, v = TraceNorm((2, 2)), np.array([3.0, 0.0, 0.0, 1.0])
    >>> float(norm.value(v)), norm.dual(v)
    (4.0, 3.0)
    >>> norm.prox(v, 2.0)
    array([1., 0., 0., 0.])
    """

    shape: tuple[int, int]

    def __post_init__(self) -> None:
        if len(self.shape) != 2 or min(self.shape) < 1:
            raise ValueError(f"shape must be (p, q), each at least 1, got {self.shape}")

    def value(self, x: Array) -> Array:
        """||X||_tr, over the last axis."""
        return np.asarray(self.singular_values(x).sum(axis=-1))

    def dual(self, s: Array) -> float:
        """The spectral norm."""
        return float(self.singular_values(s)[0])

    def prox(self, v: Array, t: float) -> Array:
        """See `prox.thresholded_svd`."""
        return prox.thresholded_svd(self._matrices(v), t).matrix.reshape(-1)

    def project(self, v: Array, radius: float) -> Array:
        """See `prox.project_trace_ball`."""
        return prox.project_trace_ball(self._matrices(v), radius).reshape(-1)

    def singular_values(self, x: Array) -> Array:
        """The singular values of the matrix, descending."""
        return np.asarray(np.linalg.svd(self._matrices(x), compute_uv=False))

    def _matrices(self, x: Array) -> Array:
        p, q = self.shape
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
        Weight, at least 0.

    Raises
    ------
    ValueError
        If lam is negative or not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import Lp, WeightedNorm
    >>> WeightedNorm(Lp(1), 2.0).prox(np.array([3.0, -0.5]), 1.0)
    array([1., 0.])
    """

    norm: Norm
    lam: float

    def __post_init__(self) -> None:
        if not 0 <= self.lam < np.inf:
            raise ValueError(f"lam must be at least 0 and finite, got {self.lam}")

    def value(self, z: Array) -> float:
        """lam ||z||."""
        return self.lam * float(self.norm.value(z))

    def prox(self, v: Array, t: float) -> Array:
        """The proximal operator of the norm at t lam."""
        return self.norm.prox(v, t * self.lam)

    def conjugate(self, s: Array) -> float:
        """0 if the dual norm of s is at most lam, otherwise infinity."""
        return 0.0 if self.norm.dual(s) <= self.lam * (1 + SLACK) else np.inf

    def share(self, s: Array) -> float:
        """min(1, lam / dual norm of s)."""
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
        """1 in the set, outside the largest factor that keeps z in it."""
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
        Positive.

    Raises
    ------
    ValueError
        If the radius is not positive and finite.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import Ball, Lp
    >>> Ball(Lp(1), 2.0).project(np.array([3.0, -2.0, 0.5]))
    array([ 1.5, -0.5,  0. ])
    """

    norm: Norm
    radius: float

    def __post_init__(self) -> None:
        if not 0 < self.radius < np.inf:
            raise ValueError(f"radius must be positive and finite, got {self.radius}")

    def contains(self, x: Array) -> NDArray[np.bool_]:
        """Whether ||x|| <= radius."""
        return np.asarray(self.norm.value(x) <= self.radius * (1 + SLACK))

    def reach(self, directions: Array) -> Array:
        """radius / ||d||; for p = 0, where scaling has no effect, 0 or infinity."""
        if self.norm == Lp(0):
            return np.where(self.contains(directions), np.inf, 0.0)
        return self.radius / self.norm.value(directions)

    def project(self, v: Array) -> Array:
        """The projection of the norm, scaled into the ball."""
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
        Positive.

    Raises
    ------
    ValueError
        If tau or the bound is out of range.

    References
    ----------
    Sugiyama, section 24.4.3 and Fig. 24.8.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.penalties import ElasticBall
    >>> bool(ElasticBall(0.5, 1.0).contains(np.array([1.0, 0.0])))
    True
    """

    tau: float
    bound: float

    def __post_init__(self) -> None:
        if not 0 <= self.tau <= 1:
            raise ValueError(f"tau must lie between 0 and 1, got {self.tau}")
        if not 0 < self.bound < np.inf:
            raise ValueError(f"bound must be positive and finite, got {self.bound}")

    def contains(self, x: Array) -> NDArray[np.bool_]:
        """Whether the inequality holds."""
        return np.asarray(prox.elastic_value(x, self.tau) <= self.bound * (1 + SLACK))

    def reach(self, directions: Array) -> Array:
        """The positive root t of t (1 - tau) ||d||_1 + t^2 tau ||d||^2 = bound."""
        linear = (1 - self.tau) * np.abs(directions).sum(axis=-1)
        square = self.tau * (directions * directions).sum(axis=-1)
        root = np.sqrt(linear * linear + 4 * square * self.bound)
        return np.asarray(2 * self.bound / (linear + root))  # no difference of equal numbers

    def project(self, v: Array) -> Array:
        """See `prox.project_elastic_ball`."""
        return self._within(prox.project_elastic_ball(v, self.tau, self.bound))

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
