"""Select labelled samples from a file, a built-in set, or a set that is fetched on request."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from sklearn.datasets import load_digits
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.bundled import FETCHERS, Digits, Faces
from pages.shared.files.arrange import RawSamples
from pages.shared.parts.prose import format_error
from pages.shared.widgets import url
from pages.shared.widgets.session_values import compute_once, fetch_on_request
from pages.your_data.reading import pictures
from pages.your_data.reading.file_choice import choose_from_file
from pages.your_data.reading.selection import Selection, choose_samples, make_selection
from pages.your_data.reading.uploads import MY_FILE

SOURCES = ("Digits", "Faces", *FETCHERS, MY_FILE)
DIGITS = {str(digit): str(digit) for digit in range(10)}
ABOUT = {
    "Olivetti faces": "400 pictures of 40 people, 64 × 64, which scikit-learn fetches: 4 MB.",
    "EEG, alcoholism": "EEG of alcoholics and controls, channel × time, from the UCI archive. The "
    "groups are the people: split by them, or the test knows its people already.",
}


def choose_source() -> str:
    """Draw the choice of a set or of the file, and return its name."""
    return url.choice(st, "segmented_control", "Or try", SOURCES, SOURCES[0], key="source")


def select_samples(source: str) -> Selection:
    """Draw the controls of a source and a few samples as pictures; return the selected samples.

    If a selection cannot be used, an error is drawn and the last selection is returned as a
    fallback, so that controls that depend on the samples keep their values. Do not show results of
    the fallback.
    """
    errors = st.container()
    try:
        selection = _select_from(source, errors)
    except (ValueError, OSError) as error:
        selection = None
        errors.error(format_error(error), icon="⚠️")
    last = selection or st.session_state.get("last selection") or _select_digits((3, 8))
    st.session_state["last selection"] = last
    return selection or replace(last, is_fallback=True)


def _select_from(source: str, errors: DeltaGenerator) -> Selection | None:
    if source == MY_FILE:
        return choose_from_file(errors)
    if source in FETCHERS:
        return _choose_fetched(source)
    return _choose_faces() if source == "Faces" else _choose_digits()


def _choose_digits() -> Selection:
    """Draw the choice of digits, and return their samples."""
    st.markdown("1,797 handwritten digits, 8 × 8 grey values 0 to 16, from scikit-learn.")
    picked = url.several(st, "Classes", DIGITS, key="digits", default=("3", "8"), least=2)
    selection = _select_digits(tuple(int(digit) for digit in picked))
    _draw_preview(selection)
    return selection


def _select_digits(classes: tuple[int, ...]) -> Selection:
    """Return the samples of some digits."""
    data = Digits(classes)
    names = [str(digit) for digit in data.classes]
    return Selection(
        data,
        np.array(data.classes),
        np.flatnonzero(np.isin(load_digits().target, classes)),
        f"the digits {', '.join(names[:-1])} and {names[-1]}",
        f"digits {' '.join(names)}",
    )


def _choose_faces() -> Selection:
    """Draw a few faces, and return all of them."""
    st.markdown("100 faces and 100 pieces of background, 25 × 25, from scikit-image.")
    data = Faces()
    rows = np.arange(data.shape[0])
    selection = Selection(data, np.array(data.classes), rows, "the faces", "faces")
    _draw_preview(selection)
    return selection


def _choose_fetched(source: str) -> Selection | None:
    """Fetch a set on request, draw the choice of its classes, and return their samples."""
    st.markdown(ABOUT[source])
    whole = fetch_on_request(source, "Fetch it")
    if whole is None:
        return None

    def stored() -> RawSamples:
        X, y, classes, groups, test = whole.prepare()
        return RawSamples([[X]], classes[y], groups, test, np.arange(len(y)))

    y = compute_once("set labels", source, lambda: stored().y)
    choice = choose_samples(y, whole.shape, source)

    selection = compute_once(
        "set selection",
        (source, choice),
        lambda: make_selection(stored(), choice, f"the {source}", source),
    )
    _draw_preview(selection)
    return selection


def _draw_preview(selection: Selection) -> None:
    X, y, classes, *_ = selection.data.prepare()
    codes = tuple(range(len(classes)))
    some, *_ = pictures.some_of_each(y, codes, codes)
    titles = [f"{selection.rows[i] + 1:,}: {classes[y[i]]}" for i in some]
    samples = pictures.coarsen(X[some])
    pictures.draw_samples(
        samples, X.shape, titles, "Above each: its number in the set and its class."
    )
