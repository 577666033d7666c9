"""Text of the lessons: notes, takeaway, exercises, captions, source code."""

from __future__ import annotations

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.algorithm1 import Algorithm1
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.parts import downloads
from pages.shared.widgets import url
from pages.shared.widgets.paintings import CARD, brought_to
from pages.shared.words import count_noun

NEXT_LESSON = "next lesson"  # of the course, in the session: its file, title and text


def show_notes(*points: str) -> None:
    """List what to look for in the picture."""
    st.header("What to look for")
    st.markdown("\n".join(f"- {point}" for point in points))


def end_lesson(takeaway: str, *exercises: tuple[str, str]) -> None:
    """Draw the sentence to remember, the exercises with hidden answers, and the next lesson."""
    left, right = st.columns([1, len(exercises)])
    left.header("Takeaway")
    with left.container(key="takeaway"):
        st.markdown(takeaway)
    right.header("Check yourself")
    for i, (place, (question, answer)) in enumerate(
        zip(right.columns(len(exercises)), exercises, strict=True), 1
    ):
        with place.container(border=True, height="stretch"):
            st.markdown(f"**{i}.** {question[0].upper()}{question[1:]}")
            with st.expander("Show answer"):
                st.markdown(answer)
    if after := st.session_state.get(NEXT_LESSON):
        with st.container(key="next-lesson"):
            url.link(after.file, label=f"Next: **{after.title}** →", help=after.text)


def link_to_card() -> None:
    """Draw the way to the card, with what the reader has painted last."""
    label = "**Your card, to send** →"
    url.link("smm/structure/card.py", label=label, settings=brought_to(CARD))


def draw_tools(program: str, name: str, data: str = "Data and model") -> DeltaGenerator:
    """Draw what one takes along, folded into one row, and return the place for the downloads.

    `name` begins the name of the program's file.
    """
    with st.container(horizontal=True, key="tools"):
        with st.popover("Code"):
            downloads.offer_program(name, program)
            st.code(program, height=420)
        return st.popover(data) if data else st.container()


def describe_data(experiment: Algorithm1[BlockCorrelated]) -> str:
    """Describe the data of a run and their scaling."""
    data = experiment.data
    return (
        f"Data: {data.n:,} matrices of {data.p} × {data.q}, "
        f"{count_noun(data.groups, 'group')} of columns, noise "
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
