"""The note on the algorithm of Xia and Fan: its experiment and its page."""

import re
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from pages.research.bilevel.runs import BilevelAlgorithm, solve_by_admm
from pages.shared.engine.worker import advance
from smmcore.xia_fan.bilevel import bilevel
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.pages.runs import SPLIT
from tests.pages.visit import visit, words

THEIRS = BilevelAlgorithm(SPLIT, C=0.1, tau=0.5)
PAGE = "bilevel"


def test_the_algorithm_runs_past_its_own_rule_to_a_proof():
    piece = advance(THEIRS, None, 60.0)
    X, y, _ = SPLIT.load()
    problem = LSSMMProblem(X, y, 0.1, 0.5)
    states = list(islice(bilevel(problem, rho=1.1), len(piece.metrics)))
    assert piece.metrics["difference"].tolist() == [np.abs(at.S - at.W).max() for at in states]
    (stop,) = np.flatnonzero(piece.metrics["stops"])
    assert stop == np.flatnonzero(piece.metrics["difference"] < 1e-3)[0]
    assert piece.metrics["gap"][-1] <= 1e-6 < piece.metrics["gap"][-2]
    assert f"stop after {stop + 1} iterations" in piece.summary


@pytest.mark.parametrize("loss", ["squares", "hinge"])
def test_the_printed_sign_leaves_the_axis_and_the_corrected_one_the_same_model(loss):
    corrected, lost = (
        advance(replace(THEIRS, loss=loss, printed=printed), None, 60.0)
        for printed in (False, True)
    )
    other = solve_by_admm(replace(THEIRS, loss=loss))
    apart = corrected.certificate.radius + other.radius
    assert np.linalg.norm(corrected.certificate.W - other.W) <= apart
    assert lost.summary.startswith("Diverged: ‖S‖ is beyond 10¹² after")
    size = lost.metrics["S_norm"]
    assert size[-1] > 1e12 > size[-2]
    assert size[-1] / size[-2] == pytest.approx(2, abs=1e-3)  # Lambda doubles, S with it
    assert lost.metrics["W_norm"][-1] < 10 * np.linalg.norm(other.W)  # W rests, at a wrong place
    assert not lost.metrics["stops"].any()


def test_a_printed_step_is_the_one_of_the_printed_sign():
    X, y, _ = SPLIT.load()
    run = replace(THEIRS, printed=True)
    states = run.states(LSSMMProblem(X, y, 0.1, 0.5))
    for before, at in zip(islice(states, 5), islice(states, 5), strict=True):
        wrong = before.Lambda - run.rho * (before.S - before.W)
        np.testing.assert_allclose(at.Lambda, wrong, rtol=1e-9, atol=1e-12)


def test_the_unit_moves_the_rule_along_a_gap_that_stays():
    one, other = (advance(replace(THEIRS, unit=unit), None, 60.0) for unit in (1.0, 255.0))
    n = min(len(one.metrics), len(other.metrics))
    gaps = one.metrics["gap"][:n], other.metrics["gap"][:n]
    np.testing.assert_allclose(*gaps, rtol=1e-3, atol=1e-9)
    np.testing.assert_allclose(
        one.metrics["W_norm"][:n], 255 * other.metrics["W_norm"][:n], rtol=1e-6
    )
    assert np.argmax(one.metrics["stops"]) > np.argmax(other.metrics["stops"])


def test_the_printed_sign_is_shown_to_diverge(contents):
    small = {"n": "60", "p": "6", "q": "8", "r": "2"}
    chosen = {"sign": "as printed", "loss": "hinge", "bilevel_rho": "3", "unit": "10"}
    visit(contents, PAGE, "bilevel", **small, **chosen)
    run = contents.session_state["bilevel"]
    experiment = replace(run.experiment, printed=True, loss="hinge", rho=3.0, unit=10.0)
    assert run.experiment == experiment
    assert run._job.message.startswith("Diverged")
    assert "the model is" not in words(contents)


def test_page_finds_the_model_of_algorithm_1_within_both_gaps(contents):
    visit(contents, PAGE, "bilevel")
    proof = contents.session_state["bilevel"].frames.certificate
    other = contents.session_state["bilevel: ADMM"].result
    assert np.linalg.norm(proof.W - other.W) <= proof.radius + other.radius
    numbers = r"W′‖ = (\S+ × \S+) from .* allow (\S+ × \S+)\. "
    apart, most = re.search(numbers, words(contents)).groups()
    assert apart != most
