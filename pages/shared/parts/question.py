"""The head of a lesson: its idea in one sentence, and a question to guess at before one looks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

import streamlit as st

from pages.shared.component import component
from pages.shared.votes import routes
from pages.shared.votes.poll import Question, remember
from pages.shared.widgets import url

_component = component(
    "question",
    "question/question",
    ["question/question", "question/vote"],
)


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from."""

    text: str  # on its chip; a few words
    reply: str  # what the reader is told after choosing it; one short line
    right: bool = False


@dataclass(frozen=True)
class Head:
    """The first lines of a lesson, as drawn by `introduce`."""

    place: Any  # of the question, below them
    recipe: Any = None  # the place at the end of the first line

    def ask(
        self,
        question: str,
        answers: Sequence[Answer],
        *,
        at: Collection[str] = (),
        since: Mapping[str, Any] | None = None,
        before: str = "",
        shows: Mapping[str, Any] | None = None,
        axes: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Ask the question, once the settings that it names have been read.

        The picture waits at the frame that makes one want to guess. A guess, "Show", the key R,
        Play and the class's vote show the answer in one way: the picture goes to the settings that
        it `shows`, by their names in the lesson, and comes to rest. The touch of a control reveals
        it, too, unless the control leads away from the question; with "Ask me first", a guess only.
        In class mode guesses are counted until the lecturer shows the answer.

        The question is asked, and its replies are true, where the settings `at` have their
        defaults, and those of `since` a value or one behind it, `before` which a line about the
        picture stands in its place; elsewhere it only leads there. All of it happens in the
        browser, see `assets/lib/answer.js` and `assets/question/vote.js`.

        With the `axes` of a map the answers are its places, which only phones can tap.
        """
        asked = Question(url.current_page(), question, [asdict(each) for each in answers], axes)
        shown = [i for i, each in enumerate(answers) if each.right or not axes]
        with self.place:
            _component(
                key="the question",
                data={
                    "question": asked.text,
                    "before": before,
                    "answers": [asked.answers[i] for i in shown],
                    "replies": [asked.reply_to(i) for i in (*shown, None)],
                    "isMap": bool(axes),
                    "at": [
                        *(url.where_asked(name) for name in at),
                        *(url.where_asked(name, value) for name, value in (since or {}).items()),
                    ],
                    "shows": [
                        url.setting(name).to_json()
                        | {"to": url.place_of(name, value), "isNumber": not isinstance(value, str)}
                        for name, value in (shows or {}).items()
                    ],
                    "askFirst": url.kept(url.ASK) == "1",
                    **_vote(asked),
                },
            )


def introduce(idea: str) -> Head:
    """Draw the idea of a lesson, and keep places at the end of its line and below it."""
    with st.container(horizontal=True, vertical_alignment="center", key="idea"):
        st.markdown(idea, width="stretch")
        recipe = st.container(key="recipe", horizontal=True, width="content")
    return Head(st.container(key="question"), recipe)


def is_class() -> bool:
    """Return whether the page is on the wall, or with a student who votes."""
    return url.is_presenting() or bool(url.kept(url.VOTE))


def _vote(question: Question) -> dict[str, Any]:
    """Return what the browser of a lecturer in class mode needs, or that of a student who votes."""
    lesson = question.lesson
    if url.is_presenting():
        words = remember(question)
        return {"isClass": True, "lesson": lesson, "words": words, "votes": routes.url()}
    code = quote(url.kept(url.VOTE)[: url.MAX_LETTERS].upper(), safe="")
    return {"lesson": lesson, "poll": routes.url(code)} if code else {}
