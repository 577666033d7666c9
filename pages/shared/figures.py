"""Pictures that stand still. Plotly only: the page decides where they go and in which theme.

Maps of signed numbers leave their colours to the theme (blue over the background to vermilion, see
.streamlit/config.toml) and are always centred on zero, so that white, or black at night, means 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

Array = NDArray[np.float64]

FONT = 16  # pixels: readable from the last row
COLORBAR = {"thickness": 14, "exponentformat": "power", "tickfont": {"size": FONT - 2}}
BORDER = {"width": 1, "dash": "dot", "color": "#8a939c"}  # seen by day and by night
CHOSEN = "#cc79a7"  # seen by day and by night
STAR = {"symbol": "star", "size": 22, "color": CHOSEN, "line": {"width": 1.5, "color": "white"}}
MOST_POINTS = 3_000  # of a kind: a browser draws more, but not at once
# Toolbar: what a lecturer needs for a slide, as vectors.
CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg"},
}


def heatmap(
    M: Array,
    title: str,
    *,
    limit: float | None = None,
    rows: str = "row k",
    columns: str = "column l",
    height: int = 380,
    bare: bool = False,
) -> go.Figure:
    """Draw a signed matrix.

    Parameters
    ----------
    M : ndarray of shape (p, q)
    title : str
    limit : float, optional
        The value of the last colour, so that several maps can share a scale; the largest
        absolute entry otherwise.
    rows, columns : str
        Names of the axes.
    height : int
        In pixels.
    bare : bool
        Leave out axes and colour bar: a small picture whose pattern alone matters.
    """
    figure = go.Figure(_map(M, _limit([M], limit), rows, columns))
    figure.update_traces(showscale=not bare)
    figure.update_xaxes(title=columns, visible=not bare)
    figure.update_yaxes(title=rows, visible=not bare, autorange="reversed")
    return _square(_dress(figure, title, height), *M.shape)


def pointed(M: Array, title: str, places: Sequence[int], *, rows: bool = False) -> go.Figure:
    """Draw a signed matrix with arrows at some columns, or rows, and colours that suit the others.

    Parameters
    ----------
    M : ndarray of shape (p, q)
    title : str
    places : sequence of int
        Columns, counted from 0. They may exceed the last colour: the scale ends at the largest
        entry of the other columns, which would be white if a single one outshone them.
    rows : bool
        Point at rows instead.
    """
    others = float(np.abs(np.delete(M, places, axis=0 if rows else 1)).max(initial=0.0))
    rounding = 1e-9 * float(np.abs(M).max())
    figure = heatmap(M, title, limit=others if others > rounding else None)
    for place in places:
        where = (
            {"x": 1, "xref": "x domain", "xanchor": "left", "y": place + 1, "text": "◀"}
            if rows
            else {"x": place + 1, "y": 1, "yref": "y domain", "yanchor": "bottom", "text": "▼"}
        )
        figure.add_annotation(where, showarrow=False, font={"size": FONT, "color": CHOSEN})
    return figure


def gallery(matrices: Array, labels: Sequence[str], title: str) -> go.Figure:
    """Draw several matrices in rows of four, on one scale.

    Parameters
    ----------
    matrices : ndarray of shape (m, p, q)
    labels : sequence of str
        One for each, drawn above it.
    title : str
    """
    across = min(4, len(matrices))
    down = -(-len(matrices) // across)
    figure = make_subplots(
        down, across, subplot_titles=labels, horizontal_spacing=0.03, vertical_spacing=0.12
    )
    limit = _limit(matrices, None)
    for i, M in enumerate(matrices):
        trace = _map(M, limit, "row k", "column l")
        trace.update(showscale=i == 0)
        figure.add_trace(trace, i // across + 1, i % across + 1)
    figure.update_xaxes(showticklabels=False, ticks="")
    figure.update_yaxes(showticklabels=False, ticks="", autorange="reversed")
    return _square(_dress(figure, title, 360), *matrices[0].shape)


def correlations(R: Array, groups: Sequence[int], title: str) -> go.Figure:
    """Draw a matrix of correlations with lines where a new group of columns begins.

    Parameters
    ----------
    R : ndarray of shape (q, q)
    groups : sequence of int
        The group of each column, ascending.
    title : str
    """
    figure = heatmap(R, title, limit=1.0, rows="column l", columns="column l'", height=400)
    for border in np.flatnonzero(np.diff(groups)) + 1.5:
        figure.add_vline(border, line=BORDER)
        figure.add_hline(border, line=BORDER)
    return figure


def singular_values(sigma: Array, title: str) -> go.Figure:
    """Draw singular values as bars, in descending order.

    Parameters
    ----------
    sigma : ndarray of shape (r,)
    title : str
    """
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, len(sigma) + 1),
            y=sigma,
            hovertemplate="σ<sub>%{x}</sub> = %{y:.4g}<extra></extra>",
        )
    )
    figure.update_xaxes(title="i", dtick=max(1, len(sigma) // 5))
    figure.update_yaxes(title="σ<sub>i</sub>", rangemode="tozero", exponentformat="power")
    return _dress(figure, title, 320)


def class_balance(counts: dict[str, int], title: str) -> go.Figure:
    """Draw how many samples each class has.

    Parameters
    ----------
    counts : dict of str to int
        By the names of the classes.
    title : str
    """
    total = max(1, sum(counts.values()))
    figure = go.Figure(
        go.Bar(
            y=list(counts),
            x=list(counts.values()),
            orientation="h",
            text=[f"{count:,} ({count / total:.0%})" for count in counts.values()],
            textposition="inside",
            insidetextanchor="start",
            hovertemplate="class %{y}: %{x} samples<extra></extra>",
        )
    )
    figure.update_xaxes(title="samples", rangemode="tozero")
    figure.update_yaxes(type="category", autorange="reversed")
    return _dress(figure, title, 200)


def confusion_matrix(
    counts: NDArray[np.integer], names: Sequence[str], title: str, height: int = 380
) -> go.Figure:
    """Draw how often each class was taken for each.

    Parameters
    ----------
    counts : ndarray of shape (K, K)
        Rows are the true classes, columns the predicted ones.
    names : sequence of str
        Of the classes.
    title : str
    height : int
        In pixels.
    """
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=list(names),
            y=list(names),
            text=counts,
            customdata=counts,
            texttemplate="%{text}",
            textfont={"size": 22},
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            colorbar=COLORBAR | {"tickformat": ".0%", "title": "of the row"},
            hovertemplate="true %{y}, predicted %{x}: %{customdata} (%{z:.1%})<extra></extra>",
        )
    )
    figure.update_xaxes(title="predicted", type="category")
    figure.update_yaxes(title="true", type="category", autorange="reversed")
    return _dress(figure, title, height)


def bounds(
    bound: Array,
    measured: Array,
    groups: Sequence[int],
    pair: tuple[int, int],
    title: str,
    *,
    lines: str = "columns",
) -> go.Figure:
    """Draw the squared distances of all pairs against bounds on them, both axes logarithmic.

    Parameters
    ----------
    bound, measured : ndarray of shape (m, m)
        Symmetric. A pair where one of them is 0 has no place and is left out; only the chosen pair
        is then drawn in the corner.
    groups : sequence of int
        The group of each line: pairs within a group are marked otherwise than those between two.
    pair : (int, int)
        The chosen one, counted from 0.
    title : str
    lines : str
        What is paired, for the reader who points at a pair.
    """
    groups = np.asarray(groups)
    i, j = np.triu_indices(len(groups), 1)
    x, y = bound[i, j], measured[i, j]
    shown = (x > 0) & (y > 0)
    i, j, x, y = (values[shown] for values in (i, j, x, y))
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
        which = which[:: max(1, -(-len(which) // MOST_POINTS))]
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
    return _explained(_dress(figure, title, 480))


def approach(
    correlations: Sequence[float],
    measured: Array,
    bound: Array,
    at: tuple[float, float],
    title: str,
) -> go.Figure:
    """Draw what was measured and its bound along a slider, and where the slider stands.

    Parameters
    ----------
    correlations : sequence of float
        The values of the slider, equally far apart as they are there.
    measured, bound : ndarray of shape (m,)
        NaN where there is none. 0 has a place of its own at the foot of the log axis.
    at : (float, float)
        Where the slider stands, one of the correlations, and what was measured there.
    title : str
    """
    steps = [f"{r:g}" for r in correlations]
    both = np.array([*measured, *bound, at[1]])
    decades = np.log10(both[both > 0]) if (both > 0).any() else np.zeros(1)
    foot, head = np.floor(decades.min()), np.ceil(decades.max())
    every = max(1, int(np.ceil((head - foot) / 6)))
    ticks = np.arange(head, foot - 1, -every)
    foot -= (head - foot + 1) / 6
    figure = go.Figure()
    for name, values, colour in (
        ("the bound", bound, BORDER["color"]),
        ("measured", measured, CHOSEN),
    ):
        figure.add_scatter(
            x=steps,
            y=np.where(values == 0, 10**foot, values),
            customdata=values,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            connectgaps=True,
            name=name,
            hovertemplate=f"r = %{{x}}: {name} %{{customdata:.3g}}<extra></extra>",
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
        title="correlation r, as on the slider",
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
    # Both fall towards r = 1, so there is room for the legend at the left, between them and 0.
    return _explained(_dress(figure, title, 360), x=0.02, y=0.1, yanchor="bottom")


def _explained(figure: go.Figure, **place: object) -> go.Figure:
    """Give a figure a legend in a place, or below it."""
    legend = {"orientation": "h", "yanchor": "top", "y": -0.2, "font": {"size": FONT - 2}} | place
    return figure.update_layout(showlegend=True, legend=legend)


def _log_axis(update: Callable, title: str, low: float, high: float) -> None:
    decades = [float(np.log10(low)), float(np.log10(high))]
    span = decades[1] - decades[0]
    every = int(np.ceil(span / 9)) if span > 1.5 else "D2"  # decades, or 2 and 5 in between
    update(title=title, type="log", range=decades, dtick=every, exponentformat="power")


def _map(M: Array, limit: float, rows: str, columns: str) -> go.Heatmap:
    p, q = M.shape
    return go.Heatmap(
        z=M,
        x=np.arange(1, q + 1),
        y=np.arange(1, p + 1),
        zmin=-limit,
        zmax=limit,
        colorbar=COLORBAR,
        autocolorscale=True,  # signed limits: Plotly takes the theme's diverging scale
        hovertemplate=f"{rows} %{{y}}, {columns} %{{x}}: %{{z:.4g}}<extra></extra>",
    )


def _square(figure: go.Figure, p: int, q: int) -> go.Figure:
    """Give a matrix square cells, unless it would become a thread."""
    if max(p, q) <= 4 * min(p, q):
        figure.update_xaxes(constrain="domain")
        figure.for_each_yaxis(
            lambda axis: axis.update(
                constrain="domain", constraintoward="top", scaleanchor=axis.anchor or "x"
            )
        )
    if max(p, q) <= 10:
        figure.update_xaxes(dtick=1).update_yaxes(dtick=1)
    return figure


def _limit(matrices: Sequence[Array], limit: float | None) -> float:
    if limit is not None:
        return limit
    return max((float(np.abs(M).max()) for M in matrices), default=0.0) or 1.0  # all zero: white


def _dress(figure: go.Figure, title: str, height: int) -> go.Figure:
    lines = bool(title) + bool(figure.layout.annotations)  # panels have titles of their own
    heading = {"text": title, "font": {"size": FONT + 2}, "y": 1, "yanchor": "top"}
    figure.update_layout(
        title=heading | {"pad": {"t": 8}},
        font={"size": FONT},
        height=height,
        margin={"l": 10, "r": 10, "t": 10 + 30 * lines, "b": 10},
        showlegend=False,
        dragmode=False,
    )
    figure.update_annotations(font={"size": FONT})
    axes = {"automargin": True, "showgrid": False, "zeroline": False}
    fonts = {"tickfont": {"size": FONT - 2}, "title": {"font": {"size": FONT}}}
    figure.update_xaxes(**axes, **fonts)
    figure.update_yaxes(**axes, **fonts)
    return figure
