"""The course plan, the symbols and the examples."""

import re
from pathlib import Path

import pytest

from pages.class_steps import CLASS, PLANS, SELF_STUDY, SHORT, beginnings
from pages.course.symbols.table import SYMBOLS
from pages.navigation import ALL_LESSONS
from tests.pages.visit import HOME, components, control_settings, visit

ROOT = Path(__file__).parents[3]
ADDRESSES = [lesson.address for lesson in ALL_LESSONS]


def test_class_lasts_45_or_20_minutes_and_self_study_two_hours():
    assert [beginnings(plan)[-1] for plan in PLANS.values()] == [45, 20]
    assert sum(minutes for _, minutes, _ in SELF_STUDY) == 120


def test_plans_follow_the_order_of_the_lessons():
    assert [lesson for lesson, _, _ in SELF_STUDY] == ADDRESSES
    for plan in PLANS.values():
        assert len({step.lesson for step in plan}) == len(plan)  # a page is one step
        steps = [step.lesson for step in plan if step.lesson in ADDRESSES]
        assert steps == sorted(steps, key=ADDRESSES.index)


@pytest.mark.parametrize("step", [step for step in CLASS if step.settings])
def test_link_of_a_step_opens_its_state(contents, step):
    visit(contents, step.lesson, **step.settings)
    assert not contents.error
    assert control_settings(contents).items() >= step.settings.items()
    assert not any("The address sets" in text.value for text in contents.text)


def test_step_shows_its_data_whatever_the_step_before_has_done_to_them(contents):
    visit(contents, "theorem_2", delta="1", C="0.5")
    for step in [step for step in CLASS if "C" in step.settings]:
        visit(contents, step.lesson, **step.settings)
        assert (
            control_settings(contents).items() >= {"delta": "0.01", "C": step.settings["C"]}.items()
        )


def test_course_plan_leads_from_step_to_step(contents):
    visit(contents, "course", present="1")
    assert "*Lecturer's view*: open it, before class mode" in contents.main.markdown[0].value
    links = [each.proto.query_string for each in contents.main.get("page_link")]
    assert sum("step=" in each for each in links) == len(CLASS) + len(SHORT)
    visit(contents, "smm", step="1")  # by Back, or an old link: the page decides the step
    place = next(i for i, step in enumerate(CLASS, 1) if step.lesson == "smm")
    (clock,) = components(contents, "clock")
    assert clock["place"] == f"{place} of {len(CLASS)}"
    visit(contents, "smm", step="short-1")  # the plan of 20 minutes
    (clock,) = components(contents, "clock")
    assert clock["place"] == f"2 of {len(SHORT)}"
    visit(contents, "rank")  # which is not in the plan
    assert not any("step=" in each.proto.query_string for each in contents.get("page_link"))


def test_symbols_page_lists_every_symbol_once_and_each_has_an_existing_lesson(contents):
    assert len({symbol.latex for symbol in SYMBOLS}) == len(SYMBOLS)
    assert {symbol.lesson for symbol in SYMBOLS} <= {*ADDRESSES, HOME}
    visit(contents, "symbols")
    (table,) = (text.value for text in contents.markdown if text.value.startswith("| symbol"))
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in table.splitlines()[2:]]
    assert all(len(row) == 4 for row in cells)  # a | of a formula would begin another cell
    meanings = [row[1].strip().replace(r"\|", "|") for row in cells]
    assert meanings == [symbol.meaning for symbol in SYMBOLS]


def test_all_examples_are_shown_and_can_be_downloaded(contents):
    visit(contents, "examples")
    shown = [block.value for block in contents.code]
    files = (ROOT / "assets" / "examples").glob("*.py")
    programs = [file.read_text(encoding="utf-8").strip() for file in files]
    assert sorted(shown) == sorted(programs)
    assert len(contents.get("download_button")) == len(shown)
