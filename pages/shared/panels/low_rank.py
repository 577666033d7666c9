"""Panels of the low-rank SVM: iterative weighting beside AROM, and the cyclic algorithm."""

from __future__ import annotations

from typing import Any

from pages.shared.images import DRAWN
from pages.shared.panels.parts import lines, readout
from pages.shared.recipes import STARTS, WEIGHTED

PASSES = {"name": "pass", "label": "pass"}
CYCLES = {"name": "cycle", "label": "cycle"}


def weighting_panels() -> list[dict[str, Any]]:
    """Return the panels of iterative weighting: each W, D, what is kept, accuracies."""

    def both(field: str, title: str, scale: str, **rest: object) -> dict[str, Any]:
        fields = {f"{field}_{method}": name for method, name in WEIGHTED.items()}
        return lines(fields, title, scale, **rest)

    units = {"lowrank": "directions kept", "arom": "features kept"}
    numbers = [
        (f"{field}_{method}", f"{name}: {label or units[method]}", form)
        for method, name in WEIGHTED.items()
        for field, label, form in (
            ("kept", "", "int"),
            ("train", "training accuracy", "percent"),
            ("held", "test accuracy", "percent"),
        )
    ]
    accuracies = {
        f"{field}_{method}": f"{name}, {part}"
        for field, part in (("held", "test"), ("train", "training"))
        for method, name in WEIGHTED.items()
    }
    diagonal = {f"d{i}": f"d{i}" for i in range(1, DRAWN + 1)}
    return [
        *(  # first, so that a projector shows them together
            {"kind": "picture", "field": f"W_{method}", "title": f"W of {name}"}
            for method, name in WEIGHTED.items()
        ),
        {"kind": "picture", "field": "truth", "title": "Where W should live"},
        {"kind": "picture", "field": "W_svm", "title": "W of the linear SVM"},
        readout(numbers) | {"columns": 3},
        {"kind": "bars", "field": "diagonal", "title": "LowRank: diagonal of D, in this pass"},
        {"kind": "bars", "field": "singular_values", "title": "LowRank: singular values of W"},
        lines(diagonal, "LowRank: diagonal of D along the passes", "linear", span=[0, 1]),
        both("kept", "Directions and features that count", "log", format="int"),
        both("change", "Change of W in a pass", "log"),
        lines(accuracies, "Accuracy", "linear", format="percent"),
    ]


def cyclic_panels() -> list[dict[str, Any]]:
    """Return the panels of the cyclic algorithm: W, objective and accuracy from both starts."""

    def both(field: str, title: str, scale: str, **rest: object) -> dict[str, Any]:
        fields = {f"{field}_{start}": f"from {name}" for start, name in STARTS.items()}
        return lines(fields, title, scale, **rest)

    objective = both("primal", "Objective ½‖W‖² + C Σ hinge", "log")
    objective["fields"].append({"name": "svm", "label": "linear SVM, any rank"})
    return [
        *(
            {"kind": "picture", "field": f"W_{start}", "title": f"W from {name}"}
            for start, name in STARTS.items()
        ),
        objective,
        both("gap", "What one vector could still gain", "log"),
        both("held", "Test accuracy", "linear", format="percent"),
        both("train", "Training accuracy", "linear", format="percent", span=(0.8, 1.0)),
    ]
