"""Hinge or squared loss: its experiments, its pictures and its page."""

import re

import numpy as np
import pytest

from pages.further.squared_loss.runs import LossRace
from pages.shared.algorithm1 import PRESETS
from pages.shared.data.synthetic import Split
from pages.shared.engine.worker import advance, get_prepared
from pages.shared.losses import LOSSES
from smmcore import LeastSquaresSMM, SupportMatrixMachine
from tests.js.node import evaluate
from tests.pages.runs import SPLIT
from tests.pages.visit import players, visit, words

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
    (player,) = players(contents)
    drawn, *maps = player["panels"]
    assert [each["title"] for each in maps] == [f"W, {name}" for name in LOSSES.values()]
    assert [each["name"] for each in drawn["fields"]] == ["margins_hinge", "margins_squares"]
    for loss in LOSSES:  # what is drawn are the margins of the solution
        margins = race.frames.certificate[loss].decision * labels(race)
        np.testing.assert_allclose(images[f"margins_{loss}"], margins, rtol=1e-6)


def test_the_browser_draws_the_losses():
    m = np.linspace(-2, 4, 13)
    drawn = evaluate(
        ["player/losses"], "(m) => [m.map(LOSS.hinge), m.map(LOSS.squares)]", m.tolist()
    )
    np.testing.assert_allclose(drawn, [np.maximum(1 - m, 0), (1 - m) ** 2 / 2])


def labels(race):
    return get_prepared(race.experiment.data).problem.y
