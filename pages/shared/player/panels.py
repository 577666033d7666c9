"""What panels are made of: lines, numbers, a picture or a curve for each method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from smmcore.methods import METHODS

NAMES = {key: method.label for key, method in METHODS.items()}
NAMES_BY_COLOUR = {key: NAMES[key] for key in ("smm", "bsvm", "rglm", "lsvm")}


def lines(fields: Mapping[str, str], title: str, scale: str, **rest: object) -> dict[str, Any]:
    """Return a panel with a line for each field, by its label."""
    named = [{"name": name, "label": label} for name, label in fields.items()]
    return {"kind": "lines", "fields": named, "title": title, "scale": scale, **rest}


def readout(rows: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """Return a panel of numbers: field, label and format of each."""
    fields = [{"name": name, "label": label, "format": form} for name, label, form in rows]
    return {"kind": "readout", "fields": fields}


def by_method(
    title: str,
    prefix: str = "",
    span: Sequence[float] | None = (0.55, 1.0),
    methods: Sequence[str] = tuple(NAMES),
    scale: str = "linear",
) -> dict[str, Any]:
    """Return a panel with a line for each method; accuracies share one scale."""
    colours = {method: colour for colour, method in enumerate(NAMES_BY_COLOUR)}
    fields = [
        {"name": prefix + method, "label": NAMES[method], "colour": colours[method]}
        for method in methods
    ]
    panel = {"kind": "lines", "fields": fields, "title": title, "scale": scale}
    return panel if span is None else panel | {"span": span}


def matrices(methods: Sequence[str], title: str) -> list[dict[str, Any]]:
    """Return a panel with the picture of W for each method."""
    return [
        {"kind": "picture", "field": f"W_{name}", "title": title.format(NAMES[name])}
        for name in methods
    ]


def readouts(methods: Sequence[str], numbers: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Return a panel with the same numbers of each method, a row each."""
    rows = [
        (f"{field}_{name}", f"{NAMES[name]}: {label}", form)
        for name in methods
        for field, label, form in numbers
    ]
    return readout(rows) | {"columns": len(numbers)}


def with_choices(
    panels: Sequence[Mapping[str, Any]], choices: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Return panels by method with the weights that validation takes marked on their curves.

    Parameters
    ----------
    panels : sequence of mappings
    choices : mapping of `smmcore.robustness.Choice`
        By method; empty as long as there are none.
    """

    def with_marks(panel: Mapping[str, Any]) -> Mapping[str, Any]:
        methods = [field["name"].rpartition("_")[2] for field in panel["fields"]]
        marks = [choices[method]._asdict() if choices else {} for method in methods]
        fields = zip(panel["fields"], marks, strict=True)
        return {**panel, "fields": [field | mark for field, mark in fields]}

    return [with_marks(panel) if panel["kind"] == "lines" else panel for panel in panels]
