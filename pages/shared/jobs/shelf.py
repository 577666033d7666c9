"""The data sets that a worker keeps at hand."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pages.shared.recipes import footprint
from smmcore.experiments.experiment import Dataset

CACHE_BYTES = 600_000_000  # of data sets, in each worker: four of the paper's size

_shelf: OrderedDict[Dataset, Any] = OrderedDict()


def take(data: Dataset) -> Any:
    """Return prepared data, from this process's cache if they are there."""
    if data in _shelf:
        _shelf.move_to_end(data)
    else:
        _shelf[data] = data.prepare()
        while len(_shelf) > 1 and sum(map(footprint, _shelf)) > CACHE_BYTES:
            _shelf.popitem(last=False)
    return _shelf[data]
