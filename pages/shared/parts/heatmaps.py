"""Matrices as heat maps.

Maps of signed numbers have the colours of the theme (blue over the background to vermilion, see
.streamlit/config.toml), always centred on zero: the background colour means 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.parts.charts import COLORBAR, FONT_SIZE, format_figure
from smmcore.arrays import Array

PHONE_WIDTH = 290  # pixels, the width of a picture on a phone
MAX_PICTURE_WIDTH = 240  # pixels, in a gallery
LARGEST = float(np.finfo(np.float32).max)  # in a gallery, whose numbers take four bytes each
COLORBAR_HEIGHT = 56  # pixels, of a colour bar below the picture
BELOW = {
    "orientation": "h",
    **{"x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "ypad": 8},
    **{"lenmode": "pixels", "len": PHONE_WIDTH, "xpad": 0, "nticks": 5},
}
GREY = [[0, "rgb(1,1,1)"], [1, "rgb(254,254,254)"]]


def heatmap(
    M: Array,
    title: str,
    *,
    limit: float | None = None,
) -> go.Figure:
    """Draw a signed matrix."""
    if limit is None:
        limit = float(np.abs(M).max()) or 1.0  # of a matrix of zeros
    figure = go.Figure(_map(M, limit))
    figure.update_traces(hovertemplate="row j %{y}, column l %{x}: %{z:.4g}<extra></extra>")
    figure.update_xaxes(title="column l")
    figure.update_yaxes(title="row j", autorange="reversed")
    return _square(format_figure(figure, title, 380), *M.shape)


def gallery(
    matrices: Sequence[Array] | Array,
    labels: Sequence[str],
    title: str,
    *,
    share: float = 1.0,
    compact: bool = False,
    across: int = 0,
) -> go.Figure:
    """Draw several matrices on one scale in rows of four, or more if there are many.

    With `across` there are as many in a row, and they fill the width.

    They are one picture with gaps, because a figure with axes for each matrix takes seconds.
    """
    fitting, size = _fit_row(max(len(matrices), 4 * compact), labels)
    across = across or fitting
    down = -(-len(matrices) // across)
    heading = 1.4 * size * max(1 + label.count("<br>") for label in labels)  # pixels
    (p, q), finest = np.shape(matrices[0]), 64 if len(matrices) <= 16 else 32
    k, j = np.arange(0, p, -(-p // finest)), np.arange(0, q, -(-q // finest))
    wide = len(j) + -(-len(j) // 10)  # in cells, with the gap beside it
    square = _is_square(len(k), len(j))
    narrow = PHONE_WIDTH / across / wide  # the side of a cell on a phone, in pixels, and on a desk:
    side = (
        narrow
        if compact
        else max(
            narrow,
            min(2 * MAX_PICTURE_WIDTH / across / wide, MAX_PICTURE_WIDTH / wide, 170 / len(k)),
        )
    )
    row = narrow if square else 100 / len(k)
    high = len(k) + int(np.ceil(heading / row))  # with the heading above it

    z = np.full((down * high, across * wide), np.nan, np.float32)
    places = np.zeros((*z.shape, 2), np.uint16)
    annotations = []
    for i, (M, label) in enumerate(zip(matrices, labels, strict=True)):
        bottom, left = (i // across + 1) * high, i % across * wide
        here = np.s_[bottom - len(k) : bottom, left : left + len(j)]
        z[here] = np.clip(np.asarray(M)[np.ix_(k, j)], -LARGEST, LARGEST)
        places[here] = np.stack(np.meshgrid(k + 1, j + 1, indexing="ij"), axis=-1)
        middle, top = left + (len(j) - 1) / 2, bottom - len(k) - 0.5
        annotations.append(
            {"x": middle, "y": top, "text": label, "yanchor": "bottom", "showarrow": False}
        )
    sizes = np.abs(z[np.isfinite(z)])
    sizes = sizes if sizes.size else np.zeros(1)  # matrices of gaps alone
    figure = go.Figure(_map(z, float(np.quantile(sizes, share) or sizes.max()) or 1.0))
    figure.update_traces(
        x0=0,
        y0=0,
        customdata=places,
        hoverongaps=False,
        hovertemplate="row j %{customdata[0]}, column l %{customdata[1]}: %{z:.4g}<extra></extra>",
    )
    figure.update_xaxes(visible=False, range=[-0.5, across * wide - 0.5])
    figure.update_yaxes(visible=False, range=[down * high - 0.5, -0.5])
    if square:
        figure.update_xaxes(constrain="domain")
        figure.update_yaxes(constrain="domain", constraintoward="top", scaleanchor="x")
    format_figure(
        figure, title, int(down * high * (side if square else row)) + 20 + 30 * bool(title)
    )
    if compact:
        figure.update_xaxes(constraintoward="left")
        figure.update_traces(colorbar=COLORBAR | BELOW)
        figure.layout.height += COLORBAR_HEIGHT
        figure.layout.margin.b += COLORBAR_HEIGHT
    return figure.update_layout(annotations=[a | {"font": {"size": size}} for a in annotations])


def samples(
    matrices: Sequence[Array] | Array,
    labels: Sequence[str],
    title: str,
    *,
    signed: bool,
    darkest: float = 0.0,
) -> go.Figure:
    """Draw samples, in grey like photographs if the data has no negative numbers."""
    share = 0.95 if signed else 0.98
    figure = gallery(matrices, labels, title, share=share, compact=True)
    if not signed:
        lightest = figure.data[0].zmax
        figure.update_traces(
            autocolorscale=False,
            colorscale=GREY,
            zmin=darkest,
            zmax=lightest if lightest > darkest else darkest + 1,
        )
    return figure


def _fit_row(count: int, labels: Sequence[str]) -> tuple[int, int]:
    """Return the number of pictures in a row and the font size of their labels, for a phone.

    A letter is about 0.43 times as wide as high.
    """
    letters = max(len(unescape(line)) for label in labels for line in label.split("<br>"))
    wanted = min(count, 4 if count <= 16 else 6 if count <= 36 else 8)
    for size in (FONT_SIZE, FONT_SIZE - 2, FONT_SIZE - 4):
        room = int(PHONE_WIDTH / (0.43 * size * max(letters, 1)))
        if room >= wanted:
            return wanted, size
    return max(room, 1), size


def _map(M: NDArray[np.floating[Any]], limit: float) -> go.Heatmap:
    return go.Heatmap(
        z=M,
        x0=1,
        y0=1,
        zmin=-limit,
        zmax=limit,
        colorbar=COLORBAR,
        autocolorscale=True,  # for signed limits Plotly uses the diverging scale of the theme
    )


def _square(figure: go.Figure, p: int, q: int) -> go.Figure:
    """Make the cells of a matrix square, unless it is very long or wide."""
    if _is_square(p, q):
        figure.update_xaxes(constrain="domain")
        figure.update_yaxes(constrain="domain", constraintoward="top", scaleanchor="x")
    if max(p, q) <= 10:
        figure.update_xaxes(dtick=1).update_yaxes(dtick=1)
    return figure


def _is_square(p: int, q: int) -> bool:
    return max(p, q) <= 4 * min(p, q)
