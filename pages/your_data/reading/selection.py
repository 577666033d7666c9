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
from pages.shared.files import Contents, Layout, draw
from pages.shared.files.infer.vectors import MAX_CLASSES
from pages.shared.files.layout import RawSamples
from pages.shared.files.samples import label_names
from pages.shared.numbers import duration, scientific
from pages.shared.parts.downloads import file_stem
from pages.shared.widgets import url
from pages.your_data.reading.classes import ClassChoice, choose_classes, set_classes
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
    all_samples: int  # of these classes that the server accepts, and of all classes by default
    owner: str  # of the classes
    # Place and name of each class, if more classes than by default make these samples
    all_classes: tuple[tuple[int, str], ...]
    seconds: float  # estimate for all of them


@dataclass(frozen=True)
class Part:
    """A selection of a part of the samples, and what a click can add to it."""

    samples: int
    of_samples: int
    classes: int
    of_classes: int
    choice: SampleChoice


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
    part: Part | None = None  # if not all samples of the source are used
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
    most = _choose_max_samples(n, K, min(n, limit), p, q)
    more: tuple[tuple[int, str], ...] = ()
    if classes.is_default and len(default) < len(usable):
        n, K = int(counts[usable].sum()), len(usable)
        own = names or label_names(labels)
        more = tuple((i, own[i]) for i in usable.tolist())
    n = min(n, limit)
    return SampleChoice(classes, most, n, owner, more, estimate_seconds(n, K, p, q))


def _choose_max_samples(n: int, classes: int, most: int, p: int, q: int) -> int:
    """Return the largest number of samples to use; draw a choice if all of them take long."""
    few = max(_quick_samples(most, classes, p, q), MIN_PER_CLASS * classes)
    if most > WORTH_A_CHOICE * few:
        extent = url.choice(
            st,
            "segmented_control",
            "Samples",
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


def draw_part(selection: Selection, repetitions: int) -> None:
    """Say which part of the samples is used, with a button that uses all of them."""
    part = selection.part
    if part is None:
        return
    of_classes = ""
    if part.classes < part.of_classes:
        of_classes = f", {part.classes:,} of {part.of_classes:,} classes"
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(
        f"**{part.samples:,} of {part.of_samples:,} samples{of_classes}** are used.",
        width="content",
    )
    choice = part.choice
    if choice.all_samples <= part.samples and not choice.all_classes:
        return
    more = f"all {choice.all_samples:,} samples"
    if choice.all_samples < part.of_samples:
        more = f"{choice.all_samples:,} samples"
        if choice.all_classes:
            more += f" of {len(choice.all_classes):,} classes"
    row.button(
        f"Use {more}: about {duration(choice.seconds * repetitions)}",
        on_click=_use_all,
        args=(choice,),
    )


def _use_all(choice: SampleChoice) -> None:
    url.set_values({"samples": "all"})
    if choice.all_classes:
        set_classes(choice.owner, dict(choice.all_classes))


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
    part, all_classes = None, len(np.unique(stored.y))
    if len(y) < len(stored.y):
        part = Part(len(y), len(stored.y), len(labels), all_classes, choice)
    classes = np.array(upload.classes)
    form = SampleForm.of(layout or Layout((stem,), 0), X, labels, choice.classes.new_labels)
    return Selection(upload, classes, rows, name, stem, part=part, form=form)
