"""Which numbers of a run the player draws, and along what. See `player` for what a panel is."""

from pages.shared.panels.low_rank import CYCLES, PASSES, cyclic_panels, weighting_panels
from pages.shared.panels.parts import NAMES
from pages.shared.panels.repetitions import (
    faces_panels,
    repetition_axis,
    table_1_panels,
)
from pages.shared.panels.rivals import race_panels, sweep_axis, sweep_panels, with_choices
from pages.shared.panels.robustness import (
    noise_axis,
    noise_panels,
    validation_panels,
    weight_axis,
)
from pages.shared.panels.sparse import (
    DATA_PASSES,
    selection_panels,
    sparse_panels,
    stochastic_panels,
    threshold_panels,
)
from pages.shared.panels.squared_loss import (
    bilevel_panels,
    cross_validation_axis,
    cross_validation_panels,
    loss_panels,
)
from pages.shared.panels.trace_norm import (
    proximal_panels,
    radius_axis,
    radius_panels,
    recovery_axis,
    recovery_panels,
)

__all__ = [
    "CYCLES",
    "DATA_PASSES",
    "NAMES",
    "PASSES",
    "bilevel_panels",
    "cross_validation_axis",
    "cross_validation_panels",
    "cyclic_panels",
    "faces_panels",
    "loss_panels",
    "noise_axis",
    "noise_panels",
    "proximal_panels",
    "race_panels",
    "radius_axis",
    "radius_panels",
    "recovery_axis",
    "recovery_panels",
    "repetition_axis",
    "selection_panels",
    "sparse_panels",
    "stochastic_panels",
    "sweep_axis",
    "sweep_panels",
    "table_1_panels",
    "threshold_panels",
    "validation_panels",
    "weight_axis",
    "weighting_panels",
    "with_choices",
]
