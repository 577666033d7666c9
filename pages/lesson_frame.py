"""What surrounds each page: the rail with all pages, its title among them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import streamlit as st

import smmcore
from pages.class_steps import PLANS, beginnings
from pages.course import lecturer_page
from pages.export import route as export
from pages.navigation import (
    APP,
    COURSE,
    FURTHER,
    LESSONS,
    MAP,
    NOTES,
    SECTIONS,
    TITLES,
    Lesson,
    neighbours,
)
from pages.shared.component import component
from pages.shared.parts.prose import NEXT_LESSON
from pages.shared.widgets import url
from pages.shared.widgets.paintings import brought_to

Pages = Mapping[str, st.Page]  # by address

_share = component("share", "share/share", ["share/share"])
_clock = component("clock", "question/clock", isolate_styles=False)


def tab_title(lesson: Lesson | None) -> str:
    """Return the title of the browser's tab."""
    return f"{lesson.title} · {APP}" if lesson else APP


@cache
def version() -> str:
    """Return the version of the app, with the commit where its folder is a git checkout."""
    folder = Path(__file__).parents[1]
    commit = ""
    with suppress(OSError, subprocess.SubprocessError):
        if (folder / ".git").exists():  # not a checkout in which the folder only lies
            command = ["git", "-C", str(folder), "rev-parse", "--short=8", "HEAD"]
            commit = subprocess.check_output(
                command, stderr=subprocess.DEVNULL, encoding="utf-8", timeout=5
            )
    return " · ".join(["Version " + smmcore.__version__, *commit.split()])


def draw_rail(current: Lesson | None, pages: Pages) -> None:
    """Draw one line with links to all pages; the title of the current one stands in its place."""
    visited = st.session_state.setdefault("visited", set())
    if current:
        visited.add(current.address)
    st.session_state[NEXT_LESSON] = neighbours(current)[1] if current else None
    plan, step = _step_of_plan(current)  # which tells what the links carry
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rail"):
        on_wall = url.is_presenting()
        if not (on_wall and step):
            url.link(pages[""], label="**SMM**", help=f"Home of {APP}")
        if not on_wall:
            _draw_phone_menu(current, pages)
        with st.container(horizontal=True, key="rail-lessons", width="content"):
            for name in COURSE:
                is_whole = not step and not on_wall  # else the title is enough
                lessons = [each for each in SECTIONS[name] if is_whole or each is current]
                if lessons:
                    with st.container(horizontal=True, gap="xxsmall", width="content"):
                        for lesson in lessons:
                            _draw_pill(lesson, current, visited, pages)
        if current and current in (*SECTIONS[FURTHER], *SECTIONS[NOTES], MAP):
            st.title(current.title, anchor=False, width="content")
        if step:
            _draw_steps(plan, step, pages)
        elif on_wall and (before := neighbours(current)[0] if current else None):
            _draw_way_back(before.address, {}, pages)
        with st.container(horizontal=True, key="rail-end", width="content"):
            for lesson in (*SECTIONS["Course"][:2], *SECTIONS[""], *SECTIONS["Course"][2:]):
                if lesson is current:
                    st.title(lesson.title, anchor=False, width="content")
                elif not on_wall:
                    url.link(
                        pages[lesson.address],
                        label=lesson.short or lesson.title,
                        settings=brought_to(lesson.address),
                        help=lesson.text,
                    )
            if not on_wall:
                for section in (FURTHER, NOTES):
                    _draw_menu(section, current, pages)
                with st.popover("Share", type="tertiary", key=f"share {tab_title(current)}"):
                    _share(
                        key=f"share from {tab_title(current)}",
                        data={"file": export.url(current.address if current else "")},
                    )
            _draw_switches()


def _step_of_plan(current: Lesson | None) -> tuple[str, int]:
    """Return the plan that has begun and the step that the reader is at; 0 if at none.

    A plan goes on, also by Back, until the reader opens a page that is not in it.
    """
    told, address = url.kept(url.STEP), current.address if current else ""
    plan = next((name for name in PLANS if name and told.startswith(name)), "")
    lessons = [step.lesson for step in PLANS[plan]]
    if told and address in lessons:
        return plan, lessons.index(address) + 1
    url.forget(url.STEP)
    return plan, 0


