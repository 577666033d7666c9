"""The chart of *Theorem 2*: measured distances against their bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.parts.charts import MAX_POINTS, add_legend, add_star, colour, format_figure
from pages.shared.player.panels import FAINT
from smmcore.arrays import Array


def distances_and_bounds(
    bound: Array,
    measured: Array,
    groups: NDArray[np.intp],
    pair: tuple[int, int],
    title: str,
) -> go.Figure:
    """Draw the squared distances of all pairs against bounds on them, both axes logarithmic."""
    i, j = np.triu_indices(len(groups), 1)
    x, y = bound[i, j], measured[i, j]
    shown = (x > 0) & (y > 0)
    i, j = i[shown], j[shown]
    x, y = x[shown], y[shown]
    low_x, low_y = (float(values.min()) if values.size else 1.0 for values in (x, y))
    high = float(x.max(initial=low_x))
    figure = go.Figure(
        go.Scatter(
            x=[low_x / 2, 2 * high],
            y=[low_x / 2, 2 * high],
            mode="lines",
            line={"color": colour(FAINT), "width": 2},
            name="the bound",
            hoverinfo="skip",
        )
    )
    same = groups[i] == groups[j]
    for name, chosen, symbol in (
        ("between groups", ~same, "diamond-open"),
        ("within a group", same, "circle"),
    ):
        which = np.flatnonzero(chosen)
        which = which[:: max(1, -(-len(which) // MAX_POINTS))]
        figure.add_scatter(
            x=x[which],
            y=y[which],
            customdata=np.column_stack([i[which], j[which]]) + 1,
            mode="markers",
            marker={"symbol": symbol, "size": 7, "opacity": 0.6},
            name=name,
            showlegend=bool(len(which)),
            hovertemplate="columns %{customdata[0]} and %{customdata[1]}<br>"
            "bound %{x:.3g}, measured %{y:.3g}<extra></extra>",
        )
    add_star(
        figure,
        max(float(bound[pair]), low_x / 2),
        max(float(measured[pair]), low_y / 2),
        name=f"columns {pair[0] + 1} and {pair[1] + 1}",
        hovertemplate=f"bound {bound[pair]:.3g}, measured {measured[pair]:.3g}<extra></extra>",
    )
    _log_axis(figure.update_xaxes, "bound, squared distance", low_x / 3, 3 * high)
    _log_axis(figure.update_yaxes, "measured, squared distance", min(low_x, low_y) / 3, 3 * high)
    return add_legend(format_figure(figure, title, 480))


def _log_axis(update: Callable[..., object], title: str, low: float, high: float) -> None:
    decades = [float(np.log10(low)), float(np.log10(high))]
    span = decades[1] - decades[0]
    every = int(np.ceil(span / 9)) if span > 1.5 else "D2"  # decades, or also 2 and 5
    update(title=title, type="log", range=decades, dtick=every, exponentformat="power")
