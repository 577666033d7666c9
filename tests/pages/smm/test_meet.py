"""The lesson on the SMM: the threshold, the four steps, the rank that rises, CVXPY."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.shared.algorithm1 import QUICK, TAUS, Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.worker import advance
from pages.smm.meet.runs import (
    DOUBLED,
    EXAMPLES,
    MAX_DECADES,
    PRECOMPUTED,
    RISING,
    TOLERANCE,
    ThresholdPath,
    train,
)
from pages.smm.meet.samples import SEEDS, Crosses
from smmcore.solvers import newton, solve_to_gap
from tests.pages.runs import load_stored
from tests.pages.visit import SMALL, choose, control_settings, turn, visit

SMALL_DATA = BlockCorrelated(n=40, p=6, q=8, noise=0.05, rank=2)


@pytest.fixture(scope="module")
def path():
    """The solutions along tau of small data."""
    return advance(ThresholdPath(SMALL_DATA, C=0.5), None, 600.0)


def test_path_begins_at_w_zero_and_ends_at_the_linear_svm_by_way_of_the_knobs_values(path):
    taus, ranks = path.metrics["tau"], path.metrics["rank"]
    assert ranks[0] == 0
    assert taus[-1] == 0
    places = [TAUS.index(tau) for tau in taus]
    assert places == [*range(places[0], places[-2] - 1, -1), 0]
    tau_max = taus[0] / path.metrics["share"][0]
    assert taus[1] < tau_max <= taus[0]
    assert ranks[-2] == 6 or taus[-2] < tau_max * 10.0**-MAX_DECADES <= taus[-3]
    assert set(ranks[:-2]) <= set(range(6)) | {0}


def test_what_stands_above_the_line_is_the_rank_of_w_and_the_terms_make_the_objective(path):
    for at, picture in zip(path.metrics, path.images, strict=True):
        assert np.count_nonzero(picture["omega"] > at["tau"]) == at["rank"] >= at["certain"]
        assert np.count_nonzero(picture["sigma"]) == at["rank"]
        assert at["gap"] <= TOLERANCE
        terms = at["square"] + at["nuclear"] + at["loss"]
        assert terms == pytest.approx(at["primal"])
        assert at["nuclear"] == pytest.approx(at["tau"] * picture["sigma"].sum(dtype=float))
        W = picture["W"] * (picture["W_scale"] / 127)  # as drawn, in 255 colours
        half_a_step = np.sqrt(W.size) * picture["W_scale"] / 254
        size = np.linalg.norm(picture["sigma"])
        assert abs(np.linalg.norm(W) - size) <= half_a_step + 1e-6 * size


@pytest.mark.parametrize("name", PRECOMPUTED)
def test_stored_paths_are_certified_and_complete(name):
    run = PRECOMPUTED[name]
    kept = load_stored(run)
    assert len(kept.images) == len(kept.metrics)  # every point can be shown
    assert kept.metrics["gap"].max() <= run.tol
    above = (kept.images["omega"] > kept.metrics["tau"][:, None]).sum(axis=1)
    np.testing.assert_array_equal(above, kept.metrics["rank"])


@pytest.mark.parametrize("run", [QUICK, RISING, DOUBLED])
def test_stored_point_is_what_training_at_its_tau_finds(run):
    kept = load_stored(ThresholdPath(run.data, run.C))
    at = kept.metrics[kept.metrics["tau"] == run.tau][0]
    proof = train(replace(run, tol=TOLERANCE)).proof
    assert (proof.rank, proof.certain_rank) == (at["rank"], at["certain"])
    assert proof.primal == pytest.approx(at["primal"], rel=2 * TOLERANCE)


def test_examples_are_what_their_names_say():
    machine = train(QUICK)
    margins = machine.margins
    decisions = {name: example.decision for name, example in machine.examples.items()}
    assert list(decisions) == list(EXAMPLES)
    largest, smallest, nearest, worst = (machine.examples[name] for name in EXAMPLES)
    assert largest.decision == machine.proof.decision.max()
    assert smallest.decision == machine.proof.decision.min()
    assert abs(nearest.label * nearest.decision - 1) == np.abs(margins - 1).min()
    assert worst.label * worst.decision == margins.min()
    for example in machine.examples.values():
        found = np.vdot(machine.proof.W, example.X) + machine.proof.b
        assert found == pytest.approx(example.decision)


# ---- the rank that rises with tau ----------------------------------------------------------


def solve_tightly(run):
    """Return the certificate of a run with a tight gap."""
    problem = run.problem(run.data.prepare().problem)
    return solve_to_gap(problem, newton(problem), 1e-12, 200)[0]


def test_rank_is_2_at_tau_10_and_3_at_tau_20():
    """W* has at least 3 singular values at tau = 20: one of W above sqrt(2 gap) is one of W*.

    At tau = 10 a third one would be below sqrt(2 gap).
    """
    two, three = (solve_tightly(run) for run in (RISING, DOUBLED))
    assert (two.rank, three.certain_rank) == (2, 3)
    assert two.radius < 1e-5 * two.singular_values[1]


def test_page_shows_the_counter_example(contents):
    visit(contents, "smm")
    for label, rank, tau in (("τ = 10: rank 2", 2, 10.0), ("τ = 20: rank 3", 3, 20.0)):
        choose(contents, label)
        assert not contents.exception
        assert control_settings(contents)["tau"] == f"{tau:g}"
        assert contents.session_state["meet: threshold"].status == "finished"  # stored
        (told,) = (text.value for text in contents.markdown if "W has rank" in text.value)
        assert f"This W has rank {rank}; the gap" in told
        assert f"at least {rank}." in told
    wanted = {"n": "30", "p": "5", "q": "6", "V": "3", "r": "2", "seed": "2", "delta": "0.2"}
    assert control_settings(contents).items() >= (wanted | {"C": "5", "tau": "20"}).items()


# ---- the page ------------------------------------------------------------------------------


def test_each_sample_can_be_chosen_and_its_sum_is_right_whatever_rho_and_eta_are(contents):
    visit(contents, "smm", **SMALL, rho="100", eta="0.5")  # as in an old link
    machine = contents.session_state["meet"].call[1]
    assert (machine.rho, machine.eta) == (QUICK.rho, QUICK.eta)
    assert machine.data.n == 40
    for name in EXAMPLES:
        turn(contents, "smm_sample", name)
        assert not contents.exception
        example = contents.session_state["meet"].result.examples[name]
        (text,) = (text.value for text in contents.markdown if "add up to" in text.value)
        digits = ".2f" if abs(example.decision) >= 1 else ".3g"
        assert f"**{example.decision:{digits}}**".replace("-", "−") in text
        right = (example.decision > 0) == (example.label > 0)
        assert text.endswith("That is right." if right else "That is wrong.")


def test_cvxpy_gives_a_second_opinion_on_the_samples_of_the_picture(contents):
    visit(contents, "smm", cut="2", price="0.5", draw="2", n="10", p="60")
    next(button for button in contents.main.button if "CVXPY" in button.label).click().run()
    assert not contents.exception
    assert not contents.error
    assert contents.session_state["meet: CVXPY"].call[1] == Algorithm1(
        Crosses(SEEDS[1]), C=0.5, tau=2.0
    )
    formula = next(latex.value for latex in contents.latex if "cvx" in latex.value)
    found = re.findall(r"= ([\d.]+)(?: \\(?:cdot|times) 10\^\{(-?\d+)\})?", formula)
    distance, bound = (float(f"{mantissa}e{exponent or 0}") for mantissa, exponent in found)
    assert distance <= bound
