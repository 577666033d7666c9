"""Panels of Figure 2: the validation, then the noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pages.shared.panels.parts import by_method, matrices
from pages.shared.recipes import NOISY, RobustnessRun


def validation_panels(methods: Sequence[str]) -> list[dict[str, Any]]:
    """Return the panels of a validation: accuracies without and with noise, and each W."""
    return [
        by_method("Accuracy in cross-validation", methods=methods),
        by_method(f"Exact, with noise of s = {NOISY}", "noisy_", methods=methods),
        *matrices(methods, "W of the {}, normalised"),
    ]


def noise_panels(noise: str, methods: Sequence[str], draws: int) -> list[dict[str, Any]]:
    """Return the panels of a run under noise on so many data sets: means and deviations."""
    deviation = "Standard deviation over the "
    titles = {"": ("Accuracy, mean of the draws of noise", (0.55, 1.0))}
    if noise == "Gaussian":
        titles["exact_"] = "Exact: mean of Φ(y f(X) / (s ‖W‖))", (0.55, 1.0)
    titles["sd_"] = deviation + "draws of noise", (0, 0.01)
    if draws > 1:
        titles["between_"] = deviation + "data sets", (0, 0.01)
    return [by_method(title, name, span, methods) for name, (title, span) in titles.items()]


def weight_axis(count: int) -> dict[str, object]:
    """Return the axis of a validation: a frame for each weight."""
    return {
        "name": "C spread² =",
        "label": "C spread²",
        "field": "c",
        "count": count,
        "at": np.linspace(0, 1, count).tolist(),
        "ticks": [[decade / 3, f"{10**decade / 10:g}"] for decade in range(4)],  # see `strengths`
    }


NONE = 0.12  # the share of a log axis that lies between no noise and its least level


def noise_axis(recipe: RobustnessRun) -> dict[str, object]:
    """Return the axis of a run under noise: a log axis with 0 set apart, or a linear one."""
    levels = np.array(recipe.levels)
    if recipe.noise == "Gaussian":
        name, least = "s", levels[1]
        ticks = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

        def place(level: float) -> float:
            decades = np.log10(level / least) if level else 0.0
            return (NONE + (1 - NONE) * decades / np.log10(levels[-1] / least)) * (level > 0)
    else:
        name, ticks = "density", [0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035]

        def place(level: float) -> float:
            return level / levels[-1]

    return {
        "name": f"{name} =",
        "label": name,
        "field": "level",
        "count": len(levels),
        "at": [float(place(level)) for level in levels],
        "ticks": [[float(place(level)), f"{level:g}"] for level in ticks],
    }
