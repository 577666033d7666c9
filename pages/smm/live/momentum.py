"""The picture of momentum as a ball in a valley of two dimensions, with and without restart."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from pages.shared.component import component
from pages.shared.widgets import url
from smmcore.arrays import Array

KEY = "momentum"
# The valley is 1/2 theta' H theta with these eigenvalues of H; its long axis has this angle.
EIGENVALUES, ANGLE = (0.06, 1.0), pi / 6
CURVATURE = 30.0  # L of the steps, so large that the ball rolls and does not jump
STEPS = 200
REACH, GRAIN = 3.0, 0.05  # of the coordinates of the start
PLACES = [round(GRAIN * k - REACH, 2) for k in range(round(2 * REACH / GRAIN) + 1)]
START = -2.5, -0.5

_component = component(KEY, "momentum/momentum", ["toy", "momentum/momentum"])


def hessian() -> Array:
    """Return H, (2, 2)."""
    axes = np.array([[np.cos(ANGLE), -np.sin(ANGLE)], [np.sin(ANGLE), np.cos(ANGLE)]])
    return np.asarray((axes * EIGENVALUES) @ axes.T)


def draw_momentum() -> None:
    """Draw the picture, with the start that one drags."""
    drawn = [
        url.knob(name, "", PLACES, default, key=name)
        for name, default in zip(("ball_x", "ball_y"), START, strict=True)
    ]
    data: dict[str, Any] = {
        "hessian": hessian().tolist(),
        "curvature": CURVATURE,
        "eigenvalues": EIGENVALUES,
        "angle": ANGLE,
        "count": STEPS,
        "reach": REACH,
        "grain": GRAIN,
        "places": PLACES,
        "knobs": [knob.to_json() for _, knob in drawn],
    }
    _component(key=KEY, data=data)
