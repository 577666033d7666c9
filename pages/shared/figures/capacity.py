"""Bounds of the VC dimension against the rank."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from pages.shared.figures.dress import BORDER, CHOSEN, STAR, dress, explained


def vc_dimension(
    proved: Sequence[float],
    warren: Sequence[float],
    hyperplanes: int,
    printed: Sequence[float],
    holds: Sequence[bool],
    rank: int,
    title: str,
) -> go.Figure:
    """Draw bounds for the ranks from 1 on, both axes logarithmic.

    Parameters
    ----------
    proved, warren, printed : sequence of float
        A number for each rank.
    hyperplanes : int
        The bound for all W.
    holds : sequence of bool
        Whether the printed bound is proved at this rank; where not, its mark is open.
    rank : int
        The chosen one.
    title : str
    """
    ranks = list(range(1, len(proved) + 1))
    figure = go.Figure()
    open_marks = {"symbol": "circle-open", "size": [0 if good else 9 for good in holds]}
    dots = {"size": 6} if len(ranks) == 1 else None  # of one rank there is no line
    lines = {
        "all W: nm + 1": ([hyperplanes] * len(ranks), BORDER["color"], "dash", dots),
        "sign patterns": (warren, "#0072b2", "dot", dots),
        "printed (○: its proof fails)": (printed, "#d55e00", "dot", open_marks),
        "proved: the smaller one": (proved, CHOSEN, "solid", dots),
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
    figure = dress(figure, title, 420)
    ticks = [digit * 10**k for k in range(7) for digit in (1, 2, 5)]
    texts = [f"{tick:,}" for tick in ticks]
    figure.update_xaxes(title="rank k", type="log", tickvals=ticks, ticktext=texts)
    figure.update_yaxes(title="samples", type="log", tickvals=ticks, ticktext=texts, **grid)
    return explained(figure)
