"""The tables of *Robustness to noise*: the chosen weights, and the accuracies under noise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pages.effects.robustness.runs import NoiseSweep, Validation
from pages.shared.methods import PAPER_METHODS
from pages.shared.noise import WeightChoice, near_best
from pages.shared.numbers import percent

WEIGHTS = {  # settings of a method that are weights: name, and text of c or share in `Strength`
    "C": ("C spread²", "{0:.3g}"),
    "tau": ("τ / τₘₐₓ", "{1:.3g}"),
    "lam": ("λ / λₘₐₓ", "{1:.3g}"),
}


def weights_table(
    experiment: Validation,
    tried: NDArray[np.void],
    found: Mapping[str, WeightChoice],
    first: np.void,
) -> list[dict[str, object]]:
    """Return a row for each method: its weight, those nearly as good, its rank and its distance."""
    weight_of, texts = {}, {}
    for key, method in PAPER_METHODS.items():
        names, forms = zip(
            *(WEIGHTS[each] for each in method.settings if each in WEIGHTS), strict=True
        )
        weight_of[key] = ", ".join(names)
        texts[key] = [", ".join(forms).format(*weights) for weights in experiment.weights]
    return [
        {
            "method": method.label,
            "weight": weight_of[key],
            "chosen": texts[key][found[key].chosen],
            "validated": percent(tried[key][found[key].chosen]),
            "nearly as good": "; ".join(texts[key][number] for number in found[key].near),
            "rank of W": int(first[f"rank_{key}"]),
            "y f(X) / ‖W‖": f"{first[f'margin_{key}']:.3g}",
        }
        for key, method in PAPER_METHODS.items()
    ]


def accuracies_table(experiment: NoiseSweep, curves: NDArray[np.void]) -> list[dict[str, str]]:
    """Return a row for each level of noise: the accuracy of each method, by its name."""
    label = "s" if experiment.noise == "Gaussian" else "density"
    return [
        {label: f"{row['level']:g}"} | accuracy_texts(row, experiment.data.tests) for row in curves
    ]


def accuracy_texts(row: np.void, tests: int) -> dict[str, str]:
    """Return "★ 88.7 ± 1.6 (88.9)" by name: mean, deviation and exact value in per cent."""
    means = np.array([row[key] for key in PAPER_METHODS])
    best = means >= means.max() - 1e-9  # equal means may differ by rounding
    signs = np.where(best, "★ ", np.where(near_best(means, tests), "☆ ", ""))
    texts = {}
    for (key, method), sign in zip(PAPER_METHODS.items(), signs, strict=True):
        name, exact = method.label, row[f"exact_{key}"]
        texts[name] = f"{sign}{100 * row[key]:.1f} ± {100 * row[f'sd_{key}']:.1f}"
        texts[name] += "" if np.isnan(exact) else f" ({100 * exact:.1f})"
    return texts
