"""Trials of classifiers and of regression: preprocessing, scaling, splits, weights, searches."""

from smmcore.model_selection.calibration import Calibration
from smmcore.model_selection.grid import grid_paths, most_frequent, rank_grid
from smmcore.model_selection.machine import Machine
from smmcore.model_selection.preprocessing import Preprocessing
from smmcore.model_selection.regression_trial import (
    PreparedRegression,
    RegressionResult,
    RegressionState,
    RegressionTrial,
    regression_states,
)
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import Scheme, Split
from smmcore.model_selection.training import MethodSpec, TrainingPart
from smmcore.model_selection.training_on_all import (
    MachineState,
    TrainedMachine,
    machine_states,
    train_on_all,
)
from smmcore.model_selection.trial import (
    PreparedTrial,
    SplitResult,
    Trial,
    TrialState,
    trial_states,
)

__all__ = [
    "SCALINGS",
    "Calibration",
    "Machine",
    "MachineState",
    "MethodSpec",
    "PreparedRegression",
    "PreparedTrial",
    "Preprocessing",
    "RegressionResult",
    "RegressionState",
    "RegressionTrial",
    "Scaling",
    "Scheme",
    "Split",
    "SplitResult",
    "TrainedMachine",
    "TrainingPart",
    "Trial",
    "TrialState",
    "grid_paths",
    "machine_states",
    "most_frequent",
    "rank_grid",
    "regression_states",
    "train_on_all",
    "trial_states",
]
