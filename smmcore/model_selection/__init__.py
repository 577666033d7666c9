"""Training and tests of four methods on labelled samples: scaling, splits, weights, searches."""

from smmcore.model_selection.grid import CellScore, SearchState, grid_paths, rank_grid, search
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import BY, KINDS, Scheme, Split
from smmcore.model_selection.training import (
    Fit,
    Fold,
    MethodSpec,
    Progress,
    TrainingPart,
    decisions_on_path,
    train,
)
from smmcore.model_selection.trial import (
    PreparedTrial,
    SplitResult,
    Trial,
    TrialState,
    trial_states,
)

__all__ = [
    "BY",
    "KINDS",
    "SCALINGS",
    "CellScore",
    "Fit",
    "Fold",
    "MethodSpec",
    "PreparedTrial",
    "Progress",
    "Scaling",
    "Scheme",
    "SearchState",
    "Split",
    "SplitResult",
    "TrainingPart",
    "Trial",
    "TrialState",
    "decisions_on_path",
    "grid_paths",
    "rank_grid",
    "search",
    "train",
    "trial_states",
]
