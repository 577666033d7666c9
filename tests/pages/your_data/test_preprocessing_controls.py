"""Preprocessing and balanced classes on the page "Your data": controls, pictures, link, script."""

import numpy as np
import pytest

from pages.shared.data.uploads import spool
from pages.your_data.reading.preprocessing import describe_steps
from pages.your_data.runs import PreviewRequest, preprocess_samples
from pages.your_data.trial import Preprocessing
from tests.pages.visit import link, visit
from tests.pages.your_data.lesson import open_lesson, texts

LSVM = {"trained": "linear SVM"}
TEXTS = "rows", "columns", "window", "rate", "band"


def draw_page(app, **query):
    """The page with its run begun: its results are not looked at."""
    page = visit(app, "yours", **LSVM, **query)
    assert not page.exception
    return page


def trial(page):
    return page.session_state["your data"].experiment.trial


def test_steps_and_weights_of_a_link_reach_the_trial_the_picture_and_the_link(contents):
    query = {"rows": "2-7", "row_blocks": "3", "each": "true", "balanced": "true"}
    page = open_lesson(contents, **LSVM, **query)
    assert trial(page).preprocessing == Preprocessing(rows=(1, 7), blocks=(3, 1), each=True)
    assert trial(page).class_weight == "balanced"
    assert "Some samples, 2 × 8: after these steps." in texts(page.caption)
    assert "rows 2 to 7, means of blocks of 3 × 1, each sample standardised" in texts(page.caption)
    assert "The classes are balanced." in texts(page.caption)
    written = " ".join(latex.value for latex in page.get("latex"))
    assert r"X \leftarrow A X" in written
    assert r"\sum_i w_i" in written
    restored = link(page)
    assert all(restored[f"yours_{key}"] == value for key, value in query.items())
    tested = page.session_state["your data"].frames.certificate
    assert tested[0].W.shape == (1, 2, 8)


@pytest.mark.parametrize(
    "query", [{"time": "rows"}, {"time": "columns", "rate": "250"}, {"rows": "1-8"}]
)
def test_settings_that_change_no_number_are_no_steps(contents, query):
    page = draw_page(contents, **query)
    assert "No steps: the trial takes the samples as they are." in texts(page.caption)
    assert trial(page).preprocessing == Preprocessing()
    assert "linear SVM" in [metric.label for metric in page.metric]


def test_a_recording_is_filtered_in_hertz_and_cut_in_seconds(contents):
    page = draw_page(contents)
    assert trial(page).preprocessing == Preprocessing()
    page.segmented_control(key="yours_time").set_value("columns").run()
    assert page.text_input(key="yours_band").label == "Band in cycles per sample"
    page.text_input(key="yours_band").set_value("-0.25").run()
    assert trial(page).preprocessing == Preprocessing(band=(0.0, 0.25))
    page.text_input(key="yours_rate").set_value("100")
    page.text_input(key="yours_band").set_value("8 to 30").run()
    page.text_input(key="yours_window").set_value("0.02-0.07").run()
    steps = Preprocessing(columns=(2, 7), band=(8.0, 30.0), rate=100.0)
    assert trial(page).preprocessing == steps
    said = "band from 8 to 30 Hz along the rows, columns 3 to 7; 8 × 8 becomes 8 × 5"
    assert said in texts(page.caption)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"rows": "9-12"}, "The rows to keep must be a range from 1 to 8, such as 1-4, got '9-12'"),
        ({"columns": "5-4"}, "The columns to keep must be a range from 1 to 8"),
        ({"columns": "few"}, "The columns to keep must be a range, such as 5-20, 5- or -20"),
        ({"rows": "2-4", "row_blocks": "4"}, "Blocks of 4 rows do not fit: a sample has 3 rows"),
        ({"time": "columns", "rate": "-1"}, "The sampling rate must be a positive number"),
        (
            {"time": "columns", "rate": "100", "window": "0.05-2"},
            "The time window must be a range from 0 to 0.08 s",
        ),
        (
            {"time": "columns", "rate": "100", "window": "0.051-0.052"},
            "No sample lies in the time window '0.051-0.052' s: at 100 Hz they are 0.01 s apart",
        ),
    ],
)
def test_steps_that_do_not_fit_get_a_sentence_and_no_results(contents, query, sentence):
    page = draw_page(contents, **query)
    assert texts(page.error).startswith(sentence)
    assert not page.metric
    typed = {key: page.text_input(key=f"yours_{key}") for key in TEXTS if key in query}
    assert {key: field.value for key, field in typed.items()} == {key: query[key] for key in typed}
    for field in typed.values():  # to be corrected
        field.set_value("")
    assert not page.run().error


def test_ranges_may_be_open_or_a_single_row(contents):
    page = draw_page(contents)
    ranges = {"5-": (4, 8), "-3": (0, 3), "4": (3, 4), " 2 – 6 ": (1, 6), "2 to 6": (1, 6)}
    for text, rows in ranges.items():
        page.text_input(key="yours_rows").set_value(text).run()
        assert trial(page).preprocessing == Preprocessing(rows=rows)


def test_rows_that_fill_no_block_are_cut_and_the_page_says_so(contents):
    page = draw_page(contents, row_blocks="3", column_blocks="5")
    assert "The last 2 rows fill no block of 3 and are cut off." in texts(page.caption)
    assert "The last 3 columns fill no block of 5 and are cut off." in texts(page.caption)
    assert trial(page).preprocessing.shape(8, 8) == (2, 1)


def test_settings_of_a_link_wait_for_the_file_that_they_are_for(contents):
    page = visit(contents, "yours", source="My file", rows="20-30")
    assert not page.error
    assert page.text_input(key="yours_rows").value == "20-30"


RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 6, 9)) + (np.arange(40) % 3 == 0)[:, None, None]
Y = (np.arange(40) % 3 == 0).astype(int)


def test_the_preview_fills_gaps_and_shows_each_class():
    holes = X.copy()
    holes[0, 0, 0] = np.nan
    steps = Preprocessing(blocks=(2, 3))
    found = preprocess_samples(PreviewRequest(spool(holes, Y), steps))
    assert found.classes.tolist() == [0] * 4 + [1] * 4
    assert found.rows.tolist() == [1, 2, 4, 5, 0, 3, 6, 9]
    holes[0, 0, 0] = np.nanmean(holes[:, 0, 0])
    means = holes[found.rows].reshape(8, 3, 2, 3, 3).mean(axis=(2, 4))
    np.testing.assert_allclose(found.samples, means)


def test_no_steps_are_none_in_words():
    assert describe_steps(Preprocessing(), 8, 8) == "none"
