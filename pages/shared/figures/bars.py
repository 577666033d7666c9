"""Bars: the singular values of a matrix, the sizes of classes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures.dress import Array, dress


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
    return dress(figure, title, 320)


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
    return dress(figure, title, 200)
