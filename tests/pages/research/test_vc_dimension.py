"""The note on the VC dimension."""

import pytest

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
