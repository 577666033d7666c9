"""The parts that every lesson has besides its picture: question, notes, formulas, source, link."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from types import ModuleType
from urllib.parse import urlencode

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.algorithm1 import SMMRun
from pages.shared.widgets import url


def ask_prediction(key: str, question: str, options: Sequence[str], answer: str) -> None:
    """Ask for a prediction; the answer shows once there is one.

    Parameters
    ----------
    key : str
        Identity of the question on the page.
    question : str
    options : sequence of str
    answer : str
        What to see and why, whichever option was taken.
    """
    with st.container(border=True):
        st.markdown(f"**Predict first.** {question}")
        guess = st.segmented_control(
            "Your prediction", options, key=key, label_visibility="collapsed"
        )
        if guess is not None:
            st.markdown(answer)


def show_notes(*points: str) -> None:
    """List what is to be seen in the picture."""
    st.subheader("What to look for")
    st.markdown("\n".join(f"- {point}" for point in points))


def show_source(label: str, *modules: ModuleType) -> None:
    """Show the very source that ran."""
    with st.expander(label):
        for module in modules:
            st.caption(f"`{module.__name__}`")
            st.code(inspect.getsource(module), height=500)


def show_link() -> None:
    """Show the address that brings this page back, with all its settings spelled out."""
    here = (st.context.url or "").split("?")[0]
    with st.expander("Link to this page with these settings"):
        st.caption("Copy it with the button at its right; whoever opens it sees the same run.")
        st.code(f"{here}?{urlencode(url.settings(), doseq=True)}", language=None, wrap_lines=True)


def describe_data(run: SMMRun) -> str:
    """Say which data a picture shows and what was done to them."""
    data = run.data
    groups = "1 group" if data.groups == 1 else f"{data.groups} groups"
    return (
        f"Data: {data.n:,} matrices of {data.p} x {data.q}, {groups} of columns, noise "
        f"δ = {data.noise:g}, labels from a W of rank {data.rank}, "
        + ("" if data.positives is None else f"{data.positive_count} of class +1, ")
        + f"seed {data.seed}. Features: "
        f"{SCALING_TEXTS[data.scaling]}. All colours are centred on 0."
    )


SCALING_TEXTS = {
    "as printed": "as generated, not scaled",
    "unit length": "each divided by its Euclidean norm over the samples",
    "unit variance": "each divided by its standard deviation over the samples",
}


STANDARD_ERROR = (
    "The standard error of r right answers of n is √(a (1 − a) / (n + 4)), a = (r + 2) / (n + 4)."
)


def of_path(curves: NDArray[np.void], near: NDArray[np.bool_]) -> list[str]:
    """Say in sentences what a path shows: how its rank, training and held-out accuracy go.

    Parameters
    ----------
    curves : ndarray
        Of the path.
    near : ndarray of bool
        Which points are near the best of the held-out accuracies.
    """
    ranks, train, held = curves["rank"].astype(int), curves["train"], curves["held"]
    falls, worse = (np.flatnonzero(np.diff(line) < 0) + 1 for line in (ranks, train))
    jumps = np.diff(np.maximum.accumulate(ranks))
    found = np.unique(ranks[near])
    sentences = []
    if ranks.max() <= 1:
        sentences.append(
            f"**The rank is {ranks.max()} to the end of this path**: choose more decades, or a "
            "larger C, to see further singular values enter."
        )
    elif jumps.max() > 1:
        sentences.append(f"Up to {jumps.max()} singular values enter between two points.")
    else:
        sentences.append("The singular values enter one by one.")
    if len(falls):
        sentences.append(
            f"The rank **falls as τ falls** at {len(falls)} of {len(curves)} points, first at τ = "
            f"{curves['tau'][falls[0]]:.3g}."
        )
    else:
        sentences.append("On this path the rank never falls as τ falls; on others it does.")
    sentences.append(
        f"The training accuracy goes from {train[0]:.1%} to {train[-1]:.1%}, "
        + (f"and falls at {len(worse)} of the points." if len(worse) else "and never falls.")
    )
    which = f"of rank {found[0]}" if len(found) == 1 else f"of ranks {found[0]} to {found[-1]}"
    sentences.append(
        f"The best held-out accuracy is {held.max():.1%}. Within its standard error are "
        f"{np.count_nonzero(near)} of {len(curves)} points, {which}: among these the accuracy does "
        "not choose."
    )
    return sentences


def latex_number(value: float, digits: int | None = None) -> str:
    """Write a number for a formula, in LaTeX: 1.23e-05 as 1.23 times a power of ten.

    Parameters
    ----------
    value : float
    digits : int, optional
        How many, zeros at the end included, so that numbers beside each other can be compared;
        otherwise at most three.
    """
    text = f"{value:.3g}" if digits is None else f"{value:#.{digits}g}"
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa.removesuffix(".")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def latex_matrix(rows: Iterable[Iterable[float]], form: str) -> str:
    """Write a matrix for a formula, in LaTeX.

    Parameters
    ----------
    rows : iterable of iterable of float
    form : str
        Of an entry, "{:.3f}" for instance.
    """
    body = r" \\ ".join(" & ".join(map(form.format, row)) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
