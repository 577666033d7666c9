"""Layouts and their parts in words."""

from __future__ import annotations

from typing import Literal

from pages.shared.files import Layout, Variable
from pages.shared.files.formats.errors import format_shape, quote
from pages.shared.files.formats.variables import EACH, NUMERIC, VALIDATION_WORDS, split_words
from pages.shared.files.layout import Implied, Order, Sense
from pages.shared.parts.prose import escape_markdown

ORDERS: dict[Order, str] = {"F": "down columns", "C": "along rows"}
IMPLIED: dict[Implied, str] = {
    "variable": "implied: one variable for each class",
    "row": "implied: the row of the cell array",
    "column": "implied: the column of the cell array",
    "first column": "in the first column of the samples",
    "last column": "in the last column of the samples",
    "axis": "implied: the place along an axis",
}
MISSING_NOTES = {
    "drop": "samples with NaN are left out",
    "impute": "means take the place of NaN",
}
# The test set is samples, variables that name it, or what a vector says by its sense.
TestPart = Sense | Literal["", "samples", "variables"]
PLACES: dict[TestPart, str] = {"places": "the places in {}", "other places": "the places not in {}"}


def display_name(variable: str, longest: int = 40) -> str:
    """Return the name of a variable for display: escaped and shortened."""
    return quote(variable, longest)[1:-1]


def describe_labels(layout: Layout) -> str:
    """Return where the labels are."""
    if layout.class_axis is not None:
        return f"implied: the place along axis {layout.class_axis + 1}"
    return (
        escape_markdown(display_name(layout.labels)) if layout.labels else IMPLIED[layout.implied]
    )


def describe_groups(layout: Layout) -> str:
    """Return where the groups are."""
    name = display_name(layout.samples[0], 80)
    if layout.groups:
        return display_name(layout.groups, 80)
    if layout.group_axis is not None:
        return f"axis {layout.group_axis + 1} of {name}"
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
    if sense == "variables":
        return f"{text} ..."
    is_text = name in variables and variables[name].matlab_class not in NUMERIC
    return f"where {text} says test" if is_text else f"where {text} is {sense}"


def describe_difference(other: Layout, layout: Layout, labels: dict[str, Variable]) -> str:
    """Return how another layout differs, as the label of a button."""
    if other.samples != layout.samples:
        return f"from {escape_markdown(display_name(other.samples[0], 20))}"
    if other.axis != layout.axis:
        return f"samples along axis {other.axis + 1}"
    if other.cut != layout.cut and other.cut:
        return describe_cut(other)
    if (other.joined, other.place) != (layout.joined, layout.place) and describe_axes(other):
        return describe_axes(other)
    if other.class_axis is not None and other.class_axis != layout.class_axis:
        return f"classes along axis {other.class_axis + 1}"
    if (other.labels, other.implied) != (layout.labels, layout.implied):
        name = (
            escape_markdown(display_name(other.labels, 20))
            if other.labels
            else f"the {other.implied}"
        )
        return f"labels by {name}"
    if other.shape and (other.shape, other.order) != (layout.shape, layout.order):
        return f"{format_shape(other.shape)}, {ORDERS[other.order]}"
    if other.parts and (other.parts, other.sense) != (layout.parts, layout.sense):
        return f"test set: {escape_markdown(describe_test_part(labels, other.sense, other.parts))}"
    if layout.parts and not other.parts:
        return "no test set"
    return "as proposed"


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
    if layout.shape:
        parts.append(ORDERS[layout.order])
    if ways := describe_axes(layout):
        parts.append(ways)
    if layout.cut:
        is_drop = layout.missing == "drop"
        parts.append("smaller cells left out" if is_drop else describe_cut(layout))
    if layout.mean_over is not None:
        parts.append(f"grey: the mean over axis {layout.mean_over + 1}")
    names = ", ".join(escape_markdown(display_name(name)) for name in layout.samples[:3])
    parts.append(f"from {names}{' ...' if len(layout.samples) > 3 else ''}")
    labels = f"labels {describe_labels(layout)}, **{classes} classes**"
    text = f"{', '.join(parts)}; {labels}"
    if tested:
        where = display_name((layout.test or (layout.parts,))[0])
        own = "test set"
        if not split_words(where).isdisjoint(VALIDATION_WORDS):
            own = "validation set, used as test set"
        where = f"{escape_markdown(where)}{' ...' if layout.implied == 'variable' else ''}"
        text += f"; {tested:,} are the file's own {own}, {where}"
    if groups:
        text += f"; {groups:,} groups, {escape_markdown(describe_groups(layout))}"
    if layout.missing != "refuse" and not layout.cut:
        text += f"; {MISSING_NOTES[layout.missing]}"
    return f"{text}."
