"""The page of errata: its claims, as far as no other test has them, and its links."""

from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest

from pages.navigation import TITLES
from pages.research.errata.entries import ERRATA, accuracies
from pages.shared.algorithm1 import QUICK
from smmcore import SupportMatrixMachine
from tests.pages.visit import visit


def test_page_opens_and_each_erratum_leads_to_a_page(contents):
    visit(contents, "errata")
    assert {each.page for each in chain(*ERRATA.values())} <= TITLES.keys()
    assert len(contents.header) == len(ERRATA)


def test_the_smm_is_not_the_best_on_the_data_at_hand():
    for data in ("EEG", "faces"):
        ours = accuracies(data)
        assert len(ours) == 4
        assert ours["SMM"] < max(ours.values())


def share_of_pairs_where_the_printed_theorem_2_fails(scaling, C, tau):
    """Return the share among the pairs of columns within a group."""
    data = replace(QUICK.data, scaling=scaling)
    X, y, _ = data.load()
    W = SupportMatrixMachine(C=C, tau=tau).fit(X, y).coef_
    n, p, q = X.shape
    fails = []
    groups = np.ceil(np.arange(1, q + 1) * data.groups / q)
    for l1, l2 in combinations(range(q), 2):
        if groups[l1] == groups[l2]:
            products = np.sum(X[:, :, l1] * X[:, :, l2])
            measured = np.sum((W[:, l1] - W[:, l2]) ** 2)
            fails.append(measured > 2 * n * C**2 * (p - products))
    return np.mean(fails)


@pytest.mark.parametrize(
    ("scaling", "low", "high"), [("as printed", 0.4, 0.6), ("unit variance", 1, 1)]
)
def test_printed_theorem_2_fails_for_half_of_the_pairs_or_all(scaling, low, high):
    share = share_of_pairs_where_the_printed_theorem_2_fails(scaling, C=0.05, tau=0.2)
    assert low <= share <= high
