"""The quadratic programme behind every hinge loss here: a box and one linear constraint.

A primal active set on the Gram matrix. A feasible start stays feasible, every step ascends, and
bounds are met exactly, so that whoever certifies the answer can rely on lower <= a <= upper.
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


class Solution(NamedTuple):
    """Where the ascent ended."""

    alpha: Array  # (n,)
    offset: float  # multiplier of the linear constraint: the intercept of a hinge loss
    violation: float  # largest violation of the KKT conditions, in the unit of `linear`


def maximise(
    K: Array,
    linear: Array,
    y: Array,
    lower: Array,
    upper: Array,
    start: Array,
    tolerance: float = 1e-10,
) -> Solution:
    """Maximise linear @ a - 1/2 a' K a over lower <= a <= upper with y @ a = y @ start.

    The problem of Theorem 4 (SMM paper, eq. 11). The answer is a function of the arguments alone,
    also where K is singular and the answer is one of many: nothing is remembered between calls.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric and positive semi-definite.
    linear, y : ndarray of shape (n,)
        The linear term; the signs of the constraint, -1 or +1.
    lower, upper, start : ndarray of shape (n,)
        The box, and a point in it.
    tolerance : float
        Largest violation of the KKT conditions that ends the ascent, in the unit of `linear`. It is
        absolute, for a relative one stalls where the box is large; rounding is allowed for.
    """
    norms = np.sqrt(np.diag(K))
    a, total = start.copy(), float(y @ start)
    at_once = len(a)  # how many indices may leave their bounds in one step
    for _ in range(100):
        before = _without_drift(a, y, lower, upper, total)
        a, gradient = before.copy(), linear - K @ before  # afresh: steps have let rounding in
        for _ in range(100 * len(a)):
            kkt = _kkt(a, gradient, y, lower, upper)
            rounding = 4 * np.finfo(float).eps * norms.max() * float(norms @ np.abs(a))
            if kkt.violation <= tolerance + rounding:
                break
            for F, new, growth in _steps(K, a, gradient, y, lower, upper, kkt, at_once):
                new = _snapped(new, upper[F])
                change = new - a[F]
                K_change = change @ K[F]
                slope = (gradient[F] - kkt.offset * y[F]) @ change  # immune to drift in y @ a
                if slope > 0.5 * change @ K_change[F]:
                    a[F] = new
                    gradient -= K_change
                    at_once = min(max(int(growth * at_once), 1), len(a))
                    break
            else:
                break  # not even the worst pair ascends: what is left is rounding
        if (a == before).all():
            break
    return Solution(a, kkt.offset, kkt.violation)


class _KKT(NamedTuple):
    """At a solution some offset separates those that could rise from those that could fall."""

    offset: float
    violation: float
    worst: tuple[int, int]  # rises, falls
    excess: Array  # by how much each index is on the wrong side of the offset


def _kkt(a: Array, gradient: Array, y: Array, lower: Array, upper: Array) -> _KKT:
    signed = y * gradient
    rises = np.where(np.where(y > 0, a < upper, a > lower), signed, -np.inf)
    falls = np.where(np.where(y > 0, a > lower, a < upper), signed, np.inf)
    i, j = int(rises.argmax()), int(falls.argmin())
    if np.isinf(rises[i]) or np.isinf(falls[j]):  # one side only: nothing can move
        ends = [float(end) for end in (rises[i], falls[j]) if np.isfinite(end)]
        return _KKT(ends[0] if ends else 0.0, 0.0, (i, j), np.zeros_like(a))
    offset = 0.5 * float(rises[i] + falls[j])
    excess = np.maximum(rises - offset, offset - falls)
    return _KKT(offset, float(rises[i] - falls[j]), (i, j), excess)


def _steps(
    K: Array,
    a: Array,
    gradient: Array,
    y: Array,
    lower: Array,
    upper: Array,
    kkt: _KKT,
    at_once: int,
) -> Iterator[tuple[Indices, Array, float]]:
    """Steps from the boldest to the surest: many indices at once, one more, the worst pair."""
    # Where K is flat a bold step should be about as long as the box, and no longer at the end.
    damping = 0.03 * kkt.violation / float((upper - lower).max())
    free = (lower < a) & (a < upper)
    inner = np.flatnonzero(free)
    bound = np.flatnonzero(~free & (kkt.excess > 0))
    bound = bound[np.argsort(-kkt.excess[bound], kind="stable")]
    if at_once > 1 and len(bound):
        F = np.union1d(inner, bound[:at_once])
        step = _newton(K, gradient, y, F, damping)
        for share in _SHARES:
            yield F, _project(a, share * step, y, lower, upper, F), 2.0 if share == 1 else 1.0
    if len(inner):
        # An index that joins moves into the box only if those within it have settled.
        settled = len(inner) == 1 or np.ptp((y * gradient)[inner]) <= 0.1 * kkt.violation
        F = np.union1d(inner, bound[:1]) if settled else inner
        step = _newton(K, gradient, y, F, 0.0 if settled else damping)
        if not settled:
            for share in _SHARES:
                yield F, _project(a, share * step, y, lower, upper, F), 0.5
        yield F, _to_the_wall(a[F], step, lower[F], upper[F]), 0.5
    F = np.array(kkt.worst)
    curvature = K[F[0], F[0]] + K[F[1], F[1]] - 2 * y[F[0]] * y[F[1]] * K[F[0], F[1]]
    length = kkt.violation / max(curvature, 1e-14 * float(np.diag(K)[F].max()), 1e-300)
    yield F, _to_the_wall(a[F], y[F] * (length, -length), lower[F], upper[F]), 0.5


def _newton(K: Array, gradient: Array, y: Array, F: Indices, damping: float = 0.0) -> Array:
    """The step to the maximum over the indices F alone, bounds ignored, y @ step = 0.

    Adding y y' to K changes nothing on y @ step = 0, but takes y out of the null space of K; a
    ridge at rounding level does the rest, and a step in the null space is then so long that it
    ends at a bound, as it should.
    """
    yF, diagonal = y[F], np.diag(K)[F]
    # In units in which the diagonal is 1: one large sample would drown the others in the ridge.
    unit = np.where(diagonal > 0, 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)
    sign = unit * yF / unit.max()
    H = unit[:, None] * K[np.ix_(F, F)] * unit + np.outer(sign, sign)
    H[np.diag_indices(len(F))] += 1e-13 * len(F) + damping * unit**2
    factor = cho_factor(H, lower=True, overwrite_a=True, check_finite=False)
    sides = unit * np.array([gradient[F], yF])
    along, across = unit * cho_solve(factor, sides.T, check_finite=False).T
    step = along - across * ((yF @ along) / (yF @ across))
    return np.asarray(step - yF * ((yF @ step) / len(F)))


def _to_the_wall(a: Array, step: Array, lower: Array, upper: Array) -> Array:
    """a + step, or as far on the way as the box goes."""
    wall = np.where(step > 0, upper, lower)
    share = np.divide(wall - a, step, out=np.full_like(a, np.inf), where=step != 0)
    s = min(1.0, share.min())
    return np.where(share <= s, wall, np.clip(a + s * step, lower, upper))


def _project(a: Array, step: Array, y: Array, lower: Array, upper: Array, F: Indices) -> Array:
    """The nearest point to a + step in the box with y @ a kept (Euclidean), on the indices F."""
    a, y, lower, upper = a[F], y[F], lower[F], upper[F]
    room = 4 * float((upper - lower).max())  # farther out, y @ a would lose its digits
    z = a + step * (room / max(room, float(np.abs(step).max())))
    total = float(y @ a)
    # In u = y a the projection is a shift, clipped; its sum is piecewise linear in the shift, and
    # Newton's method, kept within a bracket, finds the root.
    low, high = np.minimum(y * lower, y * upper), np.maximum(y * lower, y * upper)
    u, shift = y * z, 0.0
    below, above = float((low - u).min()), float((high - u).max())
    for _ in range(100):
        moved = np.clip(u + shift, low, high)
        excess = float(moved.sum()) - total
        if abs(excess) <= np.finfo(float).eps * float(np.abs(moved).sum()):
            break
        below, above = (below, shift) if excess > 0 else (shift, above)
        inside = np.count_nonzero((low < moved) & (moved < high))
        new = shift - excess / inside if inside else 0.5 * (below + above)
        if not below < new < above:
            new = 0.5 * (below + above)
        if new == shift:
            break
        shift = new
    return y * np.clip(u + shift, low, high)


def _snapped(a: Array, upper: Array) -> Array:
    """Put on the bound what misses it by rounding (the lower one, 0, is met by clipping)."""
    return np.where(a >= upper * (1 - 4 * np.finfo(float).eps), upper, a)


def _without_drift(a: Array, y: Array, lower: Array, upper: Array, total: float) -> Array:
    """Spread what rounding has added to y @ a over the free indices."""
    free = (lower < a) & (a < upper)
    drift = (float(y @ a) - total) / max(int(free.sum()), 1)
    return np.asarray(np.clip(a - np.where(free, y * drift, 0.0), lower, upper))
