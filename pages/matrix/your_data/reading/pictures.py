"""A few samples as pictures, which show whether a file is read right."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.parts import charts, heatmaps
from smmcore.matfile import written

MAX_PICTURES = 16
MAX_PIXELS = 64  # rows or columns that an eye sees in a small picture
SHEET = 96, 288  # height and width in pixels of the small pictures above a button


def some_of_each(y: NDArray, classes: tuple) -> tuple[NDArray[np.intp], list[str]]:
    """Return the first samples of each class, four at most, and their titles."""
    classes = classes[:MAX_PICTURES]
    each = min(4, MAX_PICTURES // len(classes))
    some = np.concatenate([np.flatnonzero(y == label)[:each] for label in classes])
    return some, [f"{i + 1:,}: {written(y[i])}" for i in some]


def coarsen(X: NDArray) -> NDArray:
    """Leave out rows and columns of samples that are too fine for a small picture."""
    _, p, q = X.shape
    return X[:, :: -(-p // MAX_PIXELS), :: -(-q // MAX_PIXELS)].copy()


def draw(preview, samples: NDArray, shape: tuple, titles: list[str], meaning: str) -> None:
    """Draw samples beside each other; `shape` ends in their true rows and columns."""
    *_, p, q = shape
    known = samples[np.isfinite(samples)]
    smallest = float(known.min()) if known.size else 0.0
    figure = heatmaps.samples(
        samples,
        [escape(title) for title in titles],  # HTML to Plotly
        "",
        signed=smallest < 0,
        darkest=smallest,
    )
    colours = (
        "Colours are centred on 0 and full at the largest 5 % of the numbers."
        if smallest < 0
        else "Black is the smallest number, white the largest 2 %."
    )
    above = 30  # of the picture, for its buttons
    figure.layout.height += above - figure.layout.margin.t
    figure.layout.margin.t = above
    with preview:
        st.caption(f"Some samples, {p} x {q}: {meaning}. {colours}")
        charts.draw(st, figure)


def strip(samples: NDArray) -> str:
    """Return a few samples side by side in grey, on a transparent sheet of a fixed size.

    The result is a data URL: a media file of Streamlit may be gone when the browser asks for it, as
    each rerun of a page forgets those of the one before.
    """
    samples = samples / (float(np.abs(samples).max()) or 1.0)  # differences may overflow
    low, high = np.percentile(samples, (2, 98))
    grey = np.clip((samples - low) / ((high - low) or 1.0), 0, 1) * 255
    count, p, q = grey.shape
    cell = SHEET[0], SHEET[1] // count
    times = max(1, min(cell[0] // p, cell[1] // (q + 1)))
    sheet = np.zeros((max(cell[0], p), max(cell[1], q + 1) * count, 2), np.uint8)
    for i, sample in enumerate(np.kron(grey, np.ones((1, times, times)))):
        top, left = (len(sheet) - p * times) // 2, sheet.shape[1] // count * i
        area = sheet[top : top + p * times, left : left + q * times]
        area[..., 0], area[..., 1] = sample, 255
    return "data:image/png;base64," + b64encode(_png(sheet)).decode()


def _png(sheet: NDArray[np.uint8]) -> bytes:
    """Return grey values and their opacity, (height, width, 2), as a PNG file."""
    height, width, _ = sheet.shape
    lines = np.insert(sheet.reshape(height, -1), 0, 0, axis=1)  # each begins with its filter: none

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 4, 0, 0, 0)  # 8 bits, grey and opacity
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines.tobytes()))
        + chunk(b"IEND", b"")
    )
