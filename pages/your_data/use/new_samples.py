"""Choose new samples: a part without labels of the file of a trial, or another file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from pages.shared.files import Contents, Layout, MatFileError
from pages.shared.files.layout import RawSamples
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets.session_values import compute_once
from pages.your_data.reading.file_choice import draw_warnings, inspect_contents
from pages.your_data.reading.layout_controls import (
    Inspection,
    LayoutControls,
    describe_labels,
    display_name,
    guess_layout,
)
from pages.your_data.reading.selection import FileReading
from pages.your_data.runs import count_noun
from pages.your_data.trial.machine import Machine
from pages.your_data.use.model_files import choose_file
from pages.your_data.use.predictions import ShownPredictions

Predict = Callable[
    [Machine, RawSamples, bool], ShownPredictions
]  # the last: whether there are labels

NEW_SAMPLES = "new samples"  # slot of the session
ANOTHER_FILE = "Another file"


def find_parts(reading: FileReading) -> dict[str, Layout]:
    """Return the layouts of the samples without labels in the file of a trial, by their names."""
    layouts = compute_once(
        "unlabelled samples",
        (reading.key, reading.layout),
        lambda: reading.open().find_unlabelled(reading.layout),
    )
    return {f"{display_name(layout.samples[0])} of the same file": layout for layout in layouts}


def predict_new(
    machine: Machine, reading: FileReading | None, predict: Predict
) -> ShownPredictions | None:
    """Draw the choice of new samples, and return what is predicted for them."""
    parts = find_parts(reading) if reading is not None else {}
    source = ANOTHER_FILE
    if parts:
        source = st.radio(
            "New samples",
            [*parts, ANOTHER_FILE],
            format_func=escape_markdown,
            horizontal=True,
            key=f"source of new samples {reading and reading.key}",
            persist_state="session",
        )
    if reading is None or source == ANOTHER_FILE:
        return _predict_file(machine, predict)
    layout = parts[source]
    return compute_once(
        "predictions",
        (machine, reading.key, layout),
        lambda: predict(machine, *_read(reading.open(), layout)),
    )


def _predict_file(machine: Machine, predict: Predict) -> ShownPredictions | None:
    """Draw the uploader and the reading of a file; return what is predicted for its samples."""
    p, q = machine.shape
    file = choose_file(f"New samples of {p} × {q}, with or without labels", NEW_SAMPLES)
    if file is None:
        return None
    contents = Contents({file.name: file.content})
    inspection = compute_once(
        "inspection of new samples",
        (file.digest, machine.shape),
        lambda: _inspect(contents, machine.shape),
    )
    start = inspection.layouts[0] if inspection.layouts else guess_layout(inspection)
    place = st.empty()
    draw_warnings(inspection, st.container())
    with st.expander("Change the reading of the new samples"):
        layout = LayoutControls(
            inspection, start, f"new {file.digest} {machine.shape}"
        ).draw_samples()
    shown = compute_once(
        "predictions",
        (machine, file.digest, layout),
        lambda: predict(machine, *_read(contents, layout)),
    )
    labels = "without labels"
    if layout.labels or layout.implied:
        labels = f"labels {describe_labels(layout)}"
    n = len(shown.predictions.rows)
    name = escape_markdown(display_name(layout.samples[0]))
    place.success(f"Read as **{count_noun(n, 'sample')} of {p} × {q}** from {name}; {labels}.")
    return shown


def _inspect(contents: Contents, shape: tuple[int, int]) -> Inspection:
    """Find the layouts of a file, those with samples of this shape first."""
    inspection = inspect_contents(contents)
    layouts = inspection.layouts
    if not inspection.reason:  # its labels may be no labels, such as the last column of a table
        layouts = layouts + contents.infer_unlabelled_layouts()
    fitting = [each for layout in layouts for each in _with_shape(contents, layout, shape)]
    return inspection._replace(layouts=list(dict.fromkeys([*fitting, *layouts])))


def _with_shape(contents: Contents, layout: Layout, shape: tuple[int, int]) -> Iterator[Layout]:
    """Yield the layout if it has samples of this shape, or can fold flattened ones to it."""
    p, q = shape
    with suppress(MatFileError):
        _, rows, columns = _read(contents, layout)[0].shape
        if (rows, columns) == shape:
            yield layout
        elif rows * columns == p * q and (layout.shape is not None or 1 in (rows, columns)):
            yield replace(layout, shape=shape)


def _read(contents: Contents, layout: Layout) -> tuple[RawSamples, bool]:
    """Read samples, those with NaN or without a label included, and whether there are labels."""
    if layout.labels or layout.implied:
        return contents.raw_samples(replace(layout, missing="keep")), True
    return contents.raw_unlabelled_samples(layout), False
