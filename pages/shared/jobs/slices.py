"""A slice of a run: frames, and the state where the next one begins."""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.jobs.records import pack_images, pack_metrics
from pages.shared.jobs.shelf import take
from smmcore.experiments.experiment import Experiment


class Slice(NamedTuple):
    """What a run has become in one turn on a worker."""

    metrics: NDArray[np.void]  # (m,), one record a frame; none where a frame takes several turns
    images: NDArray[np.void]  # (m,), those of the same frames
    state: object  # where the next slice begins
    certificate: object  # that of the last frame
    summary: str  # a sentence about the result, once it is there
    seconds: float  # of processor time


def advance(recipe: Experiment, state: object, budget: float, first: int = 0) -> Slice:
    """Make frames for `budget` seconds of processor time, or to the run's end.

    Parameters
    ----------
    recipe : recipe of a run
    state : object
        The last state of the slice before; None starts the run.
    budget : float
        The time to make or fetch the data is not counted: a run gets forward in every slice.
    first : int
        Number of the first frame that is to be made.
    """
    prepared = take(recipe.data)
    shown = []
    begin = process_time()
    for frame in recipe.frames(prepared, state):
        if frame.metrics:
            shown.append(frame)
        if frame.done or process_time() - begin >= budget:
            break
    return Slice(
        pack_metrics([one.metrics for one in shown]),
        pack_images([one.images for one in shown], first),
        frame.state,
        frame.certificate,
        recipe.summary(frame) if frame.done else "",
        process_time() - begin,
    )
