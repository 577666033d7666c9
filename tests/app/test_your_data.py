"""The lesson "Your data": a picture at once, any layout of a file, and never a traceback."""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from scipy.stats import binomtest
from sklearn.datasets import load_digits

from pages.shared import controls, exports, jobs, presets, uploads
from pages.shared.evaluation import Evaluation, Score
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
        (b"not a mat file " * 50, "This is a text file, not a MATLAB file: it begins with 'not a"),
        (saved(X=X, y=Y)[:2000], "The file ends in the middle of a variable, it was cut off:"),
        (saved(X=X + 1j, y=Y), "'X' holds complex numbers; samples must be real numbers."),
        (saved(X=X, y=Y[:-1]), f"'y' has {len(X) - 1} labels for {len(X)} samples."),
        (saved(X=X, y=0 * Y), "Every label in 'y' is 0; there must be two classes or more."),
        (
            saved(X=X),
            "The file holds no vector that could be the labels. Save them in MATLAB as a variable",
        ),
        (
            saved(all=X.reshape(len(X), -1)),
            "The file holds no vector that could be the labels. They must be a variable of their "
            "own. If they are the last column of the samples, do in MATLAB: y = all(:, end);",
        ),
        (
            saved(one=X[:20].transpose(1, 2, 0), seven=X[20:50].transpose(1, 2, 0)),
            "The file holds no vector that could be the labels. If each class is a variable, stack "
            "them in MATLAB: X = cat(3, one, seven); y = [ones(20, 1); 2 * ones(30, 1)];",
        ),
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


def test_one_hot_labels_are_read_and_said_to_be_so(page):
    page = with_file(page, saved(x=X.transpose(1, 2, 0), T=1.0 * (Y[:, None] == [1, 7])))
    assert not page.error
    assert any(caption.value.startswith("T is one-hot") for caption in page.caption)
    choice = page.session_state["last choice"]
    assert choice.classes.tolist() == [1, 2]
    np.testing.assert_array_equal(choice.data.load().y, np.where(Y == 7, 1, -1))


def test_the_session_does_not_keep_the_samples_of_an_upload(page):
    page = with_file(page, saved(X=X, y=Y))
    kept = [page.session_state[slot] for slot in uploads.KEPT]
    while kept:
        value = kept.pop()
        if isinstance(value, np.ndarray):
            assert (value if value.base is None else value.base).nbytes < X.nbytes / 4
        elif isinstance(value, (tuple, list)):
            kept.extend(value)
    second = next(box for box in page.selectbox if box.label.startswith("Class +1"))
    first = next(box for box in page.selectbox if box.label.startswith("Class −1"))
    first.set_value(1)
    second.set_value(0)  # the classes the other way round: the file is read again
    finished(page.run())
    np.testing.assert_array_equal(
        page.session_state["last choice"].data.load().y, np.where(Y == 1, 1, -1)
    )


def test_few_test_samples_get_a_caution_with_an_interval(page):
    page = with_file(page, saved(X=X[:20], y=Y[:20]))
    test = next(metric for metric in page.metric if metric.label == "Test accuracy")
    assert test.delta == "6 of 6 right"
    assert any("6 test samples are few" in caption.value for caption in page.caption)
    assert any("from 61% to 100%" in caption.value for caption in page.caption)
    page.segmented_control(key="source").set_value("Digits (built in)").run()
    assert not any("are few" in caption.value for caption in finished(page).caption)


def test_the_address_sets_the_choices_and_the_link_spells_them_out(contents):
    query = {"minus": "1", "plus": "7", "C_rel": "5", "tau_rel": "5.0%", "split": "4"}
    for key, value in query.items():
        contents.query_params[key] = value
    contents.run()
    page = finished(contents.switch_page("matrix/your_data.py").run())
    recipe = page.session_state["your data"].recipe
    assert recipe.data == Split(Digits(1, 7), seed=4)
    units = jobs.units(recipe.data)
    assert 5 / units.spread**2 == recipe.C
    assert recipe.tau == 0.05 * 5 * units.tau_max
    link = next(code.value for code in page.get("code") if "minus=" in code.value)
    restored = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert restored == query | {"source": "Digits (built in)", "tau_rel": "0.05"}
    assert not set(restored) & set(controls.settings(presets.QUICK))  # of the side bar


def test_downloads_carry_the_name_of_the_data_and_nothing_hostile(page):
    page = with_file(page, saved(X=X, y=Y), "../<b>faces $x$ of 2.mat")
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels == [
        *("Predictions (.csv)", "Trace (.csv)", "Model (.npz)", "Model (.mat)", "Script (.py)"),
        *("Samples (.npz)", "Samples (.mat)"),
    ]
    assert exports.stem("../<b>faces $x$ of 2") == "b_faces_x_of_2"
    assert exports.stem("digits 3 8") == "digits_3_8"
    assert exports.stem("\u202e$$$") == "data"


