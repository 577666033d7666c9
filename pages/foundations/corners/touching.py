"""The points where the contours of a loss touch a ball, and the losses whose point has a zero."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from pages.shared.data.samples import check
from pages.shared.engine.experiment import Dataset, constructor, imports
from pages.shared.outlines import boundary, circle, outline, surface
from smmcore.arrays import Array
from smmcore.penalties import L12, Ball, ElasticBall, Lp, Region
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap

MAX_COORDINATE = 3.0  # of the minimum: the picture shows a square of the plane
CELLS = 200  # along each side of the square of minima; the same number as in the component
SOLID_GROUPS = (0, 0, 1)  # of the l_{1,2} ball in three dimensions
SOLID_GAP = 1e-12  # duality gap of a solution in three dimensions, relative to the loss at 0
# Relative: a point beside an axis must have a loss smaller by more than this to be preferred.
LOSS_ROUNDING = 1e-13
SLOPE_ROUNDING = 1e-7  # smaller slopes at a touching point are rounding errors


@dataclass(frozen=True)
class TouchingProblem(Dataset):
    """min 1/2 (theta - minimum)' H (theta - minimum) over a ball.

    H is given by the tilt and the ratio of the ellipses that are the contours of the loss.
    """

    ball: Ball | ElasticBall
    minimum: tuple[float, float]
    tilt: int = 0  # degrees, from the first axis to the long axis of the ellipses
    ratio: float = 1.0  # of the long axis to the short one
    third: float = 0.0  # coordinate of the minimum in three dimensions

    shape = 0, 0, 0  # a worker has no samples to cache

    def __post_init__(self) -> None:
        places = *self.minimum, self.third
        for name, value in zip(("first", "second", "third"), places, strict=True):
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

    def script(self) -> str:
        """Return a program that prints the touching point, and those of other balls."""
        return f"""\
# Run this file in the app's folder.
{imports(self)}
from {__name__} import find_touching_point

