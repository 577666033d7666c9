"""The race and the sweep: they end at the solutions of the estimators, and the page says so."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.effects.rivals.runs import (
    FIGURE_1,
    REVERSED,
    WITH_BLOCKS,
    RivalsRace,
    RivalsSweep,
    scores_text,
)
from pages.shared.data.synthetic import Split
from pages.shared.engine import precomputed
from pages.shared.engine.worker import advance
from pages.shared.methods import PAPER_METHODS, R_GLM, RIVALS, SMM
from pages.shared.numbers import percent
from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.problems import GLMProblem
from smmcore.theory import grouping_score
from tests.pages.runs import SPLIT, run_to_the_end
from tests.pages.visit import SMALL, finish, panels, take_home, visit

RACE = RivalsRace(SPLIT, C=0.05, tau=0.3, lam=0.05, rank=2, tol=1e-5)
SWEEP = RivalsSweep(SPLIT, points=3, rank=2)


def assert_same_quality(row, name, machine, tolerance):
    """Check the scores in a frame against those of a fitted estimator."""
    (X, y, _), held = SPLIT.parts()
    score = grouping_score(machine.coef_, SPLIT.data.group_of_column)
    assert row[f"group_{name}"] == pytest.approx(score, abs=tolerance), name
    assert row[f"train_{name}"] == pytest.approx(machine.score(X, y), abs=1.5 / len(y)), name
    accuracy = machine.score(held.X, held.y)
    assert row[f"held_{name}"] == pytest.approx(accuracy, abs=1.5 / len(held.y)), name


def test_the_race_ends_at_the_solutions_of_the_estimators():
    X, y, _ = SPLIT.load()
    end = run_to_the_end(RACE).metrics[-1]
    lam = RACE.lam * GLMProblem(X, y, 1.0).lam_max()
    machines = {
        "smm": SupportMatrixMachine(C=RACE.C, tau=RACE.tau),
        "bsvm": BilinearSVM(rank=2, C=RACE.C, n_init=1),
        "rglm": RegularizedGLM(lam=lam),
        "lsvm": LinearSVM(C=RACE.C),
    }
    for name, machine in machines.items():
        assert_same_quality(end, name, machine.fit(X, y), 0.02)
        assert end[f"gap_{name}"] <= RACE.tol
    assert end["steps_lsvm"] == 1  # its QP is solved once


def test_the_sweep_has_the_solutions_of_the_estimators_at_each_weight():
    curves = run_to_the_end(SWEEP).metrics
    X, y, _ = SPLIT.load()
    glm = GLMProblem(X, y, 1.0)
    for curve in curves:
        C, lam = float(curve["C"] / glm.spread**2), float(curve["lam"] * glm.lam_max())
        tau = 0.1 * LinearSVM(C=C).fit(X, y).singular_values_[0]
        machines = {
            "smm": SupportMatrixMachine(C=C, tau=tau, tol=1e-4, max_iter=500),
            "bsvm": BilinearSVM(rank=2, C=C, n_init=1, tol=1e-4, max_iter=100),
            "rglm": RegularizedGLM(lam=lam, tol=1e-4, max_iter=4_000),
            "lsvm": LinearSVM(C=C),
        }
        for name, machine in machines.items():
            assert_same_quality(curve, name, machine.fit(X, y), 0.03)


def test_the_sweep_says_at_how_many_weights_a_machine_came_to_its_limit(monkeypatch):
    assert run_to_the_end(SWEEP).summary.endswith("within a relative gap of 10⁻⁴.")
    for method, limit in ((R_GLM, 30), (SMM, 1)):  # 30: more than a turn, less than it needs
        monkeypatch.setitem(RIVALS, method.key, replace(method, max_iter=limit))
    piece = advance(SWEEP, None, 60.0)
    late = re.findall(r"the (\S+) at (\d) of them at its limit \((\d+) steps\)", piece.summary)
    assert {(name, limit) for name, _, limit in late} == {("SMM", "1"), ("R-GLM", "30")}
    assert all(1 <= int(weights) <= 3 for _, weights, _ in late)


def test_a_machine_that_finds_nothing_is_named():
    race = advance(replace(RACE, tau=100.0), None, 60.0)
    assert race.summary.endswith("W = 0: SMM.")
    assert np.isnan(race.metrics["group_smm"][-1])


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ([1, 2, 3], "0.100 to 0.900"),
        ([0, 2, 3], "0.500 to 0.900, W = 0 at 1"),
        ([0, 0, 0], "W = 0"),
    ],
)
def test_scores_are_written_as_a_range_and_a_zero_is_named(ranks, text):
    ranks = np.array(ranks)
    assert scores_text(np.where(ranks > 0, [0.1, 0.5, 0.9], np.nan), ranks) == text
    assert scores_text(np.full(3, np.nan), np.ones(3)) == "–"  # there is but one group


def test_all_methods_of_the_paper_lose_their_groups_while_the_accuracies_stand_still():
    """The accuracy hardly moves; blocks turn to speckle."""
    curves = precomputed.load(RivalsSweep(Split(FIGURE_1[WITH_BLOCKS][0].data))).metrics
    for name in PAPER_METHODS:
        assert curves[f"group_{name}"][0] > 0.95
        assert curves[f"group_{name}"][-1] < 0.3
        assert np.ptp(curves[f"held_{name}"]) < 0.05


def test_sweep_marks_what_the_rule_takes_on_its_curves(contents):
    visit(contents, "compare", **SMALL, tie="weakest of the best")
    finish(contents.session_state["rivals"])
    contents.run()
    assert not contents.exception
    curves, drawn = contents.session_state["rivals"].frames.metrics, panels(contents, 0)
    for title in ("Held-out accuracy", "Grouping score of the columns of W"):
        for field in drawn[title]["fields"]:
            held = curves[f"held_{field['name'].partition('_')[2]}"]
            best = np.flatnonzero(held == held.max())
            assert field["chosen"] == best[-1]
            assert {*best} <= {*field["near"]}
    assert any(f"one sample is {percent(1 / 12)}" in caption.value for caption in contents.caption)


def test_presets_of_figure_1_swap_the_blocks_at_nearly_equal_accuracy():
    ends = {}
    for preset in (WITH_BLOCKS, REVERSED):
        run, lam = FIGURE_1[preset]
        race = RivalsRace(Split(run.data), run.C, run.tau, lam, tol=1e-3)
        ends[preset] = advance(race, None, 60.0).metrics[-1]
    printed, reverse = ends.values()
    assert printed["group_smm"] > 0.95
    assert printed["group_rglm"] < 0.4
    assert reverse["group_rglm"] > 0.95
    assert reverse["group_smm"] < 0.3
    held = [end[f"held_{name}"] for end in ends.values() for name in ("smm", "rglm")]
    assert max(held) - min(held) < 0.05


def test_one_group_of_columns_has_no_score_and_the_page_says_so(contents):
    visit(contents, "compare", "rivals: race", **SMALL, V="1")
    assert "There is no grouping score" in contents.info[0].value
    tables = [table.value for table in contents.dataframe if "grouping score" in table.value]
    assert [list(table["grouping score"]) for table in tables] == [["–"] * len(RIVALS)]
    assert {"smm_race_model.npz", "smm_race_model.mat"} <= take_home(contents)
    for place in (0, 1):
        assert not any("rouping" in title for title in panels(contents, place) if title)


def test_the_script_of_the_race_prints_its_numbers(capsys):
    exec(compile(RACE.script(), "script", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    end = run_to_the_end(RACE).metrics[-1]
    for line, name in zip(lines, RIVALS, strict=True):
        *_, group, _, _ = line.split()
        assert float(group) == pytest.approx(end[f"group_{name}"], abs=0.02)
