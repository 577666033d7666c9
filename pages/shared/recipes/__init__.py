"""Recipes: the data and the model of a run as values that are compared, sent, linked and printed.

A recipe never carries arrays. It says how to make them, so it is small enough to be the cache key,
the address of a picture, the script that a reader takes home and the order that a worker gets.
"""

from pages.shared.recipes.data import SCALINGS, BlockCorrelated, Data, Digits, Pair, Split
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
    Samples,
    check_size,
    footprint,
)
from pages.shared.recipes.smm import (
    ALGORITHMS,
    DRAWN,
    PLAIN,
    RESTARTED,
    UNGUARDED,
    DuelRun,
    PathRun,
    PlaneRun,
    SMMRun,
)
from pages.shared.recipes.uploads import Upload, spool

Recipe = SMMRun | DuelRun | PathRun | PlaneRun | RaceRun | SweepRun | ValidationRun | RobustnessRun

__all__ = [
    "ALGORITHMS",
    "DRAWN",
    "MAX_ENTRIES",
    "MAX_ENTRIES_MADE",
    "MAX_SAMPLES",
    "MAX_SAMPLES_MADE",
    "MAX_SIDE",
    "METHODS",
    "NOISY",
    "PLAIN",
    "RESTARTED",
    "SCALINGS",
    "SWEEP_LIMITS",
    "UNGUARDED",
    "BlockCorrelated",
    "Data",
    "Digits",
    "DuelRun",
    "Pair",
    "PathRun",
    "PlaneRun",
    "RaceRun",
    "Recipe",
    "RobustnessRun",
    "SMMRun",
    "Samples",
    "Split",
    "SweepRun",
    "Upload",
    "ValidationRun",
    "check_size",
    "footprint",
    "spool",
    "without_idle_weights",
]
