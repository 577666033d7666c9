"""The questions of all lessons, to be printed as a worksheet or read by Moodle.

    python -m pages.course.handout FOLDER [ADDRESS]

writes `worksheet.html`, with room to write and the addresses of the lessons on a server, and
`questions.gift`, Moodle's format for a bank of questions.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from pages.export.record import open_page
from pages.navigation import ALL_LESSONS, APP, Lesson
from pages.shared.votes import qr
from pages.shared.votes.poster import draw_code

STYLE = """
body { max-width: 44rem; margin: 2rem auto; font: 11pt/1.4 sans-serif }
section { break-inside: avoid; margin-bottom: 1.5rem }
ul { padding: 0; list-style: "☐ " inside }
.room { height: 3cm; border: 1px solid }
small { opacity: 0.7 }
section > svg { float: right; width: 2.4cm }
"""


def questions() -> Iterator[tuple[Lesson, Mapping[str, Any]]]:
    """Open each lesson, and yield it with its question and the answers, as its page asks it."""
    for lesson in ALL_LESSONS:
        for part in open_page(lesson.address).run().get("bidi_component"):
            if part.proto.component_name == "question":
                yield lesson, json.loads(part.proto.json)


def as_gift(lesson: Lesson, question: Mapping[str, Any]) -> str:
    """Return a question in the format GIFT of Moodle; the replies are its feedback."""

    def quoted(text: str) -> str:
        return re.sub(r"([~=#{}:\\])", r"\\\1", text)

    answers = "\n".join(
        f"  {'=' if each['right'] else '~'}{quoted(each['text'])}#{quoted(each['reply'])}"
        for each in question["answers"]
    )
    return f"::{quoted(lesson.title)}::{quoted(question['question'])} {{\n{answers}\n}}\n"


def as_section(number: int, lesson: Lesson, question: Mapping[str, Any], server: str) -> str:
    """Return a question as a part of the worksheet."""
    answers = "".join(f"<li>{escape(each['text'])}</li>" for each in question["answers"])
    address = f"{server}/{lesson.address}"
    code = draw_code(address) if len(address.encode()) <= qr.MAX_BYTES else ""
    return (
        f"<section>{code}<h2>{number}. {escape(lesson.title)}</h2>"
        f"<p><b>{escape(question['question'])}</b></p><ul>{answers}</ul>"
        f"<p>Why?</p><div class='room'></div><small>{escape(address)}</small>"
        "</section>"
    )


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("address", nargs="?", default="http://localhost:8501", help="of the server")
    arguments = parser.parse_args()
    asked = list(questions())
    gift = "\n".join(as_gift(*each) for each in asked)
    server = arguments.address.rstrip("/")
    sections = "".join(as_section(i, *each, server) for i, each in enumerate(asked, 1))
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Worksheet</title>'
        f"<style>{STYLE}</style><h1>{APP}</h1>{sections}</html>"
    )
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "questions.gift").write_text(gift, encoding="utf-8")
    (arguments.folder / "worksheet.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit misses a session in each run
    main()
