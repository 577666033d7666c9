"""Watch the algorithm: the race, the question, and the panels that follow a step."""

from dataclasses import replace

import numpy as np

from pages.shared.algorithm1 import PLAIN, QUICK, Algorithm1, Step
from pages.shared.data.painted import PAINTINGS, SMILEY, Painted, encode
from pages.shared.engine.worker import advance
from pages.smm.live.runs import (
    ASKED,
    FIRST,
    OPENING,
    SECOND,
    TO_FALL,
    SolverRace,
    describe_costs,
)
from tests.pages.runs import SPLIT, load_stored, run_to_the_end
from tests.pages.visit import components, players, set_address, turn, visit, words


def test_all_contestants_end_at_the_same_W_on_the_same_scale():
    piece = advance(SolverRace(FIRST, replace(SECOND, rho=1.0)), None, 60.0)
    first = piece.certificate["first"]
    for name, proof in piece.certificate.items():
        assert proof.within(1e-6)
        assert np.linalg.norm(proof.W - first.W) <= proof.radius + first.radius
        assert (piece.images[f"W_{name}_scale"] == piece.images["W_first_scale"]).all()


def test_race_has_the_answers_of_the_exercise():
    end = load_stored(SolverRace(FIRST, SECOND)).metrics[-1]
    assert [end[f"steps_{name}"] for name in ("first", "second", "third")] == [35, 100, 3]
    assert 3e-4 < end["gap_second"] < 3e-3
    assert end["seconds_third"] < end["seconds_first"]
    assert 2 < (end["seconds_third"] / 3) / (end["seconds_first"] / 35) < 8
    first, third = (1000 * end[f"seconds_{name}"] for name in ("first", "third"))
    told = describe_costs(end)
    assert f"35 steps of {first / 35:.1f} ms" in told
    assert f"3 steps of {third / 3:.1f} ms" in told


def test_page_opens_where_the_residual_rises_ninefold_and_the_algorithm_restarts(contents):
    visit(contents, "live", "live")
    (player, *_) = players(contents)
    run = contents.session_state["live"]
    assert run.experiment == OPENING
    assert player["asks"]
    assert player["axis"]["asks"] == ASKED - 1
    assert player["grid"]
    keys = {setting["key"] for setting in player["moves"].values()}
    assert keys == {knob["key"] for knob in player["knobs"]}
    steps = run.frames.metrics
    assert np.flatnonzero(steps["restarted"])[0] == ASKED - 1  # none before
    assert 8.5 < steps["ratio"][ASKED - 1] < 9.5
    assert player["axis"]["opens"] == ASKED - 1 + TO_FALL
    falls = steps["residual"][ASKED - 2 : ASKED + TO_FALL]
    assert falls[1] > falls[0] > falls[2]  # it rises, and then is lower than before
    assert (np.diff(falls[2:]) < 0).all()
    turn(contents, "rho", 1.0)
    axis = players(contents)[0]["axis"]
    assert axis["asks"] == ASKED - 1  # nothing is told before the guess
    assert "opens" not in axis  # there step 17 is another one
    turn(contents, "seed", 2)
    assert players(contents)[0]["grid"] is None  # such runs are computed
    assert contents.session_state["live"].experiment.max_iter == QUICK.max_iter


SOLVERS = SolverRace(
    Algorithm1(SPLIT, C=0.1, tau=0.5), Algorithm1(SPLIT, 0.1, 0.5, rho=1.0, algorithm=PLAIN)
)


WITH_RESTARTS = Algorithm1(SPLIT, C=0.1, tau=0.5, rho=100.0)


def test_restart_is_where_the_residual_is_not_below_eta_times_the_one_before():
    curves = run_to_the_end(WITH_RESTARTS).metrics[1:]
    assert 0 < curves["restarted"].sum() < len(curves)
    after = 1 + np.flatnonzero(curves["restarted"][:-1])
    assert (curves["step"][after] == Step.AFTER_RESTART).all()
    compared = np.delete(curves, after)
    np.testing.assert_array_equal(compared["restarted"], compared["ratio"] >= WITH_RESTARTS.eta)


def test_residual_is_the_sum_of_the_two_parts_that_are_drawn():
    curves = run_to_the_end(WITH_RESTARTS).metrics
    parts = curves["rho"] * curves["apart"] ** 2, curves["moved"] ** 2 / curves["rho"]
    assert all((part > 0.05 * curves["residual"]).any() for part in parts)  # both can be seen
    np.testing.assert_allclose(sum(parts), curves["residual"], rtol=1e-5)


def test_rho_1_needs_by_far_the_fewest_steps_of_the_three_in_the_notes():
    soft, middle, stiff = (
        run_to_the_end(replace(OPENING, rho=rho)).metrics["k"][-1] for rho in (0.01, 1.0, 100.0)
    )
    assert 5 * middle < min(soft, stiff)


def test_admm_develops_a_painting_which_s_resembles_at_the_proof(contents):
    visit(contents, "live", "live", painting=SMILEY)
    run = contents.session_state["live"]
    assert (run.experiment.C, run.experiment.tau, run.experiment.rho) == (0.1, 10.0, 31.6)
    (question,) = components(contents, "question")
    assert question["at"] == []  # it is asked here as well
    assert run.experiment.data == Painted(encode(PAINTINGS[SMILEY]), 400)
    steps = run.frames.metrics
    assert steps["k"][-1] == 80
    asks = players(contents)[0]["axis"]["asks"]
    assert asks == np.flatnonzero(steps["restarted"])[0]
    assert (np.diff(steps["residual"][asks : asks + TO_FALL + 1]) < 0).all()
    S, truth = run.frames.images[-1]["S"].astype(float), PAINTINGS[SMILEY]
    assert np.vdot(S, truth) / np.linalg.norm(S) / np.linalg.norm(truth) > 0.8
    assert "with the signs that W" in words(contents)
    assert "200 samples of 20 × 25" not in words(contents)
    set_address(contents, {"C": "0.2"})
    for state in components(contents, "states")[-1]["states"]:
        assert {state["texts"][key] for key in ("C", "tau", "rho", "eta")} == {None}  # its own
