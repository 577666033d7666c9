"""Balls, touching points and the map of zeros, as the browser computes them, beside `smmcore`'s."""

import numpy as np
import pytest

from pages.foundations.corners.touching import MAX_COORDINATE, TouchingProblem, touching_point
from pages.shared.outlines import outline
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp
from tests.js.node import evaluate

CELLS = 200  # along each side of the map of zeros
BALLS = [
    *(({"p": p, "bound": 1.5}, Ball(Lp(p), 1.5)) for p in (0.25, 0.5, 1.0, 1.1, 5.0)),
    ({"p": None, "bound": 0.75}, Ball(Lp(np.inf), 0.75)),
    ({"p": 0, "bound": 1.0}, Ball(Lp(0.0), 1.0)),
    *(({"tau": tau, "bound": 2.0}, ElasticBall(tau, 2.0)) for tau in (0.0, 0.5, 1.0)),
]


FIND = """(cases, most, cells) => cases.map(([ball, shape, minima]) => {
    const H = curvature(shape), points = ball.p === 0 ? [] : outline(ball);
    const found = minima.map((minimum) => touchingPoints(ball, H, minimum, points)[0]);
    const drawn = ball.p === 0 ? [] : outline(ball, 40);
    return [found, drawn, [...mapOfZeros(ball, H, most, cells)], H];
})"""


def test_the_browser_finds_the_touching_points_of_smmcore():
    """It draws the outline and the sectors of smmcore as well."""
    rng = np.random.default_rng(0)
    cases = []
    for told, _ in BALLS:
        shape = {"tilt": int(rng.integers(180)), "ratio": float(rng.uniform(1, 6))}
        minima = rng.uniform(-MAX_COORDINATE, MAX_COORDINATE, (12, 2))
        cases.append((told, shape, minima.tolist()))
    answers = evaluate(["contours/balls"], FIND, cases, MAX_COORDINATE, CELLS)
    for (_, ball), (_, shape, minima), answer in zip(BALLS, cases, answers, strict=True):
        H = TouchingProblem(ball, (0.0, 0.0), **shape).H
        found, drawn, flat, curved = answer
        for minimum, point in zip(minima, np.array(found), strict=True):
            ours = touching_point(ball, H, minimum)
            loss, least = ((one - minimum) @ H @ (one - minimum) for one in (point, ours))
            # Both searches leave a loss to rounding; the points are as near as that allows, for in
            # a convex ball the loss grows at least by (theta - theta*)' H (theta - theta*).
            assert loss == pytest.approx(least, rel=1e-12, abs=1e-12)
            if isinstance(ball, ElasticBall) or ball.norm.p >= 1:
                allowed = 2 * np.sqrt(1e-12 * max(least, 1.0) / np.linalg.eigvalsh(H)[0])
                assert np.linalg.norm(point - ours) <= allowed
                np.testing.assert_array_equal(point == 0, ours == 0)
        np.testing.assert_allclose(curved, H[np.triu_indices(2)], atol=1e-15)
        if drawn:
            np.testing.assert_allclose(drawn, outline(ball, 40), rtol=1e-12, atol=1e-15)
        has_corners = ball.tau < 1 if isinstance(ball, ElasticBall) else ball.norm.p <= 1
        for cell in rng.integers(CELLS**2, size=40):
            row, column = divmod(int(cell), CELLS)
            centre = (np.array([column, CELLS - 1 - row]) + 0.5) * (2 * MAX_COORDINATE / CELLS)
            minimum = centre - MAX_COORDINATE
            zeros = touching_point(ball, H, minimum) == 0
            if ball.contains(minimum):
                assert flat[cell] == 3
            elif has_corners and zeros.any():
                assert flat[cell] in np.flatnonzero(zeros) + 1
            else:  # the zeros of a smooth ball are rounded
                assert flat[cell] == 0
