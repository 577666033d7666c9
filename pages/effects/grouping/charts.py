"""Charts of the lesson Grouping effect: measured distances and their bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.parts.charts import (
    BORDER,
    CHOSEN_COLOUR,
    FONT_SIZE,
    MAX_POINTS,
    STAR,
    Array,
    add_legend,
    format_figure,
)
from pages.shared.parts.heatmaps import heatmap


def distances_and_bounds(
    bound: Array,
    measured: Array,
    groups: NDArray[np.intp],
    pair: tuple[int, int],
    title: str,
    *,
    lines: str = "columns",
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
            line={"color": BORDER["color"], "width": 2},
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
            hovertemplate=f"{lines} %{{customdata[0]}} and %{{customdata[1]}}<br>"
            "bound %{x:.3g}, measured %{y:.3g}<extra></extra>",
        )
    figure.add_scatter(
        x=[max(float(bound[pair]), low_x / 2)],
        y=[max(float(measured[pair]), low_y / 2)],
        mode="markers",
        marker=STAR,
        cliponaxis=False,
        name=f"{lines} {pair[0] + 1} and {pair[1] + 1}",
        hovertemplate=f"bound {bound[pair]:.3g}, measured {measured[pair]:.3g}<extra></extra>",
    )
    _log_axis(figure.update_xaxes, "bound, squared distance", low_x / 3, 3 * high)
    _log_axis(figure.update_yaxes, "measured, squared distance", min(low_x, low_y) / 3, 3 * high)
    return add_legend(format_figure(figure, title, 480))


def distance_curve(
    correlations: Sequence[float],
    measured: Array,
    bound: Array,
    at: tuple[float, float],
    title: str,
) -> go.Figure:
    """Draw measured distances and bounds along a slider, and the position of the slider."""
    steps = [f"{value:g}" for value in correlations]
    both = np.array([*measured, *bound, at[1]])
    decades = np.log10(both[both > 0]) if (both > 0).any() else np.zeros(1)
    foot, head = np.floor(decades.min()), np.ceil(decades.max())
    every = max(1, int(np.ceil((head - foot) / 6)))
    ticks = np.arange(head, foot - 1, -every)
    foot -= (head - foot + 1) / 6
    figure = go.Figure()
    for name, values, colour in (
        ("the bound", bound, BORDER["color"]),
        ("measured", measured, CHOSEN_COLOUR),
    ):
        figure.add_scatter(
            x=steps,
            y=np.where(values == 0, 10**foot, values),
            customdata=values,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            connectgaps=True,
            name=name,
            hovertemplate=f"correlation %{{x}}: {name} %{{customdata:.3g}}<extra></extra>",
        )
    figure.add_scatter(
        x=[f"{at[0]:g}"],
        y=[at[1] or 10**foot],
        mode="markers",
        marker=STAR,
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )
    figure.update_xaxes(
        title="correlation, as on the slider",
        type="category",
        tickvals=steps[::-3],
    )
    figure.update_yaxes(
        title="squared distance",
        type="log",
        range=[foot - (head - foot) / 12, head + (head - foot) / 20],
        tickvals=[*10**ticks, 10**foot],
        ticktext=[*(f"10<sup>{tick:.0f}</sup>" for tick in ticks), "0"],
    )
    # Both curves fall to the right, which leaves room for the legend at the lower left.
    return add_legend(format_figure(figure, title, 360), x=0.02, y=0.1, yanchor="bottom")


def heatmap_with_arrows(
    M: Array, title: str, places: Sequence[int], *, rows: bool = False
) -> go.Figure:
    """Draw a signed matrix with arrows at some columns or rows, and a scale for the others."""
    others = float(np.abs(np.delete(M, places, axis=0 if rows else 1)).max(initial=0.0))
    rounding = 1e-9 * float(np.abs(M).max())
    figure = heatmap(M, title, limit=others if others > rounding else None)
    for place in places:
        where = (
            {"x": 1, "xref": "x domain", "xanchor": "left", "y": place + 1, "text": "◀"}
            if rows
            else {"x": place + 1, "y": 1, "yref": "y domain", "yanchor": "bottom", "text": "▼"}
        )
        figure.add_annotation(
            where, showarrow=False, font={"size": FONT_SIZE, "color": CHOSEN_COLOUR}
        )
    return figure


def _log_axis(update: Callable[..., object], title: str, low: float, high: float) -> None:
    decades = [float(np.log10(low)), float(np.log10(high))]
    span = decades[1] - decades[0]
    every = int(np.ceil(span / 9)) if span > 1.5 else "D2"  # decades, or also 2 and 5
    update(title=title, type="log", range=decades, dtick=every, exponentformat="power")
