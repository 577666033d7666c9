"""Which numbers of a run the player draws, and along what. See `player` for what a panel is."""

from pages.shared.panels.parts import NAMES
from pages.shared.panels.trial import TRAININGS, trial_panels

__all__ = [
    "NAMES",
    "TRAININGS",
    "trial_panels",
]
