"""Select samples of one file or several: upload them, check their layout, and choose classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from pages.shared.files import Contents, Layout, MatFileError, MissingError
from pages.shared.files.contents import Listing
from pages.shared.files.inputs import IMAGES
from pages.shared.files.layout import RawSamples
from pages.shared.parts.prose import escape_markdown
from pages.your_data.reading import pictures
from pages.your_data.reading.layout_controls import (
    ORDERS,
    Inspection,
    LayoutControls,
    describe_axes,
    describe_cut,
    describe_groups,
    describe_labels,
    display_name,
    guess_layout,
)
from pages.your_data.reading.selection import (
    FileReading,
    Selection,
    choose_samples,
    make_selection,
)
from pages.your_data.reading.uploads import (
    Uploads,
    once_per_upload,
    stored_uploads,
)

VALIDATION_PATTERN = re.compile(r"val|dev", re.IGNORECASE)
VECTORS = (
    "Nothing in the file tells these rows and columns. If the samples are plain measurements, in "
    "any order, they are no matrices: the SMM has nothing to gain, and the linear SVM is for them."
)
ROWS = (
    "The samples are vectors, read as matrices of one row. The rank of W is 1 at most, so the SMM "
    "has nothing to gain: it is a linear SVM with a smaller C."
)
UPRIGHT = (
    "Which are upright? Nothing in the file tells whether its numbers run down the columns or "
    "along the rows of an image. The SMM classifies both equally well."
)
ALIKE = "**Which is right?** The file fits these readings equally well, so nothing is trained yet."
REMEDIES = {
    "drop": "Leave these samples out",
    "impute": "Fill in means over the training set",
}
MISSING_NOTES = {
    "drop": "samples with NaN are left out",
    "impute": "means take the place of NaN",
}
Shape = tuple[int, int, int]


def choose_from_file(errors: DeltaGenerator) -> Selection | None:
    """Draw what was read and the controls of the reading, and return the selected samples."""
    uploads = stored_uploads()
    for sentence in uploads.problems:
        st.warning(escape_markdown(sentence), icon="⚠️")
    if not uploads.files:
        st.info("Drop a file above. After a reload, or in a link, the file is gone: drop it again.")
        return None
    key = uploads.key
    inspection = once_per_upload("inspection", key, lambda: _inspect(uploads))
    is_unlabelled = bool(inspection.reason)
    applied_key, applied, clicks = st.session_state.get("applied layout", (None, None, 0))
    start = applied
    if applied_key != key:
        start = inspection.layouts[0] if inspection.layouts else guess_layout(inspection)
    notes, preview, hints = st.container(), st.container(), st.container()
    with st.expander("Change the reading", expanded=is_unlabelled):
        layout = LayoutControls(inspection, start, f"{key} {clicks}").draw()
    reading = _Reading(uploads, inspection, layout, clicks, applied_key == key)
    draw_warnings(inspection, notes)
    if is_unlabelled:
        first = once_per_upload("first layout", (key, start), lambda: layout)
        if layout == first or not (layout.labels or layout.implied):
            raise MatFileError(inspection.reason)
    try:
        y, shape = once_per_upload("labels", (key, layout), reading.read_labels)
    except MissingError as error:
        reading.draw_missing(error, errors)
        return None
    description = once_per_upload("description", (key, layout), reading.describe)
    notes.markdown(f"Read as {description}")
    reading.draw_notes(hints, len(y))
    if inspection.alike and layout == inspection.alike[0] and not reading.is_chosen:
        pictures.ask(preview, ALIKE, inspection, inspection.alike, reading.apply_layout)
        return None
    return reading.select(y, shape, hints, preview)


@dataclass(frozen=True, eq=False)
class _Reading:
    """The uploaded files, read in a layout."""

    uploads: Uploads
    inspection: Inspection
    layout: Layout
    clicks: int  # on buttons that change the layout
    is_chosen: bool  # whether such a button chose the layout

    @property
    def key(self) -> str:
        return self.uploads.key

    @cached_property  # read at most once in a rerun, and not kept: up to 160 MB
    def stored(self) -> RawSamples:
        with st.spinner("Reading the file ..."):
            return self.uploads.contents.raw_samples(self.layout)

    @property
    def apply_layout(self) -> Callable[[Layout], None]:
        """The callback of buttons; a session keeps it, so it must not hold the samples."""
        return partial(_apply_layout, self.key, self.clicks)

    def read_labels(self) -> tuple[NDArray[Any], Shape]:
        """Return the labels, and the shape of the samples."""
        return self.stored.y, self.stored.shape

    def describe(self) -> str:
        """Return a sentence about the layout."""
        stored, layout = self.stored, self.layout
        n, p, q = stored.shape
        parts = [f"**{n:,} samples of {p} × {q}**"]
        if layout.shape:
            parts.append(ORDERS[layout.order])
        if ways := describe_axes(layout):
            parts.append(ways)
        if layout.cut:
            parts.append(describe_cut(layout))
        if layout.mean_over is not None:
            parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
        names = ", ".join(escape_markdown(display_name(name)) for name in layout.samples[:3])
        parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
        labels = f"labels {describe_labels(layout)}, **{len(np.unique(stored.y))} classes**"
        text = f"{', '.join(parts)}; {labels}"
        if stored.test is not None:
            where = display_name((layout.test or (layout.parts,))[0])
            own = "test set"
            if VALIDATION_PATTERN.search(where):
                own = "validation set, used as test set"
            where = f"{escape_markdown(where)}{' ...' if layout.implied == 'variable' else ''}"
            count = np.count_nonzero(stored.test)
            text += f"; {count:,} are the file's own {own}, {where}"
        if stored.groups is not None:
            groups, name = len(np.unique(stored.groups)), escape_markdown(describe_groups(layout))
            text += f"; {groups:,} groups, {name}"
        if layout.missing != "refuse" and not layout.cut:
            text += f"; {MISSING_NOTES[layout.missing]}"
        return f"{text}."

    def draw_missing(self, error: MissingError, errors: DeltaGenerator) -> None:
        """Draw an error about missing numbers with a button for each remedy."""
        errors.error(escape_markdown(str(error)), icon="⚠️")
        place = errors.container(horizontal=True)
        for way in error.ways:
            other = replace(self.layout, missing=way)
            place.button(REMEDIES[way], on_click=self.apply_layout, args=(other,))

    def _name_source(self) -> tuple[str, str]:
        """Return the name of the file that holds the samples, with and without its ending."""
        first = self.uploads.contents.files_of(self.layout.samples[0])[0]
        others = len(self.uploads.files) - 1
        if first == IMAGES:
            return f"{others + 1:,} files", IMAGES
        more = f" and {others:,} more" if others else ""
        return f"{display_name(first)}{more}", Path(first).stem

    def draw_notes(self, notes: DeltaGenerator, n: int) -> None:
        """Draw hints about the n samples in this layout, and what each file contributes."""
        self._draw_unused(notes, n)
        self._draw_placeholders(notes)
        if describe_axes(self.layout):
            notes.caption(
                "Each sample has three axes in this file, and a matrix has two. Either two axes "
                "are joined, or one slice is used, such as one band: *Change the reading* offers "
                "every way."
            )
        if self.layout.threshold is not None:
            notes.caption(
                f"{describe_labels(self.layout)} holds measurements. They are divided in two "
                "classes, at first at their median; *Change the reading* has the threshold."
            )
        folded = self.layout.shape
        if folded and folded[0] == 1:
            notes.caption(ROWS)
        elif folded and not self._shows_size():
            notes.caption(VECTORS)
            vectors = replace(self.layout, shape=(1, prod(folded)), order="C")
            notes.button(
                "Read them as vectors", on_click=self.apply_layout, args=(vectors,), key="vectors"
            )

    def _draw_unused(self, notes: DeltaGenerator, n: int) -> None:
        """Draw the variables that are not used, each with the reason."""
        unused = once_per_upload(
            "reasons",
            (self.key, self.layout),
            lambda: self.uploads.contents.explain_unused(self.layout, n),
        )
        if not unused:
            return
        names = [display_name(name, 20) for name in unused]
        some = ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")
        with notes.expander(f"Not used: {escape_markdown(some)}"):
            lines = [
                f"**{escape_markdown(display_name(name))}** {escape_markdown(reason)}"
                for name, reason in unused.items()
            ]
            st.markdown("  \n".join(lines))

    def _draw_placeholders(self, notes: DeltaGenerator) -> None:
        """Say that labels of a test set are taken for none, with a button for real ones."""
        found = once_per_upload(
            "placeholders",
            (self.key, self.layout),
            lambda: self.uploads.contents.find_placeholders(self.layout),
        )
        if found is None:
            return
        samples, labels = (escape_markdown(display_name(name)) for name in found)
        notes.caption(
            f"Every label in {labels} is the same, so {samples} counts as unlabelled: its classes "
            "can be predicted below, once a classifier is trained on everything."
        )
        other = replace(self.layout, test=found)
        notes.button("These are real labels", on_click=self.apply_layout, args=(other,))

    def _shows_size(self) -> bool:
        """Return whether the file shows rows and columns of flattened samples."""
        shows: bool = once_per_upload(
            "sizes",
            (self.key, self.layout),
            lambda: self.uploads.contents.has_image_size(self.layout, self.stored),
        )
        return shows

    def _find_unknown_order(self) -> Layout | None:
        """Return the transposed layout if the file cannot decide and the reader has not chosen."""
        layout = self.layout
        other = pictures.find_transpose(self.inspection, layout)
        if self.is_chosen or other is None or layout != self.inspection.layouts[0]:
            return None
        if not self._shows_size():
            return None
        known = once_per_upload(
            "order",
            (self.key, layout),
            lambda: self.uploads.contents.is_order_known(layout, self.stored),
        )
        return None if known else other

    def select(
        self,
        y: NDArray[Any],
        shape: Shape,
        notes: DeltaGenerator,
        preview: DeltaGenerator,
    ) -> Selection:
        """Draw pictures, other layouts and the choice of classes; return the selected samples."""
        layout, key = self.layout, (self.key, self.layout)
        asked = self._find_unknown_order()
        if asked is not None:
            pictures.ask(preview, UPRIGHT, self.inspection, (layout, asked), self.apply_layout)
        place = preview.container()
        pictures.draw_other_layouts(preview, self.inspection, layout, self.apply_layout, asked)
        with notes:
            names = once_per_upload(
                "class names",
                key,
                lambda: self.uploads.contents.find_class_names(layout, np.unique(y)),
            )
            owner = f"{self.key} {layout.labels} {layout.implied}"
            choice = choose_samples(y, shape, owner, names)
            some, titles, meaning = pictures.some_of_each(
                y, choice.classes.labels, choice.classes.new_labels
            )
        samples = once_per_upload(
            "pictures", (*key, *some), lambda: pictures.coarsen(self.stored.take(some).X)
        )
        with place:
            pictures.draw_samples(samples, shape, titles, meaning)
        name, stem = once_per_upload("name", key, self._name_source)
        selection = once_per_upload(
            "selection",
            (*key, choice),
            lambda: make_selection(self.stored, choice, name, stem, layout),
        )
        reading = FileReading(partial(Contents, self.uploads.by_name), layout, self.key)
        return replace(selection, reading=reading)


def display_file(name: str, contents: Contents) -> str:
    """Return the name of a file, or of all images that are no part of an archive."""
    return "The images" if name == IMAGES and name in contents.listings else name


def draw_warnings(inspection: Inspection, place: DeltaGenerator) -> None:
    """Draw what cannot be read, and what a reader should know about archives."""
    for sentence in inspection.damaged:
        if sentence in inspection.reason:  # which is shown as an error
            continue
        place.warning(escape_markdown(sentence), icon="⚠️")
    for sentence in inspection.notes:
        place.caption(escape_markdown(sentence))


def _apply_layout(key: str, clicks: int, layout: Layout) -> None:
    """Read a file in another layout from the next rerun on."""
    # The number of clicks resets the controls even if their initial values are the same.
    st.session_state["applied layout"] = key, layout, clicks + 1


def _inspect(uploads: Uploads) -> Inspection:
    with st.spinner("Reading the file ..."):
        return inspect_contents(uploads.contents)


def inspect_contents(contents: Contents) -> Inspection:
    """Find the layouts in which files can be read."""
    layouts, alike, reason = [], [], ""
    try:
        layouts = contents.infer_layouts()
        alike = contents.find_alike(layouts)
        layouts = [*alike, *(each for each in layouts if each not in alike)]
    except MatFileError as error:
        reason = str(error)
    return Inspection(
        contents.variables,
        layouts,
        alike if len(alike) > 1 else [],
        # One more than are shown, as the current layout is one of them.
        [
            pictures.layout_strip(layout, contents.raw_samples)
            for layout in layouts[: pictures.MAX_OTHER_LAYOUTS + 1]
        ],
        reason,
        [
            *_list_sentences(contents, lambda each: [each.problem, each.left_out_note]),
            *contents.lost_variables,
        ],
        _list_sentences(contents, lambda each: each.notes),
        contents.cell_sizes(),
    )


def _list_sentences(
    contents: Contents, sentences_of: Callable[[Listing], Iterable[str]]
) -> list[str]:
    """Return sentences about files, with the names of the files if there are several."""
    several = len(contents.listings) > 1
    return [
        f"{display_file(name, contents)}: {sentence}" if several else sentence
        for name, each in contents.listings.items()
        for sentence in filter(None, sentences_of(each))
    ]
