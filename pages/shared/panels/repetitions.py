"""Panels of experiments that are repeated: accuracies beside those that are printed."""

from __future__ import annotations

from typing import Any

from pages.shared.panels.parts import lines
from pages.shared.recipes import FacesRun, Table1Run, column

COLOURS = {"SVM": 3, "AROM": 1, "2DPCA + AROM": 2, "LowRank": 0}  # the linear SVM's is 3 elsewhere


def table_1_panels(recipe: Table1Run) -> list[dict[str, Any]]:
    """Return a panel for each setting, and one for what an orthogonal A and B cost."""
    *settings, cost = (_panel(recipe, k) for k in range(len(recipe.settings)))
    return [*(panel | {"span": (0.6, 1.0)} for panel in settings), cost | {"span": (0.0, 0.2)}]


def faces_panels(recipe: FacesRun) -> list[dict[str, Any]]:
    """Return a panel for the faces."""
    return [_panel(recipe, 0) | {"span": (0.8, 1.0)}]


def _panel(recipe: Table1Run | FacesRun, setting: int) -> dict[str, Any]:
    """Return running means in a setting, their errors, and the printed figures."""
    names = {method: column("mean", method, setting) for method in recipe.methods}
    errors = {name: column("error", method, setting) for method, name in names.items()}
    printed = {name: _printed(recipe, method, setting) for method, name in names.items()}
    panel = lines(
        {name: method for method, name in names.items()},
        f"Accuracy: {recipe.settings[setting]}",
        "linear",
        format="percent",
        bands={"label": "error", "of": errors},
        levels={"label": "printed", "of": printed},
    )
    for method, field in zip(recipe.methods, panel["fields"], strict=True):
        field["colour"] = COLOURS[method]
    return panel


def _printed(recipe: Table1Run | FacesRun, method: str, setting: int) -> float:
    means = [mean / 100 for mean, _ in recipe.printed[method]]
    return means[setting] if setting < len(means) else means[0] - means[1]


def repetition_axis(recipe: Table1Run | FacesRun) -> dict[str, object]:
    """Return the axis of the repetitions."""
    return {"name": "repetition", "label": "repetitions", "count": recipe.repetitions}
