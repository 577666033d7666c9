"""Charts of singular values: what thresholds make of them, and the sections of balls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.foundations.trace_norm.spectral import Thresholded
from pages.shared.parts.balls import BLUE, ORANGE
from pages.shared.parts.charts import (
    BORDER,
    CHOSEN_COLOUR,
    FONT_SIZE,
    Array,
    add_legend,
    format_figure,
)

COLOURS = BORDER["color"], BLUE, "#009e73", ORANGE  # visible in the light and the dark theme


def rules_chart(results: Sequence[Thresholded], tau: float, eta: float, rank: int) -> go.Figure:
    """Draw singular values before and after: a line for each rule, a dot for each value.

    Parameters
    ----------
    results : sequence of Thresholded
        No rule, soft threshold, elastic net, hard rank.
    tau, eta, rank : float, float, int
        The settings of the rules.
    """
    sigma = results[0].sigma
    largest = 1.1 * max(float(sigma[0]), tau)
    x = np.linspace(0, largest, 221)
    edge = sigma[rank - 1] if rank else np.inf
    soft = np.maximum(x - tau, 0)
    lines = x, soft, soft / (1 + 2 * eta), np.where(x < edge, 0, x)
    dashes = "dot", "solid", "solid", "solid"
    figure = go.Figure()
    for result, y, colour, dash in zip(results, lines, COLOURS, dashes, strict=True):
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": colour, "width": 2.5, "dash": dash},
            name=result.rule,
            legendgroup=result.rule,
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=sigma,
            y=result.sigma,
            mode="markers",
            marker={"color": colour, "size": 8},
            legendgroup=result.rule,
            showlegend=False,
            hovertemplate=f"{result.rule}<br>σ = %{{x:.3f}} becomes %{{y:.3f}}<extra></extra>",
        )
    figure.add_vline(x=tau, line=BORDER, annotation={"text": "τ", "font": {"size": FONT_SIZE}})
    figure.update_xaxes(title="singular value of M", range=[0, largest])
    figure.update_yaxes(title="afterwards", range=[-0.03 * largest, largest])
    return add_legend(format_figure(figure, "Shrink and threshold", 460))


def sections_chart(outlines: Mapping[str, Array]) -> go.Figure:
    """Draw balls over the plane of two singular values, by name."""
    figure = go.Figure()
    for (name, points), colour in zip(outlines.items(), COLOURS[1:], strict=True):
        figure.add_scatter(
            x=points[:, 0],
            y=points[:, 1],
            mode="lines",
            line={"color": colour, "width": 3},
            name=name,
            hovertemplate=f"{name}<br>σ₁ = %{{x:.3f}}, σ₂ = %{{y:.3f}}<extra></extra>",
        )
    figure.add_scatter(
        x=[1, 0],
        y=[0, 1],
        mode="markers",
        marker={"color": CHOSEN_COLOUR, "size": 12},
        name="rank 1",
        hovertemplate="rank 1<extra></extra>",
        cliponaxis=False,
    )
    figure.update_xaxes(title="σ₁", range=[0, 1.08], constrain="domain", nticks=5)
    figure.update_yaxes(title="σ₂", range=[0, 1.08], scaleanchor="x", nticks=5)
    return add_legend(format_figure(figure, "Balls of two singular values", 460))
