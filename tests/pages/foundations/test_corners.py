"""Why corners make zeros: the touching point, and the page."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.foundations.corners import contours
from pages.foundations.corners.touching import MAX_COORDINATE, TouchingProblem, touching_point
from pages.shared.outlines import outline
from smmcore.sugiyama.penalties import Ball, ElasticBall, Lp
from tests.pages.visit import choose, control_settings, current_states, visit

L1 = TouchingProblem(Ball(Lp(1.0), 1.0), (2.0, 0.6), 60, 2.0)
BALLS = [
    *(Ball(Lp(p), bound) for p in (0.25, 0.5, 1.0, 1.4, 2.0, 5.0, np.inf) for bound in (0.5, 2.0)),
    *(ElasticBall(tau, bound) for tau in (0.0, 0.5, 0.9, 1.0) for bound in (0.5, 2.0)),
]


@pytest.mark.parametrize("tilt", [0, 30, 90, 135])
def test_contours_have_the_tilt_and_the_ratio_that_they_are_asked_for(tilt):
    values, vectors = np.linalg.eigh(TouchingProblem(L1.ball, (0.0, 0.0), tilt, 3.0).H)
    np.testing.assert_allclose(values, [1 / 9, 1])
    angle = np.radians(tilt)
    assert abs(vectors[:, 0] @ [np.cos(angle), np.sin(angle)]) == pytest.approx(1)


@settings(max_examples=25, deadline=None)
@given(
    ball=st.sampled_from(BALLS),
    minimum=st.tuples(
        st.floats(-MAX_COORDINATE, MAX_COORDINATE), st.floats(-MAX_COORDINATE, MAX_COORDINATE)
    ),
    tilt=st.integers(0, 180),
    ratio=st.floats(1, 6),
)
def test_no_point_of_the_boundary_has_less_loss_than_the_touching_point(ball, minimum, tilt, ratio):
    experiment = TouchingProblem(ball, minimum, tilt, ratio)
    point = touching_point(ball, experiment.H, minimum)
    assert ball.contains(point)

    def loss(points):
        away = points - np.array(minimum)
        return ((away @ experiment.H) * away).sum(axis=-1)

    assert loss(point) <= loss(outline(ball, 1_500)).min() + 1e-12
    if not ball.contains(np.array(minimum)):  # on the boundary
        assert not ball.contains(point * (1 + 1e-9))


def test_the_l0_ball_gives_a_zero_for_every_minimum():
    centres = np.random.default_rng(1).uniform(-3, 3, (20, 2))
    assert all((touching_point(Ball(Lp(0.0), 1.0), L1.H, c) == 0).any() for c in centres)


def test_correlated_features_can_move_the_zero_to_the_larger_coordinate():
    minimum = 2.1, 1.0
    for ratio, point in ((1.0, [1, 0]), (4.0, [0, 1])):
        experiment = TouchingProblem(L1.ball, minimum, 150, ratio)
        np.testing.assert_array_equal(touching_point(L1.ball, experiment.H, minimum), point)


PAGE = "corners"  # opens with the settings of L1


def told(contents):
    """Return what the component of the page is given."""
    parts = contents.get("bidi_component")
    (part,) = (part for part in parts if part.proto.component_name == "contours")
    return json.loads(part.proto.json)


ROLES = {"first": "min1", "second": "min2", "tilt": "tilt", "ratio": "ratio"}
NAMES_OF_L1 = {role: contours.LOSS[name] for role, name in ROLES.items()}


def shape(contents):
    """Return the values of the settings that the picture is given."""
    settings = told(contents)["settings"].items()
    return {role: setting["values"][setting["at"]] for role, setting in settings}


def finite(ball):
    """Return the exponent of a ball as JSON has it."""
    p = ball.norm.p
    return p if np.isfinite(p) else None


def formula(contents):
    """Return the formula of the page: the problem, with its solution, in an exercise."""
    return next(text.value for text in contents.markdown if r"\begin{gathered}" in text.value)


def test_the_lesson_opens_with_its_picture_and_its_formula(contents):
    visit(contents, PAGE)
    assert not contents.error
    assert shape(contents) == {"form": 1.0, "bound": 1.0, **NAMES_OF_L1}
    pull = L1.H @ (np.array(L1.minimum) - [1, 0])
    assert abs(pull[1]) < pull[0]  # the corner holds
    text = formula(contents)
    assert r"\hat\theta = \begin{pmatrix} 1 \\ 0 \end{pmatrix}" in text
    assert rf"\begin{{pmatrix}} {pull[0]:.3g} \\ {pull[1]:.3g} \end{{pmatrix}}" in text


def test_presets_set_the_controls_and_the_picture(contents):
    visit(contents, PAGE)
    for name, wanted in contours.PRESETS.items():
        choose(contents, name)
        assert not contents.exception
        assert current_states(contents) == [name]
        assert shape(contents)["form"] == wanted.get("norm", wanted.get("balance"))


@pytest.mark.parametrize(
    ("ball", "query"),
    [
        (Ball(Lp(0.0), 1.0), {"corners_norm": "0"}),
        (Ball(Lp(np.inf), 1.5), {"corners_norm": "inf", "corners_bound": "1.5"}),
        (ElasticBall(1.0, 1.0), {"corners_ball": "l1 + l2", "corners_balance": "1"}),
    ],
)
def test_balls_at_both_ends_open_from_the_address(contents, ball, query):
    visit(contents, PAGE, **query)
    assert not contents.error
    assert query.items() <= control_settings(contents).items()
    assert shape(contents)["form"] == (ball.tau if isinstance(ball, ElasticBall) else finite(ball))
