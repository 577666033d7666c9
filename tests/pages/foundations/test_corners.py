"""Why corners make zeros: the experiment, what a worker finds out, and the page."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.foundations.corners import contours, touching
from pages.foundations.corners.touching import MAX_COORDINATE, TouchingProblem, touching_point
from pages.shared.outlines import outline
from smmcore.penalties import L12, Ball, ElasticBall, Lp
from tests.pages.visit import choose, control_settings, current_states, turn, visit

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


@pytest.mark.parametrize(
    "ball", [L1.ball, Ball(Lp(0.0), 1.0), Ball(Lp(np.inf), 0.5), ElasticBall(0.3, 2.0)]
)
def test_script_prints_the_touching_point(ball, capsys):
    problem = TouchingProblem(ball, (1.24, -2.9), 77, 3.7)
    exec(compile(problem.script(), "script", "exec"), {})
    assert capsys.readouterr().out == f"{touching.find_touching_point(problem)}\n"


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


@pytest.mark.parametrize("ball", BALLS)
def test_a_minimum_is_coloured_where_its_solution_has_a_zero(ball):
    H, rng = L1.H, np.random.default_rng(0)
    minima = rng.uniform(-MAX_COORDINATE, MAX_COORDINATE, (60, 2))
    minima = minima[~ball.contains(minima)]
    said = touching.has_zero(ball, H, minima)
    seen = np.array([(touching_point(ball, H, minimum) == 0).any() for minimum in minima])
    np.testing.assert_array_equal(said, seen)


@pytest.mark.parametrize("ball", [ball for ball in BALLS if np.isfinite(touching.sharpness(ball))])
def test_the_corner_is_the_slope_of_the_boundary_beside_the_axis(ball):
    # Of the smooth balls beside it, the l_1.4 ball has the slowest slope: t^0.4.
    reach = ball.reach(np.array([1.0, 0.0]))
    t = 1e-9
    x, y = ball.reach(np.array([1.0, t])) * np.array([1.0, t])
    assert (reach - x) / y == pytest.approx(touching.sharpness(ball), abs=1e-3)


def test_only_balls_with_corners_have_more_than_single_minima_with_a_zero():
    shares = {row.ball: row.share for row in touching.find_touching_point(L1).rows}
    half, l1, smooth, l2, square = (Ball(Lp(p), 1.0) for p in (0.5, 1.0, 1.4, 2.0, np.inf))
    assert 1 > shares[half] > shares[l1] > shares[ElasticBall(0.5, 1.0)] > 0
    assert shares[smooth] == shares[l2] == shares[square] == 0
    centres = np.random.default_rng(1).uniform(-3, 3, (20, 2))
    assert all((touching_point(Ball(Lp(0.0), 1.0), L1.H, c) == 0).any() for c in centres)


def test_correlated_features_can_move_the_zero_to_the_larger_coordinate():
    wanted = contours.PRESETS["Correlated"]
    minimum = wanted["min1"], wanted["min2"]
    for ratio, point in ((1.0, [1, 0]), (wanted["ratio"], [0, 1])):
        experiment = TouchingProblem(L1.ball, minimum, wanted["tilt"], ratio)
        np.testing.assert_array_equal(touching.find_touching_point(experiment).point, point)


DEEP = replace(L1, third=0.4)


@pytest.mark.parametrize("ball", [b for b in BALLS if np.isfinite(touching.sharpness(b))])
def test_no_point_of_a_ball_in_three_dimensions_has_less_loss_than_its_solution(ball):
    experiment = replace(DEEP, ball=ball)
    bound = touching.make_solids(experiment)[1].corners.max()
    minimum, H = np.array([*experiment.minimum, 0.4]), np.eye(3)
    H[:2, :2] = experiment.H
    directions = np.random.default_rng(0).standard_normal((400, 3))
    regions = ball, Ball(L12(touching.SOLID_GROUPS), bound)

    def loss(points):
        away = points - minimum
        return ((away @ H) * away).sum(axis=-1) / 2

    for region, solid in zip(regions, touching.make_solids(experiment), strict=True):
        others = region.reach(directions)[:, None] * directions
        assert region.contains(solid.point)
        assert loss(solid.point) <= loss(others).min() + touching.SOLID_GAP * loss(np.zeros(3))


def test_of_a_group_ball_the_solution_goes_from_the_circle_to_the_peak():
    flat, high = (touching.make_solids(replace(L1, third=third))[1].point for third in (0.4, 2.5))
    assert flat[2] == 0
    assert (flat[:2] != 0).all()
    np.testing.assert_array_equal(high, [0, 0, 1])
    assert touching.make_solids(replace(DEEP, ball=Ball(Lp(0.5), 1.0)))[0].point is None


PAGE = "corners"  # opens with the settings of L1


def told(contents):
    """Return what the component of the page is given."""
    parts = contents.get("bidi_component")
    (part,) = (part for part in parts if part.proto.component_name == "contours")
    return json.loads(part.proto.json)


ROLES = {"first": "min1", "second": "min2", "tilt": "tilt", "ratio": "ratio"}
NAMES_OF_L1 = {role: contours.ONE_LOSS[name] for role, name in ROLES.items()}


def shape(contents):
    """Return the values of the settings that the picture is given."""
    settings = told(contents)["settings"].items()
    return {role: setting["values"][setting["at"]] for role, setting in settings}


def finite(ball):
    """Return the exponent of a ball as JSON has it."""
    p = touching.lp_exponent(ball)
    return p if np.isfinite(p) else None


def formulas(contents):
    """Return the formulas of the page: the problem with its solution, and the zero's condition."""
    return [latex.value for latex in contents.latex]


