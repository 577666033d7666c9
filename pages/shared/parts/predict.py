"""The question of a lesson: the student predicts, and only then looks.

A page asks first, draws its controls and its first picture without what would give the answer
away, and stops until an answer is chosen:

    told = predict(question, answers)
    show_run("name", run, panels, covered=not told)
    if not told:
        st.stop()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.widgets import url

SKIP = "Skip"


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from."""

    text: str  # on its button; a few words
    reply: str  # what the student is told after choosing it, in Markdown; two short lines
    right: bool = False


@dataclass(frozen=True)
class Demo:
    """A button that sets the page to a state which shows a claim of a reply."""

    label: str
    show: Callable[..., None]  # a callback, such as `url.set_values`
    arguments: tuple[Any, ...] = ()


def answered(lesson: str) -> dict[str, str]:
    """Return the query parameter with which a link opens a lesson behind its question."""
    return {f"{lesson}_prediction": SKIP}


def predict(question: str, answers: Sequence[Answer], demos: Sequence[Demo] = ()) -> bool:
    """Ask for a prediction; return whether the answer may be shown.

    The strip has the same height before and after the choice, so that the picture does not move
    (on a phone, where the picture is farther down, it may).
    """
    key = url.full_key("prediction")
    if st.query_params.get(key) == SKIP:
        st.session_state.setdefault(key, SKIP)  # once: "Ask again" asks
    chosen = st.session_state.get(key)
    with st.container(border=True, key="prediction", gap=None):
        st.markdown(f"**{question}**")
        # The keys differ, so that no element of the one row lives on in the other.
        if chosen is None:
            _draw_answers(key, answers)
        else:
            _draw_reply(key, answers, chosen, demos)
    return chosen is not None


def _draw_answers(key: str, answers: Sequence[Answer]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="prediction-answers"):
        for i, answer in enumerate(answers):
            st.button(answer.text, key=f"{key} {i}", on_click=_choose, args=(key, i))
        st.button(SKIP, key=f"{key} skip", type="tertiary", on_click=_choose, args=(key, SKIP))


def _draw_reply(key: str, answers: Sequence[Answer], chosen: Any, demos: Sequence[Demo]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="prediction-reply"):
        st.markdown(_reply(answers, chosen), width="stretch")
        for demo in demos:
            st.button(demo.label, on_click=demo.show, args=demo.arguments)
        st.button(
            "",
            key=f"{key} again",
            type="tertiary",
            icon=":material/replay:",
            help="Ask again",
            on_click=_choose,
            args=(key, None),
        )


def _reply(answers: Sequence[Answer], chosen: Any) -> str:
    """Return the mark of the chosen answer and its sentence; after Skip, the right one's."""
    if chosen == SKIP:
        answer = next(each for each in answers if each.right)
        return f"*{answer.text}.* {answer.reply}"
    answer = answers[chosen]
    mark = ":green[**✓ Right.**]" if answer.right else ":red[**✗ Not quite.**]"
    return f"{mark} *{answer.text}.* {answer.reply}"


def _choose(key: str, choice: int | str | None) -> None:
    st.session_state[key] = choice
