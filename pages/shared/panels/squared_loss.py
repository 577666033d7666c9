"""Panels of the hinge against the squared loss: a race, Xia and Fan's algorithm, their table."""

from __future__ import annotations

from math import log2
from typing import Any

from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import LOSSES, CrossValidationRun

SPAN = (0.8, 1.0)  # of accuracies: no gulf is a single test sample


def loss_panels() -> list[dict[str, Any]]:
    """Return the panels of a race of the losses: both W on one scale, gap, accuracies, rank."""

    def both(field: str, title: str, scale: str, **rest: object) -> dict[str, Any]:
        named = {f"{field}_{loss}": name for loss, name in LOSSES.items()}
        return lines(named, title, scale, **rest)

    percent = {"format": "percent", "span": SPAN}
    gap = both("gap", "Relative gap", "log")
    against = {"label": "seconds", "of": {f"gap_{loss}": f"seconds_{loss}" for loss in LOSSES}}
    numbers = [("steps", "iterations", "int"), ("rank", "rank", "int")]
    numbers += [("held", "held-out accuracy", "percent")]
    rows = [
        (f"{field}_{loss}", f"{name}: {label}", form)
        for loss, name in LOSSES.items()
        for field, label, form in numbers
    ]
    return [
        *(
            {"kind": "picture", "field": f"W_{loss}", "title": f"W of the {name}, one scale"}
            for loss, name in LOSSES.items()
        ),
        readout(rows) | {"columns": len(numbers)},
        gap,
        gap | {"title": "Relative gap against time", "against": against},
        both("train", "Training accuracy", "linear", **percent),
        both("held", "Held-out accuracy", "linear", **percent),
    ]


def bilevel_panels() -> list[dict[str, Any]]:
    """Return the panels of Xia and Fan's algorithm: their rule beside the gap."""
    stop = {"kind": "flag", "field": "stops", "label": "their stop"}
    stop |= {"text": "their rule stops here,\nat a relative gap of {gap:sci}"}
    numbers = [("difference", "‖S − W‖∞", "sci"), ("gap", "relative gap", "sci")]
    numbers += [("W_norm", "‖W‖", "sci"), ("rank", "rank of S", "int")]
    rule = {"difference": "‖S − W‖∞", "rule": "10⁻³"}
    return [
        {"kind": "picture", "field": "S", "title": "S, exactly low rank", "own": True},
        readout(numbers) | {"columns": 2},
        lines(rule, "Their rule: ‖S − W‖∞", "log", marks=[stop]),
        lines({"gap": "gap"}, "Relative gap", "log", marks=[stop]),
        lines({"W_norm": "‖W‖", "S_norm": "‖S‖"}, "Norms of W and S, Frobenius", "log"),
    ]


def cross_validation_panels(recipe: CrossValidationRun) -> list[dict[str, Any]]:
    """Return the panels of a cross-validation: a map of each machine, the numbers of a cell."""
    powers = [round(log2(weight)) for weight in recipe.grid]
    axes = {
        "rows": {"label": "log₂ C", "values": powers},
        "columns": {"label": "log₂ τ", "values": powers[::-1]},
    }
    numbers = [("C", "C", "sci"), ("tau", "τ", "sci")]
    for field, label, form in (("accuracy", "accuracy", "percent"), ("seconds", "seconds", "sci")):
        numbers += [(f"{field}_{loss}", f"{name}: {label}", form) for loss, name in LOSSES.items()]
    maps = [
        {"kind": "map", "field": f"accuracy_{loss}", "title": f"{name}, accuracy", **axes}
        | {"label": "accuracy", "format": "percent", "span": SPAN}
        for loss, name in LOSSES.items()
    ]
    return [*maps, readout(numbers) | {"columns": 2}]


def cross_validation_axis(recipe: CrossValidationRun) -> dict[str, object]:
    """Return the axis of a cross-validation: a frame for each pair of weights."""
    return {"name": "cell", "label": "cell", "count": len(recipe.weights)}
