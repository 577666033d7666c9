"""Arrays as the player draws them."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from smmcore.experiments.experiment import Array, Scaled

MAX_CURVES = 6  # singular values that have a curve of their own


def normalise(W: Array) -> Array:
    """Return W divided by its largest entry, so that several W share one scale."""
    largest = float(np.abs(W).max())
    return W / largest if largest else W


def sample_grid(values: Array, n: int) -> Scaled:
    """Return one cell for each of n samples, row by row: values from -1 to 1; the rest is empty."""
    columns = 10 * ceil(sqrt(2 * n) / 10)
    cells = np.full((ceil(n / columns), columns), np.nan)
    cells.flat[: len(values)] = values
    return Scaled(cells, 1.0)
