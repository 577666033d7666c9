"""Compute the cells that are missing: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pages.research.reproduce.store import Store
from pages.shared.engine.cluster import Cluster
from pages.shared.reproduction.reproduction import Cell, Row
from pages.shared.reproduction.sources import SourceSamples

Job = tuple[int, Cell, SourceSamples | None]  # number, cell, its samples
AHEAD = 3  # calls on the cluster for each of its threads, so that no worker waits for the next


def compute(
    cells: Sequence[Cell],
    samples: Mapping[str, SourceSamples],
    store: Store,
    *,
    jobs: int = 1,
    scheduler: str = "",
) -> dict[Cell, Row]:
    """Return the row of each cell; compute those that are not in the store, and store each at once.

    The number of cells and the remaining time are written to the standard error. A cluster that
    cannot be used raises a ValueError whose message is one sentence.
    """
    digests = {"": ""} | {name: each.digest for name, each in samples.items()}
    rows = {cell: store.load(cell, digests[cell.source]) for cell in cells}
    missing = [cell for cell, row in rows.items() if row is None]
    numbered = [(i, cell, samples.get(cell.source)) for i, cell in enumerate(missing)]
    finished = len(rows) - len(missing)
    bar = tqdm(
        desc=f"cells ({finished} were finished before)" if finished else "cells",
        total=len(rows),
        initial=finished,
        unit="cell",
        disable=not missing,
        dynamic_ncols=True,
    )
    with bar:
        for number, row in compute_rows(numbered, jobs, scheduler):
            cell = missing[number]
            store.save(cell, digests[cell.source], row)
            rows[cell] = row
            bar.update()
    return {cell: row for cell, row in rows.items() if row is not None}


def compute_rows(numbered: Sequence[Job], jobs: int, scheduler: str) -> Iterator[tuple[int, Row]]:
    """Yield number and row of each job as it ends."""
    if scheduler:
        yield from _compute_on_cluster(numbered, scheduler)
    else:
        pool = Parallel(jobs, return_as="generator_unordered")
        yield from pool(delayed(_row)(*job) for job in numbered)


def _compute_on_cluster(numbered: Sequence[Job], address: str) -> Iterator[tuple[int, Row]]:
    """Compute jobs on a cluster, which repeats those of a dead worker."""
    # Not joblib's backend for Dask (1.6), which waits for ever for a job that ends its workers.
    pool, ahead, pending = Cluster(address), iter(numbered), set[Future[tuple[int, Row]]]()
    try:
        while True:
            room = AHEAD * pool.threads - len(pending)
            pending |= {pool.submit(_row, *job) for job in islice(ahead, room)}
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for each in done:
                yield each.result()
    finally:
        pool.shutdown()


def _row(number: int, cell: Cell, samples: SourceSamples | None) -> tuple[int, Row]:
    """Compute a cell with one BLAS thread, so that its digits do not depend on the machine's."""
    with threadpool_limits(1):
        row = cell.row(samples)
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in row.items()
    }
    return number, plain
