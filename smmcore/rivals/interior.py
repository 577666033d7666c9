"""The dual of a linear SVM on few features, by an interior-point method.

The quadratic programme is that of `smmcore.qp` with K = R R', where R has a row of d features for
each of n samples. With d < n an iteration takes n d^2 operations and some twenty to fifty are
enough, whatever C and the scale of the features are, while an active set may take a step for each
of the n indices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from smmcore import qp
from smmcore.arrays import Array
from smmcore.problems.samples import check_square

# Half and double were tried on 60 programmes of 50 to 1500 samples and up to 19 features of sizes
# over six decades. They take as many iterations within 1 % but where another figure is given.

# Relative duality gaps: where the iteration ends, and what is exact. Half and double of the latter
# leave 22 % more and 17 % fewer programmes to the active set.
_AIM, _ENOUGH = 1e-11, 1e-9
# Iterations: of all (40: 8 % more, by the active set), and without a smaller gap (2: the active set
# takes minutes; 10: 4 % more).
_MOST, _PATIENCE = 80, 5
# Share of the way to the boundary (0.99: 4 % more; 0.9975: 2 % fewer, but 17 % more end without a
# proof).
_STEP = 0.995
_SNAP = 1e-6  # share of the width of the box within which an index is taken to be at its bound


def maximise_by_rows(
    rows: Array,  # (n, d), R
    linear: Array,  # (n,)
    lower: Array,  # (n,), below `upper`; one of the two is 0, as they are for u = y alpha
    upper: Array,  # (n,)
    start: Array,  # (n,), in the box, and of sum 0 if the sum counts
    *,
    has_sum: bool = True,
    most: int | None = None,
) -> tuple[Array, int]:
    """Maximise linear @ u - 1/2 ||R' u||^2 over the box and, with `has_sum`, sum(u) = 0.

    Returns u and the number of iterations. An active set, which needs the n^2 numbers of R R',
    begins at `start` if there are at least as many features as samples, and where rounding stopped
    the interior-point method if it did; `most` limits its steps.
    """
    k = 0
    if rows.shape[1] < len(rows):
        u, gap, k = _approach(rows, linear, lower, upper, has_sum)
        if gap <= _ENOUGH:
            return u, k
        start = qp.snapped(u, lower, upper, _SNAP * (upper - lower))
    check_square(len(rows), "the Gram matrix of {} samples")
    K = rows @ rows.T
    if has_sum:
        found = qp.maximise(K, linear, lower, upper, start, most=most)
        return found.u, k + found.steps
    # An additional sample 0 makes the sum constraint void.
    room = float(np.maximum(-lower, upper).sum())
    found = qp.maximise(
        np.pad(K, (0, 1)),
        np.append(linear, 0.0),
        np.append(lower, -room),
        np.append(upper, room),
        np.append(start, -start.sum()),
        most=most,
    )
    return found.u[:-1], k + found.steps


class _Iterate(NamedTuple):
    """u, the multipliers of its bounds, and that of its sum."""

    x: Array  # u - lower, positive
    y: Array  # upper - u, positive
    z: Array  # multipliers of x >= 0, positive
    v: Array  # multipliers of y >= 0, positive
    b: float

    def moved(self, step: _Iterate, share: float) -> _Iterate:
        return _Iterate(
            self.x + share * step.x,
            self.y + share * step.y,
            self.z + share * step.z,
            self.v + share * step.v,
            self.b + share * step.b,
        )

    def room(self, step: _Iterate) -> float:
        """Return the largest share of a step, at most 1, after which nothing is negative."""
        falls = (-step.x / self.x, -step.y / self.y, -step.z / self.z, -step.v / self.v)
        return 1 / max(1.0, *(float(fall.max()) for fall in falls))

    @property
    def gap(self) -> float:
        """The sum of the products, which is the duality gap where the equations hold."""
        return float(self.x @ self.z + self.y @ self.v)


def _approach(
    rows: Array, linear: Array, lower: Array, upper: Array, has_sum: bool
) -> tuple[Array, float, int]:
    """Return a feasible u, its relative duality gap and the number of iterations.

    This is Mehrotra's predictor and corrector.

    The equations are R R' u - linear + b - z + v = 0, sum(u) = 0, x z = 0 and y v = 0. Eliminating
    z and v leaves (R R' + D) du = r with D = z / x + v / y, which the d x d matrix
    I + R' D^-1 R solves (Mehrotra: On the implementation of a primal-dual interior point method,
    SIAM J. Optim. 2, 1992; Fine, Scheinberg: Efficient SVM training using low-rank kernel
    representations, JMLR 2, 2001). As the gap closes, rounding may come to outweigh it, so the
    best point is returned.
    """
    middle = 0.5 * (lower + upper)
    pull = middle @ rows
    # The best multiple of the middle. Half and double of the least one leave 11 and 17 % more
    # programmes to the active set.
    share = float(np.clip((linear @ middle) / max(float(pull @ pull), 1e-300), 1e-4, 1.0))
    u = share * middle
    slopes = share * (rows @ pull) - linear
    b = -float(np.median(slopes)) if has_sum else 0.0
    slopes += b
    least = float(np.abs(slopes).mean()) or 1.0
    z, v = np.maximum(slopes, 0.0) + least, np.maximum(-slopes, 0.0) + least
    at = _Iterate(u - lower, upper - u, z, v, b)
    best, smallest, relative, since = at, np.inf, np.inf, 0
    for k in range(_MOST):  # noqa: B007
        u = lower + at.x
        pull = u @ rows
        slopes = rows @ pull - linear + at.b - at.z + at.v
        drift = float(u.sum()) if has_sum else 0.0
        value = abs(float(linear @ u) - 0.5 * float(pull @ pull))
        errors = float(np.abs(slopes) @ np.minimum(at.x, at.y)) + abs(drift * at.b)
        gap, since = at.gap + errors, since + 1
        if gap < smallest:
            best, smallest, relative, since = at, gap, gap / max(value, 1e-300), 0
        if relative <= _AIM or since == _PATIENCE:
            break
        try:
            with np.errstate(all="ignore"):  # what comes of it is no better and ends the iteration
                at = _step(rows, at, slopes, drift, has_sum)
        except LinAlgError:
            break
    u = np.clip(lower + best.x, lower, upper)
    return (qp.project(u, lower, upper)[0] if has_sum else u), relative, k


def _step(rows: Array, at: _Iterate, slopes: Array, drift: float, has_sum: bool) -> _Iterate:
    """Return the next point."""
    D = at.z / at.x + at.v / at.y
    scaled = rows / D[:, None]
    inner = rows.T @ scaled
    inner[np.diag_indices(len(inner))] += 1.0
    factor = cho_factor(inner, overwrite_a=True, check_finite=False)

    def solve(side: Array) -> Array:
        part = cho_solve(factor, scaled.T @ side, check_finite=False)
        return np.asarray((side - rows @ part) / D)

    across = solve(np.ones(len(D))) if has_sum else None

    def towards(x_z: Array, y_v: Array) -> _Iterate:
        """Return the step after which x z and y v change by these, to first order."""
        du, db = solve(x_z / at.x - y_v / at.y - slopes), 0.0
        if across is not None:
            db = (float(du.sum()) + drift) / float(across.sum())
            du = du - db * across
        return _Iterate(du, -du, (x_z - at.z * du) / at.x, (y_v + at.v * du) / at.y, db)

    ahead = towards(-at.x * at.z, -at.y * at.v)
    mean = at.gap / (2 * len(D))
    centre = mean * (at.moved(ahead, at.room(ahead)).gap / at.gap) ** 3
    step = towards(
        centre - at.x * at.z - ahead.x * ahead.z, centre - at.y * at.v - ahead.y * ahead.v
    )
    return at.moved(step, min(1.0, _STEP * at.room(step)))
