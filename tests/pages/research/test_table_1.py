"""Wolf's Table 1: its experiments, their comparison with the paper, and its page."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pages.research.table_1.runs import Table1, column, compare_with_printed, describe_reading
from pages.shared import wolf
from pages.shared.engine.worker import advance
from pages.shared.parts import downloads
from tests.pages.runs import load_stored
from tests.pages.visit import take_home, visit, words

TABLE = Table1(repetitions=3)
PAGE = "table_1"

whole = cache(lambda run: advance(run, None, 60.0))


def test_curves_are_means_and_standard_errors_and_what_a_and_b_cost():
    curves = whole(TABLE).metrics
    for method in wolf.METHODS:
        right = curves[column("right", method, 0)]
        assert curves[column("mean", method, 0)][-1] == pytest.approx(right.mean())
        error = right.std(ddof=1) / np.sqrt(len(right))
        assert curves[column("error", method, 0)][-1] == pytest.approx(error)
        assert np.isnan(curves[column("error", method, 0)][0])
        plain, turned, cost = (curves[column("right", method, k)] for k in (0, 1, 3))
        np.testing.assert_allclose(cost, plain - turned, atol=1e-12)
    assert whole(TABLE).summary == "3 repetitions, 36 classifiers trained and tested."


def test_figures_are_apart_beyond_two_standard_errors_of_their_difference():
    curves = np.zeros(5, whole(TABLE).metrics.dtype)
    for method in wolf.METHODS:
        for k in range(3):
            curves[column("right", method, k)] = 0.89, 0.91, 0.89, 0.91, 0.90
    ours = np.std([89, 91, 89, 91, 90], ddof=1) / np.sqrt(5)
    cells = compare_with_printed(curves)
    for cell in cells:
        bar = 2 * np.hypot(ours, cell.printed_deviation / np.sqrt(wolf.REPETITIONS))
        assert cell.differs == (abs(90 - cell.printed) > bar)
        assert str(cell) == f"{'≠ ' * cell.differs}90.0 ± 0.9"
    assert {cell.differs for cell in cells} == {False, True}


def test_readme_has_the_printed_figures_and_those_of_the_precomputed_run():
    readme = (Path(__file__).parents[3] / "tests" / "benchmarks" / "README.md").read_text(
        encoding="utf-8"
    )
    cells = compare_with_printed(load_stored(Table1()).metrics)
    for cell in cells:
        row = re.search(rf"^\| {re.escape(cell.method)} \| (.*) \|$", readme, re.M)[1].split(" | ")
        printed, ours, _ = row[3 * cell.setting : 3 * cell.setting + 3]
        assert ours == str(cell).removeprefix("≠ ")
        figures = [float(part) for part in printed.split(" ± ")]
        assert figures == pytest.approx([cell.printed, cell.printed_deviation], abs=0.051)


def test_variance_is_ruled_out_and_deviation_is_not():
    texts = {name: describe_reading(reading) for name, reading in wolf.READINGS.items()}
    assert "more than 96.68 %" in texts["text, variance 0.5"]
    assert "99.47 could not be reproduced" in texts["text, deviation 0.5"]
    assert "picked, not found in the text" in texts["nearest to the table"]


def test_page_opens_with_both_tables_and_a_stopped_run_shows_what_it_has(contents):
    visit(contents, PAGE, "table 1")
    assert not contents.error
    table, faces = (frame.value for frame in contents.dataframe)
    assert list(table[""]) == [*wolf.METHODS, "no classifier exceeds"]
    assert table["X: ours"].iloc[-1] == "99.63"
    assert table["50 × 50: paper"][3] == "97.60 ± 2.48"
    assert list(faces["actions"]) == ["75.8", "63.1", "84.3"]
    assert "600 variants" in words(contents)
    assert {"wolf_table_1_trace.csv", "wolf_table_1_run.py"} <= take_home(contents)
    run = contents.session_state["table 1"]
    frames = run.frames
    for held in (3, 1, 0):
        run._stopped_at = replace(frames, metrics=frames.metrics[:held])
        contents.run()
        assert not contents.exception
        assert len(contents.dataframe) == 1 + (held > 1)
        assert bool(contents.info) == (held < 2)
        assert ("over 3 repetitions" in words(contents)) == (held == 3)
        assert downloads._limit_to_frames(run).repetitions == (held or 20)
