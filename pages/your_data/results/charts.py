"""Charts of a trial: the accuracies, and the confusion matrix of one method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.numbers import percent
from pages.shared.parts.charts import BORDER, COLORBAR, format_figure
from pages.shared.player.panels import NAMES_BY_COLOUR

LEFT = 0.35  # of the axis: to the right of a line there the words at it have room


class Bar(NamedTuple):
    """An accuracy, and the range in which it may lie."""

    accuracy: float
    low: float
    high: float


def accuracies(bars: Mapping[str, Bar], majority: float, part: str) -> go.Figure:
    """Draw a dot and a range for each method, and a line at the majority rate."""
    figure = go.Figure()
    lowest = min(majority, *(bar.low for bar in bars.values()))
    for name in NAMES_BY_COLOUR.values():  # all, so that each keeps its colour
        bar = bars.get(name)
        figure.add_scatter(
            x=[bar.accuracy if bar else None],
            y=[name] if name in bars else [None],
            name=name,
            mode="markers+text",
            text=[f"<b>{percent(bar.accuracy)}</b>" if bar else ""],
            textposition="top center",
            marker={"size": 15},
            error_x={
                "array": [bar.high - bar.accuracy if bar else None],
                "arrayminus": [bar.accuracy - bar.low if bar else None],
                "thickness": 3,
                "width": 8,
            },
            cliponaxis=False,
            hovertemplate=f"{name}: %{{x:.1%}}<extra></extra>",
        )
    figure.add_vline(majority, line=BORDER | {"width": 2})
    figure.add_annotation(
        x=majority,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"largest class: {percent(majority)}",
        showarrow=False,
        xanchor="left" if majority - lowest < LEFT * (1 - lowest) else "right",
    )
    room = 0.1 * (1 - lowest) or 0.01
    figure.update_xaxes(range=[max(lowest - room, -room), 1 + room], tickformat=".0%", nticks=6)
    figure.update_yaxes(categoryorder="array", categoryarray=list(bars)[::-1])
    figure.update_yaxes(range=[-0.6, len(bars) - 0.3])
    format_figure(figure, f"Accuracy on {part} samples", 400)
    figure.layout.margin.t += 24  # for the words at the line
    return figure


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


def _shorten(name: str, letters: int) -> str:
    """Cut a name in HTML that has more letters."""
    text = unescape(name)
    return name if len(text) <= letters else f"{escape(text[: letters - 1])}…"
