"""The sweep has the solutions of the estimators, and the page says what they show."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.effects.rivals.runs import RivalsSweep, sweep_axis
from pages.shared.algorithm1 import QUICK
from pages.shared.data.synthetic import Split
from pages.shared.engine.worker import advance
from pages.shared.methods import PAPER_METHODS, R_GLM, RIVALS, SMM
from pages.shared.numbers import percent
from smmcore import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine
from smmcore.rivals.glm import GLMProblem
from smmcore.theory import grouping_score
from tests.pages.runs import SPLIT, load_stored, run_to_the_end
from tests.pages.visit import SMALL, panels, take_home, visit

SWEEP = RivalsSweep(SPLIT, points=3, rank=2)


def assert_same_quality(row, name, machine, tolerance):
    """Check the scores in a frame against those of a fitted estimator."""
    (X, y, _), held = SPLIT.parts()
    score = grouping_score(machine.coef_, SPLIT.data.group_of_column)
    assert row[f"group_{name}"] == pytest.approx(score, abs=tolerance), name
    assert row[f"train_{name}"] == pytest.approx(machine.score(X, y), abs=1.5 / len(y)), name
    accuracy = machine.score(held.X, held.y)
    assert row[f"held_{name}"] == pytest.approx(accuracy, abs=1.5 / len(held.y)), name


def test_the_sweep_has_the_solutions_of_the_estimators_at_each_weight():
    curves = run_to_the_end(SWEEP).metrics
    X, y, _ = SPLIT.load()
    glm = GLMProblem(X, y, 1.0)
    for curve in curves:
        C, lam = float(curve["C"] / glm.spread**2), float(curve["lam"] * glm.lam_max())
        tau = 0.1 * LinearSVM(C=C).fit(X, y).singular_values_[0]
        machines = {
            "smm": SupportMatrixMachine(C=C, tau=tau, tol=1e-4, max_iter=500),
            "bsvm": BilinearSVM(rank=2, C=C, fit_intercept=False, n_init=1, tol=1e-4, max_iter=100),
            "rglm": RegularizedGLM(lam=lam, tol=1e-4, max_iter=4_000),
            "lsvm": LinearSVM(C=C),
        }
        for name, machine in machines.items():
            assert_same_quality(curve, name, machine.fit(X, y), 0.03)


def test_the_sweep_says_at_how_many_weights_a_machine_came_to_its_limit(monkeypatch):
    assert run_to_the_end(SWEEP).summary.endswith("each at most 0.01 % above its floor.")
    for method, limit in ((R_GLM, 30), (SMM, 1)):  # 30: more than a turn, less than it needs
        monkeypatch.setitem(RIVALS, method.key, replace(method, max_iter=limit))
    piece = advance(SWEEP, None, 60.0)
    late = re.findall(r"the (\S+) at (\d) of them at its limit \((\d+) steps\)", piece.summary)
    assert {(name, limit) for name, _, limit in late} == {("SMM", "1"), ("R-GLM", "30")}
    assert all(1 <= int(weights) <= 3 for _, weights, _ in late)


def test_all_methods_of_the_paper_lose_their_groups_while_the_accuracies_stand_still():
    """The groups of the SMM are the best where one is asked; then blocks turn to speckle."""
    sweep = RivalsSweep(Split(QUICK.data))
    curves, axis = load_stored(sweep).metrics, sweep_axis(sweep)
    asked, end = curves[axis.asks], curves[axis.opens]
    assert max(RIVALS, key=lambda name: asked[f"group_{name}"]) == SMM.key
    assert asked["group_smm"] == pytest.approx(0.9, abs=0.01)
    assert end == curves[-1]
    for name in PAPER_METHODS:
        assert curves[f"group_{name}"][0] > 0.95
        assert curves[f"group_{name}"][-1] < 0.3
        assert np.ptp(curves[f"held_{name}"]) < 0.05
    # Each at a strength of its own, the SMM after the SVM.
    lost = {name: int(np.argmax(curves[f"group_{name}"] < 0.5)) for name in RIVALS}
    assert lost["rglm"] < lost["lsvm"] < lost["smm"]
    assert np.ptp([curves[f"group_{name}"][axis.asks] for name in RIVALS]) > 0.3


def test_page_names_each_rival_and_says_what_a_sample_is_worth(contents):
    visit(contents, "compare", **SMALL)
    drawn = panels(contents, 0)
    assert drawn["Accuracy on new samples"]["kind"] == "lines"  # what the reply speaks of
    notes = {drawn[method.label]["note"] for method in RIVALS.values()}
    assert f"{RivalsSweep.rank} layers at most" in notes
    text = f"One of the 12 new samples is {percent(1 / 12)}"
    assert any(text in caption.value for caption in contents.caption)


def test_one_group_of_columns_has_no_score_and_the_page_says_so(contents):
    visit(contents, "compare", "rivals", **SMALL, V="1")
    assert "There is no grouping score" in contents.info[0].value
    assert "smm_sweep_trace.csv" in take_home(contents)
    assert not any("rouping" in title for title in panels(contents, 0) if title)
