"""The note on the cyclic algorithm: its experiment against the estimator, its page."""

from dataclasses import replace

import numpy as np
import pytest

from pages.research.cyclic.runs import CyclicRace
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.worker import advance
from smmcore import LinearSVM
from tests.pages.visit import players, take_home, visit

DATA = Relevant(n=200, train=40)
FIRST = Relevant()  # what the page opens with


def test_the_cyclic_algorithm_never_rises_and_ends_at_the_estimator():
    run = CyclicRace(DATA, 2)
    curves = advance(run, None, 60.0).metrics
    X, y, _ = DATA.load()
    for start in ("svm", "random"):
        objective = curves[f"primal_{start}"]
        assert (np.diff(objective) <= 1e-9 * objective[:-1]).all()
    assert curves["svm"] == pytest.approx(LinearSVM(run.C).fit(X, y).objective_, rel=1e-4)
    assert (curves["primal_svm"] > 2 * curves["svm"]).all()


def test_at_full_rank_it_stays_at_the_linear_svm_or_stalls():
    curves = advance(CyclicRace(DATA, 10, max_iter=4), None, 60.0).metrics
    assert (curves["primal_svm"] <= (1 + 1e-4) * curves["svm"]).all()
    assert (curves["primal_random"] > 100 * curves["svm"]).all()


@pytest.mark.sweep
def test_the_linear_svm_is_not_always_the_better_start():
    large = replace(FIRST, train=200, size=50, noise=0.5)
    for run in (CyclicRace(FIRST, 4), CyclicRace(large, 2, max_iter=2)):
        end = advance(run, None, 60.0).metrics[-1]
        assert end["primal_random"] < 0.9 * end["primal_svm"]


def test_page_runs_the_algorithm(contents):
    visit(contents, "cyclic", "cyclic", k="2", behind="A X Bᵀ, 10 × 10", draw="4")
    data = Relevant(size=10, seed=4)
    assert contents.session_state["cyclic"].experiment == CyclicRace(data, 2)
    assert len(players(contents)) == 1
    assert {"smm_rank_k_model.npz", "smm_rank_k_run.py"} <= take_home(contents)
