"""Images for the player."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from pages.shared.engine.experiment import Scaled
from smmcore.arrays import Array


def normalise(W: Array) -> Array:
    """Divide W by its largest entry, so that several W have the same scale."""
    largest = float(np.abs(W).max())
    return W / largest if largest else W


def sample_grid(values: Array, n: int) -> Scaled:
    """Arrange a value from -1 to 1 per sample in a grid, row by row; the last cells are empty."""
    columns = 10 * ceil(sqrt(2 * n) / 10)
    cells = np.full((ceil(n / columns), columns), np.nan)
    cells.flat[: len(values)] = values
    return Scaled(cells, 1.0)
