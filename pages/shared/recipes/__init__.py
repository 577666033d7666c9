"""Recipes: the data and the model of a run as values that are compared, sent, linked and printed.

A recipe never carries arrays. It says how to make them, so it is small enough to be the cache key,
the address of a picture, the script that a reader takes home and the order that a worker gets.
"""

from pages.shared.recipes.data import SCALINGS, BlockCorrelated, Brought, Data, Pair, Split
from pages.shared.recipes.low_rank import STARTS, WEIGHTED, CyclicRun, WeightingRun
from pages.shared.recipes.regression import Features, Regressed, Regression, Sinc, Steps
from pages.shared.recipes.relevant import PROTOCOLS, Relevant
from pages.shared.recipes.repetitions import FacesRun, Table1Run, column
from pages.shared.recipes.rivals import (
    METHODS,
    SWEEP_LIMITS,
    RaceRun,
    SweepRun,
    without_idle_weights,
)
from pages.shared.recipes.robustness import NOISY, RobustnessRun, ValidationRun
from pages.shared.recipes.samples import (
    MAX_ENTRIES,
    MAX_ENTRIES_MADE,
    MAX_SAMPLES,
    MAX_SAMPLES_MADE,
    MAX_SIDE,
    Labelled,
    Samples,
    check_size,
    footprint,
)
from pages.shared.recipes.sets import FETCHED, Digits, Faces
from pages.shared.recipes.sparse import PENALTIES, Contest, SparseRun, StochasticRun
from pages.shared.recipes.squared_loss import LOSSES, BilevelRun, CrossValidationRun, LossRun
from pages.shared.recipes.touching import MOST, Touching
from pages.shared.recipes.trace_norm import (
    ESTIMATES,
    LowRank,
    Measured,
    RecoveryRun,
    TraceNormPath,
    TraceNormRun,
)
from pages.shared.recipes.uploads import Upload, spool

Recipe = (
    RaceRun
    | SweepRun
    | ValidationRun
    | RobustnessRun
    | LossRun
    | BilevelRun
    | CrossValidationRun
    | WeightingRun
    | CyclicRun
    | Table1Run
    | FacesRun
    | SparseRun
    | Contest
    | StochasticRun
    | TraceNormRun
    | TraceNormPath
    | RecoveryRun
)

__all__ = [
    "ESTIMATES",
    "FETCHED",
    "LOSSES",
    "MAX_ENTRIES",
    "MAX_ENTRIES_MADE",
    "MAX_SAMPLES",
    "MAX_SAMPLES_MADE",
    "MAX_SIDE",
    "METHODS",
    "MOST",
    "NOISY",
    "PENALTIES",
    "PROTOCOLS",
    "SCALINGS",
    "STARTS",
    "SWEEP_LIMITS",
    "WEIGHTED",
    "BilevelRun",
    "BlockCorrelated",
    "Brought",
    "Contest",
    "CrossValidationRun",
    "CyclicRun",
    "Data",
    "Digits",
    "Faces",
    "FacesRun",
    "Features",
    "Labelled",
    "LossRun",
    "LowRank",
    "Measured",
    "Pair",
    "RaceRun",
    "Recipe",
    "RecoveryRun",
    "Regressed",
    "Regression",
    "Relevant",
    "RobustnessRun",
    "Samples",
    "Sinc",
    "SparseRun",
    "Split",
    "Steps",
    "StochasticRun",
    "SweepRun",
    "Table1Run",
    "Touching",
    "TraceNormPath",
    "TraceNormRun",
    "Upload",
    "ValidationRun",
    "WeightingRun",
    "check_size",
    "column",
    "footprint",
    "spool",
    "without_idle_weights",
]
