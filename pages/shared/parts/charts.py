"""Charts in the colours of the current theme.

Streamlit sets the colours of a Plotly figure only once, when it first appears. So the text has the
colour of the theme explicitly: in another theme the figure differs, and Streamlit draws it again.
In the light theme this colour is also darker than Streamlit's grey.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

Array = NDArray[np.float64]

FONT_SIZE = 16  # pixels, readable from the last row of a lecture hall
MAX_LETTERS = 42  # of a title in one line on a phone
COLORBAR = {"thickness": 14, "exponentformat": "power", "tickfont": {"size": FONT_SIZE - 2}}
BORDER = {"width": 1, "dash": "dot", "color": "#8a939c"}  # visible in both themes
CHOSEN_COLOUR = "#cc79a7"  # visible in both themes
STAR = {
    "symbol": "star",
    "size": 22,
    "color": CHOSEN_COLOUR,
    "line": {"width": 1.5, "color": "white"},
}
MAX_POINTS = 3_000  # of each kind, which a browser draws without delay
# The toolbar saves vector graphics for slides.
CONFIG = {
    "displaylogo": False,
    "scrollZoom": False,  # over a solid, scrolling must move the page
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg"},
}

SCRIPT = Path(__file__).parents[3] / "assets" / "theme.js"

_watch = st.components.v2.component(
    "theme", js=SCRIPT.read_text(encoding="utf-8"), isolate_styles=False
)


def follow_theme() -> None:
    """Rerun the page when the viewer switches the theme, which Streamlit does not do."""
    _watch(key="theme", on_switched_change=lambda: None)


def draw(place, figure, key: str | None = None) -> None:
    """Draw a figure in a container, or in the page if `place` is `st`.

    A figure that may appear twice on a page needs a key for each place.
    """
    ink = {"color": st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")}
    axis = {"tickfont": ink, "title": {"font": ink}}
    figure.update_layout(font=ink).update_xaxes(**axis).update_yaxes(**axis)
    place.plotly_chart(figure, config=CONFIG, key=key)


def format_figure(figure: go.Figure, title: str, height: int) -> go.Figure:
    """Set title, fonts and margins of a figure."""
    lines = wrap(title, MAX_LETTERS, break_long_words=False)
    heading = {
        "text": "<br>".join(lines),
        "font": {"size": FONT_SIZE + 2},
        "y": 1,
        "yanchor": "top",
    }
    more = 23 * max(0, len(lines) - 1)
    figure.update_layout(
        title=heading | {"pad": {"t": 8 + more}},  # Plotly applies it to the last line
        font={"size": FONT_SIZE},
        height=height + more,
        margin={"l": 10, "r": 10, "t": 10 + 30 * bool(lines) + more, "b": 10},
        showlegend=False,
        dragmode=False,
    )
    axes = {"automargin": True, "showgrid": False, "zeroline": False}
    fonts = {"tickfont": {"size": FONT_SIZE - 2}, "title": {"font": {"size": FONT_SIZE}}}
    figure.update_xaxes(**axes, **fonts)
    figure.update_yaxes(**axes, **fonts)
    return figure


def add_legend(figure: go.Figure, **place: object) -> go.Figure:
    """Add a legend, by default below the figure."""
    legend = {
        "orientation": "h",
        "yanchor": "top",
        "y": -0.2,
        "font": {"size": FONT_SIZE - 2},
    } | place
    return figure.update_layout(showlegend=True, legend=legend)
