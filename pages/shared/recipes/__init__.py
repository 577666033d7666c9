"""Recipes: the data and the model of a run as values that are compared, sent, linked and printed.

A recipe never carries arrays. It says how to make them, so it is small enough to be the cache key,
the address of a picture, the script that a reader takes home and the order that a worker gets.
"""

from pages.shared.recipes.data import SCALINGS, BlockCorrelated, Brought, Split
from pages.shared.recipes.relevant import PROTOCOLS, Relevant
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
from pages.shared.recipes.uploads import Upload, spool

__all__ = [
    "FETCHED",
    "MAX_ENTRIES",
    "MAX_ENTRIES_MADE",
    "MAX_SAMPLES",
    "MAX_SAMPLES_MADE",
    "MAX_SIDE",
    "PROTOCOLS",
    "SCALINGS",
    "BlockCorrelated",
    "Brought",
    "Digits",
    "Faces",
    "Labelled",
    "Relevant",
    "Samples",
    "Split",
    "Upload",
    "check_size",
    "footprint",
    "spool",
]
