"""What the workers find out about the grouping effect."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.effects.grouping import runs as grouping
from pages.effects.grouping.runs import Pair
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.slices import advance
from smmcore import theory
from smmcore.datasets import column_groups
from smmcore.estimators import LinearSVM, RegularizedGLM, SupportMatrixMachine
from tests.pages.visit import players, visit

SMALL = BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2)


@pytest.mark.parametrize("rows", [False, True])
def test_grouping_holds_the_solution_against_theorem_2(rows):
    run = SMMRun(Pair(SMALL, 0, 5, 0.9, rows), C=0.1, tau=0.5)
    found = grouping.solve_pair(run)
    X, _, _ = run.data.load()
    limits = theory.row_distance_bound if rows else theory.column_distance_bound
    np.testing.assert_array_equal(found.bound, limits(X, 0.1))
    W = found.W.T if rows else found.W
    assert found.measured[1, 2] == pytest.approx(np.sum((W[:, 1] - W[:, 2]) ** 2))
    proof = advance(run, None, 60.0).certificate
    radius = proof.radius + np.sqrt(2 * max(found.relative_gap, 0) * proof.primal)
    assert np.linalg.norm(found.W - proof.W) <= 1.01 * radius
    assert found.correlation == pytest.approx(0.9)
    factor = (1 - 0.5 / found.sigma) ** 2
    assert (found.measured <= factor * found.of_omega * (1 + 1e-12)).all()


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("C", [0.01, 10.0])
@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9, 0.999, 1.0])
def test_bound_is_never_violated_on_the_way_to_equal_features(correlation, C, rows):
    found = grouping.solve_pair(SMMRun(Pair(SMALL, 0, 5, correlation, rows), C=C, tau=0.1))
    assert found.above == 0
    assert (found.measured <= found.bound * (1 + 1e-12)).all()
    if correlation == 1:
        assert found.bound[0, 5] == 0
        assert found.measured[0, 5] == 0
    else:
        assert found.measured[0, 5] > 0


@pytest.mark.parametrize("rows", [False, True])
def test_entries_farthest_apart_are_held_against_lemma_1(rows):
    run = SMMRun(Pair(SMALL, 0, 5, 0.9, rows), C=0.1, tau=0.5)
    found = grouping.solve_pair(run)
    lines = found.Omega if rows else found.Omega.T
    features = np.moveaxis(run.data.load().X, 1 if rows else 2, 0)
    at, measured, bound = found.farthest
    assert measured == np.abs(lines[0] - lines[5]).max() == abs(lines[0, at] - lines[5, at])
    apart = np.linalg.norm(features[0, :, at] - features[5, :, at])
    assert bound == pytest.approx(np.sqrt(60) * 0.1 * apart)
    assert 0 < measured < bound
    same = grouping.solve_pair(SMMRun(Pair(SMALL, 0, 5, 1.0, rows), C=0.1, tau=0.5))
    assert same.farthest[1:] == (0, 0)


def test_pair_above_its_bound_would_be_counted(monkeypatch):
    monkeypatch.setattr(grouping.theory, "column_distance_bound", lambda X, C: np.zeros((8, 8)))
    assert grouping.solve_pair(SMMRun(Pair(SMALL, 0, 5), C=0.1, tau=0.1)).above == 28


@pytest.mark.parametrize("rows", [False, True])
def test_tight_case_meets_its_bound_and_tau_takes_W_below(rows):
    data = Pair(replace(SMALL, scaling="as printed"), 0, 3, None, rows)
    tight = grouping.solve_pair(SMMRun(data, C=1e-5, tau=0.0))
    assert tight.at_C == 1
    assert tight.measured[0, 3] == pytest.approx(tight.bound[0, 3], rel=1e-12)
    below = grouping.solve_pair(SMMRun(data, C=1e-5, tau=0.1 * tight.sigma))
    assert below.of_omega[0, 3] == pytest.approx(below.bound[0, 3], rel=1e-12)
    assert below.measured[0, 3] <= 0.9**2 * (1 + 1e-12) * below.bound[0, 3]


@pytest.mark.parametrize(("rows", "line"), [(False, "column"), (True, "row")])
def test_features_without_noise_cannot_be_mixed_and_a_sentence_says_so(rows, line):
    with pytest.raises(ValueError, match=f"{line} 2 is a multiple of {line} 1"):
        grouping.solve_pair(SMMRun(Pair(replace(SMALL, noise=0.0), 0, 1, 0.5, rows)))


@pytest.mark.parametrize("rows", [False, True])
def test_run_over_all_correlations_has_the_distances_of_each(rows):
    run = SMMRun(Pair(SMALL, 0, 5, 0.9, rows), C=0.1, tau=0.5)
    found = np.array([(f.metrics["measured"], f.metrics["bound"]) for f in correlations(run)])
    assert len(found) == len(grouping.CORRELATIONS) == 16
    for i in (0, 5, 10, 15):
        data = replace(run.data, correlation=grouping.CORRELATIONS[i])
        one = grouping.solve_pair(replace(run, data=data))
        assert found[i] == pytest.approx((one.measured[0, 5], one.bound[0, 5]), rel=1e-9)
    assert (found[-1] == 0).all()
    assert (np.diff(found[:, 1]) < 0).all()


def correlations(run):
    return grouping.correlation_run(run).run()


def test_run_is_the_same_wherever_the_slider_stands():
    runs = [SMMRun(Pair(SMALL, 0, 5, correlation)) for correlation in (0.2, 0.9)]
    assert grouping.correlation_run(runs[0]) == grouping.correlation_run(runs[1])


def test_columns_become_equal_for_every_c_and_from_1_on_w_stays_the_same():
    shares = {}
    for C in (0.05, 1.0, 100.0):
        frames = list(correlations(SMMRun(Pair(QUICK.data, 0, 19), C=C, tau=QUICK.tau)))
        assert all(frame.certificate.within(1e-6) for frame in frames)
        shares[C] = [frame.metrics["share"] for frame in frames]
        assert shares[C][0] > 1
        assert shares[C][-1] == 0
    assert shares[1.0] == pytest.approx(shares[100.0], abs=0.01)


def test_answer_is_not_in_the_page_before_a_choice(contents):
    contents.session_state["grouping_prediction"] = None
    visit(contents, "grouping")
    (player,) = players(contents)
    assert player["covered"]
    assert {panel["kind"] for panel in player["panels"]} == {"picture"}
    assert not contents.latex
    next(each for each in contents.main.button if each.label == "They become equal").click().run()
    next(each for each in contents.main.button if each.label == "Correlation 1").click().run()
    assert players(contents)[0]["axis"]["opens"] == len(grouping.CORRELATIONS) - 1
    assert not contents.exception


def test_score_that_cannot_be_is_said_in_words(monkeypatch):
    monkeypatch.setattr(grouping, "MAX_GLM_ITERATIONS", 1)
    scores = grouping.grouping_scores(SMMRun(SMALL, C=0.1, tau=1e4))
    assert scores["SMM"] == ["W = 0"] * 3
    assert scores["R-GLM"] == ["not solved"] * 3
    assert all(isinstance(score, float) for score in scores["linear SVM"])


def test_grouping_scores_are_those_of_the_estimators():
    scores = grouping.grouping_scores(SMMRun(SMALL, C=0.1, tau=0.5))
    X, y, _ = SMALL.load()
    groups = column_groups(8, 3)
    for model, name in (
        (SupportMatrixMachine(C=0.1, tau=0.5), "SMM"),
        (LinearSVM(C=0.1), "linear SVM"),
    ):
        expected = theory.grouping_score(model.fit(X, y).coef_, groups)
        assert scores[name][1] == pytest.approx(expected, abs=0.01)
    lam = grouping.SHARES[1] * grouping.GLMProblem(X, y, 1.0).lam_max()
    expected = theory.grouping_score(RegularizedGLM(lam).fit(X, y).coef_, groups)
    assert scores["R-GLM"][1] == pytest.approx(expected, abs=0.05)  # to a gap of SCORE_TOL
    assert scores["R-GLM"][0] > 0.9 > 0.5 > scores["R-GLM"][2]
