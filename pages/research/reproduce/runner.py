"""Compute the cells that are missing, in this process or in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pages.research.reproduce.store import Store
from pages.shared.reproduction.reproduction import Cell, Row
from pages.shared.reproduction.sources import SourceSamples


def compute(
    cells: Sequence[Cell],
    samples: Mapping[str, SourceSamples],
    store: Store,
    *,
    jobs: int = 1,
) -> dict[Cell, Row]:
    """Return the row of each cell; compute those that are not in the store, and store each at once.

    The number of cells and the remaining time are written to the standard error.
    """
    digests = {"": ""} | {name: each.digest for name, each in samples.items()}
    rows = {cell: store.load(cell, digests[cell.source]) for cell in cells}
    missing = [cell for cell, row in rows.items() if row is None]
    finished = len(rows) - len(missing)
    bar = tqdm(
        desc=f"cells ({finished} were finished before)" if finished else "cells",
        total=len(rows),
        initial=finished,
        unit="cell",
        disable=not missing,
        dynamic_ncols=True,
    )
    pool = Parallel(jobs, return_as="generator_unordered")
    with bar:
        calls = (delayed(_row)(cell, samples.get(cell.source)) for cell in missing)
        for cell, row in pool(calls):
            store.save(cell, digests[cell.source], row)
            rows[cell] = row
            bar.update()
    return {cell: row for cell, row in rows.items() if row is not None}


def _row(cell: Cell, samples: SourceSamples | None) -> tuple[Cell, Row]:
    """Compute a cell with one BLAS thread, so that its digits do not depend on the machine's."""
    with threadpool_limits(1):
        row = cell.row(samples)
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in row.items()
    }
    return cell, plain
