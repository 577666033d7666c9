"""How every figure is dressed: type, margins, legend, and what a lecturer can do with it."""

from __future__ import annotations

from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

Array = NDArray[np.float64]

FONT = 16  # pixels: readable from the last row
LETTERS = 42  # of a title: more do not fit into one line on a phone
COLORBAR = {"thickness": 14, "exponentformat": "power", "tickfont": {"size": FONT - 2}}
BORDER = {"width": 1, "dash": "dot", "color": "#8a939c"}  # seen by day and by night
CHOSEN = "#cc79a7"  # seen by day and by night
STAR = {"symbol": "star", "size": 22, "color": CHOSEN, "line": {"width": 1.5, "color": "white"}}
MOST_POINTS = 3_000  # of a kind: a browser draws more, but not at once
# Toolbar: what a lecturer needs for a slide, as vectors.
CONFIG = {
    "displaylogo": False,
    "scrollZoom": False,  # of solids: who scrolls wants the page to move
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg"},
}


def dress(figure: go.Figure, title: str, height: int) -> go.Figure:
    """Give a figure its title, its type and its margins."""
    lines = wrap(title, LETTERS, break_long_words=False)
    heading = {"text": "<br>".join(lines), "font": {"size": FONT + 2}, "y": 1, "yanchor": "top"}
    more = 23 * max(0, len(lines) - 1)
    figure.update_layout(
        title=heading | {"pad": {"t": 8 + more}},  # it is the last line that Plotly puts there
        font={"size": FONT},
        height=height + more,
        margin={"l": 10, "r": 10, "t": 10 + 30 * bool(lines) + more, "b": 10},
        showlegend=False,
        dragmode=False,
    )
    axes = {"automargin": True, "showgrid": False, "zeroline": False}
    fonts = {"tickfont": {"size": FONT - 2}, "title": {"font": {"size": FONT}}}
    figure.update_xaxes(**axes, **fonts)
    figure.update_yaxes(**axes, **fonts)
    return figure


def explained(figure: go.Figure, **place: object) -> go.Figure:
    """Give a figure a legend in a place, or below it."""
    legend = {"orientation": "h", "yanchor": "top", "y": -0.2, "font": {"size": FONT - 2}} | place
    return figure.update_layout(showlegend=True, legend=legend)
