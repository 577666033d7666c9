"""The grouping effect: what the workers find out, and what the page says of it."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.effects.grouping import runs as grouping
from pages.effects.grouping.runs import PRESETS, Pair
from pages.shared.algorithm1 import QUICK, SMMRun
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.slices import advance
from smmcore import theory
from smmcore.datasets import column_groups
from smmcore.estimators import LinearSVM, RegularizedGLM, SupportMatrixMachine
from tests.pages.visit import NO_SCORES, SMALL, knobs, link, notes, pictures, players, press, visit

DATA = BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2)


@pytest.mark.parametrize("rows", [False, True])
def test_grouping_holds_the_solution_against_theorem_2(rows):
    run = SMMRun(Pair(DATA, 0, 5, 0.9, rows), C=0.1, tau=0.5)
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
    found = grouping.solve_pair(SMMRun(Pair(DATA, 0, 5, correlation, rows), C=C, tau=0.1))
    assert found.above == 0
    assert (found.measured <= found.bound * (1 + 1e-12)).all()
    if correlation == 1:
        assert found.bound[0, 5] == 0
        assert found.measured[0, 5] == 0
    else:
        assert found.measured[0, 5] > 0


@pytest.mark.parametrize("rows", [False, True])
def test_entries_farthest_apart_are_held_against_lemma_1(rows):
    run = SMMRun(Pair(DATA, 0, 5, 0.9, rows), C=0.1, tau=0.5)
    found = grouping.solve_pair(run)
    lines = found.Omega if rows else found.Omega.T
    features = np.moveaxis(run.data.load().X, 1 if rows else 2, 0)
    at, measured, bound = found.farthest
    assert measured == np.abs(lines[0] - lines[5]).max() == abs(lines[0, at] - lines[5, at])
    apart = np.linalg.norm(features[0, :, at] - features[5, :, at])
    assert bound == pytest.approx(np.sqrt(60) * 0.1 * apart)
    assert 0 < measured < bound
    same = grouping.solve_pair(SMMRun(Pair(DATA, 0, 5, 1.0, rows), C=0.1, tau=0.5))
    assert same.farthest[1:] == (0, 0)


def test_pair_above_its_bound_would_be_counted(monkeypatch):
    monkeypatch.setattr(grouping.theory, "column_distance_bound", lambda X, C: np.zeros((8, 8)))
    assert grouping.solve_pair(SMMRun(Pair(DATA, 0, 5), C=0.1, tau=0.1)).above == 28


@pytest.mark.parametrize("rows", [False, True])
def test_tight_case_meets_its_bound_and_tau_takes_W_below(rows):
    data = Pair(replace(DATA, scaling="as printed"), 0, 3, None, rows)
    tight = grouping.solve_pair(SMMRun(data, C=1e-5, tau=0.0))
    assert tight.at_C == 1
    assert tight.measured[0, 3] == pytest.approx(tight.bound[0, 3], rel=1e-12)
    below = grouping.solve_pair(SMMRun(data, C=1e-5, tau=0.1 * tight.sigma))
    assert below.of_omega[0, 3] == pytest.approx(below.bound[0, 3], rel=1e-12)
    assert below.measured[0, 3] <= 0.9**2 * (1 + 1e-12) * below.bound[0, 3]


@pytest.mark.parametrize(("rows", "line"), [(False, "column"), (True, "row")])
def test_features_without_noise_cannot_be_mixed_and_a_sentence_says_so(rows, line):
    with pytest.raises(ValueError, match=f"{line} 2 is a multiple of {line} 1"):
        grouping.solve_pair(SMMRun(Pair(replace(DATA, noise=0.0), 0, 1, 0.5, rows)))


@pytest.mark.parametrize("rows", [False, True])
def test_run_over_all_correlations_has_the_distances_of_each(rows):
    run = SMMRun(Pair(DATA, 0, 5, 0.9, rows), C=0.1, tau=0.5)
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
    runs = [SMMRun(Pair(DATA, 0, 5, correlation)) for correlation in (0.2, 0.9)]
    assert grouping.correlation_run(runs[0]) == grouping.correlation_run(runs[1])


def test_distance_falls_all_the_way_to_0_for_every_c():
    for C in (0.05, 1.0, 100.0):
        frames = list(correlations(SMMRun(Pair(QUICK.data, 0, 19), C=C, tau=QUICK.tau)))
        assert all(frame.certificate.within(1e-6) for frame in frames)
        shares = [frame.metrics["share"] for frame in frames]
        assert (shares[0], shares[-1]) == (1, 0)
        assert (np.diff(shares) < 0).all()
        if C == QUICK.C:  # as the first exercise says
            assert [f"{shares[i]:.0%}" for i in (8, 9)] == ["58%", "41%"]


def test_demo_opens_the_run_at_its_correlation_and_marks_the_two_columns(contents):
    visit(contents, "grouping")
    contents.segmented_control(key="grouping_state").set_value("Correlation 1").run()
    (player,) = players(contents)
    assert player["axis"]["opens"] == len(grouping.CORRELATIONS) - 1
    assert player["panels"][0]["columns"] == [0, 19]
    assert not contents.exception


def test_score_that_cannot_be_is_said_in_words(monkeypatch):
    monkeypatch.setattr(grouping, "MAX_GLM_ITERATIONS", 1)
    scores = grouping.grouping_scores(SMMRun(DATA, C=0.1, tau=1e4))
    assert scores["SMM"] == ["W = 0"] * 3
    assert scores["R-GLM"] == ["not solved"] * 3
    assert all(isinstance(score, float) for score in scores["linear SVM"])


def test_grouping_scores_are_those_of_the_estimators():
    scores = grouping.grouping_scores(SMMRun(DATA, C=0.1, tau=0.5))
    X, y, _ = DATA.load()
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


def as_number(mantissa, exponent):
    return float(f"{mantissa}e{exponent or 0}")


def theorem_2(contents) -> tuple[float, str, float]:
    """Return the measured distance, the relation and the bound that the lesson shows."""
    formula = contents.latex[0].value.strip("$\n")
    number = r"([\d.]+)(?: \\times 10\^\{(-?\d+)\})?"
    found = re.search(rf"= {number} \\; (\S+) \\; {number}$", formula)
    return as_number(*found.group(1, 2)), found.group(3), as_number(*found.group(4, 5))


def test_grouping_lesson_shows_a_distance_below_a_bound_that_falls_with_the_correlation(contents):
    visit(contents, "grouping", **NO_SCORES)
    before = theorem_2(contents)
    assert before[1] == r"\le"
    assert 0 < before[0] < before[2]
    contents.select_slider(key="grouping_corr").set_value(0.99).run()
    after = theorem_2(contents)
    assert after[2] == pytest.approx(before[2] / 10)  # 1 - r is a tenth
    assert 0 < after[0] < before[0]
    contents.segmented_control(key="grouping_lines").set_value("rows").run()
    assert theorem_2(contents)[2] != after[2]
    assert contents.selectbox(key="grouping_k2").value == 6
    assert not contents.exception


@pytest.mark.parametrize("lines", ["columns", "rows"])
def test_presets_of_the_grouping_lesson_meet_the_bound(contents, lines):
    visit(contents, "grouping", **NO_SCORES, lines=lines)
    for preset in PRESETS:
        press(contents.main, preset)
        measured, relation, bound = theorem_2(contents)
        assert relation == "="
        assert measured == bound
        assert (bound == 0) == (preset == "Identical")
        assert not contents.exception


def test_a_column_is_never_paired_with_itself(contents):
    visit(contents, "grouping", **NO_SCORES, l2="1")
    assert contents.selectbox(key="grouping_l2").value == 2
    taken = "The link sets Column l′ to 1, which is not available. Using 2."
    assert taken in notes(contents.main)
    contents.selectbox(key="grouping_l2").set_value(7).run()
    contents.selectbox(key="grouping_l1").set_value(7).run()
    assert contents.selectbox(key="grouping_l2").value == 8
    assert "7" not in contents.selectbox(key="grouping_l2").options
    assert not contents.error
    assert not contents.exception
    assert r"\| W_{:7} - W_{:8} \|" in contents.latex[0].value


@pytest.mark.parametrize("query", [{"lines": "rows"}, {"l2": "2"}, {"l2": "2", "pair": "adding y"}])
def test_features_without_noise_are_shown_as_they_are(contents, query):
    visit(contents, "grouping", **SMALL, delta="0", **query)
    assert contents.select_slider(key="grouping_corr").disabled
    mixing = "pair" not in query
    captions = " ".join(note.value for note in contents.caption)
    assert any(
        "have the same features, so their correlation is 1" in note.value for note in contents.info
    )
    assert ("Nothing is replaced" in captions) == mixing
    assert ("is then replaced" in captions) == (not mixing)
    assert (theorem_2(contents)[2] == 0) == mixing
    assert not contents.error
    assert pictures(contents) == (2 if query == {"lines": "rows"} else 4)


def specs(contents) -> list[str]:
    """Return what the charts of the page draw."""
    return [chart.proto.spec for chart in contents.get("plotly_chart")]


def test_preset_link_and_controls_give_the_same_picture(contents, other, new_app):
    visit(contents, "grouping", **NO_SCORES)
    visit(other, "grouping", **NO_SCORES)
    kinds = {"grouping_pair": "segmented_control", "scaling": "selectbox"}
    for preset, (own, shared, _) in PRESETS.items():
        press(contents.main, preset)
        by_link = visit(new_app(), "grouping", **link(contents))
        for key, value in ({f"grouping_{name}": own[name] for name in own} | shared).items():
            if key in knobs(other):
                other.session_state[key] = value
            else:
                getattr(other, kinds.get(key, "select_slider"))(key=key).set_value(value)
        other.run()
        assert specs(by_link) == specs(other) == specs(contents)
        assert link(by_link) == link(other) == link(contents)


ODD = {
    "tau = 0": {"tau": "0"},
    "tiny C": {"C": "1e-05"},
    "W = 0": {"tau": "10000"},
    "huge C": {"C": "10000"},
    "few samples": {"n": "10", "pair": "adding y"},
    "one pair": {"p": "2", "q": "2", "V": "1", "r": "1"},
    "one pair of rows": {"p": "2", "r": "1", "lines": "rows"},
    "one group": {"V": "1"},
    "every column a group": {"V": "8"},
    "no noise": {"delta": "0"},
    "no noise, W = 0": {"delta": "0", "tau": "10000", "pair": "adding y"},
}


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
def test_grouping_lesson_says_nothing_false_or_empty_at_odd_settings(contents, query):
    visit(contents, "grouping", **SMALL | query)
    assert not contents.exception
    assert not contents.error
    texts = [
        *(
            part.value
            for kind in ("markdown", "caption", "latex", "info")
            for part in contents.get(kind)
        ),
        *(table.value.to_string() for table in contents.table),
        *specs(contents),
    ]
    for text in texts:
        assert not re.search(r"\b(nan|inf|infinity)\b", text, re.IGNORECASE), text
    grouped = 1 < int(query.get("V", 4)) < int(query.get("q", 8))
    assert bool(contents.table) == grouped


def test_link_of_the_grouping_lesson_restores_it(contents):
    own = {"lines": "rows", "k1": "3", "k2": "5", "pair": "mixing", "corr": "0.5"}
    query = {"seed": "2"} | {f"grouping_{name}": value for name, value in own.items()}
    visit(contents, "grouping", **NO_SCORES, **query)
    assert link(contents).items() > query.items()
    assert r"\| W_{3:} - W_{5:} \|" in contents.latex[0].value
