"""The page of errata: its claims, as far as no other test has them, and its links."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from pages.navigation import TITLES
from pages.research.errata.entries import ERRATA, accuracies
from pages.shared.algorithm1 import QUICK
from smmcore import SupportMatrixMachine
from smmcore.theory import column_distances
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


@pytest.mark.parametrize(
    ("scaling", "low", "high"), [("as printed", 0.4, 0.6), ("unit variance", 1, 1)]
)
def test_printed_theorem_2_fails_for_half_of_the_pairs_or_all(scaling, low, high):
    data, C = replace(QUICK.data, scaling=scaling), 0.05
    X, y, _ = data.load()
    W = SupportMatrixMachine(C=C, tau=0.2).fit(X, y).coef_
    n, p, _ = X.shape
    products = np.einsum("nil,nim->lm", X, X)
    fails = column_distances(W) > 2 * n * C**2 * (p - products)
    groups = data.group_of_column
    pairs = np.triu(groups[:, None] == groups, 1)  # each within a group once
    assert low <= fails[pairs].mean() <= high
