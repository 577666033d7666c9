"""What workers do: a slice of a run, a look at a data set, a second opinion. No Streamlit here."""

from pages.shared.jobs.lessons import (
    Turned,
    radius_arrays,
    recovery_arrays,
    turned,
)
from pages.shared.jobs.opinions import (
    REFEREE_SAMPLES,
    REFEREE_SECONDS,
    REFEREE_SIDE,
    Alternative,
    SecondOpinion,
    referee,
    referee_can,
    scikit_learn,
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
    "Alternative",
    "SecondOpinion",
    "Slice",
    "Survey",
    "Turned",
    "advance",
    "answer",
    "begin_worker",
    "do",
    "idle",
    "pickle_call",
    "radius_arrays",
    "recovery_arrays",
    "referee",
    "referee_can",
    "scikit_learn",
    "survey",
    "take",
    "turned",
]
