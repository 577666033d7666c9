"""The charts of the lesson: p against sparse and convex, and two balls that look alike."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.shared.parts.balls import BLUE, ORANGE
from pages.shared.parts.charts import BORDER, STAR, add_legend, format_figure
from smmcore.balls import outline
from smmcore.penalties import Ball, ElasticBall, Lp

TICKS = (0.0, 0.5, 1.0, 2.0, 5.0, np.inf)  # of p


def sparse_and_convex(p: float | None) -> go.Figure:
    """Draw for which p the l_p ball has corners on the axes or is convex, and a star at a p."""
    figure = go.Figure()
    for row, (name, low, high, colour) in enumerate(
        (("convex", 1.0, np.inf, BLUE), ("corners: sparse", 0.0, 1.0, ORANGE))
    ):
        figure.add_scatter(
            x=[_place(low), _place(high)],
            y=[row, row],
            mode="lines",
            line={"color": colour, "width": 22},
            hovertemplate=f"{name}: {low:g} ≤ p ≤ {high:g}<extra></extra>".replace("inf", "∞"),
        )
    figure.add_vline(x=_place(1.0), line=BORDER)
    if p is not None:
        figure.add_scatter(
            x=[_place(p)], y=[0.5], mode="markers", marker=STAR, hoverinfo="skip", cliponaxis=False
        )
    texts = [f"{tick:g}".replace("inf", "∞") for tick in TICKS]
    figure.update_xaxes(
        title="p", range=[-0.03, 1.03], tickvals=[_place(tick) for tick in TICKS], ticktext=texts
    )
    figure.update_yaxes(
        tickvals=[0, 1], ticktext=["convex", "sparse"], range=[-0.6, 1.6], fixedrange=True
    )
    return format_figure(figure, "Only p = 1 is both", 210)


def similar_balls(
    elastic: ElasticBall, p: float, title: str, window: float | None = None
) -> go.Figure:
    """Draw the outlines of an elastic ball and of an l_p ball, or a window around (1, 0)."""
    figure = go.Figure()
    for name, ball, colour, dash in (
        (f"ℓ₁ + ℓ₂, τ = {elastic.tau:g}", elastic, ORANGE, "solid"),
        (f"ℓₚ, p = {p:.2f}", Ball(Lp(p), 1.0), BLUE, "dash"),
    ):
        x, y = outline(ball, 400).T
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": colour, "width": 3, "dash": dash},
            name=name,
            hovertemplate=f"{name}<br>(%{{x:.4f}}, %{{y:.4f}})<extra></extra>",
        )
    across, up = (-1.1, 1.1), (-1.1, 1.1)
    if window:
        across, up = (1 - 1.6 * window, 1 + 0.4 * window), (-window, window)
    figure.update_xaxes(title="θ₁", range=across, constrain="domain", nticks=5)
    figure.update_yaxes(title="θ₂", range=up, scaleanchor="x", nticks=5)
    return add_legend(format_figure(figure, title, 400))


def _place(p: float) -> float:
    return 1.0 if np.isinf(p) else p / (1 + p)
