"""Kinds of files as people have them, and what the page does with each."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.reading import pictures
from pages.your_data.reading.source import inspect_contents
from tests.files.kinds import CASES, VIBRATION
from tests.files.make import cells, mat
from tests.files.reader import read_samples


def codes(values):
    return np.unique(np.asarray(values).astype(str), return_inverse=True)[1]


def divide_alike(one, other):
    a, b = codes(one), codes(other)
    return len({*zip(a, b, strict=True)}) == a.max() + 1 == b.max() + 1


def features(X):
    """Three numbers of each sample that its rows, its columns and their order do not change."""
    X = np.abs(np.nan_to_num(np.asarray(X, float))).reshape(len(X), -1)
    return np.c_[X.sum(1), (X**2).sum(1), X.max(1)]


def agree(found, X, y, groups=None, test=None):
    """Whether samples, their labels, groups and test part are these, in any order."""
    if found.X.shape[0] != len(X) or found.X.size != np.size(X):
        return False
    one, other = features(found.X), features(X)
    at, to = (np.lexsort(each.T[::-1].round(2)) for each in (one, other))
    if not np.allclose(one[at], other[to], rtol=1e-3):
        return False
    once = np.r_[True, np.diff(other[to], axis=0).any(axis=1)]  # images that occur twice have
    once &= np.r_[once[1:], True]  # no order among themselves
    if not divide_alike(found.y[at][once], np.asarray(y)[to][once]):
        return False
    is_grouped = groups is None or (
        found.groups is not None and divide_alike(found.groups[at], np.asarray(groups)[to])
    )
    no_test = found.test is None or test is None
    is_tested = found.test is test if no_test else np.array_equal(found.test[at], test[to])
    return is_grouped and is_tested


def inspect(files):
    """What the page does with files, trains, asks or refuses, its readings and its sentences."""
    try:
        contents = Contents(files)
        inspection = inspect_contents(contents)
    except FileError as error:
        return "refuse", [], str(error)
    sentences = [inspection.reason, *inspection.doubts, *inspection.damaged, *inspection.notes]
    if inspection.reason:
        return "refuse", [], " ".join(sentences)
    how, found = "ask" if inspection.choices else "read", []
    for layout in inspection.choices[:3] or inspection.layouts[:1]:
        ways = [layout]
        try:
            contents.raw_samples(layout)
        except MissingError as error:
            how = "ask"
            sentences.append(str(error))
            ways = [replace(layout, missing=way) for way in error.ways]
        stored = [contents.raw_samples(way) for way in ways]
        found += [each.take(np.arange(len(each.y))) for each in stored]
    return how, found, " ".join(sentences)


def judge(case, how, found, sentences):
    """Return right, needless (a question), poor (no way on) or WRONG (trained on another)."""
    is_said = bool(case.words) and re.search(case.words, sentences, re.IGNORECASE) is not None
    has_reading = any(agree(each, *right) for each in found for right in case.right)
    if how == "read":
        return "right" if case.how in ("read", "either") and has_reading else "WRONG"
    if not is_said and not (how == "ask" and has_reading):
        return "poor"
    return "needless" if case.how == "read" else "right"


def test_the_kinds_of_files_are_read_or_asked_about_or_refused(monkeypatch, capsys):
    monkeypatch.setattr(pictures, "layout_strip", lambda *_: None)  # which no reading depends on
    marks = Counter()
    with capsys.disabled():
        for name, case in CASES.items():
            how, found, sentences = inspect(case.files)
            mark = judge(case, how, found, sentences)
            marks[mark] += 1
            if mark != "right":
                print(f"\n{mark}: {name} is to be {case.how}, is {how}: {sentences[:200]}")
    assert marks["right"] >= len(CASES) - 4, marks
    assert marks["WRONG"] <= 4, marks
    assert marks["needless"] <= 8, marks


def test_windows_stay_in_their_recording_and_the_only_one_of_a_class_is_divided_in_time():
    recordings = VIBRATION[:500], VIBRATION[500:920]
    layout = Layout("C", 1, labels="y", cells=(1, 2), window=(100, 50))
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
