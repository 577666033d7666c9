"""Tell whether labels are classes or the numbers of a target; where both are possible, ask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from pages.shared.files.infer.vectors import MAX_CLASSES, are_too_many
from pages.shared.widgets import url

MAX_OBVIOUS = 10  # different numbers that are classes without any question


def choose_target(y: NDArray[Any], notes: DeltaGenerator, settings: DeltaGenerator) -> bool:
    """Return whether labels are taken as the numbers of a target; draw a switch if both may be."""
    _, counts = np.unique(y, return_counts=True)
    k, may_be_target = len(counts), y.dtype.kind in "iuf"
    may_be_classes = k <= MAX_CLASSES and np.count_nonzero(counts > 1) > 1
    if may_be_target and (are_too_many(k, len(y)) or not may_be_classes) and k > 2:
        return not (
            may_be_classes
            and url.toggle(
                notes,
                f"Take the {k:,} values as classes",
                key="as_classes",
                help="Classes are predicted by the four classifiers. A value that only one "
                "sample has is left out.",
            )
        )
    return (
        may_be_target
        and k > MAX_OBVIOUS
        and url.toggle(
            settings,
            f"Take the {k:,} labels as numbers",
            key="as_numbers",
            help="Numbers, such as an age or a score, are predicted by regression: the error "
            "counts how far a prediction is off.",
        )
    )
