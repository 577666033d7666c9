"""One table of the kinds of files that people have, and how each is to be read.

`read`: the page trains at once on these samples and labels and, where given, groups and test part.
`ask`: it does not train at once, and one of its first questions is this reading. `either`: both
will do. `refuse`: it says a sentence with one of these words. The order of samples does not count.
Each kind was written down with its right reading before the page was tried on it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.sparse import csc_matrix

from tests.files.formats import WRITERS, plain_hdf5
from tests.files.make import array, cells, csv, element, image, mat, npy, npz, structs, zipped


class Case(NamedTuple):
    files: Any
    how: str  # read, ask, either, refuse
    right: tuple[tuple[Any, ...], ...] = ()  # samples, labels and perhaps groups and test part
    words: str = ""  # a pattern of what is said where nothing is trained


CASES: dict[str, Case] = {}


def add(how, name, files, right, words):
    assert name not in CASES, name
    CASES[name] = Case(files, how, right, words)


def read(name, files, *right):
    add("read", name, files, right, "")


def ask(name, files, *right, words=""):
    add("ask", name, files, right, words)


def either(name, files, *right, words=""):
    add("either", name, files, right, words)


def refuse(name, files, words):
    add("refuse", name, files, (), words)


def planted(n, p, q, classes=2, seed=0):
    """Noise and, for each class, a pattern of rank 1: (n, p, q), and classes from 0."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n) % classes)
    X = random.normal(size=(n, p, q)) + 0.1 * np.cumsum(random.normal(size=(n, p, q)), 2)
    for k in range(classes):
        X[y == k] += np.outer(random.normal(size=p), np.sin(np.linspace(0, (k + 1) * np.pi, q)))
    return X.round(4), y


def table(header, *columns):
    rows = [header, *zip(*columns, strict=True)] if header else zip(*columns, strict=True)
    return "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


def wide(header, X, before=(), after=()):
    return table(header, *before, *X.reshape(len(X), -1).T, *after)


def levels(X):
    """Numbers as grey values from 0 to 255."""
    return np.clip(128 + 20 * X, 0, 255).astype(np.uint8)


def last(X):
    """A stack as MATLAB has it, with its samples along the last axis."""
    return X.transpose(1, 2, 0)


RANDOM = np.random.default_rng(7)

# ---- one array of samples and one vector of labels ----------------------------------------------

# Smooth pictures as those of faces and characters are, and not square, so that a wrong order
# cannot pass for a transpose.
SMOOTH = np.random.default_rng(0)
X = gaussian_filter(SMOOTH.normal(size=(40, 12, 9)), (0, 1.2, 1.2))
X[20:, 2:6, 3:7] += 1
X = X.round(4)  # as texts have six digits
Y = np.repeat([1.0, 2.0], 20)
P, Q = X.shape[1:]
DOWN = X.transpose(0, 2, 1).reshape(40, -1)  # each sample as MATLAB's X(:)
ALONG = X.reshape(40, -1)
STACK = last(X)
WHO, FOUR, ALTERNATE = np.arange(40) // 4, np.arange(40) // 10 + 1.0, np.arange(40) % 2
ANSWERS, SEX = np.where(Y == 1, "left", "right"), np.resize([1, 1, 2], 40)
MIXED = X[np.r_[:40].reshape(2, 20).T.ravel()]  # one of each class in turn
NOISE = np.random.default_rng(2).normal(size=(40, 12, 9))
STORED = {
    "n x pq": {"fea": DOWN, "gnd": Y[:, None]},
    "pq x n": {"data": DOWN.T, "label": Y[None]},
    "n x pq along rows": {"fea": ALONG, "gnd": Y},
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
    "struct array": {"S": structs(d=[*X], label=[*Y])},
    "cell of samples": {"samples": cells([*X]), "labels": Y},
    "cell of flattened samples": {"samples": cells([*DOWN]), "labels": Y},
    "extras": {"X": STACK, "y": Y, "fs": 100.0, "none": np.zeros((0, 0)), "note": "made by hand"},
    "times in cells are no labels of the moments": {
        "trial": cells([*X], (1, 40)),
        "time": cells([np.linspace(0, 1, Q)[None]] * 40, (1, 40)),
        "trialinfo": Y,
    },
    "one axis has names": {"X": STACK, "channel": cells([f"E{i}" for i in range(P)]), "y": Y},
}
for name, variables in STORED.items():
    read(name, mat(**variables), (X, Y))
wide_vectors = {"X": np.tile(DOWN, 3)[:, :311], "images": STACK, "y": Y}
either("wide vectors beside", mat(**wide_vectors), (X, Y))
counts = {"trial": np.arange(40.0), "b": SMOOTH.normal(size=40), "session": ALTERNATE}
several = {"subject": WHO, "X": STACK, "class": Y, **counts}
read("several vectors", mat(**several), (X, Y, WHO))
LABELS = {
    "true or false": (Y == 2, Y),
    "bytes": ((Y == 2).astype(np.uint8), Y),
    "four": (FOUR, FOUR),
    "rows of letters": (ANSWERS, Y),
    "padded letters": (np.where(Y == 1, "cat  ", "horse"), Y),
    "one letter each": (np.array(["a" * 20 + "b" * 20]), Y),
    "cells of text": (cells([*ANSWERS]), Y),
    "cells of numbers": (cells([*Y]), Y),
    "one-hot": (Y[:, None] == [1, 2], Y),
    "one-hot along rows": ((Y[:, None] == [1, 2]).T * 1.0, Y),
    "one-hot with an empty class": (1.0 * (Y[:, None] == [1, 5, 2]).T, Y),
    "one-hot of 1 and -1": (np.where(np.array([[1], [2]]) == Y, 1.0, -1.0), Y),
    "fractions": (np.where(Y == 1, 0.25, 0.75), Y),
    "large numbers": (np.where(Y == 1, 2**53, 2**53 + 1), Y),
}
for kind, (stored, y) in LABELS.items():
    for called in ("y", "unheard_of"):
        read(f"labels, {kind}, called {called}", mat(X=STACK, **{called: stored}), (X, y))

# ---- files of public data sets, as they are laid out --------------------------------------------