def _draw_way_back(lesson: str, settings: Mapping[str, str], pages: Pages) -> None:
    with st.container(key="rail-before", width="content"):
        title = TITLES.get(lesson, "Home")
        url.link(pages[lesson], label="←", help=f"Back to: {title}", settings=settings)


def _draw_steps(plan: str, step: int, pages: Pages) -> None:
    """Draw where the reader is in the course plan, and the ways to the steps beside it."""
    steps = PLANS[plan]
    with st.container(
        horizontal=True, vertical_alignment="center", key="rail-step", width="content"
    ):
        if step > 1:
            before = steps[step - 2]
            settings = {url.STEP: f"{plan}{step - 1}"} | before.settings
            _draw_way_back(before.lesson, settings, pages)
        begins = beginnings(steps)
        data: dict[str, object] = {
            "plan": plan,
            "step": f"{plan}{step}",
            "place": f"{step} of {len(steps)}",
        }
        if url.is_presenting():
            data |= {"begin": begins[step - 1], "end": begins[-1]}
        _clock(key="clock", data=data, width="content")
        is_last = step == len(steps)  # Page down does not begin again, see assets/head/present.js
        with st.container(key="rail-plan" if is_last else "rail-next", width="content"):
            if is_last:
                url.link(pages["course"], label="Back to the plan")
            else:
                after = steps[step]
                title = TITLES[after.lesson]
                url.link(
                    pages[after.lesson],
                    label="Next →" if url.is_presenting() else f"Next: {title} →",
                    settings={url.STEP: f"{plan}{step + 1}"} | after.settings,
                )


def _draw_pill(lesson: Lesson, current: Lesson | None, visited: set[str], pages: Pages) -> None:
    number = LESSONS.index(lesson) + 1
    if lesson is current:
        st.title(f"{number}\u2002{lesson.title}", anchor=False, width="content")
        return
    label = f"**{number}**" if lesson.address in visited else f"{number}"
    name = f"{label} *{lesson.short}*"  # the name where the window is wide enough: page.css
    url.link(pages[lesson.address], label=name, help=f"{lesson.title}. {lesson.text}")


def _draw_menu(section: str, current: Lesson | None, pages: Pages) -> None:
    """Draw the menu of a section whose pages stand apart from the course."""
    # A key of its own on each page, so that it closes when one of its links is followed
    key = f"{section} from {tab_title(current)}"
    with (
        st.container(key=f"rail-{section.lower()}", width="content"),
        st.popover(section, type="tertiary", key=key),
    ):
        for lesson in SECTIONS[section]:
            url.link(pages[lesson.address], help=lesson.text)


@st.fragment  # opening the menu draws its links, and nothing else of the page
def _draw_phone_menu(current: Lesson | None, pages: Pages) -> None:
    """Draw the menu that stands for the rail where there is no room for it."""
    title = (current.short or current.title) if current else "Home"
    place = f"{LESSONS.index(current) + 1} / {len(LESSONS)} " if current in LESSONS else ""
    with st.container(key="rail-phone", width="content"):
        # A key of its own on each page, so that it closes when one of its links is followed
        menu = st.popover(place + title, key=f"menu from {tab_title(current)}", on_change="rerun")
    if menu.open:
        with menu:
            for name, section in SECTIONS.items():
                if name:
                    st.caption(name)
                for lesson in section:
                    url.link(pages[lesson.address], settings=brought_to(lesson.address))


def _draw_switches() -> None:
    """Draw what a lecturer switches for all pages."""
    if url.is_presenting():
        url.switch_for_all(st, "button", "Leave", url.PRESENT, "Leave class mode, or press P.")
        return
    with st.popover("Class", type="tertiary", help="For a class: large letters, votes"):
        note = (
            "Larger letters and a picture as tall as the window. A click on an answer, or its "
            "number, counts a hand. Keys: Backspace takes the last one back, R shows the answer, "
            "Space plays, ← and → step, Page down (or N) leads to the answer and then to the next "
            "step or lesson, Page up back, P leaves. After Tab, keys act on what has the focus."
        )
        url.switch_for_all(st, "button", "Class mode", url.PRESENT, note)
        note = "Play and the controls wait for a guess."
        url.switch_for_all(st, "toggle", "Ask me first", url.ASK, note)
        st.markdown(
            f"[Lecturer's view]({lecturer_page.url()})",
            help="Notes, the next step and keys, for your own screen or phone: not for the wall.",
        )
