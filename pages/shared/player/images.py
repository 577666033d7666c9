"""Images for the player."""

from __future__ import annotations

import numpy as np

from smmcore.arrays import Array


def normalise(W: Array) -> Array:
    """Divide W by its largest entry, so that several W have the same scale."""
    largest = float(np.abs(W).max())
    return W / largest if largest else W
