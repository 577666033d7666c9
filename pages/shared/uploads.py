"""From a file that somebody brought, or from the built-in digits, to samples of two classes.

Whatever a reader picks, the pickers stay; what cannot be used is said in a sentence above them, and
the page goes on with the last choice that could be.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from math import isqrt, prod
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import address, charts, figures
from pages.shared.recipes import MAX_ENTRIES, MAX_SAMPLES, MAX_SIDE, Digits, Upload, spool
from smmcore.matfile import (
    LARGEST_ARRAY,
    NUMERIC,
    MatFileError,
    Variable,
    distinct,
    list_variables,
    read_variables,
    shown,
    to_labels,
    to_samples,
    written,
)

LARGEST_FILE = 50  # MB
MOST_CLASSES = 200  # more different labels than that are measurements, not classes
SOURCES = ("Digits (built in)", "My .mat file")
ORDERS = {"F": "down columns", "C": "along rows"}
KEPT = ("file contents", "file pictures", "file labels", "file choice")  # in the session
LABEL_NAMES = ("y", "label", "labels", "gnd", "class", "classes", "target", "t")
LIMITS = (
    f"Limits: a file of {LARGEST_FILE} MB, {LARGEST_ARRAY:,} numbers in a variable, {MOST_CLASSES} "
    f"classes; of the two chosen {MAX_SAMPLES:,} samples, each up to {MAX_SIDE} x {MAX_SIDE}, and "
    f"{MAX_ENTRIES:,} numbers in all."
)


@dataclass(frozen=True, eq=False)
class Choice:
    """Samples of two classes, and where they came from."""

    data: Digits | Upload  # labels -1 and +1
    classes: NDArray  # (2,), the labels that -1 and +1 stand for
    rows: NDArray[np.intp]  # (n,), the place of each sample in its source
    name: str
    stem: str  # the name without its ending


def choose() -> Choice:
    """Draw the pickers and a few samples as pictures; return the last choice that can be used."""
    source = address.choice(
        st,
        "segmented_control",
        "Data",
        SOURCES,
        SOURCES[0],
        key="source",
        label_visibility="collapsed",
    )
    pickers, preview = st.columns([2, 3], gap="large")
    with pickers:
        sentence = st.empty()
        try:
            choice = _digits(preview) if source == SOURCES[0] else _file(preview)
        except ValueError as error:
            choice = None
            text = str(error)
            sentence.error(plain(f"{text[:1].upper()}{text[1:].rstrip('.')}."), icon="⚠️")
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
    st.markdown("1,797 handwritten digits, 8 x 8 grey values 0 to 16, which scikit-learn brings.")
    picked = [
        address.choice(place, "selectbox", f"Class {sign}", range(10), default, key=key)
        for place, sign, default, key in zip(
            st.columns(2), ("−1", "+1"), (3, 8), ("minus", "plus"), strict=True
        )
    ]
    choice = _two_digits(*picked)
    X, y, _ = choice.data.load()
    some, _ = _some_of_each(y, np.array([-1, 1]))
    label = dict(zip((-1, 1), picked, strict=True))
    titles = [f"{choice.rows[i] + 1:,}: {label[y[i]]}" for i in some]
    _pictures(preview, _few(X, some), titles, "set")
    return choice


def _two_digits(first: int, second: int) -> Choice:
    from sklearn.datasets import load_digits  # the server has it loaded

    data = Digits(first, second)
    rows = np.flatnonzero(np.isin(load_digits().target, (first, second)))
    return Choice(
        data,
        np.array([first, second]),
        rows,
        f"the digits {first} and {second}",
        f"digits {first} {second}",
    )


# ---- a file ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """What a browser sent, known by its content: the same file again finds its pickers as set."""

    name: str
    content: bytes
    digest: str


def _file(preview) -> Choice | None:
    sent = st.file_uploader(
        "MATLAB file, v4 to v7",
        type="mat",
        max_upload_size=LARGEST_FILE,
        key="upload",
        on_change=_keep,
        help="It is read in a process of its own and forgotten with this browser's "
        "session. Save a v7.3 file again in MATLAB with save('file.mat', 'X', 'y', '-v7').",
    )
    st.caption(LIMITS)
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
    matrices = _matrices(variables)
    name = _pick(file, "Samples", matrices, _largest(matrices))
    vectors = _vectors(variables, matrices[name])
    guess = _labels_of(matrices[name], vectors)
    axis = _pick_axis(file, matrices[name], vectors.get(guess))
    shape, order = _pick_fold(file, matrices[name], axis)
    layout = file.digest, name, axis, shape, order
    n = _number_of_samples(matrices[name], axis)

    @cache  # at most once in a rerun, and for no longer: this can be 160 MB
    def samples() -> NDArray[np.float64]:
        return to_samples(_read(file, name), axis, shape=shape, order=order, name=name)

    some, titles = np.linspace(0, n - 1, min(8, n)).astype(int), None
    try:
        if not vectors:
            raise MatFileError(_no_labels(matrices, name))
        label = _pick(file, "Labels", vectors, guess)
        y = _once(
            "file labels",
            (file.digest, label, n),
            lambda: to_labels(_read(file, label), n, name=label),
        )
        if _long_axes(vectors[label]) > 1 and vectors[label].matlab_class in NUMERIC:
            st.caption(f"{plain(label)} is one-hot: a sample's class is the place of its 1.")
        classes = _pick_classes(file, label, y)
        some, titles = _some_of_each(y, classes)
        return _once(
            "file choice",
            (*layout, label, *classes),
            lambda: _spooled(file, samples(), y, classes),
        )
    finally:  # also where the labels cannot be used: the pictures tell whether the samples can
        few = _once("file pictures", (*layout, *some), lambda: _few(samples(), some))
        _pictures(preview, few, titles or [f"sample {i + 1:,}" for i in some], "file")


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
            st.session_state[slot] = key, make(), ""
        except ValueError as error:  # kept as its sentence: a traceback would keep the samples too
            st.session_state[slot] = key, None, str(error)
    _, value, sentence = st.session_state[slot]
    if sentence:
        raise MatFileError(sentence)
    return value


def _long_axes(variable: Variable) -> int:
    return sum(length > 1 for length in variable.shape)


def _matrices(variables: list[Variable]) -> dict[str, Variable]:
    """The variables that may hold samples, by name."""
    matrices = {
        variable.name: variable
        for variable in variables
        if _long_axes(variable) >= (1 if variable.matlab_class == "cell" else 2)
        and variable.matlab_class in (*NUMERIC, "cell")
    }
    if not matrices:
        raise MatFileError("The file holds no variable that could be samples, which are matrices.")
    return matrices


def _vectors(variables: list[Variable], samples: Variable) -> dict[str, Variable]:
    """The variables that may hold the labels of these samples, by name."""

    def may(variable: Variable) -> bool:
        numeric = variable.matlab_class in NUMERIC
        one_hot = (
            numeric
            and len(variable.shape) == 2 == _long_axes(variable)
            and min(variable.shape) <= MOST_CLASSES
            and max(variable.shape) in samples.shape
        )
        vector = _long_axes(variable) == 1 and (numeric or variable.matlab_class == "cell")
        return variable != samples and (vector or one_hot or variable.matlab_class == "char")

    return {variable.name: variable for variable in variables if may(variable)}


def _number_of_samples(samples: Variable, axis: int) -> int:
    return prod(samples.shape) if samples.matlab_class == "cell" else samples.shape[axis]


def _no_labels(matrices: dict[str, Variable], name: str) -> str:
    """What to do with a file of samples alone, in MATLAB."""
    samples = matrices[name]
    sentence = "The file holds no vector that could be the labels"
    alike = [
        (other, matrix.shape[2])
        for other, matrix in matrices.items()
        if len(matrix.shape) == 3 and matrix.shape[:2] == samples.shape[:2] and _is_name(other)
    ]
    if len(alike) > 1:
        (A, m), (B, n), *_ = alike
        return (
            f"{sentence}. If each class is a variable, stack them in MATLAB: X = cat(3, {A}, {B}); "
            f"y = [ones({m}, 1); 2 * ones({n}, 1)]; and save X and y"
        )
    if samples.matlab_class in NUMERIC and len(samples.shape) == 2:
        A = name if _is_name(name) else "A"
        return (
            f"{sentence}. They must be a variable of their own. If they are the last column of the "
            f"samples, do in MATLAB: y = {A}(:, end); X = {A}(:, 1:end-1); and save X and y"
        )
    return f"{sentence}. Save them in MATLAB as a variable of their own, one label a sample"


def _is_name(text: str) -> bool:
    return text.isidentifier() and len(text) <= 63  # as long as MATLAB's may be


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
    return f"{shown(variable.name, 80)[1:-1]}: {shape} {variable.matlab_class}"


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
    names = distinct(classes)
    picked = [
        place.selectbox(
            f"Class {sign} (samples)",
            range(len(classes)),
            index=default,
            format_func=lambda i: f"{names[i]} ({counts[i]:,})",
            key=f"class {sign} {label} {file.digest}",
            persist_state="session",
        )
        for place, sign, default in ((left, "−1", 0), (right, "+1", 1))
    ]
    if picked[0] == picked[1]:
        raise MatFileError(f"The two classes must differ, got {names[picked[0]]} twice.")
    for i in picked:
        if counts[i] < 2:
            raise MatFileError(
                f"Class {names[i]} has 1 sample; it takes 2, to train on and to test."
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
    return Choice(data, classes, rows, f"{shown(file.name)[1:-1]}", Path(file.name).stem)


# ---- pictures -------------------------------------------------------------------------------


def _some_of_each(y: NDArray, classes: NDArray) -> tuple[NDArray[np.intp], list[str]]:
    """The first four samples of each class, and what to write above them."""
    some = np.concatenate([np.flatnonzero(y == label)[:4] for label in classes])
    return some, [f"{i + 1:,}: {written(y[i])}" for i in some]


def _few(X: NDArray, rows: NDArray[np.intp]) -> tuple[NDArray, tuple[int, int]]:
    """These samples, as fine as the eye sees in a small picture, and their true shape."""
    _, p, q = X.shape
    return X[rows, :: -(-p // 64), :: -(-q // 64)], (p, q)


def _pictures(preview, few: tuple, titles: list[str], source: str) -> None:
    samples, (p, q) = few
    sizes = np.abs(samples)
    limit = np.percentile(sizes, 95) or sizes.max() or 1.0  # one blink would pale a whole EEG
    figure = figures.gallery(samples, [escape(title) for title in titles], "")  # HTML to Plotly
    figure.update_layout(margin_t=30).update_traces(zmin=-limit, zmax=limit)
    with preview:
        st.caption(
            f"Some samples, {p} x {q}: number in the {source} and label. Colours are centred on 0 "
            "and full at the largest 5 % of the numbers."
        )
        charts.draw(st, figure)
