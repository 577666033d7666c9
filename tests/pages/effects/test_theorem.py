"""The grouping lesson speaks of what its picture shows, and of nothing else."""

from dataclasses import replace

import pytest

from pages.effects.grouping import runs as grouping
from pages.effects.grouping import theorem
from pages.effects.grouping.runs import Pair
from pages.shared.algorithm1 import SMMRun
from pages.shared.data.synthetic import BlockCorrelated

SMALL = BlockCorrelated(n=60, p=6, q=8, groups=3, noise=0.05, rank=2)
TWO = replace(SMALL, p=2, q=2, groups=2, rank=1)


@pytest.mark.parametrize(
    ("pair", "tau", "said", "unsaid"),
    [
        (Pair(SMALL, 0, 7, 0.9), 0.1, "Two clouds", "no place"),
        (Pair(SMALL, 0, 7, 0.9), 0.1, "Column 8 leaves its old group", "Tight case"),
        (Pair(SMALL, 0, 1, 0.9), 0.1, "The bound falls", "leaves its old group"),
        (Pair(SMALL, 0, 7, 1.0), 0.1, "1 with a distance of 0, up to rounding, has", "Move r"),
        (Pair(SMALL, 0, 7, None), 0.1, "Press Tight case", "Move r"),
        (Pair(SMALL, 0, 5, 0.9, rows=True), 0.1, "All rows form one group", "between groups"),
        (Pair(replace(SMALL, groups=1), 0, 7), 0.1, "All columns form one group", "within a group"),
        (Pair(replace(SMALL, groups=8), 0, 7), 0.1, "V = q", "between groups"),
        (Pair(replace(SMALL, noise=0.0), 0, 7, 0.9), 0.1, "equal columns of W", "Two clouds"),
        (Pair(replace(SMALL, noise=0.0), 0, 1, 1.0), 0.1, "equal columns of W", "was changed"),
        (Pair(replace(SMALL, noise=0.5), 0, 7, 0.9), 0.1, "more noise than signal", "Two clouds"),
        (Pair(SMALL, 0, 7, 0.9), 0.1, "a correlation of about 0.87", "more noise"),
        (Pair(TWO, 0, 1, 0.5), 0.01, "The only pair obeys", "median"),
        (Pair(TWO, 0, 1, 0.5), 0.01, "no other columns", "cloud"),
    ],
)
def test_words_about_the_pairs_fit_what_is_there(pair, tau, said, unsaid):
    found = grouping.solve_pair(SMMRun(pair, C=0.1, tau=tau))
    words = " ".join(theorem.describe_pairs(found, pair))
    assert said in words
    assert unsaid not in words
    assert "nan" not in words


@pytest.mark.parametrize(
    ("pair", "entries"),
    [
        (
            Pair(SMALL, 0, 3, 0.9),
            r"\Omega_{j,1} - \Omega_{j,4} | = | \Omega_{2,1} - \Omega_{2,4} |",
        ),
        (
            Pair(SMALL, 0, 3, 0.9, rows=True),
            r"\Omega_{1,l} - \Omega_{4,l} | = | \Omega_{1,2} - \Omega_{4,2} |",
        ),
    ],
)
def test_lemma_1_is_shown_for_the_entries_that_are_farthest_apart(pair, entries):
    found = grouping.solve_pair(SMMRun(pair, C=0.1, tau=0.1))
    shown = theorem.lemma_formula(found._replace(farthest=grouping.Farthest(1, 0.5, 2.0)), pair)
    assert entries in shown.replace("\n", " ")
    assert r"= 0.5 \\ & \quad \le" in shown.replace("\n", " ")
    assert shown.count("= 2\n") == 1


@pytest.mark.parametrize("rows", [False, True])
def test_tight_case_meets_lemma_1(rows):
    pair = Pair(replace(SMALL, scaling="as printed"), 0, 3, None, rows)
    assert r"\quad = \sqrt n" in theorem.lemma_formula(
        grouping.solve_pair(SMMRun(pair, C=1e-5, tau=0)), pair
    )


def test_nothing_is_said_about_pairs_where_W_is_0():
    pair = Pair(SMALL, 0, 7, 0.9)
    assert theorem.describe_pairs(grouping.solve_pair(SMMRun(pair, C=0.1, tau=1e4)), pair) == []
