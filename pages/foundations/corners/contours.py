"""The picture of the contours that a reader drags, and the controls that follow."""

from __future__ import annotations

from math import inf, isinf
from typing import Any

import streamlit as st

from pages.foundations.corners.touching import MAX_COORDINATE, TouchingProblem
from pages.shared.component import component
from pages.shared.settings import Setting
from pages.shared.widgets import url
from pages.shared.widgets.states import State, choose_state
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp

KEY = "contours"

LP, ELASTIC = "lp", "l1 + l2"
BALL_NAMES = {LP: "ℓₚ", ELASTIC: "ℓ₁ + ℓ₂"}
EXPONENTS = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.2, 1.4, 1.7, 2.0, 3.0, 5.0, 10.0, inf]
TAUS = [k / 10 for k in range(11)]
BOUNDS = [0.5, 0.75, 1.0, 1.25, 1.5, 2.0]
STEP = 0.02  # of the minimum, in the picture: less than two pixels on a projector
COORDINATES = [k / 50 for k in range(-150, 151)]
RATIOS = [k / 10 for k in range(10, 61)]
FIRST, SECOND, TILT, RATIO = "min1", "min2", "tilt", "ratio"
DRAGGED: dict[str, tuple[str, list[Any]]] = {  # in the picture
    FIRST: ("Minimum, first", COORDINATES),
    SECOND: ("second", COORDINATES),
    TILT: ("Tilt in degrees", list(range(180))),
    RATIO: ("Long : short axis", RATIOS),
}
SHAPES: dict[str, tuple[str, str, list[float], float, str]] = {  # the slider of each kind of ball
    LP: (
        "norm",
        "p",
        EXPONENTS,
        1.0,
        "Exponent of the ℓₚ ball, (Σ |θⱼ|ᵖ)^(1/p) ≤ R. For p = 0 one coordinate is 0.",
    ),
    ELASTIC: (
        "balance",
        "Share of ℓ₂²",
        TAUS,
        0.5,
        "ω, which the book calls τ: (1 − ω) ‖θ‖₁ + ω ‖θ‖² ≤ R. 0 is ℓ₁, 1 is ℓ₂.",
    ),
}

LOSS = {FIRST: 2.0, SECOND: 0.6, TILT: 60, RATIO: 2.0}  # touches the diamond at a corner
PRESETS: dict[str, dict[str, Any]] = {  # of the ball: the loss is where the hand has left it
    "Diamond": {"ball": LP, "norm": 1.0},
    "Disc": {"ball": LP, "norm": 2.0},
    "Elastic net": {"ball": ELASTIC, "balance": 0.5},
    "Not convex": {"ball": LP, "norm": 0.5},
}

_component = component(KEY, "contours/contours", ["toy", "contours/contours"])


def draw_controls() -> TouchingProblem:
    """Draw the presets, the shape and the radius of the ball; return the chosen problem."""
    states = st.container()
    kind = url.knob("Ball", "", list(BALL_NAMES), LP, BALL_NAMES.__getitem__, key="ball")[0]
    for name, (key, label, options, usual, help) in SHAPES.items():
        if name == kind:
            form = url.slider(st, label, options, usual, key=key, help=help)
        else:
            url.knob(label, "", options, usual, key=key)
    bound = url.slider(
        st,
        "Radius R",
        BOUNDS,
        1.0,
        key="bound",
        help="The bound on the norm; the book writes R². The ℓ₁ + ℓ₂ ball squares the ℓ₂ norm. "
        "For p = 0 it is 1.",
        disabled=kind == LP and form == 0,
    )
    first, second, tilt, ratio = (
        url.knob(label, "", options, LOSS[name], key=name)[0]
        for name, (label, options) in DRAGGED.items()
    )
    with states:
        choose_state([State(name, settings) for name, settings in PRESETS.items()], begin="Diamond")
    is_lp = kind == LP
    ball = Ball(Lp(form), bound if form else 1.0) if is_lp else ElasticBall(form, bound)
    return TouchingProblem(ball, (first, second), tilt, ratio)


def draw_contours(problem: TouchingProblem) -> None:
    """Draw the picture, which sets the controls at the end of a drag."""
    is_elastic = isinstance(problem.ball, ElasticBall)
    names = {"form": SHAPES[ELASTIC if is_elastic else LP][0], "bound": "bound"}
    names |= {"first": FIRST, "second": SECOND, "tilt": TILT, "ratio": RATIO}
    _component(
        key=KEY,
        data={
            "isElastic": is_elastic,
            "settings": {role: _with_values(url.setting(name)) for role, name in names.items()},
            "most": MAX_COORDINATE,
            "step": STEP,
            "widest": RATIOS[-1],
        },
    )


def _with_values(setting: Setting) -> dict[str, Any]:
    """Return a setting for the browser with its values; JSON has no infinity, it is null there."""
    values = [None if isinf(value) else value for value in setting.values]
    return setting.to_json() | {"values": values}
