"""The puzzle: both tasks can be done, and the page says which are."""

import pytest

from pages.shared.data.planted import Planted
from pages.smm.structure import puzzle
from pages.smm.structure.puzzle import DRAWS, NOISES, POINTS, describe, describe_scores, gain_of
from pages.smm.structure.runs import COUNTS, RANKS, LearningCurves
from tests.pages.runs import run_to_the_end
from tests.pages.visit import visit

WINS = LearningCurves(Planted(1), (200,), DRAWS)
LOSES = LearningCurves(Planted(20), (100,), DRAWS)


@pytest.mark.sweep
def test_both_tasks_can_be_done_with_the_knobs():
    """At rank 1 the SMM wins by ten points; at full rank and few samples it loses."""
    runs = WINS, LOSES
    for run in runs:
        assert run.data.rank in RANKS
        assert run.counts[0] in COUNTS
        assert run.data.noise in NOISES
    (won, _), (lost, error) = (gain_of(run_to_the_end(run).metrics[-1]) for run in runs)
    assert won > POINTS
    assert lost < -2 * error


def test_noise_of_the_labels_makes_some_of_them_wrong():
    clean, noisy = (Planted(1, noise=noise).prepare().problem.y for noise in (0.0, 1.0))
    assert (clean != noisy).mean() == pytest.approx(0.25, abs=0.05)  # arctan(1) / pi


@pytest.mark.parametrize(
    ("gain", "error", "sentence"),
    [
        (0.126, 0.02, "the SMM wins by 12.6 ± 2.0 points"),
        (-0.02, 0.006, "the SMM loses by 2.0 ± 0.6 points"),
        (0.01, 0.006, "a tie. The difference over 20 draws, +1.0 points, is less"),
    ],
)
def test_verdict_is_a_tie_within_two_standard_errors(gain, error, sentence):
    numbers = {"smm": 0.7 + gain, "svm": 0.7, "gain": gain, "error_gain": error}
    assert sentence in describe(numbers)


def test_score_keeps_the_best_data_for_each_task():
    scores = {
        WINS: {"gain": 0.15, "error_gain": 0.01},
        LOSES: {"gain": -0.01, "error_gain": 0.01},
    }
    won, lost = describe_scores(scores).split("  \n")
    assert won == "✓ The SMM wins by 10 points: by 15.0 points (rank 1, n = 200, noise 0)."
    assert lost == "○ The SMM loses: not yet."


def test_page_trains_only_when_it_is_asked_and_the_link_holds_the_data(contents, monkeypatch):
    numbers = {"smm": 0.85, "svm": 0.7, "gain": 0.15, "error_gain": 0.01}
    asked = []
    monkeypatch.setattr(
        puzzle.session, "run_task", lambda _slot, _note, _do, run: asked.append(run) or numbers
    )
    visit(contents, "structure", structure_puzzle_rank="1", structure_puzzle_n="400")
    assert not asked
    contents.button(key="train both").click().run()
    assert [(run.data.rank, run.counts) for run in asked] == [(1, (400,))]
    assert any("✓ The SMM wins by 10 points" in text.value for text in contents.markdown)
