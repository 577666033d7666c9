"""Draw the first layer of W: its rows, channels on the head where they have places, and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from pages.shared.data.bundled import P300
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.numbers import percent
from pages.shared.parts import charts
from pages.shared.parts.charts import format_figure
from pages.your_data.trial.trial import SplitResult
from smmcore.arrays import Array

HEIGHT = 300


def first_layer(result: SplitResult, k: int) -> tuple[Array, Array, float]:
    """Return u_1, v_1 and the share of the first layer, sigma_1 / sum of all.

    Of whitened samples the layer is that of R^-1 W Q^-1, with the inverse roots R and Q of the
    covariances: the pattern that W looks for, in the units of the samples. Weights also cancel
    noise, so their own picture does not show where a signal is (Haufe et al., NeuroImage 2014).
    The entry of v_1 with the largest size is positive.
    """
    W, scaling = result.W[k], result.scaling
    if scaling.white_left is not None and scaling.white_right is not None:
        W = np.linalg.solve(scaling.white_left, np.linalg.solve(scaling.white_right, W.T).T)
    U, sigma, V = np.linalg.svd(W)
    sign = np.sign(V[0, np.abs(V[0]).argmax()])
    return sign * U[:, 0], sign * V[0], float(sigma[0] / sigma.sum())


def draw_layer(data: LabelledDataset, result: SplitResult, k: int) -> None:
    """Draw the first layer of W, if it has one and samples are matrices."""
    if not result.rank[k] or min(result.W.shape[1:]) == 1:
        return
    u, v, share = first_layer(result, k)
    left, right = st.columns(2)
    is_whole = isinstance(data, P300) and result.W.shape[1:] == data.shape[1:]
    places = np.array([*P300.channels.values()]) if is_whole else None
    charts.draw(left, _rows(u, places))
    step, unit = (P300.moment, "ms after the flash") if is_whole else (1.0, "column")
    times = step * np.arange(len(v)) + (0 if is_whole else 1)
    charts.draw(right, _columns(v, times, unit))
    is_pattern = result.scaling.white_left is not None
    what = "what W looks for in samples before the whitening" if is_pattern else "of W"
    peak = times[np.abs(v).argmax()]
    place_of_peak = f"{peak:.0f} {unit}" if is_whole else f"in column {peak:.0f}"
    st.caption(
        f"First layer u₁ v₁ᵀ, {what}: {percent(share, 0)} of the sum of all heights. v₁ is largest "
        f"{place_of_peak}."
    )


def _rows(u: Array, places: Array | None) -> go.Figure:
    """Draw u_1 on the head, or as bars."""
    most = float(np.abs(u).max())
    marker = {"color": u, "autocolorscale": True, "cmin": -most, "cmax": most}
    if places is None:
        figure = go.Figure(go.Bar(x=np.arange(1, len(u) + 1), y=u, marker=marker))
        figure.update_xaxes(title="row")
        return format_figure(figure, "u₁, rows of the first layer", HEIGHT)
    names = [*P300.channels]
    figure = go.Figure(
        go.Scatter(
            x=places[:, 0],
            y=places[:, 1],
            text=names,
            mode="markers+text",
            textposition="bottom center",
            marker=marker | {"size": 20, "line": {"width": 1}},
            customdata=u,
            hovertemplate="%{text}: %{customdata:.2f}<extra></extra>",
        )
    )
    angle = np.linspace(0, 2 * np.pi, 90)
    outlines = [(np.cos(angle), np.sin(angle)), ([-0.1, 0, 0.1], [0.995, 1.12, 0.995])]
    for x, y in outlines:  # the head and its nose
        figure.add_scatter(x=x, y=y, mode="lines", line=charts.border(), hoverinfo="skip")
    figure.update_xaxes(visible=False, range=[-1.3, 1.3])
    figure.update_yaxes(visible=False, range=[-1.35, 1.2], scaleanchor="x")
    return format_figure(figure, "u₁ on the head, seen from above", HEIGHT)


def _columns(v: Array, times: NDArray[np.floating[Any]], unit: str) -> go.Figure:
    """Draw v_1 as a wave."""
    figure = go.Figure(go.Scatter(x=times, y=v, mode="lines+markers"))
    figure.add_hline(0, line=charts.border())
    figure.update_xaxes(title=unit)
    return format_figure(figure, "v₁, its wave" if unit != "column" else "v₁, its columns", HEIGHT)
