"""Momentum as a ball: its steps are the solver's, and what the lesson says of them is true."""

from itertools import islice

import numpy as np
import pytest

from pages.smm.live.momentum import CURVATURE, EIGENVALUES, START, STEPS, hessian
from smmcore.penalties import Lp, WeightedNorm
from smmcore.problems import RegularizedLS
from smmcore.solvers import proximal_gradient
from smmcore.solvers.proximal import ProximalState


def rolled(start, restarts=True):
    """The distances to the lowest point, and where the ball was stopped, by the picture's rule."""
    H, theta, t = hessian() / CURVATURE, np.array(start), 1.0
    ahead, path, stops = theta, [theta], []
    for k in range(STEPS):
        after = ahead - H @ ahead
        stopped = restarts and (after - ahead) @ (after - theta) < 0
        grown = 1.0 if stopped else (1 + np.sqrt(1 + 4 * t**2)) / 2
        ahead = after + (0 if stopped else (t - 1) / grown) * (after - theta)
        theta, t = after, grown
        path.append(theta)
        stops += [k] * bool(stopped)
    return np.linalg.norm(path, axis=1), stops


def test_steps_are_those_of_proximal_gradient():
    """A third coordinate, steeper and at its lowest point, makes the steps as short."""
    eigenvalues, axes = np.linalg.eigh(hessian())
    np.testing.assert_allclose(eigenvalues, EIGENVALUES)
    Phi = np.zeros((3, 3))
    Phi[:2, :2] = np.sqrt(eigenvalues)[:, None] * axes.T
    Phi[2, 2] = np.sqrt(CURVATURE)
    problem = RegularizedLS(Phi, np.zeros(3), WeightedNorm(Lp(1.0), 0.0))
    start = np.array([*START, 0.0])
    first = ProximalState(0, start, np.inf, False, 1.0, start, problem.fingerprint)
    states = list(islice(proximal_gradient(problem, start=first), STEPS))
    distances, stops = rolled(START)
    solved = [np.linalg.norm(state.theta) for state in states]
    np.testing.assert_allclose(solved, distances[1:], rtol=1e-6, atol=1e-12)
    assert [k for k, state in enumerate(states) if state.restarted] == stops


@pytest.mark.parametrize("start", [START, (-2.0, -2.0), (0.0, 2.5), (2.5, 1.0)])
def test_ball_rolls_past_the_lowest_point_and_restarts_bring_it_nearer(start):
    free, stopped = rolled(start, restarts=False)[0], rolled(start)
    lowest = int(np.argmax(np.diff(free) > 0))
    assert free[lowest:].max() > 2 * free[lowest]  # it moves away again
    assert stopped[1]
    assert stopped[0][-1] < free[-1] / 100
