"""Feature selection: all subsets, greedy, and along the path of l1."""

from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.further.sparse import reproduce as sugiyama
from pages.further.sparse.selection import (
    backward_elimination,
    best_subset,
    forward_selection,
    lasso_subsets,
    squared_error,
)

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
