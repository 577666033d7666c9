"""Apply a trained classifier to new samples: what it predicts, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.numbers import percent
from pages.shared.parts import charts, downloads
from pages.shared.parts.prose import escape_markdown, format_error
from pages.shared.words import count_noun, join_names
from pages.your_data.files import FileError
from pages.your_data.files.arrange import RawSamples
from pages.your_data.files.labels import label_names
from pages.your_data.reading import pictures
from pages.your_data.reading.selection import Selection
from pages.your_data.reading.uploads import compute_once
from pages.your_data.results.metrics import evaluate
from pages.your_data.results.report import confusion_matrix, predictions_to_csv
from pages.your_data.trial.form import label_text
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.splits import fingerprints
from pages.your_data.use.new_samples import NewSamples, choose_new_samples
from smmcore.arrays import Array
from smmcore.decision import predicted_class

Rows = NDArray[np.intp]
Columns = tuple[dict[str, Any], dict[str, Any]]  # of a table, and their settings

MAX_ROWS = 200  # of the table with pictures, which is sent at each rerun
PIXELS = 56  # height of a row, which holds a picture
CHUNK = 2_000_000  # numbers that are converted at one time


@dataclass(frozen=True, eq=False)
class Predictions:
    """The classes that a classifier predicts for the samples of a file."""

    rows: Rows  # (m,), place of each sample in the file, from 0
    labels: NDArray[Any] | None  # (m,), as the file has them
    left_out: int  # samples with missing numbers, for which there is nothing to fill in
    machine: Machine
    decision: Array  # (m, K')
    low: float  # the smallest and the largest entry of the samples
    high: float
    trained_on: NDArray[np.bool_]  # (m,), whether the classifier was trained on the sample

    @cached_property
    def codes(self) -> Rows:
        """The predicted classes, (m,)."""
        return predicted_class(self.decision)

    @cached_property
    def truth(self) -> Rows | None:
        """The places of the labels in the classes, (m,); -1 of a label that is none of them."""
        if self.labels is None:
            return None
        return find_classes(self.labels, self.machine.classes, dict(self.machine.form.names))

    @property
    def names(self) -> list[str]:
        """The names of the classes."""
        return label_names(self.machine.classes)

    def columns(self, count: int) -> Columns:
        """Return the columns of the table about the first samples."""
        rows, names = slice(0, count), self.names
        codes, decision = self.codes[rows], self.decision[rows]
        columns: dict[str, Any] = {}
        if self.labels is not None:
            columns["label"] = [*map(label_text, self.labels[rows].tolist())]
        columns["prediction"] = [names[code] for code in codes]
        every, of = np.arange(len(codes)), codes if decision.shape[1] > 1 else 0
        columns["f(X)"] = decision[every, of]
        settings: dict[str, Any] = {"f(X)": st.column_config.NumberColumn(format="%.3f")}
        return columns, settings

    def to_csv(self) -> bytes:
        """Return the table of predictions (.csv); samples are counted from 1."""
        columns = {} if self.labels is None else {"label": self.labels.tolist()}
        return predictions_to_csv(self.rows, columns, self.decision, self.machine.classes)

    def draw_quality(self) -> None:
        """Draw accuracy and confusion on the samples whose labels are classes of the classifier."""
        if self.labels is None or self.truth is None:
            return
        new = ~self.trained_on
        known, names = new & (self.truth >= 0), self.names
        is_labelled = new
        if self.labels.dtype.kind == "f":
            is_labelled = new & np.isfinite(self.labels)
        count, total = int(known.sum()), int(is_labelled.sum())
        if unlabelled := int(new.sum()) - total:
            noun = count_noun(unlabelled, "sample")
            st.caption(f"{noun} without a label: predicted, not counted.")
        if not total:
            return
        if count < total:
            few = 2 * count < total  # then the codes of the classes differ
            other = label_text(self.labels[~known & is_labelled].tolist()[0])
            text = (
                f"Labels that are none of the classes of the classifier ({join_names(names, 5)}), "
                f"such as {other}: {total - count:,} of {total:,}. "
            )
            text += "So no accuracy is shown." if few else "They are not counted."
            (st.warning if few else st.caption)(escape_markdown(text))
            if few:
                return
        evaluation = evaluate([(self.truth[known], self.decision[known])], len(names))
        (score,) = evaluation.scores
        left, right = st.columns([1, 2], gap="large")
        left.metric(
            "Accuracy on the new samples",
            percent(score.accuracy),
            f"{score.correct:,} of {score.total:,} correct",
            delta_color="off",
            delta_arrow="off",
        )
        left.caption(
            f"Wilson's 95 % interval: {score.format_interval()}. It holds for new samples only if "
            "none of these is close to a training sample, as windows of one recording are."
        )
        title = f"{count_noun(count, 'new sample')} by class"
        chart = confusion_matrix(evaluation.confusion, [escape(name) for name in names], title)
        charts.draw(right, chart)

    def explain(self) -> str:
        """Return what decision values mean, in Markdown."""
        if len(self.machine.W) > 1:
            return "The class with the largest f(X) is predicted; the table shows this f(X)."
        first, second = map(escape_markdown, self.names)
        return f"f(X) > 0 predicts {second}, any other value {first}."


def predict(machine: Machine, stored: RawSamples, has_labels: bool) -> Predictions:
    """Predict the class of each sample of a file, a part of the samples at a time."""
    n, p, q = stored.shape
    step = max(1, CHUNK // (p * q))
    kept, values, seen, low, high = [], [], [], np.inf, -np.inf
    for first in range(0, n, step):
        some = np.arange(first, min(first + step, n))
        X = stored.take(some).X
        if machine.scaling.fill is None:
            whole = np.isfinite(X).all(axis=(1, 2))
            some, X = some[whole], X[whole]
        if len(some):
            low, high = np.nanmin(X, initial=low), np.nanmax(X, initial=high)
            kept.append(some)
            values.append(machine.decision(X))
            seen.append(np.isin(fingerprints(X), machine.seen))
    if not kept:
        raise FileError(
            "Every sample holds NaN or infinity; the model was trained on complete samples and "
            "has nothing to fill in."
        )
    places = np.concatenate(kept)
    return Predictions(
        stored.rows[places],
        stored.y[places] if has_labels else None,
        n - len(places),
        machine,
        np.concatenate(values),
        float(low),
        float(high),
        np.concatenate(seen),
    )


def find_classes(
    labels: NDArray[Any], classes: NDArray[Any], renamed: Mapping[str, str] | None = None
) -> Rows:
    """Return the place of each label in the classes, by its old or its new name, or -1.

    A number and its text are the same label: one new name makes texts of all classes.
    """
    names = renamed or {}
    places = {label_text(label): k for k, label in enumerate(classes.tolist())}
    texts = map(label_text, labels.tolist())
    return np.array([places.get(names.get(text, text), -1) for text in texts])


def apply_machine(machine: Machine, selection: Selection) -> None:
    """Draw the choice of new samples and what a classifier predicts for them."""
    try:
        new = choose_new_samples(machine, selection)
        if new is None:
            return
        note = st.container()
        found, strips = compute_once(
            "predictions", (machine, *new.key), lambda: _predict(machine, new)
        )
    except (ValueError, OSError) as error:
        st.error(format_error(error), icon="⚠️")
        return
    if new.description:
        note.success(new.description)
    if problem := machine.form.find_unit_problem(found.low, found.high):
        note.warning(escape_markdown(problem), icon="⚠️")
    _draw_predictions(found, strips, downloads.file_stem(selection.stem))


def _predict(machine: Machine, new: NewSamples) -> tuple[Predictions, list[str]]:
    """Return predictions, and data URLs of the pictures of the first samples."""
    with st.spinner("Predicting ..."):
        stored = new.read()
        found = predict(machine, stored, new.has_labels)
        at = np.flatnonzero(np.isin(stored.rows, found.rows[:MAX_ROWS]))
        some = pictures.coarsen(stored.take(at).X)
        return found, [pictures.strip_url(each[None], (PIXELS - 8,) * 2) for each in some]


def _draw_predictions(found: Predictions, strips: list[str], stem: str) -> None:
    if found.left_out:
        st.caption(
            f"{count_noun(found.left_out, 'sample')} with NaN or infinity left out: the model was "
            "trained on complete samples and has nothing to fill in."
        )
    if count := int(found.trained_on.sum()):
        st.warning(
            f"{count:,} of these {count_noun(len(found.rows), 'sample')} "
            f"{'was' if count == 1 else 'were'} trained on: predicted, not scored.",
            icon="⚠️",
        )
    found.draw_quality()
    columns, settings = found.columns(MAX_ROWS)
    table: dict[str, Any] = {"sample": found.rows[:MAX_ROWS] + 1, "picture": strips}
    picture = {"picture": st.column_config.ImageColumn("", width=PIXELS + 16)}
    charts.draw_table(table | columns, row_height=PIXELS, column_config=picture | settings)
    if len(found.rows) > MAX_ROWS:
        st.caption(
            f"The first {MAX_ROWS} of {len(found.rows):,} samples; the table to download has all."
        )
    downloads.offer_table(
        "Predictions for the new samples", f"{stem}_new_predictions", found.to_csv
    )
    st.caption(found.explain())
