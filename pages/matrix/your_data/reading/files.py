"""Select samples of a file: upload it, check its layout, and choose classes.

A session keeps two files: the data file, and a second file that may hold its labels.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator
from streamlit.typing import UploadedFile

from pages.matrix.your_data.reading import pictures
from pages.matrix.your_data.reading.layout import (
    ORDERS,
    Inspection,
    LayoutControls,
    describe_groups,
    describe_labels,
    display_name,
    guess_layout,
)
from pages.matrix.your_data.reading.selection import (
    Selection,
    choose_classes,
    choose_max_samples,
    make_selection,
)
from pages.shared.data.samples import MAX_ENTRIES, MAX_SAMPLES, MAX_SIDE
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets.session_values import compute_once
from smmcore.experiments.experiment import constructor
from smmcore.matfile import Contents, Layout, MatFileError, MissingError, Variable
from smmcore.matfile.formats.variables import EACH, LARGEST_ARRAY
from smmcore.matfile.infer.context import MOST_TRIED
from smmcore.matfile.infer.vectors import MAX_CLASSES
from smmcore.matfile.layout import RawSamples, read_cell_sizes

# Slots of the session: the files, and the number of times that one was added or removed.
FILE, SECOND, CHANGES = "file", "second file", "changes of files"
RESULT = "result of a file: "  # prefix of the slots that are cleared with a file
MAX_FILE_MB = 50
ENDINGS = ["mat", "h5", "hdf5", "npz", "npy", "csv", "txt"]
MAX_DAMAGED = 3  # damaged variables that are reported
MAX_UNUSED = 2  # vectors that are offered as groups
VALIDATION_PATTERN = re.compile(r"val|dev", re.IGNORECASE)
LIMITS = (
    "MATLAB (.mat, v4 to v7.3), Octave, HDF5, NumPy (.npz, .npy) or a table (.csv, .txt). "
    f"Limits: a file of {MAX_FILE_MB} MB, {LARGEST_ARRAY // 10**6} MB in a variable, "
    f"{MAX_CLASSES} classes, samples of {MAX_SIDE} × {MAX_SIDE}; of more than "
    f"{MAX_SAMPLES:,} samples, or {MAX_ENTRIES:,} numbers in all, a part is drawn."
)
VECTORS = (
    "Nothing in the file tells these rows and columns. If the samples are plain measurements, in "
    "any order, they are no matrices: the SMM has nothing to gain, and the linear SVM is for them."
)
ROWS = (
    "The samples are vectors, read as matrices of one row. The rank of W is 1 at most, so the SMM has "
    "nothing to gain: it is a linear SVM with a smaller C."
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


def choose_from_file(errors: DeltaGenerator, preview: DeltaGenerator) -> Selection | None:
    """Draw the uploader and all controls, and return the selected samples."""
    if not _draw_uploader("My file", FILE):
        _draw_file_in_use("Still in use", FILE)
    _draw_file_in_use("Second file", SECOND)
    st.caption(LIMITS)
    file, is_unlabelled = _uploaded_file(FILE), False
    if file is None:
        return None
    place = st.container()
    try:
        second = _uploaded_file(SECOND)
        key = file.digest + (second.digest if second else "")
        inspection = _once_per_file("inspection", key, lambda: _inspect(file, second))
        is_unlabelled = bool(inspection.reason)
    finally:  # also if the second file cannot be read, so that it can be replaced
        with place.expander("Labels in a second file", expanded=is_unlabelled):
            _draw_uploader("Labels, and groups or test part if they are there", SECOND)
    applied_key, applied, clicks = st.session_state.get("applied layout", (None, None, 0))
    start = applied
    if applied_key != key:
        start = inspection.layouts[0] if inspection.layouts else guess_layout(inspection)
    notes = st.container()
    with st.expander("Change the reading", expanded=is_unlabelled):
        layout = LayoutControls(inspection, start, f"{key} {clicks}").draw()
    reading = _Reading(file, second, inspection, key, layout, clicks)
    if is_unlabelled:
        first = _once_per_file("first layout", (key, start), lambda: layout)
        if layout == first or not (layout.labels or layout.implied):
            if inspection.layouts:
                reading.draw_unlabelled(preview)
            raise MatFileError(inspection.reason)
    try:
        y, shape, description = _once_per_file("labels", (key, layout), reading.describe)
    except MissingError as error:
        reading.draw_missing(error, errors)
        return None
    notes.success(f"Read as {description}")
    reading.draw_notes(notes, len(y))
    return reading.select(y, shape, notes, preview)


@dataclass(frozen=True, eq=False)
class _Reading:
    """The data file and the second file, read in a layout."""

    file: File
    second: File | None
    inspection: Inspection
    key: str  # of the two files
    layout: Layout
    clicks: int  # on buttons that change the layout

    @cached_property
    def contents(self) -> Contents:
        return _contents(self.file, self.second)

    @cached_property  # read at most once in a rerun, and not kept: up to 160 MB
    def stored(self) -> RawSamples:
        with st.spinner("Reading the file ..."):
            return self.contents.raw_samples(self.layout)

    @property
    def apply_layout(self) -> Callable[[Layout], None]:
        """The callback of buttons; a session keeps it, so it must not hold the samples."""
        return partial(_apply_layout, self.key, self.clicks)

    def describe(self) -> tuple[NDArray[Any], Shape, str]:
        """Return labels, shape, and a sentence about the layout."""
        stored, layout = self.stored, self.layout
        n, p, q = stored.shape
        parts = [f"**{n:,} samples of {p} × {q}**"]
        if layout.shape:
            parts.append(ORDERS[layout.order])
        if layout.mean_over is not None:
            parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
        names = ", ".join(escape_markdown(display_name(name)) for name in layout.samples[:3])
        parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
        text = (
            f"{', '.join(parts)}; labels {describe_labels(layout)}{self._source(layout.labels)}, "
            f"**{len(np.unique(stored.y))} classes**"
        )
        if stored.test is not None:
            where = display_name((layout.test or (layout.parts,))[0])
            own = "test part"
            if VALIDATION_PATTERN.search(where):
                own = "validation part, used as test part"
            where = f"{escape_markdown(where)}{' ...' if layout.implied == 'variable' else ''}"
            count = np.count_nonzero(stored.test)
            text += f"; {count:,} are the file's own {own}, {where}{self._source(layout.parts)}"
        if stored.groups is not None:
            groups, name = len(np.unique(stored.groups)), escape_markdown(describe_groups(layout))
            text += f"; {groups:,} groups, {name}{self._source(layout.groups)}"
        if layout.missing != "refuse":
            text += f"; {MISSING_NOTES[layout.missing]}"
        return stored.y, stored.shape, f"{text}."

    def _source(self, variable: str) -> str:
        """Return the name of the second file if it contains the variable."""
        if self.second is None or variable not in self.inspection.beside:
            return ""
        return f" of {escape_markdown(display_name(self.second.name))}"

    def draw_missing(self, error: MissingError, errors: DeltaGenerator) -> None:
        """Draw an error about missing numbers with a button for each remedy."""
        errors.error(escape_markdown(str(error)), icon="⚠️")
        place = errors.container(horizontal=True)
        for way in error.ways:
            other = replace(self.layout, missing=way)
            place.button(REMEDIES[way], on_click=self.apply_layout, args=(other,))

    def draw_unlabelled(self, preview: DeltaGenerator) -> None:
        """Draw samples without labels, and other layouts."""
        layout = replace(self.layout, labels="", implied="")

        def some_samples() -> tuple[NDArray[Any], Shape, list[str]]:
            stored = self.contents.raw_unlabelled_samples(layout)
            n = stored.shape[0]
            some = np.linspace(0, n - 1, min(pictures.MAX_PICTURES, n)).astype(int)
            samples = pictures.coarsen(stored.take(some).X)
            return samples, stored.shape, [f"{i + 1:,}" for i in some]

        samples, shape, titles = _once_per_file("pictures", (self.key, layout), some_samples)
        pictures.draw_samples(preview, samples, shape, titles, "number in the file")
        pictures.draw_other_layouts(preview, self.inspection, self.layout, self.apply_layout)

    def draw_notes(self, notes: DeltaGenerator, n: int) -> None:
        """Draw warnings and hints about the n samples in this layout."""
        key = self.key, self.layout
        for sentence in self.inspection.damaged:
            notes.warning(escape_markdown(sentence), icon="⚠️")
        if self.layout.shape and self.layout.shape[0] == 1:
            notes.caption(ROWS)
        elif not _once_per_file(
            "sizes", key, lambda: self.contents.has_image_size(self.layout, self.stored)
        ):
            notes.caption(VECTORS)
            vectors = replace(self.layout, shape=(1, prod(self.stored.shape[1:])), order="C")
            notes.button(
                "Read them as vectors", on_click=self.apply_layout, args=(vectors,), key="vectors"
            )
        if siblings := _siblings(self.inspection.variables, self.layout.samples):
            notes.caption(
                f"{len(siblings):,} more in structs beside it, such as "
                f"{escape_markdown(display_name(siblings[0]))}, are not used: save a struct array, "
                "or a cell array with a cell for each of them."
            )
        unused = _once_per_file(
            "unused", key, lambda: self.contents.find_unused_vectors(self.layout)
        )
        for name, count in list(unused.items())[:MAX_UNUSED]:
            own = escape_markdown(display_name(name))
            notes.caption(
                f"{own} has {count:,} values for {n:,} samples and is not used. If it tells "
                "subjects or sessions apart, let each be trained on or tested on, never both:"
            )
            grouped = replace(self.layout, groups=name)
            notes.button(
                f"Groups by {own}",
                on_click=self.apply_layout,
                args=(grouped,),
                key=f"groups {name}",
            )

    def select(
        self, y: NDArray[Any], shape: Shape, notes: DeltaGenerator, preview: DeltaGenerator
    ) -> Selection:
        """Draw pictures, other layouts and the choice of classes; return the selected samples."""
        layout, key = self.layout, (self.key, self.layout)
        place = preview.container()
        pictures.draw_other_layouts(preview, self.inspection, layout, self.apply_layout)
        with notes:
            classes = choose_classes(y, f"{self.key} {layout.labels} {layout.implied}")
        some, titles = pictures.some_of_each(y, classes)
        samples = _once_per_file(
            "pictures", (*key, *some), lambda: pictures.coarsen(self.stored.take(some).X)
        )
        pictures.draw_samples(place, samples, shape, titles, "number in the file and label")
        with notes:
            most = choose_max_samples(y, classes, shape, f"{self.key} {layout.labels}")
        name = self.file.name
        second_name = self.second.name if self.second else None
        script = partial(reading_script, name, layout, second_name)
        return _once_per_file(
            "selection",
            (*key, classes, most),
            lambda: make_selection(
                self.stored, classes, most, script, display_name(name), Path(name).stem
            ),
        )


def reading_script(name: str, layout: Layout, labels_name: str | None, draw: str) -> str:
    """Return the statements that read X, y, groups and test from a file, and a second with labels.

    Further arguments of `read_samples` select samples, such as `draw="classes=[1, 2], most=500"`.
    """
    arguments = [repr(name), "layout", repr(labels_name) if labels_name else "", draw]
    return (
        "from smmcore.matfile import Layout, read_samples\n\n"
        f"layout = {constructor(layout)}\n"
        f"X, y, groups, test, _ = read_samples({', '.join(filter(None, arguments))})\n"
    )


def _apply_layout(key: str, clicks: int, layout: Layout) -> None:
    """Read a file in another layout from the next rerun on."""
    # The number of clicks resets the controls even if their initial values are the same.
    st.session_state["applied layout"] = key, layout, clicks + 1


def _contents(file: File, second: File | None) -> Contents:
    return Contents(file.content, second.content if second else None)


def _inspect(file: File, second: File | None) -> Inspection:
    with st.spinner("Reading the file ..."):
        contents = _contents(file, second)
        read: Callable[[Layout], RawSamples] = contents.raw_samples
        try:
            layouts, reason = contents.infer_layouts(), ""
        except MatFileError as error:
            layouts, reason = contents.infer_unlabelled_layouts(), str(error)
            read = contents.raw_unlabelled_samples
        return Inspection(
            contents.variables,
            contents.labels,
            contents.second_variables.keys(),
            layouts,
            # One more than are shown, as the current layout is one of them.
            [
                pictures.layout_strip(layout, read)
                for layout in layouts[: pictures.MAX_OTHER_LAYOUTS + 1]
            ],
            reason,
            contents.lost_variables[:MAX_DAMAGED],
            _cell_sizes(contents),
        )


def _cell_sizes(contents: Contents) -> dict[str, NDArray[np.intp]]:
    """Return the shapes of the cells of each cell array of numbers."""
    sizes = {}
    cells = [each for each in contents.variables.values() if each.matlab_class == "cell"]
    for variable in cells[:MOST_TRIED]:
        with suppress(MatFileError):  # cells of text, or damaged
            sizes[variable.name] = read_cell_sizes(variable.name, contents.read)
    return sizes


def _siblings(variables: dict[str, Variable], samples: tuple[str, ...]) -> list[str]:
    """Return variables with the name of the samples in other structs: those of other subjects."""

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


@dataclass(frozen=True)
class File:
    """An uploaded file."""

    name: str
    content: bytes
    digest: str  # of the content: the controls of a file that is uploaded again keep their values
    upload: str  # Streamlit's number of the upload; a new one if the file is uploaded again


def _draw_uploader(label: str, slot: str) -> bool:
    """Draw the uploader of a slot, and return whether it shows a file.

    The uploader of the data file is empty after a visit to another page. The uploader of the
    second file is empty as soon as it has received a file.
    """
    sent = st.file_uploader(
        label,
        type=ENDINGS,
        max_upload_size=MAX_FILE_MB,
        key=_uploader_key(slot),
        on_change=_store_upload,
        args=(_uploader_key(slot), slot),
        help="It is read in a process of its own and forgotten with this browser's session.",
    )
    return sent is not None


def _draw_file_in_use(label: str, slot: str) -> None:
    """Draw the name of the file in a slot, if there is one, with a button that removes it."""
    file = st.session_state.get(slot)
    if file is None:
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"{label}: **{escape_markdown(file.name)}**", width="content")
    row.button("Remove", key=f"remove {slot}", on_click=_remove_file, args=(slot,))


def _uploaded_file(slot: str) -> File | None:
    """Return the file in a slot; check its size again, as a browser may ignore the limit."""
    file = st.session_state.get(slot)
    if file is not None and len(file.content) > MAX_FILE_MB * 10**6:
        raise MatFileError(
            f"The file must have at most {MAX_FILE_MB} MB, got {len(file.content) / 1e6:,.1f} MB."
        )
    return file


def _uploader_key(slot: str) -> str:
    """Return the key of a slot's uploader; that of the second file is new after each change."""
    return "upload" if slot == FILE else f"second upload {st.session_state.get(CHANGES, 0)}"