print(find_touching_point({constructor(self)}))
"""


class BallResult(NamedTuple):
    """The solution on one of the balls that are compared for the same loss."""

    ball: Ball | ElasticBall
    point: Array  # (2,), the touching point
    loss: float  # above its minimum
    share: float  # see `share_of_zeros`


class TouchingResult(NamedTuple):
    """A touching point, and the same loss on other balls."""

    outline: Array  # (m, 2), of the ball
    point: Array  # (2,), the touching point
    push: Array  # (2,), H (minimum - point): minus the gradient, with rounding errors set to 0
    sharpness: float  # see `sharpness`
    rows: tuple[BallResult, ...]


class Solid(NamedTuple):
    """A ball in three dimensions, with its corners and edges."""

    surface: Array  # (k, m, 3)
    corners: Array  # (c, 3)
    ridges: tuple[Array, ...]  # lines, each (j, 3)
    point: Array | None  # (3,), the solution; None for a ball that is not convex


def find_touching_point(problem: TouchingProblem) -> TouchingResult:
    """Find the touching point, and those of other balls."""
    ball, H, minimum = problem.ball, problem.H, np.array(problem.minimum)
    bound = _bound(ball)
    exponents = 0.5, 1.0, 1.4, 2.0, np.inf
    balls: list[Ball | ElasticBall] = [Ball(Lp(p), bound) for p in exponents]
    balls.insert(2, ElasticBall(0.5, bound))
    if ball not in balls:
        balls.insert(0, ball)
    point = touching_point(ball, H, minimum)
    push = H @ (minimum - point)
    return TouchingResult(
        outline=outline(ball, limit=MAX_COORDINATE),
        point=point,
        push=np.where(np.abs(push) < SLOPE_ROUNDING, 0.0, push),
        sharpness=sharpness(ball),
        rows=tuple(_ball_result(replace(problem, ball=other)) for other in balls),
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


def outline_table(result: TouchingResult) -> NDArray[np.void]:
    """Return a table to download: the outline and, as its last record, the touching point."""
    dtype = [("what", "U8"), ("theta1", float), ("theta2", float)]
    rows = [("outline", *point) for point in result.outline]
    return np.array([*rows, ("touching", *result.point)], dtype)


def make_solids(problem: TouchingProblem) -> tuple[Solid, Solid]:
    """Return the ball and the group ball of the same radius in three dimensions.

    The loss is that of the plane plus half the squared distance along the third axis.
    """
    ball = problem.ball
    bound = _bound(ball)
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    circle = _embed_plane(outline(Ball(Lp(2.0), bound)), 2)
    groups = Ball(L12(SOLID_GROUPS), bound)
    group = Solid(surface(groups), bound * axes[[2, 5]], (circle,), _solution(problem, groups))
    if ball == Ball(Lp(0), bound):
        lines = tuple(np.outer((-MAX_COORDINATE, MAX_COORDINATE), axis) for axis in np.eye(3))
        return Solid(np.zeros((1, 1, 3)), np.zeros((0, 3)), lines, None), group
    point = _solution(problem, ball) if np.isfinite(sharpness(ball)) else None
    if sharpness(ball) == 0:
        return Solid(surface(ball), np.zeros((0, 3)), (), point), group
    sections = tuple(_embed_plane(outline(ball), gap) for gap in range(3))
    reach = float(ball.reach(np.eye(3)[0]))
    return Solid(surface(ball), reach * axes, sections, point), group


def _solution(problem: TouchingProblem, region: Region) -> Array:
    root = np.eye(3)
    root[:2, :2] = np.linalg.cholesky(problem.H).T
    target = root @ np.array([*problem.minimum, problem.third])
    least_squares = RegularizedLS(root, target, region)
    steps = proximal_gradient(least_squares)
    proof: LSCertificate = solve_to_gap(least_squares, steps, SOLID_GAP, 2_000)[0]
    return proof.theta


def lp_exponent(ball: Ball) -> float:
    """Return p of an l_p ball."""
    if not isinstance(ball.norm, Lp):
        raise TypeError(f"the norm must be an l_p norm, got {ball.norm}")
    return ball.norm.p


def sharpness(ball: Ball | ElasticBall) -> float:
    """Return the slope of the boundary of a ball where it meets an axis.

    A point of the axis is the best of its neighbourhood where the gradient of the loss across the
    axis is at most this many times the one along it: 1 for l1, 0 without a corner, infinity at a
    cusp.
    """
    if isinstance(ball, ElasticBall):
        reach = float(ball.reach(np.array([1.0, 0.0])))
        across = 1 - ball.tau
        return across / (across + 2 * ball.tau * reach)
    p = lp_exponent(ball)
    return 1.0 if p == 1 else np.inf if p < 1 else 0.0


def has_zero(ball: Ball | ElasticBall, H: Array, minima: Array) -> NDArray[np.bool_]:
    """Return whether the solution has a zero, for minima outside the ball, shape (..., 2)."""
    slope, axes = sharpness(ball), range(2)
    if np.isfinite(slope):  # convex: the best point of a neighbourhood is the solution
        reach = float(ball.reach(np.array([1.0, 0.0])))
        on_axis = np.zeros(minima.shape[:-1], bool)
        for along in axes:
            for end in (reach, -reach):
                push = (minima - end * np.eye(2)[along]) @ H
                outwards = push[..., along] * np.sign(end)
                on_axis |= (outwards > 0) & (np.abs(push[..., 1 - along]) < slope * outwards)
        return on_axis
    if isinstance(ball, Ball) and ball.norm == Lp(0):
        return np.ones(minima.shape[:-1], bool)
    points = outline(ball, 60)[:-1]  # at any step a cusp is the best of its neighbourhood
    losses = ((points @ H) * points).sum(axis=-1) - 2 * (minima @ H) @ points.T
    best = losses.argmin(axis=-1)
    # If the push points inwards, a point beside the cusp has less loss.
    outwards = (((minima - points[best]) @ H) * points[best]).sum(axis=-1) > 0
    return np.asarray((best % 60 == 0) & outwards)


@lru_cache(maxsize=1_000)  # dragging the minimum changes none of the arguments
def share_of_zeros(ball: Ball | ElasticBall, tilt: int, ratio: float) -> float:
    """Return the share of the minima outside the ball, in the square, whose solution has a zero."""
    H = TouchingProblem(ball, (0.0, 0.0), tilt, ratio).H
    steps = (np.arange(CELLS) + 0.5) * (2 * MAX_COORDINATE / CELLS) - MAX_COORDINATE
    minima = np.stack(np.meshgrid(steps, steps[: CELLS // 2]), axis=-1)  # the others mirror these
    return float(has_zero(ball, H, minima[~ball.contains(minima)]).mean())


def _bound(ball: Ball | ElasticBall) -> float:
    return ball.bound if isinstance(ball, ElasticBall) else ball.radius


def _embed_plane(points: Array, gap: int) -> Array:
    """Return points of a plane as points in space whose coordinate `gap` is 0."""
    return np.insert(points, gap, 0.0, axis=1)


def _ball_result(problem: TouchingProblem) -> BallResult:
    ball, H = problem.ball, problem.H
    point = touching_point(ball, H, problem.minimum)
    away = point - np.array(problem.minimum)
    loss = float(away @ H @ away) / 2
    return BallResult(ball, point, loss, share_of_zeros(ball, problem.tilt, problem.ratio))
