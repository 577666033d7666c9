"""Select classes of labelled samples, and at most as many samples as the server accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import MAX_ENTRIES, MAX_SAMPLES, check_size
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.data.uploads import spool
from smmcore.matfile import Contents, Layout, draw
from smmcore.matfile.infer.vectors import MAX_CLASSES
from smmcore.matfile.layout import RawSamples
from smmcore.matfile.samples import label_names

DEFAULT_CLASS_COUNT = 10  # preselected classes: each is trained against the rest
# The four methods take about 0.4 microseconds of processor time times n K (1,500 + p q) for n
# samples of K classes, measured on digits, objects and EEG.
QUICK_COST = 7_000_000  # n K (1,500 + p q) of the preselected number of samples
MIN_PER_CLASS = 10  # samples in this number
SEED = 0  # of the random draw if there are too many samples


@dataclass(frozen=True, eq=False)
class FileReading:
    """An uploaded file and the layout in which it is read."""

    open: Callable[[], Contents]  # anew, as contents keep the variables that were read
    layout: Layout
    key: str  # of the file


@dataclass(frozen=True, eq=False)
class Selection:
    """Samples of two classes or more, and their source."""

    data: LabelledDataset
    classes: NDArray[Any]  # (K,), the labels, sorted
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source
    name: str
    stem: str  # the name without its ending
    is_fallback: bool = False  # used because a file is missing or cannot be used
    reading: FileReading | None = None  # if the source is a file


def choose_classes(y: NDArray[Any], key: str) -> tuple[Any, ...]:
    """Draw the choice of classes, and return two labels or more."""
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) > MAX_CLASSES:
        raise ValueError(
            f"there are {len(classes):,} different labels; there may be {MAX_CLASSES} classes at "
            "most"
        )
    usable = np.flatnonzero(counts > 1)
    if len(usable) < 2:
        usable = np.arange(len(classes))  # the message below names the class that is too small
    names = label_names(classes)
    picked = st.multiselect(
        f"Classes, of {len(classes)} (samples)" if len(classes) > 2 else "Classes (samples)",
        range(len(classes)),
        default=usable[:DEFAULT_CLASS_COUNT].tolist(),
        format_func=lambda i: f"{names[i]} ({counts[i]:,})",
        key=f"classes {key}",
        persist_state="session",
        help=f"Two or more. At first the first {DEFAULT_CLASS_COUNT}: with more than two classes "
        "as many classifiers are trained, each to tell one class from the rest.",
    )
    if len(picked) < 2:
        raise ValueError(f"it takes two classes or more, got {len(picked)}")
    for i in picked:
        if counts[i] < 2:
            raise ValueError(f"class {names[i]} has 1 sample; it takes 2, to train on and to test")
    return tuple(classes[sorted(picked)].tolist())


def choose_max_samples(
    y: NDArray[Any], classes: tuple[Any, ...], shape: tuple[int, int, int], key: str
) -> int:
    """Return the largest number of samples to use; draw a choice if all of them take long."""
    _, p, q = shape
    n, k = int(np.count_nonzero(np.isin(y, classes))), len(classes)
    most = min(n, MAX_SAMPLES, MAX_ENTRIES // (p * q))
    few = max(QUICK_COST // (k * (1_500 + p * q)) // 10 * 10, MIN_PER_CLASS * k)
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


def make_selection(
    stored: RawSamples,
    classes: tuple[Any, ...],
    most: int,
    script: Callable[[str], str],
    name: str,
    stem: str,
) -> Selection:
    """Select the samples of some classes; draw some of them at random if there are too many.

    Parameters
    ----------
    stored : RawSamples
    classes : tuple
        Labels as Python objects.
    most : int
        The largest number of samples. Each class keeps its share.
    script : callable
        Returns the statements that make X, y and, if they are known, groups and test of the
        selected samples. Its argument is a text with the arguments of the draw, such as
        `classes=[1, 2], most=500`.
    name, stem : str
        Name of the source, with and without its ending.
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
    available = int(np.isin(stored.y, classes).sum())
    arguments = [f"classes={list(classes)}"] if available < len(stored.y) else []
    arguments += [f"most={most}", f"seed={SEED}"] if len(y) < available else []
    upload = spool(X, y, groups, test, script(", ".join(arguments)))
    return Selection(upload, np.array(upload.classes), rows, name, stem)
