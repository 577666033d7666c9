"""The chart of the lesson Wolf's Table 1: bounds of the VC dimension against the rank."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from pages.shared.parts.charts import BORDER, CHOSEN_COLOUR, STAR, add_legend, format_figure
from smmcore.theory import VCBound


def vc_chart(bounds: Sequence[VCBound], rank: int, title: str) -> go.Figure:
    """Draw the bounds for the ranks from 1 on, both axes logarithmic, with a star at one rank.

    The mark of the printed bound is open where its proof fails.
    """
    proved, warren, hyperplanes, printed, holds = zip(*bounds, strict=True)
    ranks = list(range(1, len(bounds) + 1))
    figure = go.Figure()
    open_marks = {"symbol": "circle-open", "size": [0 if good else 9 for good in holds]}
    dots = {"size": 6} if len(ranks) == 1 else None  # a single rank makes no line
    lines = {
        "all W: nm + 1": (hyperplanes, BORDER["color"], "dash", dots),
        "sign patterns": (warren, "#0072b2", "dot", dots),
        "printed (○: its proof fails)": (printed, "#d55e00", "dot", open_marks),
        "proved: the smaller one": (proved, CHOSEN_COLOUR, "solid", dots),
    }
    for name, (values, colour, dash, marks) in lines.items():
        figure.add_scatter(
            x=ranks,
            y=values,
            mode="lines+markers" if marks else "lines",
            line={"color": colour, "width": 4 if dash == "solid" else 2, "dash": dash},
            marker=marks,
            name=name,
            hovertemplate=f"rank %{{x}}: {name.split(' (')[0]} %{{y:,.0f}}<extra></extra>",
        )
    figure.add_scatter(
        x=[rank],
        y=[proved[rank - 1]],
        mode="markers",
        marker=STAR,
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )
    grid = {"showgrid": True, "gridcolor": BORDER["color"], "griddash": "dot", "gridwidth": 0.5}
    figure = format_figure(figure, title, 420)
    ticks = [digit * 10**k for k in range(7) for digit in (1, 2, 5)]
    texts = [f"{tick:,}" for tick in ticks]
    figure.update_xaxes(title="rank k", type="log", tickvals=ticks, ticktext=texts)
    figure.update_yaxes(title="samples", type="log", tickvals=ticks, ticktext=texts, **grid)
    return add_legend(figure)
