"""The samples of "The grouping effect" and their SMMs, as the browser computes them."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pages.effects.grouping.rail import (
    GROUPS,
    NOISES,
    OWN_NOISES,
    PAIR,
    PRICES,
    SEEDS,
    SHAPE,
    TAU,
    TAUS,
    C,
    draw_parts,
    to_browser,
)
from smmcore.datasets import column_groups, make_block_correlated
from smmcore.problems import SMMProblem
from smmcore.solvers import newton, solve_to_gap
from smmcore.theory import column_distance_bound, column_distances, grouping_score
from tests.js.node import evaluate

COLUMNS = tuple(column - 1 for column in PAIR)
GROUP = column_groups(SHAPE[1], GROUPS)
# Each setting is solved from the loads of the one before, as under a hand that jumps.
SOLVE = """(data, settings, pair) => {
    const samples = openSamples(data);
    let start = null;
    return settings.map(([delta, C, tau]) => {
        const set = samplesAt(samples, delta);
        const found = solve(samples, set, { C, tau }, start);
        start = found.alpha;
        const { alpha, b, gap, primal, dual, rank } = found;
        const W = Array.from({ length: COLUMNS }, (_, l) => [...columnOf(found.W, l)]);
        return { W, alpha: [...alpha], b, gap, primal, dual, rank, G: purityOf(found.W),
            distance: distanceOf(found.W, pair), correlation: correlationOf(set, pair),
            right: rightOf(samples, found, delta) };
    });
}"""


def solve_all(seed, settings):
    found = evaluate(["grouping/samples"], SOLVE, to_browser(seed), settings, list(COLUMNS))
    for each in found:
        each["W"] = np.transpose(each["W"])
    return found


def corners():
    """The corners of the knobs, in an order that jumps."""
    ends = [(axis[0], axis[-1]) for axis in (NOISES, PRICES, TAUS)]
    order = 0, 7, 1, 6, 2, 5, 3, 4
    return [[ends[k][i >> k & 1] for k in range(3)] for i in order]


def reference(parts, noise, price, tau):
    problem = SMMProblem(parts.samples(noise), parts.y, C=price, tau=tau)
    return solve_to_gap(problem, newton(problem), 1e-11, 500)[0]


def test_samples_are_those_of_the_generator_and_the_labels_stay():
    parts = draw_parts(SEEDS[0])
    n = len(parts.y)
    made, *_ = make_block_correlated(n, SHAPE, GROUPS, 0.3 / np.sqrt(n), random_state=SEEDS[0])
    assert np.abs(parts.samples(0.3) - np.sqrt(n) * made).max() < 1e-4  # of the integers
    np.testing.assert_array_equal(np.sign(parts.numbers @ parts.sums), parts.y)


@pytest.mark.parametrize("seed", SEEDS)
def test_solutions_at_the_corners_are_those_of_smmcore(seed):
    parts, settings = draw_parts(seed), corners()
    for (noise, price, tau), found in zip(settings, solve_all(seed, settings), strict=True):
        assert 0 <= found["gap"] < 1e-9
        proof = reference(parts, noise, price, tau)
        gap = max(found["gap"] * found["primal"], 1e-16) ** 0.5 * 2**0.5
        assert np.linalg.norm(found["W"] - proof.W) <= gap + 1.01 * proof.radius + 1e-9
        if found["G"] is not None and noise:
            assert found["G"] == pytest.approx(grouping_score(found["W"], GROUP), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_that_become_equal_get_equal_columns_of_w(seed):
    found = solve_all(seed, [[noise, C, tau] for tau in (0.0, TAU) for noise in (1.0, 0.1, 0.0)])
    for far, near, end in (found[:3], found[3:]):
        assert far["distance"] > 3 * near["distance"] > 0
        assert end["distance"] < 1e-9
        assert end["correlation"] == pytest.approx(1)
        lengths = np.linalg.norm(end["W"], axis=0)
        assert lengths[list(COLUMNS)].min() > 0.5 * lengths.mean()  # neither becomes 0


def test_no_pair_is_beyond_the_bound_of_theorem_2():
    rng = np.random.default_rng(0)
    settings = [[float(rng.choice(axis)) for axis in (NOISES, PRICES, TAUS)] for _ in range(12)]
    parts = draw_parts(SEEDS[0])
    for (noise, price, _), found in zip(settings, solve_all(SEEDS[0], settings), strict=True):
        bound = column_distance_bound(parts.samples(noise), price)
        assert (column_distances(found["W"]) <= bound * (1 + 1e-9) + 1e-18).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_g_falls_as_c_grows_and_the_accuracy_does_not(seed):
    prices = [0.003, 0.01, 0.03, 0.1, 1.0]
    settings = [[OWN_NOISES[4], price, tau] for tau in (0.0, TAU) for price in prices]
    found = solve_all(seed, settings)
    for some in (found[:5], found[5:]):
        G = [each["G"] for each in some]
        assert (np.diff(G[:4]) < 0).all()
        assert G[1] - G[-1] > 0.25
    assert round(1000 * found[9]["right"]) >= round(1000 * found[6]["right"])


def test_share_of_new_samples_is_that_of_many_that_are_drawn():
    parts, noise = draw_parts(SEEDS[1]), 0.3
    (found,) = solve_all(SEEDS[1], [[noise, C, TAU]])
    rng = np.random.default_rng(0)
    numbers = rng.standard_normal((200_000, GROUPS))
    sums = [found["W"][:, group == GROUP].sum() for group in range(GROUPS)]
    noises = noise * np.linalg.norm(found["W"]) * rng.standard_normal(len(numbers))
    right = np.sign(numbers @ sums + noises + found["b"]) == np.sign(numbers @ parts.sums)
    assert found["right"] == pytest.approx(right.mean(), abs=4 * right.std() / len(right) ** 0.5)


def say(**view):
    usual = {"news": "", "isTold": True, "isCovered": False, "at": {"order": 1}, "pair": COLUMNS}
    return evaluate(["grouping/words"], "sentenceOf", usual | view)


def test_words_about_a_cloud_follow_its_correlation():
    def told(delta, correlation, **rest):
        return say(step=2, delta=delta, correlation=correlation, **rest)

    assert "near the diagonal: correlation 0.92" in told(0.3, 0.92)
    assert "wide, and leans a little: correlation 0.50" in told(1.0, 0.5)
    assert "nearly round: correlation 0.20" in told(2.0, 0.2)
    assert "all dots are on the diagonal" in told(0.0, 1.0)
    assert "different marks" in told(0.0, 0.1, pair=(3, 12))


def test_words_of_step_4_are_true_where_they_are_said():
    settings = [[0.3, 0.001, TAU], [0.3, 1.0, TAU], [0.01, 1.0, TAU], [2.0, 0.001, TAU]]
    texts = []
    for (delta, price, tau), found in zip(settings, solve_all(SEEDS[0], settings), strict=True):
        full = sum(load > price * (1 - 1e-6) for load in found["alpha"])
        texts.append(
            say(
                step=4,
                delta=delta,
                C=price,
                tau=tau,
                G=found["G"],
                found={"alpha": found["alpha"]},
            )
        )
        assert f"{full or 'None'} of 60 samples" in texts[-1]
        assert ("are pure" in texts[-1]) == (found["G"] > 0.7)
    assert "noise averages out" in texts[0]
    assert "in W the groups fade" in texts[1]
    assert "Yet the noise is small" in texts[2]


def test_reply_says_what_has_fallen():
    told = partial(say, step=4, before={"G": 0.9, "right": 0.927}, G=0.4)
    right = told(guess="G", right=0.928)
    assert right.startswith("✓ Yes. G falls from 0.90 to 0.40; right were 927, now 928.")
    assert told(guess="both", right=0.928).startswith("✗ No.")
    assert told(guess="both", right=0.8).startswith("✓ Yes.")
    assert told(guess="shown", right=0.928).startswith("G falls")


def test_numbers_of_the_exercise():
    near, far = solve_all(SEEDS[0], [[0.022, 1.0, TAU], [0.031, 1.0, TAU]])
    text = (Path(__file__).parents[2] / "pages/effects/grouping/page.py").read_text("utf-8")
    assert f"at δ = 0.022 G is {near['G']:.2f}, at 0.031 {far['G']:.2f}" in text
    assert {0.022, 0.031} <= {*NOISES}
