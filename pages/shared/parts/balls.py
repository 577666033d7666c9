"""Pictures of balls in three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.shared.parts.charts import FONT_SIZE, colour, format_figure
from pages.shared.player.panels import FAINT, INK
from smmcore.arrays import Array


def draw_ball(
    points: Array,
    title: str,
    *,
    edges: Sequence[Array],
    bound: float,
    names: Sequence[str],
) -> go.Figure:
    """Draw the boundary of a ball in three dimensions, which the viewer can turn."""
    x, y, z = np.moveaxis(points, -1, 0)
    figure = go.Figure(
        go.Surface(
            x=x,
            y=y,
            z=z,
            surfacecolor=np.linalg.norm(points, axis=-1),
            colorscale=[[0, colour("borderColor")], [1, colour(FAINT)]],
            showscale=False,
            lighting={"ambient": 0.55, "diffuse": 0.7, "specular": 0.15, "roughness": 0.7},
            lightposition={"x": 600, "y": -400, "z": 900},
            hovertemplate="(%{x:.2f}, %{y:.2f}, %{z:.2f})<extra></extra>",
        )
    )
    for edge in edges:
        figure.add_scatter3d(
            **dict(zip("xyz", 1.01 * edge.T, strict=True)),  # otherwise the surface would cut them
            mode="lines",
            line={"color": colour(INK), "width": 8},
            hoverinfo="skip",
        )
    reach = 1.15 * bound
    axis = {
        "range": [-reach, reach],
        "tickvals": [-bound, 0, bound],
        "showbackground": False,
        "gridcolor": colour(FAINT),
        "zerolinecolor": colour(FAINT),
        "tickfont": {"size": FONT_SIZE - 4},
    }
    figure = format_figure(figure, title, 400)
    return figure.update_layout(
        scene={
            **{
                f"{letter}axis": axis | {"title": {"text": name}}
                for letter, name in zip("xyz", names, strict=True)
            },
            "aspectmode": "cube",
            "camera": {"eye": {"x": 1.95, "y": -1.85, "z": 1.1}, "center": {"z": -0.12}},
            "dragmode": "turntable",
        },
        dragmode="turntable",
    )
