"""Apply a classifier to new samples: choose them, and draw what is predicted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.matrix.your_data.reading import pictures
from pages.matrix.your_data.reading.files import draw_warnings, inspect_contents
from pages.matrix.your_data.reading.layout import (
    Inspection,
    LayoutControls,
    describe_labels,
    display_name,
    guess_layout,
)
from pages.matrix.your_data.reading.selection import FileReading
from pages.matrix.your_data.results.charts import confusion_matrix
from pages.matrix.your_data.results.metrics import evaluate
from pages.matrix.your_data.runs import count_noun, join_names
from pages.matrix.your_data.use.files import choose_file
from pages.matrix.your_data.use.predictions import Predictions, label_texts, predict, to_csv
from pages.shared.numbers import percent
from pages.shared.parts import charts, downloads
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.widgets.session_values import compute_once
from smmcore.matfile import Contents, Layout, MatFileError
from smmcore.matfile.layout import RawSamples
from smmcore.matfile.samples import label_names
from smmcore.model_selection import Machine

NEW_SAMPLES = "new samples"  # slot of the session
MAX_ROWS = 200  # of the table with pictures, which is sent at each rerun
MAX_COLUMNS = 5  # classes that have columns of their own in this table
PIXELS = 56  # height of a row, which holds a picture
ANOTHER_FILE = "Another file"


def apply_machine(machine: Machine, reading: FileReading | None, stem: str) -> None:
    """Draw the choice of new samples and what the machine predicts for them.

    Parameters
    ----------
    machine : Machine
    reading : FileReading or None
        The file of the trial: its samples without labels are offered beside another file.
    stem : str
        Beginning of the file names.
    """
    parts: dict[str, Layout] = {}
    if reading is not None:
        layouts = compute_once(
            "unlabelled samples",
            (reading.key, reading.layout),
            lambda: reading.open().find_unlabelled(reading.layout),
        )
        parts = {
            f"{display_name(layout.samples[0])} of the same file": layout for layout in layouts
        }
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
    try:
        if reading is None or source == ANOTHER_FILE:
            result = _predict_file(machine)
        else:
            result = _predict_part(machine, reading, parts[source])
    except (ValueError, OSError) as error:
        st.error(format_error(error), icon="⚠️")
        return
    if result is not None:
        _draw_predictions(machine, *result, downloads.file_stem(stem))


Result = tuple[Predictions, list[str]]  # with the data URLs of pictures


def _predict_part(machine: Machine, reading: FileReading, layout: Layout) -> Result:
    """Return predictions for samples without labels in the file of the trial."""
    return compute_once(
        "predictions",
        (machine, reading.key, layout),
        lambda: _predict(machine, *_read(reading.open(), layout)),
    )


def _predict_file(machine: Machine) -> Result | None:
    """Draw the uploader and the reading of a file; return predictions for its samples."""
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
        layout = LayoutControls(inspection, start, f"new {file.digest} {machine.shape}").draw()
    result = compute_once(
        "predictions",
        (machine, file.digest, layout),
        lambda: _predict(machine, *_read(contents, layout)),
    )
    labels = "without labels"
    if layout.labels or layout.implied:
        labels = f"labels {describe_labels(layout)}"
    n = len(result[0].rows)
    name = escape_markdown(display_name(layout.samples[0]))
    place.success(f"Read as **{count_noun(n, 'sample')} of {p} × {q}** from {name}; {labels}.")
    return result


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
    """Read samples, NaN included, and return whether they have labels."""
    if layout.labels or layout.implied:
        return contents.raw_samples(replace(layout, missing="impute")), True
    return contents.raw_unlabelled_samples(layout), False


def _predict(machine: Machine, stored: RawSamples, labelled: bool) -> Result:
    """Return predictions, and pictures of the first samples."""
    with st.spinner("Predicting ..."):
        found = predict(machine, stored, labelled)
        at = np.flatnonzero(np.isin(stored.rows, found.rows[:MAX_ROWS]))
        some = pictures.coarsen(stored.take(at).X)
        size = (PIXELS - 8,) * 2
        return found, [pictures.strip_url(some[i : i + 1], size) for i in range(len(some))]


def _draw_predictions(machine: Machine, found: Predictions, strips: list[str], stem: str) -> None:
    names = label_names(machine.classes)
    if found.left_out:
        st.caption(
            f"{count_noun(found.left_out, 'sample')} with NaN or infinity left out: the classifier "
            "was trained on complete samples and has nothing to fill in."
        )
    if found.truth is not None and found.labels is not None:
        _draw_accuracy(found.truth, found.labels, found, names)
    few = len(found.rows) > MAX_ROWS
    columns, settings = _table(found, names, strips)
    st.dataframe(columns, hide_index=True, row_height=PIXELS, column_config=settings)
    if few:
        st.caption(
            f"The first {MAX_ROWS} of {len(found.rows):,} samples; the table to download has all."
        )
    downloads.offer_table(
        "Predictions for the new samples",
        f"{stem}_new_predictions",
        partial(to_csv, found, machine.classes),
    )
    st.caption(_explain(machine, names))


def _draw_accuracy(
    truth: NDArray[np.intp], labels: NDArray[Any], found: Predictions, names: list[str]
) -> None:
    """Draw accuracy and confusion on the samples whose labels are classes of the machine."""
    known = truth >= 0
    count, total = int(known.sum()), len(truth)
    if count < total:
        few = 2 * count < total  # then the codes of the classes differ, and no accuracy is shown
        others = label_texts(labels[~known][:1])
        text = (
            f"Labels that are none of the classes of the classifier ({join_names(names, 5)}), "
            f"such as {others[0]}: {total - count:,} of {total:,}. "
        )
        text += "So no accuracy is shown." if few else "They are not counted."
        text += " Classes that were renamed or merged have their new names."
        (st.warning if few else st.caption)(escape_markdown(text))
        if few:
            return
    evaluation = evaluate([truth[known]], [found.decision[known]], len(names))
    (score,) = evaluation.scores
    low, high = score.wilson_interval
    left, right = st.columns([1, 2], gap="large")
    left.metric(
        "Accuracy on the new samples",
        percent(score.accuracy),
        f"{score.correct:,} of {score.total:,} right",
        delta_color="off",
        delta_arrow="off",
    )
    left.caption(
        f"Wilson's 95 % interval: {percent(low)} to {percent(high)}. It holds for new samples only "
        "if none of these was used for the training."
    )
    title = f"{count_noun(count, 'new sample')} by class"
    chart = confusion_matrix(evaluation.confusion, [escape(name) for name in names], title)
    charts.draw(right, chart)


def _table(
    found: Predictions, names: list[str], strips: list[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the columns of the table with pictures, and their settings."""
    rows = slice(0, MAX_ROWS)
    codes, decision = found.codes[rows], found.decision[rows]
    columns: dict[str, Any] = {"sample": found.rows[rows] + 1, "picture": strips}
    settings: dict[str, Any] = {"picture": st.column_config.ImageColumn("", width=PIXELS + 16)}
    if found.labels is not None:
        columns["label"] = label_texts(found.labels[rows])
    columns["prediction"] = [names[code] for code in codes]
    every = np.arange(len(codes))
    several = len(names) > MAX_COLUMNS
    if decision.shape[1] == 1:
        columns["f(X)"] = decision[:, 0]
    elif several:
        columns["f(X) of the prediction"] = decision[every, codes]
    else:
        columns |= {f"f(X), {name}": decision[:, k] for k, name in enumerate(names)}
    if found.probability is not None:
        probability = found.probability[rows]
        shown = {f"P({name})": probability[:, k] for k, name in enumerate(names)}
        if several:
            shown = {"P of the prediction": probability[every, codes]}
        columns |= shown
        progress = partial(
            st.column_config.ProgressColumn, format="percent", min_value=0, max_value=1
        )
        settings |= {name: progress(width=110) for name in shown}
    settings |= {
        name: st.column_config.NumberColumn(format="%.3f") for name in columns if "f(X)" in name
    }
    return columns, settings


def _explain(machine: Machine, names: list[str]) -> str:
    """Return what decision values and probabilities mean."""
    if len(machine.W) == 1:
        first, second = map(escape_markdown, names)
        text = f"f(X) > 0 predicts {second}, any other value {first}."
    else:
        text = "The class with the largest f(X) is predicted."
    if machine.calibration is None:
        return text
    which = "" if len(machine.W) == 1 else " of each class against the rest, divided by their sum"
    return (
        f"{text} P: Platt's sigmoid of f(X){which}, fitted to decision values in cross-validation, "
        "as scikit-learn does. The prediction follows f(X): in a close case another class may have "
        "the larger P."
    )
