"""Choose new samples, a part of the file of a trial or another file, and read them by the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.parts.prose import escape_markdown
from pages.shared.words import count_noun
from pages.your_data.files import Contents, FileError
from pages.your_data.files.arrange import RawSamples
from pages.your_data.files.formats.errors import format_shape, quote
from pages.your_data.files.formats.variables import EACH, NUMERIC, READABLE
from pages.your_data.files.infer.context import (
    SAMPLE_NAMES,
    field_name,
    field_words,
    label_likelihood,
)
from pages.your_data.files.labels import to_labels
from pages.your_data.reading.pictures import display_name
from pages.your_data.reading.selection import FileReading, Selection
from pages.your_data.reading.uploads import choose_file, compute_once
from pages.your_data.trial.form import TurnedError, find_unlabelled
from pages.your_data.trial.machine import Machine

NEW_SAMPLES = "new samples"  # slot of the session
TURNED = "new samples that are transposed"  # and the digest of their file
ANOTHER_FILE = "Another file"
NO_LABELS = "none"
GROUPED = "Others of their groups were trained on: this accuracy says little about new groups."
MOST_TRIED = 50  # variables that are read to find new samples
MOST_LISTED = 5  # variables in an error


class NewSamples(NamedTuple):
    """Samples to predict: a part of the file of a trial, or another file."""

    key: tuple[object, ...]  # changes with the samples
    read: Callable[[], RawSamples]
    has_labels: bool = False
    description: str = ""


def choose_new_samples(machine: Machine, selection: Selection) -> NewSamples | None:
    """Draw the choice of new samples, and return them."""
    reading = selection.reading
    if reading is None:
        return _choose_file(machine)
    names = compute_once(
        "unlabelled samples",
        (reading.key, reading.layout),
        lambda: find_unlabelled(reading.open().context, reading.layout, machine.shape),
    )
    parts = {
        f"{display_name(name)} of the same file": NewSamples(
            (reading.key, reading.layout, name),
            partial(_read_part, reading, machine, name),
        )
        for name in names
    }
    if count := len(selection.rest):
        title = f"The {count:,} samples that are not in use"
        rest = NewSamples(
            (reading.key, reading.layout, count),
            partial(_read_rest, reading, selection.rest),
            has_labels=True,
            description=GROUPED if "groups" in selection.data.known else "",
        )
        parts = {title: rest} | parts
    source = ANOTHER_FILE
    if parts:
        source = st.radio(
            "New samples",
            [*parts, ANOTHER_FILE],
            format_func=escape_markdown,
            horizontal=True,
            key=f"source of new samples {reading.key}",
            persist_state="session",
        )
    if source == ANOTHER_FILE:
        return _choose_file(machine)
    return parts[source]


def _read_part(reading: FileReading, machine: Machine, name: str) -> RawSamples:
    return read_new(reading.open(), machine, name, NO_LABELS)


def _read_rest(reading: FileReading, rest: NDArray[np.intp]) -> RawSamples:
    """Read the samples of a file that are not in use."""
    stored = reading.open().raw_samples(reading.layout)
    return replace(stored, y=stored.y[rest], groups=None, test=None, rows=stored.rows[rest])


def _choose_file(machine: Machine) -> NewSamples | None:
    """Draw the uploader, and return the samples of the file."""
    p, q = machine.shape
    file = choose_file(
        f"New samples of {p} × {q}, one or more, with or without labels", NEW_SAMPLES
    )
    if file is None:
        return None
    contents = Contents({file.name: file.content})
    is_turned = st.session_state.get(TURNED) == file.digest
    machine = replace(machine, form=replace(machine.form, is_turned=is_turned))
    try:
        found, left_out = compute_once(
            "variables of new samples",
            (file.digest, machine.form, machine.shape),
            lambda: _inspect(contents, machine),
        )
    except TurnedError as error:
        st.error(escape_markdown(str(error)), icon="⚠️")
        st.button("Transpose them", on_click=st.session_state.update, args=({TURNED: file.digest},))
        return None
    for sentence in left_out:
        st.warning(escape_markdown(sentence), icon="⚠️")
    left, right = st.columns(2)
    names = list(found)
    samples = names[0]
    if len(names) > 1:
        samples = left.selectbox(
            "Samples", names, format_func=display_name, key=f"new samples {file.digest}"
        )
        left = right
    (n, likely), labels = found[samples], NO_LABELS
    if likely:
        labels = left.selectbox(
            "Labels",
            [*likely, NO_LABELS],
            format_func=display_name,
            key=f"labels of {samples} {file.digest}",
        )
    has_labels = labels != NO_LABELS
    known = f"labels {escape_markdown(labels)}" if has_labels else "without labels"
    along = "along their rows" if machine.form.order == "rows" else "down their columns"
    flattened = f", flattened ones {along}" if machine.form.order else ""
    if {*machine.form.columns} & {*contents.column_names(samples)}:
        flattened = ", columns matched by their names"
    flattened += ", transposed" * is_turned
    return NewSamples(
        (file.digest, samples, labels, is_turned),
        lambda: read_new(contents, machine, samples, labels),
        has_labels,
        f"Read as the training samples: **{count_noun(n, 'sample')} of {p} × {q}** from "
        f"{escape_markdown(display_name(samples))}{flattened}; {known}.",
    )


def _inspect(contents: Contents, machine: Machine) -> tuple[dict[str, Any], list[str]]:
    """Read a file once, and find its samples and labels.

    Return the number of samples and the variables that may be their labels, by the variable of the
    samples, the likeliest first; and sentences about images that are not read.
    """
    counts = find_samples(contents, machine)
    found = {name: (n, find_labels(contents, machine, name, n)) for name, n in counts.items()}
    return found, [each.left_out_note for each in contents.listings.values() if each.left_out]


def find_samples(contents: Contents, machine: Machine) -> dict[str, int]:
    """Return the variables that hold samples of a classifier, the likeliest first, and how many."""
    called = machine.form.samples
    found: dict[str, int] = {}
    problems: list[str] = []
    kind = FileError
    variables = sorted(contents.variables.values(), key=lambda each: _rank(each.name, called))
    names = [
        name
        for name, kind, stored in variables
        if EACH not in name and (kind == "cell" or kind in NUMERIC)
        if prod(stored) >= (1 if kind == "cell" else prod(machine.shape))
    ]
    whole, brace, cell = called.partition("{")  # one cell of several
    cells = [name + brace + cell for name in names if brace and field_name(name) == whole.lower()]
    for name in [*cells, *names][:MOST_TRIED]:
        try:
            found[name] = len(machine.form.read(contents, name, machine.shape)[0])
        except FileError as error:
            problems.append(str(error))
            kind = TurnedError if isinstance(error, TurnedError) else kind
    if found:
        return found
    p, q = machine.shape
    problems = problems or [
        f"{quote(name)} is {format_shape(each.shape)}."
        for name, each in contents.variables.items()
        if each.shape and each.matlab_class in NUMERIC
    ]
    first = f"No variable of this file holds samples of {p} × {q}."
    raise kind(" ".join([first, *problems[:MOST_LISTED]]))


def _rank(name: str, of_training: str) -> tuple[bool, bool, bool]:
    """Return a key that sorts likely samples first: called as before, or like samples."""
    called = field_name(name)
    is_like = called.startswith(of_training.lower()[:1]) and bool(of_training)
    return called != of_training.lower(), not SAMPLE_NAMES & field_words(name), not is_like


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
    column = machine.form.column
    if column and machine.form.label_column(contents.read(samples), machine.shape) is not None:
        names.insert(0, column)
    return names


def _labels_of(contents: Contents, name: str, n: int) -> NDArray[Any] | None:
    """Return a variable as n labels, which may all be equal; None if it is not."""
    try:
        return to_labels(contents.read(name), n, name, one_class=True)
    except FileError:
        return None


def read_new(contents: Contents, machine: Machine, samples: str, labels: str) -> RawSamples:
    """Read new samples by the form of a classifier, with these labels or with their numbers."""
    form = machine.form
    X = form.read(contents, samples, machine.shape)
    rows = np.arange(len(X[0]))
    y: NDArray[Any] | None = rows + 1
    if labels == form.column:
        y = form.label_column(contents.read(samples), machine.shape)
    elif labels != NO_LABELS:
        y = _labels_of(contents, labels, len(rows))
    assert y is not None  # it was found before
    return RawSamples([X], y, None, None, rows)
