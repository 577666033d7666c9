"""The chart of the lesson Hinge or squared loss: both losses, and the samples on them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from pages.shared.parts.charts import BORDER, Array, add_legend, format_figure

CURVES = {  # label, formula and mark of each loss
    "hinge": ("SMM: hinge, [1 − m]₊", lambda m: np.maximum(1 - m, 0.0), "line-ns-open"),
    "squares": ("LS-SMM: squared, (1 − m)² / 2", lambda m: (1 - m) ** 2 / 2, "circle-open"),
}


def loss_chart(margins: Mapping[str, Array], title: str) -> go.Figure:
    """Draw both losses against the margin m = y f, with the samples of each machine on its own.

    Parameters
    ----------
    margins : mapping of ndarray
        Of the machine with the "hinge", and of that with the "squares".
    title : str
    """
    every = np.concatenate([*margins.values()])
    curve = np.linspace(min(-0.5, every.min()), max(2.5, every.max()), 301)
    figure, highest = go.Figure(), 1.0
    for name, (label, loss, symbol) in CURVES.items():
        m = np.concatenate([curve, margins[name]])
        sizes = np.repeat([0, 9], [len(curve), len(margins[name])])
        order = np.argsort(m)
        highest = max(highest, float(loss(margins[name]).max()))
        figure.add_scatter(  # curve and samples in one trace, so that they share its colour
            x=m[order],
            y=loss(m)[order],
            mode="lines+markers",
            marker={"symbol": symbol, "size": sizes[order], "line": {"width": 1.5}},
            name=label,
            hovertemplate="margin %{x:.3g}, loss %{y:.3g}<extra></extra>",
        )
    figure.add_vline(1, line=BORDER)
    add_legend(format_figure(figure, title, 400), y=-0.22)
    figure.update_yaxes(title="loss", range=[-0.06 * highest, 1.1 * highest])
    return figure.update_xaxes(title="margin m = y f(X)")
