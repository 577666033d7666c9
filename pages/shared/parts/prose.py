"""Text of the lessons: notes, take-home sentence, captions, numbers in LaTeX, source code, link."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType
from urllib.parse import urlencode

import streamlit as st

from pages.shared.algorithm1 import SMMRun
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.widgets import url


def show_notes(*points: str) -> None:
    """List what to look for in the picture."""
    st.header("What to look for")
    st.markdown("\n".join(f"- {point}" for point in points))


def end_lesson(take_home: str, *exercises: tuple[str, str]) -> None:
    """Draw the sentence to take home and the exercises, each with a hidden answer."""
    st.header("To take home")
    st.markdown(f"**{take_home}**")
    for i, (question, answer) in enumerate(exercises, 1):
        with st.expander(f"Exercise {i}: {question}"):
            st.markdown(answer)


def show_source(label: str, *sources: ModuleType | Callable[..., object]) -> None:
    """Show the source code of modules and functions."""
    with st.expander(label):
        for source in sources:
            st.caption(f"`{source.__name__}`")
            st.code(inspect.getsource(source), height=500)


def show_link(*, needs: str = "") -> None:
    """Show the address of this page with all its settings."""
    here = (st.context.url or "").split("?")[0]
    with st.expander("Link to this page with these settings"):
        opens = f"It holds the settings only: {needs}." if needs else "It opens the same run."
        st.caption(f"Copy it with the button at its right. {opens}")
        st.code(f"{here}?{urlencode(url.settings(), doseq=True)}", language=None, wrap_lines=True)


def describe_data(run: SMMRun[BlockCorrelated]) -> str:
    """Describe the data of a run and their scaling."""
    data = run.data
    groups = "1 group" if data.groups == 1 else f"{data.groups} groups"
    return (
        f"Data: {data.n:,} matrices of {data.p} × {data.q}, {groups} of columns, noise "
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


def escape_markdown(text: str) -> str:
    """Escape Markdown, links and LaTeX, for example in names from an uploaded file."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|$~:&-])", r"\\\1", text)


def format_error(error: Exception) -> str:
    """Return the message of an error with a capital letter and a full stop, escaped.

    A symbol or a file name at the beginning does not change.
    """
    text = str(error)
    word = text.split(" ", 1)[0].rstrip(",")
    begun = text[:1].upper() + text[1:] if word.isalpha() and len(word) > 1 else text
    return escape_markdown(f"{begun.rstrip('.')}.")
