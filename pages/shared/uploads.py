"""From a file that somebody brought, or from the built-in digits, to samples of two classes.

Whatever a reader picks, the pickers stay; what cannot be used is said in a sentence above them, and
the page goes on with the last choice that could be.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import isqrt, prod

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import charts, figures
from pages.shared.recipes import Digits, Upload, spool
from smmcore.matfile import (
    NUMERIC,
    MatFileError,
    Variable,
    list_variables,
    read_variables,
    shown,
    to_labels,
    to_samples,
)

LARGEST_FILE = 50  # MB
MOST_CLASSES = 200  # more different labels than that are measurements, not classes
SOURCES = ("Digits (built in)", "My .mat file")
ORDERS = {"F": "down columns", "C": "along rows"}
KEPT = ("file contents", "file samples", "file labels", "file choice")  # in the session
LABEL_NAMES = ("y", "label", "labels", "gnd", "class", "classes", "target", "t")


@dataclass(frozen=True, eq=False)
class Choice:
    """Samples of two classes, and where they came from."""

    data: Digits | Upload  # labels -1 and +1
    classes: NDArray  # (2,), the labels that -1 and +1 stand for
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source
    name: str


def choose() -> Choice:
    """Draw the pickers and a few samples as pictures; return the last choice that can be used."""
    source = st.segmented_control(
        "Data",
        SOURCES,
        default=SOURCES[0],
        required=True,
        key="source",
        persist_state="session",
        label_visibility="collapsed",
    )
    pickers, preview = st.columns([2, 3], gap="large")
    with pickers:
        sentence = st.empty()
        try:
            choice = _digits(preview) if source == SOURCES[0] else _file(preview)
        except ValueError as error:
            choice = None
            sentence.error(plain(f"{str(error).rstrip('.')}."), icon="⚠️")
        last = choice or st.session_state.get("last choice") or _two_digits(3, 8)
        if choice is None:
            st.info(f"Until then, everything below is about {plain(last.name)}.")
    st.session_state["last choice"] = last
    return last


def plain(text: str) -> str:
    """Text that Streamlit shows as it is: names out of a file may hold Markdown, links or LaTeX."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|$~:&-])", r"\\\1", text)


# ---- digits ---------------------------------------------------------------------------------


def _digits(preview) -> Choice:
    for key, default in (("first digit", 3), ("second digit", 8)):
        st.session_state.setdefault(key, default)
    st.markdown("1,797 handwritten digits, 8 x 8 grey values 0 to 16, which scikit-learn brings.")
    left, right = st.columns(2)
    digits = range(10)
    first = left.selectbox("Class −1", digits, key="first digit", persist_state="session")
    second = right.selectbox("Class +1", digits, key="second digit", persist_state="session")
    choice = _two_digits(first, second)
    X, y, _ = choice.data.load()
    some, _ = _some_of_each(y, np.array([-1, 1]))
    label = {-1: first, 1: second}
    titles = [f"{choice.rows[i] + 1:,}: {label[y[i]]}" for i in some]
    _pictures(preview, X[some], titles)
    return choice


def _two_digits(first: int, second: int) -> Choice:
    from sklearn.datasets import load_digits  # the server has it loaded

    data = Digits(first, second)
    rows = np.flatnonzero(np.isin(load_digits().target, (first, second)))
    return Choice(data, np.array([first, second]), rows, f"the digits {first} and {second}")


# ---- a file ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """What a browser sent, known by its content: the same file again finds its pickers as set."""

    name: str
    content: bytes
    digest: str


