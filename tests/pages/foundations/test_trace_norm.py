"""The lesson on the trace norm: its experiments, what its texts claim, and its page."""

from dataclasses import replace

import numpy as np
import pytest

from pages.foundations.trace_norm import runs
from pages.foundations.trace_norm.regression import LowRank
from pages.foundations.trace_norm.runs import (
    Recovery,
    TraceNormRegression,
)
from tests.pages.runs import run_to_the_end
from tests.pages.visit import turn, visit

SMALL = LowRank(n=40, p=6, q=5, rank=1)
TINY = LowRank(n=20, p=4, q=3, rank=1)


def test_more_samples_are_added_to_those_there_are():
    few, many = SMALL.prepare(), replace(SMALL, n=70).prepare()
    for name in ("X", "y"):
        np.testing.assert_array_equal(getattr(many, name)[:40], getattr(few, name))
        np.testing.assert_array_equal(getattr(many, f"{name}_test"), getattr(few, f"{name}_test"))
    np.testing.assert_array_equal(many.truth, few.truth)


def test_accelerated_steps_end_where_plain_ones_end_and_sooner():
    plain, fast = (
        run_to_the_end(TraceNormRegression(LowRank(), accelerated=fast)) for fast in (False, True)
    )
    assert (len(plain.metrics), len(fast.metrics)) == pytest.approx((237, 58), abs=2)  # as it says
    apart = np.linalg.norm(plain.certificate.theta - fast.certificate.theta)
    assert apart < 1e-2 * np.linalg.norm(fast.certificate.theta)
    assert plain.metrics["rank"][-1] == fast.metrics["rank"][-1]


def test_larger_r_helps_until_it_does_not_bind():
    ends = [run_to_the_end(TraceNormRegression(LowRank(), R)).metrics[-1] for R in (1.2, 1.4, 2)]
    errors, ranks = ([end[name] for end in ends] for name in ("error", "rank"))
    assert errors[1] < errors[0] < 0.5 * errors[2]  # as the page says
    assert ranks[0] < ranks[1]
    assert ends[2]["trace"] < 2


def test_singular_values_fall_to_zero_as_the_run_goes_on():
    ranks = run_to_the_end(TraceNormRegression(LowRank())).metrics["rank"]
    assert ranks[0] == 16  # all, after one step
    assert (np.diff(ranks) <= 0).all()
    assert ranks[-1] == 3


def test_low_rank_is_recovered_from_fewer_samples_than_entries():
    few = LowRank(n=60, p=10, q=8, rank=1, noise=0.0)  # of 80 entries
    curves = run_to_the_end(Recovery(few, steps=2)).metrics
    at = curves[curves["own"] == 1][0]
    assert at["trace"] < 0.1
    assert min(at["ls"], at["l1"], at["l2"]) > 0.2
    first = curves["n"][curves["trace"] <= 0.2][0]
    assert f"nuclear norm {first}." in runs.describe_recovery(curves, few)


SIZES = {"n": TINY.n, "p": TINY.p, "q": TINY.q, "r": TINY.rank}
QUERY = {f"trace_norm_{name}": str(size) for name, size in SIZES.items()} | {"R": "0.8"}


def test_page_shows_a_step_with_its_numbers_and_the_door(contents):
    visit(contents, "trace_norm", "trace norm", "trace norm: recovery", **QUERY)
    assert any(link.proto.label == "**Meet the SMM** →" for link in contents.get("page_link"))
    assert contents.session_state["trace norm"].experiment.radius == 0.8
    curvature = np.linalg.norm(TINY.prepare().Phi, 2) ** 2
    (step,) = (latex.value for latex in contents.latex)
    assert r"R = 0.8000" in step
    assert rf"\|\Phi\|_2^2 = {curvature:.4g}" in step
    turn(contents, "trace_norm_step", "plain")
    assert not contents.session_state["trace norm"].experiment.accelerated
    assert not contents.exception
