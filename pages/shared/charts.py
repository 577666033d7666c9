"""Charts in the colours of the theme that the page has, also after it was switched.

Streamlit colours a Plotly figure once, when it first appears. So its text is written in the theme's
colour, which by day is also darker than the grey that Streamlit would take: in another theme it is
another figure, and coloured anew.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shared.figures import dress

SCRIPT = Path(__file__).parents[2] / "assets" / "theme.js"

_watch = st.components.v2.component(
    "theme", js=SCRIPT.read_text(encoding="utf-8"), isolate_styles=False
)


def follow_theme() -> None:
    """Rerun the page whenever the viewer switches its theme; Streamlit by itself does not."""
    _watch(key="theme", on_switched_change=lambda: None)


def draw(place, figure, key: str | None = None) -> None:
    """Draw a figure in a container, or in the page where `place` is `st`.

    One that may stand twice on a page needs a key for each place.
    """
    ink = {"color": st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")}
    axis = {"tickfont": ink, "title": {"font": ink}}
    figure.update_layout(font=ink).update_xaxes(**axis).update_yaxes(**axis)
    place.plotly_chart(figure, config=dress.CONFIG, key=key)
