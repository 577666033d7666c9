"""Charts in the colours of the current theme, and tables: what waits for the first picture.

Streamlit sets the colours of a Plotly figure only once, when it first appears. So the text has the
colour of the theme explicitly: in another theme the figure differs, and Streamlit draws it again.
In the light theme this colour is also darker than Streamlit's grey.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from pages.shared import theme
from pages.shared.component import PICTURE, component
from pages.shared.numbers import with_minus
from pages.shared.player.panels import FAINT
from pages.shared.widgets import url

FONT_SIZE = 16  # pixels
PRESENTING_FONT_SIZE = 20  # readable from the last row of a lecture hall
MAX_LETTERS = 42  # of a title in one line on a phone
COLORBAR = {"thickness": 14, "exponentformat": "power", "tickfont": {"size": FONT_SIZE - 2}}
MAX_POINTS = 3_000  # of each kind, which a browser draws without delay
BEGUN, WAITS = "first picture is drawn", "charts or tables wait"  # in the session
CONFIG = {
    "displayModeBar": False,  # on a touch screen it would lie over the title
    "scrollZoom": False,  # over a solid, scrolling must move the page
}

_watch = component("theme", "theme", isolate_styles=False)


def follow_theme(titles: Mapping[str, str]) -> None:
    """Rerun the page when the viewer switches the theme, which Streamlit does not do.

    Also when the first picture of a session is drawn, if charts or tables wait. The letters are
    those of class mode where the page is on a projector, and the rail's links have the titles of
    their pages for screen readers.
    """
    st.session_state.pop(PICTURE, None)
    data = {
        "isPresenting": url.is_presenting(),
        "waits": st.session_state.pop(WAITS, False),
        "titles": titles,
    }
    _watch(key="theme", data=data, on_switched_change=lambda: None, on_drawn_change=_begin)


def _begin() -> None:
    st.session_state[BEGUN] = True


def _must_wait() -> bool:
    """Whether this session has yet to see a picture, which charts and tables would delay.

    Their scripts alone take a browser a second or two.
    """
    if BEGUN in st.session_state:
        return False
    st.session_state[WAITS] = True
    return True


def colour(which: int | str) -> str:
    """Return a colour of the current theme, by its number among the categories or its name."""
    return theme.colour(which, st.context.theme.type or "light")


def border() -> dict[str, Any]:
    """Return the line that parts two regions."""
    return {"width": 1, "dash": "dot", "color": colour(FAINT)}


def add_star(figure: go.Figure, x: float, y: float, **trace: object) -> None:
    """Mark what is chosen."""
    edge = {"width": 1.5, "color": colour("backgroundColor")}
    marker = {"symbol": "star", "size": 22, "color": colour("primaryColor"), "line": edge}
    figure.add_scatter(x=[x], y=[y], mode="markers", marker=marker, cliponaxis=False, **trace)


def draw(place, figure, key: str | None = None) -> None:
    """Draw a figure in a container, or in the page if `place` is `st`.

    A figure that may appear twice on a page needs a key for each place.
    """
    ink = {"color": colour("textColor")}
    axis = {"tickfont": ink, "title": {"font": ink}}
    figure.update_layout(font=ink).update_xaxes(**axis).update_yaxes(**axis)
    if url.is_presenting():
        figure = go.Figure(_enlarge_letters(figure.to_plotly_json()))
    if PICTURE not in st.session_state:
        _begin()  # it is the first picture
    if _must_wait():
        place.container(height=figure.layout.height, border=False, key=key)
    else:
        place.plotly_chart(figure, config=CONFIG, key=key, alt=describe(figure), height="content")


def draw_table(rows: Any, **settings: Any) -> None:
    """Draw a table in the page, without a column of row numbers."""
    settings["height"] = _table_height(rows, settings)  # known before its script has come
    if _must_wait():
        st.container(height=settings["height"], border=False)
    else:
        st.dataframe(rows, hide_index=True, **settings)


def _table_height(rows: Any, settings: dict[str, Any]) -> int:
    """Return the height of a table in pixels, as Streamlit draws it."""
    count = len(next(iter(rows.values()))) if isinstance(rows, dict) else len(rows)
    if settings.get("height") != "content":
        count = min(count, 10)
    return 37 + count * settings.get("row_height", 35)


def describe(figure: go.Figure) -> str:
    """Return what a figure shows, in words: its title, and the range of each trace."""
    title = re.sub("<[^>]+>", " ", figure.layout.title.text or "") or "Chart"
    traces = []
    for trace in figure.data:
        values = trace["z"] if trace.type in ("heatmap", "surface", "mesh3d") else trace["y"]
        numbers = np.asarray([] if values is None else values)
        if trace.type == "bar" and trace.orientation == "h":
            numbers = np.asarray(trace.x)
        if numbers.dtype.kind in "fiu" and np.isfinite(numbers).any():
            low, high = np.nanmin(numbers), np.nanmax(numbers)
            size = " × ".join(map(str, numbers.shape))
            ends = with_minus(f"{low:.3g} to {high:.3g}")
            traces.append(f"{trace.name or 'values'}: {size} from {ends}")
    return f"{title}. {'; '.join(traces)}".strip()


def _enlarge_letters(part: Any) -> Any:
    """Return a part of a figure with larger letters."""
    if isinstance(part, list | tuple):
        return [_enlarge_letters(each) for each in part]
    if not isinstance(part, dict):
        return part
    enlarged = {key: _enlarge_letters(value) for key, value in part.items()}
    for key, font in enlarged.items():
        if key.endswith("font") and isinstance(font, dict) and "size" in font:
            size = font["size"] * PRESENTING_FONT_SIZE / FONT_SIZE
            enlarged[key] = font | {"size": max(size, PRESENTING_FONT_SIZE)}
    return enlarged


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
