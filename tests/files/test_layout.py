"""Finding samples and labels in a file: every quirk gives the same X and y, or one sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter
from scipy.sparse import csc_matrix

from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.files.infer.images import rank_folds
from pages.your_data.trial.form import SampleForm, find_unlabelled
from tests.files.make import cells, csv, mat, npy, npz
from tests.files.reader import assert_read, first, infer_layouts, read_samples

pytestmark = pytest.mark.usefixtures("own_numbers")
# Smooth pictures as those of faces and characters are, and not square, so that a wrong order
# cannot pass for a transpose.
RANDOM = np.random.default_rng(0)
X = gaussian_filter(RANDOM.normal(size=(40, 12, 9)), (0, 1.2, 1.2))
X[20:, 2:6, 3:7] += 1
X = X.round(4)  # as texts have six digits
Y = np.repeat([1.0, 2.0], 20)
P, Q = X.shape[1:]
DOWN = X.transpose(0, 2, 1).reshape(40, -1)  # each sample as MATLAB's X(:)
ALONG = X.reshape(40, -1)
STACK = X.transpose(1, 2, 0)
WHO = np.arange(40) // 4


def assert_refused(sentence, *files):
    with pytest.raises(FileError, match=sentence):
        first(*files)


ANSWERS = np.where(Y == 1, "left", "right")
FOUR = np.arange(40) // 10 + 1.0  # classes
STORED = {
    "n x pq": {"fea": DOWN, "gnd": Y[:, None]},
    "pq x n": {"data": DOWN.T, "label": Y[None]},
    "n x pq along rows": {"fea": ALONG, "gnd": Y},
    "pq x n along rows": {"fea": ALONG.T, "gnd": Y},
    "p x q x n": {"X": STACK, "y": Y},
    "n x p x q": {"X": X, "y": Y},
    "p x n x q": {"X": X.transpose(1, 0, 2), "y": Y},
    "p x q x 1 x n": {"X": STACK[:, :, None], "y": Y},
    "labels 1 × 1 x n": {"X": STACK, "y3": Y[None, None]},
    "data called y, labels called x": {"y": STACK, "x": Y},
    "sizes in the file": {"fea": DOWN, "Y": Y, "im_height": float(P), "im_width": float(Q)},
    "sizes as a pair": {"fea": DOWN, "y": Y, "dims": [P, Q]},
    "a mean picture of that size": {"fea": DOWN, "y": Y, "average": X.mean(0)},
    "struct in struct": {"imdb": {"images": {"data": STACK[:, :, None], "label": Y}}},
    "struct array": {
        "S": np.array(list(zip(X, Y, strict=True)), [("d", object), ("label", object)])
    },
    "cell of samples": {"samples": cells([*X]), "labels": Y},
    "cell of flattened samples": {"samples": cells([*DOWN]), "labels": Y},
    "sparse": {"fea": csc_matrix(DOWN), "y": Y},
    "extras": {"X": STACK, "y": Y, "fs": 100.0, "none": np.zeros((0, 0)), "note": "made by hand"},
    "several vectors": {
        **{"trial": np.arange(40.0), "b": RANDOM.normal(size=40), "subject": WHO},
        **{"X": STACK, "session": np.arange(40) % 2, "class": Y},
    },
    "times in cells are no labels of the moments": {
        "trial": cells([*X], (1, 40)),
        "time": cells([np.linspace(0, 1, Q)[None]] * 40, (1, 40)),
        "trialinfo": Y,
    },
    "wide vectors beside them": {"X": np.tile(DOWN, 3)[:, :311], "images": STACK, "y": Y},
    "one axis has names": {"X": STACK, "channel": cells([f"E{i}" for i in range(P)]), "y": Y},
}
GROUPS = {"several vectors": WHO}


@pytest.mark.parametrize("quirk", STORED)
def test_every_quirk_gives_the_same_samples(quirk):
    data = first(mat(**STORED[quirk]))
    assert_read(data, X, Y, GROUPS.get(quirk))
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
    assert_read(read_samples(file, layout), X, Y, GROUPS.get(quirk))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((Y == 2).astype(np.uint8), Y == 2),
        (Y == 2, Y == 2),
        (FOUR, FOUR),
        (ANSWERS, ANSWERS),
        (cells([*ANSWERS]), ANSWERS),
        (Y[:, None] == [1, 2], Y),
        ((Y[:, None] == [1, 2]).T * 1.0, Y),
        (np.where(np.array([[1], [2]]) == Y, 1.0, -1.0), Y),
        (np.where(Y == 1, 0.25, 0.75), np.where(Y == 1, 0.25, 0.75)),
        (np.where(Y == 1, 2**53, 2**53 + 1), np.where(Y == 1, 2**53, 2**53 + 1)),
        (np.where(Y == 1, "cat  ", "horse"), np.where(Y == 1, "cat", "horse")),
        (np.array(["a" * 20 + "b" * 20]), np.where(Y == 1, "a", "b")),
        (cells([*Y]), Y),
        (1.0 * (Y[:, None] == [1, 5, 2]).T, np.where(Y == 2, 3, 1)),
    ],
)
def test_labels_of_every_kind_come_as_given(labels, expected):
    for name in ("y", "T", "gnd", "unheard_of"):
        data = first(mat(X=STACK, **{name: labels}))
        assert_read(data, X, expected)
        if labels.ndim == 1 and labels.dtype.kind != "O":
            assert data.y.dtype.kind == labels.dtype.kind


def two_stacks(one, two):
    return {one: STACK[:, :, :15], two: STACK[:, :, 15:]}


MIXED = X[np.r_[:40].reshape(2, 20).T.ravel()]  # one of each class in turn


@pytest.mark.parametrize(
    ("variables", "samples", "y"),
    [
        (two_stacks("faces", "others"), X, ["faces"] * 15 + ["others"] * 25),
        ({"a": {"one": X[:15], "two": X[15:]}}, X, ["one"] * 15 + ["two"] * 25),
        ({"one": DOWN[:15], "two": DOWN[15:]}, X, ["one"] * 15 + ["two"] * 25),
        # A class is called by what its variable does not share.
        (two_stacks("train1", "train10"), X, ["1"] * 15 + ["10"] * 25),
        (two_stacks("S1_left_epochs", "S1_right_epochs"), X, ["left"] * 15 + ["right"] * 25),
        (two_stacks("face", "nonface"), X, ["face"] * 15 + ["nonface"] * 25),
        (two_stacks("X", "X2"), X, ["X"] * 15 + ["X2"] * 25),
        ({"C": cells([*X], (20, 2))}, X, np.repeat([1, 2], 20)),
        ({"C": cells([*MIXED], (2, 20))}, MIXED, np.tile([1, 2], 20)),
        ({"all": np.c_[DOWN, Y]}, X, Y),
        ({"all": np.c_[Y, DOWN]}, X, Y),
    ],
)
def test_labels_may_be_implied(variables, samples, y):
    assert_read(first(mat(**variables)), samples, y)


@pytest.mark.parametrize(
    "names",
    [
        ("x_train", "y_train", "x_test", "y_test"),
        ("train_data", "train_labels", "test_data", "test_labels"),
        ("trainX", "trainLabels", "testX", "testLabels"),
        ("Xtr", "ytr", "Xte", "yte"),
        ("FEA_TRAIN", "GND_TRAIN", "FEA_TEST", "GND_TEST"),
        ("Xtr", "Ltr", "Xts", "Lts"),
        ("tr_dat", "trls", "tt_dat", "ttls"),  # of face recognition by sparse codes
    ],
)
@pytest.mark.parametrize("n", [12, 20, 28])  # also where the test part is as large, or larger
def test_the_files_own_test_part_is_found(names, n):
    some = np.r_[0 : n // 2, 20 : 20 + n // 2]
    rest = np.setdiff1d(np.arange(40), some)
    parts = (STACK[:, :, some], Y[some], STACK[:, :, rest], Y[rest])
    data = first(mat(**dict(zip(names, parts, strict=True))))
    order = np.r_[some, rest]
    assert_read(data, X[order], Y[order], test=np.arange(40) >= n)
    np.testing.assert_array_equal(data.rows, np.arange(40))


@pytest.mark.parametrize("name", ["subject_{}", "{}_subject_ids"])
def test_the_groups_of_the_test_part_are_read_with_those_of_the_training_part(name):
    parts = {"train": slice(0, 40, 2), "test": slice(1, 40, 2)}
    variables = {f"X_{word}": X[some] for word, some in parts.items()}
    variables |= {f"y_{word}": Y[some] for word, some in parts.items()}
    groups = {name.format(word): WHO[some] for word, some in parts.items()}
    order = np.r_[0:40:2, 1:40:2]
    data = first(mat(**variables, **groups))
    assert_read(data, X[order], Y[order], WHO[order], np.arange(40) >= 20)
    del groups[name.format("test")]  # nothing tells whether the others are in the test part too
    assert infer_layouts(mat(**variables, **groups))[0].groups == ""


LAST = np.arange(40) % 4 == 3  # for testing


def words_of(train, test):
    return cells([*np.where(LAST, test, train)])


@pytest.mark.parametrize(
    "parts",
    [
        {"split": words_of("Train", "Test")},
        {"set": words_of("training", "TESTING")},
        {"phase": words_of("train", "val")},
        {"Usage": words_of("Training", "PublicTest")},
        {"split": cells([*np.where(LAST, "test", np.where(Y == 1, "train", "valid"))])},
        {"isTrain": ~LAST},
        {"is_test": LAST},
        {"test": LAST * 1.0, "train": ~LAST * 1.0},
        {"train_idx": 1 + np.flatnonzero(~LAST), "test_idx": 1 + np.flatnonzero(LAST)},
        {"indTrain": 1 + np.flatnonzero(~LAST)},
        {"set": 1 + 2.0 * LAST},
        {"set": np.where(LAST, 3.0, 1 + np.arange(40) % 2)},  # and is no label
    ],
)
def test_what_tells_the_test_part_is_read_in_its_sense(parts):
    assert_read(first(mat(X=STACK, y=Y, **parts)), X, Y, test=LAST)


def test_an_empty_or_whole_test_part_is_never_taken():
    for parts in (
        {"set": cells(["train"] * 40)},
        {"isTrain": np.ones(40)},
        {"testIdx": 1.0 + np.arange(40)},
    ):
        assert infer_layouts(mat(X=STACK, y=Y, **parts))[0].parts == ""
    file = mat(X=STACK, y=Y, set=cells(["train"] * 40))
    with pytest.raises(FileError, match=r"^By 'set' none of the 40 samples are for testing"):
        read_samples(file, Layout(("X",), 2, labels="y", parts="set"))


def test_a_validation_part_is_for_testing_where_there_is_no_other():
    some = {"train_x": STACK[..., ~LAST], "train_y": Y[~LAST]}
    val = {"val_x": STACK[..., LAST], "val_y": Y[LAST]}
    assert infer_layouts(mat(**some, **val))[0].test == ("val_x", "val_y")
    test = {"test_x": STACK[..., LAST], "test_y": Y[LAST]}
    assert infer_layouts(mat(**some, **val, **test))[0].test == ("test_x", "test_y")
    unlabelled = {"test_x": STACK[..., LAST]}
    assert infer_layouts(mat(**some, **val, **unlabelled))[0].test == ("val_x", "val_y")


UNITS = ["subjects", "person", "sub", "userID", "animals"]
HC = cells([*np.where(Y == 1, "HC", "SZ")])
SEX = np.arange(40) % 2


@pytest.mark.parametrize(
    ("variables", "y", "groups"),
    [
        *(({"y": Y, "sessions": np.arange(40) % 4, unit: WHO}, Y, WHO) for unit in UNITS),
        ({"y": Y, "sessions": WHO, "runs": np.arange(40) % 4}, Y, WHO),
        ({"subject": WHO, "answer": Y}, Y, WHO),
        ({"subject": WHO}, WHO, None),  # whose face is it?
        # A group of few values is the class, or no class beside labels.
        ({"y": Y, "group": FOUR}, Y, FOUR),
        ({"y": Y, "subject": HC}, Y, None),
        ({"sex": SEX, "group": HC}, np.where(Y == 1, "HC", "SZ"), None),
        ({"sex": SEX, "group": WHO}, SEX, WHO),
    ],
)
def test_groups_have_many_names_and_are_no_labels_where_there_are_others(variables, y, groups):
    assert_read(first(mat(X=STACK, **variables)), X, y, groups)


RUNS, OF_RUNS = (cells([a[..., :20], a[..., 20:]], (1, 2)) for a in (STACK, Y))
RUN = np.repeat([1, 2], 20)


@pytest.mark.parametrize(
    ("files", "y", "groups"),
    [
        ((mat(X=STACK, y=Y), mat(subject=WHO)), Y, WHO),
        ((mat(X=STACK, subject=WHO), mat(y=Y)), Y, WHO),
        ((mat(X=STACK, subject=WHO), mat(X=Y)), Y, WHO),
        ((mat(X=STACK, y=WHO % 3), mat(y=Y, subject=WHO)), Y, WHO),
        # Cells of labels, and not those of the first file
        ((mat(X=RUNS), mat(y=OF_RUNS)), Y, RUN),
        ((mat(X=RUNS), mat(X=OF_RUNS)), Y, RUN),
        ((mat(X=RUNS, y=OF_RUNS[:, ::-1]), mat(y=OF_RUNS)), Y, RUN),
        # Labels that are called what the samples are
        ((npy(X), npy(FOUR)), FOUR, None),
        ((npy(ALONG), npy(FOUR)), FOUR, None),
        ((csv(ALONG), csv(FOUR[:, None] == [1, 2, 3, 4])), FOUR, None),
        ((mat(data=STACK), mat(data=FOUR)), FOUR, None),
        ((mat(numbers=ALONG), csv(FOUR)), FOUR, None),
    ],
)
def test_labels_and_groups_may_be_in_another_file(files, y, groups):
    assert_read(first(dict(zip(("X.npy", "y.npy"), files, strict=True))), X, y, groups)


def test_the_test_part_may_be_in_a_second_file_and_the_labels_in_the_first():
    parts = mat(testIdx=1 + np.flatnonzero(LAST), trainIdx=1 + np.flatnonzero(~LAST))
    assert_read(first(mat(fea=DOWN, gnd=Y[:, None]), parts), X, Y, test=LAST)
    with pytest.raises(FileError):  # not the first file's labels in place of the second's
        first(mat(fea=DOWN, gnd=Y), mat(gnd=Y[:30, None]))


def test_labels_of_a_test_part_may_be_called_what_its_samples_are():
    samples = mat(train=STACK[..., ::2], test=STACK[..., 1::2])
    files = {"X.mat": samples, "y.mat": mat(train=Y[::2], test=Y[1::2])}
    order = np.r_[0:40:2, 1:40:2]
    assert_read(first(files), X[order], Y[order], test=np.arange(40) >= 20)


@pytest.mark.parametrize(
    "variables",
    [
        {"X": STACK, "y": Y},
        {"one": STACK, "two": STACK + 1},
        {"X": np.c_[DOWN, Y]},
        {"X": cells([*STACK.transpose(2, 0, 1)], (2, 20))},
    ],
)
def test_labels_of_another_file_that_fit_no_samples_are_not_ignored(variables):
    infer_layouts(mat(**variables))
    assert_refused(
        r"^The files hold no labels|'two.y' has 30 labels, but no axis",
        *(mat(**variables), mat(y=np.arange(30) % 2)),
    )
    first(mat(**variables), mat(others=np.arange(30) % 2))  # not given for its labels


# ---- folding --------------------------------------------------------------------------------


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


def test_faces_tell_their_order_by_their_symmetry():
    half = gaussian_filter(RANDOM.normal(size=(30, 14, 7)), (0, 1, 1)) + 3 * np.eye(14, 7)
    faces = np.concatenate([half, half[:, :, ::-1]], axis=2)
    assert rank_folds(faces.reshape(30, -1))[0] == ((14, 14), "C")
    assert rank_folds(faces.transpose(0, 2, 1).reshape(30, -1))[0] == ((14, 14), "F")


# ---- cells, colours, groups -------------------------------------------------------------------

# One stack a class, a subject: of different lengths.
PARTS = [slice(0, 9), slice(9, 22), slice(22, 40)]
WHICH = np.repeat([1, 2, 3], [9, 13, 18])


@pytest.mark.parametrize("stack", [STACK, X, DOWN], ids=["p x q x n", "n x p x q", "n x pq"])
@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_a_cell_array_may_hold_a_stack_for_each_class(stack, shape):
    parts = [stack[..., part] if stack is STACK else stack[part] for part in PARTS]
    names = cells(["anna", "bert", "carl"])
    assert_read(first(mat(C=cells(parts, shape), names=names)), X, WHICH)


@pytest.mark.parametrize("stack", [STACK, X, DOWN], ids=["p x q x n", "n x p x q", "n x pq"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("parts", [PARTS, [slice(0, 20), slice(20, 40)]], ids=["ragged", "even"])
def test_each_cell_may_hold_the_samples_and_labels_of_a_subject(stack, wide, parts):
    mixed = np.arange(40) % 2 + 1.0
    samples = [stack[..., part] if stack is STACK else stack[part] for part in parts]
    labels = [mixed[part][None] if wide else mixed[part][:, None] for part in parts]
    subjects = np.repeat(np.arange(len(parts)) + 1, [len(mixed[part]) for part in parts])
    struct = np.array(list(zip(samples, labels, strict=True)), [("X", object), ("y", object)])
    in_cells = [{"X": x, "y": y} for x, y in zip(samples, labels, strict=True)]
    for variables in (
        {"S": struct[None]},
        {"data": cells(in_cells, (1, len(parts)))},
        {"trials": cells(samples), "answers": cells(labels)},
    ):
        assert_read(first(mat(**variables)), X, mixed, groups=subjects)


def test_stacks_in_cells_may_have_one_vector_of_labels():
    file = mat(C=cells([STACK[..., :15], STACK[..., 15:]], (1, 2)), y=Y)
    layout = Layout(("C",), 3, labels="y", cells=(1, 2))
    assert_read(read_samples(file, layout), X, Y, groups=np.repeat([1, 2], [15, 25]))


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
@pytest.mark.parametrize("colours", [3, 4])
def test_of_colours_the_mean_is_taken(axis, colours):
    grey = np.round(50 * (X - X.min()))
    apart = np.arange(colours) - (colours - 1) / 2
    stored = (2 * grey[..., None] + 2 * apart + 20).astype(np.uint16)  # n x p x q x colours
    stored = np.moveaxis(stored, -1, axis)
    for file in (stored, np.moveaxis(stored, 1 if axis == 0 else 0, -1)):
        data = first(mat(X=file, y=Y))
        np.testing.assert_array_equal(data.X, 2 * grey + 20)
    layout = infer_layouts(mat(X=stored, y=Y))[0]
    assert layout.mean_over == axis


@pytest.mark.parametrize("dtype", [float, np.uint8])
def test_a_pixel_is_no_label(dtype):
    levels = np.round(15 * (X - X.min()) / np.ptp(X)).astype(dtype)
    wide = np.c_[levels.reshape(40, -1), levels[:, -1, -1]]
    for pixels in (wide, wide[:, ::-1], wide > 7):
        assert_refused(r"^The file holds no labels", mat(pixels=pixels))


@pytest.mark.parametrize("labels", [[0, 1], [1, 2], [-1, 1], [0, 1, 2, 3], [1, 2, 3, 4]])
def test_a_column_that_counts_the_classes_is_the_label(labels):
    y = np.resize(labels, 40)
    assert_read(first(mat(all=np.c_[DOWN, y])), X, y)
    assert_refused(r"^The file holds no labels", mat(all=np.c_[DOWN, 2 * y]))


def test_only_the_samples_that_are_taken_become_doubles():
    stored = Contents(mat(X=np.tile(np.uint8(50 * (X - X.min())), (5, 1, 1)), y=np.tile(Y, 5)))
    whole = stored.raw_samples(Layout(("X",), 0, labels="y"))
    assert whole.stacks[0][0].dtype == np.uint8
    assert whole.shape == (200, P, Q)
    assert whole.take(np.array([7, 3])).X.dtype == np.float64


@pytest.mark.parametrize(
    ("axes", "holes", "how", "sample", "n"),
    [
        ((12, 9, 20, 2), [(4, 0), (17, 1)], {"axis": 2, "implied": "axis", "class_axis": 3}, 5, 40),
        ((12, 9, 20, 2), [(4, 0), (17, 1)], {"axis": 2, "labels": "y", "group_axis": 3}, 5, 40),
        ((12, 9, 2, 20), [(0, 17), (1, 19)], {"axis": 3, "labels": "y", "mean_over": 2}, 18, 20),
    ],
)
def test_missing_numbers_are_counted_over_classes_groups_and_colours(axes, holes, how, sample, n):
    array = np.zeros(axes)
    for place in holes:
        array[0, 0, *place] = np.nan
    said = rf"^'X' holds NaN or infinity, 2 of its 4,320 numbers, first in sample {sample} of {n};"
    with pytest.raises(MissingError, match=said):
        read_samples(mat(X=array, y=Y[10:30]), Layout(("X",), **how))


def test_labels_that_only_pickle_could_read_are_not_said_to_be_missing():
    objects = npz(X=X, y=np.array([{"a": 1}] * 40, dtype=object))
    assert_refused(r"^'y' holds Python objects, which only pickle", objects)


# ---- samples without labels beside those with labels -----------------------------------------

MORE = X[:7] + 1


@pytest.mark.parametrize(
    ("labelled", "more"),
    [
        ({"X_train": STACK, "y_train": Y}, MORE.transpose(1, 2, 0)),
        ({"X_train": X, "y_train": Y}, MORE),
        ({"X_train": X, "y_train": Y}, MORE.transpose(1, 2, 0)),  # samples along another axis
        ({"fea": DOWN, "gnd": Y}, MORE.transpose(0, 2, 1).reshape(7, -1)),
        ({"fea": DOWN.T, "gnd": Y}, MORE.transpose(0, 2, 1).reshape(7, -1).T),
        ({"X": np.stack([STACK] * 3, 2), "y": Y}, np.stack([MORE.transpose(1, 2, 0)] * 3, 2)),
        ({"X": cells([*X]), "y": Y}, MORE.transpose(1, 2, 0)),
        ({"X": cells([*X]), "y": Y}, cells([*MORE])),
    ],
)
def test_samples_without_labels_beside_labelled_ones_are_found_and_read(labelled, more):
    contents = Contents(mat(**labelled, other=more, mean=X.mean(0), noise=np.ones((7, 5))))
    layout = next(each for each in contents.infer_layouts() if "other" not in each.samples)
    assert find_unlabelled(contents.context, layout, (P, Q)) == ["other"]
    np.testing.assert_allclose(
        np.mean(SampleForm.of(layout).read(contents, "other", (P, Q)), axis=0), MORE
    )


def test_samples_that_have_labels_are_not_among_those_without():
    parts = {"X_train": STACK, "y_train": Y, "X_test": STACK[..., 5:25], "y_test": Y[5:25]}
    contents = Contents(mat(**parts))
    assert not find_unlabelled(contents.context, contents.infer_layouts()[0], (P, Q))
    contents = Contents(mat(**parts, X_val=STACK[..., 9:30], y_val=Y[9:30]))
    assert not find_unlabelled(contents.context, contents.infer_layouts()[0], (P, Q))
    contents = Contents(mat(X_train=STACK, y_train=Y, X_test=STACK[..., 9:30]))
    assert find_unlabelled(contents.context, contents.infer_layouts()[0], (P, Q)) == ["X_test"]
