"""Other readings of a file, small, so that a wrong one is seen beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pages.shared.uploads import pictures, reading
from smmcore.matfile import Layout, MatFileError, Stored

MOST = 4


def strips(ways: list[Layout], read: Callable[[Layout], Stored]) -> list[str | None]:
    """The addresses of pictures of as many ways as may be drawn; None where one cannot be read."""
    return [_strip(way, read) for way in ways[: MOST + 1]]


def draw(found, layout: Layout, preview, take: Callable[[Layout], None]) -> None:
    """Draw the readings that are not that of `layout`, each with a button that takes it."""
    others = [
        (_with_groups(way, layout), picture)
        for way, picture in zip(found.ways, found.strips, strict=False)
        if way != replace(layout, missing=way.missing)
    ][:MOST]
    if not others:
        return
    torn = any(_differ(way, layout) for way, _ in others)
    preview.caption("Torn, or on their side? " * torn + "It may also be read so:")
    places = [place for _ in others[::2] for place in preview.columns(2)]
    for place, (way, picture) in zip(places, others, strict=False):
        if picture is not None and _differ(way, layout):
            place.image(picture, width="stretch")
        told = reading.difference(way, layout, found.labels)
        place.button(told, on_click=take, args=(way,), key=f"take {way}", width="stretch")


def _strip(way: Layout, read: Callable[[Layout], Stored]) -> str | None:
    try:
        stored = read(replace(way, missing="drop"))
    except MatFileError:
        return None
    some = np.linspace(0, stored.shape[0] - 1, 3).astype(int)
    return pictures.strip(pictures.few(stored.take(some).X))


def _with_groups(way: Layout, layout: Layout) -> Layout:
    """Another reading of the same samples and labels, with the groups that were chosen, if any."""
    kept = replace(way, groups=way.groups or layout.groups)
    same = (way.samples, way.axis, way.labels) == (layout.samples, layout.axis, layout.labels)
    # One that differs in its groups alone is the way back to none.
    return kept if same and not way.test and kept != replace(layout, missing=way.missing) else way


def _differ(way: Layout, layout: Layout) -> bool:
    """Whether pictures tell two readings apart; those of the labels alone look the same."""
    return any(
        getattr(way, name) != getattr(layout, name)
        for name in ("samples", "axis", "shape", "order")
    )
