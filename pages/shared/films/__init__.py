"""What a run shows, frame by frame: one kind of run a file. Workers make the frames; no Streamlit.

A film gives each of its states as a `Frame`, so that a run may be cut anywhere and go on from its
last state, whatever it computes.
"""

from __future__ import annotations

from pages.shared.films.cyclic import Cyclic
from pages.shared.films.frame import Film, Frame, Proof, Taken
from pages.shared.films.race import Race
from pages.shared.films.robustness import Robustness, Validation
from pages.shared.films.sparse import SideBySide, Sparse, Stochastic
from pages.shared.films.sweep import Sweep
from pages.shared.films.trace_norm import Proximal, RadiusPath, Recovery
from pages.shared.films.trial import Trials
from pages.shared.films.weighting import Weighing
from pages.shared.recipes import (
    Contest,
    CyclicRun,
    RaceRun,
    Recipe,
    RecoveryRun,
    RobustnessRun,
    SparseRun,
    StochasticRun,
    SweepRun,
    TraceNormPath,
    TraceNormRun,
    TrialRun,
    ValidationRun,
    WeightingRun,
)

__all__ = ["Film", "Frame", "Proof", "Taken", "film_of"]

_FILMS: dict[type, type[Film]] = {
    RaceRun: Race,
    SweepRun: Sweep,
    ValidationRun: Validation,
    RobustnessRun: Robustness,
    TrialRun: Trials,
    WeightingRun: Weighing,
    CyclicRun: Cyclic,
    SparseRun: Sparse,
    Contest: SideBySide,
    StochasticRun: Stochastic,
    TraceNormRun: Proximal,
    TraceNormPath: RadiusPath,
    RecoveryRun: Recovery,
}


def film_of(recipe: Recipe) -> Film:
    """Return the film of a recipe."""
    return _FILMS[type(recipe)](recipe)
