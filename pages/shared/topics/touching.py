"""Where the contours of a loss touch a ball, and for which losses that is on an axis."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from pages.shared.recipes import MOST, Touching
from smmcore.balls import outline, surface, touching_point
from smmcore.penalties import L12, Ball, ElasticBall, Lp, Region
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import certified

Array = NDArray[np.float64]

CELLS = 200  # along each side of the square of minima; the component draws as many
GROUPS = (0, 0, 1)  # of the l_{1,2} ball in three dimensions
TIGHT = 1e-12  # gap of a solution in three dimensions, in units of the loss at 0
ROUNDING = 1e-7  # of a slope at a touching point, which is found by its loss, to rounding


class Row(NamedTuple):
    """One of the balls that are compared on the same loss."""

    ball: Ball | ElasticBall
    point: Array  # (2,), the touching point
    loss: float  # above that of the minimum
    share: float  # of the minima outside the ball, those whose solution has a zero


class Found(NamedTuple):
    """What the lesson tells about a touching point and the balls around it."""

    outline: Array  # (m, 2), of the ball
    point: Array  # (2,), the touching point
    push: Array  # (2,), H (minimum - point): minus the gradient there; what is rounding, as 0
    corner: float  # see `corner`
    rows: tuple[Row, ...]
    elastic: ElasticBall  # of Fig. 24.8, with bound 1
    nearest: float  # p of the l_p ball that is most like it
    apart: float  # the largest distance between the two, along a ray


class Solid(NamedTuple):
    """A ball in three dimensions, and where it is not smooth."""

    surface: Array  # (k, m, 3)
    corners: Array  # (c, 3)
    ridges: tuple[Array, ...]  # lines, each (j, 3)
    point: Array | None  # (3,), the solution, of a convex ball


def found(recipe: Touching) -> Found:
    """Find the touching point, those of other balls, and the l_p ball like an elastic one."""
    ball, H, minimum = recipe.ball, recipe.H, np.array(recipe.minimum)
    bound = _bound(ball)
    balls = [Ball(Lp(p), bound) for p in (0.5, 1.0, 1.4, 2.0, np.inf)]
    balls.insert(2, ElasticBall(0.5, bound))
    if ball not in balls:
        balls.insert(0, ball)
    point = touching_point(ball, H, minimum)
    push = H @ (minimum - point)
    mixed = isinstance(ball, ElasticBall) and 0 < ball.tau < 1
    elastic = replace(ball, bound=1.0) if mixed else ElasticBall(0.5, 1.0)
    return Found(
        outline=outline(ball, limit=MOST),
        point=point,
        push=np.where(np.abs(push) < ROUNDING, 0.0, push),
        corner=corner(ball),
        rows=tuple(_row(replace(recipe, ball=other)) for other in balls),
        elastic=elastic,
        **_most_like(elastic),
    )


def solids(recipe: Touching) -> tuple[Solid, Solid]:
    """Make the ball, and the group ball of the same radius, in three dimensions.

    The loss is that of the plane plus half the squared distance along the third axis.
    """
    ball = recipe.ball
    bound = _bound(ball)
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    circle = _in_plane(outline(Ball(Lp(2.0), bound)), 2)
    groups = Ball(L12(GROUPS), bound)
    group = Solid(surface(groups), bound * axes[[2, 5]], (circle,), _solution(recipe, groups))
    if ball == Ball(Lp(0), bound):
        lines = tuple(np.outer((-MOST, MOST), axis) for axis in np.eye(3))
        return Solid(np.zeros((1, 1, 3)), np.zeros((0, 3)), lines, None), group
    point = _solution(recipe, ball) if np.isfinite(corner(ball)) else None
    if corner(ball) == 0:
        return Solid(surface(ball), np.zeros((0, 3)), (), point), group
    sections = tuple(_in_plane(outline(ball), gap) for gap in range(3))
    reach = float(ball.reach(np.eye(3)[0]))
    return Solid(surface(ball), reach * axes, sections, point), group


def _solution(recipe: Touching, region: Region) -> Array:
    root = np.eye(3)
    root[:2, :2] = np.linalg.cholesky(recipe.H).T
    problem = RegularizedLS(root, root @ np.array([*recipe.minimum, recipe.third]), region)
    return certified(problem, proximal_gradient(problem), TIGHT, 2_000)[0].theta


def corner(ball: Ball | ElasticBall) -> float:
    """Return how sharp a ball is where it meets an axis.

    A point of the axis is the best of its neighbourhood where the gradient of the loss across the
    axis is at most this many times the one along it: 1 for l1, 0 without a corner, infinity at a
    cusp.
    """
    if isinstance(ball, ElasticBall):
        reach = float(ball.reach(np.array([1.0, 0.0])))
        across = 1 - ball.tau
        return across / (across + 2 * ball.tau * reach)
    p = ball.norm.p
    return 1.0 if p == 1 else np.inf if p < 1 else 0.0


def zeros(ball: Ball | ElasticBall, H: Array, minima: Array) -> NDArray[np.bool_]:
    """Return whether the solution has a zero, for minima outside the ball, shape (..., 2)."""
    sharp, axes = corner(ball), range(2)
    if np.isfinite(sharp):  # convex: whatever is the best of its neighbourhood is the solution
        reach = float(ball.reach(np.array([1.0, 0.0])))
        on_axis = np.zeros(minima.shape[:-1], bool)
        for along in axes:
            for end in (reach, -reach):
                push = (minima - end * np.eye(2)[along]) @ H
                outwards = push[..., along] * np.sign(end)
                on_axis |= (outwards > 0) & (np.abs(push[..., 1 - along]) < sharp * outwards)
        return on_axis
    if ball.norm == Lp(0):
        return np.ones(minima.shape[:-1], bool)
    points = outline(ball, 60)[:-1]  # a cusp is the best of its neighbourhood at any step
    losses = ((points @ H) * points).sum(axis=-1) - 2 * (minima @ H) @ points.T
    best = losses.argmin(axis=-1)
    # With the push inwards a point beside the cusp is better still.
    outwards = (((minima - points[best]) @ H) * points[best]).sum(axis=-1) > 0
    return (best % 60 == 0) & outwards


@lru_cache(maxsize=1_000)  # whoever drags the minimum changes neither
def share(ball: Ball | ElasticBall, tilt: int, ratio: float) -> float:
    """Return for which share of the minima in the square and outside the ball there is a zero."""
    H = Touching(ball, (0.0, 0.0), tilt, ratio).H
    steps = (np.arange(CELLS) + 0.5) * (2 * MOST / CELLS) - MOST
    minima = np.stack(np.meshgrid(steps, steps[: CELLS // 2]), axis=-1)  # the rest is their mirror
    return float(zeros(ball, H, minima[~ball.contains(minima)]).mean())


def _bound(ball: Ball | ElasticBall) -> float:
    return ball.bound if isinstance(ball, ElasticBall) else ball.radius


def _in_plane(points: Array, gap: int) -> Array:
    """Return points of a plane as those in space whose coordinate `gap` is 0."""
    return np.insert(points, gap, 0.0, axis=1)


def _row(recipe: Touching) -> Row:
    point = touching_point(recipe.ball, recipe.H, recipe.minimum)
    away = point - np.array(recipe.minimum)
    loss = float(away @ recipe.H @ away) / 2
    return Row(recipe.ball, point, loss, share(recipe.ball, recipe.tilt, recipe.ratio))


@lru_cache(maxsize=100)
def _most_like(elastic: ElasticBall) -> dict[str, float]:
    directions = outline(Ball(Lp(2.0), 1.0), 500)
    reach = elastic.reach(directions)

    def apart(p: float) -> float:
        return float(np.abs(Ball(Lp(p), 1.0).reach(directions) - reach).max())

    nearest = minimize_scalar(apart, bounds=(1, 2), method="bounded")
    return {"nearest": float(nearest.x), "apart": float(nearest.fun)}
