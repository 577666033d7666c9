"""Which numbers of a run the player draws, and along what. See `player` for what a panel is."""

from pages.shared.panels.parts import NAMES
from pages.shared.panels.repetitions import (
    faces_panels,
    repetition_axis,
    table_1_panels,
)
from pages.shared.panels.squared_loss import (
    bilevel_panels,
    cross_validation_axis,
    cross_validation_panels,
    loss_panels,
)
from pages.shared.panels.trial import TRAININGS, trial_panels

__all__ = [
    "NAMES",
    "TRAININGS",
    "bilevel_panels",
    "cross_validation_axis",
    "cross_validation_panels",
    "faces_panels",
    "loss_panels",
    "repetition_axis",
    "table_1_panels",
    "trial_panels",
]
