"""After the trial: train on everything, read new samples as the training samples."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from pages.your_data.files import Contents, FileError, Layout
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.trial import MethodSpec, Trial, on_everything
from pages.your_data.use.apply import find_classes, predict
from pages.your_data.use.new_samples import NO_LABELS, find_labels, find_samples, read_new
from pages.your_data.use.train import describe_training
from smmcore.estimators.scaling import Scaling
from tests.files.make import cells, image, mat, npz, zipped
from tests.pages.visit import link
from tests.pages.your_data.lesson import (
    button,
    digits,
    finish_runs,
    form_of,
    go_and_come_back,
    labels_of,
    open_file,
    open_lesson,
    texts,
    train_on_all,
    upload,
)

LSVM, SMM = MethodSpec("lsvm", 10.0), MethodSpec("smm", 10.0, share=0.05)
NEW = "upload new samples"  # the uploader


def predictions(page):
    """The table with the pictures."""
    (table,) = (each.value for each in page.dataframe if "prediction" in each.value)
    return table


def said(page):
    return texts([*page.caption, *page.markdown])


def trained(page):
    page.button(key="train on everything").click().run()
    return finish_runs(page)


def machine_of(page, method="smm"):
    results = page.session_state[f"your data: {method} on everything"].frames.certificate
    return Machine.from_result(results[0], page.session_state["last selection"].classes)


# ---- on the page ----------------------------------------------------------------------------


def test_a_classifier_is_trained_on_everything_and_applied_to_a_file_without_labels(contents):
    page = open_lesson(contents, digits=["1", "7"], trained="SMM")
    assert not any("prediction" in each.value for each in page.dataframe)
    page = trained(page)
    assert "Trained on all 361 samples" in said(page)
    labels = {each.proto.label for each in page.get("download_button")}
    assert {f"Model on everything (.{kind})" for kind in ("npz", "mat")} <= labels

    images, _ = digits(1, 7, count=20)
    page = upload(page, mat(X=images), "new.mat", NEW)
    table, machine = predictions(page), machine_of(page)
    assert table["sample"].tolist() == list(range(1, 21))
    assert table["prediction"].tolist() == [str(label) for label in labels_of(machine, images)]
    np.testing.assert_array_equal(table["f(X)"], machine.decision(images)[:, 0])
    assert table["picture"].str.startswith("data:image/png;base64,").all()
    assert "without labels" in page.success[0].value
    assert "Accuracy on the new samples" not in [metric.label for metric in page.metric]
    assert not {"new.mat", "upload"} & {*str(link(page)).split()}

    go_and_come_back(page)
    assert predictions(page).equals(table)  # file, classifier and results stay
    page.button(key="remove new samples").click().run()
    assert not any("prediction" in each.value for each in page.dataframe)


def test_samples_above_the_limit_are_tested_by_the_classifier_of_all_others(contents, monkeypatch):
    monkeypatch.setenv("SMM_LAB_SAMPLES", "100")
    images, y = digits(1, 7, count=361)
    page = open_file(contents, mat(X=images, y=y), trained="linear SVM")
    assert "**100 of 361 samples** are used. The other 261 are tested once" in said(page)
    page = trained(page)
    assert "Trained on the 100 samples in use" in said(page)
    used, machine = page.session_state["last selection"].rows, machine_of(page, "lsvm")
    rest = np.setdiff1d(np.arange(361), used)
    (metric,) = (each for each in page.metric if each.label == "Accuracy on the new samples")
    right = int((labels_of(machine, images[rest]) == y[rest]).sum())
    assert metric.delta == f"{right} of 261 correct"
    assert predictions(page)["sample"].tolist() == [*(rest[:200] + 1)]


def test_transposed_samples_are_turned_by_one_click(contents):
    images, y = digits(1, 7)
    page = trained(open_file(contents, mat(X=images[:, 1:7], y=y), trained="linear SVM"))
    page = upload(page, mat(X=images[:, 1:7].swapaxes(1, 2) + 0.5), "new.mat", NEW)
    assert "its samples are 8 × 6, and those of the classifier 6 × 8." in texts(page.error)
    button(page, "Transpose them").click().run()
    expected = labels_of(machine_of(page, "lsvm"), images[:, 1:7] + 0.5)
    assert predictions(page)["prediction"].tolist() == [*map(str, expected)]
    assert "transposed" in page.success[0].value


def test_three_classes_with_gaps_and_labels_have_accuracy_and_confusion(contents):
    names = np.array(["zero", "<b>one", "=two"], dtype=object)
    images, y = digits(0, 1, 2, count=90, gaps=True)
    page = open_file(contents, mat(X=images, y=names[y]), scaled="z-score", trained="linear SVM")
    page = trained(finish_runs(button(page, "Fill in means").click().run()))
    images, y = digits(0, 1, 2, first=90, count=30, gaps=True)
    labels = names[y]
    labels[0] = "three"
    page = upload(page, mat(X=images, y=labels), "new.mat", NEW)
    machine, table = machine_of(page, "lsvm"), predictions(page)
    assert machine.scaling.kind == "z-score"
    assert table["prediction"].tolist() == labels_of(machine, images).tolist()
    assert table["label"].tolist() == labels.tolist()
    (metric,) = (each for each in page.metric if each.label == "Accuracy on the new samples")
    right = int((labels_of(machine, images[1:]) == labels[1:]).sum())
    assert metric.delta == f"{right} of 29 correct"
    assert "such as three: 1 of 30. They are not counted." in said(page)


def test_a_machine_is_described_with_its_gap_and_with_what_it_lacks():
    images, y = digits(3, 8)
    (result,) = Trial((LSVM,)).run(images, y)
    assert describe_training(result).startswith("rank 6, largest relative gap ")
    loose = result._replace(certified=np.array([False]))
    assert "not certified" in describe_training(loose)


def test_new_samples_that_do_not_fit_get_a_sentence(contents):
    images, y = digits(3, 8)
    page = trained(open_file(contents, mat(X=images, y=y), trained="linear SVM"))
    page = upload(page, mat(X=np.random.default_rng(0).random((9, 6, 5))), "wrong.mat", NEW)
    assert "No variable of this file holds samples of 8 × 8." in page.error[0].value
    assert "'X' is 9 × 6 × 5" in page.error[0].value
    holes = digits(3, 8, gaps=True)[0]
    page = upload(page, mat(X=holes), "holes.mat", NEW)
    assert "12 samples with NaN or infinity left out" in said(page)
    assert predictions(page)["sample"].tolist() == [i + 1 for i in range(60) if i % 5]
    # Images that are left out are named.
    pictures = {f"{i}.png": image(images[i].astype(np.uint8)) for i in range(4)}
    archive = zipped(pictures | {"cut.png": pictures["3.png"][:-30]})
    page = upload(page, archive, "new.zip", NEW)
    assert len(predictions(page)) == 4
    assert page.warning[0].value.endswith("'cut.png' is damaged or cut off.")


def test_samples_without_a_label_are_predicted_too(contents):
    X, y = digits(*range(10))
    parity = y % 2
    page = trained(open_file(contents, mat(X=X, y=parity), trained="linear SVM"))
    classifier = machine_of(page, "lsvm")
    X = X + 0.01  # which was not trained on
    labels = np.where(np.arange(60) == 3, np.nan, parity)
    page = upload(page, mat(X=X, y=labels), "new.mat", NEW)
    assert predictions(page)["prediction"].tolist() == [*map(str, labels_of(classifier, X))]
    assert "1 sample without a label: predicted, not counted." in said(page)
    (shown,) = (each for each in page.metric if each.label == "Accuracy on the new samples")
    assert shown.delta.endswith("of 59 correct")
    holes, labels = X.copy(), np.where(np.arange(60) % 2, np.nan, parity)
    holes[::2, 1, 1] = np.nan  # no sample has a label and all its numbers
    page = upload(page, mat(X=holes, y=labels), "new.mat", NEW)
    assert "30 samples without a label: predicted, not counted." in said(page)
    assert len(predictions(page)) == 30

    holes[:, 1, 1] = np.nan
    page = upload(page, mat(X=holes), "gaps.mat", NEW)
    assert "Every sample holds NaN or infinity" in page.error[0].value


# ---- beside the page ------------------------------------------------------------------------


def test_predictions_are_made_a_part_at_a_time_and_say_where_a_sample_stands(monkeypatch):
    images, y = digits(3, 8)
    machine = train_on_all(Trial((LSVM,)), images, np.array(["a", "=b"])[y // 8])
    images[[4, *range(14, 28)], 0, 0] = np.nan  # two parts have no complete sample
    contents = Contents(mat(X=images, y=np.where(y == 3, "=b", "c").astype(object)))
    raw = contents.raw_samples(Layout("X", 0, labels="y", missing="impute"))
    whole = predict(machine, raw, has_labels=True)
    monkeypatch.setattr("pages.your_data.use.apply.CHUNK", 64 * 7)
    parts = predict(machine, raw, has_labels=True)
    np.testing.assert_allclose(parts.decision, whole.decision, atol=1e-12)
    assert parts.left_out == 15
    assert parts.rows.tolist() == [*range(4), *range(5, 14), *range(28, 60)]
    assert parts.truth.tolist() == [0 if y[row] == 3 else -1 for row in parts.rows]
    lines = list(csv.DictReader(io.StringIO(parts.to_csv().decode())))
    assert list(lines[0]) == [*("sample", "label", "prediction", "decision_value")]
    assert [line["sample"] for line in lines[3:6]] == ["4", "6", "7"]
    assert {line["prediction"] for line in lines} == {"'=b", "a"}
    assert float(lines[3]["decision_value"]) == parts.decision[3, 0]


def test_labels_are_found_among_the_classes():
    numbers = np.array([3, 1, 2])
    found = find_classes(np.array([1.0, 2.0, 9.0, np.nan, 3.0]), numbers)
    assert found.tolist() == [1, 2, -1, -1, 0]
    assert find_classes(np.array(["1", "2"]), numbers).tolist() == [1, 2]
    assert find_classes(np.array(["1", "b"]), numbers).tolist() == [1, -1]
    texts = np.array(["2", "even"])  # where a class has a new name
    assert find_classes(np.array([2.0, 4.0]), texts).tolist() == [0, -1]
    assert find_classes(np.array(["b", "", "a"]), np.array(["a", "b"])).tolist() == [1, -1, 0]
    long = [f"a name of more than twenty-four letters, {side}" for side in ("left", "right")]
    renamed = dict(zip(long, ("one", "two"), strict=True))
    assert find_classes(np.array(long), np.array(["one", "two"]), renamed).tolist() == [0, 1]


def test_a_search_and_given_settings_share_the_run_of_the_same_machine():
    searched = Trial((LSVM, SMM), scheme=Scheme("k-fold", number=3), search=True)
    assert on_everything(searched, [SMM]) == on_everything(Trial((LSVM,)), [SMM])
    (every, none), *others = on_everything(searched, [SMM]).scheme.splits(np.arange(60) % 2)
    assert (len(every), len(none), others) == (60, 0, [])


# ---- new samples are read as the training samples were, and never guessed anew --------------

P, Q = 6, 20
RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, P, Q))


def machine(form, shape=(P, Q), classes=("left", "right")):
    """A classifier of samples in this form, whatever it predicts."""
    one = np.ones(1)
    W = np.ones((1, *shape))
    return Machine("lsvm", W, one, Scaling(), np.array(classes), form=form)


FLAT = {
    "columns": X.swapaxes(1, 2).reshape(5, -1),
    "rows": X.reshape(5, -1),
}


def read(content, form, labels=NO_LABELS):
    contents, ours = Contents(content), machine(form)
    (name, *_) = find_samples(contents, ours)
    return read_new(contents, ours, name, labels)


@pytest.mark.parametrize(
    "single",
    [X[0], X[0][..., None], X[0][None], X[0][None, ..., None]],
    ids=["p x q", "p x q x 1", "1 x p x q", "1 x p x q x 1"],
)
@pytest.mark.parametrize("form", [SampleForm(), form_of(axis=2), form_of("rows")])
def test_a_single_matrix_is_a_sample(single, form):
    for content in (mat(x=single), npz(x=single)):
        np.testing.assert_array_equal(read(content, form).take(np.arange(1)).X, X[:1])


@pytest.mark.parametrize("order", ["columns", "rows"])
def test_flattened_samples_are_folded_as_those_of_the_training(order):
    form, rows = form_of(order), FLAT[order]
    for content in (mat(x=rows), mat(x=rows.T), npz(x=rows)):
        np.testing.assert_array_equal(read(content, form).take(np.arange(5)).X, X)
    for one in (rows[:1], rows[:1].T, rows[0]):  # 1 x p q, p q x 1, and a vector of NumPy
        for content in (mat(x=one), npz(x=one)):
            np.testing.assert_array_equal(read(content, form).take(np.arange(1)).X, X[:1])


def test_of_two_axes_that_fit_the_one_of_the_training_counts():
    cube = RNG.normal(size=(4, 4, 4))
    ours = machine(form_of(axis=1), (4, 4))
    raw = read_new(Contents(npz(x=cube)), ours, "x", NO_LABELS)
    np.testing.assert_array_equal(raw.take(np.arange(4)).X, np.moveaxis(cube, 1, 0))


def test_samples_of_another_shape_get_a_sentence_that_names_the_variable():
    for values, form, sentence in (
        (X.swapaxes(1, 2), SampleForm(), "its samples are 20 × 6, and those of the classifier 6 ×"),
        (FLAT["rows"], SampleForm(), "nothing says in which order to fold these: save matrices"),
        (np.ones((40, 10, 20)), SampleForm(), r"'x' is 40 × 10 × 20, which holds no samples of 6"),
        (np.ones((12, 10)), form_of("rows"), "'x' is 12 × 10, which holds no samples of"),
        (1j * X, SampleForm(), "'x' holds complex numbers; samples must be real numbers"),
    ):
        with pytest.raises(FileError, match=sentence):
            read(npz(x=values), form)


def test_a_table_may_hold_the_labels_in_the_column_of_the_training():
    form = form_of("rows", implied="last column")
    content = npz(x=np.c_[FLAT["rows"], [1, 2, 1, 2, 2]])
    contents, ours = Contents(content), machine(form)
    assert find_labels(contents, ours, "x", 5) == ["last column"]
    raw = read_new(contents, ours, "x", "last column")
    np.testing.assert_array_equal(raw.take(np.arange(5)).X, X)
    assert raw.y.tolist() == [1, 2, 1, 2, 2]


def test_columns_with_names_are_matched_by_them():
    names = [f"n{k}" for k in range(P * Q)]
    form = replace(form_of("rows"), columns=tuple(names))

    def table(columns, n=5):
        rows = FLAT["rows"].round(4)[:n, columns]
        lines = [[names[at] for at in columns], *rows.tolist()]
        return "".join(",".join(map(str, line)) + "\n" for line in lines).encode()

    shuffled = RNG.permutation(P * Q)
    for content in (table(np.arange(P * Q)), table(shuffled), {"new.csv": table(shuffled)}):
        np.testing.assert_array_equal(read(content, form).take(np.arange(5)).X, X.round(4))
    with pytest.raises(FileError, match=r"'numbers' lacks the column 'n0' .*, and 1 more: columns"):
        read(table(np.arange(2, P * Q)), form)
    other = replace(form_of("rows"), columns=("a", "b"))  # nothing tells which is which
    found = read(table(shuffled), other).take(np.arange(5)).X
    np.testing.assert_array_equal(found.reshape(5, -1), FLAT["rows"].round(4)[:, shuffled])


def test_labels_may_be_of_one_class_one_each_missing_or_called_as_in_the_training():
    def labels(n=5, **variables):
        ours = machine(form_of(labels="stage"))
        contents = Contents(mat(x=X[:n], **variables))
        names = find_labels(contents, ours, "x", n)
        return names and read_new(contents, ours, "x", names[0]).y.tolist()

    assert labels(y=np.ones(5)) == [1] * 5
    assert labels(y=np.arange(5)) == [*range(5)]
    assert labels(stage=cells(["a"] * 5), y=np.ones(5)) == ["a"] * 5
    assert labels(y=np.array([1.0, np.nan, 2, 2, 1]))[2:] == [2, 2, 1]
    assert labels(y=np.eye(5)) == [1, 2, 3, 4, 5]
    assert labels(1, y=3.0) == [3]
    assert labels(fs=250.0, t=np.arange(7.0)) == []


@pytest.mark.parametrize("count", [3, 4, Q, 1])
def test_colour_pictures_are_read_along_the_axis_of_the_training_however_many_there_are(count):
    pictures = RNG.random((count, P, Q, 3))
    stored = pictures.transpose(1, 2, 3, 0)  # as MATLAB has them
    raw = read(npz(x=stored), form_of(axis=3, mean_over=1))
    np.testing.assert_allclose(raw.take(np.arange(count)).X, pictures.mean(axis=3))


@pytest.mark.parametrize(
    ("layout", "count"),
    [
        (Layout("X", 3, labels="y", cells=(1, 5)), Q),
    ],
)
def test_new_samples_lack_the_axis_of_the_groups_or_classes(layout, count):
    some = RNG.random((count, P, Q))
    stored = some.transpose(1, 2, 0) if layout.axis > 1 else some
    raw = read(npz(X=stored), SampleForm(layout))
    np.testing.assert_array_equal(raw.take(np.arange(count)).X, some)


@pytest.mark.parametrize("axis", [0, 3])
@pytest.mark.parametrize("way", [{"joined": (1, 2)}, {"joined": (2, 3)}, {"place": (2, 1)}])
def test_samples_of_three_axes_become_matrices_as_in_the_training(axis, way):
    patches = np.moveaxis(RNG.normal(size=(6, 3, 4, 5)), 0, axis)
    # The axes of the way are those of a file with samples along axis 0.
    moved = {name: tuple(at - (axis == 3) for at in pair) for name, pair in way.items()}
    if "place" in way:
        moved = {"place": (2 - (axis == 3), 1)}
    layout = Layout("x", axis, labels="y", **moved)
    trained = Contents(npz(x=patches, y=np.arange(6) % 2)).raw_samples(layout)
    expected = trained.take(np.arange(6)).X
    form, shape = SampleForm(layout, low=-1.0, high=1.0), expected.shape[1:]
    one = patches.take([2], axis)
    for values, some in (
        (patches, expected),
        (one, expected[2:3]),
        (one.squeeze(axis), expected[2:3]),
    ):
        np.testing.assert_array_equal(form.stack(values, shape, "x"), [some])


def test_longer_cells_and_matrices_are_cut_as_in_the_training():
    form = form_of(missing="cut")
    longer = [np.c_[x, np.ones((P, i))] for i, x in enumerate(X)]
    raw = read(mat(x=cells(longer)), form)
    np.testing.assert_array_equal(raw.take(np.arange(5)).X, X)
    np.testing.assert_array_equal(read(npz(x=longer[3]), form).take(np.arange(1)).X, X[3:4])
    shorter = read(mat(x=cells([*longer[:4], X[4, :, :3]])), form).take(np.arange(5)).X
    assert np.isnan(shorter).any(axis=(1, 2)).tolist() == [False] * 4 + [True]


def test_of_several_cells_the_one_of_the_training_is_read():
    views = cells([FLAT["rows"][:, :60], FLAT["rows"]])
    for name in ("views{2}", "Views{2}"):
        found = read(mat(views=views, other=np.zeros((5, 3))), form_of("rows", samples=name))
        np.testing.assert_array_equal(found.take(np.arange(5)).X, X)
