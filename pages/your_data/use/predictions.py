"""The classes that a classifier predicts for new samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.files import MatFileError
from pages.shared.files.arrange import RawSamples
from pages.shared.files.labels import label_names
from pages.shared.numbers import percent
from pages.shared.parts import charts, downloads
from pages.shared.parts.prose import escape_markdown
from pages.your_data.results.charts import confusion_matrix
from pages.your_data.results.downloads import decision_header, table_label
from pages.your_data.results.metrics import evaluate
from pages.your_data.trial.machine import Machine
from pages.your_data.words import count_noun, join_names
from smmcore.decision import predicted_class

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Columns = tuple[dict[str, Any], dict[str, Any]]  # of a table, and their settings

CHUNK = 2_000_000  # numbers that are converted at one time


@dataclass(frozen=True, eq=False)
class Predictions:
    """The classes that a classifier predicts for the samples of a file."""

    rows: Rows  # (m,), place of each sample in the file, from 0
    labels: NDArray[Any] | None  # (m,), as the file has them
    left_out: int  # samples with missing numbers, for which there is nothing to fill in
    machine: Machine
    decision: Array  # (m, K')

    @cached_property
    def codes(self) -> Rows:
        """The predicted classes, (m,)."""
        return predicted_class(self.decision)

    @cached_property
    def probability(self) -> Array | None:
        """The probability of each class, (m, K)."""
        calibration = self.machine.calibration
        return calibration(self.decision) if calibration else None

    @cached_property
    def truth(self) -> Rows | None:
        """The places of the labels in the classes, (m,); -1 of a label that is none of them."""
        if self.labels is None:
            return None
        labels, names = self.labels, dict(self.machine.form.names)
        if names:  # a file may have the old names or the new ones
            labels = np.array([names.get(text, text) for text in label_texts(labels)])
        return find_classes(labels, self.machine.classes)

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
            columns["label"] = label_texts(self.labels[rows])
        columns["prediction"] = [names[code] for code in codes]
        every, of = np.arange(len(codes)), codes if decision.shape[1] > 1 else 0
        columns["f(X)"] = decision[every, of]
        settings: dict[str, Any] = {"f(X)": st.column_config.NumberColumn(format="%.3f")}
        if self.probability is not None:
            columns["P"] = self.probability[rows][every, codes]
            settings["P"] = st.column_config.ProgressColumn(
                format="percent", min_value=0, max_value=1, width=110
            )
        return columns, settings

    def to_csv(self) -> bytes:
        """Return the table of predictions (.csv); samples are counted from 1."""
        names = [table_label(label) for label in self.machine.classes.tolist()]
        header = ["sample", *([] if self.labels is None else ["label"]), "prediction"]
        header += decision_header(names)
        columns = [self.decision]
        if self.probability is not None:
            header += [f"probability {name}" for name in names]
            columns.append(self.probability)
        numbers = np.hstack(columns).tolist()
        labels = [] if self.labels is None else [*map(table_label, self.labels.tolist())]
        places = zip(self.rows.tolist(), self.codes.tolist(), strict=True)
        rows = (
            [row + 1, *labels[i : i + 1], names[code], *numbers[i]]
            for i, (row, code) in enumerate(places)
        )
        return downloads.rows_to_csv(header, rows)

    def draw_quality(self) -> None:
        """Draw accuracy and confusion on the samples whose labels are classes of the machine."""
        if self.labels is None or self.truth is None:
            return
        known, names = self.truth >= 0, self.names
        is_labelled = np.ones(len(known), bool)
        if self.labels.dtype.kind == "f":
            is_labelled = np.isfinite(self.labels)
        count, total = int(known.sum()), int(is_labelled.sum())
        if unlabelled := len(known) - total:
            noun = count_noun(unlabelled, "sample")
            st.caption(f"{noun} without a label: predicted, not counted.")
        if not total:
            return
        if count < total:
            few = 2 * count < total  # then the codes of the classes differ
            others = label_texts(self.labels[~known & is_labelled][:1])
            text = (
                f"Labels that are none of the classes of the classifier ({join_names(names, 5)}), "
                f"such as {others[0]}: {total - count:,} of {total:,}. "
            )
            text += "So no accuracy is shown." if few else "They are not counted."
            text += " Classes that were renamed or merged have their new names."
            (st.warning if few else st.caption)(escape_markdown(text))
            if few:
                return
        evaluation = evaluate([self.truth[known]], [self.decision[known]], len(names))
        (score,) = evaluation.scores
        low, high = score.wilson_interval
        left, right = st.columns([1, 2], gap="large")
        left.metric(
            "Accuracy on the new samples",
            percent(score.accuracy),
            f"{score.correct:,} of {score.total:,} correct",
            delta_color="off",
            delta_arrow="off",
        )
        left.caption(
            f"Wilson's 95 % interval: {percent(low)} to {percent(high)}. It holds for new samples "
            "only if none of these was used for the training."
        )
        title = f"{count_noun(count, 'new sample')} by class"
        chart = confusion_matrix(evaluation.confusion, [escape(name) for name in names], title)
        charts.draw(right, chart)

    def explain(self) -> str:
        """Return what decision values and probabilities mean, in Markdown."""
        machine = self.machine
        if len(machine.W) == 1:
            first, second = map(escape_markdown, self.names)
            text = f"f(X) > 0 predicts {second}, any other value {first}."
        else:
            text = "The class with the largest f(X) is predicted; the table shows this f(X)."
        if machine.calibration is None:
            return text
        which = (
            "" if len(machine.W) == 1 else " of each class against the rest, divided by their sum"
        )
        return (
            f"{text} P, of the prediction: Platt's sigmoid of f(X){which}, fitted to decision "
            "values in cross-validation, as scikit-learn does. The prediction follows f(X): in a "
            "close case another class may have the larger P. The download has those of all classes."
        )


class ShownPredictions(NamedTuple):
    """Predictions, and what the page shows of the samples."""

    predictions: Predictions
    strips: list[str]  # data URLs of the pictures of the first samples
    unit_problem: str = ""  # a sentence, if the entries seem to be in another unit


def predict(machine: Machine, stored: RawSamples, has_labels: bool) -> Predictions:
    """Predict the class of each sample of a file, a part of the samples at a time."""
    n, p, q = stored.shape
    if (p, q) != machine.shape:
        size, own = (f"{rows} × {columns}" for rows, columns in ((p, q), machine.shape))
        raise MatFileError(
            f"The samples of this file are {size} in this reading; the model was trained on "
            f"samples of {own}."
        )
    step = max(1, CHUNK // (p * q))
    kept, values = [], []
    for first in range(0, n, step):
        some = np.arange(first, min(first + step, n))
        X = stored.take(some).X
        if machine.scaling.fill is None:
            whole = np.isfinite(X).all(axis=(1, 2))
            some, X = some[whole], X[whole]
        if len(some):
            kept.append(some)
            values.append(machine.decision(X))
    if not kept:
        raise MatFileError(
            "Every sample holds NaN or infinity; the model was trained on complete samples and "
            "has nothing to fill in."
        )
    places = np.concatenate(kept)
    labels = stored.y[places] if has_labels else None
    decision = np.concatenate(values)
    return Predictions(stored.rows[places], labels, n - len(places), machine, decision)


def find_classes(labels: NDArray[Any], classes: NDArray[Any]) -> Rows:
    """Return the place of each label in the classes, or -1.

    If the classes are texts, a number is its text: one new name makes texts of all classes. If they
    are numbers, a text such as "3" is its number.
    """
    if labels.dtype.kind != "U" and classes.dtype.kind == "U":
        labels = np.array(label_texts(labels))
    if labels.dtype.kind == "U" and classes.dtype.kind != "U":
        numbers = as_numbers(labels)
        if numbers is None:
            return np.full(len(labels), -1)
        labels = numbers
    order = np.argsort(classes)
    places = np.searchsorted(classes[order], labels).clip(max=len(classes) - 1)
    return np.where(classes[order][places] == labels, order[places], -1)


def as_numbers(labels: NDArray[Any]) -> Array | None:
    """Return labels as numbers, also those that are written as text; None if one is no number."""
    if labels.dtype.kind not in "biufU":
        return None
    try:
        return labels.astype(float)
    except ValueError:
        return None


def label_texts(labels: NDArray[Any]) -> list[str]:
    """Return the labels as they are drawn; equal labels have equal texts."""
    distinct, places = np.unique(labels, return_inverse=True)
    names = label_names(distinct)
    return [names[place] for place in places]
