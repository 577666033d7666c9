"""Theorem 2, measured: what the worker finds out, and what the page says of it."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.research.theorem_2 import runs, theorem
from pages.research.theorem_2.runs import Pair
from pages.shared.algorithm1 import Algorithm1
from pages.shared.engine.worker import advance
from smmcore import theory
from tests.pages.runs import SPLIT
from tests.pages.visit import SMALL, controls, turn, visit

DATA = SPLIT.data


def test_solution_is_held_against_theorem_2():
    run = Algorithm1(Pair(DATA, 0, 5, 0.9), C=0.1, tau=0.5)
    found = runs.solve_pair(run)
    X, _, _ = run.data.load()
    np.testing.assert_array_equal(found.bound, theory.column_distance_bound(X, 0.1))
    assert found.measured[1, 2] == pytest.approx(np.sum((found.W[:, 1] - found.W[:, 2]) ** 2))
    proof = advance(run, None, 60.0).certificate
    radius = proof.radius + np.sqrt(2 * max(found.relative_gap, 0) * proof.primal)
    assert np.linalg.norm(found.W - proof.W) <= 1.01 * radius
    assert found.correlation == pytest.approx(0.9)
    assert found.factor == pytest.approx(1 - 0.5 / found.sigma)
    in_omega = theory.column_distances(found.Omega)
    assert (found.measured <= found.factor**2 * in_omega * (1 + 1e-12)).all()
    assert (found.measured <= found.bound * (1 + 1e-12)).all()
    assert found.above == 0


def test_entries_farthest_apart_are_held_against_lemma_1():
    run = Algorithm1(Pair(DATA, 0, 5, 0.9), C=0.1, tau=0.5)
    found = runs.solve_pair(run)
    Omega, X = found.Omega, run.data.load().X
    at, measured, bound = found.farthest
    assert measured == np.abs(Omega[:, 0] - Omega[:, 5]).max() == abs(Omega[at, 0] - Omega[at, 5])
    apart = np.linalg.norm(X[:, at, 0] - X[:, at, 5])
    assert bound == pytest.approx(np.sqrt(60) * 0.1 * apart)
    assert 0 < measured < bound
    shown = theorem.lemma_formula(found, run.data).replace("\n", " ")
    entries = rf"\Omega_{{{at + 1},1}} - \Omega_{{{at + 1},6}}"
    assert rf"\max_j | \Omega_{{j,1}} - \Omega_{{j,6}} | = | {entries} |" in shown
    same = runs.solve_pair(Algorithm1(Pair(DATA, 0, 5, 1.0), C=0.1, tau=0.5))
    assert same.farthest[1:] == (0, 0)


def test_tight_case_meets_its_bounds_and_tau_takes_W_below():
    data = Pair(replace(DATA, scaling="as printed"), 0, 3, None)
    tight = runs.solve_pair(Algorithm1(data, C=1e-5, tau=0.0))
    assert tight.at_C == 1
    assert tight.measured[0, 3] == pytest.approx(tight.bound[0, 3], rel=1e-12)
    assert r"\quad = \sqrt n" in theorem.lemma_formula(tight, data)
    below = runs.solve_pair(Algorithm1(data, C=1e-5, tau=0.1 * tight.sigma))
    assert below.measured[0, 3] <= 0.9**2 * (1 + 1e-12) * below.bound[0, 3]


@pytest.mark.parametrize(
    ("pair", "tau", "said", "unsaid"),
    [
        (Pair(DATA, 0, 7, 0.9), 0.1, "Two clouds", "Tight case"),
        (Pair(DATA, 0, 7, 1.0), 0.1, "is drawn in the corner", "Move the correlation"),
        (Pair(DATA, 0, 7, None), 0.1, "Press Tight case", "Move the correlation"),
        (Pair(replace(DATA, groups=1), 0, 7), 0.1, "within a group", "between groups"),
        (Pair(replace(DATA, noise=0.5), 0, 7, 0.9), 0.1, "within a group", "Two clouds"),
    ],
)
def test_words_about_the_pairs_fit_what_is_there(pair, tau, said, unsaid):
    found = runs.solve_pair(Algorithm1(pair, C=0.1, tau=tau))
    words = " ".join(theorem.describe_pairs(found, pair))
    assert said in words
    assert unsaid not in words
    assert "nan" not in words


def as_number(mantissa, exponent):
    return float(f"{mantissa}e{exponent or 0}")


def theorem_2(contents) -> tuple[float, str, float]:
    """Return the measured distance, the relation and the bound that the lesson shows."""
    formula = next(each.value for each in contents.latex if r"\| W_" in each.value).strip("$\n")
    number = r"([\d.]+)(?: \\times 10\^\{(-?\d+)\})?"
    found = re.search(rf"= {number} \\; (\S+) \\; {number}$", formula)
    return as_number(*found.group(1, 2)), found.group(3), as_number(*found.group(4, 5))


def test_page_shows_a_distance_below_a_bound_that_falls_with_the_correlation(contents):
    visit(contents, "theorem_2", **SMALL)
    before = theorem_2(contents)
    assert before[1] == r"\le"
    assert 0 < before[0] < before[2]
    turn(contents, "theorem_2_corr", 0.99)
    after = theorem_2(contents)
    assert after[2] == pytest.approx(before[2] / 10)  # 1 - r is a tenth
    assert 0 < after[0] < before[0]
    assert not contents.exception


def test_features_without_noise_are_shown_as_they_are(contents):
    for made, mixing in (("mixing", True), ("adding y", False)):
        visit(contents, "theorem_2", **SMALL | {"V": "1"}, delta="0", pair=made)
        assert controls(contents)["theorem_2_corr"]["disabled"]
        captions = " ".join(note.value for note in contents.caption)
        assert ("Nothing is replaced" in captions) == mixing
        assert ("is then replaced" in captions) == (not mixing)
        assert (theorem_2(contents)[2] == 0) == mixing
        assert not contents.error
