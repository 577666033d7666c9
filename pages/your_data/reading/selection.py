"""Choose the classes of labelled samples, and at most as many samples as the server accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.samples import MAX_ENTRIES, check_numbers, most_samples, spool
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.numbers import duration, scientific
from pages.shared.parts.downloads import file_stem
from pages.shared.widgets import url
from pages.your_data.files import Contents, Layout
from pages.your_data.files.arrange import RawSamples
from pages.your_data.files.infer.vectors import MAX_CLASSES
from pages.your_data.files.labels import label_names
from pages.your_data.files.sandbox import is_loopback
from pages.your_data.trial.form import SampleForm, label_text
from pages.your_data.trial.splits import MIN_CLASS_SAMPLES

Names = dict[int, str]  # from the place of each class in use to its name

MAX_NAME = 60  # characters
TABLES = "tables of classes"  # slot of the session: the table of each data set
EXTENTS = {"part": "A part, for a first result soon", "all": "As many as possible"}
DEFAULT_CLASS_COUNT = 10  # preselected of more classes: each is trained against the rest
QUICK_SECONDS = 10.0  # of the training of the samples that are used at first
WORTH_A_CHOICE = 1.2  # times these samples: below, all are used
MIN_PER_CLASS = 10  # samples in their number


@dataclass(frozen=True)
class SampleChoice:
    """The classes and the number of samples that the reader has chosen."""

    classes: dict[Any, Any]  # what takes the place of each label in use
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
    y: NDArray[np.intp]  # (n,), the place of each label in the classes
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source, or in its test set
    stem: str  # name of the source, for files
    is_fallback: bool = False  # used because a file is missing or cannot be used
    left_out: str = ""  # a sentence, if not all samples of the source are used
    reading: FileReading | None = None  # if the source is a file
    form: SampleForm = field(default_factory=SampleForm)  # in which the source stores samples
    # Places, in the order of the file, of the samples of these classes that are not used
    rest: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

    @cached_property
    def label_names(self) -> list[str]:
        """What the labels are called."""
        return label_names(self.classes)


def is_own_machine() -> bool:
    """Return whether only this computer can reach the server."""
    return is_loopback(st.get_option("server.address"))


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
    limit = min(most_samples(is_own_machine()), MAX_ENTRIES // (p * q))
    usable = np.flatnonzero(counts > 1)
    if len(usable) < 2:
        usable = np.arange(len(labels))  # an error names the class that is too small
    n = min(int(counts[usable].sum()), limit)
    default = usable
    if estimate_seconds(n, len(usable), p, q) > QUICK_SECONDS:
        largest = np.argsort(-counts[usable], kind="stable")
        default = usable[largest[:DEFAULT_CLASS_COUNT]]
    classes = choose_classes(labels, counts, default.tolist(), owner, names)
    n, K = int(np.isin(y, [*classes]).sum()), len({*classes.values()})
    return SampleChoice(classes, _choose_max_samples(n, K, min(n, limit), p, q))


def _choose_max_samples(n: int, classes: int, most: int, p: int, q: int) -> int:
    """Return the largest number of samples to use; draw a choice if all of them take long."""
    seconds, few = estimate_seconds(most, classes, p, q), most
    if seconds > QUICK_SECONDS:
        tens = range(10, most + 1, 10)
        quick = sum(estimate_seconds(ten, classes, p, q) <= QUICK_SECONDS for ten in tens)
        few = max(10 * quick, MIN_PER_CLASS * classes)
    if most > WORTH_A_CHOICE * few:
        extent = url.choice(
            st,
            "segmented_control",
            f"Samples ({'all' if most == n else f'{most:,} of {n:,}'}: about {duration(seconds)})",
            list(EXTENTS),
            "part",
            EXTENTS.__getitem__,
            key="samples",
        )
        most = few if extent == "part" else most
    if most < n:
        st.caption(
            f"{most:,} of these {n:,} samples are used, drawn once, of each class its share. "
            f"This server takes at most {MAX_ENTRIES:,} numbers"
            + ("." if is_own_machine() else f" and {most_samples(False):,} samples.")
        )
    return most


def draw(y: NDArray[Any], classes: Sequence[Any], most: int, seed: int = 0) -> NDArray[np.intp]:
    """Return the positions of the samples of some classes, at most `most` of them.

    Of more samples a random part is drawn: the same share of each class, but at least two samples
    of each class that has two.
    """
    rows = np.flatnonzero(np.isin(y, list(classes)))
    if len(rows) <= most:
        return rows
    rows = np.random.default_rng(seed).permutation(rows)
    _, codes, counts = np.unique(y[rows], return_inverse=True, return_counts=True)
    place = np.empty(len(rows), int)  # position of a sample within its class
    place[np.argsort(codes, kind="stable")] = np.concatenate([*map(np.arange, counts)])
    share = np.maximum(place - 1, 0) / counts[codes]
    return np.sort(rows[np.argsort(share, kind="stable")[:most]])


def sample_places(stored: RawSamples, layout: Layout) -> NDArray[np.intp]:
    """Return the place of each sample in its variable, from 0; a test set counts its own."""
    if not layout.test or stored.test is None:
        return stored.rows
    training = len(stored.stacks[0][0])
    return np.where(stored.test, stored.rows - training, stored.rows)


def make_selection(
    stored: RawSamples, choice: SampleChoice, stem: str, layout: Layout | None = None
) -> Selection:
    """Select the samples of some classes; draw some of them at random if there are too many."""
    check_numbers(2, *stored.shape[1:])
    new = choice.classes
    some = draw(stored.y, [*new], choice.max_samples)
    X, y, groups, test, rows = stored.take(some)
    known = np.isfinite(X)
    if not known.any():
        raise ValueError("every number in the samples is missing: there is nothing to learn")
    low, high = float(np.nanmin(X)), float(np.nanmax(X))
    largest = max(abs(low), abs(high))
    if not 1e-40 < largest < 1e40:
        raise ValueError(
            f"the largest number in the samples is {scientific(largest)}; it must be between "
            "10⁻⁴⁰ and 10⁴⁰. Rescale the samples"
        )
    least = X.min(axis=0, initial=high, where=known)
    if (X.max(axis=0, initial=low, where=known) - least).max() < 1e-9 * largest:
        raise ValueError("all samples of these classes are equal: there is nothing to learn")
    if layout:
        rows = sample_places(stored, layout)[some]
    if test is not None and (test.all() or not test.any()):
        test = None
    if any(label != name for label, name in new.items()):
        y = np.array([new[label] for label in y.tolist()])
    classes, codes = np.unique(y, return_inverse=True)
    upload = spool(X, classes[codes], groups, test, file_stem(stem))
    left_out, K = "", len(np.unique(stored.y))
    if len(y) < len(stored.y):
        of_classes = f", {len(new):,} of {K:,} classes" if len(new) < K else ""
        left_out = f"**{len(y):,} of {len(stored.y):,} samples{of_classes}** are used."
    rest = np.setdiff1d(np.flatnonzero(np.isin(stored.y, [*new])), some)
    if len(rest):
        left_out += f" The other {len(rest):,} are tested once a classifier has seen all of these."
    renamed = tuple((label_text(old), label_text(to)) for old, to in new.items() if old != to)
    form = SampleForm(layout or Layout(stem, 0), names=renamed, low=low, high=high)
    return Selection(upload, classes, codes, rows, stem, left_out=left_out, form=form, rest=rest)


@dataclass
class Table:
    """The table of the classes of a data set, as it is drawn and as the reader has edited it."""

    drawn: Names  # before the edits
    names: Names | None = None  # in use; None as in the data
    number: int = 0  # of the widget: a change from elsewhere makes a new one


def choose_classes(
    labels: NDArray[Any],
    counts: NDArray[np.intp],
    default: Sequence[int],
    owner: str,
    given: Sequence[str],
) -> dict[Any, Any]:
    """Draw the table of classes, and return what takes the place of each label in use.

    Labels that become equal are merged; `given` are the names of the classes in the file.
    """
    own = label_names(labels)
    by_default = {i: given[i] if given else own[i] for i in sorted(default)}
    tables: dict[str, Table] = st.session_state.setdefault(TABLES, {})
    table = tables.setdefault(owner, Table(by_default))
    if table.names is None and table.drawn != by_default:
        table.drawn, table.number = by_default, table.number + 1
    names = by_default if table.names is None else table.names
    sizes: Counter[str] = Counter()
    for i, name in names.items():
        sizes[name] += int(counts[i])
    small = [name for name, size in sizes.items() if size < MIN_CLASS_SAMPLES]
    of = f"{len(names)} of " if len(names) < len(own) else ""
    merged = f", merged to {len(sizes)}" if len(sizes) < len(names) else ""
    title = f"Classes: {of}{len(own)}{merged}"
    with st.expander(title, expanded=bool(small) or len(sizes) < 2, key="classes of data"):
        _draw_table(owner, table, own, counts)
        large = {i: name for i, name in names.items() if name not in small}
        if small and len(set(large.values())) > 1:
            st.button(
                f"Leave out classes with fewer than {MIN_CLASS_SAMPLES} samples",
                on_click=tables.update,
                args=({owner: Table(large, large, table.number + 1)},),
            )
    if len(sizes) < 2:
        raise ValueError(f"it takes two classes or more, got {len(sizes)}")
    for name, size in sizes.items():
        if size < 2:
            raise ValueError(
                f"class {name} has only one sample. Each class needs at least two: one for "
                "training, one for testing"
            )
    places = sorted(names)
    new_labels = _new_labels(labels.tolist(), own, [names[i] for i in places])
    return dict(zip(labels[places].tolist(), new_labels, strict=True))


def _new_labels(values: list[Any], own: list[str], names: list[str]) -> tuple[Any, ...]:
    """Return the label that takes the place of each label in use.

    A name that is the name of a label stands for this label. If any name is new, all are texts.
    """
    new = [values[own.index(name)] if name in own else None for name in names]
    if None not in new:
        return tuple(new)
    return tuple(
        value if isinstance(value, str) else name for name, value in zip(names, new, strict=True)
    )


def _draw_table(owner: str, table: Table, own: list[str], counts: NDArray[np.intp]) -> None:
    """Draw the table, which goes on with its own edits."""
    key = f"table of classes {owner} {table.number}"
    rows = [
        {
            "use": i in table.drawn,
            "class": own[i],
            "samples": int(counts[i]),
            "name": table.drawn.get(i, own[i]),
        }
        for i in range(len(own))
    ]
    st.data_editor(
        rows,
        hide_index=True,
        disabled=["class", "samples"],
        column_config={"name": st.column_config.TextColumn("name", max_chars=MAX_NAME)},
        key=key,
        on_change=_store_edits,
        args=(key, table, own),
    )
    st.caption("Classes of the same name are merged.")


def _store_edits(key: str, table: Table, own: list[str]) -> None:
    """Store what the reader has changed in the table."""
    edits = st.session_state[key]["edited_rows"]
    table.names = {}
    for i, label in enumerate(own):
        edit = edits.get(i, {})
        if edit.get("use", i in table.drawn):
            name = edit.get("name", table.drawn.get(i, label)) or ""
            table.names[i] = name.strip() or label