def _store_upload(uploader: str, slot: str) -> None:
    """Store an uploaded file, or remove the file if the reader has cleared the uploader.

    A browser sends the file of an uploader until it learns that the page no longer draws this
    uploader. Streamlit has deleted the file by then, and treats it as a new upload. Such a file
    must neither restore the second file of an earlier data file nor replace an equal data file.
    """
    sent, file = st.session_state[uploader], st.session_state.get(slot)
    sent = sent if isinstance(sent, UploadedFile) else None  # the browser may have deleted it
    if uploader != _uploader_key(slot) or (sent and file and sent.file_id == file.upload):
        return
    _remove_file(slot)
    if sent:
        content = sent.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        st.session_state[slot] = File(sent.name, content, digest, sent.file_id)


def _remove_file(slot: str) -> None:
    """Remove a file and its results from the session; with a data file, also the second file.

    If the same file is uploaded again, it is read again.
    """
    state = st.session_state
    removed = {slot, SECOND} if slot == FILE else {slot}
    for key in list(state):
        if key in removed or str(key).startswith(RESULT):
            del state[key]
    state[CHANGES] = state.get(CHANGES, 0) + 1


def _once_per_file(name: str, key: object, make: Callable[[], Any]) -> Any:
    """Return a result that the session keeps until its key or a file changes."""
    return compute_once(RESULT + name, key, make)
