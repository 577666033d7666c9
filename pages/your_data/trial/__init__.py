"""Trials of classifiers and of regression: preprocessing, scaling, splits, weights, searches."""

from pages.your_data.trial.calibration import Calibration
from pages.your_data.trial.grid import grid_paths, most_frequent, rank_grid
from pages.your_data.trial.machine import Machine
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.regression_machine import RegressionMachine
from pages.your_data.trial.regression_trial import (
    PreparedRegression,
    RegressionResult,
    RegressionState,
    RegressionTrial,
    regression_states,
)
from pages.your_data.trial.saved_machine import SavedMachine
from pages.your_data.trial.splits import Scheme, Split
from pages.your_data.trial.training import MethodSpec, TrainingPart
from pages.your_data.trial.training_on_all import (
    MachineState,
    RegressionMachineState,
    TrainedMachine,
    machine_states,
    most_frequent_share,
    regression_machine_states,
    train_on_all,
    train_regression_on_all,
)
from pages.your_data.trial.trial import PreparedTrial, SplitResult, Trial, TrialState, trial_states
from smmcore.estimators.scaling import SCALINGS, Scaling

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
