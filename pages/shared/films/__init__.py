"""What a run shows, frame by frame: one kind of run a file. Workers make the frames; no Streamlit.

A film gives each of its states as a `Frame`, so that a run may be cut anywhere and go on from its
last state, whatever it computes.
"""

from __future__ import annotations

from pages.shared.films.algorithm1 import Algorithm1
from pages.shared.films.duel import Duel
from pages.shared.films.frame import Film, Frame, Proof, Taken
from pages.shared.films.plane import Plane
from pages.shared.films.race import Race
from pages.shared.films.robustness import Robustness, Validation
from pages.shared.films.sweep import Sweep
from pages.shared.films.tau_path import TauPath
from pages.shared.recipes import (
    DuelRun,
    PathRun,
    PlaneRun,
    RaceRun,
    Recipe,
    RobustnessRun,
    SMMRun,
    SweepRun,
    ValidationRun,
)

__all__ = ["Film", "Frame", "Proof", "Taken", "film_of"]

_FILMS: dict[type, type[Film]] = {
    SMMRun: Algorithm1,
    DuelRun: Duel,
    PathRun: TauPath,
    PlaneRun: Plane,
    RaceRun: Race,
    SweepRun: Sweep,
    ValidationRun: Validation,
    RobustnessRun: Robustness,
}


def film_of(recipe: Recipe) -> Film:
    """Return the film of a recipe."""
    return _FILMS[type(recipe)](recipe)
