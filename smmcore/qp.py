"""The quadratic programme of the hinge losses, with a box and a fixed sum as constraints.

A primal-dual active-set method on the Gram matrix, which is fast but may cycle, and then a primal
one. All iterates of the latter are feasible, every step increases the objective, and bounds are met
exactly, so that certificates can rely on lower <= u <= upper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

_SHARES = (1.0, 0.25, 0.0625)  # of a Newton step that are tried before the projection on the box
_GUESSES = 12  # of the indices at their bounds, before the ascent
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

    def of(self, F: Indices) -> _Box:
        return _Box(self.lower[F], self.upper[F])

    def inside(self, u: Array) -> NDArray[np.bool_]:
        return (self.lower < u) & (u < self.upper)

    @property
    def widths(self) -> Array:
        return self.upper - self.lower


def most_steps(n: int) -> int:
    """Return the maximum of steps for `maximise`, 50 n + 1000; few problems need 3 n."""
    return 50 * n + 1000


def maximise(
    K: Array,  # (n, n), symmetric and positive semi-definite
    linear: Array,  # (n,)
    lower: Array,  # (n,)
    upper: Array,  # (n,)
    start: Array,  # (n,), in the box, with the given sum up to rounding
    tolerance: float = 1e-10,  # violation of the KKT conditions at the end, in units of `linear`
    total: float = 0.0,  # not taken from `start`, whose rounding would remain when u shrinks
    most: int | None = None,  # steps; by default `most_steps`
) -> Solution:
    """Maximise linear @ u - 1/2 u' K u over lower <= u <= upper with sum(u) = total.

    This is the problem of Theorem 4 (SMM paper, eq. 11) in u = y alpha; K is then the Gram matrix
    of the samples, which does not depend on the labels. The solution depends on the arguments
    alone, even if K is singular and the solution is not unique. Its value is below the maximum by
    at most `violation` times half the sum of the box's widths, which may differ by any factor.

    The tolerance is absolute, as a relative one would stall with a large box, but rounding is
    allowed for: the gradient at index i may have the error 4 eps times |linear_i| + sqrt(K_ii)
    sum_j sqrt(K_jj) |u_j|. It is larger where K_ii is large, and the other indices keep theirs.
    """
    box, norms = _Box(lower, upper), np.sqrt(np.diag(K))
    u = _correct_sum(K, start, box, total)
    u, gradient = _guess_bounds(K, linear, box, u, tolerance, total)
    exact, steps, most = True, 0, most_steps(len(u)) if most is None else most
    free = int(np.count_nonzero(box.inside(u)))
    at_once = max(1, free // 4) if free else len(u)  # indices that may leave their bounds in a step
    while True:
        rounding = 4 * EPS * (np.abs(linear) + float(norms @ np.abs(u)) * norms)
        kkt = _kkt(u, gradient, box, rounding)
        settled = kkt.violation <= tolerance
        step = None
        if not settled and steps < most:
            step = _ascent(K, box, u, gradient, kkt, rounding, at_once)
        if step is not None:
            u[step.F] = step.u
            gradient -= step.K_change
            at_once = min(max(int(step.growth * at_once), 1), len(u))
            exact, steps = False, steps + 1
        elif exact:
            break
        else:  # the accumulated rounding of all steps may be what ended the ascent
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


def _guess_bounds(
    K: Array, linear: Array, box: _Box, start: Array, tolerance: float, total: float
) -> tuple[Array, Array]:
    """Return the solution and its gradient if guesses find it, else the start and its gradient.

    Each guess of which entries are at their bounds follows from the maximum for the guess before:
    entries beyond a bound are put on it, and entries whose multiplier has the wrong sign are
    released (Hintermueller, Ito, Kunisch: The primal-dual active set strategy as a semismooth
    Newton method, SIAM J. Optim. 13, 2003).
    """
    first = gradient = linear - K @ start
    kkt = _kkt(start, gradient, box, np.zeros_like(start))
    free = box.inside(start)
    if kkt.violation <= tolerance or not free.any():
        return start, first
    u, offset = start, float(gradient[free].mean())
    side = (u >= box.upper).astype(np.intp) - (u <= box.lower)
    for k in range(_GUESSES):
        released = side * (gradient - offset) < -0.4 * tolerance
        guess = np.where(side == 0, 1 * (u > box.upper) - (u < box.lower), side * ~released)
        if k and (guess == side).all():
            break
        side = guess
        F = np.flatnonzero(side == 0)
        if not len(F):
            return start, first
        moved = np.where(side < 0, box.lower, np.where(side > 0, box.upper, u))
        moved[F] += (total - moved.sum()) * _flatness(K, F)
        others = np.flatnonzero(moved != u)
        gradient = gradient - (moved - u)[others] @ K[others]
        step = _newton(K, gradient, F, 0.0)
        moved[F] += step
        gradient -= step @ K[F]
        u, offset = moved, float(_flatness(K, F) @ gradient[F])
    else:
        return start, first
    u = _correct_sum(K, _snap_to_bounds(u, box), box, total)
    gradient = linear - K @ u
    better = (first + gradient) @ (u - start) > 0
    return (u, gradient) if better else (start, first)


class _Step(NamedTuple):
    F: Indices  # the indices that move
    u: Array  # their new values
    K_change: Array  # (n,), K times the change of u
    growth: float  # factor for the number of indices that may leave their bounds at once


def _ascent(
    K: Array, box: _Box, u: Array, gradient: Array, kkt: _KKT, rounding: Array, at_once: int
) -> _Step | None:
    """Return the first of `_steps` whose gain exceeds its rounding error, or None."""
    for F, new, growth in _steps(K, box, u, gradient, kkt, at_once):
        new = _snap_to_bounds(new, box.of(F))
        change = new - u[F]
        K_change = change @ K[F]
        slopes = gradient[F] - _flatness(K, F) @ gradient[F]
        if slopes @ change - 0.5 * change @ K_change[F] > 0.1 * (rounding[F] @ np.abs(change)):
            return _Step(F, new, K_change, growth)
    return None


def _flatness(K: Array, F: Indices) -> Array:
    """Return weights with sum 1 that are proportional to 1 / K_ii.

    Corrections of the sum of u are distributed by these weights, and so is the multiplier of the
    sum. A change at an index with a large K_ii would violate the KKT conditions more.
    """
    diagonal = np.diag(K)[F]
    flatness = 1 / np.maximum(diagonal, max(EPS**2 * float(diagonal.max()), 1e-300))
    return np.asarray(flatness / flatness.sum())


def _steps(
    K: Array, box: _Box, u: Array, gradient: Array, kkt: _KKT, at_once: int
) -> Iterator[tuple[Indices, Array, float]]:
    """Yield steps, the largest first: many new indices at once, one, the worst pair alone."""

    def damping(F: Indices) -> Array:
        # Where K is flat a large step should be about as long as the box is wide. The damping
        # vanishes with the violation.
        return 0.03 * kkt.violation / box.of(F).widths

    free = box.inside(u)
    inner = np.flatnonzero(free)
    bound = np.flatnonzero(~free & (kkt.excess > 0))
    bound = bound[np.argsort(-kkt.excess[bound], kind="stable")]
    if at_once > 1 and len(bound):
        F = np.union1d(inner, bound[:at_once])
        step = _newton(K, gradient, F, damping(F))
        for share in _SHARES:
            yield (
                F,
                _project(u[F], share * step, box.of(F), float(u[F].sum())),
                2.0 if share == 1 else 1.0,
            )
    if len(inner):
        # A new index moves into the box only if the free indices have converged.
        settled = len(inner) == 1 or np.ptp(gradient[inner]) <= 0.1 * kkt.violation
        F = np.union1d(inner, bound[:1]) if settled else inner
        step = _newton(K, gradient, F, 0.0 if settled else damping(F))
        if not settled:
            for share in _SHARES:
                yield F, _project(u[F], share * step, box.of(F), float(u[F].sum())), 0.5
        yield F, _move_to_bound(u[F], step, box.of(F)), 0.5
        if len(F) > len(inner) > 1:
            # The remaining gradients of the free indices may block the new index.
            step = _newton(K, gradient, inner, 0.0)
            yield inner, _move_to_bound(u[inner], step, box.of(inner)), 0.5
        # If K is singular, that step may be so long that rounding hides its gain, and pairs alone
        # would take thousands of steps. A ridge keeps the step short.
        step = _newton(K, gradient, inner, 1e-4 * np.diag(K)[inner])
        yield inner, _move_to_bound(u[inner], step, box.of(inner)), 0.5
    F = np.array(kkt.worst)
    curvature = K[F[0], F[0]] + K[F[1], F[1]] - 2 * K[F[0], F[1]]
    length = kkt.violation / max(curvature, 1e-14 * float(np.diag(K)[F].max()), 1e-300)
    yield F, _move_to_bound(u[F], np.array([length, -length]), box.of(F)), 0.5


def _newton(K: Array, gradient: Array, F: Indices, damping: Array | float) -> Array:
    """Return the step with sum 0 to the maximum over the indices F, without bounds.

    Adding a constant to K changes nothing for steps with sum 0, but removes the constant vector
    from the null space of K. A ridge at the level of rounding removes the rest; a step in the null
    space is then so long that it ends at a bound, as it should.
    """
    diagonal = np.diag(K)[F]
    sizes = np.where(diagonal > 0, diagonal, 1.0)
    sides = np.array([gradient[F], np.ones(len(F))]).T
    # In proportion to the diagonal: otherwise a large sample would raise the ridge of all.
    H = K.take(F, axis=0).take(F, axis=1)  # faster than K[np.ix_(F, F)]
    H += sizes.min()
    H[np.diag_indices(len(F))] += damping
    factor = factorise(H, 1e-13 * len(F) * sizes)
    along, across = cho_solve(factor, sides, check_finite=False).T
    step = along - across * (along.sum() / across.sum())
    return np.asarray(step - _flatness(K, F) * step.sum())


def factorise(H: Array, ridge: Array) -> tuple[Array, bool]:
    """Return the Cholesky factor of H plus a diagonal, for `cho_solve`; H is overwritten.

    The diagonal grows until H, symmetric but perhaps indefinite by rounding, is positive definite.
    """
    diagonal = H.diagonal().copy()
    for _ in range(_RIDGES):
        H[np.diag_indices(len(H))] = diagonal + ridge
        try:
            return cho_factor(H.T, lower=True, overwrite_a=True, check_finite=False)  # type: ignore[no-any-return]
        except LinAlgError:
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
    else:  # so that point and shift agree
        moved = np.minimum(np.maximum(z + shift, lower), upper)
    return moved, float(shift)


def _project(u: Array, step: Array, box: _Box, total: float) -> Array:
    """Return the point of the box with a given sum that is nearest to u + step."""
    room = 4 * float(box.widths.max())  # farther out the sum would lose digits
    return project(u + step * (room / max(room, float(np.abs(step).max()))), *box, total)[0]


def _snap_to_bounds(u: Array, box: _Box) -> Array:
    """Move entries that miss a bound by rounding onto the bound."""
    lower, upper = box
    u = np.where(u >= upper - 4 * EPS * np.abs(upper), upper, u)
    return np.where(u <= lower + 4 * EPS * np.abs(lower), lower, u)


def _correct_sum(K: Array, u: Array, box: _Box, total: float) -> Array:
    """Remove rounding errors from the sum of u, from the free indices if possible."""
    u, free = u.copy(), np.flatnonzero(box.inside(u))
    if len(free):
        drift = float(u.sum()) - total
        if abs(drift) <= EPS * float(np.abs(u).sum()):
            return u
        u[free] = np.clip(u[free] - drift * _flatness(K, free), *box.of(free))
    left = float(u.sum()) - total
    if abs(left) > 1e-14 * float(np.abs(u).sum()):
        u = _project(u, np.zeros_like(u), box, total)
    return u
