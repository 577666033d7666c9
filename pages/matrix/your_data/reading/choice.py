"""Choose classes of a set, and no more samples than a server takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import MAX_ENTRIES, MAX_SAMPLES, check_size
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.data.uploads import spool
from smmcore.matfile import MOST_CLASSES, Stored, distinct, draw

FIRST_CLASSES = 10  # preselected: each is trained against the rest
# Samples at first: with n of K classes the four methods take about 0.4 microseconds of processor
# time times n K (1,500 + p q), as tried on digits, objects and EEG.
SOON = 7_000_000  # of n K (1,500 + p q)
MIN_PER_CLASS = 10  # samples at first
SEED = 0  # of the draw of samples where there are too many


@dataclass(frozen=True, eq=False)
class Choice:
    """Samples of two classes or more, and their source."""

    data: LabelledDataset
    classes: NDArray  # (K,), the labels, in order
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source
    name: str
    stem: str  # the name without its ending
    stands_in: bool = False  # in place of a file that is still to come, or cannot be used


def pick_classes(y: NDArray, key: str) -> tuple:
    """Draw the choice of classes, and return two labels or more."""
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) > MOST_CLASSES:
        raise ValueError(
            f"there are {len(classes):,} different labels; there may be {MOST_CLASSES} classes at "
            "most"
        )
    usable = np.flatnonzero(counts > 1)
    names = distinct(classes)
    picked = st.multiselect(
        f"Classes, of {len(classes)} (samples)" if len(classes) > 2 else "Classes (samples)",
        range(len(classes)),
        default=usable[:FIRST_CLASSES].tolist(),
        format_func=lambda i: f"{names[i]} ({counts[i]:,})",
        key=f"classes {key}",
        persist_state="session",
        help=f"Two or more. At first the first {FIRST_CLASSES}: with more than two classes as many "
        "machines are trained, each to tell one class from the rest.",
    )
    if len(picked) < 2:
        raise ValueError(f"it takes two classes or more, got {len(picked)}")
    for i in picked:
        if counts[i] < 2:
            raise ValueError(f"class {names[i]} has 1 sample; it takes 2, to train on and to test")
    return tuple(classes[sorted(picked)].tolist())


def pick_most(y: NDArray, classes: tuple, shape: tuple[int, int, int], key: str) -> int:
    """Draw the choice of a number of samples if many take time, and return the largest number."""
    _, p, q = shape
    n, k = np.count_nonzero(np.isin(y, classes)), len(classes)
    most = min(n, MAX_SAMPLES, MAX_ENTRIES // (p * q))
    few = max(SOON // (k * (1_500 + p * q)) // 10 * 10, MIN_PER_CLASS * k)
    if most > 1.5 * few:
        most = st.radio(
            "Samples",
            (few, most),
            format_func=lambda m: f"{m:,}, for a first result soon" if m == few else f"{m:,}",
            horizontal=True,
            key=f"most {k} {key}",
            persist_state="session",
        )
    if most < n:
        st.caption(
            f"{most:,} of these {n:,} samples are used, of each class its share, drawn once and "
            f"for all. A shared server takes {MAX_SAMPLES:,}, and {MAX_ENTRIES:,} numbers, at most."
        )
    return most


def make_choice(
    stored: Stored, classes: tuple, most: int, script: Callable[[str], str], name: str, stem: str
) -> Choice:
    """Take these classes, and a draw of their samples where there are too many.

    Parameters
    ----------
    stored : Stored
    classes : tuple
        Labels, as Python has them.
    most : int
        How many samples, of each class its share.
    script : callable
        Returns the lines of a script that make X, y and, where they are known, groups and test of
        the drawn samples, given the arguments of the draw, such as `classes=[1, 2], most=500`.
    name, stem : str
        Of the source, with and without its ending.
    """
    check_size(2, *stored.shape[1:])
    some = draw(stored.y, classes, most, SEED)
    X, y, groups, test, rows = stored.take(some)
    known = np.isfinite(X)
    largest = float(np.abs(X).max(initial=0.0, where=known))
    if not 1e-40 < largest < 1e40:
        raise ValueError(
            f"the largest number in the samples is {largest:g}; it must be between 1e-40 and 1e40"
        )
    low = X.min(axis=0, initial=largest, where=known)
    if (X.max(axis=0, initial=-largest, where=known) - low).max() < 1e-9 * largest:
        raise ValueError("all samples of these classes are equal: there is nothing to learn")
    if test is not None and (test.all() or not test.any()):
        test = None
    taken = int(np.isin(stored.y, classes).sum())
    arguments = [f"classes={list(classes)}"] if taken < len(stored.y) else []
    arguments += [f"most={most}", f"seed={SEED}"] if len(y) < taken else []
    upload = spool(X, y, groups, test, script(", ".join(arguments)))
    return Choice(upload, np.array(upload.classes), rows, name, stem)
