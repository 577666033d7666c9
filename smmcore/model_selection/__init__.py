"""Trials of classifiers and of regression: preprocessing, scaling, splits, weights, searches."""

from smmcore.model_selection.calibration import Calibration
from smmcore.model_selection.grid import grid_paths, most_frequent, rank_grid
from smmcore.model_selection.machine import Machine
from smmcore.model_selection.preprocessing import Preprocessing
from smmcore.model_selection.regression_machine import RegressionMachine
from smmcore.model_selection.regression_trial import (
    PreparedRegression,
    RegressionResult,
    RegressionState,
    RegressionTrial,
    regression_states,
)
from smmcore.model_selection.saved_machine import SavedMachine
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import Scheme, Split
from smmcore.model_selection.training import MethodSpec, TrainingPart
from smmcore.model_selection.training_on_all import (
    MachineState,
    RegressionMachineState,
    TrainedMachine,
    machine_states,
    most_frequent_share,
    regression_machine_states,
    train_on_all,
    train_regression_on_all,
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
    "RegressionMachine",
    "RegressionMachineState",
    "RegressionResult",
    "RegressionState",
    "RegressionTrial",
    "SavedMachine",
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
    "most_frequent_share",
    "rank_grid",
    "regression_machine_states",
    "regression_states",
    "train_on_all",
    "train_regression_on_all",
    "trial_states",
]
