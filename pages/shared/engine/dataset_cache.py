"""A worker's cache of prepared data sets: the least recently used one goes first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pages.shared.engine.experiment import Dataset

CACHE_BYTES = 600_000_000  # in each worker: four data sets of the paper's size

_prepared: OrderedDict[Dataset, Any] = OrderedDict()


def get_prepared(data: Dataset) -> Any:
    """Return `data.prepare()`, from this process's cache if it is there."""
    if data in _prepared:
        _prepared.move_to_end(data)
    else:
        _prepared[data] = data.prepare()
        while len(_prepared) > 1 and sum(each.memory_bytes for each in _prepared) > CACHE_BYTES:
            _prepared.popitem(last=False)
    return _prepared[data]
