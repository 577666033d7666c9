"""The hinge and the squared loss, and where the samples lie on them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures.dress import BORDER, Array, dress, explained

LOSSES = {
    "hinge": ("SMM: hinge, [1 − m]₊", lambda m: np.maximum(1 - m, 0.0), "line-ns-open"),
    "squares": ("LS-SMM: squared, (1 − m)² / 2", lambda m: (1 - m) ** 2 / 2, "circle-open"),
}


def losses(margins: Mapping[str, Array], title: str) -> go.Figure:
    """Draw both losses against the margin m = y f, and each machine's samples on its own one.

    Parameters
    ----------
    margins : mapping of ndarray
        Of the machine with the "hinge", and of that with the "squares".
    title : str
    """
    every = np.concatenate([*margins.values()])
    curve = np.linspace(min(-0.5, every.min()), max(2.5, every.max()), 301)
    figure, most = go.Figure(), 1.0
    for name, (label, loss, symbol) in LOSSES.items():
        m = np.concatenate([curve, margins[name]])
        sizes = np.repeat([0, 9], [len(curve), len(margins[name])])
        order = np.argsort(m)
        most = max(most, float(loss(margins[name]).max()))
        figure.add_scatter(  # in one, so that both have the colour of their place
            x=m[order],
            y=loss(m)[order],
            mode="lines+markers",
            marker={"symbol": symbol, "size": sizes[order], "line": {"width": 1.5}},
            name=label,
            hovertemplate="margin %{x:.3g}, loss %{y:.3g}<extra></extra>",
        )
    figure.add_vline(1, line=BORDER)
    explained(dress(figure, title, 400), y=-0.22)
    figure.update_yaxes(title="loss", range=[-0.06 * most, 1.1 * most])
    return figure.update_xaxes(title="margin m = y f(X)")
