"""A few samples as pictures, so that whoever knows them sees whether they were read right."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import charts, figures
from smmcore.matfile import written

MOST = 16  # pictures
FINEST = 64  # rows or columns that an eye sees in a small picture
SHEET = 96, 288  # pixels, of the small pictures above a button


def some_of_each(y: NDArray, classes: tuple) -> tuple[NDArray[np.intp], list[str]]:
    """The first samples of each class, four at most, and what to write above them."""
    classes = classes[:MOST]
    each = min(4, MOST // len(classes))
    some = np.concatenate([np.flatnonzero(y == label)[:each] for label in classes])
    return some, [f"{i + 1:,}: {written(y[i])}" for i in some]


def few(X: NDArray) -> NDArray:
    """These samples, as fine as the eye sees in a small picture."""
    _, p, q = X.shape
    return X[:, :: -(-p // FINEST), :: -(-q // FINEST)].copy()


def draw(preview, samples: NDArray, shape: tuple, titles: list[str], told: str) -> None:
    """Draw samples beside each other; `shape` ends in their true rows and columns."""
    *_, p, q = shape
    known = samples[np.isfinite(samples)]
    smallest = float(known.min()) if known.size else 0.0
    figure = figures.samples(
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
        st.caption(f"Some samples, {p} x {q}: {told}. {colours}")
        charts.draw(st, figure)


def strip(samples: NDArray) -> str:
    """A few samples side by side in grey, on a transparent sheet of always the same size.

    The address of the picture is the picture: a file of Streamlit's own may be gone by the time a
    browser asks for it, as every run of a page begins with forgetting those of the last.
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
    """A sheet of grey values and their opacity, (height, width, 2), as a PNG file."""
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
