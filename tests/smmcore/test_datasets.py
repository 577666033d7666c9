"""The generators: what they say of their data, and which parameters they refuse."""

from math import ceil

import numpy as np
import pytest

from smmcore.datasets import (
    column_groups,
    correlated_pair,
    make_block_correlated,
    make_low_rank,
    make_low_rank_relevant,
    make_sinc,
    make_steps,
    tight_pair,
)


@pytest.mark.parametrize("scaling", ["as printed", "unit length", "unit variance"])
def test_labels_follow_the_sign_of_a_low_rank_truth(scaling):
    X, y, W = make_block_correlated(60, (8, 10), 4, 0.01, 3, scaling, 0, coef=True)
    assert X.shape == (60, 8, 10)
    assert np.linalg.matrix_rank(W) == 3
    np.testing.assert_array_equal(y, np.sign(np.tensordot(X, W)))
    assert set(y) == {-1, 1}


def test_features_are_scaled_as_the_name_says():
    printed = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "as printed", 1)[0]
    length = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "unit length", 1)[0]
    variance = make_block_correlated(200, (4, 8), 4, 1e-3, 2, "unit variance", 1)[0]
    np.testing.assert_allclose(np.linalg.norm(length, axis=0), 1)
    np.testing.assert_allclose(variance.std(axis=0), 1)
    np.testing.assert_allclose(length * np.linalg.norm(printed, axis=0), printed)


def test_columns_of_a_group_correlate_and_columns_of_two_groups_do_not():
    X = make_block_correlated(500, (3, 12), 4, 1e-3, 2, "unit length", 2)[0]
    groups = column_groups(12, 4)
    inner = X[:, 0].T @ X[:, 0]
    same = groups[:, None] == groups
    # nu'nu is exactly 0 or 1; noise of deviation delta adds delta each, and n delta^2 to the norm.
    assert inner[same].min() > 1 - 500 * 1e-6 - 6e-3
    assert np.abs(inner[~same]).max() < 6e-3


@pytest.mark.parametrize(("q", "V"), [(100, 4), (100, 10), (25, 4), (7, 3), (5, 5)])
def test_there_are_as_many_groups_as_asked_for(q, V):
    # The printed ceil(l / (0.2 q)) makes five groups, whatever V is.
    groups = column_groups(q, V)
    assert groups.tolist() == [ceil(column * V / q) - 1 for column in range(1, q + 1)]
    assert set(groups) == set(range(V))
    assert len(set(np.ceil(np.arange(1, 101) / 20))) == 5


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.999, 1.0])
def test_a_correlated_pair_has_the_correlation_in_each_row_and_all_else_as_it_was(correlation):
    X = 3 + np.random.default_rng(0).standard_normal((30, 4, 5))
    mixed = correlated_pair(X, 1, 3, correlation)
    for k in range(4):
        R = np.corrcoef(mixed[:, k, 1], mixed[:, k, 3])
        assert R[0, 1] == pytest.approx(correlation, abs=1e-12)
    np.testing.assert_array_equal(np.delete(mixed, 3, axis=2), np.delete(X, 3, axis=2))
    distance = np.sum((mixed[:, :, 1] - mixed[:, :, 3]) ** 2, axis=0)
    expected = 2 * (1 - correlation) * 30 * X[:, :, 1].var(axis=0)
    np.testing.assert_allclose(distance, expected, rtol=1e-9)


def test_a_pair_that_cannot_be_mixed_is_refused_with_a_sentence():
    X = np.random.default_rng(0).standard_normal((30, 4, 5))
    with pytest.raises(ValueError, match="must be at least 0 and at most 1, got nan"):
        correlated_pair(X, 0, 1, float("nan"))
    X[:, :, 1] = 2 * X[:, :, 0]
    with pytest.raises(ValueError, match="column 2 is a multiple of column 1"):
        correlated_pair(X, 0, 1, 0.5)


def test_a_tight_pair_differs_by_the_labels_of_equal_classes():
    X = np.random.default_rng(0).standard_normal((30, 4, 5))
    y = np.where(np.arange(30) % 3, 1.0, -1.0)
    tight, labels = tight_pair(X, y, 0, 2)
    assert np.count_nonzero(labels > 0) == np.count_nonzero(labels < 0) == 10
    apart = (tight[:, :, 2] - tight[:, :, 0]) * labels[:, None]
    np.testing.assert_allclose(apart, np.broadcast_to(apart[0], (20, 4)))
    assert (apart > 0).all()
    assert X[0, 0, 2] == np.random.default_rng(0).standard_normal((30, 4, 5))[0, 0, 2]


