"""What least squares are constrained by: norms, as a penalty or as a ball (Sugiyama, 24.4)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from smmcore import prox

Array = NDArray[np.float64]

SLACK = 1e-12  # relative; a projection lands on a boundary up to rounding


class Norm(Protocol):
    """A norm of vectors, with its dual, its proximal operator, and the projection on its ball."""

    def value(self, x: Array) -> Array:
        """||x||, over the last axis."""

    def dual(self, s: Array) -> float:
        """The dual norm, max <s, x> over ||x|| <= 1."""

    def prox(self, v: Array, t: float) -> Array:
        """The minimiser of 1/2 ||x - v||^2 + t ||x||."""

    def project(self, v: Array, radius: float) -> Array:
        """The point of ||x|| <= radius that is nearest to v."""


@dataclass(frozen=True)
class Lp:
    """The l_p norm, p from 0 to infinity; below 1 it is no norm, and its ball is not convex.

    References
    ----------
    Sugiyama, section 24.4.2 and Fig. 24.6.
    """

    p: float

    def __post_init__(self) -> None:
        if not self.p >= 0:
            raise ValueError(f"p must be at least 0, got {self.p}")

    def value(self, x: Array) -> Array:
        """||x||_p over the last axis; for p = 0 the number of entries that are not 0."""
        return prox.lp_norm(x, self.p)

    def dual(self, s: Array) -> float:
        """||s||_q with 1/p + 1/q = 1."""
        return float(self._conjugate().value(s))

    def prox(self, v: Array, t: float) -> Array:
        """By Moreau: v minus its projection on the ball of the dual norm."""
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

    References
    ----------
    Sugiyama, section 24.4.4 and Fig. 24.9.
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
        """The largest norm of a group."""
        return float(prox.group_norms(s, self._numbers(s)).max())

    def prox(self, v: Array, t: float) -> Array:
        """See `prox.group_soft_threshold`."""
        return prox.group_soft_threshold(v, self._numbers(v), t)

    def project(self, v: Array, radius: float) -> Array:
        """See `prox.project_group_ball`."""
        return prox.project_group_ball(v, self._numbers(v), radius)

    def _numbers(self, x: Array) -> NDArray[np.intp]:
        """The groups of the entries of x, over its last axis."""
        count = len(self.groups)
        if x.shape[-1:] != (count,):
            raise ValueError(f"the norm of {count} grouped numbers is asked of shape {x.shape}")
        return np.array(self.groups, dtype=np.intp)


@dataclass(frozen=True)
class TraceNorm:
    """The trace norm of a p x q matrix, taken row by row as a vector: the l1 norm of its sigma.

    References
    ----------
    Sugiyama, section 24.4.5 and Fig. 24.10.
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
        """Those of the matrix, descending."""
        return np.asarray(np.linalg.svd(self._matrices(x), compute_uv=False))

    def _matrices(self, x: Array) -> Array:
        p, q = self.shape
        if x.shape[-1:] != (p * q,):
            raise ValueError(f"the norm of {p} x {q} numbers is asked of shape {x.shape}")
        return x.reshape(*x.shape[:-1], p, q)


class Penalty(ABC):
    """A convex function g of the parameters, known by its proximal operator and its conjugate."""

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
        """The largest factor, at most 1, that takes s to where the conjugate is finite."""

    def room(self, z: Array) -> float:
        """The largest factor, at most 1, that takes z to where g is finite."""
        return 1.0


@dataclass(frozen=True)
class Weighted(Penalty):
    """lam ||z||: the penalised form.

    At lam = 0 the only multiple of a residual that is dual feasible is 0, so that without an eta
    nothing is proved of plain least squares.
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
        """The norm's own, at t lam."""
        return self.norm.prox(v, t * self.lam)

    def conjugate(self, s: Array) -> float:
        """0 where the dual norm is at most lam, elsewhere infinity."""
        return 0.0 if self.norm.dual(s) <= self.lam * (1 + SLACK) else np.inf

    def share(self, s: Array) -> float:
        """Lam over the dual norm, or 1."""
        size = self.norm.dual(s)
        return self.lam / size if size > self.lam else 1.0


class Region(Penalty):
    """A set that holds 0 and whatever lies between 0 and its points: the constrained form."""

    @abstractmethod
    def contains(self, x: Array) -> NDArray[np.bool_]:
        """Whether x, over the last axis, lies in the set, up to rounding."""

    @abstractmethod
    def reach(self, directions: Array) -> Array:
        """The largest t with t d in the set, for each direction d of the last axis."""

    @abstractmethod
    def project(self, v: Array) -> Array:
        """The nearest point."""

    def value(self, z: Array) -> float:
        """0 in the set, elsewhere infinity."""
        return 0.0 if self.contains(z) else np.inf

    def prox(self, v: Array, t: float) -> Array:
        """The projection, whatever t."""
        return self.project(v)

    def share(self, s: Array) -> float:
        """1: a bounded set's conjugate is finite."""
        return 1.0

    def room(self, z: Array) -> float:
        """1 in the set, elsewhere how far it reaches towards z."""
        return 1.0 if self.contains(z) else float(self.reach(z))

    def _within(self, z: Array) -> Array:
        """A projection without its rounding, which counts where a far point meets a small ball."""
        return self.room(z) * z


@dataclass(frozen=True)
class Ball(Region):
    """{||x|| <= radius} for any of the norms; the book writes R^2 for the radius, mostly."""

    norm: Norm
    radius: float

    def __post_init__(self) -> None:
        if not 0 < self.radius < np.inf:
            raise ValueError(f"radius must be positive and finite, got {self.radius}")

    def contains(self, x: Array) -> NDArray[np.bool_]:
        """Whether ||x|| <= radius."""
        return np.asarray(self.norm.value(x) <= self.radius * (1 + SLACK))

    def reach(self, directions: Array) -> Array:
        """Radius / ||d||; for p = 0, where scaling changes nothing, 0 or infinity."""
        if self.norm == Lp(0):
            return np.where(self.contains(directions), np.inf, 0.0)
        return self.radius / self.norm.value(directions)

    def project(self, v: Array) -> Array:
        """The norm's own projection, scaled to within the ball."""
        return self._within(self.norm.project(v, self.radius))

    def conjugate(self, s: Array) -> float:
        """Radius times the dual norm."""
        return self.radius * self.norm.dual(s)


@dataclass(frozen=True)
class ElasticBall(Region):
    """{(1 - tau) ||x||_1 + tau ||x||^2 <= bound}, the (l1 + l2)-ball; the bound is the book's R^2.

    References
    ----------
    Sugiyama, section 24.4.3 and Fig. 24.8.
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
        """The least of mu bound + ||[|s| - mu (1 - tau)]_+||^2 / (4 tau mu) over mu > 0.

        With k entries beyond mu (1 - tau) the slope is 0 where mu^2 (4 tau bound + k (1 - tau)^2)
        is the sum of their squares. Any other k has a smaller root, so mu is the largest of them.
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
