"""The table of contents: navigation, header, sidebar and the page that is open."""

from contextlib import suppress

SIDEBAR_WIDTH = 270  # pixels


def main() -> None:
    """Draw navigation, header, sidebar and page."""
    # Imported here, because a new worker process imports this file and must not import Streamlit.
    import streamlit as st
    from streamlit.runtime.scriptrunner import StopException

    from pages import lesson_frame as frame
    from pages.navigation import SECTIONS
    from pages.shared.algorithm1 import QUICK
    from pages.shared.parts import charts, symbols
    from pages.shared.widgets import sidebar, url
    from pages.shared.widgets.session_values import draw_notice

    lessons = {each.address: each for section in SECTIONS.values() for each in section}
    pages = {
        name: [st.Page(each.file, title=each.title, url_path=each.address) for each in section]
        for name, section in SECTIONS.items()
    }
    home = st.Page("home.py", title="Home", default=True)
    page = st.navigation({**pages, "": [home, *pages[""]]}, position="top")
    lesson = lessons.get(page.url_path)
    st.set_page_config(frame.tab_title(lesson), "🔬", "wide", initial_sidebar_state=SIDEBAR_WIDTH)
    drawn = {*sidebar.DATA, *lesson.model} if lesson and lesson.model is not None else set()
    url.begin_page(page.url_path, drawn, sidebar.KEYS - drawn)
    frame.draw_styles()
    draw_notice()  # behind the styles
    frame.merge_history()
    frame.hold_section()
    charts.follow_theme()
    symbols.explain_symbols(page.url_path)
    if lesson:
        frame.draw_header(lesson)
    if lesson and lesson.model is not None:
        with st.sidebar:
            sidebar.draw_presets()
            sidebar.draw_controls(QUICK, page.url_path, lesson.model)
    url.begin_lesson()
    with suppress(StopException):  # st.stop() ends the lesson, not what surrounds it
        page.run()
    if lesson:
        frame.draw_footer(lesson)


if __name__ == "__main__":
    main()
