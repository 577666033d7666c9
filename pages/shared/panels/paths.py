"""Panels of the path along tau, and of the plane of C and tau."""

from __future__ import annotations

from typing import Any

from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import DRAWN, PathRun, PlaneRun

AT_TAU_MAX = {"marks": [{"kind": "flag", "field": "at_max", "label": "τ_max"}]}


def path_panels(recipe: PathRun) -> list[dict[str, Any]]:
    """Return the panels of a path: W and its numbers at a tau, and curves along all of them."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(DRAWN, *recipe.data.shape[1:])]
    curves = {
        "Rank of W": {"rank": "rank"},
        "Singular values along τ": {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)},
        "Accuracy": {"train": "training", "held": "held out"},
    }
    numbers = [("tau", "τ", "sci"), ("share", "τ / τ_max", "sci"), ("rank", "rank of W", "int")]
    numbers += [("train", "training accuracy", "percent"), ("held", "held-out accuracy", "percent")]
    numbers += [("gap", "relative gap", "sci")]
    return [
        {
            "kind": "picture",
            "field": "W",
            "title": "W at this τ, on a scale of its own",
            "own": True,
        },
        readout(numbers),
        {"kind": "bars", "field": "singular_values", "title": "Singular values of W"},
        *(
            lines(fields, title, "linear")
            | ({"step": True, "format": "int"} if title == "Rank of W" else {})
            | AT_TAU_MAX
            for title, fields in curves.items()
        ),
    ]


def tau_axis(points: int) -> dict[str, object]:
    """Return the axis of a path: a frame for each tau."""
    return {"name": "τ =", "label": "τ", "field": "tau", "log": True, "count": points}


def plane_panels(recipe: PlaneRun) -> list[dict[str, Any]]:
    """Return the panels of a map: rank, held-out accuracy, and the numbers of one cell."""
    axes = {
        "rows": {"label": "C s²", "values": recipe.weights.tolist()},
        "columns": {"label": "τ / τ_max", "values": recipe.shares.tolist()},
    }
    names = {"rank": ("rank of W", "int"), "held": ("held-out accuracy", "percent")}
    spans = {"rank": (0, min(recipe.data.shape[1:])), "held": (0.5, 1.0)}
    numbers = {"C": ("C s²", "sci"), "share": ("τ / τ_max", "sci"), "rank": names["rank"]}
    numbers |= {"train": ("training accuracy", "percent"), "held": names["held"]}
    return [
        *(
            {"kind": "map", "field": field, "title": label[0].upper() + label[1:], **axes}
            | {"label": label, "format": form, "span": spans[field]}
            for field, (label, form) in names.items()
        ),
        readout((field, *said) for field, said in numbers.items()),
    ]


def plane_axis(recipe: PlaneRun) -> dict[str, object]:
    """Return the axis of a map: a frame for each cell."""
    return {"name": "cell", "label": "cell", "count": recipe.rows * recipe.columns}