def test_the_lesson_opens_with_its_picture_its_formula_and_solutions_in_three_dimensions(contents):
    visit(contents, PAGE)
    assert not contents.error
    assert shape(contents) == {"form": 1.0, "bound": 1.0, **NAMES_OF_L1}
    assert len(contents.get("plotly_chart")) == 3
    _, condition = formulas(contents)  # which force the corner holds
    g = L1.H @ (np.array(L1.minimum) - [1, 0])
    assert rf"\frac{{|g_2|}}{{|g_1|}} = {abs(g[1] / g[0]):.3g} \le \kappa" in condition
    assert r"\hat\theta_2 = 0" in condition
    assert any("θ̂ = (1.000, 0, 0): 2 zeros." in text.value for text in contents.markdown)
    assert any(text.value == "θ̂ = (0.998, −0.061, 0): one zero." for text in contents.markdown)
    turn(contents, "corners_min3", 2.5)
    assert any(text.value == "θ̂ = (0, 0, 1.000): 2 zeros." for text in contents.markdown)
    turn(contents, "corners_norm", 0.5)
    assert any(text.value.startswith("Not convex") for text in contents.markdown)


def test_presets_set_the_controls_and_the_picture(contents):
    visit(contents, PAGE)
    for name, wanted in contours.PRESETS.items():
        choose(contents, name)
        assert not contents.exception
        assert current_states(contents) == [name]
        found = shape(contents)
        assert {role: found[role] for role in ROLES} == {
            role: wanted[name] for role, name in ROLES.items()
        }


@pytest.mark.parametrize(
    ("ball", "query"),
    [
        (Ball(Lp(0.0), 1.0), {"corners_norm": "0"}),
        (Ball(Lp(np.inf), 1.5), {"corners_norm": "inf", "corners_bound": "1.5"}),
        (ElasticBall(1.0, 1.0), {"corners_ball": "l1 + l2", "corners_balance": "1"}),
    ],
)
def test_balls_at_both_ends_open_from_the_address_without_a_condition_that_does_not_hold(
    contents, ball, query
):
    visit(contents, PAGE, **query)
    assert not contents.error
    assert query.items() <= control_settings(contents).items()
    assert shape(contents)["form"] == (ball.tau if isinstance(ball, ElasticBall) else finite(ball))
    # No force holds the point along an axis, or along an edge of the square.
    assert r"\le \kappa" not in formulas(contents)[1]
    push = touching.find_touching_point(replace(L1, ball=ball)).push
    assert np.count_nonzero(push) == (2 if isinstance(ball, ElasticBall) else 1)
