"""The page where a phone votes: a few kB of HTML, without a font or a session of Streamlit."""

from __future__ import annotations

from html import escape

from pages.shared.component import ASSETS
from pages.shared.engine.stream import base
from pages.shared.theme import colour
from pages.shared.votes.poll import Poll

FOLDER = ASSETS / "vote"
NAMES = {
    "text": "textColor",
    "ground": "backgroundColor",
    "edge": "borderColor",
    "accent": "primaryColor",
}


def _colours(kind: str) -> str:
    return ":root{" + "".join(f"--{name}:{colour(of, kind)};" for name, of in NAMES.items()) + "}"


STYLE = (
    f"<style>{_colours('light')}@media(prefers-color-scheme:dark){{{_colours('dark')}}}\n"
    f"{(FOLDER / 'phone.css').read_text(encoding='utf-8')}</style>"
)
SCRIPT = f'<script type="module">\n{(FOLDER / "phone.js").read_text(encoding="utf-8")}</script>'


def draw_field(text: str, code: str = "") -> str:
    """Return a page that says something, and has a field for the code of a vote."""
    return _page("Vote", f'<h1>Vote</h1><p role="status">{escape(text)}</p>{_field(code)}')


def draw_question(poll: Poll, phone: str) -> str:
    """Return the page with the question that is asked, and with its answer once that is shown."""
    question, round_ = poll.question, poll.round
    vote, chips = round_.votes.get(phone), ""
    for i, answer in enumerate(question.answers):
        mark = ""
        if round_.is_shown:
            mark = "✓ " if answer["right"] else "✗ " if i == vote else ""
        state = " disabled" if round_.is_shown else ""
        pressed = str(i == vote).lower()
        text = mark + escape(answer["text"])
        chips += f'<button type="button" aria-pressed="{pressed}"{state}>{text}</button>'
    lesson = f"{base()}/{question.lesson}?vote={poll.code}"
    body = (
        f'<h1 id="question">{escape(question.text)}</h1>'
        f'<div role="group" aria-labelledby="question">{chips}</div>'
        f'<p role="status">{escape(poll.say(phone))}</p>'
        f'<p><a href="{lesson}">Open the lesson</a></p>'
        f"{_field(poll.code)}{SCRIPT}"
    )
    data = f'data-round="{round_.number}" data-shown="{str(round_.is_shown).lower()}"'
    return _page(question.text, body, data)


def _field(code: str) -> str:
    return (
        f'<form action="{base()}/vote"><label>Code on the wall <input name="code" '
        f'value="{escape(code)}" maxlength="8" required autocomplete="off" spellcheck="false">'
        "</label> <button>Go</button></form>"
    )


def _page(title: str, body: str, data: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title>{STYLE}"
        f"<body {data}><main>{body}</main></body></html>"
    )
