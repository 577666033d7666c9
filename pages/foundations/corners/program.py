"""Corners make zeros: the point of a ball where a loss is least."""

import numpy as np

from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp

BALL: Ball | ElasticBall = Ball(Lp(1.0), 1.0)
MINIMUM = (1.5, 0.5)  # of the loss
TILT = 0  # degrees, from the first axis to the long axis of the rings
RATIO = 1.0  # of the long axis to the short one

# %% The loss is (theta - MINIMUM)' H (theta - MINIMUM)
a = np.radians(TILT)
axes = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
H = axes @ np.diag([RATIO**-2, 1.0]) @ axes.T

# %% On each ray from 0, stay in the ball; then take the best ray
angles = np.linspace(0, 2 * np.pi, 4 * 90_000, endpoint=False)
rays = np.column_stack([np.cos(angles), np.sin(angles)]).round(15)
best = np.maximum(rays @ H @ MINIMUM / np.sum(rays @ H * rays, axis=1), 0.0)
points = np.minimum(best, BALL.reach(rays))[:, None] * rays
away = points - MINIMUM
theta = points[np.sum(away @ H * away, axis=1).argmin()]
print("      theta_1       theta_2  weights that are 0")
print(f"{theta[0]:13.4f} {theta[1]:13.4f}  {np.sum(np.abs(theta) < 1e-9)}")