GREY, PERSON = levels(gaussian_filter(planted(80, 16, 16, 4, 41)[0], (0, 1, 1))), np.arange(80) // 4
COLUMNS = GREY.transpose(0, 2, 1).reshape(80, -1)
sizes = {"im_height": 16.0, "im_width": 16.0}
read("COIL-20", mat(X=COLUMNS, Y=PERSON[:, None], **sizes), (GREY, PERSON))
read("FaceNonFace", mat(X=COLUMNS.T.astype("u2"), Y=PERSON[None] // 10), (GREY, PERSON // 10))
read("ORL", mat(gnd=PERSON[:, None], fea=COLUMNS), (GREY, PERSON))
read("digits of two values", mat(fea=COLUMNS > 128, gnd=PERSON // 2), (GREY > 128, PERSON // 2))
people = {"subject": PERSON, "trial": np.arange(80.0), "subject_name": cells([*"abcdefghijklmnop"])}
spectra = {"X": last(GREY).astype("f4"), "y": PERSON % 2, "channel": cells([*"ABCDEFGHIJKLMNOP"])}
read("EEG of alcoholics", mat(**spectra, **people), (GREY, PERSON % 2, PERSON))
sets = np.where(np.arange(80) % 5, 1.0, 3.0)
imdb = {"data": last(GREY)[:, :, None], "label": PERSON, "set": sets}
read("MatConvNet", mat(imdb={"images": imdb}), (GREY, PERSON, None, sets == 3))
files = mat(Temp=cells([*GREY], (20, 4)))
either("a cell for each person and picture", files, (GREY, np.arange(80) % 20))
late80 = np.arange(80) >= 60
spiky = {
    f"{k}_{w}": v[..., s]
    for w, s in (("train", ~late80), ("test", late80))
    for k, v in (("x", last(GREY)), ("y", PERSON % 2))
}
read("finger movements", mat(clab=cells([*"abcdefgh"]), **spiky), (GREY, PERSON % 2, None, late80))
either("USPS", mat(usps_all=np.c_[COLUMNS, 1 + PERSON % 10].astype(np.uint8)), (GREY, PERSON % 10))
read("P300", npz(X=X, y=Y, sfreq=32.0, note=np.array("of one person")), (X, Y))
for kind in ("n x pq", "pq x n", "p x q x n", "p x n x q", "struct in struct", "struct array"):
    for version in ("version 6", "version 7.3"):
        read(f"{version}, {kind}", WRITERS[version](STORED[kind]), (X, Y))
for kind in ("n x pq", "pq x n", "n x pq along rows"):
    read(f"version 4, {kind}", mat(_format="4", **STORED[kind]), (X, Y))
sparse = {"S": csc_matrix(DOWN), "y": Y}
texts = {"samples": cells([*X]), "labels": cells([*ANSWERS])}
three_eight = {"X": STACK, "y38": np.where(Y == 1, 3.0, 8.0)}
for kind, variables in {"sparse": sparse, "texts": texts, "3 and 8": three_eight}.items():
    for version in ("version 7", "version 7.3"):
        read(f"{version}, {kind}", WRITERS[version](variables), (X, Y))
read("plain HDF5", plain_hdf5(lambda file: file.update({"X": X, "y": Y})), (X, Y))
pictures = {"X": np.int16(100 * STACK), "Y": np.int8(2 * Y - 3)}
read("int16, labels -1 and 1", mat(**pictures), (np.int16(100 * X), Y))
classes = {f"class{k}": STACK[..., k == Y] for k in (1, 2)}
read("a variable for each class", mat(**classes), (X, Y))
read("a cell for each class", mat(data=cells([*classes.values()], (1, 2))), (X, Y))
odd = np.arange(40)[:, None] == np.arange(40)  # one of each kind of trouble
refuse("one class", mat(X=STACK, y1=np.ones(40)), "is 1|one class|Every")
refuse("one sample", mat(Xs=X[0], ys=1.0), "label|sample")
refuse("two labels too many", mat(X=STACK, ylong=np.arange(42.0) % 2), "42")
refuse("a label of NaN", mat(X=STACK, yn=np.where(odd[0], np.nan, Y)), "NaN")
refuse("a sample of NaN", mat(XN=np.where(odd[0], np.nan, STACK), y=Y), "NaN")
either("complex", mat(XC=(9 + STACK) * 1j, y=Y), (9 + X, Y), words="magnitude")

# ---- labels that are implied, parts, groups, and other files ------------------------------------

two = np.repeat([0, 1], [15, 25])
pairs = ["faces others", "train1 train10", "S1_left_epochs S1_right_epochs", "face nonface", "X X2"]
for one, other in map(str.split, pairs):
    variables = {one: STACK[:, :, :15], other: STACK[:, :, 15:]}
    read(f"{one} and {other} are the classes", mat(**variables), (X, two))
read("a struct of classes", mat(a={"one": X[:15], "two": X[15:]}), (X, two))
read("flattened samples of each class", mat(one=DOWN[:15], two=DOWN[15:]), (X, two))
read("columns of cells are the classes", mat(C=cells([*X], (20, 2))), (X, Y))
read("rows of cells are the classes", mat(C=cells([*MIXED], (2, 20))), (MIXED, ALTERNATE))
read("labels in the last column", mat(all=np.c_[DOWN, Y]), (X, Y))
read("labels in the first column", mat(all=np.c_[Y, DOWN]), (X, Y))
TEST_NAMES = (
    "x_train y_train x_test y_test",
    "train_data train_labels test_data test_labels",
    "trainX trainLabels testX testLabels",
    "Xtr ytr Xte yte",
    "FEA_TRAIN GND_TRAIN FEA_TEST GND_TEST",
    "Xtr Ltr Xts Lts",
    "tr_dat trls tt_dat ttls",
)
for n in (12, 20, 28):  # also where the test part is as large, or larger
    some = np.r_[0 : n // 2, 20 : 20 + n // 2]
    rest = np.setdiff1d(np.arange(40), some)
    order = np.r_[some, rest]
    halves = STACK[..., some], Y[some], STACK[..., rest], Y[rest]
    for names in TEST_NAMES if n == 20 else TEST_NAMES[::3]:
        file = mat(**dict(zip(names.split(), halves, strict=True)))
        read(f"{names}, {n}", file, (X[order], Y[order], None, np.arange(40) >= n))
HELD = np.arange(40) % 4 == 3
PLACES = {"train_idx": 1 + np.flatnonzero(~HELD), "test_idx": 1 + np.flatnonzero(HELD)}
MARKS = {
    "Train, Test": {"split": cells([*np.where(HELD, "Test", "Train")])},
    "training, TESTING": {"set": cells([*np.where(HELD, "TESTING", "training")])},
    "PublicTest": {"Usage": cells([*np.where(HELD, "PublicTest", "Training")])},
    "val, train": {"phase": cells([*np.where(HELD, "val", "train")])},
    "three words": {"split": cells([*np.where(HELD, "test", np.where(Y == 1, "train", "valid"))])},
    "isTrain": {"isTrain": ~HELD},
    "is_test": {"is_test": HELD},
    "test and train": {"test": HELD * 1.0, "train": ~HELD * 1.0},
    "two lists": PLACES,
    "a list for training": {"indTrain": PLACES["train_idx"]},
    "1 and 2": {"set": 1 + 2.0 * HELD},
    "1 to 3": {"set": np.where(HELD, 3.0, 1 + ALTERNATE)},
}
for kind, variables in MARKS.items():
    read(f"marks of the test part: {kind}", mat(X=STACK, y=Y, **variables), (X, Y, None, HELD))
listed = {"one.mat": mat(fea=DOWN, gnd=Y), "two.mat": mat(**PLACES)}
read("lists in a second file", listed, (X, Y, None, HELD))
NO_PARTS = {
    "one word": {"set": cells(["train"] * 40)},
    "all for training": {"isTrain": np.ones(40)},
    "a list of all": {"testIdx": 1.0 + np.arange(40)},
}
for kind, variables in NO_PARTS.items():
    read(f"no test part: {kind}", mat(X=STACK, y=Y, **variables), (X, Y))
order, sides = np.argsort(HELD, kind="stable"), (("train", ~HELD), ("val", HELD))
in_parts = X[order], Y[order], None, np.sort(HELD)
held_out = {f"{w}_{k}": v[..., s] for w, s in sides for k, v in (("x", STACK), ("y", Y))}
read("a validation part alone", mat(**held_out), in_parts)
read("a validation part, test without labels", mat(**held_out, test_x=STACK[..., HELD]), in_parts)
even = np.r_[0:40:2, 1:40:2]
halves = (("train", slice(0, 40, 2)), ("test", slice(1, 40, 2)))
named = {f"{k}_{w}": v[s] for w, s in halves for k, v in (("X", X), ("y", Y))}
for pattern in ("subject_{}", "{}_subject_ids"):
    of_both = named | {pattern.format(w): WHO[s] for w, s in halves}
    right = (X[even], Y[even], WHO[even], np.arange(40) >= 20)
    read(f"groups of both parts, {pattern}", mat(**of_both), right)
overlap = named | {"X_test": X[5:25], "y_test": Y[5:25]}
right = (np.r_[X[::2], X[5:25]], np.r_[Y[::2], Y[5:25]], None, np.arange(40) >= 20)
read("a test part that overlaps", mat(**overlap), right)
for unit in ("subjects", "person", "sub", "userID", "animals"):
    files = mat(X=STACK, y=Y, sessions=np.arange(40) % 4, **{unit: WHO})
    read(f"groups called {unit}", files, (X, Y, WHO))
HC = cells([*np.where(Y == 1, "HC", "SZ")])
GROUPS = {
    "sessions rather than runs": ({"y": Y, "sessions": WHO, "runs": np.arange(40) % 4}, Y, WHO),
    "subjects and answers": ({"subject": WHO, "answer": Y}, Y, WHO),
    "whose face is it": ({"subject": WHO}, WHO, None),
    "a group that is the class": ({"y": Y, "group": FOUR}, Y, FOUR),
    "subject is the diagnosis": ({"y": Y, "subject": HC}, Y, None),
    "patients and controls": ({"sex": ALTERNATE, "group": HC}, Y, None),
    "sex and groups of four": ({"sex": ALTERNATE, "group": WHO}, ALTERNATE, WHO),
}
for kind, (variables, y, groups) in GROUPS.items():
    read(kind, mat(X=STACK, **variables), (X, y, groups))
RUNS, OF_RUNS = (cells([a[..., :20], a[..., 20:]], (1, 2)) for a in (STACK, Y))
of_run = cells([np.ones(20) + ALTERNATE[:20], 2 - ALTERNATE[20:] / 1.0], (1, 2))
RUN = np.repeat([1, 2], 20)
TWO_FILES = {
    "groups": (mat(X=STACK, y=Y), mat(subject=WHO), Y, WHO),
    "labels, groups beside the samples": (mat(X=STACK, subject=WHO), mat(y=Y), Y, WHO),
    "labels called X": (mat(X=STACK, subject=WHO), mat(X=Y), Y, WHO),
    "better labels": (mat(X=STACK, y=WHO % 3), mat(y=Y, subject=WHO), Y, WHO),
    "labels of runs": (mat(X=RUNS), mat(y=OF_RUNS), Y, RUN),
    "labels of runs called X": (mat(X=RUNS), mat(X=OF_RUNS), Y, RUN),
    "better labels of runs": (mat(X=RUNS, y=of_run), mat(y=OF_RUNS), Y, RUN),
    "two .npy": (npy(X), npy(FOUR), FOUR, None),
    "two .npy of rows": (npy(ALONG), npy(FOUR), FOUR, None),
    "one-hot text": (csv(ALONG), csv(FOUR[:, None] == [1, 2, 3, 4]), FOUR, None),
    "both called data": (mat(data=STACK), mat(data=FOUR), FOUR, None),
    "a text of labels": (mat(numbers=ALONG), csv(FOUR), FOUR, None),
}
for kind, (one, other, y, groups) in TWO_FILES.items():
    read(f"in a second file: {kind}", {"X.npy": one, "y.npy": other}, (X, y, groups))
by_part = {"X.mat": mat(train=STACK[..., ::2], test=STACK[..., 1::2])}
by_part |= {"y.mat": mat(train=Y[::2], test=Y[1::2])}
read("train and test in X.mat and y.mat", by_part, (X[even], Y[even], None, np.arange(40) >= 20))
FIT_NOTHING = {
    "beside labels": {"X": STACK, "y": Y},
    "beside two stacks": {"one": STACK, "two": STACK + 1},
    "beside a column": {"X": np.c_[DOWN, Y]},
    "beside cells": {"X": cells([*X], (2, 20))},
}
for kind, variables in FIT_NOTHING.items():
    files = {"one.mat": mat(**variables), "two.mat": mat(y=np.arange(30) % 2)}
    refuse(
        f"labels of another file that fit nothing, {kind}", files, "hold no labels|two.y' has 30"
    )

# ---- cells, structs, and a variable for each class, subject or sample ---------------------------

PARTS = [slice(0, 9), slice(9, 22), slice(22, 40)]
WHICH = np.repeat([1, 2, 3], [9, 13, 18])
OF_PARTS = [ALTERNATE[part] + 1.0 for part in PARTS]
SUBJECTS = [{"X": STACK[..., s], "y": y} for s, y in zip(PARTS, OF_PARTS, strict=True)]
OF_SUBJECTS = X, ALTERNATE, WHICH
for kind, pieces in {
    "p x q x n": [STACK[..., part] for part in PARTS],
    "n x p x q": [X[part] for part in PARTS],
    "n x pq": [DOWN[part] for part in PARTS],
}.items():
    names = cells(["anna", "bert", "carl"])
    files = mat(C=cells(pieces, (1, 3)), names=names)
    read(f"a stack for each class in cells, {kind}", files, (X, WHICH))
    answers = mat(trials=cells(pieces), answers=cells([y[None] for y in OF_PARTS]))
    read(f"cells of subjects, {kind}", answers, OF_SUBJECTS)
    read(f"structs of subjects, {kind}", mat(S=structs(X=pieces, y=OF_PARTS)), OF_SUBJECTS)
by_number = {f"S{9 + i}": each for i, each in enumerate(SUBJECTS)}
read("S9, S10, S11", mat(**by_number), OF_SUBJECTS)
files = mat(data=dict(zip(["anna", "bert", "carl"], SUBJECTS, strict=True)))
read("structs by name", files, OF_SUBJECTS)
by_slot = {f"{k}_s{i + 1}": each[k] for i, each in enumerate(SUBJECTS) for k in "Xy"}
read("X_s1, y_s1", mat(**by_slot), OF_SUBJECTS)
of_fields = {k: {f"s{i}": each[k] for i, each in enumerate(SUBJECTS)} for k in "Xy"}
read("data.s1, marks.s1", mat(data=of_fields["X"], marks=of_fields["y"]), OF_SUBJECTS)
read("structs in cells of subjects", mat(data=cells(SUBJECTS, (1, 3))), OF_SUBJECTS)
INNER = [{"data": each["X"], "labels": each["y"][:, None]} for each in SUBJECTS]
read("structs in structs", mat(S=structs(eeg=INNER), fs=100.0), OF_SUBJECTS)
OUTER = [{"eeg": each, "trials": cells([each, each], (1, 2))} for each in INNER]
read("structs in cells with further cells", mat(S=cells(OUTER, (1, 3)), fs=100.0), OF_SUBJECTS)
TRIAL_NAMES = {f"eeg{i + 1}": X[i] for i in range(40)}
unsorted = {"one.mat": mat(**dict(sorted(TRIAL_NAMES.items()))), "two.mat": mat(label=Y)}
read("a variable for each sample, labels beside", unsorted, (X, Y))
files = mat(**TRIAL_NAMES, weights=Y)
refuse("a variable for each sample, weights", files, "tell|label|class|weights")
of_sides = {f"left_{i}": X[i] for i in range(12)} | {f"right_{i}": X[20 + i] for i in range(9)}
read("left_1, right_1", mat(**of_sides), (X[np.r_[:12, 20:29]], np.repeat([0, 1], [12, 9])))
runs = {f"s{i}_run{j}": NOISE[3 * i + j] for i in range(3) for j in range(3)}
refuse("s1_run1 of no class", mat(**runs), "nothing tells the class")
parts01 = {"train0": DOWN[:15], "train1": DOWN[20:33], "test0": DOWN[15:20], "test1": DOWN[33:]}
order = np.r_[:15, 20:33, 15:20, 33:40]
files = mat(**parts01)
read("train0, train1, test0, test1", files, (X[order], Y[order], None, np.arange(40) >= 28))
labels = {"instance": WHO % 2, "subject": np.arange(40) % 4, "action": np.arange(40) % 5}
GRIDS = {f"{name}_labels": each.reshape(4, 10, order="F") for name, each in labels.items()}
files = mat(data=cells([*X], (4, 10)), **GRIDS)
read("a label for each cell", files, (X, np.arange(40) % 5, np.arange(40) % 4))
SEVERAL = X + np.repeat([0.0, 3, 6, 9], 10)[:, None, None]  # samples of a class are alike
IN_TWO = SEVERAL.reshape(4, 10, P, Q)
TEN, OF_EACH = np.resize([1.0, 2.0], 10), SMOOTH.integers(1, 3, (4, 10))
OF_TEN = np.repeat([1, 2, 3, 4], 10)
of_trials = mat(X=IN_TWO.transpose(2, 3, 1, 0), labels=TEN)
read("an axis of subjects, labels of trials", of_trials, (SEVERAL, np.tile(TEN, 4), OF_TEN))
files = mat(X=IN_TWO, labels=OF_EACH)
read("an axis of subjects, all labels", files, (SEVERAL, OF_EACH.ravel(), OF_TEN))
for axes in ((2, 3, 1, 0), (2, 3, 0, 1)):
    either(f"an axis of classes, {axes}", mat(data=IN_TWO.transpose(axes)), (SEVERAL, OF_TEN))
KNOWN = {"age": 30.0, "sex": "f", "date": "2020-01-01", "iq": 100.0, "site": 3.0, "fs": 250.0}
BEHIND = [{**KNOWN, "name": f"s{i}", "waves": X[i], "stage": Y[i]} for i in range(40)]
fields = {name: [each[name] for each in BEHIND] for name in BEHIND[0]}
read("behind what is known of each", mat(trials=structs(**fields)), (X, Y))
read("in cells, behind what is known of each", mat(trials=cells(BEHIND, (1, 40))), (X, Y))
unlike = [{"x": X[i], "label" if i == 39 else "y": Y[i]} for i in range(40)]
refuse("not every cell has a y", mat(s=cells(unlike, (1, 40))), "cell|field|y|label")
for size in ((5, 8), (12, 4)):
    smaller = mat(trial=cells([X[0, : size[0], : size[1]], *X[1:]]), y=Y[:, None])
    either(f"a cell of {size}", smaller, (X[1:], Y[1:]), words="short|small|cut|left out")
VIEWS = [NOISE[:, :, :2].reshape(40, 24), NOISE[:, :, 3:].reshape(40, 72)]
ask("cells of other entries", mat(X=cells(VIEWS), Y=Y[:, None]), (VIEWS[0], Y), (VIEWS[1], Y))

# ---- doubts about one array ---------------------------------------------------------------------

for called in ("diagnosis", "condition"):
    beside = {"sex": ALTERNATE, "age": 20.0 + np.arange(40) % 3, "site": np.arange(40) % 4}
    read(f"covariates beside {called}", mat(conn=STACK, **beside, **{called: Y}), (X, Y))
ask("two labels", mat(X=STACK, y1=Y, y2=SEX), (X, Y), (X, SEX))
ask("two of unknown names", mat(X=STACK, a=Y, b=SEX), (X, Y), (X, SEX))
read("one called label", mat(X=STACK, label=Y, b=SEX), (X, Y))
read("a covariate", mat(X=STACK, a=Y, sex=SEX), (X, Y))
read("two labels of the same classes", mat(X=STACK, y1=Y, y2=5 - Y), (X, Y))
ask("two stacks", mat(A=STACK, B=STACK[:11], y=Y), (X, Y), (X[:, :11], Y))
read("a smaller stack", mat(A=STACK, B=STACK[:3], y=Y), (X, Y))
ABOVE = np.median(NOISE[:, 0, 0]) < NOISE[:, 0, 0]
ask("ratings", mat(X=STACK, ratings=NOISE[:, :2, 0]), (X, ABOVE))
either("measurements", mat(X=STACK, y=NOISE[:, 0, 0]), (X, ABOVE))
CUBE = NOISE.ravel()[: 12**3].reshape(12, 12, 12)
ask("a cube of noise", mat(X=CUBE, y=SEX[:12]), (last(CUBE).transpose(1, 0, 2), SEX[:12]))
SQUARE = NOISE[:12, :, 0]
ask("a square of noise", mat(X=SQUARE, y=SEX[:12]), (SQUARE, SEX[:12]), (SQUARE.T, SEX[:12]))
ROUGH = gaussian_filter(np.random.default_rng(3).normal(size=(40, 40, 40)), (0, 1, 4))
for axis in range(3):
    read(f"the roughest axis is {axis}", mat(data=np.moveaxis(ROUGH, 0, axis), y=Y), (ROUGH, Y))
BLURRED = NOISE.ravel()[:3072].reshape(8, 1, 6, 64) + np.random.default_rng(9).normal(
    size=(8, 5, 6, 64)
)
BLURRED = gaussian_filter(BLURRED, (0, 0, 0, 3))
of_eight = {"eeg": BLURRED.transpose(2, 3, 0, 1), "freqs": 8 + np.arange(8.0)}
right = (BLURRED.reshape(40, 6, 64), np.repeat(range(8), 5))
either("time is no class", mat(**of_eight), right, words="class|label")
GRAY = np.round(50 * (X - X.min()))
for axis in range(4):
    for colours in (3, 4):
        apart = 2 * (np.arange(colours) - (colours - 1) / 2) + 20
        coloured = np.moveaxis((2 * GRAY[..., None] + apart).astype(np.uint16), -1, axis)
        either(f"{colours} colours along axis {axis}", mat(X=coloured, y=Y), (2 * GRAY + 20, Y))
BANDS = NOISE.reshape(12, 90, 4)[:, :81].reshape(12, 4, 9, 9)
files = npz(patches=BANDS, labels=np.resize([1, 2], 12))
either("patches of bands", files, (BANDS, np.resize([1, 2], 12)), words="axes")
LONG = gaussian_filter(np.random.default_rng(5).normal(size=(2000, 12)), (5, 0))
pixels = np.round(15 * (X - X.min()) / np.ptp(X)).reshape(40, -1)
marks = {"pos": np.arange(40.0), "y": Y}
of_runs = cells(
    [{"X": LONG[:900], "trial": 15.0 * np.arange(48), "y": np.resize(Y, 48)}] * 2, (1, 2)
)
REFUSED = {
    "samples without labels": ({"X": STACK}, "no labels"),
    "no class": ({"X": STACK, "y": np.nan * Y}, "NaN"),
    "a label too few": ({"X": STACK, "y": Y[1:]}, r"^'y' has 39 labels, but no axis of 'X' \(12"),
    "a count of the samples": ({"X": STACK, "y": np.arange(40.0)}, "^'y' has 40 different values"),
    "a time axis called y": ({"X": STACK, "y": np.arange(40) / 250 - 0.1}, "measurements|axis"),
    "a label for each pixel": (
        {"scene": np.abs(last(NOISE[:5])), "scene_gt": np.resize([0, 1, 2], (12, 9))},
        "pixel",
    ),
    "samples of four axes": (
        {"X": np.stack([np.stack([STACK] * 5, 2)] * 2, 3), "y": Y},
        "^'X' is 12 × 9 × 5 × 2 × 40: along axis 5 each is 12 × 9 × 5 × 2, which is not a matrix",
    ),
    "a recording": ({"emg": LONG, "stimulus": np.repeat(np.arange(20) % 4, 100)}, "cut|windows"),
    "a recording with marks": (
        {"cnt": LONG[:900], "mrk": marks, "nfo": {"classes": cells(["left", "foot"])}},
        "40 labels|cut",
    ),
    "a pixel is no label": ({"pixels": np.c_[pixels, pixels[:, -1]]}, "no labels"),
    "recordings with marks in cells": ({"data": of_runs}, "48|cut"),
    "labels and nothing else": ({"labels": Y, "subject": WHO}, "sample"),
}
for kind, (variables, words) in REFUSED.items():
    refuse(kind, mat(**variables), words)
files = npz(X=X, y=np.array([{"a": 1}] * 40, object))
refuse("labels that only pickle reads", files, "pickle|object")
events = np.c_[np.arange(40), 0 * Y, Y]
either("events of MNE", mat(X=X, events=events, times=np.linspace(0, 1, 9)), (X, Y))
MORE = X[:7] + 1
for kind, labelled, more in (
    ("stacks", {"X_train": STACK, "y_train": Y}, last(MORE)),
    ("rows", {"fea": DOWN, "gnd": Y}, MORE.transpose(0, 2, 1).reshape(7, -1)),
    ("columns", {"fea": DOWN.T, "gnd": Y}, MORE.transpose(0, 2, 1).reshape(7, -1).T),
    ("cells and a stack", {"X": cells([*X]), "y": Y}, last(MORE)),
    ("cells", {"X": cells([*X]), "y": Y}, cells([*MORE])),
):
    beside = {"other": more, "mean": X.mean(0), "noise": np.ones((7, 5))}
    read(f"samples without labels beside: {kind}", mat(**labelled, **beside), (X, Y))
unused = {"t": np.arange(9.0) / 250, "sex": Y, "who": WHO, "one": np.ones(40), "rt": NOISE[:, 0, 0]}
unused |= {"none": np.zeros((0, 3)), "half": np.resize([1.0, 2, 2], 20), "note": "by me"}
read("much that is not used", mat(X=STACK, y=Y, fs=250.0, **unused), (X, Y))

# ---- what practitioners have: rows that belong together by a key --------------------------------

TRIALS, KIND = planted(60, 9, 40, seed=2)
CHANNELS = last(TRIALS)
PERSON6, LATE = np.arange(60) // 10, np.arange(60) >= 42
EPOCHS, HELD_OUT, OF_SIX = (TRIALS, KIND), (TRIALS, KIND, None, LATE), (TRIALS, KIND, PERSON6)
ROWS, GOOD = planted(60, 6, 6, seed=1)
TABLE = ROWS, GOOD
GRAPH, DX = planted(30, 14, 14, seed=3)
GRAPHS = GRAPH, DX
PHOTO, PET = levels(planted(40, 12, 10, seed=4)[0]), planted(40, 12, 10, seed=4)[1]
PHOTOS = PHOTO, PET
THREE, REST = planted(60, 8, 30, 3, seed=5)
MIX, MIX40, MIX30 = (RANDOM.permutation(n) for n in (60, 40, 30))
IDS = np.array([f"s{i:03d}" for i in RANDOM.permutation(200)[:60]])
F = [f"f{i}" for i in range(36)]
WORD, SIDE, PATIENT = (np.array(each.split()) for each in ("no yes", "left right", "hc ad"))
SUBS = [f"sub-{i + 1:02d}" for i in range(30)]
FILES = {f"{name}.mat": mat(conn=each) for name, each in zip(SUBS, GRAPH, strict=True)}
mixed_subs = [SUBS[i] for i in MIX30]
FEATURES, BY_ID = wide(["id", *F], ROWS, [IDS]), table(["id", "label"], IDS[MIX], WORD[GOOD[MIX]])
read("two tables by an id", {"features.csv": FEATURES, "labels.csv": BY_ID}, TABLE)
in_order = table(["id", "y"], IDS, GOOD)
read("two tables by an id, in order", {"features.csv": FEATURES, "labels.csv": in_order}, TABLE)
shuffled, numbers = wide(["id", *F], ROWS[MIX], [MIX + 1]), np.arange(60) + 1
read("numbers as ids", {"x.csv": shuffled, "y.csv": table(["id", "y"], numbers, GOOD)}, TABLE)
fewer = {"x.csv": wide(["id", *F], ROWS[:50], [IDS[:50]]), "y.csv": BY_ID}
either("labels of more ids", fewer, (ROWS[:50], GOOD[:50]))
some = MIX[MIX > 4]
fewer = {"x.csv": FEATURES, "y.csv": table(["id", "y"], IDS[some], GOOD[some])}
either("labels of fewer ids", fewer, (ROWS[5:], GOOD[5:]))
others = table(["code", "label"], [f"x{i + 500}" for i in MIX], GOOD)
files = {"x.csv": FEATURES, "y.csv": others}
ask("ids that share nothing", files, TABLE, words="id|code|key|match")
parts = table(["id", "split"], IDS[::-1], np.where(LATE, "test", "train")[::-1])
three = {"features.csv": FEATURES, "labels.csv": BY_ID, "splits.csv": parts}
read("three tables by an id", three, (ROWS, GOOD, None, LATE))
info = mat(id=cells([*IDS[MIX]]), condition=KIND[MIX])
read("ids in two .mat", {"eeg.mat": mat(X=CHANNELS, ids=cells([*IDS])), "info.mat": info}, EPOCHS)
header = ["participant_id", "age", "sex", "diagnosis"]
people = table(header, mixed_subs, 20 + MIX30 % 9, [*"fm" * 15], PATIENT[DX[MIX30]])
either("files of subjects and their table", FILES | {"participants.csv": people}, GRAPHS)
people = table(["SUB_ID", "age", "DX"], MIX30 + 1, 20 + MIX30 % 9, DX[MIX30] + 1)
either("files of subjects and their numbers", FILES | {"pheno.csv": people}, GRAPHS)
bids = {f"{sub}_ses-1_conn.csv": csv(each) for sub, each in zip(SUBS, GRAPH, strict=True)}
tsv = table(["participant_id", "group"], mixed_subs, PATIENT[DX[MIX30]]).replace(b",", b"\t")
either("BIDS", bids | {"participants.tsv": tsv}, GRAPHS)
fewer = dict([*FILES.items()][:22])
people = table(["subject", "age", "dx"], mixed_subs, 20 + MIX30 % 9, DX[MIX30])
either("fewer files than rows in the table", fewer | {"pheno.csv": people}, (GRAPH[:22], DX[:22]))
letters = "qwertyuiopasdfghjklzxcvb"
files = {f"rec_{c}.npy": npy(x) for c, x in zip(letters, TRIALS, strict=False)}
named = sorted((f"rec_{c}.npy", WORD[k]) for c, k in zip(letters, KIND, strict=False))
files = files | {"r.csv": table(["file", "label"], *zip(*named, strict=True))}
either("recordings and their names", files, (TRIALS[:24], KIND[:24]))
pics = zipped({f"img_{i:03d}.png": image(PHOTO[i]) for i in range(40)})
named = table(["filename", "label"], [f"img_{i:03d}.png" for i in MIX40], WORD[PET[MIX40]])
either("images and their names", {"pics.zip": pics, "labels.csv": named}, PHOTOS)
inside = {f"set/{i + 1}.png": image(PHOTO[i]) for i in range(40)}
inside |= {"set/train.csv": table(["id", "level"], MIX40 + 1, PET[MIX40])}
either("images and their numbers in one .zip", zipped(inside), PHOTOS)
tables = zipped({f"r{i:02d}.csv": csv(TRIALS[i].T) for i in range(60)})
named = table(["file", "label"], [f"r{i:02d}.csv" for i in MIX], WORD[KIND[MIX]])
either("tables in a .zip and their names", {"rec.zip": tables, "labels.csv": named}, EPOCHS)
numbered = table(["id", "label"], numbers, KIND)
read("a table of numbers in order", {"X.mat": mat(X=CHANNELS), "labels.csv": numbered}, EPOCHS)
numbered = table(["id", "label"], MIX + 1, KIND[MIX])
files = {"X.mat": mat(X=CHANNELS), "labels.csv": numbered}
either("a table of numbers in another order", files, EPOCHS)
meta = table(["subject", "label"], PERSON6, WORD[KIND])
read("X.npy and a table of subjects", {"X.npy": npy(TRIALS), "meta.csv": meta}, OF_SIX)
faces = zipped({f"{WORD[i % 2]}/{i}.png": image(PHOTO[i]) for i in range(40)})
log = table(["epoch", "loss"], range(20), RANDOM.random(20).round(3))
read("images in folders and a log", {"i.zip": faces, "log.csv": log}, (PHOTO, ALTERNATE))

# ---- classes, parts and subjects in names -------------------------------------------------------

pets = {f"{WORD[PET[i]]}.{i}.png": image(PHOTO[i]) for i in range(40)}
either("the class in the names of images", zipped(pets), PHOTOS, words="name")
labels = "\n".join(map(str, PET)).encode()
files = {f"img_{i + 1}.png": image(PHOTO[i]) for i in range(40)}
read("img_1, img_2 ... and labels.txt", files | {"labels.txt": labels}, PHOTOS)
late40 = np.where(np.arange(40) < 26, "train", "test")
files = {f"{late40[i]}/{WORD[PET[i]]}/{i}.png": image(PHOTO[i]) for i in range(40)}
read("images in folders of parts and classes", zipped(files), (*PHOTOS, None, late40 == "test"))
pgm = {f"s{1 + k}/{i}.pgm": b"P5\n10 12\n255\n" + PHOTO[i].tobytes() for i, k in enumerate(PET)}
read("faces in .pgm, and a README", zipped(pgm | {"README": b"The files are in PGM."}), PHOTOS)
files = {f"d/{WORD[KIND[i]]}/rec_{i:03d}.csv": csv(TRIALS[i]) for i in range(60)}
read("tables in folders of classes", zipped(files), EPOCHS)
files = {f"{WORD[KIND[i]]}/rec_{i}.npy": npy(TRIALS[i]) for i in range(60)}
read("arrays in folders of classes", zipped(files), EPOCHS)
files = {f"{WORD[KIND[i]]}/rec_{i}.npz": npz(x=TRIALS[i], fs=100.0) for i in range(60)}
read("archives of arrays in folders of classes", zipped(files), EPOCHS)
read("an archive of arrays in an archive", zipped({"d.npz": npz(X=TRIALS, y=KIND)}), EPOCHS)
part = np.where(LATE, "test", "train")
files = {f"{part[i]}/{WORD[KIND[i]]}/x{i}.npy": npy(TRIALS[i]) for i in range(60)}
read("arrays in folders of parts and classes", zipped(files), HELD_OUT)
files = {f"S{i // 2:02d}/{WORD[i % 2]}.npy": npy(TRIALS[i]) for i in range(40)}
STATES = np.arange(40) % 2, np.arange(40) // 2
either("folders of subjects", zipped(files), (TRIALS[:40], *STATES))
files = {f"{WORD[s % 2]}/s{s:02d}.mat": mat(X=CHANNELS[..., s == PERSON6]) for s in range(6)}
either("stacks of subjects in folders of classes", zipped(files), (TRIALS, PERSON6 % 2, PERSON6))
files = {
    f"subj{s}_{WORD[k]}.npy": npy(TRIALS[(s == PERSON6) & (k == KIND)])
    for s in range(6)
    for k in (0, 1)
}
either("stacks of subjects and states", files, OF_SIX)
files = {f"S{i // 2:02d}_{WORD[i % 2]}": TRIALS[i] for i in range(40)}
either("variables of subjects and states", mat(**files), (TRIALS[:40], *STATES))
runs20 = {f"sub-{i // 2 + 1:02d}_run-{i % 2 + 1}": slice(10 * i, 10 * i + 10) for i in range(6)}
files = {f"{name}.mat": mat(X=CHANNELS[..., s], y=KIND[s]) for name, s in runs20.items()}
read("runs of subjects", files, (TRIALS, KIND, np.arange(60) // 20), OF_SIX)
files = {f"trial_{i + 1:02d}.mat": mat(x=TRIALS[i], label=1.0 * KIND[i]) for i in range(60)}
read("a file with a label for each trial", files, EPOCHS)
names = cells([f"C{i}" for i in range(9)])
files = {f"P{s}.mat": mat(X=CHANNELS[..., s::3], y=KIND[s::3], fs=100.0) for s in range(3)}
read("a file for each subject", files, (TRIALS, KIND, np.arange(60) % 3))
files = {
    f"{k}_{s + 1}.mat": mat(**{k[0]: v})
    for s in range(4)
    for k, v in (("data", CHANNELS[..., s::4]), ("label", KIND[s::4]))
}
read("data_1, label_1 ...", files, (TRIALS, KIND, np.arange(60) % 4))
files = {
    f"session{s}.mat": mat(X=CHANNELS[..., 34 * s : 34 + 26 * s], labels=KIND[34 * s : 34 + 26 * s])
    for s in (0, 1)
}
read("two sessions of unequal length", files, (TRIALS, KIND, np.arange(60) >= 34))
files = {f"sub{s}.csv": wide([*F, "label"], ROWS[s::4], (), [GOOD[s::4]]) for s in range(4)}
read("a table for each subject", files, (ROWS, GOOD, np.arange(60) % 4))
for called in (WORD, SIDE):
    files = {f"class_{called[k]}.csv": csv(ROWS[k == GOOD].reshape(-1, 36)) for k in (0, 1)}
    read(f"a table for each class, {called}", files, TABLE)
parted = (("train", ~LATE), ("test", LATE))
files = {f"sign_{w}.csv": wide(["label", *F], ROWS[s], [GOOD[s]]) for w, s in parted}
read("a table for each part", files, (ROWS, GOOD, None, LATE))
files = {"train.csv": wide(["label", *F], ROWS[:42], [GOOD[:42]]), "test.csv": wide(F, ROWS[42:])}
read("train.csv with, test.csv without labels", files, (ROWS[:42], GOOD[:42]))
files = {
    f"Coffee_{w.upper()}.txt": csv(np.c_[1 + GOOD[s], ROWS[s].reshape(-1, 36)]) for w, s in parted
}
either("UCR: the class first, in two files", files, (ROWS, GOOD, None, LATE))
har = (("X", ROWS.reshape(60, -1)), ("y", GOOD), ("subject", PERSON6 + 1))
files = {f"{k}_{w}.txt": csv(v[s]) for w, s in parted for k, v in har}
read("X_train.txt, y_train.txt, subject_train.txt", files, (ROWS, GOOD, PERSON6, LATE))
keras = {f"{k}_{w}": v[s] for w, s in parted for k, v in (("x", TRIALS), ("y", KIND[:, None]))}
read("Keras", npz(**keras), HELD_OUT)
thirds = (("train", slice(30)), ("val", slice(30, 42)), ("test", slice(42, 60)))
medical = (("images", levels(ROWS)), ("labels", GOOD[:, None]))
kept = np.r_[:30, 42:60]
files = npz(**{f"{w}_{k}": v[s] for w, s in thirds for k, v in medical})
read("train, val and test images", files, (levels(ROWS)[kept], GOOD[kept], None, kept >= 42))
files = {f"{k}_{w}": v[s] for w, s in thirds for k, v in (("X", TRIALS), ("y", KIND))}
read("train, val, test", npz(**files), (TRIALS[kept], KIND[kept], None, kept >= 42))
files = {"A1T.mat": mat(x_train=TRIALS[:42], y_train=KIND[None, :42])}
files |= {"A1E.mat": mat(x_test=TRIALS[42:], y_test=KIND[None, 42:])}
read("training and test file", files, HELD_OUT)
of_part = {w: {"X": TRIALS[s], "y": KIND[s]} for w, s in parted}
read("train.X, train.y, test.X, test.y", mat(**of_part), HELD_OUT)
emnist = {"images": levels(ROWS).reshape(-1, 36), "labels": GOOD[:, None]}
emnist |= {"writers": PERSON6[:, None]}
dataset = {w: {name: each[s] for name, each in emnist.items()} for w, s in parted}
dataset |= {"mapping": np.c_[np.arange(2), 65 + np.arange(2)]}
read("EMNIST", mat(dataset=dataset), (levels(ROWS), GOOD, PERSON6, LATE))
masks = {"train_mask": numbers <= 30, "val_mask": (numbers > 30) & ~LATE, "test_mask": LATE}
read("masks of three parts", npz(X=TRIALS, y=KIND, **masks), HELD_OUT)
files = {"a.mat": mat(X=TRIALS, y=KIND), "b.mat": mat(is_test=LATE)}
read("a mask in a second file", files, HELD_OUT)
lists = {"train_ind": np.flatnonzero(~LATE), "test_ind": np.flatnonzero(LATE)}
read("lists from 0", npz(X=TRIALS, y=KIND, **lists), HELD_OUT)
half = {"X_train": TRIALS[:42], "y_train": KIND[:42], "X_test": TRIALS[42:]}
files = npz(**half, id_test=np.arange(18) + 900)
read("a test part without labels, with ids", files, (TRIALS[:42], KIND[:42]))
files = mat(**half | {"y_train": KIND[:42] + 1, "y_test": np.zeros((1, 18))})
read("a test part with labels of 0", files, (TRIALS[:42], KIND[:42]))
sorted_ = TRIALS[np.argsort(KIND, kind="stable")]
sided = {"left.npy": npy(sorted_[:30]), "right.npy": npy(sorted_[30:])}
read("left.npy, right.npy", sided, EPOCHS)
files = {"left.npy": npy(TRIALS[0]), "right.npy": npy(TRIALS[1])}
refuse("two single matrices", files, "label|class|sample")
unequal = {"HC": last(GRAPH[DX == 0]), "MDD": last(GRAPH[DX == 1])[..., :13]}
ages = {"HC_age": 20.0 + np.arange(15) % 7, "MDD_age": 30.0 + np.arange(13) % 5}
of_two = np.r_[GRAPH[DX == 0], GRAPH[DX == 1][:13]], np.repeat([0, 1], [15, 13])
read("patients and controls, each with ages", mat(**unequal, **ages), of_two)
conditions = {f"c{k}": last(THREE[k == REST])[..., : 20 - k] for k in range(3)}
right = (np.r_[*(THREE[k == REST][: 20 - k] for k in range(3)),], np.repeat(range(3), [20, 19, 18]))
read("a struct of conditions", mat(data=conditions | {"fs": 100.0}), right)
states = {side: TRIALS[k == KIND].transpose(1, 2, 0) for k, side in enumerate(SIDE)}
either("two conditions of one shape", mat(**states), EPOCHS)

# ---- recordings ---------------------------------------------------------------------------------

VIBRATION = gaussian_filter(RANDOM.normal(size=(6000, 3)), (4, 0)).round(4)
CUT = "recording|cut|window|moment"
files = {
    f"{name}_0.mat": mat(**{f"X{97 + k}_DE_time": VIBRATION[k::4, :1], f"X{97 + k}RPM": 1797.0})
    for k, name in enumerate(["Normal", "IR007", "B007"])
}
refuse("a recording for each class", files, CUT)
files = {f"{name}.mat": mat(vib=VIBRATION[:, :1], fs=12000.0) for name in ("normal", "faulty")}
refuse("two recordings, the class in the name", files, CUT)
files = {f"data/{WORD[i % 2]}/rec{i:02d}.csv": csv(VIBRATION[: 480 + i]) for i in range(12)}
refuse("recordings of unequal length", zipped(files), CUT)
markers = {"marker_pos": 145 * np.arange(40), "marker_class": ALTERNATE + 1}
refuse("a recording and markers", mat(eeg=VIBRATION, fs=100.0, **markers), CUT + "|40")
labelled = {"restimulus": np.repeat(np.arange(20) % 5, 300), "block": np.repeat(range(20), 300)}
refuse("a label for each moment", mat(emg=VIBRATION, **labelled), CUT)
activity = np.repeat(np.array(["sit", "walk", "run"])[np.arange(10) % 3], 600)
sensor = table(["time", "x", "y", "z", "activity"], np.arange(6000) / 50, *VIBRATION.T, activity)
refuse("a table of moments", sensor, CUT)
refuse("one recording", mat(vibration=VIBRATION[:, [0]], fs=12000.0), "recording")
SHORT, WALK = planted(40, 3, 30, seed=6)
lengths = RANDOM.integers(20, 31, 40)
some = (np.arange(30) < lengths[:, None]).ravel()
moments = np.repeat(range(40), 30), *SHORT.transpose(1, 0, 2).reshape(3, -1), np.repeat(WALK, 30)
for called in ("activity", "label"):
    header = ["trial", "ax", "ay", "az", called]
    long = table(header, *moments[:-1], WORD[moments[-1]])
    ask(f"a long table of trials, {called}", long, (SHORT, WALK), words="trial")
    long = table(header, *(each[some] for each in moments))
    refuse(f"a long table of unequal trials, {called}", long, "trial|length|cut|moment")
for word in ("trial", "epoch"):
    whole = np.tile(range(30), 40) / 100, WORD[moments[-1]], *moments[:-1]
    files = table(["time", "condition", word, "ax", "ay", "az"], *whole)
    ask(f"a table of moments, condition and {word} of each", files, (SHORT, WALK))
AT, ON, WHEN = (each.ravel() for each in np.indices(SHORT.shape))
SHUFFLED = np.random.default_rng(8).permutation(SHORT.size)
long = {"trial": AT + 1, "sensor": np.array(["x", "y", "z"])[ON], "time": WHEN / 100}
long |= {"value": SHORT.ravel(), "label": WORD[WALK[AT]]}
from_start = long | {"time": WHEN / 100 + AT}
for name, each in (("", long), (", times from the start", from_start)):
    files = table([*each], *(column[SHUFFLED] for column in each.values()))
    read(f"a row for each trial, sensor and moment{name}", files, (SHORT, WALK))
files = table([*long], *(each[lengths[AT] > WHEN] for each in long.values()))
ask("the same of unequal trials", files, (SHORT[..., : lengths.min()], WALK))
of_sensors = {name: long[name][WHEN == 0] for name in ("trial", "sensor", "label")}
header = [*of_sensors, *(f"t{at}" for at in range(30))]
files = wide(header, SHORT.reshape(120, 30), of_sensors.values())
read("a row for each trial and sensor", files, (SHORT, WALK))
of_moments = np.indices((40, 30)).reshape(2, -1)
moving = table(["id", "time", "ax", "ay", "az"], *of_moments, *moments[1:-1])
files = {"moving.csv": moving, "kinds.csv": table(["id", "label"], range(40), WALK)}
read("moments with an id, and a table of ids", files, (SHORT, WALK))
units = table([*F, "label"], *([each] for each in ["mV"] * 36 + [""]))
table_of = wide([*F, "label"], ROWS, (), [GOOD])
read("units below the names", units + table_of.partition(b"\n")[2], (ROWS, GOOD))
files = mat(X=cells([*X]), y=Y, W=NOISE[0, :9, :9], kind=cells(["eeg", "eog", "eeg"] * 3))
read("cells beside a matrix of weights", files, (X, Y))
for label in ("Klasse", "Befund"):
    german = [["Gerät", "Geschlecht", *(f"Länge {at}" for at in range(P * Q)), label]]
    german += [[f"Gerät {at % 4}", "mw"[at % 2], *DOWN[at], ANSWERS[at]] for at in range(40)]
    if label == "Befund":
        german = [row[1:] for row in german]
    lines = [";".join(map(str, row)).replace(".", ",") for row in german]
    read(f"a German table of {label}", "\r\n".join(lines).encode("cp1252"), (X, Y))
pictures = {f"{WORD[k]}/images/{at}.png": levels(ROWS[at]) for at, k in enumerate(GOOD)}
pictures |= {
    name.replace("images", "masks"): (each > 128).astype(np.uint8)
    for name, each in pictures.items()
}
files = zipped({name: image(each) for name, each in pictures.items()})
read("classes, with a mask for each image", files, (levels(ROWS), GOOD))
files = zipped(
    {name.partition("/")[2].replace("png", "npy"): npy(each) for name, each in pictures.items()}
)
ask("arrays and masks", files, words="mask")
lengths = 30 + RANDOM.integers(0, 11, 60)
ragged = cells([x[:, :n] for x, n in zip(TRIALS, lengths, strict=True)])
CUT_ALL = TRIALS[..., : lengths.min()], KIND
either("trials of unequal length", mat(eeg=ragged, labels=KIND), CUT_ALL, words="short|cut")
field_trip = {"trial": ragged, "trialinfo": KIND[:, None] + 1.0, "fsample": 250.0}
either("FieldTrip, trials of unequal length", mat(data=field_trip), CUT_ALL, words="short|cut")
padded = np.where(np.arange(40) < lengths[:, None, None], TRIALS, np.nan)
either("padded trials", npz(X=padded, y=KIND), CUT_ALL, words="short|cut")
refuse("padded trials in MATLAB", mat(X=last(padded), y=KIND), "NaN|short|cut")
very = cells([RANDOM.normal(size=(n, 12)) for n in RANDOM.integers(60, 400, 30)])
refuse("series of very different lengths", mat(ts=very, dx=DX), "length|differ|short|cut")

# ---- tables -------------------------------------------------------------------------------------

named = WORD[GOOD]
european = wide([*F, "class"], ROWS, (), [named]).replace(b",", b";").replace(b".", b",")
read("semicolons and decimal commas", european, TABLE)
files = wide(["subject", "age", *F, "class"], ROWS, [PERSON6 + 1, 20 + PERSON6], [GOOD])
read("subject, age, numbers, class", files, (ROWS, GOOD, PERSON6))
read("an index of pandas", wide(["", *F, "label"], ROWS, [np.arange(60)], [named]), TABLE)
files = {"X.csv": wide(None, ROWS), "y.csv": table(["label"], GOOD)}
read("X.csv without, y.csv with a header", files, TABLE)
first = wide(["class", *F], ROWS[:36], [named[:36]])
read("as wide as long, the class first", first, (ROWS[:36], GOOD[:36]))
final = wide([*F, "label"], ROWS[:36], (), [named[:36]])
read("as wide as long, the class last", final, (ROWS[:36], GOOD[:36]))
curves = gaussian_filter(planted(60, 10, 14, 3, 7)[0], (0, 1, 2)).round(4)
third = planted(60, 10, 14, 3, 7)[1]
read("no names, the class first", csv(np.c_[third + 1, curves.reshape(60, -1)]), (curves, third))
read("no names, the class last", csv(np.c_[curves.reshape(60, -1), third]), (curves, third))
either("no names, an id first", wide(None, ROWS, [numbers], [GOOD]), TABLE, words="first column|id")
files = wide(["file", *F, "class"], ROWS, [[f"rec_{i:03d}.edf" for i in MIX]], [named])
read("file names and a class", files, TABLE)
files = wide([*F, "sex", "diagnosis"], ROWS, (), [np.array([*"mf" * 30]), named])
read("sex and diagnosis", files, TABLE)
files = wide([*F, "colA", "colB"], ROWS, (), [np.array([*"mf" * 30]), named])
ask("two columns of texts", files, TABLE)
iris = (RANDOM.normal(size=(60, 4)) + GOOD[:, None]).round(2)
files = table(["length", "width", "petal_length", "petal_width", "species"], *iris.T, named)
read("iris", files, (iris, GOOD))
spectra = gaussian_filter(RANDOM.normal(size=(60, 150)), (0, 3)).round(4)
files = wide(["label", *np.linspace(400, 698, 150)], spectra, [named])
read("wavelengths in the header", files, (spectra, GOOD))
files = wide(["sample_id", *np.linspace(9, -1, 150).round(4), "class"], spectra, [MIX], [named])
read("ppm in the header, an id first", files, (spectra, GOOD))
samples = [f"{word}_{i}" for i, word in enumerate(PATIENT[GOOD])]
files = table(["wavelength", *samples], np.arange(1100, 2600, 10), *spectra)
either("samples in columns", files, (spectra, GOOD), words="column")
usage = np.where(LATE, np.where(numbers > 50, "PublicTest", "PrivateTest"), "Training")
texts = [" ".join(map(str, each.ravel())) for each in levels(ROWS)]
files = table(["emotion", "pixels", "Usage"], GOOD, texts, usage)
read("pixels in one text, and Usage", files, (levels(ROWS), GOOD, None, LATE))
words = "\n".join(SIDE[KIND]).encode()
read("X.npy and words in y.txt", {"X.npy": npy(TRIALS), "y.txt": words}, EPOCHS)
files = {"data.npy": npy(TRIALS), "labels.npy": npy(KIND), "subjects.npy": npy(PERSON6)}
read("data.npy, labels.npy, subjects.npy", files, OF_SIX)

# ---- what stands beside epochs, spectra, connectomes --------------------------------------------

seconds = np.arange(40) / 100 - 0.1
mne = {"times": seconds, "ch_names": np.array([*"ABCDEFGHI"])}
mne |= {"events": np.c_[500 + 200 * np.arange(60), 0 * KIND, 7 + KIND]}
either("MNE: events, times, channels", npz(X=TRIALS, event_names=SIDE, **mne), EPOCHS)
either("MNE in volts", npz(data=1e-6 * TRIALS, sfreq=250.0, **mne), (1e-6 * TRIALS, KIND))
read("a sampling rate", mat(X=CHANNELS, y=KIND[None], fs=250.0), EPOCHS)
files = {"x.mat": mat(X=CHANNELS, fs=250.0), "y.mat": mat(y=KIND[None])}
read("two files and a sampling rate", files, EPOCHS)
files = mat(data=CHANNELS, t=seconds[None], cond=cells([*SIDE[KIND]]))
read("a time axis and cells of words", files, EPOCHS)
files = mat(data=np.tile(CHANNELS, (1, 20, 1)).astype("f4"), label=KIND[None])
read("long epochs in single precision", files, (np.tile(TRIALS, (1, 1, 20)), KIND))
places = structs(labels=[*"ABCDEFGHI"], X=[*range(9)], Y=[*range(9)], Z=[*range(9)])
kinds, moment, epoch = SIDE[KIND].tolist(), 40.0 * np.arange(60) + 10, np.arange(60) + 1.0
eeglab = {"times": 1000 * seconds, "pnts": 40.0, "data": CHANNELS.astype("f4")}
eeglab |= {"setname": "epochs", "srate": 100.0, "chanlocs": places}
files = mat(EEG=eeglab | {"event": structs(type=kinds, latency=[*moment], epoch=[*epoch])})
read("EEGLAB", files, EPOCHS)
answers = structs(
    type=kinds + ["response"] * 30,
    latency=[*moment, *(moment[::2] + 20)],
    epoch=[*epoch, *epoch[::2]],
)
read("EEGLAB with responses", mat(EEG=eeglab | {"event": answers}), EPOCHS)
files = mat(data=CHANNELS, labels=KIND, subj_idx=PERSON6 + 1, srate=250.0, chanlocs=places)
read("EEGLAB by hand", files, OF_SIX)
of_trial = structs(data=[*TRIALS], label=SIDE[KIND].tolist())
sessions = structs(
    trials=[of_trial[:, s : s + 10] for s in range(0, 60, 10)], name=[f"S{s}" for s in range(6)]
)
read("sessions of trials", mat(session=sessions), OF_SIX)
files = mat(
    trials=structs(data=[*TRIALS], **{"class": SIDE[KIND].tolist()}, subject=[*PERSON6 + 1.0])
)
read("a struct for each trial", files, OF_SIX)
in_cells = structs(
    trial=[cells([*TRIALS[s : s + 10]]) for s in range(0, 60, 10)],
    label=[*KIND.reshape(6, 10) * 1.0],
)
either("structs of cells of trials", mat(subject=in_cells), OF_SIX, words="cell|nest|struct")
one_each = np.array([1, 2, 1, 2, 2, 1.0])
files = mat(X=cells([*CHANNELS.reshape(9, 40, 6, 10).transpose(2, 0, 1, 3)]), y=one_each)
either("one label for each cell of a run", files, (TRIALS, one_each[PERSON6], PERSON6))
field_trip = {"label": names, "trial": cells([*TRIALS]), "time": cells([seconds] * 60)}
field_trip |= {"trialinfo": np.c_[KIND + 1.0, RANDOM.integers(200, 900, 60)]}
either("FieldTrip", mat(data=field_trip), EPOCHS)
read("folds from 1", mat(X=CHANNELS, y=KIND, fold=1 + np.arange(60) % 5), EPOCHS)
files = mat(X=CHANNELS, y=KIND, folds=cells([1.0 + np.arange(k, 60, 5) for k in range(5)]))
read("folds as cells of places", files, EPOCHS)
triple = THREE, REST
files = mat(X=THREE, y=REST[None] + 1, classnames=cells(["rest", "left", "right"]))
read("names of classes", files, triple)
files = npz(X=THREE, Y=np.eye(3)[REST], classes=np.array(["rest", "left", "right"]))
read("one-hot of three, and names", files, triple)
read("one-hot of two, and names", npz(X=TRIALS, Y=np.eye(2)[KIND], class_names=SIDE), EPOCHS)
files = mat(X=THREE, labels=np.eye(3)[REST].T, subject=PERSON6)
read("one-hot along rows, and subjects", files, (*triple, PERSON6))
who = cells([f"P{s}" for s in PERSON6])
files = mat(eeg=last(THREE), stim=cells([f"tone{k}" for k in REST]), subject_id=who)
read("words and subjects", files, (*triple, PERSON6))
names3 = cells(["anna", "bert", "carl"])
faces = {"faces.mat": mat(faces=last(THREE)), "labels.mat": mat(labels=REST + 1, names=names3)}
read("labels in a second file, with names", faces, triple)
ask("valence and arousal", mat(data=TRIALS, valence=KIND, arousal=KIND[MIX]), EPOCHS)
ratings = np.c_[5 + 2 * (2.0 * KIND - 1), RANDOM.uniform(1, 9, (60, 3))]
ratings += RANDOM.normal(size=(60, 4)) / 4
ask("columns of ratings", mat(data=TRIALS, labels=ratings.round(2)), EPOCHS)
ask("coarse and fine labels", npz(x=THREE, coarse_label=REST // 2, fine_label=REST), triple)
files = mat(spec=CHANNELS, f=np.linspace(1, 40, 9), t=seconds, y=KIND)
read("spectrograms, f and t", files, EPOCHS)
files = mat(spectra=spectra.T, wavelength=np.linspace(900, 1700, 150), **{"class": GOOD})
read("spectra in columns", files, (spectra, GOOD))
pls = {"name": "nir", "type": "data", "data": spectra, "label": cells(["", ""])}
pls |= {"class": cells([GOOD[None] + 1.0, np.zeros((0, 0))])}
either("labels in a cell beside an empty one", mat(nir=pls), (spectra, GOOD))
named = element(1, b"dataset") + element(5, b"\2\0\0\0") + element(1, b"")
holder = array(3, (1, 1), b"nir", named)
files = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + holder
refuse("an object of a toolbox", files, "object|dataset|class|damaged")
patches = RANDOM.normal(size=(60, 5, 5, 12)) + 0.3 * REST[:, None, None, None]
files = mat(patches=patches, labels=REST, wavelengths=np.linspace(400, 900, 12))
either("patches with wavelengths", files, (patches, REST))
files = mat(cube=RANDOM.random((40, 30, 20)), gt=RANDOM.integers(0, 4, (40, 30)))
refuse("a cube and a map of its pixels", files, "pixel")
bands = np.abs(RANDOM.normal(size=(40, 9, 9, 4))) + np.arange(4)
ask("four bands of small images", mat(img=bands, label=ALTERNATE), words="4|band|axes")
excited = np.abs(RANDOM.normal(size=(60, 10, 8)))
excited[:, np.tri(10, 8, -2) > 0] = np.nan
files = mat(DS={"X": excited, "site": cells([*SIDE[KIND]])})
refuse("positions that never have a value", files, "entries have no value in any sample: filled in")
phases = np.exp(1j * RANDOM.uniform(-3, 3, CHANNELS.shape))
files = mat(csi=(9 + CHANNELS) * phases, label=KIND)
either("complex of random phases", files, (9 + TRIALS, KIND), words="magnitude")
clinical = {"Age": 20.0 + MIX30 % 11, "Sex": MIX30 % 2 + 1, "Site": MIX30 % 4 + 1}
read("Group, Age, Sex, Site", mat(FC=last(GRAPH), Group=cells([*PATIENT[DX]]), **clinical), GRAPHS)
read("ids, dx, site", mat(FC=last(GRAPH), ID=cells(SUBS), dx=DX, site=np.arange(30) % 4), GRAPHS)
infinite = np.where(np.eye(14) > 0, np.inf, GRAPH)
files = mat(z=last(infinite), group=DX)
refuse("Fisher z with Inf on the diagonal", files, "NaN|no value|infinity")
files = mat(conn=last(GRAPH), age=(20 + 40 * RANDOM.random(30)).round(1))
refuse("connectomes and ages", files, "measure|median|age|label")
files = mat(X=TRIALS, y=KIND + 1, y_name=cells([*SIDE[KIND]]))
read("labels as numbers and as texts", files, EPOCHS)
files = mat(X=CHANNELS, trial_label=KIND, chan_hemisphere=cells([*"LRLRLRLRL"]))
read("labels and kinds of channels", files, EPOCHS)
read("samples to predict", mat(X=CHANNELS, Y=KIND, X_new=CHANNELS[..., :13] + 1), EPOCHS)
files = npz(data=TRIALS, labels=SIDE[KIND], subject=PERSON6, sfreq=100.0)
read("words, subjects, a rate", files, OF_SIX)
files = npz(X=TRIALS, y_onset=100 * np.arange(60) + MIX % 9, y_class=KIND)
read("onsets and classes", files, EPOCHS)
read("metadata", mat(d={"data": CHANNELS, "metadata": {"labels": KIND, "channels": names}}), EPOCHS)
files = mat(D={"x": CHANNELS, "info": {"y": KIND, "date": "2020", "id": np.arange(60) + 100}})
read("labels in a struct of bookkeeping", files, EPOCHS)
files = mat(X=TRIALS, labels=2.0 * KIND - 1, y_soft=KIND + RANDOM.normal(size=60) / 9)
read("a score beside labels of -1 and 1", files, EPOCHS)
files = mat(X=CHANNELS, y=KIND, artifacts=(np.arange(60) % 7 == 0) * 1.0, run=PERSON6 + 1)
read("artifacts and runs", files, OF_SIX)
files = mat(X=CHANNELS, y=KIND, W=RANDOM.normal(size=(9, 40)), mask=RANDOM.random((9, 40)) > 0.5)
read("weights and a mask", files, EPOCHS)
beside = {"ch_names": names, "info": {"sfreq": 100.0}, "onset": np.sort(RANDOM.random(60))}
files = mat(epochs=CHANNELS, labels=KIND + 1, bad_epochs=[3.0, 17, 40], **beside)
read("bad epochs and onsets", files, EPOCHS)
beside = {"rt": RANDOM.random(60), "response": KIND[MIX], "correct": numbers % 3 > 0}
files = mat(eeg=CHANNELS, label=KIND, **beside)
read("reaction times and responses", files, EPOCHS)
files = mat(eeg=CHANNELS, condition=KIND + 1, condition_names=cells([*SIDE]), order=MIX + 1)
read("conditions and their order", files, EPOCHS)
digits = {"data": levels(ROWS).reshape(60, -1), "images": levels(ROWS), "target": GOOD}
digits = npz(**digits, target_names=WORD, DESCR=np.array("digits"))
either("a Bunch of scikit-learn", digits, (levels(ROWS), GOOD))
smooth = gaussian_filter(planted(40, 8, 40, seed=8)[0], (0, 0, 3)).round(4)
eight = planted(40, 8, 40, seed=8)[1]
files = npz(X=smooth, y=eight, times=np.arange(40) / 100)
read("as many moments as trials", files, (smooth, eight))
files = mat(eeg=last(GRAPH[:14]), y=DX[:14], fs=100.0)
either("as many channels as trials", files, (GRAPH[:14], DX[:14]))

# ---- doubts -------------------------------------------------------------------------------------

MINUS = "-1|\N{MINUS SIGN}1"
files = mat(X=TRIALS, y=np.where(PERSON6, KIND + 1, -1))
ask("labels of which -1 are unknown", files, (TRIALS[10:], KIND[10:]), words=MINUS)
refuse("some labels NaN", mat(X=TRIALS, y=np.where(PERSON6, KIND, np.nan)), "NaN")
numbered = {f"P{s}.mat": mat(X=CHANNELS[..., s::2], y=KIND[s::2] + 1 - s) for s in (0, 1)}
ask("labels numbered differently", numbered, words="Two groups number the classes differently")
files = mat(X=CHANNELS[..., :30], y=np.arange(31) % 2, chan_kind=cells([*"abcabcabc"]))
refuse("labels that fit nothing beside texts", files, "31")
files = mat(X=TRIALS[:8], y=np.arange(61) % 2, chan_type=cells([*"eogeogeo"]))
refuse("long labels beside few samples", files, "61")
refuse("two labels too few", {"X.mat": mat(X=CHANNELS), "y.mat": mat(y=KIND[:58])}, "58")
files = {f"S{s}.mat": mat(X=CHANNELS[: 9 - s, :, s::2], y=KIND[s::2]) for s in (0, 1)}
refuse("two subjects with other channels", files, "differ|shape|channels")
files = mat(X_eeg=TRIALS, X_nirs=TRIALS[:, :6, :30] + 1, y=KIND)
ask("two kinds of recordings", files, EPOCHS, (TRIALS[:, :6, :30] + 1, KIND))
either("EEG and a smaller EOG", mat(eeg=CHANNELS, eog=CHANNELS[:2], y=KIND), EPOCHS)
filtered = gaussian_filter(TRIALS, (0, 0, 2))
files = mat(raw=CHANNELS, filtered=last(filtered), pca=RANDOM.normal(size=(60, 12)), y=KIND)
ask("raw, filtered and PCA", files, EPOCHS)
files = mat(X=ROWS.reshape(60, -1), Xs=ROWS.reshape(60, -1) / 3 - 1, y=GOOD)
either("X and X standardised", files, TABLE, (ROWS / 3 - 1, GOOD))
targets = RANDOM.normal(size=(60, 3))
above = targets[:, 0] > np.median(targets[:, 0])
ask("three measured targets", npz(spectra=TRIALS, targets=targets), (TRIALS, above))
capital = np.where(PERSON6 % 2, WORD[KIND], np.strings.title(WORD[KIND]))
files = mat(X=TRIALS, y=cells([*capital]))
ask("classes that differ in capital letters", files, words="capital letters")
ask("a number for none", mat(X=np.where(TRIALS > 2.5, -9999, TRIALS), y=KIND), words="-9999 occurs")
