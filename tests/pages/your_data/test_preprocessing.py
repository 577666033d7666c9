"""Preprocessing: its steps against slow formulas, trials of prepared arrays, and the page."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.fft import dct, idct

from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import Trial
from smmcore.estimators.scaling import Scaling
from tests.files.make import npz
from tests.pages.visit import choose, controls, link, set_address, shown, visit
from tests.pages.your_data.lesson import GIVEN, finish_runs, numbers, open_file, texts, upload

X = np.random.default_rng(0).normal(size=(40, 6, 9))
Y = np.arange(40) % 2


def prepare(steps, X):
    left, right = steps.matrices(*X.shape[1:])
    return Scaling(left=left, right=right, each=steps.each)(X)


def test_a_band_is_an_orthogonal_projection_on_the_cosines_of_these_frequencies():
    left, P = Preprocessing(band=(8.0, 30.0), rate=100.0).matrices(6, 50)
    assert left is None
    frequencies = np.arange(50)  # k rate / (2 m) = k
    inside = (frequencies >= 8) & (frequencies <= 30)
    x = np.random.default_rng(1).normal(size=(3, 50))
    by_transform = idct(inside * dct(x, norm="ortho"), norm="ortho")
    np.testing.assert_allclose(x @ P, by_transform, atol=1e-13)


def test_a_band_down_the_columns_is_that_of_the_transpose():
    steps = Preprocessing(rows=(1, 9), blocks=(2, 1), time="rows", band=(0.1, 0.4))
    other = Preprocessing(columns=(1, 9), blocks=(1, 2), time="columns", band=(0.1, 0.4))
    down = prepare(steps, X.transpose(0, 2, 1)).transpose(0, 2, 1)
    np.testing.assert_allclose(down, prepare(other, X), atol=1e-14)


def test_the_whole_recording_is_filtered_before_the_window_is_cut_and_averaged():
    both = Preprocessing(columns=(2, 8), blocks=(1, 3), band=(0.1, 0.3))
    filtered = prepare(Preprocessing(band=(0.1, 0.3)), X)
    by_hand = filtered[:, :, 2:8].reshape(40, 6, 2, 3).mean(axis=3)
    np.testing.assert_allclose(prepare(both, X), by_hand, atol=1e-14)


@pytest.mark.parametrize("blocks", [(1, 1), (2, 3), (4, 2), (5, 7)])
def test_crops_are_slices_and_blocks_are_means_of_what_is_left(blocks):
    steps = Preprocessing(rows=(1, 6), columns=(2, 9), blocks=blocks)
    part, (f, g) = X[:, 1:6, 2:9], blocks
    p, q = steps.shape(6, 9)
    assert (p, q) == (5 // f, 7 // g)
    means = part[:, : p * f, : q * g].reshape(40, p, f, q, g).mean(axis=(2, 4))
    np.testing.assert_allclose(prepare(steps, X), means, atol=1e-14)
    if blocks == (1, 1):
        np.testing.assert_array_equal(prepare(steps, X), part)


def test_each_sample_is_standardised_and_rounding_is_not_magnified():
    samples = X.copy()
    samples[3] = 7.3
    samples[4] *= 1e-12
    standard = prepare(Preprocessing(each=True), samples)
    np.testing.assert_array_equal(standard[3], 0)
    rest = np.delete(standard, 3, axis=0)
    np.testing.assert_allclose(rest.mean(axis=(1, 2)), 0, atol=1e-12)
    np.testing.assert_allclose(rest.std(axis=(1, 2)), 1)
    filtered = prepare(Preprocessing(band=(0.1, 0.5), each=True), samples)
    np.testing.assert_array_equal(filtered[3], 0)  # a constant has no such frequency
    cropped = samples.copy()
    cropped[:, 0] = 1e15  # a row that is cut off does not count
    standard = prepare(Preprocessing(rows=(1, 6), each=True), cropped)
    np.testing.assert_allclose(standard[4].std(), 1)


STEPS = Preprocessing((1, 6), (0, 8), (1, 2), "columns", (0.0, 0.3), each=True)


@pytest.mark.parametrize("scaling", ["none", "unit length", "z-score"])
def test_a_trial_is_that_of_samples_prepared_by_hand(scaling):
    trial = Trial(GIVEN, scaling, Scheme(number=2), preprocessing=STEPS)
    plain = replace(trial, preprocessing=Preprocessing())
    for one, two in zip(trial.run(X, Y), plain.run(prepare(STEPS, X), Y), strict=True):
        assert one.W.shape == (1, 5, 4)
        assert one.accuracy == two.accuracy
        assert one.certified.all()
        np.testing.assert_allclose(one.decision, two.decision, atol=1e-6)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ({"band": (0.3, 0.2)}, "begin below its end, got 0.3 to 0.2"),
        ({"band": (8.0, 60.0), "rate": 100.0}, "half of the sampling rate, 50, got 60"),
        ({"rows": (0, 7)}, "0 to 7 .* a sample has 6 rows"),
        (
            {"band": (0.12, 0.15)},
            "no frequency lies in the band from 0.12 to 0.15: with 9 columns they are the "
            "multiples of 0.0555556 up to 0.444444",
        ),
    ],
)
def test_steps_that_cannot_be_are_refused_with_a_sentence(steps, sentence):
    with pytest.raises(ValueError, match=sentence):
        Preprocessing(**steps).matrices(6, 9)


# ---- on the page -----------------------------------------------------------------------------

LSVM = {"trained": "linear SVM"}
ON_DIGITS = {**LSVM, "source": "Digits", "weights": "By hand"}


def trial(page):
    return page.session_state["your data"].experiment.trial


def test_a_recording_is_filtered_in_hertz_and_cut_in_seconds(contents):
    page = visit(
        contents, "yours", **ON_DIGITS, time="rows", rate="250"
    )  # its results do not matter
    assert trial(page).preprocessing == Preprocessing()  # as it changes nothing
    set_address(page, {"yours_time": "Along the rows", "yours_rate": None})
    assert controls(page)["yours_band"]["label"] == "Band in cycles per sample"
    set_address(page, {"yours_band": "-0.25"})
    assert trial(page).preprocessing == Preprocessing(band=(0.0, 0.25))
    set_address(page, {"yours_rate": "100", "yours_band": "8 to 30"})
    assert controls(page)["yours_band"]["label"] == "Band in Hz"
    assert {"yours_window", "yours_rows"} < controls(page).keys()
    set_address(page, {"yours_window": "0.02-0.07"})
    steps = Preprocessing(columns=(2, 7), band=(8.0, 30.0), rate=100.0)
    assert trial(page).preprocessing == steps
    ranges = {"5-": (4, 8), "-3": (0, 3), "4": (3, 4), " 2 – 6 ": (1, 6)}
    for text, rows in ranges.items():
        set_address(page, {"yours_rows": text})
        assert trial(page).preprocessing == replace(steps, rows=rows)
    set_address(page, {"yours_rows": None})
    said = "band from 8 to 30 Hz along the rows, columns 3 to 7; 8 × 8 becomes 8 × 5"
    assert said in texts(page.caption)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"rows": "9-12"}, "The rows to keep must be a range from 1 to 8, such as 1-4, got '9-12'"),
        ({"columns": "few"}, "The columns to keep must be a range, for example 5-20, 5- or -20"),
        ({"rows": "2-4", "average": "4"}, "Blocks of 4 rows do not fit: a sample has 3 rows"),
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
    page = visit(contents, "yours", **ON_DIGITS, C_rel="5", **query)
    assert texts(page.error).startswith(sentence)
    assert shown(page, "yours_C_rel") == "5"  # whatever else was set stays
    assert not numbers(page)
    wrong = {f"yours_{key}" for key in {"rows", "columns", "window", "rate"} & query.keys()}
    assert wrong <= controls(page).keys() & link(page).keys()  # to be corrected
    assert not set_address(page, dict.fromkeys(wrong)).error


def test_samples_that_are_too_large_can_be_averaged_by_one_click(contents):
    X = np.random.default_rng(0).normal(size=(10, 4100, 3)).astype("f4")
    page = open_file(contents, npz(X=X, y=np.arange(10) % 2), **LSVM)
    assert texts(page.error).startswith("Samples of 4,100 × 3 are too large to train on: at most")
    assert not numbers(page)
    finish_runs(choose(page, "Average over 2 neighbours"))
    assert trial(page).preprocessing == Preprocessing(blocks=(2, 1), time="rows")
    assert numbers(page)["linear SVM"]


def test_settings_of_a_link_wait_for_the_file_that_they_are_for(contents):
    page = visit(contents, "yours", **LSVM, source="My file", rows="20-30")
    assert not page.error
    assert "yours_rows" in controls(page)
    assert link(page)["yours_rows"] == "20-30"
    page = upload(page, npz(X=np.random.default_rng(0).normal(size=(40, 31, 3)), y=Y))
    assert not page.error
    assert trial(page).preprocessing == Preprocessing(rows=(19, 30))
