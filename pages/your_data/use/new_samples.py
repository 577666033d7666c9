"""Choose new samples, a part of the file of a trial or another file, and read them by the model."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.files import Contents, Layout, MatFileError
from pages.shared.files.arrange import RawSamples, read_stack
from pages.shared.files.formats.errors import format_shape, quote
from pages.shared.files.formats.variables import EACH, NUMERIC, READABLE
from pages.shared.files.infer.names import SAMPLE_NAMES, field_name, field_words, label_likelihood
from pages.shared.files.infer.others import find_unlabelled
from pages.shared.files.labels import is_one_hot
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets.session_values import compute_once
from pages.your_data.reading.layout_words import display_name
from pages.your_data.reading.selection import FileReading
from pages.your_data.trial.machine import Machine
from pages.your_data.use.model_files import choose_file
from pages.your_data.use.predictions import ShownPredictions
from pages.your_data.words import count_noun

# The last argument tells whether there are labels.
Predict = Callable[[Machine, RawSamples, bool], ShownPredictions]

NEW_SAMPLES = "new samples"  # slot of the session
ANOTHER_FILE = "Another file"
NO_LABELS = "none"
MOST_TRIED = 50  # variables that are read to find new samples
MOST_LISTED = 5  # variables in an error


def find_parts(reading: FileReading) -> dict[str, Layout]:
    """Return the layouts of the samples without labels in the file of a trial, by their names."""
    layouts = compute_once(
        "unlabelled samples",
        (reading.key, reading.layout),
        lambda: find_unlabelled(reading.open().context, reading.layout),
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
        lambda: predict(machine, reading.open().raw_unlabelled_samples(layout), False),
    )


def _predict_file(machine: Machine, predict: Predict) -> ShownPredictions | None:
    """Draw the uploader; return what is predicted for the samples of the file."""
    p, q = machine.shape
    file = choose_file(
        f"New samples of {p} × {q}, one or more, with or without labels", NEW_SAMPLES
    )
    if file is None:
        return None
    contents = Contents({file.name: file.content})
    found = compute_once(
        "variables of new samples", (file.digest, machine), lambda: inspect(contents, machine)
    )
    for sentence in found.left_out:
        st.warning(escape_markdown(sentence), icon="⚠️")
    left, right = st.columns(2)
    names = list(found.counts)
    samples = names[0]
    if len(names) > 1:
        samples = left.selectbox(
            "Samples", names, format_func=display_name, key=f"new samples {file.digest}"
        )
        left = right
    n, labels = found.counts[samples], NO_LABELS
    if found.labels[samples]:
        labels = left.selectbox(
            "Labels",
            [*found.labels[samples], NO_LABELS],
            format_func=display_name,
            key=f"labels of {samples} {file.digest}",
        )
    note = st.empty()
    shown = compute_once(
        "predictions",
        (machine, file.digest, samples, labels),
        lambda: predict(machine, read_new(contents, machine, samples, labels), labels != NO_LABELS),
    )
    order = machine.form.order
    flattened = f", flattened ones along their {order}" if order == "rows" else ""
    flattened = ", flattened ones down their columns" if order == "columns" else flattened
    known = "without labels" if labels == NO_LABELS else f"labels {escape_markdown(labels)}"
    note.success(
        f"Read as the training samples: **{count_noun(n, 'sample')} of {p} × {q}** from "
        f"{escape_markdown(display_name(samples))}{flattened}; {known}."
    )
    if shown.unit_problem:
        st.warning(escape_markdown(shown.unit_problem), icon="⚠️")
    return shown


class Inspection(NamedTuple):
    """The variables of a file that hold new samples, the likeliest first."""

    counts: dict[str, int]  # of samples, by variable
    labels: dict[str, list[str]]  # the variables that may be their labels
    left_out: list[str]  # sentences about images that are not read


def inspect(contents: Contents, machine: Machine) -> Inspection:
    """Read a file once, and find its samples and labels."""
    names = find_samples(contents, machine)
    counts = {name: len(_stack(contents, machine, name)) for name in names}
    labels = {name: find_labels(contents, machine, name, n) for name, n in counts.items()}
    left_out = [each.left_out_note for each in contents.listings.values() if each.left_out]
    return Inspection(counts, labels, left_out)


def find_samples(contents: Contents, machine: Machine) -> list[str]:
    """Return the variables that hold samples of a machine, the likeliest first."""
    found, problems, called = [], [], machine.form.samples
    names = sorted(contents.variables, key=lambda name: _rank(name, called))
    names = [name for name in names if EACH not in name and _may_hold(contents, name, machine)]
    whole, brace, cell = called.partition("{")  # one cell of several
    cells = [name + brace + cell for name in names if brace and field_name(name) == whole.lower()]
    for name in [*cells, *names][:MOST_TRIED]:
        try:
            _stack(contents, machine, name)
            found.append(name)
        except MatFileError as error:
            problems.append(str(error))
    if not found:
        p, q = machine.shape
        problems = problems or [
            f"{quote(name)} is {format_shape(each.shape)}."
            for name, each in contents.variables.items()
            if each.shape and each.matlab_class in NUMERIC
        ]
        raise MatFileError(
            " ".join(
                [f"No variable of this file holds samples of {p} × {q}.", *problems[:MOST_LISTED]]
            )
        )
    return found


def _stack(contents: Contents, machine: Machine, name: str) -> NDArray[Any]:
    """Read the samples of a machine in a variable."""
    form = machine.form
    is_cell = name in contents.variables and contents.variables[name].matlab_class == "cell"
    cut = machine.shape if form.is_cut and is_cell else None
    return form.stack(read_stack(name, cut, contents.read), machine.shape, name)


def _rank(name: str, of_training: str) -> tuple[bool, bool, bool]:
    """Return a key that sorts likely samples first: called as before, or like samples."""
    called = field_name(name)
    is_like = called.startswith(of_training.lower()[:1]) and bool(of_training)
    return called != of_training.lower(), not SAMPLE_NAMES & field_words(name), not is_like


def _may_hold(contents: Contents, name: str, machine: Machine) -> bool:
    """Return whether a variable is large enough to hold a sample, by its header."""
    variable = contents.variables[name]
    if variable.matlab_class == "cell":
        return prod(variable.shape) > 0
    return variable.matlab_class in NUMERIC and prod(variable.shape) >= prod(machine.shape)


def find_labels(contents: Contents, machine: Machine, samples: str, n: int) -> list[str]:
    """Return the variables that may be labels of n samples, the likeliest first."""
    found = []
    for name, variable in contents.variables.items():
        is_called = bool(machine.form.labels) and field_name(name) == machine.form.labels.lower()
        likelihood = 4 if is_called else label_likelihood(name)
        if name == samples or EACH in name or variable.matlab_class not in READABLE:
            continue
        if likelihood > 0 and _labels_of(contents, name, n) is not None:
            found.append((likelihood, name))
    found.sort(key=lambda each: -each[0])  # stable
    names = [name for _, name in found]
    column = bool(machine.form.column)
    if column and machine.form.label_column(contents.read(samples), machine.shape) is not None:
        names.insert(0, machine.form.column)
    return names


def _labels_of(contents: Contents, name: str, n: int) -> NDArray[Any] | None:
    """Return a variable as n labels, which may all be equal; None if it is not."""
    try:
        values = contents.read(name)
    except MatFileError:
        return None
    for hot in (values, values.T):
        if is_one_hot(hot, n):
            return np.asarray(hot.argmax(axis=1) + 1)
    return values.ravel("F") if values.size == n and values.dtype.kind in "biufU" else None


def read_new(contents: Contents, machine: Machine, samples: str, labels: str) -> RawSamples:
    """Read new samples by the form of a machine, with these labels or with their numbers."""
    form = machine.form
    X = _stack(contents, machine, samples)
    rows = np.arange(len(X))
    y: NDArray[Any] | None = rows + 1
    if labels == form.column:
        y = form.label_column(contents.read(samples), machine.shape)
    elif labels != NO_LABELS:
        y = _labels_of(contents, labels, len(X))
    assert y is not None  # it was found before
    return RawSamples([[X]], y, None, None, rows)
