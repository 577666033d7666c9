"""Files in the shape of public bug reports, and what the page says about each."""

import numpy as np
import pytest

from tests.files.kinds import CASES, KIND, TRIALS
from tests.files.make import mat
from tests.pages.your_data.lesson import button, finish_runs, open_file, texts

RNG = np.random.default_rng(0)


def windows():
    """Windows that overlap by half, of recordings with a random class each: nothing to learn."""
    kind, found = RNG.permutation(np.arange(8) % 2), []
    for _ in range(8):
        x = RNG.normal(size=(6, 8 * 11))
        found += [x[:, 8 * i : 8 * i + 16] for i in range(10)]
    return mat(X=np.array(found).transpose(1, 2, 0), y=kind[np.repeat(np.arange(8), 10)])


PARTS = {"x_train": TRIALS[:42], "y_train": KIND[:42] + 1, "x_test": TRIALS[42:]}
HOLES = mat(X=np.where(np.arange(40) < 3, np.nan, TRIALS), y=KIND)
# What is uploaded, or its name in the table of kinds, and what the page says.
REPORTS = [
    ("a time axis and cells of words", "is all different and in order or evenly spaced, as an"),
    ("EEGLAB with responses", "labels EEG.event.type at time 0, **2 classes**"),
    ("sessions of trials", "60 samples of 9 × 40**, from session.trials.data"),
    (
        mat(**PARTS, y_test=KIND[42:]),
        "Training and test set number the classes differently, 1, 2 and 0, 1: number both alike.",
    ),
    (
        "a test part with labels of 0",
        "Every label in y_test is the same, so X_test counts as unlabelled",
    ),
    (windows(), "as windows of one recording do"),
    (
        "columns of ratings",
        "holds measurements. They are divided in two classes, at first at their median",
    ),
    (HOLES, "27 entries have no value in any sample: filled in, they are 0"),
    ("trials of unequal length", "60 samples of 9 × 30**, cells cut to 9 × 30"),
    ("FieldTrip", "labels data.trialinfo(:,1), **2 cla"),
]


@pytest.mark.parametrize(("files", "sentence"), REPORTS)
def test_the_page_says_how_a_file_of_a_public_report_is_read(contents, files, sentence):
    files = files if isinstance(files, bytes) else CASES[files].files
    page = open_file(contents, files, trained="SMM")
    drawn = " ".join(
        texts(each) for each in (page.markdown, page.caption, page.warning, page.error)
    )
    drawn += str([chart.proto.spec for chart in page.get("plotly_chart")])
    assert sentence in drawn
    assert bool(page.error) == (files is HOLES)


def test_labels_that_seem_to_be_placeholders_can_be_declared_real(contents):
    page = open_file(contents, mat(**PARTS, y_test=np.full(18, 7.0)), trained="SMM")
    assert "42 samples of 9 × 40" in texts(page.markdown)
    button(page, "These are real labels").click()
    page = finish_runs(page.run())
    assert "18 are the file's own test set" in texts(page.markdown)
    assert "leave out 7, or number both alike" in texts(page.error)
