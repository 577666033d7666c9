"""What a reader has chosen: classes out of a set, and no more samples than a server takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.recipes import MAX_ENTRIES, MAX_SAMPLES, Brought, check_size, spool
from smmcore.matfile import MOST_CLASSES, Stored, distinct, draw

AT_FIRST = 10  # classes: as many machines are trained, one against the rest
# Samples at first: with n of K classes the four methods take about 0.4 microseconds of processor
# time times n K (1,500 + p q), as tried on digits, objects and EEG; ENOUGH are of each class.
SOON, ENOUGH = 7_000_000, 10
SEED = 0  # of the draw of samples where there are too many


@dataclass(frozen=True, eq=False)
class Choice:
    """Samples of two classes or more, and where they came from."""

    data: Brought
    classes: NDArray  # (K,), the labels, in order
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source
    name: str
    stem: str  # the name without its ending
    stands_in: bool = False  # for a file that is still to come, or cannot be used


def plain(text: str) -> str:
    """Text that Streamlit shows as it is: names out of a file may hold Markdown, links or LaTeX."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|$~:&-])", r"\\\1", text)


def said(error: Exception) -> str:
    """Its sentence, with a capital and a full stop; symbols and names of files stay as they are."""
    text = str(error)
    word = text.split(" ", 1)[0].rstrip(",")
    begun = text[:1].upper() + text[1:] if word.isalpha() and len(word) > 1 else text
    return plain(f"{begun.rstrip('.')}.")


def once(slot: str, key: object, make: Callable):
    """What `make` returned or raised for this key, kept in the session until the key changes."""
    if st.session_state.get(slot, (None,))[0] != key:
        try:
            st.session_state[slot] = key, make(), None
        except ValueError as error:  # kept without its traceback, which would keep the samples too
            st.session_state[slot] = key, None, copy(error)
    _, value, error = st.session_state[slot]
    if error:
        raise copy(error)
    return value


def pick_classes(y: NDArray, key: str) -> tuple:
    """Draw the classes to choose from; return two or more labels."""
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
        default=usable[:AT_FIRST].tolist(),
        format_func=lambda i: f"{names[i]} ({counts[i]:,})",
        key=f"classes {key}",
        persist_state="session",
        help=f"Two or more. At first the first {AT_FIRST}: with more than two classes as many "
        "machines are trained, each to tell one class from the rest.",
    )
    if len(picked) < 2:
        raise ValueError(f"it takes two classes or more, got {len(picked)}")
    for i in picked:
        if counts[i] < 2:
            raise ValueError(f"class {names[i]} has 1 sample; it takes 2, to train on and to test")
    return tuple(classes[sorted(picked)].tolist())


def pick_most(y: NDArray, classes: tuple, shape: tuple[int, int, int], key: str) -> int:
    """Draw how many samples are used where that takes time; return the most there may be."""
    _, p, q = shape
    n, k = np.count_nonzero(np.isin(y, classes)), len(classes)
    most = min(n, MAX_SAMPLES, MAX_ENTRIES // (p * q))
    few = max(SOON // (k * (1_500 + p * q)) // 10 * 10, ENOUGH * k)
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


def chosen(
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
        From the arguments of a draw, `classes=[1, 2], most=500`, or none, to the lines of a
        script that make X, y, and groups and test where they are known, of the drawn samples.
    name, stem : str
        What the source is called, without its ending the second time.
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
    told = [f"classes={list(classes)}"] if taken < len(stored.y) else []
    told += [f"most={most}", f"seed={SEED}"] if len(y) < taken else []
    upload = spool(X, y, groups, test, script(", ".join(told)))
    return Choice(upload, np.array(upload.classes), rows, name, stem)
