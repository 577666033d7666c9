"""The page where a phone votes: a few kB of HTML, without a font or a session of Streamlit."""

from __future__ import annotations

import json
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


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def make_script(name: str) -> str:
    """Return the element of a script of plain pages."""
    return f'<script type="module">\n{_read(f"{name}.js")}</script>'


def make_style(name: str) -> str:
    """Return the element of a style sheet of plain pages."""
    return f"<style>\n{_read(f'{name}.css')}</style>"


COLOURS = f"{_colours('light')}@media(prefers-color-scheme:dark){{{_colours('dark')}}}"
STYLE = f"<style>{COLOURS}</style>{make_style('phone')}"
SCRIPT = make_script("phone")
GRID = make_style("grid") + make_script("grid")  # before the other script


def draw_page(title: str, body: str, data: str = "") -> str:
    """Return a plain page: its `data` are attributes of the body."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title>{STYLE}"
        f"<body {data}><main>{body}</main></body></html>"
    )


def draw_field(text: str, code: str = "") -> str:
    """Return a page that says something, and has a field for the code of a vote."""
    return draw_page("Vote", f'<h1>Vote</h1><p role="status">{escape(text)}</p>{_field(code)}')


def draw_question(poll: Poll, phone: str) -> str:
    """Return the page with the question that is asked, and with its answer once that is shown."""
    question, round_ = poll.asked, poll.round
    lesson = f"{base()}/{question.lesson}?vote={poll.code}"
    if question.axes:
        answers, way = _draw_grid(poll, phone), ""  # one cannot vote in the lesson
    else:
        answers = _draw_chips(poll, phone)
        way = f'<p><a href="{lesson}">Open the lesson</a></p>'
    body = (
        f'<h1 id="question">{escape(question.text)}</h1>'
        f'<div role="group" aria-labelledby="question">{answers}</div>'
        f'<p role="status">{escape(poll.say(phone))}</p>{way}'
        f"{_field(poll.code)}{SCRIPT}"
    )
    data = f'data-round="{poll.number}" data-shown="{str(round_.is_shown).lower()}"'
    return draw_page(question.text, body, data)


def _draw_grid(poll: Poll, phone: str) -> str:
    question, round_ = poll.question, poll.round
    right = next(i for i, answer in enumerate(question.answers) if answer["right"])
    data = {
        "axes": {name: [*values] for name, values in (question.axes or {}).items()},
        "vote": round_.votes.get(phone),
        "right": right if round_.is_shown else None,
    }
    texts = (f'data-{name}="{escape(json.dumps(value))}"' for name, value in data.items())
    return f'<div class="grid" {" ".join(texts)}></div>{GRID}'


def _draw_chips(poll: Poll, phone: str) -> str:
    round_, chips = poll.round, ""
    vote = round_.votes.get(phone)
    for i, answer in enumerate(poll.asked.answers):
        mark = ""
        if round_.is_shown:
            mark = "✓ " if answer["right"] else "✗ " if i == vote else ""
        state = " disabled" if round_.is_shown else ""
        pressed = str(i == vote).lower()
        text = mark + escape(answer["text"])
        chips += f'<button type="button" aria-pressed="{pressed}"{state}>{text}</button>'
    return chips


def _field(code: str) -> str:
    return (
        f'<form action="{base()}/vote"><label>Code on the wall <input name="code" '
        f'value="{escape(code)}" maxlength="8" required autocomplete="off" spellcheck="false">'
        "</label> <button>Go</button></form>"
    )
