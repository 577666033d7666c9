"""A file: what it is read as, how that looks, and what is said of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.recipes import MAX_ENTRIES, MAX_SAMPLES, MAX_SIDE
from pages.shared.uploads import others, pictures, reading
from pages.shared.uploads.choice import Choice, chosen, once, pick_classes, pick_most, plain
from pages.shared.uploads.sent import FILE, LARGEST_FILE, SECOND, File, held, in_use, uploader
from smmcore.matfile import (
    EACH,
    LARGEST_ARRAY,
    MOST_CLASSES,
    Contents,
    Layout,
    MatFileError,
    MissingError,
    Stored,
    Variable,
    shown,
)

MOST_LOST = 3  # variables said to be damaged
MOST_UNUSED = 2  # vectors that may be groups
VALIDATION = re.compile(r"val|dev", re.IGNORECASE)
LIMITS = (
    "MATLAB (.mat, v4 to v7.3), Octave, HDF5, NumPy (.npz, .npy) or a table (.csv, .txt). "
    f"Limits: a file of {LARGEST_FILE} MB, {LARGEST_ARRAY // 10**6} MB in a variable, "
    f"{MOST_CLASSES} classes, samples of {MAX_SIDE} x {MAX_SIDE}; of more than "
    f"{MAX_SAMPLES:,} samples, or {MAX_ENTRIES:,} numbers in all, a part is drawn."
)
VECTORS = (
    "Nothing in the file tells these rows and columns. If the samples are plain measurements, in "
    "any order, they are no matrices: the SMM has nothing to gain, and the linear SVM is for them."
)
MISSING = {
    "drop": "Leave these samples out",
    "impute": "Fill in means over the training part",
}


class Found(NamedTuple):
    """What a file holds and how it can be read, best first, with a few samples of each way.

    Where the reason is given why it cannot, the ways are those of samples without labels.
    """

    variables: dict[str, Variable]
    labels: dict[str, Variable]
    beside: Set[str]  # which of the labels are of the second file
    ways: list[Layout]
    strips: list[str | None]  # addresses of pictures, one a way
    reason: str
    lost: list[str]  # of what is damaged, a sentence each


def pick(sentence, preview) -> Choice | None:
    """Draw the uploader, what the file is read as, and the pickers; return what was chosen."""
    if not uploader("My file", FILE):
        in_use("Still in use", FILE)
    in_use("Second file", SECOND)
    st.caption(LIMITS)
    file, alone = held(FILE), False
    if file is None:
        return None
    place = st.container()
    try:
        beside = held(SECOND)
        key = file.digest + (beside.digest if beside else "")
        found = once("file contents", key, lambda: _look(file, beside))
        alone = bool(found.reason)
    finally:  # where the second file cannot be read, another one may be
        with place.expander("Labels in a second file", expanded=alone):
            uploader("Labels, and groups or test part if they are there", SECOND)
    of, taken, turn = st.session_state.get("file reading", (None, None, 0))
    start = taken if of == key else (found.ways or [reading.guess(found)])[0]
    said = st.container()
    with st.expander("Change the reading", expanded=alone):
        layout = reading.pick(found, start, f"{key} {turn}")
    contents = Contents(file.content, beside and beside.content)

    @cache  # at most once in a rerun, and for no longer: this can be 160 MB
    def stored() -> Stored:
        with st.spinner("Reading the file ..."):
            return contents.stored(layout)

    def take(other: Layout) -> None:
        # A further turn: the pickers begin anew even where they begin as before.
        st.session_state["file reading"] = key, other, turn + 1

    unlabelled = not (layout.labels or layout.implied)
    if alone and (layout == once("file first", (key, start), lambda: layout) or unlabelled):
        if found.ways:
            _show_bare(contents, replace(layout, labels="", implied=""), key, preview)
            others.draw(found, layout, preview, take)
        raise MatFileError(found.reason)
    try:
        y, shape, facts = once(
            "file labels",
            (key, layout),
            lambda: _facts(stored(), layout, beside, found.beside),
        )
    except MissingError as error:
        sentence.error(plain(str(error)), icon="⚠️")
        place = sentence.container(horizontal=True)
        for way in error.ways:
            place.button(MISSING[way], on_click=take, args=(replace(layout, missing=way),))
        return None
    said.success(f"Read as {facts}")
    for each in found.lost:
        said.warning(plain(each), icon="⚠️")
    if not once("file told", (key, layout), lambda: contents.tells_sizes(layout, stored())):
        said.caption(VECTORS)
    if siblings := _siblings(found.variables, layout.samples):
        said.caption(
            f"{len(siblings):,} more in structs beside it, such as "
            f"{plain(shown(siblings[0])[1:-1])}, are not used: save a struct array, or a cell "
            "array with a cell for each of them."
        )
    unused = once("file unused", (key, layout), lambda: contents.unused(layout))
    _unused(unused, said, len(y), lambda name: take(replace(layout, groups=name)))
    pictured = preview.container()
    others.draw(found, layout, preview, take)
    with said:
        classes = pick_classes(y, f"{key} {layout.labels} {layout.implied}")
    some, titles = pictures.some_of_each(y, classes)
    few = once("file pictures", (key, layout, *some), lambda: pictures.few(stored().take(some).X))
    pictures.draw(pictured, few, shape, titles, "number in the file and label")
    with said:
        most = pick_most(y, classes, shape, f"{key} {layout.labels}")
    return once(
        "file choice",
        (key, layout, classes, most),
        lambda: chosen(
            stored(),
            classes,
            most,
            lambda drawn: script(file.name, layout, beside and beside.name, drawn),
            shown(file.name)[1:-1],
            Path(file.name).stem,
        ),
    )


def script(name: str, layout: Layout, labels_name: str | None, drawn: str) -> str:
    """The lines that read a file as it was read here: X, y, groups and test of what is drawn."""
    told = ", ".join(
        f"{field.name}={getattr(layout, field.name)!r}"
        for field in fields(layout)
        if getattr(layout, field.name) != field.default
    )
    arguments = [repr(name), "layout", repr(labels_name) if labels_name else "", drawn]
    return (
        "from smmcore.matfile import Layout, read_samples\n\n"
        f"layout = Layout({told})\n"
        f"X, y, groups, test, _ = read_samples({', '.join(filter(None, arguments))})\n"
    )


def _look(file: File, beside: File | None) -> Found:
    with st.spinner("Reading the file ..."):
        contents = Contents(file.content, beside and beside.content)
        ways, reason = [], ""
        try:
            ways = contents.proposals()
        except MatFileError as error:
            reason = str(error)
            ways = contents.bare()
        read = contents.stored_bare if reason else contents.stored
        strips = others.strips(ways, read)
        return Found(
            contents.variables,
            contents.labels,
            contents.beside.keys(),
            ways,
            strips,
            reason,
            contents.lost[:MOST_LOST],
        )


def _show_bare(contents: Contents, layout: Layout, key: str, preview) -> None:
    """Draw samples that have no labels."""

    def look() -> tuple[NDArray, tuple[int, int, int], list[str]]:
        stored = contents.stored_bare(layout)
        n = stored.shape[0]
        some = np.linspace(0, n - 1, min(pictures.MOST, n)).astype(int)
        return pictures.few(stored.take(some).X), stored.shape, [f"{i + 1:,}" for i in some]

    few, shape, titles = once("file pictures", (key, layout), look)
    pictures.draw(preview, few, shape, titles, "number in the file")


def _facts(
    data: Stored, layout: Layout, beside: File | None, theirs: Set[str]
) -> tuple[NDArray, tuple[int, int, int], str]:
    """Labels, shape, and what to say of a reading; `theirs` are variables of the second file."""

    def of(name: str) -> str:
        return f" of {plain(shown(beside.name)[1:-1])}" if beside and name in theirs else ""

    n, p, q = data.shape
    k = len(np.unique(data.y))
    parts = [f"**{n:,} samples of {p} x {q}**"]
    parts += [reading.ORDERS[layout.order]] if layout.shape else []
    if layout.mean_over is not None:
        parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
    names = ", ".join(plain(shown(name)[1:-1]) for name in layout.samples[:3])
    parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
    said = reading.label_said(layout)
    text = f"{', '.join(parts)}; labels {said}{of(layout.labels)}, **{k} classes**"
    if data.test is not None:
        where = shown((layout.test or (layout.parts,))[0])[1:-1]
        own = "validation part, used as test part" if VALIDATION.search(where) else "test part"
        where = f"{plain(where)}{' ...' if layout.implied == 'variable' else ''}"
        text += f"; {np.count_nonzero(data.test):,} are the file's own {own}, {where}"
        text += of(layout.parts)
    if data.groups is not None:
        k = len(np.unique(data.groups))
        text += f"; {k:,} groups, {plain(reading.groups_said(layout))}{of(layout.groups)}"
    if layout.missing != "refuse":
        what = {"drop": "samples with NaN are left out", "impute": "means take the place of NaN"}
        text += f"; {what[layout.missing]}"
    return data.y, data.shape, f"{text}."


def _siblings(variables: dict[str, Variable], samples: tuple[str, ...]) -> list[str]:
    """What is called as the samples are, but in another struct beside theirs: of other subjects."""
    *outer, _, own = ["", "", *samples[0].split(".")]
    return [
        name
        for name in variables
        if name not in samples and "." in samples[0] and not {EACH} & {*name, *samples[0]}
        if [*outer, own] == (parts := ["", "", *name.split(".")])[:-2] + parts[-1:]
    ]


def _unused(unused: dict[str, int], place, n: int, take: Callable[[str], None]) -> None:
    """Draw a caution of vectors that may tell subjects apart, each with a button that takes it."""
    for name, k in list(unused.items())[:MOST_UNUSED]:
        own = plain(shown(name)[1:-1])
        place.caption(
            f"{own} has {k:,} values for {n:,} samples and is not used. If it tells subjects or "
            "sessions apart, let each be trained on or tested on, never both:"
        )
        place.button(f"Groups by {own}", on_click=take, args=(name,), key=f"groups {name}")
