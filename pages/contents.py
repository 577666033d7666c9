"""The table of contents: navigation, header and the page that is open."""

from contextlib import suppress


def main() -> None:
    """Draw the rail and the page."""
    # Imported here, because a new worker process imports this file and must not import Streamlit.
    import streamlit as st
    from streamlit.runtime.scriptrunner import StopException

    from pages import lesson_frame as frame
    from pages.navigation import LESSONS, PAGES
    from pages.shared.parts import charts
    from pages.shared.widgets import paintings, recipe, url

    if "pages" not in st.session_state:  # each asks the disk where it is
        home = st.Page("home/page.py", title="Home", default=True)
        st.session_state["pages"] = {"": home} | {
            address: st.Page(each.file, title=each.title, url_path=address)
            for address, each in PAGES.items()
        }
    pages = st.session_state["pages"]
    page = st.navigation([*pages.values()], position="hidden")
    lesson = PAGES.get(page.url_path)
    st.set_page_config(frame.tab_title(lesson), "🔬", "wide")
    shared = {*recipe.DATA, *lesson.model} if lesson and lesson.model is not None else set()
    url.begin_page(page.url_path, shared)
    paintings.keep_painting()
    frame.draw_rail(lesson, pages)
    with suppress(StopException):  # st.stop() ends the lesson, not what surrounds it
        page.run()
    charts.follow_theme({each.address: each.title for each in LESSONS})
    st.container(key="version").caption(frame.version())


if __name__ == "__main__":
    from pages.shared.turns import take_turn

    with take_turn():
        main()