def test_limits_are_said_before_they_are_hit(page):
    page.segmented_control(key="source").set_value("My .mat file").run()
    said = " ".join(caption.value for caption in page.caption)
    for limit in ("50 MB", "20,000,000", "200 classes", "3,000 samples", "512 x 512"):
        assert limit in said


def test_names_out_of_a_file_are_text_not_markdown(page):
    page = with_file(page, saved(X=X + 1j, y=Y), "**b** $x$ ![i](http://127.0.0.1/i.png).mat")
    page = with_file(page, b"<script>alert(1)</script> [a](b)", "a.mat")
    assert r"'\<script\>alert\(1\)'" in page.error[0].value


def test_the_size_is_checked_on_the_server_too(page, monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST_FILE", 1)
    noise = np.random.default_rng(0).bytes(3 << 20)
    page = with_file(page, saved(X=np.frombuffer(noise, np.uint8), y=Y))
    assert sentences(page) == ["The file must have at most 1 MB, got 3 MB."]


def test_the_sliders_and_the_file_survive_a_visit_elsewhere(page):
    page = with_file(page, saved(X=X, y=Y))
    page.select_slider(key="tau_rel").set_value(0.1).run()
    before = numbers(finished(page))
    page.switch_page("home.py").run()
    page.switch_page("matrix/your_data.py").run()
    assert numbers(finished(page)) == before
    assert page.select_slider(key="tau_rel").value == 0.1


def trained(recipe):
    piece = jobs.advance(recipe, None, 10)
    assert piece.verdict
    return piece.certificate


def judged(recipe, classes):
    certificate = trained(recipe)
    answers = jobs.answers(jobs.Machine.of(recipe, certificate))
    return Evaluation(recipe, certificate, classes, answers)


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
    result = judged(recipe, np.array([3, 8]))
    rows = np.flatnonzero(np.isin(DIGITS.target, (3, 8)))

    table = list(csv.DictReader(io.StringIO(result.predictions(rows).decode())))
    assert [int(line["sample"]) for line in table] == (rows + 1).tolist()
    assert [int(line["label"]) for line in table] == DIGITS.target[rows].tolist()
    kept = [line for line in table if line["split"] == "test"]
    right = sum(line["label"] == line["prediction"] for line in kept)
    assert result.test == (right, len(kept))
    assert result.test == (np.trace(result.confusion), result.confusion.sum())

    arrays = {"W": result.certificate.W, "b": result.certificate.b} | result.about(units.spread)
    model = loadmat(io.BytesIO(exports.mat(arrays)))
    decisions = (DIGITS.images[rows] * model["W"]).sum((1, 2)) + model["b"].item()
    np.testing.assert_allclose(decisions, [float(line["decision_value"]) for line in table])
    predicted = model["classes"].ravel()[(decisions > 0).astype(int)]
    assert predicted.tolist() == [int(line["prediction"]) for line in table]
    assert model["C"].item() == recipe.C
    assert model["tau"].item() == recipe.tau
    assert "+ b > 0" in model["use"].item()


def test_a_decision_of_zero_means_the_first_class_as_the_estimator_says():
    run, certificate = SMMRun(Split(Digits(3, 8))), trained(SMMRun(Split(Digits(3, 8)), C=1e-3))
    answers = jobs.Answers(np.array([-1.0, 0.0, 1.0]), np.ones(3), np.arange(1), np.arange(1, 3))
    result = Evaluation(run, certificate, np.array([3, 8]), answers)
    assert result.predicted.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("right", "of"), [(0, 6), (6, 6), (5, 9), (96, 107)])
def test_the_interval_is_that_of_wilson(right, of):
    expected = binomtest(right, of).proportion_ci(method="wilson")
    np.testing.assert_allclose(Score(right, of).interval, expected, atol=1e-12)


def test_the_majority_rate_is_that_of_the_larger_training_class():
    few = np.r_[0:20, len(X) - 60 : len(X)]
    order = np.argsort(Y, kind="stable")
    split = Split(spool(X[order][few], np.repeat([-1.0, 1.0], [20, 60])))
    recipe = SMMRun(split, C=1e-3, tau=0.0)
    result = judged(recipe, np.array(["one", "seven"]))
    assert result.majority == 0.75
    assert result.test.of == 24
    model = loadmat(io.BytesIO(exports.mat(result.about(1.0))))
    assert [str(name.item()) for name in model["classes"].ravel()] == ["one", "seven"]
