"""The table of contents: navigation, side bar and the page that is open."""

from itertools import chain
from pathlib import Path


def main() -> None:
    """Draw navigation, side bar and page."""
    # Imported here, because a new worker process imports this file and must not import Streamlit.
    import streamlit as st

    from pages.shared.algorithm1 import QUICK
    from pages.shared.navigation import SECTIONS
    from pages.shared.parts import charts
    from pages.shared.widgets import sidebar, url

    st.set_page_config("Support matrix machines", "🔬", layout="wide")
    st.html(Path(__file__).parents[1] / "assets" / "page.css")
    charts.follow_theme()
    pages = {
        name: [st.Page(each.file, title=each.title, url_path=each.address) for each in section]
        for name, section in SECTIONS.items()
    }
    home = st.Page("home.py", title="Home", default=True)
    page = st.navigation({**pages, "": [home, *pages[""]]}, position="top")
    # Drawn on every page, otherwise settings from the address would be lost on this page.
    lessons = chain(*SECTIONS.values())
    away = page.title in {lesson.title for lesson in lessons if lesson.own_data}
    url.begin_page(page.url_path, sidebar.KEYS)
    st.sidebar.button(
        "↶ Undo",
        on_click=url.undo,
        disabled=not url.can_undo(),
        help="Takes back the last change of a setting; a preset is one change.",
    )
    with st.sidebar, st.expander("Experiment of the other lessons") if away else st.container():
        sidebar.draw_presets()
        sidebar.draw_controls(QUICK, page.url_path)
    url.begin_lesson(own_data=away)
    page.run()


if __name__ == "__main__":
    main()
