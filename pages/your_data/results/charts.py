"""Charts of a trial: confusion matrix, ROC curves, search grid and singular values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape, unescape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.parts.charts import (
    BORDER,
    COLORBAR,
    MAX_POINTS,
    STAR,
    Array,
    add_legend,
    format_figure,
)
from pages.your_data.results.metrics import RocCurve


def confusion_matrix(counts: NDArray[np.integer], names: Sequence[str], title: str) -> go.Figure:
    """Draw counts (K, K), with a row for each true class; many classes without the numbers."""
    K = len(names)
    places = np.arange(1, K + 1)  # names may be equal, or look like numbers
    true, predicted = np.meshgrid(names, names, indexing="ij")
    figure = go.Figure(
        go.Heatmap(
            z=counts / np.maximum(counts.sum(axis=1, keepdims=True), 1),
            x=places,
            y=places,
            text=counts,
            customdata=np.dstack([true, predicted, counts]),
            texttemplate="%{text}" if K <= 12 else "",
            textfont={"size": 22 if K <= 4 else 13},
            zmin=0,
            zmax=1,
            xgap=2 if K <= 12 else 0.5,
            ygap=2 if K <= 12 else 0.5,
            colorbar=COLORBAR | {"tickformat": ".0%", "title": "of<br>row"},
            showscale=K > 12,
            hovertemplate="true %{customdata[0]}, predicted %{customdata[1]}: "
            "%{customdata[2]} (%{z:.1%})<extra></extra>",
        )
    )
    letters = 14 if K <= 4 else 9
    texts = [_shorten(name, letters) for name in names]

    def ticks(most: int) -> dict[str, object]:
        every = -(-K // most)
        return {"tickvals": places[::every], "ticktext": texts[::every]}

    # To the left: Plotly omits a label that leans out at the right.
    leaning = {"autotickangles": [0, -30, -90]}
    figure.update_xaxes(title="predicted", **ticks(10 if K > 12 else 12), **leaning)
    figure.update_yaxes(title="true", autorange="reversed", **ticks(20))
    below = 6 * max(map(len, texts)) if K > 4 else 0  # long names stand upright there
    return format_figure(figure, title, below + (420 if K <= 12 else 520))


def grid(
    values: Array,  # (rows, columns), NaN in cells that were not tried
    rows: Sequence[float],  # C in units of 1 / s^2
    columns: Sequence[int],  # ranks
    chosen: tuple[int, int],  # row and column
    title: str,
) -> go.Figure:
    """Draw the accuracies of a grid of weights, with a star in the chosen cell."""
    ranks, weights = [str(rank) for rank in columns], [f"{c:g}" for c in rows]
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=ranks,
            y=weights,
            xgap=1,
            ygap=1,
            colorscale="Viridis",
            colorbar=COLORBAR | {"tickformat": ".0%"},
            hoverongaps=False,
            hovertemplate="C s² = %{y}, rank %{x}: %{z:.1%}<extra></extra>",
        )
    )
    row, column = chosen
    figure.add_scatter(x=[ranks[column]], y=[weights[row]], marker=STAR, hoverinfo="skip")
    figure.update_xaxes(title="rank", type="category")
    figure.update_yaxes(title="C s²", type="category", nticks=10)
    return format_figure(figure, title, 420)


def _shorten(name: str, letters: int) -> str:
    """Cut a name in HTML that has more letters."""
    text = unescape(name)
    return name if len(text) <= letters else f"{escape(text[: letters - 1])}…"


def roc(
    curves: Mapping[str, RocCurve | None],
    title: str,
    each: Mapping[str, RocCurve | None] | None = None,
) -> go.Figure:
    """Draw a curve for each method, and the curves of single classes in grey behind them.

    Colours follow the order of the names. A missing curve is None, so that the others keep their
    colours.
    """
    figure = go.Figure()
    for place, (name, curve) in enumerate(curves.items()):
        figure.add_scatter(
            **_line(curve, name),
            name=f"{name}: {curve}",
            line_width=3,
            showlegend=bool(curve),
            zorder=len(curves) - place,  # the first on top
        )
    for name, curve in (each or {}).items():
        if curve:
            grey = {"color": BORDER["color"], "width": 1}
            figure.add_scatter(**_line(curve, name), line=grey, opacity=0.6, zorder=-1)
            figure.data[-1].showlegend = False
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line=BORDER, hoverinfo="skip")
    figure.data[-1].update(showlegend=False, zorder=-2)
    figure.update_xaxes(title="false positive rate", range=[-0.01, 1.01], dtick=0.25)
    figure.update_yaxes(title="true positive rate", range=[-0.01, 1.01], dtick=0.25)
    return add_legend(format_figure(figure, title, 460), y=-0.18)


def _line(curve: RocCurve | None, name: str) -> dict[str, object]:
    if not curve:
        return {"x": [None], "y": [None]}
    some = np.unique(np.linspace(0, len(curve.fpr) - 1, MAX_POINTS).astype(int))
    return {
        "x": curve.fpr[some],
        "y": curve.tpr[some],
        "mode": "lines",
        "hovertemplate": f"{name}, {curve}<br>"
        "true positives %{y:.1%}, false %{x:.1%}<extra></extra>",
    }


def spectra(sigma: Mapping[str, Array | None], title: str) -> go.Figure:
    """Draw the singular values of several matrices as shares of the largest one of each.

    Singular values are in descending order. Colours follow the order of the names. A missing
    matrix is None, so that the others keep their colours.
    """
    figure = go.Figure()
    for name, values in sigma.items():
        known = values if values is not None and values[0] > 0 else np.zeros(0)
        known = known[known > 1e-9 * known.max(initial=0)]
        figure.add_scatter(
            x=np.arange(1, len(known) + 1),
            y=known / known.max(initial=1e-300),
            customdata=known,
            mode="lines+markers",
            name=f"{name}: rank {len(known)}",
            showlegend=values is not None,
            hovertemplate=f"{name}: σ<sub>%{{x}}</sub> = %{{customdata:.4g}}<extra></extra>",
        )
    longest = max((len(line.x) for line in figure.data), default=0)
    figure.update_xaxes(title="i", dtick=max(1, longest // 5))
    figure.update_yaxes(title="σ<sub>i</sub> / σ<sub>1</sub>", rangemode="tozero")
    return add_legend(format_figure(figure, title, 420))
