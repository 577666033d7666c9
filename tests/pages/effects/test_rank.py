"""The path along tau: true where it is computed, and on the page."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pages.effects.rank import runs as rank
from pages.effects.rank.runs import TauPath, describe_path, tau_axis
from pages.shared.data.planted import Planted
from pages.shared.engine.worker import advance
from pages.shared.numbers import percent
from smmcore.estimators import SupportMatrixMachine
from smmcore.path import next_on_path, tau_max
from smmcore.problems import SMMProblem
from tests.pages.runs import SPLIT, run_to_the_end
from tests.pages.visit import take_home, visit

PATH = TauPath(SPLIT, C=0.1, points=9)


def test_the_path_begins_at_zero_and_holds_the_solution_at_each_tau():
    piece = run_to_the_end(PATH)
    X, y, _ = SPLIT.load()
    assert piece.metrics["tau"][1] == pytest.approx(tau_max(SMMProblem(X, y, 0.1, 1.0)), rel=1e-3)
    assert piece.metrics["share"][[1, -1]].tolist() == pytest.approx([1, 1e-3])
    assert np.ptp(np.diff(np.log(piece.metrics["tau"]))) < 1e-9  # equal ratios
    assert piece.metrics["rank"][:3].tolist() == [0, 0, 1]
    for curve in piece.metrics[[3, 8]]:
        machine = SupportMatrixMachine(C=0.1, tau=float(curve["tau"])).fit(X, y)
        assert curve["rank"] == machine.rank_
        assert curve["s1"] == pytest.approx(machine.singular_values_[0], rel=1e-2)
    assert piece.metrics["at_max"].tolist() == [0, 1, *[0] * 7]


def test_text_of_a_path_says_what_its_numbers_are():
    names = "tau", "rank", "train", "held"
    curves = np.zeros(4, [(name, float) for name in names])
    curves["rank"] = 0, 1, 3, 2
    curves["train"] = 0.5, 0.9, 0.8, 1.0
    curves["held"] = 0.5, 0.9, 0.9, 0.9
    said = describe_path(curves, curves["held"] > 0.8)
    assert "At most 2 of the singular values appear between two of the 4 points." in said
    assert "the rank falls at 1 of them" in said
    assert f"from {percent(0.5)} to {percent(1.0)} and falls at 1." in said
    assert "3 points are within one standard error of it, of ranks 1 to 3." in said


def test_solutions_that_miss_the_tolerance_are_not_called_proved(monkeypatch):
    monkeypatch.setattr(rank, "next_on_path", partial(next_on_path, max_iter=1))
    curves, *_, verdict, _ = advance(PATH, None, 60.0)
    count, loose = map(int, re.match(r"(\d+) solutions, all but (\d+) to a", verdict).groups())
    assert count == len(curves)
    assert 0 < loose < count
    assert loose == np.count_nonzero(curves["gap"] > PATH.tol)


def test_a_few_ranks_predict_best_and_full_rank_fits_best_unless_the_truth_has_it():
    """The answers, the note on the accuracy and the first exercise."""
    curves = advance(rank.START, None, 60.0).metrics
    held, train, ranks = (curves[name] for name in ("held", "train", "rank"))
    best = held.argmax()
    assert ranks[best] == 5
    said = [held[at] for at in (np.flatnonzero(ranks == 1)[0], best, -1)]
    assert said == pytest.approx([0.74, 0.79, 0.68], abs=0.0075)
    standard_error = np.sqrt(held[best] * (1 - held[best]) / rank.START.data.tests)
    assert held[best] - held[-1] > 4 * standard_error
    assert (ranks[-1], train[-1]) == (20, 1)
    asked = tau_axis(rank.START).asks
    assert ranks[asked] == 1
    full = advance(replace(rank.START, data=Planted(20, 200)), None, 60.0).metrics
    assert full["held"].max() - full["held"][-1] < standard_error
    assert full["held"].max() == pytest.approx(0.66, abs=0.0075)


def test_a_stopped_path_shows_its_points(contents):
    visit(contents, "rank", "rank", rank_n="100")
    run = contents.session_state["rank"]
    whole = run.frames
    for points in (5, 1, 0):
        run._stopped_at = replace(whole, metrics=whole.metrics[:points])
        contents.run()
        assert not contents.exception
        assert {"smm_path_trace.csv", "smm_path_run.py"} <= take_home(contents)
        assert bool(contents.info) == (points == 0)
