"""The samples of the first picture of *Meet the SMM*, and the numbers that it says about them."""

import re

import numpy as np
import pytest

from pages.smm.meet.samples import (
    COUNTS,
    SEEDS,
    SIGNAL,
    START,
    draw_samples,
    pattern,
    solve,
)
from smmcore import SupportMatrixMachine
from tests.js.node import evaluate

MODULES = ["omega/samples", "omega/words"]
DRAW = """(seeds) => seeds.map(drawSamples).map(({ X, y }) => [X.map((x) => [...x]), y])"""
SOLVE = """(seed, settings, curveAt) => {
    const samples = drawSamples(seed);
    const out = new Set(settings.out);
    const view = { samples, ...settings, out, film: null, touched: new Set([0, 1]), layer: 0 };
    view.found = solve(samples, view);
    const counting = curveAt ? tryNewSamples(samples, view, curveAt) : [].values();
    for (let next; !next?.done; view.curve = next.value ?? null) next = counting.next();
    const { alpha, W, b, rank, gap, right } = view.found;
    const words = [1, 2, 3, 4, 5].map((step) => sentenceOf({ ...view, step }, false));
    const [shares, proof] = [sharesOf(view.found), proofOf(view.found)];
    const arrays = { alpha: [...alpha], W: [...W], omega: [...view.found.omega] };
    return { ...arrays, b, rank, gap, right, words, shares, proof, curve: view.curve };
}"""
DEFAULT = {"C": START.C, "tau": START.tau, "out": []}
DRAGGED = {**DEFAULT, "hasDragged": True}


def find(settings, seed=SEEDS[0], curve_at=None):
    return evaluate(MODULES, SOLVE, seed, settings, curve_at)


@pytest.fixture(scope="module")
def start():
    """What the picture shows and says where its question is asked."""
    return find(DEFAULT, curve_at=[0, START.tau])


def right_of_many(W, b, count=200_000):
    """How many of 1,000 new samples of the same mix are right, by drawing them, and its error."""
    rng = np.random.default_rng(0)
    y = rng.choice([-1.0, 1.0], count)
    contrast = rng.choice([*COUNTS], count, p=np.array([*COUNTS.values()]) / 18)
    noise = rng.standard_normal(count) * np.linalg.norm(W)
    scores = contrast * (y * SIGNAL * np.vdot(W, pattern()) + noise) + b
    share = np.mean(y * scores > 0)
    return 1000 * share, 1000 * np.sqrt(share * (1 - share) / count)


def numbers(sentence):
    """The numbers in a sentence, without those in tooltips."""
    return re.findall(r"[\d.]*\d", re.sub(r"<[^>]*>", "", sentence))


