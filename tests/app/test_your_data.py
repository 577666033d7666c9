"""The lesson "Your data": a picture at once, any layout of a file, and never a traceback."""

import csv
import io

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from sklearn.datasets import load_digits

from pages.shared import jobs, uploads
from pages.shared.evaluation import Evaluation
from pages.shared.recipes import Digits, SMMRun, Split, spool


@pytest.fixture
def page(contents):
    contents.run()
    return finished(contents.switch_page("matrix/your_data.py").run())


def finished(app):
    """The page when its run is over; in a browser the player asks for this rerun."""
    for _ in range(30):
        assert not app.exception
        if app.metric:
            return app
        app.run()
    raise AssertionError("the run has not ended")


def saved(**variables):
    file = io.BytesIO()
    savemat(file, variables, do_compression=True)
    return file.getvalue()


def with_file(page, content, name="mine.mat"):
    page.segmented_control(key="source").set_value("My .mat file").run()
    page.file_uploader(key="upload").upload(name, content)
    return finished(page.run())


def sentences(page):
    return [error.value.replace("\\", "") for error in page.error]


def numbers(page):
    return {metric.label: metric.value for metric in page.metric}


DIGITS = load_digits()
TWO = np.isin(DIGITS.target, (1, 7))
X, Y = DIGITS.images[TWO], DIGITS.target[TWO].astype(float)


def test_the_page_opens_with_digits_trained_and_tested(page):
    shown = numbers(page)
    assert float(shown["Test accuracy"].rstrip("%")) > 95
    assert float(shown["Majority rate"].rstrip("%")) < 55
    assert float(shown["Relative gap"]) <= 1e-6
    assert float(shown["√(2 gap) / ‖W‖"]) < 0.1
    assert len(page.get("plotly_chart")) == 3  # samples, confusion, W
    assert not page.error


@pytest.mark.parametrize(
    "stored",
    [
        X,
        X.transpose(1, 2, 0),
        X.transpose(1, 0, 2),
        X.transpose(1, 2, 0)[:, :, None],
        X.transpose(0, 2, 1).reshape(len(X), -1),
        X.transpose(0, 2, 1).reshape(len(X), -1).T,
        np.array([*X, None], dtype=object)[:-1],
    ],
)
def test_every_layout_of_the_same_samples_is_proposed_right(page, stored):
    with_file(page, saved(measured=stored, gnd=Y))
    assert not page.error
    choice = page.session_state["last choice"]
    samples, labels, _ = choice.data.load()
    np.testing.assert_array_equal(samples, X)
    np.testing.assert_array_equal(labels, np.where(Y == 7, 1, -1))
    np.testing.assert_array_equal(choice.classes, [1, 7])


def test_rows_columns_and_order_of_flattened_samples_can_be_changed(page):
    page = with_file(page, saved(X=X.reshape(len(X), -1)[:, :60], y=Y))
    fold = next(box for box in page.selectbox if box.label == "Rows x columns")
    order = next(radio for radio in page.radio if radio.label == "Its numbers run")
    assert fold.value == (10, 6)  # as square as can be, and upright
    fold.set_value((15, 4))
    order.set_value("C")
    finished(page.run())
    samples = page.session_state["last choice"].data.load().X
    np.testing.assert_array_equal(samples, X.reshape(len(X), -1)[:, :60].reshape(-1, 15, 4))


def test_labels_as_text_and_any_two_of_many_classes(page):
    names = np.array([f"digit {label}" for label in DIGITS.target], dtype=object)
    page = with_file(page, saved(X=DIGITS.images, y=names))
    second = next(box for box in page.selectbox if box.label.startswith("Class +1"))
    finished(second.set_value(4).run())
    choice = page.session_state["last choice"]
    assert choice.classes.tolist() == ["digit 0", "digit 4"]
    np.testing.assert_array_equal(choice.rows, np.flatnonzero(np.isin(DIGITS.target, (0, 4))))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b"not a mat file " * 50, "This is not a MATLAB file: it begins with b'not a mat file n'."),
        (saved(X=X, y=Y)[:2000], "The file ends in the middle of a variable: it was cut off."),
        (saved(X=X + 1j, y=Y), "'X' holds complex numbers; samples must be real numbers."),
        (saved(X=X, y=Y[:-1]), f"'y' has {len(X) - 1} labels for {len(X)} samples."),
        (saved(X=X, y=0 * Y), "Every label in 'y' is 0.0; there must be two classes or more."),
        (saved(X=X), "The file holds no vector that could be the labels."),
        (saved(y=Y), "The file holds no variable that could be samples, which are matrices."),
        (saved(X=X * np.nan, y=Y), "'X' holds NaN or infinity"),
        (saved(X=0 * X, y=Y), "The largest number in the samples is 0; it must be between"),
        (saved(X=0 * X + 3, y=Y), "All samples of these two classes are equal"),
        (saved(X=X, y=np.arange(len(X))), f"'y' has {len(X)} different values; there may be 200"),
        (saved(X=X[:9], y=np.r_[np.ones(8), 2]), "Class 2 has 1 sample; it takes 2"),
    ],
)
def test_a_bad_file_gets_a_sentence_and_the_last_result_stays(page, content, sentence):
    before = numbers(with_file(page, saved(X=X, y=Y)))
    page = with_file(page, content, "bad.mat")
    assert len(page.error) == 1
    assert sentences(page)[0].startswith(sentence)
    assert "mine.mat" in page.info[0].value.replace("\\", "")
    assert numbers(page) == before
    with_file(page, saved(X=X, y=Y))
    assert not page.error


