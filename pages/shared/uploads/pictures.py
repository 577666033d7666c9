"""A few samples as pictures, so that whoever knows them sees whether they were read right."""

from __future__ import annotations

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
    figure.update_layout(margin_t=30)
    with preview:
        st.caption(f"Some samples, {p} x {q}: {told}. {colours}")
        charts.draw(st, figure)


def strip(samples: NDArray) -> NDArray[np.uint8]:
    """A few samples side by side in grey, on a transparent sheet of always the same size."""
    low, high = np.percentile(samples, (2, 98))
    grey = np.clip((samples - low) / ((high - low) or 1.0), 0, 1) * 255
    count, p, q = grey.shape
    cell = SHEET[0], SHEET[1] // count
    times = max(1, min(cell[0] // p, cell[1] // (q + 1)))
    sheet = np.zeros((max(cell[0], p), max(cell[1], q + 1) * count, 4), np.uint8)
    for i, sample in enumerate(np.kron(grey, np.ones((1, times, times)))):
        top, left = (len(sheet) - p * times) // 2, sheet.shape[1] // count * i
        area = sheet[top : top + p * times, left : left + q * times]
        area[..., :3], area[..., 3] = sample[..., None], 255
    return sheet
