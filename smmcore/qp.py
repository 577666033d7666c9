"""The quadratic programme of the hinge losses, with a box and a fixed sum as constraints.

A primal active-set method on the Gram matrix. All iterates are feasible, every step increases the
objective, and bounds are met exactly, so that certificates can rely on lower <= u <= upper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dpotrf, dpotrs

from smmcore.arrays import Array

Indices = NDArray[np.intp]

# Half and double of each figure below were tried on 72 programmes (seeds 600 to 623 of
# `tests.benchmarks.choice`, 300 samples at three C) and in Newton's method (seeds 300 to 329). They
# take as many steps within 5 % but where another figure is given.

# Of a Newton step, tried before the projection on the box. Without the last, 500 samples in blocks
# take 1.8 times as long; one more takes 9 to 15 % more steps.
_SHARES = (1.0, 0.25, 0.0625)
_RIDGES = 10  # each 100 times the one before: from the level of rounding to above all entries
EPS = float(np.finfo(float).eps)


class Solution(NamedTuple):
    """The end of the ascent."""

    u: Array  # (n,)
    offset: float  # multiplier of the fixed sum: the intercept of a hinge loss
    violation: float  # largest violation of the KKT conditions, in the unit of `linear`
    settled: bool  # whether the violation is within the tolerance and the gradient's rounding
    steps: int  # number of steps, at most `most`


class _Box(NamedTuple):
    lower: Array
    upper: Array

    def of(self, F: Indices | NDArray[np.bool_]) -> _Box:
        return _Box(self.lower[F], self.upper[F])

    def inside(self, u: Array) -> NDArray[np.bool_]:
        return (self.lower < u) & (u < self.upper)


def maximise(
    K: Array,  # (n, n), symmetric and positive semi-definite
    linear: Array,  # (n,)
    lower: Array,  # (n,)
    upper: Array,  # (n,)
    start: Array,  # (n,), in the box, with the given sum up to rounding
    tolerance: float = 1e-10,  # violation of the KKT conditions at the end, in units of `linear`
    total: float = 0.0,  # not taken from `start`, whose rounding would remain when u shrinks
    most: int | None = None,  # steps; by default 50 n + 1000, while few problems need 3 n
) -> Solution:
    """Maximise linear @ u - 1/2 u' K u over lower <= u <= upper with sum(u) = total.

    This is the problem of Theorem 4 (SMM paper, eq. 11) in u = y alpha; K is then the Gram matrix
    of the samples, which does not depend on the labels. The solution depends on the arguments
    alone, even if K is singular and the solution is not unique. Its value is below the maximum by
    at most `violation` times half the sum of the box's widths, which may differ by any factor.

    The tolerance is absolute, as a relative one would stall with a large box, but rounding is
    allowed for: the gradient at index i may have the error 4 eps times |linear_i| + sqrt(K_ii)
    sum_j sqrt(K_jj) |u_j|. It is larger where K_ii is large, and the other indices keep theirs.

    Notes
    -----
    An index is free if its u is inside the box. Each iteration takes the first of these steps whose
    gain exceeds its rounding error, and ends if none does:

    1. Newton's step on the free indices and on those of the others, up to `at_once`, that violate
       the KKT conditions most. It is projected on the box (Bertsekas: Projected Newton methods for
       optimization problems with simple constraints, SIAM J. Control Optim. 20, 1982), whole, then
       a quarter, then a sixteenth of it. After a whole step twice as many indices may join, after
       steps 2 to 4 half as many (as many: 53 % more steps; a quarter: 6 % fewer, but a tenth more
       time for 500 samples of unit variance in blocks). At first it is a quarter of the free ones,
       or of all if none is free; 1 to 1/16 take as many iterations within a tenth, but their
       systems are larger or smaller.
    2. Newton's step on the free indices, cut off at the first bound that it meets. Where the
       gradients of the free indices agree within a tenth of the violation, the worst of the others
       joins. This is what ends at an exact solution.
    3. The same on the free indices with a ridge of 1e-4 K_ii: if K is singular, step 2 may be so
       long that rounding hides its gain, and pairs alone would take thousands of steps. 1e-6 and
       1e-2 take as many.
    4. The step on the two indices that violate the KKT conditions most, which always gains.

    Newton's steps of 1, and of 2 before the gradients agree, have the damping 0.03 times violation
    / width: where K is flat a large step is about 30 widths long, and the damping vanishes with the
    violation. A tenth of it takes 7 % more steps, twice as much 7 % fewer or 1 % more.
    """
    box, norms = _Box(lower, upper), np.sqrt(np.diag(K))
    u = _correct_sum(K, start, box, total)
    gradient, exact, steps = linear - K @ u, True, 0
    most = 50 * len(u) + 1000 if most is None else most
    free = int(np.count_nonzero(box.inside(u))) or len(u)
    at_once = max(1, free // 4)  # indices that may leave their bounds in a step
    while True:
        weight = float(norms @ np.abs(u))
        rounding = 4 * EPS * (np.abs(linear) + weight * norms)
        near = 4 * EPS * weight / np.maximum(norms, 1e-300)
        u = snapped(u, lower, upper, np.minimum(near, 4 * EPS * (upper - lower)))
        kkt = _kkt(u, gradient, box, rounding)
        settled = kkt.violation <= tolerance
        is_over = settled or steps == most
        slopes = gradient - kkt.offset  # the same steps as of the gradient, with less rounding
        for F, rows, new, growth in () if is_over else _steps(K, box, u, slopes, kkt, at_once):
            change = new - u[F]
            K_change = change @ rows
            gain = slopes[F] @ change - 0.5 * change @ K_change[F]
            if gain > 0.1 * (rounding[F] @ np.abs(change)):
                u[F] = new
                gradient -= K_change
                at_once = min(max(int(growth * at_once), 1), len(u))
                exact, steps = False, steps + 1
                break
        else:
            if exact:
                break
            # The accumulated rounding of all steps may be what ended the ascent.
            u = _correct_sum(K, u, box, total)
            gradient, exact = linear - K @ u, True
    violation = _kkt(u, gradient, box, np.zeros_like(u)).violation
    return Solution(u, kkt.offset, violation, settled, steps)


class _KKT(NamedTuple):
    """KKT conditions: gradient <= offset where u can rise, >= offset where u can fall."""

    offset: float
    violation: float
    worst: tuple[int, int]  # the index to raise and the index to lower
    excess: Array  # distance of each gradient from the offset, on the wrong side


def _kkt(u: Array, gradient: Array, box: _Box, rounding: Array) -> _KKT:
    rises = np.where(u < box.upper, gradient - rounding, -np.inf)
    falls = np.where(u > box.lower, gradient + rounding, np.inf)
    i, j = int(rises.argmax()), int(falls.argmin())
    if np.isinf(rises[i]) or np.isinf(falls[j]):  # none can rise, or none can fall
        ends = [float(end) for end in (rises[i], falls[j]) if np.isfinite(end)]
        return _KKT(ends[0] if ends else 0.0, 0.0, (i, j), np.zeros_like(u))
    offset = 0.5 * float(rises[i] + falls[j])
    excess = np.maximum(rises - offset, offset - falls)
    return _KKT(offset, max(float(rises[i] - falls[j]), 0.0), (i, j), excess)


def _steps(
    K: Array, box: _Box, u: Array, slopes: Array, kkt: _KKT, at_once: int
) -> Iterator[tuple[Indices, Array, Array, float]]:
    """Yield the steps of `maximise` in order: F, K[F], the new u[F], a factor of `at_once`."""
    widths = box.upper - box.lower
    damping = 0.03 * kkt.violation
    free = box.inside(u)
    inner, bound = np.flatnonzero(free), np.flatnonzero(~free & (kkt.excess > 0))
    bound = bound[np.argsort(-kkt.excess[bound], kind="stable")]
    F = np.union1d(inner, bound[:at_once])
    if len(F) > 1:
        rows = K.take(F, axis=0)
        step = _newton(rows, slopes, F, damping / widths[F])
        room = 4 * float(widths.max())  # farther out the projection would lose digits of the sum
        step *= room / max(room, float(np.abs(step).max()))
        for share in _SHARES:
            moved, _ = project(u[F] + share * step, *box.of(F), float(u[F].sum()))
            yield F, rows, moved, 2.0 if share == 1 else 1.0
    moves: list[tuple[Indices, Array | float]] = [(np.array(kkt.worst), 0.0)]
    if len(inner):
        settled = len(inner) == 1 or np.ptp(slopes[inner]) <= 0.1 * kkt.violation
        F = np.union1d(inner, bound[:1]) if settled else inner
        short = (inner, 1e-4 * np.diag(K)[inner])
        moves = [(F, 0.0 if settled else damping / widths[F]), short, *moves]
    for F, ridge in moves:
        rows = K.take(F, axis=0)
        step = _newton(rows, slopes, F, ridge)
        yield F, rows, _move_to_bound(u[F], step, box.of(F)), 0.5


def _newton(rows: Array, slopes: Array, F: Indices, damping: Array | float) -> Array:
    """Return the step with sum 0 to the maximum over the indices F, without bounds, given K[F].

    Adding a constant to K changes nothing for steps with sum 0, but removes the constant vector
    from the null space of K. A ridge at the level of rounding removes the rest; a step in the null
    space is then so long that it ends at a bound, as it should.
    """
    H = rows.take(F, axis=1)
    diagonal = H.diagonal()
    sizes = np.where(diagonal > 0, diagonal, 1.0)
    sides = np.array([slopes[F], np.ones(len(F))]).T
    # In proportion to the diagonal: otherwise a large sample would raise the ridge of all.
    flatness = _flatness(diagonal)
    H += sizes.min()
    H[np.diag_indices(len(F))] += damping
    along, across = solve_definite(H, 1e-13 * len(F) * sizes, sides).T
    step = along - across * (along.sum() / across.sum())
    return np.asarray(step - flatness * step.sum())


def solve_definite(H: Array, ridge: Array, sides: Array) -> Array:
    """Return (H + a diagonal)^-1 times the sides, by Cholesky's method; H is overwritten.

    The diagonal grows until H, symmetric but perhaps indefinite by rounding, is positive definite.
    """
    diagonal = H.diagonal().copy()
    for _ in range(_RIDGES):
        H[np.diag_indices(len(H))] = diagonal + ridge
        # LAPACK itself: SciPy's functions around it take as long for fifty unknowns.
        factor, failed = dpotrf(H.T, lower=True, clean=False, overwrite_a=True)
        if not failed:
            return np.asarray(dpotrs(factor, sides, lower=True)[0])
        H = np.tril(H, -1)  # the upper triangle is overwritten
        H += H.T
        ridge = 100 * ridge
    raise LinAlgError("the matrix is far from positive definite, or not finite")


def _move_to_bound(u: Array, step: Array, box: _Box) -> Array:
    """Return u + step, cut off where it leaves the box."""
    wall = np.where(step > 0, box.upper, box.lower)
    share = np.divide(wall - u, step, out=np.full_like(u, np.inf), where=step != 0)
    s = min(1.0, share.min())
    return np.where(share <= s, wall, np.clip(u + s * step, *box))


def project(z: Array, lower: Array, upper: Array, total: float = 0.0) -> tuple[Array, float]:
    """Return the point of a box that is nearest to z and has a given sum, and its shift.

    It is clip(z + shift). Its sum is piecewise linear in the shift, whose value is found by
    Newton's method within a bracket. The sum loses digits if the shift is far larger than the box.
    """
    shift, below, above = 0.0, float((lower - z).min()), float((upper - z).max())
    for _ in range(100):
        moved = np.minimum(np.maximum(z + shift, lower), upper)  # faster than np.clip
        excess = float(moved.sum()) - total
        if abs(excess) <= EPS * float(np.abs(moved).sum()):
            break
        below, above = (below, shift) if excess > 0 else (shift, above)
        inside = np.count_nonzero((lower < moved) & (moved < upper))
        new = shift - excess / inside if inside else 0.5 * (below + above)
        if not below < new < above:
            new = 0.5 * (below + above)
        if new == shift:
            break
        shift = new
    return np.minimum(np.maximum(z + shift, lower), upper), float(shift)


def snapped(u: Array, lower: Array, upper: Array, near: Array) -> Array:
    """Return u with the entries that are this near to a bound there: they would block steps."""
    return np.where(u - lower <= near, lower, np.where(upper - u <= near, upper, u))


def _correct_sum(K: Array, u: Array, box: _Box, total: float) -> Array:
    """Remove rounding errors from the sum of u, from the free indices if possible."""
    u, F = u.copy(), np.flatnonzero(box.inside(u))
    if len(F):
        u[F] = np.clip(u[F] - (float(u.sum()) - total) * _flatness(np.diag(K)[F]), *box.of(F))
    is_off = abs(float(u.sum()) - total) > 1e-14 * float(np.abs(u).sum())
    return project(u, *box, total)[0] if is_off else u


def _flatness(diagonal: Array) -> Array:
    """Return weights with sum 1 that are proportional to 1 / K_ii.

    Corrections of the sum of u are distributed by these weights: at an index with a large K_ii a
    change would violate the KKT conditions more.
    """
    flatness = 1 / np.maximum(diagonal, max(EPS**2 * float(diagonal.max()), 1e-300))
    return np.asarray(flatness / flatness.sum())
