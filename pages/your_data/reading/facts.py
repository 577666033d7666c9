"""What is known about uploaded files, and about their samples in one layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.files import Contents, Layout, MatFileError
from pages.shared.files.arrange import RawSamples
from pages.shared.files.contents import Listing
from pages.shared.files.formats.variables import IMAGES, VALIDATION_WORDS, split_words
from pages.shared.files.infer.images import has_image_size, is_order_known
from pages.shared.files.infer.others import describe_lost, explain_unused, find_alike
from pages.shared.files.infer.vectors import find_class_names, find_placeholders
from pages.shared.parts.prose import escape_markdown
from pages.your_data.reading import pictures
from pages.your_data.reading.layout_controls import Inspection
from pages.your_data.reading.layout_words import (
    ORDERS,
    describe_axes,
    describe_cut,
    describe_groups,
    describe_labels,
    display_name,
)

MISSING_NOTES = {
    "drop": "samples with NaN are left out",
    "impute": "means take the place of NaN",
}


class Facts(NamedTuple):
    """The labels of samples in a layout, and what the page says about this reading."""

    y: NDArray[Any]
    shape: tuple[int, int, int]
    description: str
    unused: dict[str, str]  # why each other variable is not used
    placeholders: tuple[str, str] | None  # a test part whose labels seem to mean none
    shows_size: bool  # whether the file shows rows and columns of flattened samples
    shows_order: bool  # and which is which
    class_names: tuple[str, ...]
    name: str  # of the file that holds the samples
    stem: str  # without its ending


def find_facts(contents: Contents, layout: Layout, file_count: int) -> Facts:
    """Read the samples of a layout, and find out what there is to say about them."""
    stored, context = contents.raw_samples(layout), contents.context
    return Facts(
        stored.y,
        stored.shape,
        describe(stored, layout),
        explain_unused(context, layout, len(stored.y)),
        find_placeholders(context, layout),
        has_image_size(context, layout, stored),
        is_order_known(context, layout, stored),
        find_class_names(context, layout, np.unique(stored.y)),
        *name_source(contents.files_of(layout.samples[0])[0], file_count),
    )


def describe(stored: RawSamples, layout: Layout) -> str:
    """Return a sentence about the layout."""
    n, p, q = stored.shape
    parts = [f"**{n:,} samples of {p} × {q}**"]
    if layout.shape:
        parts.append(ORDERS[layout.order])
    if ways := describe_axes(layout):
        parts.append(ways)
    if layout.cut:
        parts.append(describe_cut(layout))
    if layout.mean_over is not None:
        parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
    names = ", ".join(escape_markdown(display_name(name)) for name in layout.samples[:3])
    parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
    labels = f"labels {describe_labels(layout)}, **{len(np.unique(stored.y))} classes**"
    text = f"{', '.join(parts)}; {labels}"
    if stored.test is not None:
        where = display_name((layout.test or (layout.parts,))[0])
        own = "test set"
        if not split_words(where).isdisjoint(VALIDATION_WORDS):
            own = "validation set, used as test set"
        where = f"{escape_markdown(where)}{' ...' if layout.implied == 'variable' else ''}"
        count = np.count_nonzero(stored.test)
        text += f"; {count:,} are the file's own {own}, {where}"
    if stored.groups is not None:
        groups, name = len(np.unique(stored.groups)), escape_markdown(describe_groups(layout))
        text += f"; {groups:,} groups, {name}"
    if layout.missing != "refuse" and not layout.cut:
        text += f"; {MISSING_NOTES[layout.missing]}"
    return f"{text}."


def name_source(first: str, file_count: int) -> tuple[str, str]:
    """Return the name of the file that holds the samples, with and without its ending."""
    if first == IMAGES:
        return f"{file_count:,} files", IMAGES
    more = f" and {file_count - 1:,} more" if file_count > 1 else ""
    return f"{display_name(first)}{more}", Path(first).stem


def inspect_contents(contents: Contents) -> Inspection:
    """Find the layouts in which files can be read."""
    layouts, alike, reason = [], [], ""
    try:
        layouts = contents.infer_layouts()
        alike = find_alike(contents.context, layouts)
        layouts = [*alike, *(each for each in layouts if each not in alike)]
    except MatFileError as error:
        reason = str(error)
    return Inspection(
        contents.variables,
        layouts,
        alike if len(alike) > 1 else [],
        # One more than are shown, as the current layout is one of them.
        [
            pictures.layout_strip(layout, contents.raw_samples)
            for layout in layouts[: pictures.MAX_OTHER_LAYOUTS + 1]
        ],
        reason,
        [
            *_list_sentences(contents, lambda each: [each.problem, each.left_out_note]),
            *describe_lost(contents.variables),
        ],
        _list_sentences(contents, lambda each: each.notes),
        contents.cell_sizes(),
    )


def _list_sentences(
    contents: Contents, sentences_of: Callable[[Listing], Iterable[str]]
) -> list[str]:
    """Return sentences about files, with the names of the files if there are several."""
    several = len(contents.listings) > 1
    return [
        f"{display_file(name, contents)}: {sentence}" if several else sentence
        for name, each in contents.listings.items()
        for sentence in filter(None, sentences_of(each))
    ]


def display_file(name: str, contents: Contents) -> str:
    """Return the name of a file, or of all images that are no part of an archive."""
    return "The images" if name == IMAGES and name in contents.listings else name
