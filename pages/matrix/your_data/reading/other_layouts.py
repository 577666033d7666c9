"""Other layouts of a file with small pictures, which reveal a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pages.matrix.your_data.reading import pictures
from pages.matrix.your_data.reading.layout import Found, difference
from smmcore.matfile import Layout, MatFileError, Stored

MAX_OTHERS = 4


def draw_strips(layouts: list[Layout], read: Callable[[Layout], Stored]) -> list[str | None]:
    """Return data URLs of pictures in the layouts that may be offered; None for unreadable ones."""
    return [_strip(layout, read) for layout in layouts[: MAX_OTHERS + 1]]


def draw(found: Found, layout: Layout, preview, take: Callable[[Layout], None]) -> None:
    """Draw the layouts other than `layout`, each with a button that takes it."""
    others = [
        (_with_groups(other, layout), strip)
        for other, strip in zip(found.layouts, found.strips, strict=False)
        if other != replace(layout, missing=other.missing)
    ][:MAX_OTHERS]
    if not others:
        return
    torn = any(_differ(other, layout) for other, _ in others)
    preview.caption(f"{'Torn, or on their side? ' if torn else ''}It may also be read so:")
    places = [place for _ in others[::2] for place in preview.columns(2)]
    for place, (other, strip) in zip(places, others, strict=False):
        if strip is not None and _differ(other, layout):
            place.image(strip, width="stretch")
        label = difference(other, layout, found.labels)
        place.button(label, on_click=take, args=(other,), key=f"take {other}", width="stretch")


def _strip(layout: Layout, read: Callable[[Layout], Stored]) -> str | None:
    try:
        stored = read(replace(layout, missing="drop"))
    except MatFileError:
        return None
    some = np.linspace(0, stored.shape[0] - 1, 3).astype(int)
    return pictures.strip(pictures.coarsen(stored.take(some).X))


def _with_groups(other: Layout, layout: Layout) -> Layout:
    """Give a layout of the same samples and labels the groups that are chosen, if there are any."""
    grouped = replace(other, groups=other.groups or layout.groups)
    same = (other.samples, other.axis, other.labels) == (
        layout.samples,
        layout.axis,
        layout.labels,
    )
    # One that differs in its groups alone is the way back to none.
    back = grouped == replace(layout, missing=other.missing)
    return grouped if same and not other.test and not back else other


def _differ(other: Layout, layout: Layout) -> bool:
    """Return whether the pictures of two layouts differ, and not their labels alone."""
    return any(
        getattr(other, name) != getattr(layout, name)
        for name in ("samples", "axis", "shape", "order")
    )
