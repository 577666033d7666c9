"""Pictures: zero is the middle of every signed map, and what is written on them is true."""

import numpy as np
import pytest

from pages.research.theorem_2 import charts as theorem
from pages.shared.numbers import grouped, latex, on_control, percent, scientific
from pages.shared.parts import heatmaps
from pages.your_data.results import report as charts


def test_numbers_have_a_minus_and_no_hyphen():
    assert [scientific(value, 3) for value in (-0.5, -1e-7, 2e-7)] == [
        "−0.5",
        "−1.00 × 10⁻⁷",
        "2.00 × 10⁻⁷",
    ]
    assert scientific(0.9035593, 7) == "0.9035593"
    assert grouped(-2500) == "−2,500"
    assert [*map(on_control, (2e-5, 1e4, 1_234_567, True))] == [
        "2 × 10⁻⁵",
        "10,000",
        "1,234,567",
        "true",
    ]
    in_formulas = "0.00123", r"1.5 \times 10^{-7}", r"2 \times 10^{20}", "0"
    assert tuple(map(latex, (0.00123, 1.5e-7, 2e20, 0))) == in_formulas


@pytest.mark.parametrize("M", [np.array([[1.0, -3.0]]), np.array([[0.1, 0.2]]), np.zeros((2, 3))])
def test_signed_maps_are_centred_on_zero_and_take_the_theme_s_colours(M):
    trace = heatmaps.heatmap(M, "W").data[0]
    assert trace.zmin == -trace.zmax < 0
    assert trace.zmax >= np.abs(M).max()
    assert trace.autocolorscale
    assert trace.colorscale is None


def test_gallery_is_one_picture_on_one_scale_with_each_label_above_its_matrix():
    matrices = np.arange(36.0).reshape(6, 3, 2) - 5
    figure = heatmaps.gallery(matrices, list("abcdef"), "samples")
    (trace,) = figure.data
    assert trace.zmin == -trace.zmax == -30
    z, places = np.array(trace.z), trace.customdata
    for label, M in zip(figure.layout.annotations, matrices, strict=True):
        left, top = round(label.x - 0.5), round(label.y + 0.5)
        np.testing.assert_array_equal(z[top : top + 3, left : left + 2], M)
        assert np.isnan(z[top - 1, left : left + 2]).all()  # where the label stands
        assert places[top + 2, left + 1].tolist() == [3, 2]
    assert np.isfinite(z).sum() == matrices.size
    assert figure.layout.yaxis.scaleanchor == "x"


def test_numbers_too_large_for_single_precision_are_drawn_as_its_largest():
    with np.errstate(over="raise"):
        (trace,) = heatmaps.gallery([np.array([[1e39, -1e39], [0.0, np.nan]])], ["a"], "").data
    drawn = trace.z[np.isfinite(trace.z)]
    assert drawn.tolist() == [trace.zmax, trace.zmin, 0]


def test_colours_of_a_gallery_suffice_for_the_share_that_was_asked_for():
    blink = np.full((2, 10, 10), 3.0)
    blink[0, 0, 0] = -400.0
    assert heatmaps.gallery(blink, ["a", "b"], "").data[0].zmax == 400
    assert heatmaps.gallery(blink, ["a", "b"], "", share=0.95).data[0].zmax == 3
    blink[np.abs(blink) < 4] = 0.0
    assert heatmaps.gallery(blink, ["a", "b"], "", share=0.95).data[0].zmax == 400
    assert heatmaps.gallery(0 * blink, ["a", "b"], "").data[0].zmax == 1


def test_confusion_matrix_is_coloured_by_rows_and_labelled_by_counts():
    trace = charts.confusion_matrix(np.array([[3, 1], [0, 0]]), ["a", "b"], "test").data[0]
    assert np.array(trace.z).tolist() == [[0.75, 0.25], [0.0, 0.0]]
    assert np.array(trace.text).tolist() == [[3, 1], [0, 0]]
    assert trace.texttemplate
    assert np.array(trace.customdata)[0, 1].tolist() == ["a", "b", "1"]


@pytest.mark.parametrize("K", [40, 100])
def test_confusion_matrix_of_many_classes_has_colours_and_some_names(K):
    names = [f"the person number {k}" for k in range(K)]
    figure = charts.confusion_matrix(np.eye(K, dtype=int), names, "test")
    assert not figure.data[0].texttemplate
    assert figure.data[0].showscale
    for axis, most in ((figure.layout.xaxis, 10), (figure.layout.yaxis, 20)):
        assert most / 2 < len(axis.tickvals) == len(axis.ticktext) <= most
        assert axis.ticktext[0] == "the pers…"
    assert figure.layout.yaxis.autorange == "reversed"


def test_accuracies_are_dots_in_their_intervals_and_a_line_at_the_majority():
    bars = {"linear SVM": charts.Bar(0.9, 0.7, 0.95), "R-GLM": charts.Bar(0.8, 0.7, 0.9)}
    figure = charts.accuracies(bars, 0.6)
    by_name = {trace.name: trace for trace in figure.data}
    line = by_name["linear SVM"]
    assert (line.x, line.y, line.text) == ((0.9,), ("linear SVM",), (f"<b>{percent(0.9)}</b>",))
    ends = line.x[0] - line.error_x.arrayminus[0], line.x[0] + line.error_x.array[0]
    assert ends == pytest.approx((0.7, 0.95))
    assert by_name["SMM"].x == (None,)  # not trained
    assert list(figure.layout.yaxis.categoryarray) == ["R-GLM", "linear SVM"]
    assert figure.layout.shapes[0].x0 == 0.6
    low, high = figure.layout.xaxis.range
    assert low < 0.6 < 1 < high


def test_bounds_mark_pairs_by_group_and_put_what_is_0_into_the_corner():
    bound = np.full((4, 4), 10.0)
    measured = np.full((4, 4), 0.1)
    bound[0, 3] = measured[0, 3] = 0.0
    figure = theorem.distances_and_bounds(bound, measured, np.array([0, 0, 1, 1]), (0, 3), "title")
    line, between, within, star = figure.data
    assert list(line.x) == list(line.y)  # the bound is where they are equal
    assert between.customdata.tolist() == [[1, 3], [2, 3], [2, 4]]  # (1, 4) has no place
    assert within.customdata.tolist() == [[1, 2], [3, 4]]
    for value, axis in ((star.x[0], figure.layout.xaxis), (star.y[0], figure.layout.yaxis)):
        assert axis.type == "log"
        assert axis.range[0] < np.log10(value) < axis.range[1]
