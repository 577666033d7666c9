"""Which numbers of a run the player draws, and along what. See `player` for what a panel is."""

from pages.shared.panels.parts import NAMES

__all__ = [
    "NAMES",
]
