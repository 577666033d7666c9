"""Hinge or squared loss: its experiments, its pictures and its page."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.further.squared_loss.runs import (
    AT_REST,
    MARGINS,
    MOVED,
    OPENING,
    LossRace,
    move_sample,
    train_on_others,
)
from pages.shared.engine.worker import advance, get_prepared
from pages.shared.losses import LOSSES
from smmcore import LeastSquaresSMM, SupportMatrixMachine
from tests.js.node import evaluate
from tests.pages.runs import SPLIT
from tests.pages.visit import players, visit, words

RACE = LossRace(SPLIT, C=0.1, tau=0.5, margin=2.5)


@pytest.fixture(scope="module")
def piece():
    """The whole race."""
    return advance(RACE, None, 60.0)


def moved_samples(race):
    base = get_prepared(race.data).problem
    return move_sample(base, train_on_others(base, race.C, race.tau), race.margin)


def test_one_sample_is_moved_as_little_as_possible_to_its_margin_for_both_W_without_it():
    base = get_prepared(SPLIT).problem
    others = train_on_others(base, RACE.C, RACE.tau)
    shift = moved_samples(RACE) - base.X
    assert np.flatnonzero(shift.any(axis=(1, 2))).tolist() == [MOVED]
    for loss, kind in (("hinge", SupportMatrixMachine), ("squares", LeastSquaresSMM)):
        machine = kind(C=0.1, tau=0.5, tol=1e-9).fit(base.X[1:], base.y[1:])
        decision = machine.decision_function(base.X[:1] + shift[:1])
        assert base.y[MOVED] * decision == pytest.approx(RACE.margin, abs=1e-3)
        assert np.linalg.norm(machine.coef_ - others[loss].W) < 1e-3
    W = np.stack([each.W.ravel() for each in others.values()])
    inside = np.linalg.lstsq(W.T, shift[MOVED].ravel())[0] @ W
    np.testing.assert_allclose(inside, shift[MOVED].ravel(), atol=1e-9)  # so it is the least


def test_the_race_ends_at_the_solutions_of_the_estimators(piece):
    (_, y, _), held = SPLIT.parts()
    X = moved_samples(RACE)
    end, painted = piece.metrics[-1], piece.images[-1]
    assert len(piece.metrics) == 1  # the picture shows results only
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


@pytest.mark.parametrize(
    ("margin", "hinge", "squares"),
    [
        (AT_REST, False, False),
        (2.0, False, True),
        (MARGINS[-1], False, True),
        (MARGINS[0], True, True),
    ],
)
def test_a_sample_beyond_1_moves_the_W_of_the_squared_loss_alone(margin, hinge, squares):
    """As the answer says."""
    piece = advance(replace(OPENING, margin=margin), None, 60.0)
    end = piece.metrics[-1]
    for loss, moves in (("hinge", hinge), ("squares", squares)):
        assert end[f"change_{loss}"] > 0.2 if moves else end[f"change_{loss}"] < 0.001
        alpha = piece.certificate[loss].alpha[MOVED] / OPENING.C
        assert alpha == pytest.approx(0, abs=1e-3) or moves
    assert alpha < 0 or margin <= AT_REST
    if margin == MARGINS[-1]:  # the colours get pale
        before = train_on_others(get_prepared(OPENING.data).problem, OPENING.C, OPENING.tau)
        W = piece.certificate["squares"].W
        assert np.linalg.norm(W) < 0.5 * np.linalg.norm(before["squares"].W)


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
    images = race.frames.images[-1]
    (player,) = players(contents)
    drawn, *maps = player["panels"]
    assert [each["title"] for each in maps] == [f"W, {name}" for name in LOSSES.values()]
    assert [each["name"] for each in drawn["fields"]] == ["margins_hinge", "margins_squares"]
    for loss in LOSSES:  # what is drawn are the margins of the solution
        margins = race.frames.certificate[loss].decision * labels(race)
        np.testing.assert_allclose(images[f"margins_{loss}"], margins, rtol=1e-6)


def test_the_browser_draws_the_losses():
    m = np.linspace(-2, 4, 13)
    drawn = evaluate(["lib/loss"], "(m) => [m.map(LOSS.hinge), m.map(LOSS.squares)]", m.tolist())
    np.testing.assert_allclose(drawn, [np.maximum(1 - m, 0), (1 - m) ** 2 / 2])


def labels(race):
    return get_prepared(race.experiment.data).problem.y
