"""Feature selection: all subsets, greedy, along the path of l1, and by hard thresholding."""

from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.foundations.sparse import reproduce as sugiyama
from pages.foundations.sparse import selection as subsets
from pages.foundations.sparse.selection import (
    backward_elimination,
    best_subset,
    fixed_points,
    forward_selection,
    hard_thresholding,
    lasso_subsets,
    squared_error,
)
from smmcore.datasets import make_hidden_pair

seeds = st.integers(0, 2**32 - 1)
PATHS = forward_selection, backward_elimination, lasso_subsets


def regression(seed, n=12, d=6):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) @ rng.standard_normal((d, d)), rng.standard_normal(n)


@pytest.mark.parametrize("design", sugiyama.DESIGNS)
def test_best_subsets_are_the_best_of_all_and_the_greedy_ones_are_nested(design):
    X, y = sugiyama.make_design(design, 40, 0)
    best = [best_subset(X, y, size) for size in range(11)]
    every = chain.from_iterable(combinations(range(10), k) for k in range(11))
    for subset in every:
        residual = y - X[:, subset] @ np.linalg.lstsq(X[:, subset], y, rcond=None)[0]
        least = squared_error(X, y, best[len(subset)])
        assert least <= residual @ residual * (1 + 1e-9)
    for greedy in (forward_selection(X, y), backward_elimination(X, y)):
        assert [len(subset) for subset in greedy] == [*range(11)]
        assert all({*a} < {*b} for a, b in pairwise(greedy))
    assert [len(subset) for subset in lasso_subsets(X, y)] == [*range(11)]


def test_forward_selection_and_l1_take_the_copy_of_y_before_the_hidden_pair():
    X, y = sugiyama.make_design("hidden pair", 40, 0)
    assert forward_selection(X, y)[1] == lasso_subsets(X, y)[1] == (3,)


@given(seeds)
def test_on_orthogonal_features_all_methods_take_those_with_the_largest_products(seed):
    X, y = regression(seed)
    X = np.linalg.qr(X)[0]
    order = np.argsort(-np.abs(X.T @ y))
    for size in range(1, 7):
        expected = tuple(sorted(order[:size].tolist()))
        found = [path(X, y)[size] for path in PATHS]
        assert {expected, best_subset(X, y, size), *found} == {expected}
        assert hard_thresholding(X, y, size).subset == expected


@given(seeds, st.integers(1, 6))
def test_hard_thresholding_stays_at_its_result(seed, size):
    X, y = regression(seed)
    point = hard_thresholding(X, y, size)
    assert point.holds
    step = point.theta + X.T @ (y - X @ point.theta) / np.linalg.norm(X, 2) ** 2
    kept = np.sort(np.argsort(-np.abs(step))[:size])
    assert tuple(kept.tolist()) == point.subset
    np.testing.assert_allclose(step[kept], point.theta[kept], rtol=1e-6, atol=1e-9)
    residual = y - X @ point.theta
    assert residual @ residual == pytest.approx(squared_error(X, y, point.subset))


@given(seeds, st.integers(1, 6))
def test_the_best_subset_is_a_fixed_point(seed, size):
    # Beck and Eldar, 2013: an optimum is L-stationary.
    X, y = regression(seed)
    known = [point.subset for point in fixed_points(X, y, size)]
    assert best_subset(X, y, size) in known
    assert hard_thresholding(X, y, size).subset in known


def test_a_fixed_point_need_not_be_the_best_subset():
    X, y, coef = make_hidden_pair(correlation=0.95, random_state=0)
    point = hard_thresholding(X, y, 3)
    assert point.holds
    assert best_subset(X, y, 3) == tuple(np.flatnonzero(coef)) == (0, 1, 2) != point.subset
    assert squared_error(X, y, point.subset) > 2 * squared_error(X, y, (0, 1, 2))


def test_too_few_iterations_are_told_from_a_fixed_point(monkeypatch):
    X, y, _ = make_hidden_pair(correlation=0.8, random_state=1)
    assert hard_thresholding(X, y, 3).holds
    monkeypatch.setattr(subsets, "MAX_ITER", 1)
    assert not hard_thresholding(X, y, 3).holds


def test_the_hidden_pair_has_the_correlation_and_the_coefficients_it_says():
    X, y, coef = make_hidden_pair(20_000, correlation=0.8, noise=0.1, random_state=0)
    assert X[:, 0] @ X[:, 1] / len(X) == pytest.approx(0.8, abs=0.01)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)
    assert y.mean() == pytest.approx(0, abs=1e-12)
    assert (y - X @ coef).std() == pytest.approx(0.1, rel=0.02)
    for c in (0.0, 0.99):  # the difference has the variance 2, the third feature 1
        assert make_hidden_pair(20_000, correlation=c, random_state=1).y.var() == pytest.approx(
            3.25, rel=0.03
        )


X, Y = regression(0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: best_subset(X[0], Y, 1), r"X must have shape \(n, d\) without zeros, got \(6,\)"),
        (lambda: best_subset(X, Y[:3], 1), r"y must have shape \(12,\), one value .*, got \(3,\)"),
        (lambda: forward_selection(X, Y * np.nan), "X and y must be finite and below 1e100"),
        (lambda: backward_elimination(X * 1e200, Y), "X and y must be finite and below 1e100"),
        (lambda: lasso_subsets(X[:4], Y[:4]), "the 6 features must be .*, but X has rank 4"),
        (lambda: best_subset(X, Y, 7), "size must be at least 0 and at most d = 6, got 7"),
        (lambda: hard_thresholding(X, Y, 0), "size must be at least 1 and at most d = 6, got 0"),
        (lambda: fixed_points(X, Y, 0), "size must be at least 1 and at most d = 6, got 0"),
        (lambda: best_subset(np.eye(60), np.ones(60), 5), "5,461,512 subsets .* at most 200,000"),
        (lambda: make_hidden_pair(1), "n must be at least 2, as each feature is scaled, got 1"),
        (lambda: make_hidden_pair(d=2), "d must be at least 3, got 2"),
        (lambda: make_hidden_pair(correlation=1.0), "correlation must be .* below 1, got 1.0"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
