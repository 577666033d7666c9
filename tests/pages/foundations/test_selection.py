"""Feature selection: all subsets, greedy, and along the path of l1."""

from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.foundations.sparse import reproduce as sugiyama
from pages.foundations.sparse.selection import (
    backward_elimination,
    best_subset,
    forward_selection,
    lasso_subsets,
    squared_error,
)
from smmcore.datasets import make_hidden_pair

PATHS = forward_selection, backward_elimination, lasso_subsets


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


@given(st.integers(0, 2**32 - 1))
def test_on_orthogonal_features_all_methods_take_those_with_the_largest_products(seed):
    rng = np.random.default_rng(seed)
    X, y = np.linalg.qr(rng.standard_normal((12, 6)))[0], rng.standard_normal(12)
    order = np.argsort(-np.abs(X.T @ y))
    for size in range(1, 7):
        expected = tuple(sorted(order[:size].tolist()))
        found = [path(X, y)[size] for path in PATHS]
        assert {expected, best_subset(X, y, size), *found} == {expected}


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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 1}, "n must be at least 2, as each feature is scaled, got 1"),
        ({"d": 2}, "d must be at least 3, got 2"),
        ({"correlation": 1.0}, "correlation must be .* below 1, got 1.0"),
    ],
)
def test_a_hidden_pair_that_cannot_be_is_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_hidden_pair(**arguments)
