import numpy as np
import pytest

from smmcore.datasets import (
    column_groups,
    correlated_pair,
    make_block_correlated,
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
    assert set(groups) == set(range(V))
    assert (np.diff(groups) >= 0).all()
    assert len(set(np.ceil(np.arange(1, 101) / 20))) == 5


def test_a_seed_determines_the_data():
    one, two = (make_block_correlated(30, (4, 5), random_state=7)[0] for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 1}, "n_samples must be at least 2, got 1"),
        ({"shape": (0, 5)}, r"shape must hold two positive numbers, got \(0, 5\)"),
        ({"n_groups": 6}, "n_groups must be between 1 and 5 .* got 6"),
        ({"noise": -1.0}, "noise must be at least 0 and finite, got -1.0"),
        ({"rank": 5}, "rank must be between 1 and 4, got 5"),
        ({"scaling": "none"}, "scaling must be one of .* got 'none'"),
    ],
)
def test_what_is_out_of_range_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        make_block_correlated(**{"n_samples": 20, "shape": (4, 5), **change})


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
    with pytest.raises(ValueError, match="column 2 has no part that column 1 has not"):
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
