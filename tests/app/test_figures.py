"""Pictures: zero is the middle of every signed map, and what is written on them is true."""

from __future__ import annotations

import numpy as np
import pytest

from pages.shared import figures, prose


@pytest.mark.parametrize("M", [np.array([[1.0, -3.0]]), np.array([[0.1, 0.2]]), np.zeros((2, 3))])
def test_signed_maps_are_centred_on_zero_and_take_the_theme_s_colours(M):
    trace = figures.heatmap(M, "W").data[0]
    assert trace.zmin == -trace.zmax < 0
    assert trace.zmax >= np.abs(M).max()
    assert trace.autocolorscale
    assert trace.colorscale is None


@pytest.mark.parametrize("rows", [False, True])
def test_map_with_arrows_is_scaled_by_the_lines_that_none_points_at(rows):
    M = np.array([[9.0, 0.1, -0.3, 8.0], [9.0, 0.2, 0.1, -8.0]])
    figure = figures.pointed(M.T if rows else M, "W", (0, 3), rows=rows)
    assert figure.data[0].zmax == 0.3
    axis = "y" if rows else "x"
    assert [arrow[axis] for arrow in figure.layout.annotations] == [1, 4]
    assert figures.pointed(M[:, [0, 3]], "W", (0, 1)).data[0].zmax == 9
    assert figures.pointed(np.where(M < 1, 1e-17, M), "W", (0, 3)).data[0].zmax == 9


def test_gallery_has_one_scale():
    figure = figures.gallery(np.arange(24.0).reshape(6, 2, 2), list("abcdef"), "samples")
    assert {trace.zmax for trace in figure.data} == {23.0}
    assert sum(trace.showscale for trace in figure.data) == 1


def test_lines_of_the_correlations_lie_between_the_groups():
    figure = figures.correlations(np.eye(5), [0, 0, 1, 1, 1], "R")
    assert {shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1} == {2.5}


def test_confusion_matrix_is_coloured_by_rows_and_labelled_by_counts():
    trace = figures.confusion_matrix(np.array([[3, 1], [0, 0]]), ["a", "b"], "test").data[0]
    assert np.array(trace.z).tolist() == [[0.75, 0.25], [0.0, 0.0]]
    assert np.array(trace.text).tolist() == [[3, 1], [0, 0]]


def test_bounds_mark_pairs_by_group_and_put_what_is_0_into_the_corner():
    bound = np.full((4, 4), 10.0)
    measured = np.full((4, 4), 0.1)
    bound[0, 3] = measured[0, 3] = 0.0
    figure = figures.bounds(bound, measured, [0, 0, 1, 1], (0, 3), "title")
    line, between, within, star = figure.data
    assert list(line.x) == list(line.y)  # the bound is where they are equal
    assert between.customdata.tolist() == [[1, 3], [2, 3], [2, 4]]  # (1, 4) has no place
    assert within.customdata.tolist() == [[1, 2], [3, 4]]
    for value, axis in ((star.x[0], figure.layout.xaxis), (star.y[0], figure.layout.yaxis)):
        assert axis.type == "log"
        assert axis.range[0] < np.log10(value) < axis.range[1]


def test_bounds_of_equal_columns_are_an_empty_picture():
    figure = figures.bounds(np.ones((3, 3)), np.zeros((3, 3)), [0, 0, 1], (0, 1), "W = 0")
    assert np.isfinite(figure.layout.yaxis.range).all()


def test_approach_puts_0_at_the_foot_of_the_axis_and_the_star_on_the_curve():
    measured, bound = np.array([0.2, np.nan, 0.0]), np.array([30.0, np.nan, 0.0])
    figure = figures.approach([0.0, 0.5, 1.0], measured, bound, (1.0, 0.0), "title")
    above, below, star = figure.data
    axis = figure.layout.yaxis
    foot = axis.tickvals[axis.ticktext.index("0")]
    assert above.y[2] == below.y[2] == star.y[0] == foot
    assert axis.range[0] < np.log10(foot) < np.log10(0.2)
    assert list(above.customdata[[0, 2]]) == [30, 0]  # what is read is the value


def test_star_of_an_approach_is_there_also_where_the_curve_was_not_reached():
    unknown = np.array([np.nan, 0.0])
    figure = figures.approach([0.5, 1.0], unknown, unknown, (0.5, 0.2), "title")
    assert (figure.data[2].x[0], figure.data[2].y[0]) == ("0.5", 0.2)
    assert figure.layout.yaxis.range[0] < np.log10(0.2) < figure.layout.yaxis.range[1]


def test_approach_of_a_W_that_is_0_stays_at_the_foot():
    figure = figures.approach([0.0, 1.0], np.zeros(2), np.array([1e-9, 0.0]), (0.0, 0.0), "W = 0")
    assert np.isfinite(figure.layout.yaxis.range).all()
    assert figure.data[1].y[0] == figure.data[1].y[1] == figure.data[2].y[0]


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.00123, "0.00123"), (1.5e-7, r"1.5 \cdot 10^{-7}"), (2e20, r"2 \cdot 10^{20}"), (0, "0")],
)
def test_number_in_a_formula(value, written):
    assert prose.number(value) == written
