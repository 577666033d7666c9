"""What workers do: a slice of a run, a look at a data set, a second opinion. No Streamlit here."""

from pages.shared.jobs.opinions import (
    REFEREE_SAMPLES,
    REFEREE_SECONDS,
    REFEREE_SIDE,
    SecondOpinion,
    referee,
    referee_can,
)
from pages.shared.jobs.process import LONGEST, answer, begin_worker, do, idle
from pages.shared.jobs.remote import pickle_call
from pages.shared.jobs.samples import Survey, survey
from pages.shared.jobs.shelf import CACHE_BYTES, take
from pages.shared.jobs.slices import Slice, advance

__all__ = [
    "CACHE_BYTES",
    "LONGEST",
    "REFEREE_SAMPLES",
    "REFEREE_SECONDS",
    "REFEREE_SIDE",
    "SecondOpinion",
    "Slice",
    "Survey",
    "advance",
    "answer",
    "begin_worker",
    "do",
    "idle",
    "pickle_call",
    "referee",
    "referee_can",
    "survey",
    "take",
]
