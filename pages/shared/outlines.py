"""The boundaries of balls in the plane."""

from __future__ import annotations

import numpy as np

from smmcore.arrays import Array
from smmcore.sugiyama.penalties import Ball, Lp, Region


def outline(ball: Region, n: int = 90, *, limit: float = np.inf) -> Array:
    """Return a closed curve on the boundary of a ball in the plane, with its points on the axes.

    References
    ----------
    Sugiyama, Fig. 24.1, 24.6 and 24.8.
    """
    return boundary(ball, circle(np.arange(4 * n + 1) / n), limit)


def circle(quarters: Array) -> Array:
    """Return points of the unit circle at angles in quarter turns, with exact zeros on the axes."""
    angle = 0.5 * np.pi * quarters
    points = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    points[np.abs(points) < 1e-15] = 0.0
    return points


def _exponent(ball: Region) -> float:
    return ball.norm.p if isinstance(ball, Ball) and isinstance(ball.norm, Lp) else 2.0


def boundary(ball: Region, directions: Array, limit: float = np.inf) -> Array:
    """Return the last point of the ball in each direction."""
    p = _exponent(ball)
    if 0 < p < 2:  # so that sum |d|^p = 1: the steps are even, even at sharp cusps
        directions = np.sign(directions) * np.abs(directions) ** (2 / p)
    reach = np.minimum(ball.reach(directions), limit)
    if not np.isfinite(reach).all():
        raise ValueError("limit must be finite for the l_0 ball, which is unbounded")
    return np.asarray(reach[..., None] * directions)
