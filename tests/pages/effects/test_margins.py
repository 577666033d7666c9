"""The picture of the noise: its margins are those of noisy samples, and its sentences are true."""

import numpy as np
import pytest

from pages.effects.robustness.margins import LEVELS
from pages.effects.robustness.runs import FIGURE_2, STRONG, WEAK, find_margins
from pages.shared.noise import fit, strengths

RUN = FIGURE_2["Small"]
(X, Y, _), (X_TEST, Y_TEST, _) = RUN.parts(RUN.data.prepare())
SEEN = find_margins(RUN)
BLOCKS, SPECKLE = SEEN.machines


def right(machine, level):
    """The share of margins above 0."""
    return (machine.margins + level * machine.shifts > 0).mean()


@pytest.mark.parametrize(("number", "machine"), [(STRONG, BLOCKS), (WEAK, SPECKLE)])
@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
def test_margins_are_those_of_the_noisy_samples(number, machine, level):
    noise = np.random.default_rng(0).standard_normal(X_TEST.shape)
    trained = fit("smm", X, Y, strengths(7)[number])
    expected = trained.margins(X_TEST + level * noise, Y_TEST)
    np.testing.assert_allclose(machine.margins + level * machine.shifts, expected, atol=1e-9)
    assert right(machine, level) == trained.accuracy(X_TEST + level * noise, Y_TEST)


def test_shown_sample_is_a_test_sample_of_the_positive_class_with_its_own_noise():
    shown = int(np.argmax(Y_TEST))
    np.testing.assert_array_equal(SEEN.sample, X_TEST[shown])
    for machine in SEEN.machines:
        moved = np.vdot(SEEN.noise, machine.W) / np.linalg.norm(machine.W)
        assert machine.shifts[shown] == pytest.approx(moved)


def test_clean_samples_hardly_tell_the_two_apart_and_noise_does():
    """Noise spreads both alike; the margins of the blocks lie further from 0."""
    assert abs(right(BLOCKS, 0.0) - right(SPECKLE, 0.0)) < 0.05
    assert right(BLOCKS, 0.3) > right(SPECKLE, 0.3) + 0.1
    assert 0.3 in LEVELS
    spread = [machine.shifts.std() for machine in SEEN.machines]
    assert spread == pytest.approx([1.0, 1.0], abs=4 / np.sqrt(2 * len(Y_TEST)))
    assert np.median(BLOCKS.margins) > 2 * np.median(SPECKLE.margins)


def test_strong_w_has_the_columns_of_a_group_alike_and_the_weak_one_has_not():
    """Columns 2 g - 1 and 2 g are a group."""

    def unlike(W):
        pairs = W.reshape(len(W), -1, 2)
        return np.linalg.norm(pairs[:, :, 0] - pairs[:, :, 1]) / np.linalg.norm(W)

    assert unlike(BLOCKS.W) < 0.1
    assert unlike(SPECKLE.W) > 0.5
