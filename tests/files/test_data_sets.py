"""Files as data sets are distributed: what is proposed of their names, shapes and numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, gaussian_filter1d

from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.files.infer.images import rank_folds
from pages.your_data.files.infer.search import explain_unused, find_alike
from pages.your_data.files.infer.vectors import find_class_names
from tests.files.formats import WRITERS
from tests.files.make import cells, mat, npz, structs
from tests.files.reader import (
    assert_read,
    first,
    infer_layouts,
    list_variables,
    read_samples,
    read_variables,
)
from tests.files.test_layout import DOWN, PARTS, STACK, WHICH, X, Y, assert_refused

pytestmark = pytest.mark.usefixtures("own_numbers")
RANDOM = np.random.default_rng(1)


def recording(moments, channels, seed=0):
    noise = np.random.default_rng(seed).normal(size=(moments, channels))
    return gaussian_filter1d(noise, 5, axis=0)


# ---- which vector is the label ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["diagnosis", "DX", "condition"])
def test_what_else_is_known_of_a_person_is_no_label_where_there_is_another(name):
    beside = {"sex": np.arange(40) % 2, "age": 20.0 + np.arange(40) % 3, "site": np.arange(40) % 4}
    ways = infer_layouts(mat(conn=STACK, **beside, **{name: Y}))
    assert ways[0].labels == name
    assert infer_layouts(mat(conn=STACK, sex=Y))[0].labels == "sex"


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_of_axes_as_long_as_the_labels_the_roughest_runs_over_samples(axis):
    recordings = gaussian_filter(RANDOM.normal(size=(40, 40, 40)), (0, 1, 4))
    file = mat(data=np.moveaxis(recordings, 0, axis), y=Y)
    assert infer_layouts(file)[0].axis == axis
    assert {way.axis for way in infer_layouts(file)} == {0, 1, 2}


# ---- what is refused --------------------------------------------------------------------------

OTHERS = np.random.default_rng(2)
NOISE = OTHERS.normal(size=(40, 12, 9))
RAGGED = cells([x[: 3 + i % 4, : 2 + i % 5] for i, x in enumerate(X)])
SCENE, PLANE = np.abs(NOISE[:5].transpose(1, 2, 0)), np.resize([0, 1, 2], (12, 9))
EVENTS, TIMES = np.c_[np.arange(40), 0 * Y, Y], np.linspace(0, 1, 9)
STIMULUS = np.repeat(np.arange(20) % 4, 100)
MARKS = {"pos": np.arange(40.0), "y": Y}
CLASS_NAMES = {"classes": cells(["left", "foot"]), "xpos": np.arange(13.0)}
LONG, TRIAL = recording(900, 25), {"trial": 15.0 * np.arange(48), "y": np.resize(Y, 48)}
CALLED_LABELS = {"patterns": OTHERS.random((9, 40)), "labels": OTHERS.random((7, 40))}
NO_LABELS = "The file holds no labels"
REFUSED = {
    "samples without labels": ({"X": STACK}, NO_LABELS + ": .* each sample of 'X', which is 12 ×"),
    "no class": ({"X": STACK, "y": np.nan * Y}, r"Every label in 'y' is NaN or infinity\.$"),
    "a label too few": (
        {"X": STACK, "y": Y[1:]},
        r"'y' has 39 labels, but no axis of 'X' \(12 × 9",
    ),
    "a count of the samples": (
        {"X": STACK, "y": np.arange(40.0)},
        "'y' has 40 different values for 40 samples: that is a number for each sample, not",
    ),
    "a time axis called y": (
        {"X": STACK, "y": np.arange(40) / 250 - 0.1},
        ".*: that is measurements, not",
    ),
    "what is called labels is no class of samples": (CALLED_LABELS, "'labels' is 7 × 40; labels"),
    "a label for each pixel": (
        {"scene": SCENE, "scene_gt": PLANE},
        "'scene_gt' has a label for each pixel of 'scene', ",
    ),
    "samples of four axes": (
        {"X": np.stack([np.stack([STACK] * 5, 2)] * 2, 3), "y": Y},
        r"'X' is 12 × 9 × 5 × 2 × 40: along axis 5 each is 12 × 9 × 5 × 2, which is not a matrix",
    ),
    "a row of cells of two numbers": ({"C": cells([X[0, :1, :2], X[1, :1, :2]])}, NO_LABELS),
    "a recording with marks": (
        {"cnt": recording(900, 13), "mrk": MARKS, "nfo": CLASS_NAMES},
        r"'mrk.y' has 40 labels, but no axis of 'cnt' \(900 × 13 numbers\) is as long",
    ),
    "samples whose classes alternate along them": (
        {"X": (np.arange(40) % 2)[:, None, None] + OTHERS.normal(size=(40, 8, 12))},
        NO_LABELS,
    ),
    "recordings with marks in cells": (
        {"data": cells([{"X": LONG, **TRIAL}, {"X": LONG, **TRIAL}], (1, 2))},
        "A cell of 'data.y' has 48 labels, but no axis of a",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_used_is_said_in_one_sentence(what):
    variables, sentence = REFUSED[what]
    with pytest.raises(FileError, match=f"^{sentence}"):
        infer_layouts(mat(**variables))


# ---- one variable, or one struct, for each subject --------------------------------------------

MIXED = np.arange(40) % 2 + 1.0
SAMPLES = [STACK[..., part] for part in PARTS]
ANSWERS = [MIXED[part] for part in PARTS]
SUBJECTS = [{"X": x, "y": answers} for x, answers in zip(SAMPLES, ANSWERS, strict=True)]


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({f"S{9 + i}": each for i, each in enumerate(SUBJECTS)}, "S*.X"),
        ({"data": dict(zip(["anna", "bert", "carl"], SUBJECTS, strict=True))}, "data.*.X"),
        ({f"{k}_s{i + 1}": each[k] for i, each in enumerate(SUBJECTS) for k in "Xy"}, "X_s*"),
        (
            {
                "data": {f"s{i}": samples for i, samples in enumerate(SAMPLES)},
                "marks": {f"s{i}": answers for i, answers in enumerate(ANSWERS)},
            },
            "data.s*",
        ),
    ],
)
def test_what_comes_once_for_each_subject_is_read_together(variables, name):
    file = mat(**variables)
    assert name in [each.name for each in list_variables(file)]
    assert infer_layouts(file)[0].samples == (name,)
    assert_read(first(file), X, MIXED, groups=WHICH)
    assert any(
        len(way.samples[0]) > len(name) or name not in way.samples for way in infer_layouts(file)
    )


def test_a_variable_for_each_sample_needs_a_vector_that_is_called_labels():
    trials = {f"eeg{i + 1}": X[i] for i in range(40)}
    # Sorted by name eeg10 comes before eeg2.
    assert_read(first(mat(**dict(sorted(trials.items()))), mat(label=Y)), X, Y)
    assert infer_layouts(mat(**trials, labels=Y))[0].samples == ("eeg*",)
    with pytest.raises(FileError):
        infer_layouts(mat(**trials, weights=Y))
    trials = {f"eeg{i + 1}": RAGGED[i] for i in range(40)}
    assert_refused(
        r"^The cells of 'trials.eeg\*' differ in shape: 3 × 2",
        {"trials.mat": mat(**trials), "labels.mat": mat(label=Y)},
    )


def test_what_is_read_together_stays_within_the_limit_of_one_variable(monkeypatch):
    file = mat(**{f"x{i}": np.zeros((4, 3)) for i in range(4)})
    assert read_variables(file, ["x*"])[0].nbytes == 4 * 96
    monkeypatch.setattr("pages.your_data.files.infer.families.LARGEST_ARRAY", 300)
    assert read_variables(file, ["x0"])[0].nbytes == 96
    with pytest.raises(FileError, match=r"^'x\*' is 4 × 3, which is more than the 160 MB"):
        read_variables(file, ["x*"])


SEVERAL = X + np.repeat([0.0, 3, 6, 9], 10)[:, None, None]  # samples of a class are alike
IN_TWO_AXES = SEVERAL.reshape(4, 10, *X.shape[1:])
TRIALS = np.resize([1.0, 2.0], 10)
OF_EACH = RANDOM.integers(1, 3, (4, 10))


@pytest.mark.parametrize(
    ("stored", "group_axis"),
    [(IN_TWO_AXES.transpose(2, 3, 1, 0), 3), (IN_TWO_AXES, 0)],
    ids=["MATLAB", "NumPy"],
)
@pytest.mark.parametrize(
    ("labels", "y"),
    [(TRIALS, np.tile(TRIALS, 4)), (OF_EACH, OF_EACH.ravel()), (OF_EACH.T, OF_EACH.ravel())],
    ids=["of trials", "by subject", "by trial"],
)
def test_an_axis_may_run_over_subjects_and_another_over_their_trials(stored, group_axis, labels, y):
    file = mat(X=stored, labels=labels)
    assert infer_layouts(file)[0].group_axis == group_axis
    assert_read(first(file), SEVERAL, y, groups=np.repeat([1, 2, 3, 4], 10))


def test_a_trial_without_a_label_is_left_out_for_every_subject():
    some = np.where(np.arange(10) == 3, np.nan, TRIALS)
    file = mat(X=IN_TWO_AXES.transpose(2, 3, 1, 0), labels=some)
    (way,) = infer_layouts(file)
    with pytest.raises(MissingError, match=r"^'labels' holds .*, 4 of its 40 labels"):
        read_samples(file, way)
    assert_read(
        read_samples(file, replace(way, missing="drop")),
        np.delete(IN_TWO_AXES, 3, axis=1).reshape(-1, 12, 9),
        np.tile(np.delete(TRIALS, 3), 4),
        groups=np.repeat([1, 2, 3, 4], 9),
    )


def test_the_axes_of_a_square_matrix_of_labels_are_those_of_the_samples():
    cube, square = np.arange(1080.0).reshape(12, 9, 10)[..., None] + np.arange(10), np.eye(10)
    square[3, 7] = 1
    data = read_samples(mat(X=cube, y=square), Layout(("X",), 2, labels="y", group_axis=3))
    np.testing.assert_array_equal(data.y, square.T.ravel())


def test_arrays_may_hold_a_label_for_each_cell():
    instance, subject, action = np.arange(40) // 4 % 2, np.arange(40) % 4, np.arange(40) % 5
    labels = {"instance_labels": instance, "subject_labels": subject, "action_labels": action}
    grids = {name: each.reshape(4, 10, order="F") for name, each in labels.items()}
    data = first(mat(data=cells([*X], (4, 10)), **grids))  # column by column
    assert_read(data, X, action, groups=subject)


# ---- classes that nothing names ---------------------------------------------------------------


def test_a_variable_for_each_class_and_part_gives_training_and_test():
    parts = {"train0": DOWN[:15], "train1": DOWN[20:33], "test0": DOWN[15:20], "test1": DOWN[33:]}
    data = first(mat(**parts))
    order = np.r_[15:20, 33:40, :15, 20:33]
    assert_read(data, X[order], np.where(Y[order] == 1, "0", "1"), test=np.arange(40) < 12)


@pytest.mark.parametrize(
    ("stored", "class_axis"),
    [
        (IN_TWO_AXES.transpose(2, 3, 1, 0), 3),
        (IN_TWO_AXES.transpose(2, 3, 0, 1), 2),
        (IN_TWO_AXES.transpose(0, 1, 3, 2).reshape(4, 10, -1).T, 2),
    ],
)
def test_an_axis_may_run_over_the_classes(stored, class_axis):
    file = mat(data=stored)
    way = infer_layouts(file)[0]
    assert (way.implied, way.class_axis) == ("axis", class_axis)
    assert_read(first(file), SEVERAL, np.repeat([1, 2, 3, 4], 10))
    other = next(each for each in infer_layouts(file) if each.class_axis != class_axis)
    assert len(np.unique(read_samples(file, other).y)) == 10


def test_each_class_may_have_a_variable_for_each_sample():
    trials = {f"left_{i}": X[i] for i in range(12)} | {f"right_{i}": X[20 + i] for i in range(9)}
    assert_read(first(mat(**trials)), X[np.r_[:12, 20:29]], np.repeat(["left", "right"], [12, 9]))
    runs = {f"s{i}_run{j}": X[i + j] for i in range(3) for j in range(3)}
    assert_refused(r"^9 variables, such as 's0_run0', hold one matrix of 12 × 9 each", mat(**runs))


@pytest.mark.parametrize("axes", [(2, 3, 0, 1), (2, 3, 1, 0), (0, 2, 3, 1)])
def test_time_is_no_class_and_no_sample(axes):
    noise = gaussian_filter1d(RANDOM.normal(size=(8, 5, 6, 120)), 3)
    recordings = noise + gaussian_filter1d(RANDOM.normal(size=(8, 1, 6, 120)), 3)
    file = mat(eeg=recordings.transpose(axes), freqs=8 + np.arange(8.0))
    assert_read(first(file), recordings.reshape(40, 6, 120), np.repeat(np.arange(8) + 1, 5))


def test_square_characters_stand_rather_than_lie():
    rows, columns = np.mgrid[-1:1:14j, -1:1:14j]
    ink = np.exp(-3 * rows**2 - 9 * columns**2)  # higher than wide
    pictures = gaussian_filter(np.random.default_rng(1).normal(size=(40, 14, 14)), (0, 1, 1)) * ink
    assert rank_folds(pictures.reshape(40, -1))[0] == ((14, 14), "C")
    assert rank_folds(pictures.transpose(0, 2, 1).reshape(40, -1), by_rows=True)[0] == (
        (14, 14),
        "F",
    )


@pytest.mark.parametrize(
    ("axes", "shape", "order"),
    [
        ((0, 3, 1, 2), (36, 9), "C"),  # CIFAR
        ((0, 3, 2, 1), (12, 27), "F"),  # MATLAB's X(:)
        ((0, 1, 2, 3), (12, 27), "C"),  # NumPy's ravel
        ((0, 2, 1, 3), (36, 9), "F"),
    ],
)
def test_the_colours_of_a_flattened_picture_stand_beside_or_below_one_another(axes, shape, order):
    colours = X[..., None] + gaussian_filter(RANDOM.normal(size=(40, 12, 9, 3)), (0, 1, 1, 0)) / 5
    flat = colours.transpose(axes).reshape(40, -1)
    assert rank_folds(flat, by_rows=order == "C")[0] == (shape, order)
    stored = np.concatenate([*colours.transpose(3, 1, 2, 0)], 0 if shape[0] > 12 else 1)
    if axes[-1] != 3:
        way = Layout(("X",), 0, shape, order, labels="y")
        read = read_samples(mat(X=flat, y=Y), way).X
        np.testing.assert_array_equal(read, stored.transpose(2, 0, 1))


def test_colours_are_told_from_blocks_of_as_many():
    recordings = RANDOM.normal(size=(12, 9, 4, 40))
    assert infer_layouts(mat(X=recordings, y=Y))[0].mean_over is None
    assert infer_layouts(mat(X=np.abs(recordings * 9) // 1, y=Y))[0].mean_over == 2
    colours = STACK[:, :, None] + RANDOM.normal(size=(12, 9, 3, 40)) / 9
    colours[3, 2, 1, 5], colours[4, 2, 1, 7] = np.nan, np.inf
    assert infer_layouts(mat(X=1e200 * colours, y=Y))[0].mean_over == 2


# ---- structs in cells -----------------------------------------------------------------------


@pytest.mark.parametrize("in_cells", [True, False])
def test_samples_are_found_behind_what_else_is_known_of_each(in_cells):
    known = {"age": 30.0, "sex": "f", "date": "2020-01-01", "iq": 100.0, "site": 3.0, "fs": 250.0}
    trials = [{**known, "name": f"s{i}", "waves": X[i], "stage": Y[i]} for i in range(40)]
    fields = {name: [each[name] for each in trials] for name in trials[0]}
    assert_read(first(mat(trials=cells(trials, (1, 40)) if in_cells else structs(**fields))), X, Y)


@pytest.mark.parametrize("array", [False, True])
def test_structs_in_cells_may_hold_further_ones(array):
    inner = [{"data": x, "labels": a[:, None]} for x, a in zip(SAMPLES, ANSWERS, strict=True)]
    outer = [{"eeg": each, "trials": cells([each, each], (1, 2))} for each in inner]
    file = mat(S=structs(eeg=inner) if array else cells(outer, (1, 3)), fs=100.0)
    assert ("S.trials.data" in [each.name for each in list_variables(file)]) is not array
    assert_read(first(file), X, MIXED, groups=WHICH)


@pytest.mark.parametrize("file_format", ["version 7", "version 7.3"])
def test_cells_without_a_field_of_the_first_are_named(file_format):
    runs = [{"x": X[i], "label" if i == 39 else "y": Y[i]} for i in range(40)]
    file = WRITERS[file_format]({"s": cells(runs, (1, 40))})
    assert_refused(r"^Not every cell of 's' has a field 'y'\.$", file)


def test_structs_beside_other_cells_are_not_read():
    with pytest.raises(FileError, match=r"^'C' holds structs in some of its cells: save what"):
        read_variables(mat(C=cells([X[0], {"x": X[1]}], (1, 2))), ["C"])


def test_measurements_that_are_called_labels_become_two_classes_at_their_median():
    for variables, name, y in (
        ({"y": NOISE[:, 0, 0]}, "y", NOISE[:, 0, 0]),
        ({"ratings": NOISE[:, 0, :2]}, "ratings(:,1)", NOISE[:, 0, 0]),
    ):
        contents = Contents(mat(X=STACK, **variables))
        (layout, *_) = contents.infer_layouts()
        assert (layout.samples, layout.axis, layout.labels) == (("X",), 2, name)
        assert layout.threshold == pytest.approx(np.median(y))
        found = contents.raw_samples(layout).y
        is_above = np.array([each.startswith("above") for each in found])
        np.testing.assert_array_equal(is_above, y > np.median(y))
        other = contents.raw_samples(replace(layout, threshold=float(np.sort(y)[9])))
        assert sum(each.startswith("up to") for each in other.y) == 10
        with pytest.raises(FileError, match="The threshold must divide"):
            contents.raw_samples(replace(layout, threshold=1e9))


# ---- samples of three axes, and cells of unequal length ---------------------------------------


def test_of_a_patch_the_two_equal_axes_are_joined_first():
    bands = NOISE.reshape(12, 90, 4)[:, :81].reshape(12, 4, 9, 9)
    data = first(npz(patches=bands, labels=np.resize([1, 2], 12)))
    np.testing.assert_array_equal(data.X, bands.reshape(12, 4, 81))


@pytest.mark.parametrize("other", [X[0, :5, :8], X[0, :, :4], X[0, :, :8]])
def test_the_few_cells_that_are_smaller_are_left_out(other):
    contents = Contents(mat(trial=cells([other, *X[1:]]), y=Y[:, None]))
    way, *others = contents.infer_layouts()
    assert_read(contents.raw_samples(way).take(np.arange(39)), X[1:], Y[1:])
    assert [way.cut for way in others] == [(12, 8)] * (other.shape == (12, 8))


def test_each_cell_may_hold_other_entries_of_the_same_samples():
    views = [NOISE[:, :, :2].reshape(40, 24), NOISE[:, :, 3:].reshape(40, 72)]
    for axis, stored in enumerate([views, [view.T for view in views]]):
        contents = Contents(mat(X=cells(stored), Y=Y[:, None]))
        ways = find_alike(contents.context, contents.infer_layouts())
        assert [(way.samples, way.axis) for way in ways] == [(("X{2}",), axis), (("X{1}",), axis)]
        found = contents.raw_samples(replace(ways[1], shape=(24, 1))).take(np.arange(40)).X
        np.testing.assert_array_equal(found[..., 0], views[0])
        assert "X{1}" in explain_unused(contents.context, ways[0], 40)


SEX = np.resize([1, 1, 2], 40)
ALIKE = {
    "two labels": ({"X": STACK, "y1": Y, "y2": SEX}, "labels", ["y1", "y2"]),
    "two of unknown names": ({"X": STACK, "a": Y, "b": SEX}, "labels", ["a", "b"]),
    "one called labels": ({"X": STACK, "label": Y, "b": SEX}, "labels", ["label"]),
    "a covariate": ({"X": STACK, "a": Y, "sex": SEX}, "labels", ["a"]),
    "two labels of the same classes": ({"X": STACK, "y1": Y, "y2": 5 - Y}, "labels", ["y1"]),
    "one-hot": ({"X": STACK, "y": np.eye(2)[SEX - 1]}, "labels", ["y"]),
    "columns of ratings": (
        {"X": STACK, "ratings": NOISE[:, :2, 0]},
        "labels",
        ["ratings(:,1)", "ratings(:,2)"],
    ),
    "two stacks": ({"A": STACK, "B": STACK[:11], "y": Y}, "samples", [("A",), ("B",)]),
    "a stack and a smaller one": ({"A": STACK, "B": STACK[:3], "y": Y}, "samples", [("A",)]),
    "a cube of noise": (
        {"X": NOISE.ravel()[: 12**3].reshape(12, 12, 12), "y": SEX[:12]},
        "axis",
        [0, 1, 2],
    ),
    "a square of noise": ({"X": NOISE[:12, :, 0], "y": SEX[:12]}, "axis", [0, 1]),
}


@pytest.mark.parametrize("what", ALIKE)
def test_readings_that_nothing_tells_apart_are_found(what):
    variables, field, expected = ALIKE[what]
    contents = Contents(mat(**variables))
    found = find_alike(contents.context, contents.infer_layouts())
    assert sorted(getattr(way, field) for way in found) == sorted(expected)


def test_where_an_axis_may_run_over_the_classes_and_another_as_well_both_are_asked_about():
    trials = np.cumsum(RANDOM.normal(size=(6, 50, 30, 5)), axis=1)
    contents = Contents(mat(eeg=trials))
    ways = find_alike(contents.context, contents.infer_layouts())
    assert {(way.axis, way.class_axis) for way in ways} == {(2, 3), (3, 2)}
    images = np.kron(RANDOM.random((4, 4, 300, 5)), np.ones((4, 4, 1, 1))).reshape(256, 300, 5)
    contents = Contents(mat(data=images))  # of 300 classes nobody speaks
    assert len(find_alike(contents.context, contents.infer_layouts())) == 1


def test_names_of_classes_are_found_beside_their_numbers():
    def names(y, **variables):
        contents = Contents(mat(X=STACK, y=y, **variables))
        return find_class_names(contents.context, contents.infer_layouts()[0], np.unique(y))

    three, words = np.arange(40) % 3, cells(["rest", "left", "right"], (1, 3))
    assert names(three, classnames=words) == ("rest", "left", "right")
    assert names(three + 1, label_names=words) == ("rest", "left", "right")
    assert names(three + 2, classnames=words) == ()  # numbers that no place gives
    assert names(three, channels=words) == ()
    assert names(Y, classnames=words) == ()


def test_variables_that_are_not_used_come_with_the_reason():
    extras = {
        "fs": 250.0,
        "note": "by me",
        "t": np.arange(9.0) / 250,
        "sex": Y,
        "who": np.arange(40) // 4,
        "one": np.ones(40),
        "rt": NOISE[:, 0, 0],
        "raw": NOISE,
        "none": np.zeros((0, 3)),
        "half": np.resize([1.0, 2, 2], 20),
    }
    contents = Contents(mat(X=STACK, y=Y, **extras))
    (way, *_) = contents.infer_layouts()
    assert explain_unused(contents.context, way, 40) == {
        "fs": "is a single number",
        "note": "is a single text",
        "t": "is all different and in order or evenly spaced, as an axis (time, place) is",
        "sex": "has 2 different numbers for 40 samples, and could be labels or groups",
        "who": "has 10 different numbers for 40 samples, and could be labels or groups",
        "one": "has the same number for every sample",
        "rt": "has 40 different numbers for 40 samples: too many for classes or groups",
        "raw": "is 40 × 12 × 9: it could be samples, and another variable is likelier",
        "none": "is empty: 0 × 3",
        "half": "has 20 numbers for 40 samples",
    }
    assert "X" not in explain_unused(contents.context, replace(way, labels="sex"), 40)
    assert "y" in explain_unused(contents.context, replace(way, labels="sex"), 40)
