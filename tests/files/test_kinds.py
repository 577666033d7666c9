"""Kinds of files that belong together, are recordings or are in doubt, and what the page does.

It trains at once on these samples (`read`), or asks first and offers them (`ask`), or refuses in a
sentence that has these words (`refuse`). The order of the samples does not count.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.reading.source import inspect_contents
from tests.files.make import cells, csv, image, mat, npy, npz, zipped
from tests.files.reader import read_samples

RANDOM = np.random.default_rng(7)


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


X, Y = planted(60, 6, 6, seed=1)
TRIALS, KIND = planted(60, 9, 40, seed=2)
SQUARE, DX = planted(30, 14, 14, seed=3)
STACK = TRIALS.transpose(1, 2, 0)
MIX, MIX30 = RANDOM.permutation(60), RANDOM.permutation(30)
IDS = np.array([f"s{i:03d}" for i in RANDOM.permutation(200)[:60]])
HEAD = ["id", *(f"f{i}" for i in range(36))]
WORD = np.array(["no", "yes"])
PIXELS = np.clip(128 + 20 * X, 0, 255).astype(np.uint8)
WHO = np.arange(60) // 10
TEST = np.arange(60) >= 40
SUBJECTS = {f"sub-{i + 1:02d}.mat": mat(conn=SQUARE[i]) for i in range(30)}
ACC = gaussian_filter(RANDOM.normal(size=(3000, 3)), (4, 0)).round(4)


class Case(NamedTuple):
    files: Any
    how: str
    right: tuple[Any, ...] = ()  # samples and labels, and perhaps groups and test part
    words: str = ""


def trials_of(part):
    return {"X": TRIALS[part].transpose(1, 2, 0), "y": KIND[part]}


KEYS = {
    "two tables by an id": Case(
        {
            "features.csv": wide(HEAD, X, [IDS]),
            "labels.csv": table(["id", "label"], IDS[MIX], WORD[Y[MIX]]),
        },
        "read",
        (X, Y),
    ),
    "numbers as ids": Case(
        {
            "features.csv": wide(HEAD, X[MIX], [MIX + 1]),
            "labels.csv": table(["id", "y"], np.arange(60) + 1, Y),
        },
        "read",
        (X, Y),
    ),
    "labels of more ids": Case(
        {
            "features.csv": wide(HEAD, X[:50], [IDS[:50]]),
            "labels.csv": table(["id", "y"], IDS[MIX], Y[MIX]),
        },
        "read",
        (X[:50], Y[:50]),
    ),
    "labels of fewer ids": Case(
        {
            "features.csv": wide(HEAD, X, [IDS]),
            "labels.csv": table(["id", "y"], IDS[MIX[MIX > 4]], WORD[Y[MIX[MIX > 4]]]),
        },
        "ask",
        (X[5:], Y[5:]),
    ),
    "ids that share nothing": Case(
        {
            "features.csv": wide(HEAD, X, [IDS]),
            "labels.csv": table(["code", "label"], [f"x{i}" for i in MIX], Y),
        },
        "ask",
        (X, Y),
    ),
    "numbers of samples in another order": Case(
        {"X.mat": mat(X=STACK), "labels.csv": table(["id", "label"], MIX + 1, KIND[MIX])},
        "ask",
        (TRIALS, KIND),
    ),
    "three tables": Case(
        {
            "features.csv": wide(HEAD, X, [IDS]),
            "labels.csv": table(["id", "dx"], IDS[MIX], Y[MIX]),
            "splits.csv": table(["id", "split"], IDS[::-1], np.where(TEST, "test", "train")[::-1]),
        },
        "read",
        (X, Y, None, TEST),
    ),
    "ids in two .mat": Case(
        {
            "eeg.mat": mat(X=STACK, ids=cells([*IDS])),
            "info.mat": mat(id=cells([*IDS[MIX]]), condition=KIND[MIX]),
        },
        "read",
        (TRIALS, KIND),
    ),
    "files and a table of their names": Case(
        SUBJECTS
        | {"participants.csv": table(["id", "dx"], [f"sub-{i + 1:02d}" for i in MIX30], DX[MIX30])},
        "read",
        (SQUARE, DX),
    ),
    "files and a table of their numbers": Case(
        SUBJECTS | {"pheno.csv": table(["SUB_ID", "age", "DX"], MIX30 + 1, MIX30 % 9, DX[MIX30])},
        "read",
        (SQUARE, DX),
    ),
    "images and a table of their names": Case(
        {
            "pics.zip": zipped({f"img_{i:03d}.png": image(PIXELS[i]) for i in range(60)}),
            "labels.csv": table(["file", "label"], [f"img_{i:03d}.png" for i in MIX], WORD[Y[MIX]]),
        },
        "read",
        (PIXELS, Y),
    ),
}
SLOTS = {
    "folders of tables": Case(
        zipped({f"d/{WORD[KIND[i]]}/rec_{i:03d}.csv": csv(TRIALS[i]) for i in range(60)}),
        "read",
        (TRIALS, KIND),
    ),
    "folders of parts and classes": Case(
        zipped(
            {
                f"{'test' if TEST[i] else 'train'}/{WORD[KIND[i]]}/x{i}.npy": npy(TRIALS[i])
                for i in range(60)
            }
        ),
        "read",
        (TRIALS, KIND, None, TEST),
    ),
    "subjects and states": Case(
        {f"P{i // 2:02d}_{WORD[i % 2]}.csv": csv(SQUARE[i]) for i in range(30)},
        "ask",
        (SQUARE, np.arange(30) % 2, np.arange(30) // 2),
    ),
    "stacks of subjects and states": Case(
        {
            f"subj{s}_{WORD[k]}.npy": npy(TRIALS[(s == WHO) & (k == KIND)])
            for s in range(6)
            for k in (0, 1)
        },
        "ask",
        (TRIALS, KIND, WHO),
    ),
    "stacks of subjects in folders of classes": Case(
        zipped(
            {f"{WORD[s % 2]}/s{s}.mat": mat(X=STACK[..., s == WHO]) for s in range(6)},
        ),
        "read",
        (TRIALS, WHO % 2, WHO),
    ),
    "runs of subjects": Case(
        {
            f"sub-{s + 1:02d}_run-{k}.mat": mat(
                **trials_of(slice(20 * s + 10 * k, 20 * s + 10 * k + 10))
            )
            for s in range(3)
            for k in range(2)
        },
        "read",
        (TRIALS, KIND, WHO),
    ),
    "a label for each cell of a run": Case(
        mat(X=cells([STACK[..., s == WHO] for s in range(6)]), y=[1.0, 2, 1, 2, 2, 1]),
        "read",
        (TRIALS, np.array([1, 2, 1, 2, 2, 1])[WHO], WHO),
    ),
    "numbers alone": Case(
        mat(**{f"s{i}_run{j}": TRIALS[3 * i + j] for i in range(3) for j in range(3)}),
        "refuse",
        words="nothing tells the class",
    ),
}
RECORDINGS = {
    "a recording for each class": Case(
        {
            f"{name}_0.mat": mat(**{f"X{97 + k}_DE_time": ACC[:, [k]], f"X{97 + k}RPM": 1797.0})
            for k, name in enumerate(["Normal", "IR007", "B007"])
        },
        "ask",
        words="Normal_0|windows of 256 moments",
    ),
    "recordings of unequal length": Case(
        zipped({f"{WORD[i % 2]}/rec{i}.csv": csv(ACC[: 480 + i]) for i in range(12)}),
        "ask",
        words="windows",
    ),
    "a label for each moment": Case(
        mat(emg=np.tile(ACC, 3), stimulus=np.repeat(np.arange(20) % 4, 150)), "ask", words="windows"
    ),
    "a long table": Case(
        {
            "acc.csv": table(
                ["trial", "ax", "ay", "az", "activity"],
                np.repeat(range(60), 50),
                *ACC.T,
                np.repeat(np.where(KIND, "walk", "sit"), 50),
            )
        },
        "ask",
        (ACC.reshape(60, 50, 3).swapaxes(1, 2), KIND, np.arange(60)),
    ),
    "one recording": Case(mat(vibration=ACC[:, [0]], fs=12000.0), "refuse", words="recording"),
}
BANDS = np.abs(RANDOM.normal(size=(40, 9, 9, 4))) + np.arange(4)
PADDED = np.where(np.arange(40) < 30 + np.arange(60)[:, None, None] % 11, TRIALS, np.nan)
DOUBTS = {
    "labels that fit nothing": Case(
        mat(X=TRIALS[:30], y=np.arange(31) % 2, kind=cells(["a", "b"] * 15)), "ask", words="31"
    ),
    "minus one": Case(mat(X=TRIALS, y=np.where(WHO, KIND + 1, -1)), "ask", words="\N{MINUS SIGN}1"),
    "numbered differently": Case(
        {f"P{s}.mat": mat(X=STACK[..., s::2], y=KIND[s::2] + 1 - s) for s in (0, 1)},
        "ask",
        (TRIALS, KIND),
        words="number both alike",
    ),
    "capital letters": Case(
        mat(X=TRIALS, y=cells([*np.where(WHO % 2, WORD[KIND], np.strings.title(WORD[KIND]))])),
        "ask",
        (TRIALS, KIND),
        "differ only in capital letters",
    ),
    "a number for none": Case(
        mat(X=np.where(TRIALS > 2.5, -9999, TRIALS), y=KIND), "ask", words="-9999 occurs"
    ),
    "bands": Case(mat(img=BANDS, label=np.arange(40) % 2), "ask", words="bands"),
    "two kinds of recordings": Case(
        mat(X_eeg=TRIALS, X_nirs=TRIALS[:, :6, :30] + 1, y=KIND), "ask", (TRIALS, KIND)
    ),
    "other channels": Case(
        {f"S{s}.mat": mat(X=STACK[: 9 - s, :, s::2], y=KIND[s::2]) for s in (0, 1)},
        "ask",
        words="differ in shape",
    ),
    "complex": Case(
        mat(csi=(9 + STACK) * np.exp(1j), label=KIND), "ask", (9 + TRIALS, KIND), "magnitude"
    ),
    "padded": Case(npz(X=PADDED, y=KIND), "ask", (TRIALS[..., :30], KIND), "9 × 30"),
    "columns that are samples": Case(
        {
            "nir.csv": table(
                ["wavelength", *(f"{WORD[k]}_{i}" for i, k in enumerate(Y))],
                np.arange(1100, 1460, 10),
                *X.reshape(60, -1),
            )
        },
        "ask",
        (X.reshape(60, 1, 36), Y),
    ),
    "events": Case(
        npz(data=TRIALS, events=np.c_[9 * np.arange(60), 0 * KIND, 11 + KIND]),
        "read",
        (TRIALS, KIND),
    ),
    "lists from 0": Case(
        npz(X=TRIALS, y=KIND, train_ind=np.flatnonzero(~TEST), test_ind=np.flatnonzero(TEST)),
        "read",
        (TRIALS, KIND, None, TEST),
    ),
    "as wide as long": Case(
        {"t.csv": wide([*HEAD[1:], "label"], X[:36], (), [WORD[Y[:36]]])}, "read", (X[:36], Y[:36])
    ),
    "a header of numbers": Case(
        {"nmr.csv": wide(["id", *np.linspace(9, 2, 36).round(2), "class"], X, [MIX], [WORD[Y]])},
        "read",
        (X.reshape(60, 1, 36), Y),
    ),
    "class first, in two files": Case(
        {
            f"Coffee_{word}.txt": csv(np.c_[Y[some], X[some].reshape(-1, 36)])
            for word, some in (("TRAIN", ~TEST), ("TEST", TEST))
        },
        "read",
        (X, Y, None, TEST),
    ),
    "labels in a cell beside an empty one": Case(
        mat(nir={"data": X.reshape(60, -1), "class": cells([KIND[None] + 1.0, np.zeros((0, 0))])}),
        "read",
        (X, KIND),
    ),
}
CASES = KEYS | SLOTS | RECORDINGS | DOUBTS


def codes(values):
    return np.unique(np.asarray(values).astype(str), return_inverse=True)[1]


def divide_alike(one, other):
    a, b = codes(one), codes(other)
    return len({*zip(a, b, strict=True)}) == a.max() + 1 == b.max() + 1


def agree(found, X, y, groups=None, test=None):
    """Whether samples, their labels, groups and test part are these, in any order."""
    if found.X.size != X.size or len(found.X) != len(X):
        return False
    one, other = (np.sort(each.reshape(len(X), -1), 1).round(2) for each in (found.X, X))
    at, to = np.lexsort(one.T), np.lexsort(other.T)
    pairs = [(found.y, y), (found.groups, groups), (found.test, test)]
    return np.allclose(one[at], other[to], atol=0.02) and all(
        right is None or (given is not None and divide_alike(given[at], np.asarray(right)[to]))
        for given, right in pairs
    )


@pytest.mark.parametrize("name", CASES)
def test_a_kind_of_file_is_read_or_asked_about_or_refused(name):
    case = CASES[name]
    contents = Contents(case.files)
    inspection = inspect_contents(contents)
    sentences = " ".join([inspection.reason, *inspection.doubts])
    found, is_asked = [], bool(inspection.choices)
    for layout in inspection.choices or inspection.layouts[:1]:
        ways = [layout]
        try:
            contents.raw_samples(layout)
        except MissingError as error:
            sentences, is_asked = f"{sentences} {error}", True
            ways = [replace(layout, missing=way) for way in error.ways]
        stored = [contents.raw_samples(way) for way in ways]
        found += [each.take(np.arange(len(each.y))) for each in stored]
    how = "refuse" if inspection.reason else "ask" if is_asked else "read"
    assert (how, sentences) == (case.how, sentences)
    assert case.words in sentences or any(word in sentences for word in case.words.split("|"))
    if case.right:
        assert any(agree(each, *case.right) for each in found)


def test_windows_stay_in_their_recording_and_the_only_one_of_a_class_is_divided_in_time():
    recordings = ACC[:500], ACC[500:920]
    layout = Layout(("C",), 1, labels="y", cells=(1, 2), window=(100, 50))
    data = read_samples(mat(C=cells(recordings, (1, 2)), y=[1.0, 2.0]), layout)
    starts = [(each, first) for each in recordings for first in range(0, len(each) - 99, 50)]
    expected = np.array([each[first : first + 100].T for each, first in starts])
    np.testing.assert_array_equal(data.X, expected)
    np.testing.assert_array_equal(data.y, np.repeat([1, 2], [9, 7]))
    assert [len(np.unique(data.groups[data.y == k])) for k in (1, 2)] == [5, 5]
    assert (np.diff(data.groups) >= 0).all()  # in time
    with pytest.raises(FileError, match="has 500 moments, fewer than a window of 600"):
        read_samples(
            mat(C=cells(recordings, (1, 2)), y=[1.0, 2.0]), replace(layout, window=(600, 1))
        )
