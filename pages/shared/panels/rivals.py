"""Panels of comparisons: the race of the machines, and the sweep along their strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pages.shared.panels.parts import by_method, matrices, readouts


def race_panels(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panels of a race: each W, its numbers, gap, grouping (if any) and accuracy."""
    numbers = [("group", "grouping", "score")] * scored
    numbers += [("rank", "rank", "int"), ("held", "held-out accuracy", "percent")]
    gap = "Relative gap" + "; of the bilinear SVM, of its two halves" * ("bsvm" in methods)
    return [
        *matrices(methods, "{}, W / max |W|"),
        readouts(methods, numbers),
        by_method(gap, "gap_", None, methods, "log"),
        *_grouping(methods, scored),
        by_method("Held-out accuracy", "held_", None, methods),
    ]


def _grouping(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panel of the grouping scores, if there are any."""
    panel = by_method("Grouping score of the columns of W", "group_", None, methods)
    return [panel | {"format": "score"}] * scored


def with_choices(
    panels: Sequence[Mapping[str, Any]], choices: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Return panels by method with what validation takes on their curves.

    Parameters
    ----------
    panels : sequence of mappings
    choices : mapping of `smmcore.robustness.Choice`
        By method.
    """

    def marked(panel: Mapping[str, Any]) -> Mapping[str, Any]:
        methods = [field["name"].rpartition("_")[2] for field in panel["fields"]]
        marks = [choices[method]._asdict() if choices else {} for method in methods]
        fields = zip(panel["fields"], marks, strict=True)
        return {**panel, "fields": [field | mark for field, mark in fields]}

    return [marked(panel) if panel["kind"] == "lines" else panel for panel in panels]


def sweep_panels(methods: Sequence[str], scored: bool) -> list[dict[str, Any]]:
    """Return the panels of a sweep: each W, its grouping (if any), accuracies and rank."""
    accuracies = {"held_": "Held-out accuracy", "train_": "Training accuracy"}
    return [
        *matrices(methods, "{}, W / max |W|"),
        *_grouping(methods, scored),
        *(by_method(title, prefix, None, methods) for prefix, title in accuracies.items()),
        by_method("Rank of W", "rank_", None, methods) | {"format": "int"},
    ]


def sweep_axis(points: int, methods: Sequence[str]) -> dict[str, object]:
    """Return the axis of a sweep: a frame for each C, and the λ and τ that go with it."""
    also = {"rglm": ("λ / λ_max =", "lam"), "smm": ("τ of the SMM =", "tau")}
    below = {"below": {"label": "λ / λ_max", "field": "lam"}} if "rglm" in methods else {}
    return below | {
        "name": "C s² =",
        "label": "C s²",
        "field": "C",
        "also": [
            {"name": name, "field": field}
            for method, (name, field) in also.items()
            if method in methods
        ],
        "count": points,
    }
