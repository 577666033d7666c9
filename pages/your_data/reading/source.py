"""Select labelled samples from files or a built-in set."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.bundled import P300, Digits, Faces, Planted
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.parts.question import is_class
from pages.shared.widgets import url
from pages.your_data.files import Contents, FileError, Layout, MissingError
from pages.your_data.files.formats.variables import IMAGES
from pages.your_data.files.infer.context import label_likelihood
from pages.your_data.files.infer.doubts import Doubts, find_doubts
from pages.your_data.files.infer.images import has_image_size, is_order_known, list_triangles
from pages.your_data.files.infer.recordings import cut_moments
from pages.your_data.files.infer.search import describe_lost, explain_unused, find_alike
from pages.your_data.files.infer.vectors import find_class_names, find_placeholders
from pages.your_data.reading import pictures
from pages.your_data.reading.layout_controls import LayoutControls, guess_layout
from pages.your_data.reading.pictures import (
    Inspection,
    describe_axes,
    describe_labels,
    describe_reading,
    display_name,
)
from pages.your_data.reading.selection import (
    FileReading,
    Selection,
    choose_samples,
    make_selection,
    sample_places,
)
from pages.your_data.reading.uploads import (
    MY_FILE,
    Uploads,
    compute_once,
    has_files,
    stored_uploads,
)
from pages.your_data.trial.form import find_unlabelled, label_text

BUNDLED: dict[str, P300 | Faces | Planted] = {
    "EEG, P300": P300(),
    "Faces": Faces(),
    "Planted": Planted(),
}
SOURCES = (*BUNDLED, "Digits", MY_FILE)
DIGITS = {str(digit): str(digit) for digit in range(10)}
ABOUT = {
    "EEG, P300": "**The matrix pays here**, as the learning curve shows; one test is too small to "
    "tell. Symbols flash, and a person looks for one of them: was it that one? 256 trials, 17 "
    "channels × 32 moments, one second from the flash on. The groups are pieces of the recording, "
    "as neighbours overlap. *Brain Invaders*, by Van Veen, Barachant, Andreev, Cattan, Rodrigues "
    "and Congedo, [doi:10.5281/zenodo.2649006](https://doi.org/10.5281/zenodo.2649006), CC BY 4.0, "
    "filtered and shortened.",
    "Planted": "**The matrix pays most here.** 300 matrices of independent normal numbers; the "
    "plaid of *When does low rank pay off?*, of rank 1, gives each its label.",
    "Digits": "1,797 handwritten digits, 8 × 8 grey values 0 to 16, from scikit-learn.",
    "Faces": "**Flattening is as good here.** 100 faces and 100 pieces of background, 25 × 25, "
    "from scikit-image: on clean pictures expect no gain from the matrix.",
}
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
DOUBTFUL = "**Is this right?** Nothing is trained before you choose."
UNLABELLED = "holds samples without labels, which a trained classifier can predict"
REMEDIES = {
    "cut": "Cut all to the shortest",
    "drop": "Leave these samples out",
    "impute": "Fill in means over the training set",
}
MOST_ON_WALL = 3  # classes
WALL_PIXELS = 400  # of the samples in class mode, from top to bottom
THREE_AXES = (
    "Each sample has three axes in this file, and a matrix has two. Either two axes are joined, or "
    "one slice is used, such as one band: *Change the reading* offers every way."
)


def select_samples() -> Selection:
    """Draw the choice of a set or of the file, its controls and pictures; return its samples.

    If a selection cannot be used, an error is drawn and the last selection is returned as a
    fallback, for which the settings can be drawn. Do not show results of the fallback.
    """
    usual = "Digits" if is_class() else SOURCES[0]  # a class is asked about digits
    default = MY_FILE if has_files() else usual
    source = url.choice(st, "segmented_control", "Or try", SOURCES, default, key="source")
    errors = st.container()
    try:
        if source == MY_FILE:
            selection = choose_from_file(errors)
        else:
            st.markdown(ABOUT[source])
            selection = _choose_bundled(source)
            _draw_preview(selection)
    except (ValueError, OSError) as error:
        selection = None
        errors.error(format_error(error), icon="⚠️")
    last = selection or st.session_state.get("last selection") or _select_digits((3, 8))
    st.session_state["last selection"] = last
    return selection or replace(last, is_fallback=True)


def is_first_example() -> bool:
    """Return whether nothing asks for other data than the example with which the page opens."""
    return not (is_class() or has_files() or url.full_key("source") in st.query_params)


def _select_digits(classes: tuple[int, ...]) -> Selection:
    """Return the samples of some digits."""
    data = Digits(classes)
    return Selection(
        data,
        np.array(data.classes),
        data.prepare().y,
        np.flatnonzero(np.isin(load_digits().target, classes)),
        f"digits {' '.join(map(str, data.classes))}",
    )


def _choose_bundled(source: str) -> Selection:
    """Return the samples of a set; of the digits draw the choice of classes."""
    if data := BUNDLED.get(source):
        samples, rows = data.prepare(), np.arange(data.shape[0])
        return Selection(data, samples.classes, samples.y, rows, source)
    picked = url.several(st, "Classes", DIGITS, key="digits", default=("3", "8"), least=2)
    return _select_digits(tuple(int(digit) for digit in picked))


def _draw_preview(selection: Selection) -> None:
    names = dict(enumerate(selection.label_names))
    some, titles, meaning = pictures.some_of_each(selection.y, names, selection.rows)
    X = selection.data.prepare().X
    pictures.draw_samples(pictures.coarsen(X[some]), X.shape, titles, meaning)


def draw_first_of_each(selection: Selection) -> None:
    """Draw the first sample of each class, one below the other, for the wall."""
    X = selection.data.prepare().X
    names = selection.label_names[:MOST_ON_WALL]
    size = WALL_PIXELS // len(names)
    for label, name in enumerate(names):
        first = pictures.coarsen(X[selection.y == label][:1])
        st.image(pictures.strip_url(first, (size, size)), escape_markdown(name))


def inspect_contents(contents: Contents) -> Inspection:
    """Find the layouts in which files can be read."""
    layouts, alike, reason = [], [], ""
    try:
        layouts = contents.infer_layouts()
        alike = find_alike(contents.context, layouts)
        layouts = [*alike, *(each for each in layouts if each not in alike)]
    except FileError as error:
        reason = str(error)
    doubts = Doubts([], [])
    with suppress(FileError):  # raised again where the samples are read
        for layout in layouts[:1]:
            stored = contents.raw_samples(layout)
            if cut := cut_moments(contents.context, layout, stored):
                layouts.insert(0, cut)
            layout, stored = layouts[0], contents.raw_samples(layouts[0])
            doubts = find_doubts(contents.context, layout, stored)
    layouts[1:1] = doubts.remedies
    strips = [
        pictures.layout_strip(layout, contents.raw_samples)
        # One more than are shown, as the current layout is one of them.
        for layout in layouts[: pictures.MAX_OTHER_LAYOUTS + 1]
    ]
    damaged: list[str] = []
    noted: dict[str, list[str]] = {}  # the files, by what is said of them
    for name, each in contents.listings.items():
        file = "The images" if name == IMAGES else name
        before = f"{file}: " if len(contents.listings) > 1 else ""
        damaged += [f"{before}{text}" for text in (each.problem, each.left_out_note) if text]
        for text in each.notes:
            noted.setdefault(text, []).append(before.removesuffix(": "))
    notes = [
        f"{file}{f', and {len(more):,} more' * bool(more)}: {text}" if file else text
        for text, (file, *more) in noted.items()
    ]
    return Inspection(
        contents.variables,
        layouts,
        alike if len(alike) > 1 else [],
        strips,
        doubts.sentences,
        reason,
        [*damaged, *describe_lost(contents.variables)],
        notes,
        contents.cell_sizes(),
    )


class Facts(NamedTuple):
    """The labels of samples in a layout, and what the page says about this reading."""

    y: NDArray[Any]
    rows: NDArray[np.intp]  # the place of each sample in its variable
    shape: tuple[int, int, int]
    description: str
    unused: dict[str, str]  # why each other variable is not used
    placeholders: tuple[str, str] | None  # a test part whose labels seem to mean none
    shows_size: bool  # whether the file shows rows and columns of flattened samples
    shows_order: bool  # and which is which
    class_names: tuple[str, ...]
    columns: tuple[str, ...]  # their names
    stem: str  # the name of the file that holds the samples, without its ending


def find_facts(contents: Contents, layout: Layout) -> Facts:
    """Read the samples of a layout, and find out what there is to say about them."""
    stored, context = contents.raw_samples(layout), contents.context
    classes = np.unique(stored.y)
    groups = 0 if stored.groups is None else len(np.unique(stored.groups))
    tested = 0 if stored.test is None else int(stored.test.sum())
    n = len(stored.y)
    unlabelled = find_unlabelled(context, layout, stored.shape[1:])
    others = [name for name in unlabelled if n not in contents.variables[name].shape]
    return Facts(
        stored.y,
        sample_places(stored, layout),
        stored.shape,
        describe_reading(layout, stored.shape, len(classes), groups, tested),
        # Other samples, as many as are used, are another choice.
        explain_unused(context, layout, n) | dict.fromkeys(others, UNLABELLED),
        find_placeholders(context, layout),
        has_image_size(context, layout, stored),
        is_order_known(context, layout),
        find_class_names(context, layout, classes),
        contents.column_names(layout.samples),
        Path(contents.files_of(layout.samples)[0]).stem,
    )


def choose_from_file(errors: DeltaGenerator) -> Selection | None:
    """Draw what was read and the controls of the reading, and return the selected samples."""
    uploads = stored_uploads()
    if not uploads.by_name:
        st.info("Drop a file above. After a reload, or in a link, the file is gone: drop it again.")
        return None
    key = uploads.key
    with st.spinner("Reading the file ..."):
        inspection = compute_once(
            "inspection of files", key, lambda: inspect_contents(uploads.contents)
        )
    applied_key, applied, clicks = st.session_state.get("applied layout", (None, None, 0))
    start = applied
    if applied_key != key:
        start = inspection.layouts[0] if inspection.layouts else guess_layout(inspection)
    notes, preview, hints = st.container(), st.container(), st.container()
    with st.expander("Change the reading", expanded=bool(inspection.reason)):
        layout = LayoutControls(inspection, start, f"{key} {clicks}").draw()
    for sentence in inspection.damaged:
        if sentence not in inspection.reason:  # which is shown as an error
            notes.warning(escape_markdown(sentence), icon="⚠️")
    for sentence in inspection.notes:
        notes.caption(escape_markdown(sentence))
    if inspection.reason:
        first = compute_once("first layout of files", (key, start), lambda: layout)
        if layout == first or not (layout.labels or layout.implied):
            raise FileError(inspection.reason)
    apply_layout = partial(_apply_layout, key, clicks)  # kept by a session: it holds no samples
    try:
        with st.spinner("Reading the file ..."):
            facts = compute_once(
                "facts of files",
                (key, layout),
                lambda: find_facts(uploads.contents, layout),
            )
    except MissingError as error:
        errors.error(escape_markdown(str(error)), icon="⚠️")
        place = errors.container(horizontal=True)
        for way in error.ways:
            other = replace(layout, missing=way)
            place.button(REMEDIES[way], on_click=apply_layout, args=(other,))
        return None
    reading = _Reading(uploads, inspection, layout, facts, apply_layout)
    notes.markdown(f"Read as {facts.description}")
    reading.draw_notes(hints)
    is_chosen = applied_key == key
    if (choices := inspection.choices) and layout == choices[0] and not is_chosen:
        for sentence in inspection.doubts:
            preview.warning(escape_markdown(sentence), icon="⚠️")
        preview.markdown(ALIKE if inspection.alike else DOUBTFUL)
        pictures.draw_choices(preview, inspection, choices, layout, apply_layout)
        return None
    return reading.select(hints, preview, is_chosen)


@dataclass(frozen=True, eq=False)
class _Reading:
    """The uploaded files, read in a layout."""

    uploads: Uploads
    inspection: Inspection
    layout: Layout
    facts: Facts
    apply_layout: Callable[[Layout], None]  # the callback of buttons

    def draw_notes(self, notes: DeltaGenerator) -> None:
        """Draw what is not used, and hints about the samples in this layout."""
        if unused := self.facts.unused:
            names = [display_name(name, 20) for name in unused]
            some = ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")
            lines = [
                f"**{escape_markdown(display_name(name))}** {escape_markdown(reason)}"
                for name, reason in unused.items()
            ]
            likely = any(label_likelihood(name) > 1 for name in unused)
            with notes.expander(f"Not used: {escape_markdown(some)}", expanded=likely):
                st.markdown("  \n".join(lines))
        if found := self.facts.placeholders:
            samples, labels = (escape_markdown(display_name(name)) for name in found)
            notes.caption(
                f"Every label in {labels} is the same, so {samples} counts as unlabelled: its "
                "classes can be predicted below, once a classifier is trained on everything."
            )
            other = replace(self.layout, test=found)
            notes.button("These are real labels", on_click=self.apply_layout, args=(other,))
        if describe_axes(self.layout):
            notes.caption(THREE_AXES)
        if self.layout.threshold is not None:
            notes.caption(
                f"{describe_labels(self.layout)} holds measurements. They are divided in two "
                "classes, at first at their median; *Change the reading* has the threshold."
            )
        folded = self.layout.shape
        if folded and folded[0] == 1:
            notes.caption(ROWS)
        elif folded and not self.facts.shows_size:
            notes.caption(VECTORS)
            vectors = replace(self.layout, shape=(1, prod(folded)), order="C")
            notes.button(
                "Read them as vectors", on_click=self.apply_layout, args=(vectors,), key="vectors"
            )
            for each in list_triangles(self.layout):
                k, _ = each.shape or (0, 0)
                diagonal = ", with the diagonal" * (not each.triangle)
                notes.button(
                    f"Upper triangles of {k} × {k}{diagonal}",
                    on_click=self.apply_layout,
                    args=(each,),
                )

    def select(self, notes: DeltaGenerator, preview: DeltaGenerator, is_chosen: bool) -> Selection:
        """Draw pictures, other layouts and the choice of classes; return the selected samples."""
        layout, facts, contents = self.layout, self.facts, self.uploads.contents
        key = self.uploads.key, layout
        asked = None
        if facts.shows_size and not (facts.shows_order or is_chosen):
            asked = pictures.find_transpose(self.inspection, layout)
        if asked is not None:
            preview.markdown(UPRIGHT)
            both = layout, asked
            pictures.draw_choices(preview, self.inspection, both, layout, self.apply_layout)
        place = preview.container()
        pictures.draw_other_layouts(preview, self.inspection, layout, self.apply_layout, asked)
        with notes:
            owner = f"{self.uploads.key} {layout.labels} {layout.implied}"
            choice = choose_samples(facts.y, facts.shape, owner, facts.class_names)
            names = {label: label_text(name) for label, name in choice.classes.items()}
            some, titles, meaning = pictures.some_of_each(facts.y, names, facts.rows)
        samples = compute_once(
            "pictures of files",
            (*key, *some),
            lambda: pictures.coarsen(contents.raw_samples(layout).take(some).X),
        )
        with place:
            pictures.draw_samples(samples, facts.shape, titles, meaning)
        selection = compute_once(
            "selection of files",
            (*key, choice),
            lambda: make_selection(contents.raw_samples(layout), choice, facts.stem, layout),
        )
        reading = FileReading(partial(Contents, self.uploads.by_name), layout, self.uploads.key)
        form = replace(selection.form, columns=facts.columns)
        return replace(selection, reading=reading, form=form)


def _apply_layout(key: str, clicks: int, layout: Layout) -> None:
    """Read a file in another layout from the next rerun on."""
    # The number of clicks resets the controls even if their initial values are the same.
    st.session_state["applied layout"] = key, layout, clicks + 1
