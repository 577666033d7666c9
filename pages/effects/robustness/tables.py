"""The tables of the lesson Robustness: the chosen weights, and the accuracies under noise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pages.effects.robustness.runs import RobustnessRun, ValidationRun
from pages.shared.noise import WeightChoice, near_best
from pages.shared.numbers import percent
from pages.shared.player.panels import NAMES


def weights_table(
    run: ValidationRun,
    tried: NDArray[np.void],
    found: Mapping[str, WeightChoice],
    first: np.void,
) -> list[dict[str, object]]:
    """Return a row for each method: its weight, those nearly as good, its rank and its margin."""
    weight_of = dict.fromkeys(NAMES, ("C spread²", "{:.3g}"))
    weight_of |= {
        "rglm": ("λ / λₘₐₓ", "{1:.3g}"),
        "smm": ("C spread², τ / τₘₐₓ", "{:.3g}, {:.3g}"),
    }
    texts = {
        method: [form.format(*weights) for weights in run.weights]
        for method, (_, form) in weight_of.items()
    }
    return [
        {
            "method": name,
            "weight": weight_of[method][0],
            "chosen": texts[method][found[method].chosen],
            "validated": percent(tried[method][found[method].chosen]),
            "nearly as good": "; ".join(texts[method][number] for number in found[method].near),
            "rank of W": int(first[f"rank_{method}"]),
            "margin / ‖W‖": f"{first[f'margin_{method}']:.3g}",
        }
        for method, name in NAMES.items()
    ]


def accuracies_table(run: RobustnessRun, curves: NDArray[np.void]) -> list[dict[str, str]]:
    """Return a row for each level of noise: the accuracy of each method, by its name."""
    label = "s" if run.noise == "Gaussian" else "density"
    return [{label: f"{row['level']:g}"} | accuracy_texts(row, run.data.tests) for row in curves]


def accuracy_texts(row: np.void, tests: int) -> dict[str, str]:
    """Return "★ 88.7 ± 1.6 (88.9)" by name: mean, deviation and exact value in per cent."""
    means = np.array([row[method] for method in NAMES])
    best = means >= means.max() - 1e-9  # equal means may differ by rounding
    signs = np.where(best, "★ ", np.where(near_best(means, tests), "☆ ", ""))
    texts = {}
    for (method, name), sign in zip(NAMES.items(), signs, strict=True):
        exact = row[f"exact_{method}"]
        texts[name] = f"{sign}{100 * row[method]:.1f} ± {100 * row[f'sd_{method}']:.1f}"
        texts[name] += "" if np.isnan(exact) else f" ({100 * exact:.1f})"
    return texts
