"""Hinge or squared loss: its experiments, its pictures and its page."""

import re

import numpy as np
import pytest

from pages.further.squared_loss.runs import LossRace
from pages.shared.algorithm1 import PRESETS
from pages.shared.data.synthetic import Split
from pages.shared.engine.worker import advance
from pages.shared.losses import LOSSES
from smmcore import LeastSquaresSMM, SupportMatrixMachine
from tests.pages.runs import SPLIT
from tests.pages.visit import figures, players, visit, words

RACE = LossRace(SPLIT, C=0.1, tau=0.5)


@pytest.fixture(scope="module")
def piece():
    """The whole race."""
    return advance(RACE, None, 60.0)


def test_the_race_ends_at_the_solutions_of_the_estimators(piece):
    (X, y, _), held = SPLIT.parts()
    end, painted = piece.metrics[-1], piece.images[-1]
    assert painted["W_hinge_scale"] == painted["W_squares_scale"]
    for loss, kind in (("hinge", SupportMatrixMachine), ("squares", LeastSquaresSMM)):
        machine = kind(C=0.1, tau=0.5).fit(X, y)
        proof = piece.certificate[loss]
        apart = np.sqrt(2 * machine.dual_gap_) + proof.radius
        assert np.linalg.norm(proof.W - machine.coef_) <= apart
        assert end[f"gap_{loss}"] <= 1e-6
        assert end[f"held_{loss}"] == pytest.approx(
            machine.score(held.X, held.y), abs=1.5 / len(held.y)
        )
        decision = np.tensordot(X, proof.W) + proof.b
        np.testing.assert_allclose(painted[f"margins_{loss}"], y * decision, rtol=1e-4, atol=1e-5)
        steps = np.rint(127 * proof.W / painted["W_hinge_scale"])
        assert np.abs(painted[f"W_{loss}"] - steps).max() <= 1


@pytest.mark.parametrize("name", ["Quick", "Hard"])
def test_accuracy_hardly_changes_in_the_presets_of_the_answer(name):
    run, _ = PRESETS[name]
    split = Split(run.data)
    end = advance(LossRace(split, run.C, run.tau), None, 60.0).metrics[-1]
    assert abs(end["held_hinge"] - end["held_squares"]) * split.tests < 2  # samples


def test_page_opens_with_the_race_its_numbers_and_the_losses_with_the_samples_on_them(contents):
    visit(contents, "squared_loss", "squared loss")
    assert not contents.error
    assert len(players(contents)) == 1
    race = contents.session_state["squared loss"]
    assert race.status == "finished"
    said = words(contents)
    assert re.search(r"\d+ of the 140 training samples .* make up \d+\s% of the squared loss", said)
    numbers = r"P = (\S+), .* P - D = (\S+) \\times 10\^\{(\S+)\}\\, P"
    P, share, power = re.search(numbers, said).groups()
    proof = race.frames.certificate["squares"]
    assert float(P) == pytest.approx(proof.primal, rel=1e-3)
    assert float(f"{share}e{power}") == pytest.approx(proof.relative_gap, rel=0.01)
    end, images = race.frames.metrics[-1], race.frames.images[-1]
    assert [f"{end[f'held_{loss}']:.1%}" for loss in LOSSES] == ["96.7%", "96.7%"]
    figure, *maps = figures(contents)
    assert [each["layout"]["title"]["text"] for each in maps] == [
        f"W, {name}" for name in LOSSES.values()
    ]
    (note,) = figure["layout"]["annotations"]
    assert note["text"] == f"+ {np.count_nonzero(images['margins_hinge'] > 4)} further right"
    highest = 0.0
    for curve, loss, of_margin in zip(
        figure["data"],
        ("hinge", "squares"),
        (lambda m: np.maximum(1 - m, 0), lambda m: (1 - m) ** 2 / 2),
        strict=True,
    ):
        samples = np.flatnonzero(curve["marker"]["size"])
        assert curve["x"][samples].tolist() == sorted(
            m for m in images[f"margins_{loss}"].tolist() if m <= 4
        )
        losses = of_margin(curve["x"][samples])
        np.testing.assert_array_equal(curve["y"][samples], losses)
        highest = max(highest, losses.max())
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 0 < highest < high < 1.25 * highest
