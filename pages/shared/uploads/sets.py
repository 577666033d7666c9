"""The sets that come without a file: built in, or fetched from where they lie."""

from __future__ import annotations

import numpy as np
import streamlit as st
from sklearn.datasets import load_digits

from pages.shared import address
from pages.shared.recipes import FETCHED, Digits, Faces, Upload
from pages.shared.uploads import pictures
from pages.shared.uploads.choice import Choice, chosen, once, pick_classes, pick_most
from smmcore.matfile import Stored

DIGITS = {str(digit): str(digit) for digit in range(10)}
ABOUT = {
    "Olivetti faces": "400 pictures of 40 people, 64 x 64, which scikit-learn fetches: 4 MB.",
    "EEG, alcoholism": "EEG of alcoholics and controls, channel x time, from the UCI archive. The "
    "groups are the people: split by them, or the test knows its people already.",
}


def pick_digits(preview) -> Choice:
    """Draw the digits to choose from."""
    st.markdown("1,797 handwritten digits, 8 x 8 grey values 0 to 16, which scikit-learn brings.")
    picked = address.several(st, "Classes", DIGITS, key="digits", default=("3", "8"), least=2)
    choice = digits(tuple(int(digit) for digit in picked))
    _preview(preview, choice)
    return choice


def digits(classes: tuple[int, ...]) -> Choice:
    """The samples of these digits."""
    data = Digits(classes)
    names = [str(digit) for digit in data.classes]
    return Choice(
        data,
        np.array(data.classes),
        np.flatnonzero(np.isin(load_digits().target, classes)),
        f"the digits {', '.join(names[:-1])} and {names[-1]}",
        f"digits {' '.join(names)}",
    )


def pick_faces(preview) -> Choice:
    """Show the faces."""
    st.markdown("100 faces and 100 pieces of background, 25 x 25, which scikit-image brings.")
    data = Faces()
    choice = Choice(data, np.array(data.classes), np.arange(data.shape[0]), "the faces", "faces")
    _preview(preview, choice)
    return choice


def pick_fetched(source: str, preview) -> Choice | None:
    """Fetch a set when asked to, and draw its classes to choose from."""
    st.markdown(ABOUT[source])
    whole = fetched(source, "Fetch it")
    if whole is None:
        return None

    def stored() -> Stored:
        X, y, classes, groups, test = whole.prepare()
        return Stored([[X]], classes[y], groups, test, np.arange(len(y)))

    y = once("set labels", source, lambda: stored().y)
    classes = pick_classes(y, source)
    most = pick_most(y, classes, whole.shape, source)

    def script(drawn: str) -> str:
        if not drawn:
            return whole.script()
        names = ", ".join(["X", "y", *whole.known])
        taken = ", ".join(f"{name}[rows]" for name in ["X", "y", *whole.known])
        return (
            f"from smmcore.matfile import draw\n{whole.script()}"
            f"rows = draw(y, {drawn})\n{names} = {taken}\n"
        )

    choice = once(
        "set choice",
        (source, classes, most),
        lambda: chosen(stored(), classes, most, script, f"the {source}", source),
    )
    _preview(preview, choice)
    return choice


def fetched(source: str, label: str) -> Upload | None:
    """Draw a button until the set is there; why it could not be fetched stays in sight."""
    held = st.session_state.setdefault("fetched", {})
    slate = st.empty()
    if not isinstance(held.get(source), Upload) and slate.button(label, key=f"fetch {source}"):
        with st.spinner("Fetching ..."):
            try:
                held[source] = FETCHED[source]()
                slate.empty()
            except OSError as error:  # kept: a run that ends draws the page again
                held[source] = str(error)
    if isinstance(held.get(source), str):
        raise OSError(held[source])
    return held.get(source)


def _preview(preview, choice: Choice) -> None:
    X, y, classes, *_ = choice.data.prepare()
    some, _ = pictures.some_of_each(y, tuple(range(len(classes))))
    titles = [f"{choice.rows[i] + 1:,}: {classes[y[i]]}" for i in some]
    pictures.draw(preview, pictures.few(X[some]), X.shape, titles, "number in the set and label")
