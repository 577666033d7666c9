"""Table 2 of Xia and Fan: its cross-validation, its faces and its page."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from pages.research.table_2.cross_validation import (
    GRID,
    PRINTED,
    GridPoint,
    best_weights,
    cross_validate,
    resize,
)
from smmcore import LeastSquaresSMM, SupportMatrixMachine
from tests.pages.visit import visit
from tests.smmcore.conftest import random_problem

PAGE = "table_2"
ROOT = Path(__file__).parents[3]


def test_the_printed_table_says_what_the_paper_says_of_it():
    ratios = {row.ratio for row in PRINTED.values()}
    assert min(ratios) == pytest.approx(1.6, abs=0.05)
    assert max(ratios) == pytest.approx(7.5, abs=0.05)
    # 1.1, 0.1 and 3 are no powers of two: the chosen weights are not all in the grid they name.
    outside = {data for data, row in PRINTED.items() if {row.C, row.tau} - set(GRID)}
    assert outside == {data for data in PRINTED if data[0] != "Yale"}


def test_pixels_of_a_smaller_image_are_means_of_what_they_cover():
    X = np.random.default_rng(0).random((3, 32, 32))
    blocks = X.reshape(3, 16, 2, 8, 4).mean(axis=(2, 4))
    np.testing.assert_allclose(resize(X, (16, 8)), blocks, atol=1e-15)
    np.testing.assert_allclose(resize(X, (32, 32)), X, atol=1e-15)
    small = resize(X, (14, 12))  # 32 / 14 pixels, cut where they have to be
    np.testing.assert_allclose(small.mean(axis=(1, 2)), X.mean(axis=(1, 2)), atol=1e-15)
    first = (X[:, :10].sum(axis=1) + X[:, 10] * 2 / 3) / (32 / 3)
    np.testing.assert_allclose(resize(X, (3, 32))[:, 0], first, atol=1e-15)


def test_trials_are_scikit_learns_cross_validation_of_both():
    data = random_problem(3, n=40)
    weights = [(0.1, 0.5), (1.0, 8.0)]
    done = list(cross_validate(data.X, data.y, weights=weights))
    split = StratifiedKFold(5, shuffle=True, random_state=0)
    assert [(point.C, point.tau) for point in done] == weights
    machines = {"SMM": SupportMatrixMachine, "LS-SMM": LeastSquaresSMM}
    for point, (name, machine) in product(done, machines.items()):
        scores = cross_val_score(machine(point.C, point.tau), data.X, data.y, cv=split)
        np.testing.assert_array_equal(point.accuracy[name], scores)


def test_a_summary_takes_the_first_of_the_best_and_counts_its_equals():
    def point(C, *accuracy):
        return GridPoint(C, 1.0, {"SMM": np.array(accuracy)}, {"SMM": 1.0})

    done = [point(1.0, 0.5, 0.5), point(2.0, 1.0, 0.5), point(4.0, 0.5, 1.0), point(8.0, 0.0, 1.0)]
    best = best_weights(done, "SMM")
    assert (best.chosen.C, best.accuracy, best.deviation, best.as_good) == (2.0, 0.75, 0.25, 2)


def test_readme_and_page_have_our_figures_of_orl(contents):
    told = re.findall(
        r"^\| (\(\d, \d\)) \| (.*) \|$",
        (ROOT / "tests" / "benchmarks" / "README.md").read_text(encoding="utf-8"),
        re.M,
    )
    cells = {pair: row.split(" | ") for pair, row in told}
    visit(contents, PAGE)
    for _, row in contents.dataframe[0].value.iterrows():
        pair, smm, ours, squares, ours_too, ratio, our_ratio = row
        written = cells[pair]
        assert [f"{each} %" for each in (written[1], written[3])] == [ours, ours_too]
        assert [written[4], written[5]] == [ratio, our_ratio]
        printed = [float(each.rstrip(" %")) for each in (smm, squares)]
        assert [float(written[0]), float(written[2])] == pytest.approx(printed, abs=0.051)
