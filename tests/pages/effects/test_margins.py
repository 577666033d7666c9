"""The picture of the noise: its scores are those of noisy samples, and its sentences are true."""

from dataclasses import replace

import numpy as np
import pytest

from pages.effects.robustness.margins import LEVELS
from pages.effects.robustness.runs import FIGURE_2, GRAIN, STRENGTHS, NoiseOnMargins, Pattern
from pages.shared.data.painted import PAINTINGS, SMILEY, encode, unit
from pages.shared.engine import precomputed
from pages.shared.noise import fit, strengths

RUN = FIGURE_2["Small"]
(X, Y, _), (X_TEST, Y_TEST, _) = RUN.parts(RUN.data.prepare())
STORED = precomputed.load(NoiseOnMargins(RUN))  # which the page draws
SEEN = STORED.images[0]
SMALL_W, LARGE_W = STRENGTHS
STORED_AT = 1e-3  # of the largest margin: single precision, and solutions within their gaps of 1e-4


def right(name, level):
    """The share of margins above 0."""
    return (SEEN[f"margins_{name}"] + level * SEEN[f"shifts_{name}"] > 0).mean()


@pytest.mark.parametrize(("name", "number"), STRENGTHS.items())
@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
def test_margins_are_those_of_the_noisy_samples(name, number, level):
    noise = np.random.default_rng(0).standard_normal(X_TEST.shape)
    trained = fit("smm", X, Y, strengths(7)[number])
    expected = trained.margins(X_TEST + level * noise, Y_TEST)
    seen = SEEN[f"margins_{name}"] + level * SEEN[f"shifts_{name}"]
    np.testing.assert_allclose(seen, expected, atol=STORED_AT * np.abs(expected).max())
    assert STORED.metrics[f"rank_{name}"][0] == np.linalg.matrix_rank(trained.W)
    assert right(name, level) == trained.accuracy(X_TEST + level * noise, Y_TEST)


def test_shown_sample_is_a_test_sample_of_the_positive_class_with_its_own_noise():
    shown = int(np.argmax(Y_TEST))
    np.testing.assert_allclose(SEEN["sample"], X_TEST[shown].ravel(), atol=1e-6)
    for name in STRENGTHS:
        W = SEEN[f"W_{name}"]
        moved = np.vdot(SEEN["noise"], W) / np.linalg.norm(W)
        assert SEEN[f"shifts_{name}"][shown] == pytest.approx(moved, abs=1e-5)


def test_clean_samples_hardly_tell_the_two_apart_and_noise_does():
    """Noise moves a score by s ||W||: of the large W further, though its scores begin further."""
    assert right(SMALL_W, 0.0) > right(LARGE_W, 0.0) >= 0.9  # both sort well
    assert right(SMALL_W, 0.3) > right(LARGE_W, 0.3) + 0.1
    assert 0.3 in LEVELS
    spread = [SEEN[f"shifts_{name}"].std() for name in STRENGTHS]
    assert spread == pytest.approx([1.0, 1.0], abs=4 / np.sqrt(2 * len(Y_TEST)))
    sizes = [np.linalg.norm(SEEN[f"W_{name}"]) for name in STRENGTHS]
    typical = [np.median(SEEN[f"margins_{name}"]) for name in STRENGTHS]
    assert sizes[1] > 6 * sizes[0]
    assert typical[1] * sizes[1] > typical[0] * sizes[0]  # so a guess can be wrong
    assert typical[0] > 2 * typical[1]


def test_small_w_has_blocks_and_the_large_one_has_none():
    """Columns 2 g - 1 and 2 g are a group."""
    small, large = (SEEN[f"W_{name}"].reshape(-1, 2) for name in STRENGTHS)
    assert np.linalg.norm(np.diff(small)) < 0.1 * np.linalg.norm(small)
    assert np.linalg.norm(np.diff(large)) > 0.5 * np.linalg.norm(large)


@pytest.mark.parametrize("name", PAINTINGS)
def test_w_of_a_painting_keeps_the_samples_further_from_the_line(name):
    """As the sentence below the picture says, for each painting that is built in."""
    (frame,) = NoiseOnMargins(replace(RUN, data=Pattern(encode(PAINTINGS[name])))).run()
    margins = {part: frame.images[f"margins_{part}"] for part in STRENGTHS}
    assert np.median(margins[SMALL_W]) > np.median(margins[LARGE_W])
    sizes = [np.linalg.norm(frame.images[f"W_{part}"]) for part in STRENGTHS]
    assert sizes[0] < sizes[1]
    assert min((margins[part] > 0).mean() for part in STRENGTHS) > 0.85


def test_samples_show_the_painting_in_class_plus_and_its_opposite_in_class_minus():
    W = unit(PAINTINGS[SMILEY])
    problem, _, held = Pattern(encode(PAINTINGS[SMILEY])).prepare()
    for X, y in ((problem.X, problem.y), (held.X, held.y)):
        shown = np.tensordot(X, W)
        np.testing.assert_allclose(
            X - np.multiply.outer(shown, W), 0, atol=6 * GRAIN
        )  # the rest is noise
        assert (np.sign(shown) == y).mean() > 0.9
