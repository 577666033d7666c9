"""The lesson on the low-rank SVM: its experiments against the estimators, its page."""

from dataclasses import replace

import numpy as np
import pytest

from pages.further.low_rank import runs
from pages.further.low_rank.runs import WeightingRace, check_invariance
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.worker import advance
from pages.shared.parts import downloads
from smmcore import AROM, LinearSVM, LowRankSVM
from tests.pages.visit import players, take_home, visit, words

DATA = Relevant(n=200, train=40)
FIRST = Relevant()  # what the page opens with


@pytest.mark.parametrize("data", [DATA, replace(DATA, size=12, noise=0.3)], ids=["X", "A X Bᵀ"])
def test_the_weighting_ends_at_the_estimators(data):
    piece = advance(WeightingRace(data), None, 60.0)
    (X, y, coef), held = data.parts()
    machines = {"lowrank": LowRankSVM(1e4), "arom": AROM(1e4)}
    end, picture = piece.metrics[-1], piece.images[-1]
    for name, machine in machines.items():
        machine.fit(X, y)
        assert end[f"steps_{name}"] == machine.n_iter_
        assert end[f"train_{name}"] == machine.score(X, y)
        assert end[f"held_{name}"] == pytest.approx(machine.score(held.X, held.y))
        np.testing.assert_array_equal(piece.certificate[name].W, machine.coef_)
        slack = np.maximum(1 - y * machine.decision_function(X), 0.0).sum()
        objective = 0.5 * np.sum(machine.coef_**2) + machine.C * slack
        assert end[f"objective_{name}"] == pytest.approx(objective, rel=1e-6)
    np.testing.assert_array_equal(picture["diagonal"], machines["lowrank"].diagonal_.astype("f4"))
    assert end["kept_lowrank"] == np.count_nonzero(machines["lowrank"].diagonal_ > 0.5)
    weights = np.abs(machines["arom"].coef_)
    assert end["kept_arom"] <= np.count_nonzero(weights > 1e-6 * weights.max())
    svm = LinearSVM(1e4).fit(X, y).coef_
    for field, W in (("W_svm", svm), ("truth", coef)):
        # A step of the picture is 1 / 127.
        np.testing.assert_allclose(picture[field] / 127, W / np.abs(W).max(), atol=1 / 127)
    assert piece.metrics["held_lowrank"][0] == piece.metrics["held_arom"][0]  # pass 1 is the SVM


def test_arom_leaves_few_dots_on_X_nearly_all_relevant_and_more_where_there_is_noise():
    seen = {}
    for noise in (0.0, 1.0):
        data = replace(FIRST, train=200, noise=noise)
        dots = advance(WeightingRace(data), None, 60.0).images[-1]["W_arom"] != 0
        seen[noise] = np.count_nonzero(dots), np.count_nonzero(dots & (data.load().coef != 0))
    (few, right), (many, _) = seen.values()
    assert 2 <= right <= few <= right + 1
    assert many > 2 * few


def test_turned_samples_turn_lowrank_and_not_arom():
    svm, lowrank, arom = check_invariance(WeightingRace(DATA))
    for one in (svm, lowrank):
        assert max(one.distance, one.score_difference) < 1e-6  # Proposition 1
        assert one.accuracies[0] == one.accuracies[1]
        assert one.singular_values[10] < 1e-12 * one.singular_values[0]  # Proposition 2, m = 10
    assert arom.distance > 0.5
    assert arom.accuracies[0] > arom.accuracies[1]
    assert lowrank.kept < 10


def test_samples_are_offered_with_their_test_part():
    train, test = DATA.parts()
    arrays = downloads.sample_arrays(DATA)
    for name, array in {"X": train.X, "y": train.y, "X_test": test.X, "y_test": test.y}.items():
        np.testing.assert_array_equal(arrays[name], array)
    np.testing.assert_array_equal(arrays["W"], train.coef)


def test_rank_of_w_is_told_apart_from_that_of_the_last_pass():
    def ends(seed):
        end = advance(WeightingRace(replace(FIRST, seed=seed)), None, 60.0)
        return int(end.metrics["kept_lowrank"][-1]), end.images["singular_values"][-1]

    # As "What to look for" says.
    kept, values = ends(0)
    assert (kept, values[4] / values[0] < 0.01) == (4, True)
    kept, values = ends(4)
    assert kept == 1
    assert values[1] / values[0] == pytest.approx(2 / 3, abs=0.02)
    told = runs.describe_rank(kept, values)
    assert "1 direction of Wₖ counts. Of W, in" in told
    assert f"is {values[1] / values[0]:.2g} of the largest" in told
    assert runs.describe_rank(10, values) == runs.describe_rank(0, values) == ""


def test_page_shows_the_run_its_numbers_and_the_propositions(contents):
    visit(contents, "low_rank_svm", "low rank")
    assert not contents.error
    assert not contents.warning
    assert "Low-rank SVM" in contents.title[0].value
    assert len(players(contents)) == 1
    turned = contents.dataframe[0].value
    assert list(turned["method"]) == ["linear SVM", "LowRank", "AROM"]
    assert "1 direction of Wₖ counts" in words(contents)
    assert "keeps 1 of these 10 directions" in words(contents)
    assert {"smm_low_rank_model.npz", "wolf_samples.npz"} <= take_home(contents)


def test_rotation_costs_arom_accuracy_and_lowrank_nothing():
    """What the page opens with; X beside it."""
    accuracies = {
        (size, method): advance(WeightingRace(replace(FIRST, size=size)), None, 60.0).metrics[
            f"held_{method}"
        ]
        for size in (None, 10)
        for method in ("lowrank", "arom")
    }
    rotated, turned = accuracies[10, "lowrank"], accuracies[10, "arom"]
    assert rotated[0] == turned[0]  # the linear SVM
    assert rotated[-1] == pytest.approx(accuracies[None, "lowrank"][-1], abs=0.005)
    assert turned[-1] < turned[0] - 0.05
    assert accuracies[None, "arom"][-1] > turned[-1] + 0.1


def test_controls_make_the_recipe_and_a_small_c_is_warned_of(contents):
    visit(
        contents,
        "low_rank_svm",
        "low rank",
        behind="A X Bᵀ, 50 × 50",
        protocol="one triple, in one row",
        C_hard="0.01",
        train_on="30",
        seed_low_rank="4",
    )
    data = Relevant(train=30, size=50, noise=0.5, protocol="one triple", permute=False, seed=4)
    assert contents.session_state["low rank"].experiment == WeightingRace(data, C=0.01)
    assert "Take a larger C" in contents.warning[0].value
