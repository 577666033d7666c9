"""The quadratic programme behind every hinge loss here: a box and a fixed sum.

A primal active set on the Gram matrix. A feasible start stays feasible, every step ascends, and
bounds are met exactly, so that whoever certifies the answer can rely on lower <= u <= upper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

_SHARES = (1.0, 0.25, 0.0625)  # of a Newton step, before it is projected on the box
_EPS = float(np.finfo(float).eps)


class Solution(NamedTuple):
    """Where the ascent ended."""

    u: Array  # (n,)
    offset: float  # multiplier of the fixed sum: the intercept of a hinge loss
    violation: float  # largest violation of the KKT conditions, in the unit of `linear`


class _Box(NamedTuple):
    lower: Array
    upper: Array

    def of(self, F: Indices) -> _Box:
        return _Box(self.lower[F], self.upper[F])

    def inside(self, u: Array) -> NDArray[np.bool_]:
        return (self.lower < u) & (u < self.upper)

    @property
    def widths(self) -> Array:
        return self.upper - self.lower


def maximise(
    K: Array,
    linear: Array,
    lower: Array,
    upper: Array,
    start: Array,
    tolerance: float = 1e-10,
    total: float = 0.0,
) -> Solution:
    """Maximise linear @ u - 1/2 u' K u over lower <= u <= upper with sum(u) = total.

    The problem of Theorem 4 (SMM paper, eq. 11) in u = y alpha: K is then the Gram matrix of the
    samples, whatever their labels. The answer is a function of the arguments alone, also where K is
    singular and the answer is one of many: nothing is remembered between calls.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric and positive semi-definite.
    linear, lower, upper, start : ndarray of shape (n,)
        The linear term; the box, and a point in it whose sum is right up to rounding.
    tolerance : float
        Largest violation of the KKT conditions that ends the ascent, in the unit of `linear`. It is
        absolute, for a relative one stalls where the box is large; rounding is allowed for.
    total : float
        What the sum is to be. Not that of `start`: its rounding would stay when u shrinks.
    """
    box, norms = _Box(lower, upper), np.sqrt(np.diag(K))
    u = start.copy()
    at_once = len(u)  # how many indices may leave their bounds in one step
    for _ in range(100):
        before = _without_drift(u, box, total)
        u, gradient = before.copy(), linear - K @ before  # afresh: steps have let rounding in
        for _ in range(50 * len(u)):
            kkt = _kkt(u, gradient, box)
            rounding = 4 * _EPS * norms.max() * float(norms @ np.abs(u))
            if kkt.violation <= tolerance + rounding:
                break
            for F, new, growth in _steps(K, box, u, gradient, kkt, at_once):
                new = _snapped(new, box.of(F))
                change = new - u[F]
                K_change = change @ K[F]
                slope = (gradient[F] - kkt.offset) @ change  # immune to drift in the sum
                if slope > 0.5 * change @ K_change[F]:
                    u[F] = new
                    gradient -= K_change
                    at_once = min(max(int(growth * at_once), 1), len(u))
                    break
            else:
                break  # not even the worst pair ascends: what is left is rounding
        if (u == before).all():
            break
    return Solution(u, kkt.offset, kkt.violation)


class _KKT(NamedTuple):
    """At a solution some offset separates those that could rise from those that could fall."""

    offset: float
    violation: float
    worst: tuple[int, int]  # rises, falls
    excess: Array  # by how much each index is on the wrong side of the offset


def _kkt(u: Array, gradient: Array, box: _Box) -> _KKT:
    rises = np.where(u < box.upper, gradient, -np.inf)
    falls = np.where(u > box.lower, gradient, np.inf)
    i, j = int(rises.argmax()), int(falls.argmin())
    if np.isinf(rises[i]) or np.isinf(falls[j]):  # one side only: nothing can move
        ends = [float(end) for end in (rises[i], falls[j]) if np.isfinite(end)]
        return _KKT(ends[0] if ends else 0.0, 0.0, (i, j), np.zeros_like(u))
    offset = 0.5 * float(rises[i] + falls[j])
    excess = np.maximum(rises - offset, offset - falls)
    return _KKT(offset, float(rises[i] - falls[j]), (i, j), excess)


def _steps(
    K: Array, box: _Box, u: Array, gradient: Array, kkt: _KKT, at_once: int
) -> Iterator[tuple[Indices, Array, float]]:
    """Steps from the boldest to the surest: many indices at once, one more, the worst pair."""
    # Where K is flat a bold step should be about as long as the box, and no longer at the end.
    damping = 0.03 * kkt.violation / float(box.widths[box.widths > 0].min())
    free = box.inside(u)
    inner = np.flatnonzero(free)
    bound = np.flatnonzero(~free & (kkt.excess > 0))
    bound = bound[np.argsort(-kkt.excess[bound], kind="stable")]
    if at_once > 1 and len(bound):
        F = np.union1d(inner, bound[:at_once])
        step = _newton(K, gradient, F, damping)
        for share in _SHARES:
            yield (
                F,
                _project(u[F], share * step, box.of(F), float(u[F].sum())),
                2.0 if share == 1 else 1.0,
            )
    if len(inner):
        # An index that joins moves into the box only if those within it have settled.
        settled = len(inner) == 1 or np.ptp(gradient[inner]) <= 0.1 * kkt.violation
        F = np.union1d(inner, bound[:1]) if settled else inner
        step = _newton(K, gradient, F, 0.0 if settled else damping)
        if not settled:
            for share in _SHARES:
                yield F, _project(u[F], share * step, box.of(F), float(u[F].sum())), 0.5
        yield F, _to_the_wall(u[F], step, box.of(F)), 0.5
    F = np.array(kkt.worst)
    curvature = K[F[0], F[0]] + K[F[1], F[1]] - 2 * K[F[0], F[1]]
    length = kkt.violation / max(curvature, 1e-14 * float(np.diag(K)[F].max()), 1e-300)
    yield F, _to_the_wall(u[F], np.array([length, -length]), box.of(F)), 0.5


def _newton(K: Array, gradient: Array, F: Indices, damping: float = 0.0) -> Array:
    """The step to the maximum over the indices F alone, bounds ignored, its sum 0.

    Adding a constant to K changes nothing where the sum is 0, but takes the constant vector out of
    the null space of K; a ridge at rounding level does the rest, and a step in the null space is
    then so long that it ends at a bound, as it should.
    """
    diagonal = np.diag(K)[F]
    # In units in which the diagonal is 1: one large sample would drown the others in the ridge.
    unit = np.where(diagonal > 0, 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)
    constant = unit / unit.max()
    H = unit[:, None] * K[np.ix_(F, F)] * unit + np.outer(constant, constant)
    H[np.diag_indices(len(F))] += 1e-13 * len(F) + damping * unit**2
    factor = cho_factor(H, lower=True, overwrite_a=True, check_finite=False)
    sides = unit * np.array([gradient[F], np.ones(len(F))])
    along, across = unit * cho_solve(factor, sides.T, check_finite=False).T
    step = along - across * (along.sum() / across.sum())
    return np.asarray(step - step.mean())


def _to_the_wall(u: Array, step: Array, box: _Box) -> Array:
    """u + step, or as far on the way as the box goes."""
    wall = np.where(step > 0, box.upper, box.lower)
    share = np.divide(wall - u, step, out=np.full_like(u, np.inf), where=step != 0)
    s = min(1.0, share.min())
    return np.where(share <= s, wall, np.clip(u + s * step, *box))


def _project(u: Array, step: Array, box: _Box, total: float) -> Array:
    """The nearest point to u + step in the box with a given sum (Euclidean)."""
    room = 4 * float(box.widths.max())  # farther out, the sum would lose its digits
    z = u + step * (room / max(room, float(np.abs(step).max())))
    # The projection is a shift, clipped; its sum is piecewise linear in the shift, and Newton's
    # method, kept within a bracket, finds the root.
    shift, below, above = 0.0, float((box.lower - z).min()), float((box.upper - z).max())
    for _ in range(100):
        moved = np.clip(z + shift, *box)
        excess = float(moved.sum()) - total
        if abs(excess) <= _EPS * float(np.abs(moved).sum()):
            break
        below, above = (below, shift) if excess > 0 else (shift, above)
        inside = np.count_nonzero(box.inside(moved))
        new = shift - excess / inside if inside else 0.5 * (below + above)
        if not below < new < above:
            new = 0.5 * (below + above)
        if new == shift:
            break
        shift = new
    return np.clip(z + shift, *box)


def _snapped(u: Array, box: _Box) -> Array:
    """Put on the bound what misses it by rounding."""
    lower, upper = box
    u = np.where(u >= upper - 4 * _EPS * np.abs(upper), upper, u)
    return np.where(u <= lower + 4 * _EPS * np.abs(lower), lower, u)


def _without_drift(u: Array, box: _Box, total: float) -> Array:
    """Take back what rounding has added to the sum of u: from the free indices, if these can."""
    free = box.inside(u)
    drift = (float(u.sum()) - total) / max(int(free.sum()), 1)
    u = np.clip(u - np.where(free, drift, 0.0), *box)
    left = float(u.sum()) - total
    if abs(left) > 1e-14 * float(np.abs(u).sum()):
        u = _project(u, np.zeros_like(u), box, total)
    return np.asarray(u)
