"""Where the balloon touches the drum: exactly there, and what the sentences count."""

import re

import numpy as np
import pytest

from tests.js.node import evaluate

TOUCH = """(problems) => problems.map(({ axes, directions, M0 }) => {
    const loss = lossOf(axes, directions);
    const drum = touchDrum(loss, M0);
    return { drum, sphere: touchSphere(loss, M0), layers: layersOf(drum.M, drum.part), H: loss.H };
})"""
WORDS = """() => [[3, touchDrum], [4, touchSphere]].map(([step, touch]) => {
    const ends = MINIMA.map((M0) => touch(LOSS, M0));
    const words = sentenceOf({ step, ends, film: 1, isTold: true, touched: ends[0] });
    return { words, minima: MINIMA, points: ends.map(({ M }) => M) };
})"""
HALF = 2**-0.5


def random_problem(seed):
    """A balloon with half axes up to 5 : 1, and a minimum up to 3 from 0."""
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    M0 = rng.standard_normal(3)
    M0 *= 3 * np.cbrt(rng.uniform()) / np.linalg.norm(M0)
    axes = np.exp(rng.uniform(0, np.log(5), 3))
    return {"axes": axes.tolist(), "directions": directions.tolist(), "M0": M0.tolist()}


@pytest.fixture(scope="module")
def touched():
    """Problems, and what the browser finds of each."""
    problems = [random_problem(seed) for seed in range(2_000)]
    return [*zip(problems, evaluate(["rim/drum"], TOUCH, problems), strict=True)]


def matrix(point):
    """The symmetric matrix of a point, or of an expression of three numbers."""
    t, u, v = point
    return np.array([[t + u, v], [v, t - u]]) * HALF


def test_touching_point_meets_the_optimality_conditions(touched):
    parts = {"inside": 0, "flat": 0, "curved": 0, "rim": 0}
    for problem, found in touched:
        H, M0 = np.array(found["H"]), np.array(problem["M0"])
        M, part = np.array(found["drum"]["M"]), found["drum"]["part"]
        parts[part] += 1
        slope, radius = H @ (M0 - M), np.hypot(*M[1:])
        assert max(abs(M[0]), radius) <= HALF * (1 + 1e-12)
        along = np.sign(M[0]) * slope[0]
        outwards = slope[1:] @ M[1:] / radius
        aside = (slope[1] * M[2] - slope[2] * M[1]) / radius
        zero = {"inside": slope, "flat": slope[1:], "curved": [slope[0], aside], "rim": [aside]}
        above = {"inside": [], "flat": [along], "curved": [outwards], "rim": [along, outwards]}
        tiny = 1e-10 * np.linalg.norm(H @ M0)
        assert np.abs(zero[part]).max() <= tiny
        assert all(multiplier >= -tiny for multiplier in above[part])
        M, is_inside = np.array(found["sphere"]["M"]), found["sphere"]["part"] == "inside"
        slope = H @ (M0 - M)
        assert np.linalg.norm(slope - (slope @ M) * M) <= tiny
        assert is_inside or (slope @ M > 0 and abs(np.linalg.norm(M) - 1) < 1e-12)
    assert min(parts.values()) > 10


def test_rank_is_1_exactly_on_the_rims_and_the_layers_are_those_of_numpy(touched):
    for _, found in touched:
        M = matrix(found["drum"]["M"])
        heights = np.linalg.svd(M, compute_uv=False)
        assert (heights[1] < 1e-12) == (found["drum"]["part"] == "rim")
        layers = found["layers"]
        np.testing.assert_allclose([layer["height"] for layer in layers], heights, atol=1e-12)
        columns = [np.array([np.cos(layer["angle"]), np.sin(layer["angle"])]) for layer in layers]
        total = sum(
            layer["sign"] * layer["height"] * np.outer(c, c)
            for layer, c in zip(layers, columns, strict=True)
        )
        np.testing.assert_allclose(total, M, atol=1e-12)


def test_sentences_count_the_500_minima_that_are_drawn():
    drum, sphere = evaluate(["rim/drum", "rim/words"], WORDS)
    far = np.linalg.norm(drum["minima"], axis=1)
    assert far.min() >= 1
    assert far.max() <= 3
    np.testing.assert_allclose(np.mean(drum["minima"], axis=0), 0, atol=0.1)  # on all sides
    is_one = np.array(
        [np.linalg.svd(matrix(M), compute_uv=False)[1] < 1e-12 for M in drum["points"]]
    )
    flat = (np.abs(np.abs(np.array(drum["points"])[:, 0]) - HALF) < 1e-12) & ~is_one
    near = far < 2
    numbers = [int(text) for text in re.findall(r"\d+", re.sub("<.*?>", "", drum["words"]))]
    rims = int(is_one.sum())
    on_sides = [500 - rims - int(flat.sum()), int(flat.sum())]
    ones, others = int(is_one[near].sum()), int(is_one[~near].sum())
    counts = [rims, *on_sides, 1, 2, ones, near.sum(), others, (~near).sum()]
    assert numbers == [500, 1, 3, 0, *counts]
    assert rims == 325
    assert ones / near.sum() < 0.5 < 0.7 < others / (~near).sum()  # fewer near, more far
    assert "0 of 500 minima end there" in sphere["words"]
    heights = [np.linalg.svd(matrix(M), compute_uv=False) for M in sphere["points"]]
    assert np.min(heights) > 1e-9