def test_browser_and_python_draw_the_same_samples():
    for seed, (X, y) in zip(SEEDS, evaluate(MODULES, DRAW, SEEDS), strict=True):
        own, labels = draw_samples(seed)
        np.testing.assert_allclose(np.reshape(X, own.shape), own, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(y, labels)


def test_noise_is_four_times_as_strong_as_the_pattern_in_its_cells(start):
    cell = SIGNAL * np.abs(pattern()).max()
    assert round(1 / cell) == 4
    assert "about 4 times" in start["words"][0]


def test_loads_are_those_of_smmcore_and_only_faint_samples_have_one(start):
    alpha = np.array(start["alpha"]).reshape(2, 18)
    proof = solve(START)
    np.testing.assert_allclose(alpha.ravel(), proof.alpha, atol=1e-4)
    assert not alpha[:, :6].any()
    assert np.count_nonzero(alpha[:, 6:]) == 23
    assert numbers(start["words"][1])[:4] == ["23", "24", "0", "12"]
    assert (
        np.min(draw_samples(SEEDS[0])[1] * proof.decision * (proof.alpha == 0) + (proof.alpha > 0))
        >= 1
    )
    assert start["proof"] == "objective 18.34 = floor 18.34 ✓"
    assert f"{proof.primal:.2f} {proof.dual:.2f}" == "18.34 18.34"


def test_shares_of_the_cross_are_those_of_the_layers_of_omega(start):
    X, y = draw_samples(SEEDS[0])
    omega = np.einsum("n,nij->ij", np.array(start["alpha"]) * y, X)
    U, sigma, Vt = np.linalg.svd(omega)
    shares = sigma * np.einsum("ik,kj,ij->k", U, Vt, pattern()) / np.vdot(omega, pattern())
    np.testing.assert_allclose(start["shares"], shares, atol=1e-9)
    two = shares[:2].sum()
    own = [f"{100 * share:.0f}" for share in (shares[0], two, 1 - two)]
    assert numbers(start["words"][2]) == ["1", own[0], "1", "2", own[1], own[2]]
    kept = [f"{height:.2f}" for height in sigma[:2] - START.tau]
    assert numbers(start["words"][3])[:3] == ["4.00", *kept]
    assert "W has rank 2" in start["words"][3]


def test_new_samples_are_counted_exactly(start):
    right = [
        1000 * share for share in (start["right"], start["curve"]["svm"], start["curve"]["mean"])
    ]
    assert numbers(start["words"][4])[:2] == ["4.00", f"{right[0]:.0f}"]
    assert [round(share) for share in right] == [970, 951, 941]
    found, error = right_of_many(np.reshape(start["W"], (12, 12)), start["b"])
    assert abs(found - right[0]) < 5 * error
    X, y = draw_samples(SEEDS[0])
    found, error = right_of_many(np.einsum("n,nij->ij", y, X), 0.0)
    assert abs(found - right[2]) < 5 * error
    assert start["curve"]["path"][1]["right"] == pytest.approx(start["right"], abs=1e-5)
    costs = (0.03, 0.06, 0.1, 0.2, 0.3, 0.6, 1, 3, 10)
    svms = [SupportMatrixMachine(C=cost, tau=0.0, tol=1e-9).fit(X, y) for cost in costs]
    best = max(right_of_many(svm.coef_, svm.intercept_)[0] for svm in svms)
    assert abs(best - right[1]) < 5 * error


def test_where_the_offset_costs_new_samples_the_sentence_says_how_many():
    """Elsewhere it names the place of the curve where it costs most."""
    found = find({**DEFAULT, "tau": 6.5}, curve_at=[6.5])
    told = find(DEFAULT, curve_at=[START.tau, 6.5])["words"][4]
    assert "at τ = 6.5, only b is off" in told
    assert f"with b = 0 the same W gets {numbers(found['words'][4])[-1]}." in told
    for place, b in ((1, found["b"]), (-1, 0.0)):
        right, error = right_of_many(np.reshape(found["W"], (12, 12)), b)
        assert abs(float(numbers(found["words"][4])[place]) - right) < 5 * error + 0.5
    assert f"offset b = −{-found['b']:.2f}" in found["words"][4]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_draws_keep_what_the_question_and_the_last_step_say(seed):
    found = find(DEFAULT, seed, curve_at=[START.tau])
    alpha = np.array(found["alpha"]).reshape(2, 18)
    assert not alpha[:, :6].any()
    assert found["rank"] == 2
    svm, mean = found["curve"]["svm"], found["curve"]["mean"]
    assert found["right"] > max(svm, mean) + 0.005
    assert "W is more like the cross than Ω is. Not always" in found["words"][4]
    assert ("The mean averages" in found["words"][4]) == (mean > svm)


def test_bold_samples_get_a_load_where_tau_is_large_and_without_a_cut_w_is_omega():
    words = find({**DEFAULT, "tau": 9.3})["words"][3]
    assert "rank 2" in words
    assert "10 of the 12 bold samples have a load" in find(DRAGGED | {"tau": 9.3})["words"][3]
    assert "W = Ω" in find({**DEFAULT, "tau": 0})["words"][3]


@pytest.mark.parametrize("tau", [3.0, 8.15])
def test_omega_depends_on_tau_as_a_drag_of_it_says(start, tau):
    found = find(DRAGGED | {"tau": tau})
    assert "The loads, and so <b>Ω</b>, depend on τ" in found["words"][3]
    for name in ("alpha", "omega"):
        change = np.subtract(found[name], start[name])
        assert np.linalg.norm(change) > 0.01 * np.linalg.norm(start[name])


def test_one_class_alone_gets_a_sentence():
    found = find({**DEFAULT, "out": [*range(18)]})
    assert not np.any(found["W"])
    assert all("W = 0" in sentence for sentence in found["words"])
