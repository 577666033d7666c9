"""Balls that stand still: p against sparse and convex, two that look alike, and solids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures.dress import BORDER, CHOSEN, FONT, STAR, Array, dress, explained

BLUE, ORANGE = "#0072b2", "#d55e00"  # seen by day and by night
TICKS = (0.0, 0.5, 1.0, 2.0, 5.0, np.inf)


def sparse_and_convex(p: float | None) -> go.Figure:
    """Draw for which p the l_p ball has corners on the axes, and for which it is convex.

    Parameters
    ----------
    p : float, optional
        Where the star stands.
    """
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
    return dress(figure, "Only p = 1 is both", 210)


def alike(balls: Sequence[tuple[str, Array]], title: str, window: float | None = None) -> go.Figure:
    """Draw outlines over each other, all of them or what is near (1, 0).

    Parameters
    ----------
    balls : sequence of (name, outline of shape (m, 2))
    title : str
    window : float, optional
        How far to look from (1, 0).
    """
    figure = go.Figure()
    for (name, points), (colour, dash) in zip(
        balls, ((ORANGE, "solid"), (BLUE, "dash")), strict=True
    ):
        figure.add_scatter(
            x=points[:, 0],
            y=points[:, 1],
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
    return explained(dress(figure, title, 400))


def solid(
    points: Array,
    title: str,
    *,
    corners: Sequence[Sequence[float]] = (),
    edges: Sequence[Array] = (),
    point: Array | None = None,
    bound: float,
    names: Sequence[str] = ("θ₁", "θ₂", "θ₃"),
) -> go.Figure:
    """Draw the boundary of a ball in three dimensions, which one can turn.

    Parameters
    ----------
    points : ndarray of shape (k, m, 3)
    title : str
    corners : sequence of points
        Marked with a dot.
    edges : sequence of ndarray of shape (j, 3)
        Marked with a line.
    point : ndarray of shape (3,), optional
        Marked with a dot of its own.
    bound : float
        How far the axes reach.
    names : sequence of str
        Of the axes.
    """
    x, y, z = np.moveaxis(points, -1, 0)
    figure = go.Figure(
        go.Surface(
            x=x,
            y=y,
            z=z,
            surfacecolor=np.linalg.norm(points, axis=-1),
            colorscale=[[0, "#7fb8dd"], [1, "#4f94c4"]],
            showscale=False,
            lighting={"ambient": 0.55, "diffuse": 0.7, "specular": 0.15, "roughness": 0.7},
            lightposition={"x": 600, "y": -400, "z": 900},
            hovertemplate="(%{x:.2f}, %{y:.2f}, %{z:.2f})<extra></extra>",
        )
    )
    for edge in edges:
        figure.add_scatter3d(
            **dict(zip("xyz", 1.01 * edge.T, strict=True)),  # or the surface would cut it
            mode="lines",
            line={"color": ORANGE, "width": 8},
            hoverinfo="skip",
        )
    if len(corners):
        figure.add_scatter3d(
            **dict(zip("xyz", np.transpose(corners), strict=True)),
            mode="markers",
            marker={"color": ORANGE, "size": 6},
            hovertemplate="(%{x:.2f}, %{y:.2f}, %{z:.2f})<extra></extra>",
        )
    if point is not None:
        figure.add_scatter3d(
            **{axis: [1.02 * value] for axis, value in zip("xyz", point, strict=True)},
            mode="markers",
            marker={"color": CHOSEN, "size": 8},
            hovertemplate=f"θ̂ = ({', '.join(f'{value:.3f}' for value in point)})<extra></extra>",
        )
    reach = 1.15 * bound
    axis = {
        "range": [-reach, reach],
        "tickvals": [-bound, 0, bound],
        "showbackground": False,
        "gridcolor": BORDER["color"],
        "zerolinecolor": BORDER["color"],
        "tickfont": {"size": FONT - 4},
    }
    figure = dress(figure, title, 400)
    return figure.update_layout(
        scene={
            **{
                f"{letter}axis": axis | {"title": {"text": name}}
                for letter, name in zip("xyz", names, strict=True)
            },
            "aspectmode": "cube",
            "camera": {"eye": {"x": 1.75, "y": -1.65, "z": 1.0}, "center": {"z": -0.12}},
            "dragmode": "turntable",
        },
        dragmode="turntable",
    )


def _place(p: float) -> float:
    return 1.0 if np.isinf(p) else p / (1 + p)