def _file(preview) -> Choice | None:
    sent = st.file_uploader(
        f"MATLAB file, v4 to v7, at most {LARGEST_FILE} MB",
        type="mat",
        max_upload_size=LARGEST_FILE,
        key="upload",
        on_change=_keep,
        help="It is read in a process of its own and forgotten with this browser's session. Save a "
        "v7.3 file again in MATLAB with save('file.mat', 'X', 'y', '-v7').",
    )
    file = st.session_state.get("file")
    if file is None:
        return None
    # Again, as the uploader's own limit is a courtesy of the browser.
    if len(file.content) > LARGEST_FILE << 20:
        raise MatFileError(
            f"The file must have at most {LARGEST_FILE} MB, got {len(file.content) >> 20:,} MB."
        )
    if sent is None:  # the uploader is a new one, after a visit to another page
        st.caption(f"Still in use: {plain(file.name)}.")
    variables = _once("file contents", file.digest, lambda: list_variables(file.content))
    matrices, vectors = _candidates(variables)
    name = _pick(file, "Samples", matrices, _largest(matrices))
    guess = _labels_of(matrices[name], vectors)
    axis = _pick_axis(file, matrices[name], vectors.get(guess))
    shape, order = _pick_fold(file, matrices[name], axis)
    layout = file.digest, name, axis, shape, order
    X = _once(
        "file samples",
        layout,
        lambda: to_samples(_read(file, name), axis, shape=shape, order=order, name=name),
    )
    first, titles = np.linspace(0, len(X) - 1, min(8, len(X))).astype(int), None
    try:
        if not vectors:
            raise MatFileError("The file holds no vector that could be the labels.")
        label = _pick(file, "Labels", vectors, guess)
        y = _once(
            "file labels",
            (file.digest, label, len(X)),
            lambda: to_labels(_read(file, label), len(X), name=label),
        )
        classes = _pick_classes(file, label, y)
        first, titles = _some_of_each(y, classes)
        return _once(
            "file choice", (*layout, label, *classes), lambda: _spooled(file, X, y, classes)
        )
    finally:  # also where the labels cannot be used: the pictures tell whether the samples can
        _pictures(preview, X[first], titles or [f"sample {i + 1:,}" for i in first])


def _keep() -> None:
    """Keep what was uploaded, or forget it at the uploader's cross; a page switch does neither."""
    sent = st.session_state["upload"]
    for slot in KEPT:  # a second try at the same file reads it again
        st.session_state.pop(slot, None)
    if sent is None:
        st.session_state.pop("file", None)
    else:
        content = sent.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        st.session_state["file"] = File(sent.name, content, digest)


def _read(file: File, name: str) -> NDArray:
    with st.spinner("Reading the file ..."):
        return read_variables(file.content, [name])[0]


def _once(slot: str, key: object, make: Callable):
    """What `make` returned or raised for this key, kept in the session until the key changes."""
    if st.session_state.get(slot, (None,))[0] != key:
        try:
            st.session_state[slot] = key, make(), None
        except ValueError as error:
            st.session_state[slot] = key, None, error
    _, value, error = st.session_state[slot]
    if error is not None:
        raise error.with_traceback(None)  # which would grow with every rerun
    return value


def _candidates(variables: list[Variable]) -> tuple[dict[str, Variable], dict[str, Variable]]:
    """The variables that may hold samples, and those that may hold labels, by name."""
    matrices, vectors = {}, {}
    for variable in variables:
        long_axes = sum(length > 1 for length in variable.shape)
        numeric = variable.matlab_class in NUMERIC
        cells = variable.matlab_class == "cell" and long_axes > 0
        if cells or (numeric and long_axes >= 2):
            matrices[variable.name] = variable
        if variable.matlab_class == "char" or (long_axes == 1 and (cells or numeric)):
            vectors[variable.name] = variable
    if not matrices:
        raise MatFileError("The file holds no variable that could be samples, which are matrices.")
    return matrices, vectors


def _largest(matrices: dict[str, Variable]) -> str:
    def numbers(variable: Variable) -> int:
        return (variable.matlab_class in NUMERIC) * prod(variable.shape)

    return max(matrices, key=lambda name: numbers(matrices[name]))


def _labels_of(samples: Variable, vectors: dict[str, Variable]) -> str | None:
    """The vector that is most likely the labels: as long as some axis, and called so."""

    def likely(name: str) -> tuple[bool, bool]:
        last = name.split(".")[-1].lower().split("_")[0]
        return max(vectors[name].shape) in samples.shape, last in LABEL_NAMES

    return max(vectors, key=likely, default=None)


def _pick(file: File, label: str, variables: dict[str, Variable], guess: str | None) -> str:
    names = list(variables)
    return st.selectbox(
        label,
        names,
        index=names.index(guess) if guess else 0,
        format_func=lambda name: _described(variables[name]),
        key=f"{label} {file.digest}",
        persist_state="session",
    )


def _described(variable: Variable) -> str:
    shape = " x ".join(map(str, variable.shape))
    return f"{shown(variable.name)[1:-1]}: {shape} {variable.matlab_class}"


def _pick_axis(file: File, samples: Variable, labels: Variable | None) -> int:
    """The axis that runs over samples: at first the one as long as the labels, or the longest."""
    if samples.matlab_class == "cell":
        return 0
    axes = [axis for axis, length in enumerate(samples.shape) if length > 1]
    n = max(labels.shape) if labels else 0
    guess = max(
        range(len(axes)), key=lambda i: (samples.shape[axes[i]] == n, samples.shape[axes[i]], i)
    )

    def described(axis: int) -> str:
        rest = [samples.shape[other] for other in axes if other != axis]
        return f"axis {axis + 1}: {samples.shape[axis]:,} samples of {' x '.join(map(str, rest))}"

    return st.radio(
        "Samples run along",
        axes,
        index=guess,
        format_func=described,
        key=f"axis {samples.name} {file.digest}",
        persist_state="session",
    )


