"""What the methods of Figure 2 have learned, as arrays to take home."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.shared.recipes import RobustnessRun
from smmcore.robustness import METHODS, Machine


def learned(recipe: RobustnessRun, machines: Sequence[Machine]) -> dict[str, object]:
    """What four methods have learned: by name W of each data set, (draws, p, q), b and weights.

    Parameters
    ----------
    recipe : RobustnessRun
    machines : sequence of Machine
        One for each of the methods, for each data set.
    """
    validation = recipe.validation
    first = validation.data.data.seed
    arrays: dict[str, object] = {
        "seeds": np.arange(first, first + validation.draws),
        "unit": validation.unit,
        "recipe": repr(recipe),
    }
    for number, method in enumerate(METHODS):
        of_method = machines[number :: len(METHODS)]
        weights = validation.weights[recipe.chosen[number]]
        arrays |= {
            f"W_{method}": np.stack([machine.W for machine in of_method]),
            f"b_{method}": np.array([machine.b for machine in of_method]),
            f"C_spread2_{method}": weights.c,
            f"share_{method}": weights.share,
        }
    return arrays
