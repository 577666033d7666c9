"""The data sets that a worker keeps at hand."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pages.shared.films import Taken
from pages.shared.recipes import (
    Brought,
    Data,
    Labelled,
    LowRank,
    Measured,
    Regressed,
    Regression,
    Relevant,
    Split,
    footprint,
)
from smmcore.problems import SMMProblem

CACHE_BYTES = 600_000_000  # of data sets, in each worker: four of the paper's size

_shelf: OrderedDict[Data, Taken | Labelled | Regressed | Measured] = OrderedDict()


def take(data: Data) -> Any:
    """Return a data set from this process's cache if it is there: labelled, or with a problem."""
    if data in _shelf:
        _shelf.move_to_end(data)
    else:
        loads = isinstance(data, Brought | Regression | LowRank)
        _shelf[data] = data.load() if loads else _problem(data)
        while len(_shelf) > 1 and sum(map(footprint, _shelf)) > CACHE_BYTES:
            _shelf.popitem(last=False)
    return _shelf[data]


def _problem(data: Data) -> Taken:
    (X, y, coef), held = data.parts() if isinstance(data, Split | Relevant) else (data.load(), None)
    return Taken(SMMProblem(X, y, C=1.0, tau=1.0), coef, held)
