"""New samples are read as the training samples were, and never guessed anew."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from pages.shared.files import Contents, Layout, MatFileError
from pages.your_data.trial.form import SampleForm
from pages.your_data.trial.machine import Machine
from pages.your_data.use.new_samples import NO_LABELS, find_labels, find_samples, read_new
from smmcore.estimators.scaling import Scaling
from tests.files.make import cells, mat, npz
from tests.pages.your_data.lesson import (
    button,
    finish_runs,
    machine_file,
    name_classes,
    open_file,
    texts,
    upload,
)

P, Q = 6, 20
RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, P, Q))
NEW, MODEL = "upload new samples", "upload saved model"
DIGITS = load_digits()


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
@pytest.mark.parametrize("form", [SampleForm(), SampleForm(axis=2), SampleForm(order="rows")])
def test_a_single_matrix_is_a_sample(single, form):
    for content in (mat(x=single), npz(x=single)):
        np.testing.assert_array_equal(read(content, form).take(np.arange(1)).X, X[:1])


@pytest.mark.parametrize("order", ["columns", "rows"])
def test_flattened_samples_are_folded_as_those_of_the_training(order):
    form, rows = SampleForm(order=order), FLAT[order]
    for content in (mat(x=rows), mat(x=rows.T), npz(x=rows)):
        np.testing.assert_array_equal(read(content, form).take(np.arange(5)).X, X)
    for one in (rows[:1], rows[:1].T, rows[0]):  # 1 x p q, p q x 1, and a vector of NumPy
        for content in (mat(x=one), npz(x=one)):
            np.testing.assert_array_equal(read(content, form).take(np.arange(1)).X, X[:1])


def test_of_two_axes_that_fit_the_one_of_the_training_counts():
    cube = RNG.normal(size=(4, 4, 4))
    ours = machine(SampleForm(axis=1), (4, 4))
    raw = read_new(Contents(npz(x=cube)), ours, "x", NO_LABELS)
    np.testing.assert_array_equal(raw.take(np.arange(4)).X, np.moveaxis(cube, 1, 0))


def test_samples_of_another_shape_get_a_sentence_that_names_the_variable():
    for values, form, sentence in (
        (X.swapaxes(1, 2), SampleForm(), "its samples are 20 × 6, and those of the classifier 6 ×"),
        (FLAT["rows"], SampleForm(), "nothing says in which order to fold these: save matrices"),
        (np.ones((40, 10, 20)), SampleForm(), r"'x' is 40 × 10 × 20, which holds no samples of 6"),
        (np.ones((12, 10)), SampleForm(order="rows"), "'x' is 12 × 10, which holds no samples of"),
    ):
        with pytest.raises(MatFileError, match=sentence):
            read(npz(x=values), form)
    with pytest.raises(MatFileError, match=r"No variable of this file holds samples of 6 × 20\.$"):
        read(mat(word="text"), SampleForm())


def test_a_table_may_hold_the_labels_in_the_column_of_the_training():
    form = SampleForm(order="rows", column="last column")
    content = npz(x=np.c_[FLAT["rows"], [1, 2, 1, 2, 2]])
    contents, ours = Contents(content), machine(form)
    assert find_labels(contents, ours, "x", 5) == ["last column"]
    raw = read_new(contents, ours, "x", "last column")
    np.testing.assert_array_equal(raw.take(np.arange(5)).X, X)
    assert raw.y.tolist() == [1, 2, 1, 2, 2]


def test_labels_may_be_of_one_class_one_each_missing_or_called_as_in_the_training():
    def labels(n=5, **variables):
        ours = machine(SampleForm(labels="stage"))
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


def test_colours_are_averaged_as_in_the_training():
    pictures = RNG.random((4, P, Q, 3))
    raw = read(npz(x=pictures), SampleForm(has_colours=True))
    np.testing.assert_allclose(raw.take(np.arange(4)).X, pictures.mean(axis=3))
    grey = SampleForm(has_colours=True).stack(X[:3], (P, Q), "X")  # not 3 colours
    np.testing.assert_array_equal(grey, X[:3])


@pytest.mark.parametrize("axis", [0, 3])
@pytest.mark.parametrize("way", [{"joined": (1, 2)}, {"joined": (2, 3)}, {"place": (2, 1)}])
def test_samples_of_three_axes_become_matrices_as_in_the_training(axis, way):
    patches = np.moveaxis(RNG.normal(size=(6, 3, 4, 5)), 0, axis)
    # The axes of the way are those of a file with samples along axis 0.
    moved = {name: tuple(at - (axis == 3) for at in pair) for name, pair in way.items()}
    if "place" in way:
        moved = {"place": (2 - (axis == 3), 1)}
    layout = Layout(("x",), axis, labels="y", **moved)
    trained = Contents(npz(x=patches, y=np.arange(6) % 2)).raw_samples(layout)
    expected = trained.take(np.arange(6)).X
    form, shape = SampleForm.of(layout, -1.0, 1.0), expected.shape[1:]
    one = patches.take([2], axis)
    for values, some in (
        (patches, expected),
        (one, expected[2:3]),
        (one.squeeze(axis), expected[2:3]),
    ):
        np.testing.assert_array_equal(form.stack(values, shape, "x"), some)


def test_longer_cells_and_matrices_are_cut_as_in_the_training():
    form = SampleForm(is_cut=True)
    longer = [np.c_[x, np.ones((P, i))] for i, x in enumerate(X)]
    raw = read(mat(x=cells(longer)), form)
    np.testing.assert_array_equal(raw.take(np.arange(5)).X, X)
    np.testing.assert_array_equal(read(npz(x=longer[3]), form).take(np.arange(1)).X, X[3:4])
    shorter = read(mat(x=cells([*longer[:4], X[4, :, :3]])), form).take(np.arange(5)).X
    assert np.isnan(shorter).any(axis=(1, 2)).tolist() == [False] * 4 + [True]


def test_of_several_cells_the_one_of_the_training_is_read():
    views = cells([FLAT["rows"][:, :60], FLAT["rows"]])
    for name in ("views{2}", "Views{2}"):
        found = read(
            mat(views=views, other=np.zeros((5, 3))), SampleForm(order="rows", samples=name)
        )
        np.testing.assert_array_equal(found.take(np.arange(5)).X, X)


def test_entries_in_another_unit_are_told():
    form = SampleForm(low=0.0, high=255.0)
    assert form.find_unit_problem(0.0, 200.0) == ""
    assert form.find_unit_problem(0.0, 0.0) == ""
    told = "range from 0 to 0.9, those of the training samples from 0 to 255"
    assert told in form.find_unit_problem(0.0, 0.9)
    assert SampleForm().find_unit_problem(0.0, 1e9) == ""  # the range is not known


def test_a_form_comes_back_from_the_file_of_its_machine():
    form = SampleForm(
        *(2, "columns", "last column", True, "fea", "gnd", (("0", "rest"), ("1", "move"))),
        *((1, 3), (0, 2), True, -1.5, 9.0),
    )
    for each in (form, SampleForm()):
        for suffix in (".npz", ".mat"):
            file = machine_file(machine(each), suffix)
            found = Machine.load(file).form
            assert repr(found) == repr(each)


@pytest.mark.parametrize(
    "text",
    [
        *('{"axis": 1.5}', '{"axis": -1}', '{"axis": 1e999}', '{"joined": [0, 1, 2]}'),
        *('{"place": "all"}', '{"place": [null, 1]}', '{"order": "spiral"}', '{"names": [["a"]]}'),
        *('{"names": [[1, 2]]}', '{"has_colours": "no"}', '{"low": "wide"}', '{"other": 1}'),
        *("[", "[]", "3", "[" * 100_000),
    ],
)
def test_a_damaged_form_gets_a_sentence(text):
    with pytest.raises(ValueError, match="the form of the samples is damaged"):
        SampleForm.from_text(text)


# ---- on the page ----------------------------------------------------------------------------


def predicted(page):
    """The predictions that the page shows."""
    (table,) = (each.value for each in page.dataframe if "prediction" in each.value)
    return table["prediction"].tolist()


def test_flattened_digits_are_read_in_the_order_of_the_trial(contents):
    two = np.isin(DIGITS.target, (1, 7))
    images, y = DIGITS.data[two], DIGITS.target[two]
    page = open_file(contents, mat(fea=images[:200], gnd=y[:200]), trained="SMM")
    button(page, "Train on everything").click()
    page = finish_runs(page.run())
    sevens = images[200:][y[200:] == 7][:2]
    page = upload(page, mat(fea=sevens), "new.mat", NEW)
    assert predicted(page) == ["7", "7"]
    assert "flattened ones along their rows" in texts(page.success)
    page = upload(page, mat(fea=sevens / 16, gnd=[7.0, 7.0]), "unit.mat", NEW)
    assert "those of the training samples from 0 to 16" in texts(page.warning)
    assert "of 2 correct" in " ".join(metric.delta for metric in page.metric)


def test_labels_with_the_old_names_of_renamed_classes_are_known(contents):
    two = np.isin(DIGITS.target, (1, 7))
    images, y = DIGITS.images[two], DIGITS.target[two]
    page = open_file(
        contents,
        mat(X=images[:100], y=y[:100]),
        trained="SMM",
    )
    page = finish_runs(name_classes(page, {0: "one", 1: "seven"}))
    button(page, "Train on everything").click()
    page = finish_runs(page.run())
    for labels in (y[100:140], np.where(y[100:140] == 1, "one", "seven").astype(object)):
        page = upload(page, mat(X=images[100:140], y=labels), "new.mat", NEW)
        (metric,) = (each for each in page.metric if each.label == "Accuracy on the new samples")
        assert metric.delta.endswith("of 40 correct")
        assert int(metric.delta.split()[0]) > 35
