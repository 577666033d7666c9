"""The lesson on the low-rank SVM: its experiments against the estimators, its page."""

from dataclasses import replace

import numpy as np
import pytest

from pages.further.low_rank.runs import OPENING, TAU, Turned, TurnPath, rotations
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.worker import advance
from pages.shared.parts import downloads
from smmcore import AROM, LinearSVM, LowRankSVM, SupportMatrixMachine
from tests.pages.runs import load_stored
from tests.pages.visit import players, take_home, visit, words

DATA = Relevant(n=200, train=40)


def test_A_and_B_are_rotations_that_begin_at_the_identity_and_leave_no_row_where_it_was():
    for start, half, quarter in zip(*(rotations(angle, 3) for angle in (0, 30, 90)), strict=True):
        np.testing.assert_allclose(start, np.eye(10), atol=1e-15)
        for rotation in (half, quarter):
            np.testing.assert_allclose(rotation @ rotation.T, np.eye(10), atol=1e-14)
        np.testing.assert_allclose(np.diag(half), np.cos(np.pi / 6))
        np.testing.assert_allclose(half @ half @ half, quarter, atol=1e-14)  # 3 times 30 degrees
        np.testing.assert_allclose(np.diag(quarter), 0, atol=1e-15)
        assert np.count_nonzero(np.abs(quarter) > 0.01) > 80


@pytest.mark.parametrize(
    ("machine", "notices"),
    [
        (LinearSVM(1e4), False),
        (SupportMatrixMachine(1e4, TAU, tol=1e-10), False),
        (LowRankSVM(1e4), False),
        (AROM(1e4), True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_rotation_turns_the_W_of_all_but_arom(machine, notices):
    A, B = rotations(50, DATA.seed)
    (X, y, _), (turned, _, _) = DATA.parts()[0], Turned(n=200, train=40, angle=50).parts()[0]
    np.testing.assert_allclose(turned, A @ X @ B.T)
    expected = A @ machine.fit(X, y).coef_ @ B.T
    distance = np.linalg.norm(machine.fit(turned, y).coef_ - expected) / np.linalg.norm(expected)
    assert distance > 0.5 if notices else distance < 1e-4


def test_a_path_ends_at_the_estimators_on_the_samples_that_it_hands_out():
    path = TurnPath(replace(DATA, noise=0.3))
    piece = advance(path, None, 60.0)
    end, images = piece.metrics[-1], piece.images[-1]
    assert end["angle"] == Turned.angle
    (X, y, coef), held = Turned(n=200, train=40, noise=0.3).parts()
    machines = {
        "svm": LinearSVM(1e4),
        "smm": SupportMatrixMachine(1e4, TAU, tol=1e-8),
        "lowrank": LowRankSVM(1e4),
        "arom": AROM(1e4),
    }
    for name, machine in machines.items():
        W = machine.fit(X, y).coef_
        assert end[f"held_{name}"] == pytest.approx(machine.score(held.X, held.y), abs=1.5 / 160)
        # A step of the picture is 1 / 127.
        drawn = images[f"W_{name}"] / 127
        np.testing.assert_allclose(drawn, W / np.abs(W).max(), atol=1.01 / 127)
    np.testing.assert_allclose(images["truth"] / 127, coef / np.abs(coef).max(), atol=1 / 127)
    assert end["kept_lowrank"] == np.count_nonzero(machines["lowrank"].diagonal_ > 0.5)


def test_arom_alone_loses_accuracy_as_the_angle_grows():
    """As the answer and the picture say."""
    piece = load_stored(OPENING)
    curves, cells = piece.metrics, piece.images["W_arom"] != 0
    jumps = np.abs(np.diff(curves["held_arom"])) > 0.04
    assert jumps.sum() > 2
    assert (cells[1:] != cells[:-1]).any(axis=(1, 2))[jumps].all()
    for name in ("svm", "smm", "lowrank"):
        assert np.ptp(curves[f"held_{name}"]) <= 1.5 / 450  # a sample that rounding moves
        assert curves["held_arom"][0] > curves[f"held_{name}"][0]
        assert curves["held_arom"][-1] < curves[f"held_{name}"][-1] - 0.1


def test_lowrank_keeps_the_layer_that_is_there_and_more_where_the_features_are_in_several_rows():
    """As the picture and the first exercise say."""
    end = load_stored(OPENING)
    assert set(end.metrics["kept_lowrank"]) == {1}
    assert np.linalg.matrix_rank(end.images[-1]["truth"] / 127, tol=0.1) == 1
    printed = advance(TurnPath(Relevant(), angles=1), None, 60.0)
    assert printed.metrics["kept_lowrank"][-1] == 4


def test_arom_leaves_few_dots_on_X_nearly_all_relevant_and_more_where_there_is_noise():
    seen = {}
    for noise in (0.0, 1.0):
        data = replace(DATA, n=500, train=200, noise=noise)
        dots = advance(TurnPath(data, angles=1), None, 60.0).images[-1]["W_arom"] != 0
        seen[noise] = np.count_nonzero(dots), np.count_nonzero(dots & (data.load().coef != 0))
    (few, right), (many, _) = seen.values()
    assert 2 <= right <= few <= right + 1
    assert many > 2 * few


def test_samples_are_offered_with_their_test_part():
    train, test = DATA.parts()
    arrays = downloads.sample_arrays(DATA)
    for name, array in {"X": train.X, "y": train.y, "X_test": test.X, "y_test": test.y}.items():
        np.testing.assert_array_equal(arrays[name], array)
    np.testing.assert_array_equal(arrays["W"], train.coef)


def test_page_shows_the_run_and_its_numbers(contents):
    visit(contents, "low_rank_svm", "low rank")
    assert not contents.error
    assert "Low-rank SVM" in contents.title[0].value
    assert len(players(contents)) == 1
    assert "d = 0.909" in words(contents)
    assert {"smm_low_rank_model.npz", "wolf_samples.npz"} <= take_home(contents)


def test_controls_make_the_recipe(contents):
    visit(
        contents,
        "low_rank_svm",
        "low rank",
        protocol="one triple, in one row",
        noise_10="0.5",
        train_on="30",
        seed_low_rank="4",
    )
    data = Relevant(train=30, noise=0.5, protocol="one triple", permute=False, seed=4)
    assert contents.session_state["low rank"].experiment == TurnPath(data)
