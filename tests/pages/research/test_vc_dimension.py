"""The note on the VC dimension."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.research.vc_dimension.bounds import vc_dimension_bound
from tests.pages.visit import figures, visit, words

PAGE = "vc_dimension"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"at_rank": "4"}, "the bound is that of all W, 2,501; the rank gives no improvement here"),
        (
            {"at_rank": "1"},
            "lowers the bound from 2,501 to 739. The paper: r(p+q) log₂ r(p+q) = 664.",
        ),
        ({"at_rank": "1"}, "r(p+q) = 100 is less."),
        ({"at_rank": "9", "rows": "1", "columns": "3"}, "Rank 1: the bound is that of all W, 4;"),
    ],
)
def test_theorem_says_what_the_rank_gains(contents, query, sentence):
    visit(contents, PAGE, **query)
    assert sentence in words(contents)


def test_bound_is_drawn_up_to_full_rank_and_marked_where_its_proof_fails(contents):
    visit(contents, PAGE)
    (figure,) = figures(contents)
    names = [trace.get("name", "") for trace in figure["data"]]
    printed = figure["data"][names.index("the paper (○: its proof fails)")]
    assert printed["marker"]["size"] == [9] + 49 * [0]  # k (n + m) = 100, 200, ...


@given(st.integers(1, 12), st.integers(1, 60), st.integers(1, 60))
def test_the_vc_bound_is_the_first_d_with_fewer_sign_patterns_than_labels(rank, n, m):
    bound = vc_dimension_bound(rank, (n, m))
    Q = min(rank, n, m) * (n + m) + 1

    def enough(d):
        return Q * np.log2(8 * np.e * d / Q) <= d

    d = np.arange(Q, 10 * Q)
    assert bound.warren == d[enough(d)][0]
    assert bound.bound == min(bound.warren, n * m + 1) <= bound.hyperplanes


def test_the_printed_vc_bound_is_proved_from_166_on_and_not_from_100():
    for size in range(2, 400):
        bound = vc_dimension_bound(1, (1, size - 1))
        assert bound.printed == pytest.approx(size * np.log2(size))
        assert bound.printed_holds == (size >= 166)
