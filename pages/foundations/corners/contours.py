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
TILTS = list(range(180))
RATIOS = [k / 10 for k in range(10, 61)]
FIRST, SECOND, TILT, RATIO = "min1", "min2", "tilt", "ratio"  # set by a drag in the picture
SHAPES = {LP: "norm", ELASTIC: "balance"}  # the slider of each kind of ball

LOSS = {FIRST: 2.0, SECOND: 0.6, TILT: 60, RATIO: 2.0}  # touches the diamond at a corner
PRESETS: dict[str, dict[str, Any]] = {  # of the ball: the loss is where the hand has left it
    "Diamond": {"ball": LP, "norm": 1.0},
    "Disc": {"ball": LP, "norm": 2.0},
    "Elastic net": {"ball": ELASTIC, "balance": 0.5},
    "Not convex": {"ball": LP, "norm": 0.5},
}

_component = component(KEY, "contours/contours", ["toy", "contours/contours"])


def draw_controls(form: Any, more: Any) -> TouchingProblem:
    """Draw the presets and the exponent, and what few need; return the chosen problem."""
    begin, states = {**PRESETS["Diamond"], "bound": 1.0, **LOSS}, form.container()
    kind = url.choice(
        more,
        "segmented_control",
        "Ball",
        list(BALL_NAMES),
        begin["ball"],
        BALL_NAMES.__getitem__,
        key="ball",
    )
    # The shape's own knob is at the picture, the other one is not in the way.
    p = url.slider(
        form if kind == LP else more,
        "p",
        EXPONENTS,
        begin["norm"],
        key=SHAPES[LP],
        help="Exponent of the ℓₚ ball, (Σ |θⱼ|ᵖ)^(1/p) ≤ R. For p = 0 one coordinate is 0.",
        disabled=kind == ELASTIC,
    )
    share = url.slider(
        form if kind == ELASTIC else more,
        "Share of ℓ₂²",
        TAUS,
        0.5,
        key=SHAPES[ELASTIC],
        help="ω, which the book calls τ: (1 − ω) ‖θ‖₁ + ω ‖θ‖² ≤ R. 0 is ℓ₁, 1 is ℓ₂.",
        disabled=kind == LP,
    )
    with more:
        bound = url.slider(
            st,
            "Radius R",
            BOUNDS,
            begin["bound"],
            key="bound",
            help="The bound on the norm; the book writes R². The ℓ₁ + ℓ₂ ball squares the ℓ₂ norm. "
            "For p = 0 it is 1.",
            disabled=kind == LP and p == 0,
        )
        with st.container(key="pairs"):
            (left, right), (below, beside) = st.columns(2), st.columns(2)
        minimum = (
            url.slider(left, "Minimum, first", COORDINATES, begin[FIRST], key=FIRST),
            url.slider(right, "second", COORDINATES, begin[SECOND], key=SECOND),
        )
        tilt = url.slider(
            below,
            "Tilt in degrees",
            TILTS,
            begin[TILT],
            key=TILT,
            help="Angle between the long axis of the contours and the first axis. Drag the ring.",
        )
        ratio = url.slider(
            beside,
            "Long : short axis",
            RATIOS,
            begin[RATIO],
            key=RATIO,
            help="1 makes circles: uncorrelated features of equal length. Drag the ring.",
        )
    with states:
        choose_state([State(name, settings) for name, settings in PRESETS.items()], begin="Diamond")
    if kind == ELASTIC:
        return TouchingProblem(ElasticBall(share, bound), minimum, tilt, ratio)
    ball = Ball(Lp(p), bound if p else 1.0)
    return TouchingProblem(ball, minimum, tilt, ratio)


def draw_contours(problem: TouchingProblem) -> None:
    """Draw the picture, which sets the controls at the end of a drag."""
    is_elastic = isinstance(problem.ball, ElasticBall)
    names = {"form": SHAPES[ELASTIC if is_elastic else LP], "bound": "bound"}
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
