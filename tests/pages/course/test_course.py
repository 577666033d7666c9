"""The course plan, the symbols and the questions of the lessons."""

import re
from pathlib import Path

import pytest

from pages.course.plan.steps import CLASS, MINUTES, SELF_STUDY
from pages.navigation import LESSONS
from pages.shared.parts.symbols import SYMBOLS
from tests.pages.visit import HOME, link, visit
from tests.pages.visit import LESSONS as PAGES

ROOT = Path(__file__).parents[3]
ADDRESSES = {lesson.address for lesson in LESSONS}


def test_class_lasts_45_minutes_and_self_study_two_hours():
    assert len(CLASS) * MINUTES == 45
    assert sum(minutes for _, minutes, _ in SELF_STUDY) == 120
    assert {lesson for lesson, _, _ in SELF_STUDY} <= ADDRESSES


def test_each_step_has_a_page():
    """That each of them opens is checked for all pages."""
    assert {step.lesson for step in CLASS} <= {HOME, *PAGES}


@pytest.mark.parametrize("step", [step for step in CLASS if step.settings])
def test_link_of_a_step_opens_its_state(contents, step):
    visit(contents, step.lesson, **step.settings)
    assert not contents.exception
    assert not contents.error
    assert link(contents).items() >= step.settings.items()
    assert not any("in the address" in text.value for text in contents.text)


def test_course_plan_has_a_link_to_each_step(contents):
    visit(contents, "course")
    links = [re.search(r'href="([^"]+)"', each.proto.body) for each in contents.get("html")]
    assert [found.group(1) for found in links if found] == [step.address for step in CLASS]


def test_each_symbol_has_one_meaning_and_an_existing_lesson():
    texts = [symbol.text for symbol in SYMBOLS]
    assert len({*texts}) == len(texts)
    assert {symbol.lesson for symbol in SYMBOLS} <= ADDRESSES | {HOME}


def test_symbols_page_lists_every_symbol(contents):
    visit(contents, "symbols")
    (table,) = (text.value for text in contents.markdown if text.value.startswith("| symbol"))
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in table.splitlines()[2:]]
    assert all(len(row) == 4 for row in cells)  # a | of a formula would begin another cell
    meanings = [row[1].strip().replace(r"\|", "|") for row in cells]
    assert meanings == [symbol.meaning for symbol in SYMBOLS]


def test_question_waits_for_an_answer_marks_it_and_can_be_asked_again(contents):
    contents.session_state["live_prediction"] = None
    visit(contents, "live")
    assert contents.main.button(key="live_prediction skip").label == "Skip"
    contents.main.button(key="live_prediction 1").click().run()
    assert any("✗ Not quite" in text.value for text in contents.markdown)
    contents.main.button(key="live_prediction again").click().run()
    contents.main.button(key="live_prediction 0").click().run()
    assert any("✓ Right" in text.value for text in contents.markdown)


def test_each_question_has_one_right_answer():
    """Read from the source: `Answer(..., right=True)` once for each `predict(`."""
    for lesson in LESSONS:
        source = (ROOT / "pages" / lesson.file).read_text(encoding="utf-8")
        assert source.count("right=True") == source.count("predict("), lesson.file
