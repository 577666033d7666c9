"""Momentum as a ball: its steps are the solver's, and what the lesson says of them is true."""

from itertools import islice

import numpy as np
import pytest

from pages.smm.live.momentum import (
    CURVATURE,
    EIGENVALUES,
    GROWS,
    MOMENTA,
    START,
    STEPS,
    hessian,
)
from smmcore.solvers import proximal_gradient
from smmcore.solvers.proximal import first_state
from smmcore.sugiyama.penalties import Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS


def rolled(start, restarts=True, momentum="0.98"):
    """The distances to the lowest point, and where the ball was stopped, by the picture's rule."""
    H, theta, t = hessian() / CURVATURE, np.array(start), 1.0
    ahead, path, stops = theta, [theta], []
    for k in range(STEPS):
        after = ahead - H @ ahead
        stopped = restarts and (after - ahead) @ (after - theta) < 0
        grown = 1.0 if stopped else (1 + np.sqrt(1 + 4 * t**2)) / 2
        share = (t - 1) / grown if momentum == GROWS else float(momentum)
        ahead = after + (0 if stopped else share) * (after - theta)
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
    first = first_state(problem, start)
    states = list(islice(proximal_gradient(problem, start=first), STEPS))
    distances, stops = rolled(START, momentum=GROWS)
    solved = [np.linalg.norm(state.theta) for state in states]
    np.testing.assert_allclose(solved, distances[1:], rtol=1e-6, atol=1e-12)
    assert [k for k, state in enumerate(states) if state.restarted] == stops


@pytest.mark.parametrize("momentum", MOMENTA[-3:])
@pytest.mark.parametrize("start", [START, (-2.0, -2.0), (0.0, 2.5), (2.5, 1.0)])
def test_ball_rolls_past_the_lowest_point_and_restarts_bring_it_nearer(start, momentum):
    free, stopped = rolled(start, False, momentum)[0], rolled(start, True, momentum)
    lowest = int(np.argmax(np.diff(free) > 0))
    assert free[lowest:].max() > 1.4 * free[lowest]  # it moves away again
    assert stopped[1]
    assert stopped[0][-1] < free[-1] / 100


def test_at_the_picture_s_own_momentum_the_overshoot_is_seen_and_without_any_the_ball_is_slow():
    """It rolls on by a quarter of the way to the lowest point, and more; without it, it crawls."""
    free = rolled(START, restarts=False)[0]
    lowest = int(np.argmax(np.diff(free) > 0))
    assert free[lowest:].max() > 0.25 * free[0]
    assert rolled(START, momentum="0")[0][-1] > 0.5 * free[0]
