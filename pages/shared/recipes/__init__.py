"""Recipes: the data and the model of a run as values that are compared, sent, linked and printed.

A recipe never carries arrays. It says how to make them, so it is small enough to be the cache key,
the address of a picture, the script that a reader takes home and the order that a worker gets.
"""

from pages.shared.recipes.data import SCALINGS, BlockCorrelated, Brought, Data, Split
from pages.shared.recipes.relevant import PROTOCOLS, Relevant
from pages.shared.recipes.repetitions import FacesRun, Table1Run, column
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
from pages.shared.recipes.squared_loss import LOSSES, BilevelRun, CrossValidationRun, LossRun
from pages.shared.recipes.trial import Division, Look, TrialRun
from pages.shared.recipes.uploads import Upload, spool

Recipe = TrialRun | LossRun | BilevelRun | CrossValidationRun | Table1Run | FacesRun

__all__ = [
    "FETCHED",
    "LOSSES",
    "MAX_ENTRIES",
    "MAX_ENTRIES_MADE",
    "MAX_SAMPLES",
    "MAX_SAMPLES_MADE",
    "MAX_SIDE",
    "PROTOCOLS",
    "SCALINGS",
    "BilevelRun",
    "BlockCorrelated",
    "Brought",
    "CrossValidationRun",
    "Data",
    "Digits",
    "Division",
    "Faces",
    "FacesRun",
    "Labelled",
    "Look",
    "LossRun",
    "Recipe",
    "Relevant",
    "Samples",
    "Split",
    "Table1Run",
    "TrialRun",
    "Upload",
    "check_size",
    "column",
    "footprint",
    "spool",
]