def test_names_out_of_a_file_are_text_not_markdown(page):
    page = with_file(page, saved(X=X + 1j, y=Y), "**b** $x$ ![i](http://127.0.0.1/i.png).mat")
    page = with_file(page, b"<script>alert(1)</script> [a](b)", "a.mat")
    assert r"b'\<script\>aler" in page.error[0].value


def test_the_size_is_checked_on_the_server_too(page, monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST_FILE", 1)
    noise = np.random.default_rng(0).bytes(3 << 20)
    page = with_file(page, saved(X=np.frombuffer(noise, np.uint8), y=Y))
    assert sentences(page) == ["The file must have at most 1 MB, got 3 MB."]


def test_the_sliders_and_the_file_survive_a_visit_elsewhere(page):
    page = with_file(page, saved(X=X, y=Y))
    page.select_slider(key="relative tau").set_value(0.1).run()
    before = numbers(finished(page))
    page.switch_page("home.py").run()
    page.switch_page("matrix/your_data.py").run()
    assert numbers(finished(page)) == before
    assert page.select_slider(key="relative tau").value == 0.1


def trained(recipe):
    piece = jobs.advance(recipe, None, 10)
    assert piece.finished
    return piece.certificate


@pytest.mark.parametrize("scale", [1e-6, 255.0])
def test_defaults_mean_the_same_for_volts_and_pixels(scale):
    def answer(samples):
        split = Split(spool(samples, np.where(Y == 7, 1.0, -1.0)))
        units = jobs.units(split)
        tau = 0.02 * 10 * units.tau_max
        return trained(SMMRun(split, C=10 / units.spread**2, tau=tau))

    plain, scaled = answer(X), answer(scale * X)
    np.testing.assert_allclose(scale * scaled.W, plain.W, atol=1e-9)
    assert scaled.rank == plain.rank


def test_tau_max_of_the_units_is_where_W_vanishes():
    split = Split(Digits(3, 8))
    units = jobs.units(split)
    C = 10 / units.spread**2
    assert trained(SMMRun(split, C=C, tau=1.01 * 10 * units.tau_max)).rank == 0
    assert trained(SMMRun(split, C=C, tau=0.9 * 10 * units.tau_max)).rank > 0


def test_downloads_hold_what_the_page_says():
    split = Split(Digits(3, 8))
    units = jobs.units(split)
    C = 10 / units.spread**2
    recipe = SMMRun(split, C=C, tau=0.2 * units.tau_max)
    certificate = trained(recipe)
    result = Evaluation.of(recipe, certificate, np.array([3, 8]))
    rows = np.flatnonzero(np.isin(DIGITS.target, (3, 8)))

    table = list(csv.DictReader(io.StringIO(result.predictions(rows).decode())))
    assert [int(line["sample"]) for line in table] == (rows + 1).tolist()
    assert [int(line["label"]) for line in table] == DIGITS.target[rows].tolist()
    tested = [line for line in table if line["split"] == "test"]
    right = np.mean([line["label"] == line["prediction"] for line in tested])
    assert right == pytest.approx(result.accuracy(result.test))
    assert right == pytest.approx(np.trace(result.confusion) / result.confusion.sum())

    model = loadmat(io.BytesIO(result.model(units.spread)))
    decisions = (DIGITS.images[rows] * model["W"]).sum((1, 2)) + model["b"].item()
    np.testing.assert_allclose(decisions, [float(line["decision_value"]) for line in table])
    predicted = model["classes"].ravel()[(decisions >= 0).astype(int)]
    assert predicted.tolist() == [int(line["prediction"]) for line in table]
    assert model["C"].item() == recipe.C
    assert model["tau"].item() == recipe.tau


def test_the_majority_rate_is_that_of_the_larger_training_class():
    few = np.r_[0:20, len(X) - 60 : len(X)]
    order = np.argsort(Y, kind="stable")
    split = Split(spool(X[order][few], np.repeat([-1.0, 1.0], [20, 60])))
    recipe = SMMRun(split, C=1e-3, tau=0.0)
    result = Evaluation.of(recipe, trained(recipe), np.array(["one", "seven"]))
    assert result.majority == 0.75
    assert len(result.test) == 24
    model = loadmat(io.BytesIO(result.model(1.0)))
    assert [str(name.item()) for name in model["classes"].ravel()] == ["one", "seven"]
