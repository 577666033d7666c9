"""The lesson on the trace norm: its experiments, what its texts claim, and its page."""

import numpy as np

from pages.foundations.trace_norm.regression import LowRank
from pages.foundations.trace_norm.runs import TraceNormRegression
from tests.pages.runs import run_to_the_end
from tests.pages.visit import visit


def test_larger_r_brings_two_layers_then_more_and_helps_until_it_does_not_bind():
    """As the page says."""
    radii = (0.2, 0.6, 1.1, 1.2, 1.4, 2)
    ends = [run_to_the_end(TraceNormRegression(LowRank(), R)).metrics[-1] for R in radii]
    errors, ranks = ([end[name] for end in ends] for name in ("error", "rank"))
    assert ranks[:3] == [2, 2, 2]
    assert 2 < ranks[3] < ranks[4] < ranks[5]
    assert errors[4] < errors[3] < 0.5 * errors[5]
    assert ends[5]["trace"] < 2


def test_singular_values_fall_to_zero_as_the_run_goes_on():
    ranks = run_to_the_end(TraceNormRegression(LowRank())).metrics["rank"]
    assert ranks[0] == 16  # all, after one step
    assert (np.diff(ranks) <= 0).all()
    assert ranks[-1] == 3


def test_page_shows_a_step_with_its_numbers(contents):
    visit(contents, "trace_norm", "trace norm", R="0.8")
    assert contents.session_state["trace norm"].experiment.radius == 0.8
    curvature = np.linalg.norm(LowRank().prepare().Phi, 2) ** 2
    (step,) = (latex.value for latex in contents.latex)
    assert r"R = 0.8000" in step
    assert rf"\|\Phi\|_2^2 = {curvature:.4g}" in step
    assert not contents.exception
