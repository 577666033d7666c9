"""Layouts in words and in pictures, the current one and others: they reveal a wrong layout."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, Literal, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image
from streamlit.delta_generator import DeltaGenerator

from pages.shared.parts import charts, heatmaps
from pages.shared.parts.prose import escape_markdown
from pages.your_data.files import FileError, Layout, Variable
from pages.your_data.files.arrange import RawSamples
from pages.your_data.files.formats.errors import format_shape, quote
from pages.your_data.files.formats.variables import (
    EACH,
    NUMERIC,
    READABLE,
    SLOT,
    VALIDATION_WORDS,
    split_words,
)
from pages.your_data.files.infer.recordings import find_way
from pages.your_data.files.layout import Implied, Order, Sense, long_axes

MAX_PICTURES = 16
MAX_TITLE = 16  # characters above a picture
MAX_PIXELS = 64  # rows or columns that can be seen in a small picture
MAX_OTHER_LAYOUTS = 4
STRIP_PIXELS = 96, 288  # height and width of the small pictures above a button
ORDERS: dict[Order, str] = {"F": "down columns", "C": "along rows"}
IMPLIED: dict[Implied, str] = {
    "row": "implied: the row of the cell array",
    "column": "implied: the column of the cell array",
    "first column": "in the first column of the samples",
    "last column": "in the last column of the samples",
}
MISSING_NOTES = {
    "cut": "cut to the shortest sample",
    "drop": "samples with NaN are left out",
    "impute": "means take the place of NaN",
}
# The test set is samples, or what a vector says by its sense.
TestPart = Sense | Literal["", "samples"]
PLACES: dict[TestPart, str] = {"places": "the places in {}", "other places": "the places not in {}"}


def display_name(variable: str, longest: int = 40) -> str:
    """Return the name of a variable for display: escaped and shortened."""
    return quote(variable, longest)[1:-1]


def describe_labels(layout: Layout) -> str:
    """Return where the labels are."""
    name = escape_markdown(display_name(layout.labels))
    return f"from the {name}" if SLOT in layout.labels else name or IMPLIED[layout.implied]


def describe_groups(layout: Layout) -> str:
    """Return where the groups are."""
    name = display_name(layout.samples, 80)
    if layout.groups:
        return "from the " * (SLOT in layout.groups) + display_name(layout.groups, 80)
    if layout.window:
        return "recordings, or parts of them in time"
    if layout.cells and not layout.implied:
        return f"one for each {name}" if EACH in name else f"the cells of {name}"
    return "none"


def describe_test_part(variables: dict[str, Variable], sense: TestPart, name: str) -> str:
    """Return where the test set is."""
    if not name:
        return "none"
    text = display_name(name, 80)
    if sense in PLACES:
        return PLACES[sense].format(text)
    if sense == "samples":
        return text
    is_text = name in variables and variables[name].matlab_class not in NUMERIC
    return f"where {text} says test" if is_text else f"where {text} is {sense}"


def describe_differences(
    pairs: Sequence[tuple[Layout, Layout]], labels: dict[str, Variable]
) -> list[str]:
    """Return how layouts differ from others, as labels of buttons; equal ones say more."""
    found = [[*_differences(one, other, labels)] or ["as proposed"] for one, other in pairs]
    texts = []
    for first, *rest in found:
        alike = [each for each in found if each[0] == first]
        shared = set.intersection(*map(set, alike))
        texts.append(
            ", ".join([first, *(part for part in rest if part not in shared)])
            if len(alike) > 1
            else first
        )
    return texts


def _differences(other: Layout, layout: Layout, labels: dict[str, Variable]) -> Iterator[str]:
    """Yield how another layout differs, what matters most first."""
    if other.samples != layout.samples:
        yield f"from {escape_markdown(display_name(other.samples, 20))}"
    if other.are_alike != layout.are_alike:
        yield "labels written alike" if other.are_alike else "labels as they are"
    if other.sentinel != layout.sentinel:
        yield "as numbers" if other.sentinel is None else f"no number where {other.sentinel:g}"
    if other.segment != layout.segment:
        yield "as spectrograms" if other.segment else f"as {find_way(other)}"
    if other.window != layout.window:
        yield f"windows of {other.window[0]:,} moments" if other.window else "not cut"
    if other.axis != layout.axis:
        yield f"samples along axis {other.axis + 1}"
    if other.cut != layout.cut and other.cut:
        yield describe_cut(other)
    if (other.joined, other.place) != (layout.joined, layout.place) and describe_axes(other):
        yield describe_axes(other)
    if (other.labels, other.implied) != (layout.labels, layout.implied):
        name = escape_markdown(display_name(other.labels, 20)) or f"the {other.implied}"
        yield f"labels {describe_labels(other) if SLOT in other.labels else f'by {name}'}"
    if other.shape and (other.shape, other.order) != (layout.shape, layout.order):
        yield f"{format_shape(other.shape)}, {ORDERS[other.order]}"
    if other.parts and (other.parts, other.sense) != (layout.parts, layout.sense):
        yield f"test set: {escape_markdown(describe_test_part(labels, other.sense, other.parts))}"
    if layout.parts and not other.parts:
        yield "no test set"


def describe_cut(layout: Layout) -> str:
    """Return to which size cells are cut."""
    assert layout.cut is not None
    size = format_shape(layout.cut)
    return f"{size}, without smaller cells" if layout.missing == "drop" else f"cells cut to {size}"


def describe_axes(layout: Layout) -> str:
    """Return how the three axes of a sample become two; empty if it has two."""
    if layout.joined:
        return describe_way(layout.joined)
    if layout.place:
        return f"slice {layout.place[1] + 1} along axis {layout.place[0] + 1}"
    return ""


def describe_way(axes: tuple[int, ...], shape: tuple[int, ...] = ()) -> str:
    """Return how three axes may become two: two are joined, or one slice along one is used."""
    one, *others = axes
    if others:
        return f"axes {one + 1} and {others[0] + 1} joined"
    return f"one slice along axis {one + 1}, of {shape[one]:,}"


def describe_variable(variable: Variable) -> str:
    """Return name, shape and class of a variable."""
    shape = format_shape(variable.shape)
    return f"{display_name(variable.name, 80)}: {shape} {variable.matlab_class}"


def describe_reading(
    layout: Layout, shape: tuple[int, int, int], classes: int, groups: int, tested: int
) -> str:
    """Return a sentence about a layout, and what is in it: classes, groups and test samples."""
    n, p, q = shape
    parts = [f"**{n:,} samples of {p} × {q}**"]
    if layout.triangle is not None:
        parts.append("symmetric, from the upper triangles")
    if layout.shape:
        parts.append(ORDERS[layout.order])
    if ways := describe_axes(layout):
        parts.append(ways)
    if layout.cut:
        is_drop = layout.missing == "drop"
        parts.append("smaller cells left out" if is_drop else describe_cut(layout))
    if layout.window:
        each = f"at {layout.onsets}" if layout.onsets else f"a step of {layout.window[1]:,}"
        parts.append(f"windows of {layout.window[0]:,} moments, {escape_markdown(each)}")
    if layout.segment:
        parts.append("as spectrograms")
    if layout.magnitude:
        parts.append("magnitudes of complex numbers")
    if layout.mean_over is not None:
        parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
    parts.append(f"from {escape_markdown(display_name(layout.samples))}")
    labels = f"labels {describe_labels(layout)}, **{classes} classes**"
    text = f"{', '.join(parts)}; {labels}"
    if tested:
        where = display_name((layout.test or (layout.parts,))[0])
        own = "test set"
        if not split_words(where).isdisjoint(VALIDATION_WORDS):
            own = "validation set, used as test set"
        text += f"; {tested:,} are the file's own {own}, {escape_markdown(where)}"
    if groups:
        text += f"; {groups:,} groups, {escape_markdown(describe_groups(layout))}"
    if layout.missing != "refuse" and not layout.cut:
        text += f"; {MISSING_NOTES[layout.missing]}"
    return f"{text}."


class Inspection(NamedTuple):
    """The variables of the files, and the layouts in which they can be read, best first.

    If there are none, `reason` is the error message.
    """

    variables: dict[str, Variable]
    layouts: list[Layout]
    alike: list[Layout]  # the first of them and those that are as likely, if there are any
    strips: list[str | None]  # data URLs of pictures, one for each layout
    doubts: list[str]  # why the first of them may be wrong
    reason: str
    damaged: list[str]  # sentences about files, images and variables that cannot be read
    notes: list[str]  # what a reader should know about archives
    cell_sizes: dict[str, NDArray[np.intp]]  # of cell arrays of numbers: the shape of each cell

    @property
    def choices(self) -> list[Layout]:
        """The layouts that are asked about before anything is trained; none if one is clear."""
        return self.alike or (self.layouts[: len(self.strips)] if self.doubts else [])

    @property
    def matrices(self) -> dict[str, Variable]:
        """The variables that may hold samples."""
        return {name: each for name, each in self.variables.items() if each.may_be_samples}

    def vectors(self, samples: str) -> dict[str, Variable]:
        """Return the variables that may hold labels: vectors, text, and one-hot matrices."""
        return {
            name: each
            for name, each in self.variables.items()
            if name != samples
            and each.matlab_class in READABLE
            and 1 <= len(long_axes(each.shape)) <= 2
        }


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
    pairs = [(each, layouts[1] if each == current and layouts[1:] else current) for each in layouts]
    labels = describe_differences(pairs, inspection.variables)
    for place, (layout, other), label in zip(places, pairs, labels, strict=False):
        strip = strips.get(layout)
        if strip is not None and (other == layout or _pictures_differ(layout, other)):
            place.image(strip, width="stretch")
        label = "Yes, read it so" if other == layout else label
        key = f"take {layout}"
        place.button(label, on_click=apply_layout, args=(layout,), key=key, width="stretch")


def draw_other_layouts(
    preview: DeltaGenerator,
    inspection: Inspection,
    layout: Layout,
    apply_layout: Callable[[Layout], None],
    asked: Layout | None,
) -> None:
    """Draw the layouts other than `layout` and than `asked`, each with a button that selects it."""
    drawn = inspection.layouts[: len(inspection.strips)]
    others = [each for each in drawn if each not in (replace(layout, missing=each.missing), asked)]
    # Of those that a button cannot tell apart, the first
    names = describe_differences([(each, layout) for each in others], inspection.variables)
    others = [each for at, each in enumerate(others) if names.index(names[at]) == at]
    others = others[:MAX_OTHER_LAYOUTS]
    if others:
        torn = any(_pictures_differ(other, layout) for other in others)
        preview.caption(f"{'Torn or turned? ' if torn else ''}Other ways to read the file:")
        draw_choices(preview, inspection, others, layout, apply_layout)


def layout_strip(layout: Layout, read: Callable[[Layout], RawSamples]) -> str | None:
    """Return a strip of samples in a layout, or None if the file cannot be read in this layout."""
    try:
        stored = read(replace(layout, missing="drop"))
    except FileError:
        return None
    some = np.linspace(0, stored.shape[0] - 1, 3).astype(int)
    return strip_url(coarsen(stored.take(some).X))


def _pictures_differ(other: Layout, layout: Layout) -> bool:
    """Return whether the pictures of two layouts differ, and not only their labels."""
    return any(
        getattr(other, name) != getattr(layout, name)
        for name in ("samples", "axis", "shape", "order", "joined", "place", "cut")
    )
