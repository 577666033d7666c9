"""The table of contents: the frame around every lesson, and the experiment in the side bar."""

from pathlib import Path


def main() -> None:
    """Draw the frame and the page in it."""
    # Imported here, not above: a worker that is replaced while a page runs imports this file.
    import streamlit as st

    from pages.shared import address, charts, controls, presets

    st.set_page_config("Support matrix machines", "🔬", layout="wide")
    st.html(Path(__file__).parents[1] / "assets" / "page.css")
    charts.follow_theme()
    # No address may end another: Streamlit would take "/your_data" for a page below "/your_".
    own = st.Page("matrix/your_data.py", title="Your data", url_path="yours")
    robustness = st.Page("matrix/robustness.py", title="Robustness")
    lessons = [
        st.Page("home.py", title="Home", default=True),
        st.Page("matrix/data.py", title="Data"),
        st.Page("matrix/smm.py", title="The machine"),
        st.Page("matrix/live.py", title="Live"),
        st.Page("matrix/compare.py", title="Compare"),
        st.Page("matrix/grouping.py", title="Grouping effect"),
        st.Page("matrix/rank.py", title="Rank"),
        robustness,
        own,
    ]
    page = st.navigation(lessons, position="top")
    address.begin()
    # Drawn on every page, or what came with the address would be lost on the way through this one.
    away = page in (robustness, own)  # which have data of their own
    st.sidebar.button(
        "↶ Undo",
        on_click=address.undo,
        disabled=not address.can_undo(),
        help="Takes back the last change of a setting; a preset is one change.",
    )
    with st.sidebar, st.expander("Experiment of the other lessons") if away else st.container():
        presets.draw()
        controls.draw(presets.QUICK, page.url_path)
    page.run()


if __name__ == "__main__":
    main()
