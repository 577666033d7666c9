"""What a run shows, frame by frame: one kind of run a file. Workers make the frames; no Streamlit.

A film gives each of its states as a `Frame`, so that a run may be cut anywhere and go on from its
last state, whatever it computes.
"""

from __future__ import annotations

from pages.shared.films.cyclic import Cyclic
from pages.shared.films.frame import Film, Frame, Proof, Taken
from pages.shared.films.race import Race
from pages.shared.films.repetitions import FacesAgain, Table1
from pages.shared.films.robustness import Robustness, Validation
from pages.shared.films.sparse import SideBySide, Sparse, Stochastic
from pages.shared.films.squared_loss import Bilevel, CrossValidation, Losses
from pages.shared.films.sweep import Sweep
from pages.shared.films.trace_norm import Proximal, RadiusPath, Recovery
from pages.shared.films.weighting import Weighing
from pages.shared.recipes import (
    BilevelRun,
    Contest,
    CrossValidationRun,
    CyclicRun,
    FacesRun,
    LossRun,
    RaceRun,
    Recipe,
    RecoveryRun,
    RobustnessRun,
    SparseRun,
    StochasticRun,
    SweepRun,
    Table1Run,
    TraceNormPath,
    TraceNormRun,
    ValidationRun,
    WeightingRun,
)

__all__ = ["Film", "Frame", "Proof", "Taken", "film_of"]

_FILMS: dict[type, type[Film]] = {
    RaceRun: Race,
    SweepRun: Sweep,
    ValidationRun: Validation,
    RobustnessRun: Robustness,
    LossRun: Losses,
    BilevelRun: Bilevel,
    CrossValidationRun: CrossValidation,
    WeightingRun: Weighing,
    CyclicRun: Cyclic,
    Table1Run: Table1,
    FacesRun: FacesAgain,
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
