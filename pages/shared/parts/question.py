"""The head of a lesson: its idea in one sentence, and a question to guess at before one looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from pages.shared.component import component
from pages.shared.widgets import url

_component = component("question", ["question/question"], ["question/question"])


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from."""

    text: str  # on its chip; a few words
    reply: str  # what the reader is told after choosing it; one short line
    right: bool = False


def ask(idea: str, question: str, answers: Sequence[Answer]) -> Any:
    """Draw the idea of a lesson and its question; return the place at the end of the first line.

    The picture waits at the frame that makes one want to guess. A guess, Play, or the touch of a
    control reveals the answer; with "Ask me first", a guess only. All of it happens in the
    browser, see `assets/head/reveal.js`.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="idea"):
        st.markdown(idea, width="stretch")
        place = st.container(key="recipe", width="content")
    with st.container(key="question"):
        _component(
            key="the question",
            data={
                "question": question,
                "answers": [asdict(answer) for answer in answers],
                "askFirst": url.kept(url.ASK) == "1",
            },
        )
    return place
