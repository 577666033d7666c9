"""How samples, labels, groups and parts are laid out: what the table of kinds does not judge.

The table compares samples in any order and fold. Here they are the same to the last number, and the
proposed layouts, the names of classes, the folds and the sentences are what they should be.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.files.infer.images import rank_folds
from pages.your_data.files.infer.search import explain_unused, find_alike
from pages.your_data.files.infer.vectors import find_class_names
from pages.your_data.trial.form import SampleForm, find_unlabelled
from tests.files.kinds import (
    ALONG,
    ALTERNATE,
    DOWN,
    HELD,
    MORE,
    NOISE,
    STACK,
    STORED,
    SUBJECTS,
    VIEWS,
    WHICH,
    WHO,
    P,
    Q,
    X,
    Y,
)
from tests.files.make import cells, mat, npz
from tests.files.reader import (
    assert_read,
    first,
    infer_layouts,
    list_variables,
    read_samples,
    read_variables,
)

pytestmark = pytest.mark.usefixtures("own_numbers")
RANDOM = np.random.default_rng(1)

# ---- samples and labels ----------------------------------------------------------------------


ALONG_ROWS = "n x pq along rows"  # in MATLAB's usual order its transpose: the page asks


@pytest.mark.parametrize("quirk", [each for each in STORED if each != ALONG_ROWS])
def test_every_quirk_gives_the_same_samples(quirk):
    data = first(mat(**STORED[quirk]))
    assert_read(data, X, Y)
    np.testing.assert_array_equal(data.rows, np.arange(40))


# What real files hold beside their samples: a sampling rate, switches, a note, settings, nothing.
SINGLE = st.one_of(
    st.floats(-1e3, 1e3),
    st.integers(-128, 127).map(np.int8),
    st.booleans(),
    st.sampled_from(["by hand", ""]),
)
EXTRAS = st.one_of(
    SINGLE,
    st.sampled_from([(0, 0), (0, 3), (1, 0), (0, 40), (2, 0, 5)]).map(np.zeros),
    st.dictionaries(st.sampled_from(["rate", "filter", "version"]), SINGLE, min_size=1),
    st.lists(SINGLE, max_size=3).map(cells),
)


@given(
    st.sampled_from([*STORED]),
    st.dictionaries(st.from_regex(r"\A(fs|is_|n_|info|opt)[a-z]{0,3}\Z"), EXTRAS, min_size=1),
)
def test_scalars_texts_and_empty_variables_change_nothing(quirk, extras):
    plain, file = Contents(mat(**STORED[quirk])), mat(**(extras | STORED[quirk]))
    contents = Contents(file)
    layout = contents.infer_layouts()[0]
    assert layout == plain.infer_layouts()[0]
    assert find_unlabelled(contents.context, layout, (P, Q)) == find_unlabelled(
        plain.context, layout, (P, Q)
    )
    assert_read(read_samples(file, layout), read_samples(mat(**STORED[quirk]), layout).X, Y)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((Y == 2).astype(np.uint8), Y == 2),
        (np.where(Y == 1, 0.25, 0.75), np.where(Y == 1, 0.25, 0.75)),
        (np.where(Y == 1, "cat  ", "horse"), np.where(Y == 1, "cat", "horse")),
        (np.array(["a" * 20 + "b" * 20]), np.where(Y == 1, "a", "b")),
        (1.0 * (Y[:, None] == [1, 5, 2]).T, np.where(Y == 2, 3, 1)),
    ],
)
def test_labels_come_as_given(labels, expected):
    data = first(mat(X=STACK, y=labels))
    assert_read(data, X, expected)
    assert labels.ndim > 1 or data.y.dtype.kind == labels.dtype.kind


@pytest.mark.parametrize(
    ("one", "other", "classes"),
    [
        ("faces", "others", ["faces", "others"]),
        ("train1", "train10", ["1", "10"]),  # what their names do not share
        ("S1_left_epochs", "S1_right_epochs", ["left", "right"]),
        ("face", "nonface", ["face", "nonface"]),
        ("X", "X2", ["X", "X2"]),
    ],
)
def test_classes_are_called_as_their_variables(one, other, classes):
    data = first(mat(**{one: STACK[:, :, :15], other: STACK[:, :, 15:]}))
    assert_read(data, X, np.repeat(classes, [15, 25]))


@pytest.mark.parametrize("labels", [[0, 1], [1, 2], [-1, 1], [0, 1, 2, 3], [1, 2, 3, 4]])
def test_a_column_that_counts_the_classes_is_the_label(labels):
    y = np.resize(labels, 40)
    assert_read(first(mat(all=np.c_[ALONG, y])), X, y)
    with pytest.raises(FileError, match=r"^The file holds no labels"):
        first(mat(all=np.c_[DOWN, 2 * y]))


def test_measurements_that_are_called_labels_become_two_classes_at_their_median():
    for variables, name, y in (
        ({"y": NOISE[:, 0, 0]}, "y", NOISE[:, 0, 0]),
        ({"ratings": NOISE[:, 0, :2]}, "ratings(:,1)", NOISE[:, 0, 0]),
    ):
        contents = Contents(mat(X=STACK, **variables))
        (layout, *_) = contents.infer_layouts()
        assert (layout.samples, layout.axis, layout.labels) == ("X", 2, name)
        assert layout.threshold == pytest.approx(np.median(y))
        found = contents.raw_samples(layout).y
        is_above = np.array([each.startswith("above") for each in found])
        np.testing.assert_array_equal(is_above, y > np.median(y))
        other = contents.raw_samples(replace(layout, threshold=float(np.sort(y)[9])))
        assert sum(each.startswith("up to") for each in other.y) == 10
        with pytest.raises(FileError, match="The threshold must divide"):
            contents.raw_samples(replace(layout, threshold=1e9))


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


# ---- test parts and groups -------------------------------------------------------------------


def test_an_empty_or_whole_test_part_is_refused():
    file = mat(X=STACK, y=Y, set=cells(["train"] * 40))
    with pytest.raises(FileError, match=r"^By 'set' none of the 40 samples are for testing"):
        read_samples(file, Layout("X", 2, labels="y", parts="set"))


def test_a_validation_part_is_for_testing_where_there_is_no_other():
    some = {"train_x": STACK[..., ~HELD], "train_y": Y[~HELD]}
    some |= {"val_x": STACK[..., HELD], "val_y": Y[HELD]}
    assert infer_layouts(mat(**some))[0].test == ("val_x", "val_y")
    test = {"test_x": STACK[..., HELD], "test_y": Y[HELD]}
    assert infer_layouts(mat(**some, **test))[0].test == ("test_x", "test_y")


def test_groups_of_the_training_part_alone_are_not_used():
    parts = {"train": slice(0, 40, 2), "test": slice(1, 40, 2)}
    variables = {f"X_{word}": X[some] for word, some in parts.items()}
    variables |= {f"y_{word}": Y[some] for word, some in parts.items()}
    # Nothing tells whether the others are in the test part too.
    assert infer_layouts(mat(**variables, subject_train=WHO[::2]))[0].groups == ""


def test_stacks_in_cells_may_have_one_vector_of_labels():
    file = mat(C=cells([STACK[..., :15], STACK[..., 15:]], (1, 2)), y=Y)
    layout = Layout("C", 3, labels="y", cells=(1, 2))
    assert_read(read_samples(file, layout), X, Y, groups=np.repeat([1, 2], [15, 25]))


def test_what_comes_once_for_each_subject_is_read_together_or_one_subject_alone():
    file = mat(**{f"S{9 + i}": each for i, each in enumerate(SUBJECTS)})
    assert "S*.X" in [each.name for each in list_variables(file)]
    assert infer_layouts(file)[0].samples == "S*.X"
    assert_read(first(file), X, ALTERNATE + 1, groups=WHICH)
    assert any(way.samples == "S11.X" for way in infer_layouts(file))


def test_what_is_read_together_stays_within_the_limit_of_one_variable(monkeypatch):
    file = mat(**{f"x{i}": np.zeros((4, 3)) for i in range(4)})
    assert read_variables(file, ["x*"])[0].nbytes == 4 * 96
    monkeypatch.setattr("pages.your_data.files.infer.families.LARGEST_ARRAY", 300)
    assert read_variables(file, ["x0"])[0].nbytes == 96
    with pytest.raises(FileError, match=r"^'x\*' is 4 × 3, which is more than the 160 MB"):
        read_variables(file, ["x*"])


# ---- folds, colours, three axes ---------------------------------------------------------------


@pytest.mark.parametrize(("p", "q"), [(12, 9), (9, 12), (16, 16), (10, 40), (30, 4)])
def test_smooth_pictures_tell_the_length_of_their_lines(p, q):
    pictures = gaussian_filter(RANDOM.normal(size=(50, p, q)), (0, 1, 1))
    for order, line in (("F", p), ("C", q)):
        flat = pictures.transpose(0, 2, 1) if order == "F" else pictures
        found = rank_folds(flat.reshape(50, -1))
        assert found[0][0][found[0][1] == "C"] == line
        assert ((p, q), order) in found[:2]  # or its transpose


def test_pictures_of_noise_are_read_as_square_as_can_be():
    assert rank_folds(RANDOM.normal(size=(50, 108)))[0] == ((12, 9), "F")
    assert rank_folds(np.zeros((50, 108)))[0] == ((12, 9), "F")
    assert rank_folds(1e300 * DOWN)[0] == ((12, 9), "F")


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
        way = Layout("X", 0, shape, order, labels="y")
        read = read_samples(mat(X=flat, y=Y), way).X
        np.testing.assert_array_equal(read, stored.transpose(2, 0, 1))


def test_colours_are_told_from_blocks_of_as_many():
    recordings = RANDOM.normal(size=(12, 9, 4, 40))
    assert infer_layouts(mat(X=recordings, y=Y))[0].mean_over is None
    assert infer_layouts(mat(X=np.abs(recordings * 9) // 1, y=Y))[0].mean_over == 2
    colours = STACK[:, :, None] + RANDOM.normal(size=(12, 9, 3, 40)) / 9
    colours[3, 2, 1, 5], colours[4, 2, 1, 7] = np.nan, np.inf
    assert infer_layouts(mat(X=1e200 * colours, y=Y))[0].mean_over == 2


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
    for axis, stored in enumerate([VIEWS, [view.T for view in VIEWS]]):
        contents = Contents(mat(X=cells(stored), Y=Y[:, None]))
        ways = find_alike(contents.context, contents.infer_layouts())
        assert [(way.samples, way.axis) for way in ways] == [("X{2}", axis), ("X{1}", axis)]
        found = contents.raw_samples(replace(ways[1], shape=(24, 1))).take(np.arange(40)).X
        np.testing.assert_array_equal(found[..., 0], VIEWS[0])
        assert "X{1}" in explain_unused(contents.context, ways[0], 40)


def test_only_the_samples_that_are_taken_become_doubles():
    stored = Contents(mat(X=np.tile(np.uint8(50 * (X - X.min())), (5, 1, 1)), y=np.tile(Y, 5)))
    whole = stored.raw_samples(Layout("X", 0, labels="y"))
    assert whole.stacks[0][0].dtype == np.uint8
    assert whole.shape == (200, P, Q)
    assert whole.take(np.array([7, 3])).X.dtype == np.float64


def test_missing_numbers_are_counted_over_colours():
    array = np.zeros((12, 9, 2, 20))
    array[0, 0, [0, 1], [17, 19]] = np.nan
    said = "^'X' holds NaN or infinity, 2 of its 4,320 numbers, first in sample 18 of 20;"
    with pytest.raises(MissingError, match=said):
        read_samples(mat(X=array, y=Y[10:30]), Layout("X", 3, labels="y", mean_over=2))


# ---- samples without labels, other readings, what is not used, and sentences --------------------


@pytest.mark.parametrize(
    ("labelled", "more"),
    [
        ({"X_train": X, "y_train": Y}, MORE),
        ({"X_train": X, "y_train": Y}, MORE.transpose(1, 2, 0)),  # samples along another axis
        ({"fea": DOWN, "gnd": Y}, MORE.transpose(0, 2, 1).reshape(7, -1)),
        ({"X": np.stack([STACK] * 3, 2), "y": Y}, np.stack([MORE.transpose(1, 2, 0)] * 3, 2)),
        ({"X": cells([*X]), "y": Y}, cells([*MORE])),
    ],
)
def test_samples_without_labels_beside_labelled_ones_are_found_and_read(labelled, more):
    contents = Contents(mat(**labelled, other=more, mean=X.mean(0), noise=np.ones((7, 5))))
    layout = next(each for each in contents.infer_layouts() if each.samples != "other")
    assert find_unlabelled(contents.context, layout, (P, Q)) == ["other"]
    read = SampleForm(layout).read(contents, "other", (P, Q))
    np.testing.assert_allclose(np.mean(read, axis=0), MORE)


def test_samples_that_have_labels_are_not_among_those_without():
    parts = {"X_train": STACK, "y_train": Y, "X_test": STACK[..., 5:25], "y_test": Y[5:25]}
    contents = Contents(mat(**parts, X_val=STACK[..., 9:30], y_val=Y[9:30]))
    assert not find_unlabelled(contents.context, contents.infer_layouts()[0], (P, Q))


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
