"""Select classes of labelled samples, and at most as many samples as the server accepts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import MAX_ENTRIES, MAX_SAMPLES, check_numbers
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.data.uploads import spool
from pages.shared.files import Contents, Layout
from pages.shared.files.arrange import RawSamples
from pages.shared.files.infer.vectors import MAX_CLASSES
from pages.shared.files.labels import label_names
from pages.shared.numbers import duration, scientific
from pages.shared.parts.downloads import file_stem
from pages.shared.widgets import url
from pages.your_data.reading.classes import ClassChoice, choose_classes
from pages.your_data.trial.form import SampleForm

EXTENTS = {"part": "A part, for a first result soon", "all": "As many as possible"}
DEFAULT_CLASS_COUNT = 10  # preselected of more classes: each is trained against the rest
QUICK_SECONDS = 10.0  # of the training of the samples that are used at first
WORTH_A_CHOICE = 1.2  # times these samples: below, all are used
MIN_PER_CLASS = 10  # samples in their number
SEED = 0  # of the random draw if there are too many samples


@dataclass(frozen=True)
class SampleChoice:
    """The classes and the number of samples that the reader has chosen."""

    classes: ClassChoice
    max_samples: int  # of more samples a part is drawn


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
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source, or in its test set
    name: str
    stem: str  # the name without its ending
    is_fallback: bool = False  # used because a file is missing or cannot be used
    left_out: str = ""  # a sentence, if not all samples of the source are used
    reading: FileReading | None = None  # if the source is a file
    form: SampleForm = field(default_factory=SampleForm)  # in which the source stores samples

    @cached_property
    def label_names(self) -> list[str]:
        """What the labels are called."""
        return label_names(self.classes)


def estimate_seconds(n: int, classes: int, p: int, q: int) -> float:
    """Estimate the seconds that one training and test of the four methods takes.

    Measured on one core with digits, characters, objects, faces, noise and EEG, 100 to 3,000
    samples of 2 to 40 classes, 8 x 8 to 256 x 256: within a factor of about two. EEG, which takes
    the R-GLM many iterations, takes up to five times as long, but below two seconds.
    """
    problems = 1 if classes == 2 else classes
    return problems * (0.06 + 1.5e-4 * n + 1e-7 * n**2 + 2e-7 * n * p * q)


def choose_samples(
    y: NDArray[Any], shape: tuple[int, int, int], owner: str, names: Sequence[str] = ()
) -> SampleChoice:
    """Draw the choice of classes and, if all their samples take long, of the number of samples."""
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) > MAX_CLASSES:
        raise ValueError(
            f"there are {len(labels):,} different labels; there may be {MAX_CLASSES} classes at "
            "most"
        )
    _, p, q = shape
    limit = min(MAX_SAMPLES, MAX_ENTRIES // (p * q))
    usable = np.flatnonzero(counts > 1)
    if len(usable) < 2:
        usable = np.arange(len(labels))  # an error names the class that is too small
    n = min(int(counts[usable].sum()), limit)
    default = usable
    if estimate_seconds(n, len(usable), p, q) > QUICK_SECONDS:
        largest = np.argsort(-counts[usable], kind="stable")
        default = usable[largest[:DEFAULT_CLASS_COUNT]]
    classes = choose_classes(labels, counts, default.tolist(), owner, names)
    n, K = int(np.isin(y, classes.labels).sum()), len(set(classes.new_labels))
    return SampleChoice(classes, _choose_max_samples(n, K, min(n, limit), p, q))


def _choose_max_samples(n: int, classes: int, most: int, p: int, q: int) -> int:
    """Return the largest number of samples to use; draw a choice if all of them take long."""
    few = max(_quick_samples(most, classes, p, q), MIN_PER_CLASS * classes)
    if most > WORTH_A_CHOICE * few:
        extent = url.choice(
            st,
            "segmented_control",
            f"Samples (all: about {duration(estimate_seconds(most, classes, p, q))})",
            list(EXTENTS),
            "part",
            EXTENTS.__getitem__,
            key="samples",
        )
        most = few if extent == "part" else most
    if most < n:
        st.caption(
            f"{most:,} of these {n:,} samples are used, drawn once, of each class its share. A "
            f"shared server takes {MAX_SAMPLES:,}, and {MAX_ENTRIES:,} numbers, at most."
        )
    return most


def _quick_samples(most: int, classes: int, p: int, q: int) -> int:
    """Return the largest number of samples that takes at most `QUICK_SECONDS`: all, or tens."""
    if estimate_seconds(most, classes, p, q) <= QUICK_SECONDS:
        return most
    tens = range(10, most + 1, 10)
    count = bisect_right(tens, QUICK_SECONDS, key=lambda n: estimate_seconds(n, classes, p, q))
    return 10 * count


def draw(
    y: NDArray[Any], classes: Sequence[Any] | None = None, most: int | None = None, seed: int = 0
) -> NDArray[np.intp]:
    """Return the positions of the samples of some classes, at most `most` of them.

    Of more samples a random part is drawn: the same share of each class, but at least two samples
    of each class that has two.
    """
    rows = np.arange(len(y)) if classes is None else np.flatnonzero(np.isin(y, list(classes)))
    if most is None or len(rows) <= most:
        return rows
    rows = np.random.default_rng(seed).permutation(rows)
    _, codes, counts = np.unique(y[rows], return_inverse=True, return_counts=True)
    by_class = np.argsort(codes, kind="stable")
    place = np.empty(len(rows), int)  # position of a sample within its class
    place[by_class] = np.concatenate([np.arange(count) for count in counts])
    share = np.maximum(place - 1, 0) / counts[codes]
    return np.sort(rows[np.argsort(share, kind="stable")[:most]])


def make_selection(
    stored: RawSamples,
    choice: SampleChoice,
    name: str,
    stem: str,
    layout: Layout | None = None,
) -> Selection:
    """Select the samples of some classes; draw some of them at random if there are too many."""
    check_numbers(2, *stored.shape[1:])
    labels, most = choice.classes.labels, choice.max_samples
    some = draw(stored.y, labels, most, SEED)
    X, y, groups, test, rows = stored.take(some)
    known = np.isfinite(X)
    if not known.any():
        raise ValueError("every number in the samples is missing: there is nothing to learn")
    largest = float(np.abs(X).max(initial=0.0, where=known))
    if not 1e-40 < largest < 1e40:
        raise ValueError(
            f"the largest number in the samples is {scientific(largest)}; it must be between "
            "10⁻⁴⁰ and 10⁴⁰. Rescale the samples"
        )
    low = X.min(axis=0, initial=largest, where=known)
    if (X.max(axis=0, initial=-largest, where=known) - low).max() < 1e-9 * largest:
        raise ValueError("all samples of these classes are equal: there is nothing to learn")
    if layout and layout.test and test is not None:  # each part counts its own samples
        training = stored.stacks[: len(layout.samples)]
        rows = np.where(test, rows - sum(len(stack[0]) for stack in training), rows)
    if test is not None and (test.all() or not test.any()):
        test = None
    upload = spool(X, choice.classes.rename(y), groups, test, file_stem(stem))
    left_out, K = "", len(np.unique(stored.y))
    if len(y) < len(stored.y):
        of_classes = f", {len(labels):,} of {K:,} classes" if len(labels) < K else ""
        left_out = f"**{len(y):,} of {len(stored.y):,} samples{of_classes}** are used."
    classes = np.array(upload.classes)
    form = SampleForm.of(layout or Layout((stem,), 0), X, labels, choice.classes.new_labels)
    return Selection(upload, classes, rows, name, stem, left_out=left_out, form=form)
