"""Pictures of some samples, in the current layout and in others: they reveal a wrong layout."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image
from streamlit.delta_generator import DeltaGenerator

from pages.shared.files import Layout, MatFileError
from pages.shared.files.arrange import RawSamples
from pages.shared.parts import charts, heatmaps
from pages.your_data.reading.layout_controls import Inspection
from pages.your_data.reading.layout_words import describe_difference

MAX_PICTURES = 16
MAX_TITLE = 16  # characters above a picture
MAX_PIXELS = 64  # rows or columns that can be seen in a small picture
MAX_OTHER_LAYOUTS = 4
STRIP_PIXELS = 96, 288  # height and width of the small pictures above a button


def some_of_each(
    y: NDArray[Any], names: Mapping[Any, str], rows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], list[str], str]:
    """Return the places of the first samples of each class, at most four, their titles and meaning.

    `names` are those of the labels, and `rows` the places of the samples in their source, from 0.
    Titles are the number of a sample and the name of its class, or the name alone if that is long.
    """
    labels = list(names)[:MAX_PICTURES]
    each = min(4, MAX_PICTURES // len(labels))
    some = np.concatenate([np.flatnonzero(y == label)[:each] for label in labels])
    shown = [names[label] for label in y[some].tolist()]
    titles = [f"{row + 1:,}: {name}" for row, name in zip(rows[some], shown, strict=True)]
    if max(map(len, titles)) <= MAX_TITLE:
        return some, titles, "Above each: its number and its class."
    half = MAX_TITLE // 2
    short = [name if len(name) <= MAX_TITLE else f"{name[:half]}…{name[-half:]}" for name in shown]
    return some, short, "Above each: its class."


def coarsen(X: NDArray[Any]) -> NDArray[Any]:
    """Leave out rows and columns of samples that have too many for a small picture."""
    _, p, q = X.shape
    return X[:, :: -(-p // MAX_PIXELS), :: -(-q // MAX_PIXELS)].copy()


def draw_samples(
    samples: NDArray[Any],
    shape: tuple[int, int, int],
    titles: list[str],
    meaning: str,
) -> None:
    """Draw samples side by side; `shape` is (n, p, q) before `coarsen`, `meaning` a sentence."""
    _, p, q = shape
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
        else "Black is the smallest number; the largest 2 % are white."
    )
    button_pixels = 30  # above the picture
    figure.layout.height += button_pixels - figure.layout.margin.t
    figure.layout.margin.t = button_pixels
    st.caption(f"Some samples ({p} × {q}). {meaning} {colours}")
    charts.draw(st, figure, key=f"samples: {meaning}")


def strip_url(samples: NDArray[Any], pixels: tuple[int, int] = STRIP_PIXELS) -> str:
    """Return a data URL of a few samples side by side in grey, on a transparent background.

    Missing numbers are transparent, too. `pixels` are its height and width; it is larger if the
    samples do not fit.

    A media file of Streamlit may be gone when the browser asks for it, as each rerun of a page
    deletes the files of the run before.
    """
    known = np.isfinite(samples)
    # Differences may overflow.
    samples = samples / (float(np.abs(samples).max(initial=0.0, where=known)) or 1.0)
    low, high = np.percentile(samples[known], (2, 98)) if known.any() else (0.0, 1.0)
    grey = np.clip((samples - low) / ((high - low) or 1.0), 0, 1) * 255
    count, p, q = grey.shape
    cell = pixels[0], pixels[1] // count
    times = max(1, min(cell[0] // p, cell[1] // (q + 1)))
    sheet = np.zeros((max(cell[0], p), max(cell[1], q + 1) * count, 2), np.uint8)
    for i, sample in enumerate(np.kron(grey, np.ones((1, times, times)))):
        top, left = (len(sheet) - p * times) // 2, sheet.shape[1] // count * i
        area = sheet[top : top + p * times, left : left + q * times]
        area[..., 0], area[..., 1] = np.nan_to_num(sample), 255 * np.isfinite(sample)
    file = io.BytesIO()
    Image.fromarray(sheet).save(file, "PNG")
    return "data:image/png;base64," + b64encode(file.getvalue()).decode()


def find_transpose(inspection: Inspection, layout: Layout) -> Layout | None:
    """Return the layout that transposes the samples of the first layout, if it is drawn, too."""
    if layout.shape is None or [layout] != inspection.layouts[:1]:
        return None
    p, q = layout.shape
    other = replace(layout, shape=(q, p), order="C" if layout.order == "F" else "F")
    return other if other in inspection.layouts[: len(inspection.strips)] else None


def draw_choices(
    preview: DeltaGenerator,
    inspection: Inspection,
    layouts: Sequence[Layout],
    current: Layout,
    apply_layout: Callable[[Layout], None],
) -> None:
    """Draw a button that selects each layout, below its samples if they differ from the current.

    All samples have the same size.
    """
    strips = dict(zip(inspection.layouts, inspection.strips, strict=False))
    places = [place for _ in layouts[::2] for place in preview.columns(2)]
    for place, layout in zip(places, layouts, strict=False):
        other = layouts[1] if layout == current else current
        strip = strips.get(layout)
        if strip is not None and _pictures_differ(layout, other):
            place.image(strip, width="stretch")
        label = describe_difference(layout, other, inspection.variables)
        key = f"take {layout}"
        place.button(label, on_click=apply_layout, args=(layout,), key=key, width="stretch")


def draw_other_layouts(
    preview: DeltaGenerator,
    inspection: Inspection,
    layout: Layout,
    apply_layout: Callable[[Layout], None],
    asked: Layout | None = None,
) -> None:
    """Draw the layouts other than `layout` and than `asked`, each with a button that selects it."""
    drawn = inspection.layouts[: len(inspection.strips)]
    others = [each for each in drawn if each not in (replace(layout, missing=each.missing), asked)]
    others = others[:MAX_OTHER_LAYOUTS]
    if others:
        torn = any(_pictures_differ(other, layout) for other in others)
        preview.caption(f"{'Torn, or on their side? ' if torn else ''}It may also be read so:")
        draw_choices(preview, inspection, others, layout, apply_layout)


def layout_strip(layout: Layout, read: Callable[[Layout], RawSamples]) -> str | None:
    """Return a strip of samples in a layout, or None if the file cannot be read in this layout."""
    try:
        stored = read(replace(layout, missing="drop"))
    except MatFileError:
        return None
    some = np.linspace(0, stored.shape[0] - 1, 3).astype(int)
    return strip_url(coarsen(stored.take(some).X))


def _pictures_differ(other: Layout, layout: Layout) -> bool:
    """Return whether the pictures of two layouts differ, and not only their labels."""
    return any(
        getattr(other, name) != getattr(layout, name)
        for name in ("samples", "axis", "shape", "order", "joined", "place", "cut", "class_axis")
    )
