"""Predictions of a machine for samples of a file that it was not trained on, and their table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.matrix.your_data.results.downloads import decision_header, table_label
from pages.shared.parts import downloads
from smmcore.decision import predicted_class
from smmcore.matfile import MatFileError
from smmcore.matfile.layout import RawSamples
from smmcore.matfile.samples import label_names
from smmcore.model_selection import Machine

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

CHUNK = 2_000_000  # numbers that are converted at one time


class Predictions(NamedTuple):
    """What a machine says about the samples of a file."""

    rows: Rows  # (m,), place of each sample in the file, from 0
    decision: Array  # (m, K')
    codes: Rows  # (m,), the predicted classes
    probability: Array | None  # (m, K)
    labels: NDArray[Any] | None  # (m,), as the file has them
    truth: Rows | None  # (m,), their places in the classes; -1 of a label that is none of them
    left_out: int  # samples with missing numbers, for which there is nothing to fill in


def predict(machine: Machine, stored: RawSamples, labelled: bool) -> Predictions:
    """Predict the class of each sample, a part of the samples at a time.

    Raises
    ------
    ValueError
        If the samples do not fit the machine.
    """
    n, p, q = stored.shape
    if (p, q) != machine.shape:
        size, own = (f"{rows} × {columns}" for rows, columns in ((p, q), machine.shape))
        raise MatFileError(
            f"The samples of this file are {size} in this reading; the classifier was trained on "
            f"samples of {own}."
        )
    step = max(1, CHUNK // (p * q))
    kept, decisions = [], []
    for first in range(0, n, step):
        some = np.arange(first, min(first + step, n))
        X = stored.take(some).X
        if machine.scaling.fill is None:
            whole = np.isfinite(X).all(axis=(1, 2))
            some, X = some[whole], X[whole]
        kept.append(some)
        decisions.append(machine.decision(X))
    at, decision = np.concatenate(kept), np.concatenate(decisions)
    if not len(at):
        raise MatFileError(
            "Every sample holds NaN or infinity; the classifier was trained on complete samples "
            "and has nothing to fill in."
        )
    labels = stored.y[at] if labelled else None
    return Predictions(
        stored.rows[at],
        decision,
        predicted_class(decision),
        machine.calibration(decision) if machine.calibration else None,
        labels,
        None if labels is None else find_classes(labels, machine.classes),
        n - len(at),
    )


def find_classes(labels: NDArray[Any], classes: NDArray[Any]) -> Rows:
    """Return the place of each label in the classes, or -1.

    If the classes are texts, a number is its text: one new name makes texts of all classes.
    """
    if labels.dtype.kind != "U" and classes.dtype.kind == "U":
        labels = np.array(label_texts(labels))
    if labels.dtype.kind == "U" and classes.dtype.kind != "U":
        return np.full(len(labels), -1)
    order = np.argsort(classes)
    places = np.searchsorted(classes[order], labels).clip(max=len(classes) - 1)
    return np.where(classes[order][places] == labels, order[places], -1)


def label_texts(labels: NDArray[Any]) -> list[str]:
    """Return the labels as they are drawn; equal labels have equal texts."""
    distinct, places = np.unique(labels, return_inverse=True)
    names = label_names(distinct)
    return [names[place] for place in places]


def to_csv(found: Predictions, classes: NDArray[Any]) -> bytes:
    """Return the table of predictions (.csv); samples are counted from 1."""
    names = [table_label(label) for label in classes.tolist()]
    header = ["sample", *([] if found.labels is None else ["label"]), "prediction"]
    header += decision_header(names)
    columns = [found.decision]
    if found.probability is not None:
        header += [f"probability {name}" for name in names]
        columns.append(found.probability)
    numbers = np.hstack(columns).tolist()
    labels = [] if found.labels is None else [table_label(each) for each in found.labels.tolist()]
    places = zip(found.rows.tolist(), found.codes.tolist(), strict=True)
    rows = (
        [row + 1, *labels[i : i + 1], names[code], *numbers[i]]
        for i, (row, code) in enumerate(places)
    )
    return downloads.rows_to_csv(header, rows)