@pytest.mark.parametrize(("share", "count"), [(0.05, 2), (0.5, 20), (1e-9, 1), (0.999, 39)])
def test_share_of_positives_is_kept_and_they_have_the_highest_scores(share, count):
    X, y, W = make_block_correlated(40, (6, 8), positives=share, random_state=0, coef=True)
    scores = np.tensordot(X, W)
    assert np.count_nonzero(y > 0) == count
    assert scores[y > 0].min() > scores[y < 0].max()
    plain = make_block_correlated(40, (6, 8), random_state=0)
    np.testing.assert_array_equal(X, plain[0])


@pytest.mark.parametrize(
    ("protocol", "best"),
    # Means 28^(1/2) deviations apart, priors .7 and .3: 99.63%; 56^(1/2) apart: 99.99%.
    [("as printed", 0.9963), ("one triple", 0.9999), ("Weston", 0.996)],
)
def test_the_relevant_direction_tells_the_classes_apart_as_well_as_can_be(protocol, best):
    X, y, W = make_low_rank_relevant(20_000, random_state=0, coef=True, protocol=protocol)
    turns = np.cumsum(-y[np.argsort(np.tensordot(X, W))])  # what a threshold there gets right
    assert (turns.max() + np.count_nonzero(y > 0)) / 20_000 == pytest.approx(best, abs=2e-3)
    assert np.count_nonzero(W) == (3 if protocol == "one triple" else 6)
    assert np.mean(y > 0) == pytest.approx(0.5 if protocol == "Weston" else 0.7, abs=0.02)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)


def test_without_a_permutation_the_relevant_features_stand_in_one_row_and_W_has_rank_one():
    _, _, W = make_low_rank_relevant(50, random_state=0, coef=True, permute=False)
    assert np.count_nonzero(W[0]) == np.count_nonzero(W) == 6
    ranks = [
        np.linalg.matrix_rank(make_low_rank_relevant(50, None, 0.0, seed, coef=True)[2])
        for seed in range(20)
    ]
    assert np.mean(ranks) > 3


@pytest.mark.parametrize("size", [10, 50])
def test_orthogonal_A_and_B_keep_all_inner_products_and_noise_does_not(size):
    plain, y, w = make_low_rank_relevant(40, None, 0.0, 3, coef=True)
    X, labels, W = make_low_rank_relevant(40, size, 0.0, 3, coef=True)
    assert X.shape == (40, size, size)
    np.testing.assert_array_equal(labels, y)
    np.testing.assert_allclose(
        np.tensordot(X, X, ((1, 2), (1, 2))), np.tensordot(plain, plain, ((1, 2), (1, 2)))
    )
    np.testing.assert_allclose(np.tensordot(X, W), np.tensordot(plain, w))
    noisy, _ = make_low_rank_relevant(40, size, 0.5, 3)
    assert (noisy - X).std() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (make_block_correlated, {"n_samples": 1}, "n_samples must be at least 2, got 1"),
        (make_block_correlated, {"shape": (0, 5)}, r"shape must hold two .*, got \(0, 5\)"),
        (make_block_correlated, {"n_groups": 26}, "n_groups must be between 1 and 25 .* got 26"),
        (make_block_correlated, {"noise": -1.0}, "noise must be at least 0 and finite, got -1"),
        (make_block_correlated, {"scaling": "none"}, "scaling must be one of .* got 'none'"),
        (column_groups, {"q": 3, "n_groups": 5}, "n_groups must be between 1 and q = 3, got 5"),
        (make_low_rank_relevant, {"size": 9}, "size must be at least 10, got 9"),
        (make_low_rank_relevant, {"protocol": "mine"}, "protocol must be one of .*, got 'mine'"),
        (make_steps, {"n": 10, "n_steps": 6}, "n_steps must be between 1 and n / 2 = 5, got 6"),
    ],
)
def test_a_parameter_out_of_range_is_named(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


def test_the_books_recipe_has_no_hole_in_the_middle():
    x, y, truth = make_sinc(51, 0.0)
    assert x[25] == 0
    assert y[25] == truth[25] == 1


def test_steps_are_steps_and_low_rank_is_low():
    _, _, truth = make_steps(60, 5, 0.3, 3)
    assert np.count_nonzero(np.diff(truth)) == 4
    assert np.abs(np.diff(truth))[np.diff(truth) != 0].min() >= 1
    coef = make_low_rank(10, (6, 5), 2, random_state=0).coef
    assert np.linalg.matrix_rank(coef) == 2
    assert np.linalg.norm(coef) == pytest.approx(1)
