"""The lesson Imbalanced classes: what it claims holds in the stored runs."""

from dataclasses import replace

import numpy as np
import pytest

from pages.further.imbalance.runs import (
    ASKS,
    EXPERIMENTS,
    POSITIVES,
    STRENGTHS,
    move,
)
from pages.shared.engine.worker import advance
from tests.pages.runs import load_stored
from tests.pages.visit import choose, visit, words

SMALL, LARGE = STRENGTHS[0], STRENGTHS[-1]
OPENS = EXPERIMENTS[POSITIVES[0], SMALL]


def at_bound(found, side):
    """Return at which ratios an alpha of a class is at its bound."""
    return found[f"alpha_{side}"] >= (1 - 1e-6) * found[f"C_{side}"]


@pytest.mark.parametrize("run", EXPERIMENTS.values(), ids=str)
def test_each_stored_solution_is_certified_and_its_weights_go_from_equal_by_way_of_balanced(run):
    piece, data = load_stored(run), run.data
    found, proof = piece.metrics, piece.certificate  # the model to download
    n = data.shape[0]
    assert len(found) == run.points
    assert (found["gap"] <= run.tol).all()
    assert (found["rank"][found["tau_max"] <= run.tau] == 0).all()
    # tau_max is an upper bound, up to 1e-3 too high. Just below it W is 0 up to its certificate.
    assert (found["rank"][found["tau_max"] > 1.05 * run.tau] > 0).all()
    total = data.positives * found["w_plus"] + data.negatives * found["w_minus"]
    np.testing.assert_allclose(total, n)
    assert found["ratio"][0] == pytest.approx(1)
    middle = found[run.balanced]
    assert middle["w_plus"] == pytest.approx(n / (2 * data.positives))
    assert middle["w_minus"] == pytest.approx(n / (2 * data.negatives))
    np.testing.assert_allclose(found["C_plus"], run.C * found["w_plus"])
    assert (found["alpha_plus"] <= found["C_plus"]).all()
    assert (found["alpha_minus"] <= found["C_minus"]).all()
    problem = run.problem(data.prepare().problem, data.ratio)
    assert problem.primal(proof.W, proof.b) == pytest.approx(proof.primal)
    assert proof.primal == middle["primal"]


def test_first_exercise():
    run = EXPERIMENTS[20, SMALL]
    first, middle = load_stored(run).metrics[[0, run.balanced]]
    assert run.data.shape[0] == 520
    assert middle["w_plus"] == pytest.approx(13)
    assert middle["w_minus"] == pytest.approx(0.52)
    recalls = [f"{row[name]:.0%}" for row in (first, middle) for name in ("found", "kept")]
    assert recalls == ["0%", "100%", "96%", "98%"]


def test_second_exercise():
    run = EXPERIMENTS[10, LARGE]
    found = load_stored(run).metrics
    at = int(np.argmin(np.abs(found["ratio"] - 170)))
    assert f"{found['ratio'][at]:.0f}" == "170"
    bound = at_bound(found, "plus") | at_bound(found, "minus")
    assert int(bound.argmax()) == at + 1
    assert {f"{recall:.0%}" for recall in found["found"][: at + 1]} == {"33%"}
    assert found["found"][at + 1] > found["found"][at]
    assert f"{load_stored(OPENS).metrics[OPENS.balanced]['found']:.0%}" == "88%"


def test_stored_run_is_what_the_solver_finds():
    found = load_stored(OPENS).metrics[OPENS.balanced]
    fresh = advance(replace(OPENS, points=3), None, 600.0).metrics[1]
    for name in ("found", "kept", "accuracy"):
        assert fresh[name] == pytest.approx(found[name], abs=0.01), name
    assert fresh["C_plus"] == found["C_plus"]


@pytest.mark.parametrize("run", EXPERIMENTS.values(), ids=str)
def test_weights_change_nothing_while_no_alpha_is_at_its_bound(run):
    found = load_stored(run).metrics
    bound = at_bound(found, "plus") | at_bound(found, "minus")
    if run.C < LARGE:
        assert bound.all()
        return
    free = int(bound.argmax())
    assert free > 1
    assert bound[free:].all()
    assert np.ptp(found["found"][:free]) < 1e-3
    assert np.ptp(found["penalty"][:free]) < 1e-5
    assert found["found"][-1] > found["found"][0] + 0.05


@pytest.mark.parametrize("run", EXPERIMENTS.values(), ids=str)
def test_w_is_zero_at_equal_weights_where_c_is_small_and_shows_the_pattern_at_balanced_ones(run):
    piece = load_stored(run)
    first = piece.metrics[0]
    if run.C == SMALL:
        assert (first["rank"], first["found"], first["kept"]) == (0, 0, 1)
    W, spot = piece.images["W"][run.balanced].astype(float), run.data.prepare().coef
    least = 0.8 if run.C == SMALL else 0.7
    assert np.vdot(W, spot) > least * np.linalg.norm(W) * np.linalg.norm(spot)


def test_answers_are_those_of_the_run():
    found = load_stored(OPENS).metrics
    assert OPENS.data.shape[0] == 510
    assert f"{found[0]['accuracy']:.0%}" == "98%"
    assert (found["rank"][found["ratio"] < 11] == 0).all()
    assert int(np.argmax(found["found"] > 0.5)) == ASKS
    middle = found[OPENS.balanced]
    assert middle["ratio"] == pytest.approx(50)
    assert [f"{middle[name]:.0%}" for name in ("found", "kept")] == ["88%", "99%"]
    none = found["ratio"] > 276
    assert (found["kept"][none] == 0).all()
    assert (found["found"][none] == 1).all()
    assert (found["kept"][: OPENS.balanced + 1] > 0.98).all()  # most, and half
    assert abs(found["kept"][found["ratio"].searchsorted(216)] - 0.5) < 0.01
    # The curves cross once, beyond the balanced weights.
    ahead = found["found"] > found["kept"]
    assert int(ahead.argmax()) > OPENS.balanced
    assert ahead[ahead.argmax() :].all()


def test_a_move_of_the_hand_leads_to_a_stored_run_and_keeps_the_other_settings():
    assert move(move(OPENS, positives=20), C=LARGE) == EXPERIMENTS[20, LARGE]
    assert move(replace(OPENS, tau=2.0), 20, LARGE) == replace(EXPERIMENTS[20, LARGE], tau=2.0)


def test_demos_set_c_and_numbers_and_downloads_of_the_page_are_those_of_the_run(contents):
    visit(contents, "imbalance", imbalance_positives="50")
    choose(contents, "Large C")
    assert not contents.exception
    assert contents.session_state["imbalance"].experiment == EXPERIMENTS[10, LARGE]
    assert r"{2 \cdot 10} = 25.5" in words(contents)
    labels = [button.label for button in contents.get("download_button")]
    # One script, and the balanced model.
    assert labels == [
        "Script (.py)",
        "Notebook (.ipynb)",
        "Trace (.csv)",
        "Model (.npz)",
        "Model (.mat)",
    ]