def _pick_fold(file: File, samples: Variable, axis: int):
    """Rows and columns of flattened samples: at first as square as can be, and upright."""
    lengths = [length for i, length in enumerate(samples.shape) if i != axis and length > 1]
    if samples.matlab_class == "cell" or len(lengths) != 1:
        return None, "F"
    m = lengths[0]
    small = [p for p in range(1, isqrt(m) + 1) if m % p == 0]
    shapes = sorted({(p, m // p) for p in small} | {(m // p, p) for p in small})
    key = f"{samples.name} {axis} {file.digest}"
    left, right = st.columns(2)
    shape = left.selectbox(
        "Rows x columns",
        shapes,
        index=shapes.index((m // small[-1], small[-1])),
        format_func=lambda shape: f"{shape[0]} x {shape[1]}",
        key=f"fold {key}",
        persist_state="session",
    )
    order = right.radio(
        "Its numbers run",
        list(ORDERS),
        format_func=ORDERS.get,
        key=f"order {key}",
        persist_state="session",
        help="MATLAB's X(:) runs down the columns. The pictures tell: in the wrong order they look "
        "torn, or lie on their side.",
    )
    return shape, order


def _pick_classes(file: File, label: str, y: NDArray) -> NDArray:
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) > MOST_CLASSES:
        raise MatFileError(
            f"{shown(label)} has {len(classes):,} different values; there may be "
            f"{MOST_CLASSES} classes at most."
        )
    left, right = st.columns(2)
    picked = [
        place.selectbox(
            f"Class {sign} (samples)",
            range(len(classes)),
            index=default,
            format_func=lambda i: f"{written(classes[i])} ({counts[i]:,})",
            key=f"class {sign} {label} {file.digest}",
            persist_state="session",
        )
        for place, sign, default in ((left, "−1", 0), (right, "+1", 1))
    ]
    if picked[0] == picked[1]:
        raise MatFileError(f"The two classes must differ, got {written(classes[picked[0]])} twice.")
    for i in picked:
        if counts[i] < 2:
            raise MatFileError(
                f"Class {written(classes[i])} has 1 sample; it takes 2, to train on and to test."
            )
    return classes[picked]


def _spooled(file: File, X: NDArray, y: NDArray, classes: NDArray) -> Choice:
    rows = np.flatnonzero((y == classes[0]) | (y == classes[1]))
    X = X[rows]
    largest = float(np.abs(X).max())
    if not 1e-40 < largest < 1e40:
        raise MatFileError(
            f"The largest number in the samples is {largest:g}; it must be between 1e-40 and 1e40."
        )
    if np.ptp(X, axis=0).max() < 1e-9 * largest:
        raise MatFileError("All samples of these two classes are equal: there is nothing to learn.")
    data = spool(X, np.where(y[rows] == classes[1], 1.0, -1.0))
    return Choice(data, classes, rows, f"{shown(file.name)[1:-1]}")


def written(label: np.generic) -> str:
    """A label as MATLAB would print it: 3, not 3.0; text as it is, shortened."""
    value = label.item()
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return shown(value, 24)[1:-1]


# ---- pictures -------------------------------------------------------------------------------


def _some_of_each(y: NDArray, classes: NDArray) -> tuple[NDArray[np.intp], list[str]]:
    """The first four samples of each class, and what to write above them."""
    some = np.concatenate([np.flatnonzero(y == label)[:4] for label in classes])
    return some, [f"{i + 1:,}: {written(y[i])}" for i in some]


def _pictures(preview, samples: NDArray, titles: list[str]) -> None:
    _, p, q = samples.shape
    few = samples[:, :: -(-p // 64), :: -(-q // 64)]  # as fine as the eye sees in a small picture
    sizes = np.abs(few)
    limit = np.percentile(sizes, 95) or sizes.max() or 1.0  # one blink would pale a whole EEG
    figure = figures.gallery(few, [escape(title) for title in titles], "")  # Plotly reads HTML
    figure.update_layout(margin_t=30).update_traces(zmin=-limit, zmax=limit)
    with preview:
        st.caption(
            f"Some samples, {p} x {q}: number in the file and label. Colours are centred on 0 and "
            "full at the largest 5 % of the numbers."
        )
        charts.draw(st, figure)
