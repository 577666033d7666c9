"""Choose from a set that comes without a file: built in, or fetched from the internet."""

from __future__ import annotations

import numpy as np
import streamlit as st
from sklearn.datasets import load_digits

from pages.matrix.your_data.reading import pictures
from pages.matrix.your_data.reading.choice import Choice, make_choice, pick_classes, pick_most
from pages.shared.data.bundled import Digits, Faces
from pages.shared.widgets import url
from pages.shared.widgets.session_values import compute_once, fetch_on_request
from smmcore.matfile import Stored

DIGITS = {str(digit): str(digit) for digit in range(10)}
ABOUT = {
    "Olivetti faces": "400 pictures of 40 people, 64 x 64, which scikit-learn fetches: 4 MB.",
    "EEG, alcoholism": "EEG of alcoholics and controls, channel x time, from the UCI archive. The "
    "groups are the people: split by them, or the test knows its people already.",
}


def pick_digits(preview) -> Choice:
    """Draw the choice of digits, and return their samples."""
    st.markdown("1,797 handwritten digits, 8 x 8 grey values 0 to 16, which scikit-learn brings.")
    picked = url.several(st, "Classes", DIGITS, key="digits", default=("3", "8"), least=2)
    choice = digit_samples(tuple(int(digit) for digit in picked))
    _preview(preview, choice)
    return choice


def digit_samples(classes: tuple[int, ...]) -> Choice:
    """Return the samples of some digits."""
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
    """Draw a few faces, and return all."""
    st.markdown("100 faces and 100 pieces of background, 25 x 25, which scikit-image brings.")
    data = Faces()
    choice = Choice(data, np.array(data.classes), np.arange(data.shape[0]), "the faces", "faces")
    _preview(preview, choice)
    return choice


def pick_fetched(source: str, preview) -> Choice | None:
    """Fetch a set on request, draw the choice of its classes, and return their samples."""
    st.markdown(ABOUT[source])
    whole = fetch_on_request(source, "Fetch it")
    if whole is None:
        return None

    def stored() -> Stored:
        X, y, classes, groups, test = whole.prepare()
        return Stored([[X]], classes[y], groups, test, np.arange(len(y)))

    y = compute_once("set labels", source, lambda: stored().y)
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

    choice = compute_once(
        "set choice",
        (source, classes, most),
        lambda: make_choice(stored(), classes, most, script, f"the {source}", source),
    )
    _preview(preview, choice)
    return choice


def _preview(preview, choice: Choice) -> None:
    X, y, classes, *_ = choice.data.prepare()
    some, _ = pictures.some_of_each(y, tuple(range(len(classes))))
    titles = [f"{choice.rows[i] + 1:,}: {classes[y[i]]}" for i in some]
    samples = pictures.coarsen(X[some])
    pictures.draw(preview, samples, X.shape, titles, "number in the set and label")
