"""What surrounds each lesson: its title with the place in the course, and the way on."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.navigation import LESSONS, NOTES, SECTIONS, Lesson, neighbours
from pages.shared.parts.prose import escape_markdown
from pages.shared.widgets import url
from pages.shared.widgets.session_values import notify

APP = "Support matrix machines"
EMPTY = "empty"  # a text
MAX_NOTICE = 200  # characters
ASSETS = Path(__file__).parents[1] / "assets"

_merge = st.components.v2.component(
    "history", js=(ASSETS / "history.js").read_text(encoding="utf-8"), isolate_styles=False
)
_hold = st.components.v2.component(
    "section", js=(ASSETS / "section.js").read_text(encoding="utf-8"), isolate_styles=False
)


def tab_title(lesson: Lesson | None) -> str:
    """Return the title of the browser's tab."""
    return f"{lesson.title} · {APP}" if lesson else APP


def draw_styles() -> None:
    """Add the styles of the app, and those for a projector."""
    st.html(ASSETS / "page.css")
    if url.is_presenting():
        st.html(ASSETS / "present.css")


def merge_history() -> None:
    """Make one entry in the browser's history of what a reader does at once, such as a preset."""
    _merge(key="history")


def hold_section() -> None:
    """Keep the section that the address names, /page#section, in view while the page grows."""
    _hold(key="section")


def draw_header(lesson: Lesson) -> None:
    """Draw the title of a lesson, its place in the course, its neighbours and Undo."""
    _highlight_section(lesson)
    before, after = neighbours(lesson)
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="lesson-header",
    ):
        st.title(lesson.title, anchor=False, width="content")
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content"
        ):
            if before:
                st.page_link(before.file, label="←", help=f"Back to: {before.title}")
            if lesson in LESSONS:
                place = f"Lesson {LESSONS.index(lesson) + 1} of {len(LESSONS)}"
                st.caption(place, width="content")
            elif lesson in SECTIONS[NOTES]:
                st.caption("Research note", width="content")
            if after:
                st.page_link(after.file, label="→", help=f"Next: {after.title}")
            if lesson.has_controls:
                st.button(
                    "↶ Undo",
                    on_click=_undo,
                    disabled=not url.can_undo(),
                    help="Takes back the last change of a setting; a preset is one change.",
                )


def _undo() -> None:
    """Take back the last change, and say which controls have which values again; a callback."""
    controls = [f"{label}: {value or EMPTY}" for label, value in url.undo()]
    if controls:
        notify(escape_markdown(f"Undone. {'; '.join(controls)}"[:MAX_NOTICE]))


def draw_footer(lesson: Lesson) -> None:
    """Draw links to the lessons before and after this one."""
    if lesson not in LESSONS:
        return
    before, after = neighbours(lesson)
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if before:
            st.page_link(before.file, label=f"← {before.title}")
        if after:
            st.page_link(after.file, label=f"Next: **{after.title}** →")


def _highlight_section(lesson: Lesson) -> None:
    """Highlight the section of the lesson in the navigation, which Streamlit does not do."""
    names = list(SECTIONS)
    for i, section in enumerate(SECTIONS.values()):
        if names[i] and lesson in section:
            place = i + len(SECTIONS[""]) + 1  # after Home and the pages without a section
            st.html(
                f"<style>[data-testid=stTopNav] > .rc-overflow-item:nth-child({place}) "
                "[data-testid=stTopNavSection] { font-weight: 600; "
                "background: color-mix(in srgb, currentColor 8%, transparent); }</style>"
            )
