"""The head of a lesson: its idea in one sentence, and a question to guess at before one looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

import streamlit as st

from pages.shared import votes
from pages.shared.component import component
from pages.shared.widgets import url

_component = component(
    "question",
    "question/question",
    ["question/question", "question/vote"],
)
POLL = "poll"  # of a lecturer, in the session


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from."""

    text: str  # on its chip; a few words
    reply: str  # what the reader is told after choosing it; one short line
    right: bool = False


def ask(idea: str, question: str, answers: Sequence[Answer]) -> Any:
    """Draw the idea of a lesson and its question; return the place at the end of the first line.

    The picture waits at the frame that makes one want to guess. A guess, Play, or the touch of a
    control reveals the answer; with "Ask me first", a guess only. In class mode guesses are
    counted until the lecturer shows the answer. All of it happens in the browser, see
    `assets/lib/answer.js` and `assets/question/vote.js`.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="idea"):
        st.markdown(idea, width="stretch")
        place = st.container(key="recipe", horizontal=True, width="content")
    with st.container(key="question"):
        _component(
            key="the question",
            data={
                "question": question,
                "answers": [asdict(answer) for answer in answers],
                "askFirst": url.kept(url.ASK) == "1",
                **_vote(len(answers)),
            },
            on_open_change=_open_poll,
        )
    return place


def _vote(options: int) -> dict[str, Any]:
    """Return what the browser of a lecturer in class mode needs, or that of a student who votes."""
    state, lesson = st.session_state, url.current_page()
    if not url.is_presenting():
        state.pop(POLL, None)
        code = quote(url.kept(url.VOTE)[: url.MAX_LETTERS], safe="")
        return {"lesson": lesson, "poll": votes.url(code)} if code else {}
    if POLL not in state:
        return {"isClass": True}
    poll = state[POLL]
    poll.ask(lesson, options)
    own, join = votes.url(poll.token), votes.url(poll.code)
    return {"isClass": True, "lesson": lesson, "poll": own, "join": join}


def _open_poll() -> None:
    """Let students vote from their own browsers; a callback."""
    try:
        st.session_state[POLL] = votes.open_poll()
    except ValueError as error:
        st.toast(f"{error}.")
