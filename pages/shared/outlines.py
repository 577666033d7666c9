"""The boundaries of balls in two and three dimensions, and points where ellipses touch them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from smmcore.penalties import Ball, Lp, Region

Array = NDArray[np.float64]

# Relative: a point beside an axis must have a loss smaller by more than this to be preferred.
ROUNDING = 1e-13


def outline(ball: Region, n: int = 90, *, limit: float = np.inf) -> Array:
    """Return a closed curve on the boundary of a ball in the plane, with its points on the axes.

    References
    ----------
    Sugiyama, Fig. 24.1, 24.6 and 24.8.
    """
    return _boundary(ball, _circle(np.arange(4 * n + 1) / n), limit)


def surface(ball: Region, n: int = 24) -> Array:
    """Return a mesh on the boundary of a ball in three dimensions, with its points on the axes.

    References
    ----------
    Sugiyama, Fig. 24.9.
    """
    around = _circle(np.arange(4 * n + 1) / n)
    p = _exponent(ball)
    if p > 2:  # so that the mesh runs along the edges of a cube
        around = around / Lp(p).value(around)[:, None]
    up = _circle(np.arange(-n, n + 1) / n)
    rings = up[:, None, :1] * around
    heights = np.broadcast_to(up[:, None, 1:], (*rings.shape[:2], 1))
    return _boundary(ball, np.concatenate([rings, heights], axis=-1))


def touching_point(ball: Region, H: ArrayLike, centre: ArrayLike) -> Array:
    """Return the point of a ball in the plane that minimises (theta - centre)' H (theta - centre).

    With H = Phi'Phi and the LS solution as centre this is the solution of constrained LS, the point
    where a contour of the loss touches the ball. The ball need not be convex.

    References
    ----------
    Sugiyama, Fig. 24.2.
    """
    H, centre = np.asarray(H, dtype=float), np.asarray(centre, dtype=float)
    if ball.contains(centre):
        return centre

    def values(points: Array) -> Array:
        away = points - centre
        return np.asarray(((away @ H) * away).sum(axis=-1))

    if isinstance(ball, Ball) and ball.norm == Lp(0):  # at most one entry: the two axes
        points = np.diag(H @ centre / np.diag(H))
    else:
        steps = np.arange(4 * 900 + 1) / 900
        points = _boundary(ball, _circle(steps))
        nearest = steps[values(points).argmin()]
        found = minimize_scalar(
            lambda a: float(values(_boundary(ball, _circle(np.array([a]))))[0]),
            bounds=(nearest - 1 / 900, nearest + 1 / 900),
            method="bounded",
            options={"xatol": 1e-12},
        )
        refined = _boundary(ball, _circle(np.array([found.x])))
        if values(refined)[0] < values(points).min() * (1 - ROUNDING):
            return np.asarray(refined[0])
    return np.asarray(points[values(points).argmin()])


def _circle(quarters: Array) -> Array:
    """Return points of the unit circle at angles in quarter turns, with exact zeros on the axes."""
    angle = 0.5 * np.pi * quarters
    points = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    points[np.abs(points) < 1e-15] = 0.0
    return points


def _exponent(ball: Region) -> float:
    return ball.norm.p if isinstance(ball, Ball) and isinstance(ball.norm, Lp) else 2.0


def _boundary(ball: Region, directions: Array, limit: float = np.inf) -> Array:
    """Return the last point of the ball in each direction."""
    p = _exponent(ball)
    if 0 < p < 2:  # so that sum |d|^p = 1: the steps are even, even at sharp cusps
        directions = np.sign(directions) * np.abs(directions) ** (2 / p)
    reach = np.minimum(ball.reach(directions), limit)
    if not np.isfinite(reach).all():
        raise ValueError("limit must be finite for the l_0 ball, which is unbounded")
    return np.asarray(reach[..., None] * directions)
