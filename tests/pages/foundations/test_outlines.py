"""The pictures of Sugiyama's chapter 24 as statements."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from pages.shared.outlines import outline
from smmcore.sugiyama.penalties import L12, Ball, ElasticBall, Lp

PLANE = [
    *(Ball(Lp(p), 1.5) for p in (0.1, 0.5, 1, 1.4, 2, 5, np.inf)),
    *(ElasticBall(tau, 1.0) for tau in (0.0, 0.5, 1.0)),
    Ball(L12((0, 1)), 1.0),
    Ball(L12((0, 0)), 1.0),
]


@pytest.mark.parametrize("ball", PLANE)
def test_an_outline_runs_on_the_boundary_and_through_the_axes(ball):
    points = outline(ball, 30)
    assert points.shape == (121, 2)
    assert ball.contains(points).all()
    assert not ball.contains(points * (1 + 1e-9)).any()
    r = ball.reach(np.array([1.0, 0.0]))
    np.testing.assert_allclose(
        points[::30], r * np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [1, 0]])
    )
    angles = np.unwrap(np.arctan2(points[:, 1], points[:, 0]))
    assert (np.diff(angles) >= 0).all()
    assert angles[-1] == pytest.approx(2 * np.pi)


def test_the_l0_ball_is_the_axes_as_far_as_one_looks():
    points = outline(Ball(Lp(0), 1), 10, limit=2.0)
    assert (np.count_nonzero(points, axis=1) <= 1).all()
    assert np.abs(points).max() == 2
    with pytest.raises(ValueError, match="limit must be finite for the l_0 ball"):
        outline(Ball(Lp(0), 1))


def test_the_l_14_ball_lies_over_the_elastic_nets_up_to_a_percent():
    # Fig. 24.8; of all p the nearest is 1.41 to 1.43, by how one measures.
    directions = outline(Ball(Lp(2), 1.0), 500)
    elastic = ElasticBall(0.5, 1.0).reach(directions)

    def distance(p, order):
        return np.linalg.norm(Ball(Lp(p), 1.0).reach(directions) - elastic, order)

    assert distance(1.4, np.inf) <= 0.0121
    for order in (1, 2, np.inf):
        best = minimize_scalar(distance, bounds=(1, 2), args=(order,), method="bounded").x
        assert 1.40 <= best <= 1.43
