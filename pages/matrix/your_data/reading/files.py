"""Choose samples of a file: upload it, check how it is read, and pick classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.matrix.your_data.reading import other_layouts, pictures
from pages.matrix.your_data.reading.choice import Choice, make_choice, pick_classes, pick_most
from pages.matrix.your_data.reading.layout import (
    ORDERS,
    Found,
    groups_name,
    guess_layout,
    labels_name,
    name_of,
    pick_layout,
)
from pages.matrix.your_data.reading.uploaded import (
    FILE,
    LARGEST_FILE,
    SECOND,
    File,
    draw_file_in_use,
    draw_uploader,
    uploaded_file,
)
from pages.shared.data.samples import MAX_ENTRIES, MAX_SAMPLES, MAX_SIDE
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets.session_values import compute_once
from smmcore.matfile import (
    EACH,
    LARGEST_ARRAY,
    MOST_CLASSES,
    Contents,
    Layout,
    MatFileError,
    MissingError,
    Stored,
    Variable,
)

MAX_DAMAGED = 3  # variables that are reported
MAX_UNUSED = 2  # vectors that may be groups
VALIDATION = re.compile(r"val|dev", re.IGNORECASE)
LIMITS = (
    "MATLAB (.mat, v4 to v7.3), Octave, HDF5, NumPy (.npz, .npy) or a table (.csv, .txt). "
    f"Limits: a file of {LARGEST_FILE} MB, {LARGEST_ARRAY // 10**6} MB in a variable, "
    f"{MOST_CLASSES} classes, samples of {MAX_SIDE} x {MAX_SIDE}; of more than "
    f"{MAX_SAMPLES:,} samples, or {MAX_ENTRIES:,} numbers in all, a part is drawn."
)
VECTORS = (
    "Nothing in the file tells these rows and columns. If the samples are plain measurements, in "
    "any order, they are no matrices: the SMM has nothing to gain, and the linear SVM is for them."
)
REMEDIES = {
    "drop": "Leave these samples out",
    "impute": "Fill in means over the training part",
}
MISSING_NOTES = {
    "drop": "samples with NaN are left out",
    "impute": "means take the place of NaN",
}
Shape = tuple[int, int, int]


def pick_file(sentence, preview) -> Choice | None:
    """Draw the uploader, the layout of the file and all pickers, and return the choice.

    Parameters
    ----------
    sentence, preview : container
        For an error, and for pictures.
    """
    if not draw_uploader("My file", FILE):
        draw_file_in_use("Still in use", FILE)
    draw_file_in_use("Second file", SECOND)
    st.caption(LIMITS)
    file, without_labels = uploaded_file(FILE), False
    if file is None:
        return None
    place = st.container()
    try:
        beside = uploaded_file(SECOND)
        key = file.digest + (beside.digest if beside else "")
        found = compute_once("file contents", key, lambda: _inspect(file, beside))
        without_labels = bool(found.reason)
    finally:  # where the second file cannot be read, another one may be
        with place.expander("Labels in a second file", expanded=without_labels):
            draw_uploader("Labels, and groups or test part if they are there", SECOND)
    former_key, former, turn = st.session_state.get("file reading", (None, None, 0))
    start = former if former_key == key else (found.layouts or [guess_layout(found)])[0]
    notes = st.container()
    with st.expander("Change the reading", expanded=without_labels):
        layout = pick_layout(found, start, f"{key} {turn}")
    reading = _Reading(file, beside, found, key, layout, turn)
    if without_labels:
        first = compute_once("file first", (key, start), lambda: layout)
        if layout == first or not (layout.labels or layout.implied):
            if found.layouts:
                reading.draw_unlabelled(preview)
            raise MatFileError(found.reason)
    try:
        y, shape, facts = compute_once("file labels", (key, layout), reading.facts)
    except MissingError as error:
        reading.draw_missing(error, sentence)
        return None
    notes.success(f"Read as {facts}")
    reading.draw_notes(notes, len(y))
    return reading.choose(y, shape, notes, preview)


@dataclass(frozen=True, eq=False)
class _Reading:
    """A file, the second file beside it, and the layout in which they are read."""

    file: File
    beside: File | None
    found: Found
    key: str  # of the two files
    layout: Layout
    turn: int  # number of the layouts that were taken by a button

    @cached_property
    def contents(self) -> Contents:
        return _contents(self.file, self.beside)

    @cached_property  # at most once in a rerun, and for no longer: this can be 160 MB
    def stored(self) -> Stored:
        with st.spinner("Reading the file ..."):
            return self.contents.stored(self.layout)

    @property
    def take(self) -> Callable[[Layout], None]:
        """The callback of buttons; a session keeps it, so it must not hold the samples."""
        return partial(_take, self.key, self.turn)

    def facts(self) -> tuple[NDArray, Shape, str]:
        """Return labels, shape, and a sentence about the layout."""
        stored, layout = self.stored, self.layout
        n, p, q = stored.shape
        parts = [f"**{n:,} samples of {p} x {q}**"]
        if layout.shape:
            parts.append(ORDERS[layout.order])
        if layout.mean_over is not None:
            parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
        names = ", ".join(escape_markdown(name_of(name)) for name in layout.samples[:3])
        parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
        text = (
            f"{', '.join(parts)}; labels {labels_name(layout)}{self._source(layout.labels)}, "
            f"**{len(np.unique(stored.y))} classes**"
        )
        if stored.test is not None:
            where = name_of((layout.test or (layout.parts,))[0])
            own = "test part"
            if VALIDATION.search(where):
                own = "validation part, used as test part"
            where = f"{escape_markdown(where)}{' ...' if layout.implied == 'variable' else ''}"
            count = np.count_nonzero(stored.test)
            text += f"; {count:,} are the file's own {own}, {where}{self._source(layout.parts)}"
        if stored.groups is not None:
            count, name = len(np.unique(stored.groups)), escape_markdown(groups_name(layout))
            text += f"; {count:,} groups, {name}{self._source(layout.groups)}"
        if layout.missing != "refuse":
            text += f"; {MISSING_NOTES[layout.missing]}"
        return stored.y, stored.shape, f"{text}."

    def _source(self, variable: str) -> str:
        """Name the second file where a variable is in it."""
        in_second = self.beside and variable in self.found.beside
        return f" of {escape_markdown(name_of(self.beside.name))}" if in_second else ""

    def draw_missing(self, error: MissingError, sentence) -> None:
        """Draw an error about missing numbers with a button for each remedy."""
        sentence.error(escape_markdown(str(error)), icon="⚠️")
        place = sentence.container(horizontal=True)
        for way in error.ways:
            other = replace(self.layout, missing=way)
            place.button(REMEDIES[way], on_click=self.take, args=(other,))

    def draw_unlabelled(self, preview) -> None:
        """Draw samples without labels, and other layouts."""
        layout = replace(self.layout, labels="", implied="")

        def look() -> tuple[NDArray, Shape, list[str]]:
            stored = self.contents.stored_bare(layout)
            n = stored.shape[0]
            some = np.linspace(0, n - 1, min(pictures.MAX_PICTURES, n)).astype(int)
            samples = pictures.coarsen(stored.take(some).X)
            return samples, stored.shape, [f"{i + 1:,}" for i in some]

        samples, shape, titles = compute_once("file pictures", (self.key, layout), look)
        pictures.draw(preview, samples, shape, titles, "number in the file")
        other_layouts.draw(self.found, self.layout, preview, self.take)

    def draw_notes(self, notes, n: int) -> None:
        """Draw what a reader should know about n samples that are read like this."""
        key = self.key, self.layout
        for damage in self.found.damaged:
            notes.warning(escape_markdown(damage), icon="⚠️")
        if not compute_once(
            "file told", key, lambda: self.contents.tells_sizes(self.layout, self.stored)
        ):
            notes.caption(VECTORS)
        if siblings := _siblings(self.found.variables, self.layout.samples):
            notes.caption(
                f"{len(siblings):,} more in structs beside it, such as "
                f"{escape_markdown(name_of(siblings[0]))}, are not used: save a struct array, or "
                "a cell "
                "array with a cell for each of them."
            )
        unused = compute_once("file unused", key, lambda: self.contents.unused(self.layout))
        for name, count in list(unused.items())[:MAX_UNUSED]:
            own = escape_markdown(name_of(name))
            notes.caption(
                f"{own} has {count:,} values for {n:,} samples and is not used. If it tells "
                "subjects or sessions apart, let each be trained on or tested on, never both:"
            )
            grouped = replace(self.layout, groups=name)
            notes.button(
                f"Groups by {own}", on_click=self.take, args=(grouped,), key=f"groups {name}"
            )

    def choose(self, y: NDArray, shape: Shape, notes, preview) -> Choice:
        """Draw pictures, other layouts and the choice of classes; return the chosen samples."""
        layout, key = self.layout, (self.key, self.layout)
        place = preview.container()
        other_layouts.draw(self.found, layout, preview, self.take)
        with notes:
            classes = pick_classes(y, f"{self.key} {layout.labels} {layout.implied}")
        some, titles = pictures.some_of_each(y, classes)
        samples = compute_once(
            "file pictures",
            (*key, *some),
            lambda: pictures.coarsen(self.stored.take(some).X),
        )
        pictures.draw(place, samples, shape, titles, "number in the file and label")
        with notes:
            most = pick_most(y, classes, shape, f"{self.key} {layout.labels}")

        def choice() -> Choice:
            name, second = self.file.name, self.beside and self.beside.name

            def lines(draw: str) -> str:
                return script(name, layout, second, draw)

            stem = Path(name).stem
            return make_choice(self.stored, classes, most, lines, name_of(name), stem)

        return compute_once("file choice", (*key, classes, most), choice)


def script(name: str, layout: Layout, labels_name: str | None, draw: str) -> str:
    """Return the lines that read a file in a layout: X, y, groups and test of the drawn samples."""
    settings = ", ".join(
        f"{field.name}={getattr(layout, field.name)!r}"
        for field in fields(layout)
        if getattr(layout, field.name) != field.default
    )
    arguments = [repr(name), "layout", repr(labels_name) if labels_name else "", draw]
    return (
        "from smmcore.matfile import Layout, read_samples\n\n"
        f"layout = Layout({settings})\n"
        f"X, y, groups, test, _ = read_samples({', '.join(filter(None, arguments))})\n"
    )


def _take(key: str, turn: int, layout: Layout) -> None:
    """Read a file in another layout from the next rerun on."""
    # A further turn: the pickers begin anew even where they begin as before.
    st.session_state["file reading"] = key, layout, turn + 1


def _contents(file: File, beside: File | None) -> Contents:
    return Contents(file.content, beside and beside.content)


def _inspect(file: File, beside: File | None) -> Found:
    with st.spinner("Reading the file ..."):
        contents = _contents(file, beside)
        read: Callable[[Layout], Stored] = contents.stored
        try:
            layouts, reason = contents.proposals(), ""
        except MatFileError as error:
            layouts, reason = contents.bare(), str(error)
            read = contents.stored_bare
        return Found(
            contents.variables,
            contents.labels,
            contents.beside.keys(),
            layouts,
            other_layouts.draw_strips(layouts, read),
            reason,
            contents.lost[:MAX_DAMAGED],
        )


def _siblings(variables: dict[str, Variable], samples: tuple[str, ...]) -> list[str]:
    """Return variables named like the samples in structs beside theirs: of other subjects."""

    def without_struct(name: str) -> list[str]:
        *outer, _, own = ["", "", *name.split(".")]
        return [*outer, own]

    first = samples[0]
    if "." not in first or EACH in first:
        return []
    return [
        name
        for name in variables
        if name not in samples and EACH not in name
        if without_struct(name) == without_struct(first)
    ]
