"""What the reproductions compute: cells against slow transcriptions and against known answers."""

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from pages.research.reproduce.data_files import load_sources
from pages.research.reproduce.report import cells_csv
from pages.research.table_2.cross_validation import (
    PRINTED,
    accuracy_error,
    best_weights,
    cross_validate,
    resize,
)
from pages.research.table_2.reproduce import ERROR_COLUMN, CrossValidationCell, LSSMMTable2
from pages.shared.reproduction.reproduction import Verdict, reproductions
from pages.shared.reproduction.sources import SourceSamples
from pages.shared.reproduction.stored_results import read_csv

RESULTS = Path(__file__).parents[3] / "assets" / "results"


def test_faces_are_cross_validated_in_the_size_and_the_unit_of_the_lesson():
    rng = np.random.default_rng(0)
    people = np.repeat([3, 8, 9], 10)
    X = rng.integers(0, 200, (30, 32, 32)) + 20 * people[:, None, None]
    row = CrossValidationCell("ORL", (3, 8), 8.0, (0.1, 1.0)).row(SourceSamples(X, people))
    points = cross_validate(
        resize(X[:20] / 255, (14, 12)), people[:20] == 8, weights=[(8.0, 0.1), (8.0, 1.0)]
    )
    best = best_weights([*points], "LS-SMM")
    assert row["accuracy LS-SMM"] == 100 * best.accuracy
    assert (row["tau LS-SMM"], row["as good LS-SMM"]) == (best.chosen.tau, best.as_good)


def test_error_of_the_squared_loss_is_the_sum_of_squares_over_the_folds():
    folds = np.array([100.0, 100.0, 95.0, 90.0, 100.0])
    squares = ((folds / 100 - folds.mean() / 100) ** 2).sum()
    assert accuracy_error(folds.std()) == pytest.approx(squares)
    printed = PRINTED["Yale", 3, 7]
    assert accuracy_error(printed.deviation["SMM"]) == pytest.approx(printed.error["SMM"], rel=1e-9)
    errors = [each for each in LSSMMTable2().compare({}) if each.part == ERROR_COLUMN]
    same = [each for each in errors if each.verdict is Verdict.OTHER_READING]
    assert (len(same), len(errors)) == (7, 18)


def cells_at_hand(name):
    """Return the cells of the paper's size whose samples come with a package."""
    reproduction = reproductions()[name]
    sources = [source for source in reproduction.sources if source.load is not None]
    return reproduction.cells("paper", [source.name for source in sources])


# The first cell at hand is computed, or one that takes less time.
QUICK_CELL = {"figure1": 8, "figure2": 8}
SLOW = "figure2", "wolf-faces"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.sweep] * (name in SLOW)) for name in reproductions()],
)
def test_a_small_cell_of_the_results_that_come_with_the_project_comes_out_again(name):
    cell = cells_at_hand(name)[QUICK_CELL.get(name, 0)]
    _, rows = read_csv((RESULTS / f"{name}.cells.csv").read_text(encoding="utf-8"))
    (settings,) = read_csv(cells_csv([], {cell: {}}))[1]
    samples = load_sources(reproductions()[name].sources, []).get(cell.source)
    with threadpool_limits(1):
        found = cell.row(samples)
    settings = {key: text for key, text in settings.items() if key not in found}
    (stored,) = (row for row in rows if row.items() >= settings.items())
    for key, value in found.items():
        if "seconds" in key:
            continue
        if value is None or isinstance(value, str):
            assert stored[key] == (value or "")
        else:
            assert float(stored[key]) == pytest.approx(float(value), rel=1e-6, abs=1e-9), key
