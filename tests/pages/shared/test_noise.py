import numpy as np
import pytest

from pages.shared.noise import (
    RULES,
    LinearModel,
    accuracies,
    choose_weight,
    fit,
    in_unit,
    near_best,
    strengths,
)


def small(n=60, p=4, q=5, seed=0):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(p, q))
    X = rng.normal(size=(n, p, q))
    y = np.where(np.tensordot(X, W) + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y, LinearModel(W, 0.3)


@pytest.mark.parametrize("deviation", [0.1, 1.0, 5.0])
def test_simulated_accuracy_is_the_exact_one_within_four_standard_errors(deviation):
    X, y, machine = small()
    right = accuracies([machine], X, y, "Gaussian", deviation, repetitions=400)
    # One sample is right with probability p_i: the mean has variance sum p_i (1 - p_i) / (n^2 400).
    exact = machine.exact_accuracy(X, y, deviation)
    shares = [machine.exact_accuracy(X[i : i + 1], y[i : i + 1], deviation) for i in range(60)]
    error = np.sqrt(sum(share * (1 - share) for share in shares) / (60**2 * 400))
    assert np.mean(shares) == pytest.approx(exact)
    assert abs(right.mean() - exact) < 4 * error


@pytest.mark.parametrize("noise", ["Gaussian", "salt and pepper"])
def test_without_noise_the_accuracy_is_that_of_the_clean_samples(noise):
    X, y, machine = small()
    clean = machine.accuracy(X, y)
    assert 0.5 < clean < 1
    assert (accuracies([machine], X, y, noise, 0.0) == clean).all()
    assert (accuracies([machine], X, y, "Gaussian", 1e-12) == clean).all()
    assert machine.exact_accuracy(X, y, 0.0) == clean
    assert machine.exact_accuracy(X, y, 1e-12) == pytest.approx(clean)


def test_all_machines_meet_the_same_noise():
    X, y, machine = small()
    right = accuracies([machine, machine], X, y, "salt and pepper", 0.3, salt=5.0, random_state=1)
    assert np.array_equal(right[:, 0], right[:, 1])
    assert len(np.unique(right[:, 0])) > 1


@pytest.mark.parametrize("method", ["rglm", "smm"])
def test_the_strongest_weights_leave_nothing_of_a_matrix_not_even_rounding(method):
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(30, 4, 5))
        y = np.where(np.arange(30) % 2, 1.0, -1.0)
        assert not fit(method, X, y, strengths(3)[0]).W.any()
        assert fit(method, X, y, strengths(3)[1]).W.any()


def test_rules_break_the_tie_as_they_say():
    scores = np.array([0.5, 0.88, 0.9, 0.85, 0.9, 0.89, 0.7])
    assert near_best(scores, 100).tolist() == [False, True, True, False, True, True, False]
    assert [choose_weight(rule, scores, 100) for rule in RULES] == [1, 5, 2, 4]


def test_accuracies_that_differ_by_rounding_are_a_tie():
    tied = np.array([0.5, np.nextafter(0.5, 1), 0.1])
    assert [choose_weight(rule, tied, 10**9) for rule in RULES[2:]] == [0, 1]
    assert near_best(tied, 10**40).tolist() == [True, True, False]


@pytest.mark.parametrize("samples", [13, 40, 120, 1000])
def test_one_wrong_answer_is_near_none_and_two_are_not(samples):
    right = samples - np.array([2, 1, 0])
    assert near_best(right / samples, samples).tolist() == [False, True, True]


def test_unit_is_that_of_the_training_part():
    X, _, _ = small()
    X[:, 0, 0] = 3.0
    train, test = in_unit("unit variance", X[:40], X[40:])
    expected = np.ones((4, 5))
    expected[0, 0] = 0.0  # a constant feature stays as it is
    np.testing.assert_allclose(train.std(axis=0), expected, atol=1e-12)
    np.testing.assert_allclose(test, X[40:] * (train[0] / X[0]))
    assert np.array_equal(in_unit("as printed", X)[0], X)
