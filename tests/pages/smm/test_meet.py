"""The lesson on the SMM: the four steps, the rank that rises, CVXPY."""

import re

import numpy as np
import pytest

from pages.shared.algorithm1 import QUICK, Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.smm.meet.runs import EXAMPLES, train
from pages.smm.meet.samples import SEEDS, Crosses, draw_samples
from smmcore.solvers import newton, solve_to_gap
from tests.pages.visit import turn, visit


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


def test_rank_can_rise_with_tau_as_the_exercise_says():
    """W* has at least 3 singular values at tau = 20: one of W above sqrt(2 gap) is one of W*.

    At tau = 10 a third one would be below sqrt(2 gap).
    """
    data = BlockCorrelated(n=30, p=5, q=6, groups=3, noise=0.2, rank=2, seed=2)
    base = data.prepare().problem.with_weights(C=5.0)
    problems = [base.with_weights(tau=tau) for tau in (10.0, 20.0)]
    two, three = (solve_to_gap(each, newton(each), 1e-12, 200)[0] for each in problems)
    assert (two.rank, three.certain_rank) == (2, 3)
    assert two.radius < 1e-5 * two.singular_values[1]


def test_the_program_makes_the_samples_of_the_picture():
    made = {"np": np}
    exec(Crosses().script(), made)
    for found, drawn in zip((made["X"], made["y"]), draw_samples(SEEDS[0]), strict=True):
        np.testing.assert_allclose(found, drawn, atol=1e-15)


# ---- the page ------------------------------------------------------------------------------


def test_each_sample_can_be_chosen_and_its_sum_is_right(contents):
    visit(contents, "smm", cut="2", price="0.5", draw="2")
    asked = contents.session_state["meet"].call[1]
    assert (asked.data, asked.C, asked.tau) == (Crosses(SEEDS[1]), 0.5, 2.0)
    for name in EXAMPLES:
        turn(contents, "smm_sample", name)
        assert not contents.exception
        example = contents.session_state["meet"].result.examples[name]
        (text,) = (text.value for text in contents.markdown if "add up to" in text.value)
        digits = ".2f" if abs(example.decision) >= 1 else ".3g"
        assert f"**{example.decision:{digits}}**".replace("-", "−") in text
        right = (example.decision > 0) == (example.label > 0)
        assert text.endswith("That is right." if right else "That is wrong.")
        loss = max(0.0, 1 - example.label * example.decision)
        assert any(f"step 1 it is **{loss:.3g}**" in text.value for text in contents.markdown)


def test_cvxpy_gives_a_second_opinion_on_the_samples_of_the_picture(contents):
    visit(contents, "smm", cut="2", price="0.5", draw="2")
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


def test_w_zero_has_its_numbers_too(contents):
    visit(contents, "smm", cut="10", price="0.1")
    assert not contents.error
    assert any("This W has rank 0" in text.value for text in contents.markdown)
