"""The point where the contours of a loss touch a ball."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from pages.shared.data.samples import check
from pages.shared.engine.experiment import Dataset
from pages.shared.outlines import boundary, circle
from smmcore.arrays import Array
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp, Region

MAX_COORDINATE = 3.0  # of the minimum: the picture shows a square of the plane
# Relative: a point beside an axis must have a loss smaller by more than this to be preferred.
LOSS_ROUNDING = 1e-13


@dataclass(frozen=True)
class TouchingProblem(Dataset):
    """min 1/2 (theta - minimum)' H (theta - minimum) over a ball.

    H is given by the tilt and the ratio of the ellipses that are the contours of the loss.
    """

    ball: Ball | ElasticBall
    minimum: tuple[float, float]
    tilt: int = 0  # degrees, from the first axis to the long axis of the ellipses
    ratio: float = 1.0  # of the long axis to the short one

    shape = 0, 0, 0  # a worker has no samples to cache

    def __post_init__(self) -> None:
        for name, value in zip(("first", "second"), self.minimum, strict=True):
            check(f"the {name} coordinate of the minimum", value, -MAX_COORDINATE, MAX_COORDINATE)
        check("the tilt in degrees", self.tilt, 0, 180)
        check("the ratio of the axes", self.ratio, 1, 10)

    def prepare(self) -> None:
        """Return nothing: there are no samples to generate."""

    @property
    def H(self) -> Array:
        """Phi'Phi, with eigenvalues 1 along the short axis and 1 / ratio^2 along the long one."""
        c, s = cos(radians(self.tilt)), sin(radians(self.tilt))
        flat = self.ratio**-2
        return np.array(
            [[flat * c * c + s * s, (flat - 1) * c * s], [(flat - 1) * c * s, flat * s * s + c * c]]
        )


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
        points = boundary(ball, circle(steps))
        nearest = steps[values(points).argmin()]
        found = minimize_scalar(
            lambda a: float(values(boundary(ball, circle(np.array([a]))))[0]),
            bounds=(nearest - 1 / 900, nearest + 1 / 900),
            method="bounded",
            options={"xatol": 1e-12},
        )
        refined = boundary(ball, circle(np.array([found.x])))
        if values(refined)[0] < values(points).min() * (1 - LOSS_ROUNDING):
            return np.asarray(refined[0])
    return np.asarray(points[values(points).argmin()])


def outline_table(points: Array, touching: Array) -> NDArray[np.void]:
    """Return a table to download: the outline and, as its last record, the touching point."""
    dtype = [("what", "U8"), ("theta1", float), ("theta2", float)]
    rows = [("outline", *point) for point in points]
    return np.array([*rows, ("touching", *touching)], dtype)
