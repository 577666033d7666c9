"""What a run shows, frame by frame: one kind of run a file. Workers make the frames; no Streamlit.

A film gives each of its states as a `Frame`, so that a run may be cut anywhere and go on from its
last state, whatever it computes.
"""

from __future__ import annotations

from pages.shared.films.frame import Film, Frame, Proof, Taken
from pages.shared.films.trial import Trials
from pages.shared.recipes import (
    Recipe,
    TrialRun,
)

__all__ = ["Film", "Frame", "Proof", "Taken", "film_of"]

_FILMS: dict[type, type[Film]] = {
    TrialRun: Trials,
}


def film_of(recipe: Recipe) -> Film:
    """Return the film of a recipe."""
    return _FILMS[type(recipe)](recipe)
