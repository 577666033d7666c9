"""Training and tests of four methods: preprocessing, scaling, splits, weights, searches."""

from smmcore.model_selection.grid import grid_paths, rank_grid
from smmcore.model_selection.preprocessing import Preprocessing
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import Scheme, Split
from smmcore.model_selection.training import MethodSpec, TrainingPart
from smmcore.model_selection.trial import (
    PreparedTrial,
    SplitResult,
    Trial,
    TrialState,
    trial_states,
)

__all__ = [
    "SCALINGS",
    "MethodSpec",
    "PreparedTrial",
    "Preprocessing",
    "Scaling",
    "Scheme",
    "Split",
    "SplitResult",
    "TrainingPart",
    "Trial",
    "TrialState",
    "grid_paths",
    "rank_grid",
    "trial_states",
]
