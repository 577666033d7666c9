"""The picture of momentum as a ball in a valley of two dimensions, with and without restart."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from pages.shared.component import component
from pages.shared.parts.knobs import draw_knobs
from pages.shared.widgets import url
from smmcore.arrays import Array

KEY = "momentum"
# The valley is 1/2 theta' H theta with these eigenvalues of H; its long axis has this angle.
EIGENVALUES, ANGLE = (0.06, 1.0), pi / 6
CURVATURE = 30.0  # L of the steps, so large that the ball rolls and does not jump
STEPS = 200
GROWS = "grows"  # with the steps, as in Algorithm 1; else a share of the last move
MOMENTA = "0", "0.5", "0.8", "0.9", "0.95", "0.98", "0.99", GROWS
REACH, GRAIN = 3.0, 0.05  # of the coordinates of the start
PLACES = [round(GRAIN * k - REACH, 2) for k in range(round(2 * REACH / GRAIN) + 1)]
START = -2.5, -0.5

_component = component(KEY, "momentum/momentum", ["toy", "momentum/momentum"])


def hessian() -> Array:
    """Return H, (2, 2)."""
    axes = np.array([[np.cos(ANGLE), -np.sin(ANGLE)], [np.sin(ANGLE), np.cos(ANGLE)]])
    return np.asarray((axes * EIGENVALUES) @ axes.T)


def draw_momentum() -> None:
    """Draw the picture, with the start that one drags, and the knob of the momentum."""
    _, momentum = url.knob("momentum", "share of the last move", MOMENTA, "0.98", str, key="ball")
    draw_knobs([momentum], "momentum-knob")
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
        "knob": momentum.to_json(),
        "grows": GROWS,
    }
    _component(key=KEY, data=data)
