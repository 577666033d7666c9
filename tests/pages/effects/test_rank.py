"""The solutions along tau: true where they are computed, and as the page says."""

import re
from functools import partial

import numpy as np
import pytest

from pages.effects.rank import runs as rank
from pages.effects.rank.runs import (
    BUILT_IN,
    COUNTS,
    FEWER,
    LOSS,
    OPENS,
    TRUTHS,
    BestLines,
    RankPaths,
    best_lines,
    path_of,
)
from pages.shared.data.painted import LAST_PAINTING, Painted, encode
from pages.shared.engine import precomputed
from pages.shared.engine.worker import advance
from smmcore import SupportMatrixMachine
from smmcore.path import next_on_path
from tests.pages.visit import components, take_home, visit

CROSS = np.zeros((20, 20))
CROSS[3:17, 9:11], CROSS[9:11, 3:17] = 1, -1
SHORT = RankPaths(Painted(encode(CROSS), n=60), counts=(60, 30), taus=(20.0, 5.0, 1.0))


def best_places(name):
    """The place of the best tau at each n, from few to many."""
    metrics = precomputed.metrics(BUILT_IN[name])
    return [int(metrics["new"][metrics["n"] == n].argmax()) for n in COUNTS]


def test_stored_solutions_are_those_of_smmcore():
    """At three tau: W to its certificate, and so the share of new samples; training exactly."""
    data = BUILT_IN["Smiley"].data.prepare()
    X, y, truth = data.problem.X[:OPENS], data.problem.y[:OPENS], TRUTHS["Smiley"]
    metrics = precomputed.metrics(BUILT_IN["Smiley"])
    # New samples, which are drawn here and not counted by an angle.
    new = np.random.default_rng(1).standard_normal((100_000, 400), np.float32)
    of_truth = new @ truth.ravel() > 0
    for at in metrics[metrics["n"] == OPENS][[5, 14, 30]]:
        machine = SupportMatrixMachine(C=LOSS / OPENS, tau=float(at["tau"]), tol=1e-9).fit(X, y)
        W = machine.coef_
        # |W - W'| <= sqrt(2 gap) + sqrt(2 gap'): an angle of that over |W|, and pi is all samples.
        primal = machine.objective_
        radius = sum(np.sqrt(2 * gap * primal) for gap in (at["gap"], machine.dual_gap_ / primal))
        angle = radius / np.linalg.norm(W)
        right = np.mean((new @ W.ravel() > 0) == of_truth)
        assert abs(at["new"] - right) < angle / np.pi + 4 * np.sqrt(0.25 / 100_000)
        assert abs(at["train"] - np.mean(y * np.tensordot(X, W) > 0)) <= 2 / OPENS
        assert abs(at["rank"] - machine.rank_) <= 1


def test_a_higher_line_gets_more_new_samples_right_and_then_fewer():
    """The question, its replies, the notes and the second exercise."""
    path, opens = path_of(OPENS), rank.TAUS.index(rank.LOW)
    new, best = path["new"], int(path["new"].argmax())
    assert (np.diff(new[best : opens + 1]) < 0).all()
    assert new[0] == 0.5 < new[3] < new[best]  # on the way up W becomes 0
    assert path["rank"][best] == 1 + np.linalg.matrix_rank(TRUTHS[rank.TRUTH])
    all_right = [k for k in range(len(path)) if path["train"][k] == 1]
    assert all_right == [*range(all_right[0], len(path))]
    assert all_right[0] < opens
    assert (np.diff(new[all_right]) < 0).all()


def test_best_line_goes_down_with_n_and_is_the_lowest_for_full_rank():
    """The takeaway and the first exercise; the noise is the second height of the mean of y X."""
    assert best_places("Rank 2") == sorted(best_places("Rank 2"))
    assert best_places("Plaid") == sorted(best_places("Plaid"))
    assert best_places("Full rank") == [len(rank.TAUS) - 1] * len(COUNTS)
    data = BUILT_IN["Plaid"].data.prepare().problem
    noise = [
        np.linalg.svd(np.tensordot(data.y[:n], data.X[:n], 1) / n, compute_uv=False)[1]
        for n in COUNTS
    ]
    assert (np.diff(noise) < 0).all()


def test_best_lines_of_20_draws_are_those_that_the_page_counts():
    fewer, lines = best_lines(FEWER), best_lines(OPENS)
    assert len(fewer) == len(lines) == 20
    path = path_of(OPENS)
    assert lines[0]["rank"] == path["rank"][path["new"].argmax()]
    assert lines[0]["new"] == pytest.approx(path["new"].max(), abs=1e-6)
    assert (lines["rank"] > 1).sum() == 18  # what the picture says of its own draw is usual
    assert (fewer["tau"] > lines["tau"]).sum() == 19
    anew = BestLines(SHORT.data, counts=SHORT.counts, draws=2).run()
    assert [frame.metrics["n"] for frame in anew] == [60, 30] * 2


def test_solutions_that_miss_the_tolerance_are_not_called_proved(monkeypatch):
    monkeypatch.setattr(rank, "next_on_path", partial(next_on_path, max_iter=1))
    curves, *_, verdict, _ = advance(SHORT, None, 60.0)
    count, loose = map(int, re.match(r"(\d+) solutions, all but (\d+) at", verdict).groups())
    assert count == len(curves) == 6
    assert loose == np.count_nonzero(curves["gap"] > rank.TOLERANCE) > 0


def test_painting_of_lesson_5_is_offered_and_a_link_restores_it(contents, other):
    visit(contents, "structure", painting=encode(CROSS))
    assert contents.session_state[LAST_PAINTING] == encode(CROSS)
    cards = [each.proto for each in contents.get("page_link") if each.proto.page == "card"]
    assert {each.query_string for each in cards} == {f"card_painting={encode(CROSS)}"}
    visit(other, "card", painting=encode(CROSS), hidden="1")
    assert LAST_PAINTING not in other.session_state  # a friend's, and hidden
    visit(contents, "rank")
    (picture,) = components(contents, "rank")
    assert [each["label"] for each in picture["truths"]] == [*TRUTHS, "Yours"]
    assert picture["truths"][-1]["rank"] == 2
    assert {"smm_path_trace.csv", "smm_path_run.py"} <= take_home(contents)
    visit(other, "rank", rank_truth=encode(CROSS))
    (picture,) = components(other, "rank")
    assert picture["truth"]["at"] == len(TRUTHS)
    assert other.session_state["rank"].experiment == RankPaths(Painted(encode(CROSS)))
