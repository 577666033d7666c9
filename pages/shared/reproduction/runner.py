"""Compute the cells that are missing: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from socket import gethostname
from typing import Any, NoReturn

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pages.shared.reproduction.reproduction import Cell, Row
from pages.shared.reproduction.sources import Samples
from pages.shared.reproduction.store import Store, code_version

Job = tuple[int, Cell, Samples | None]  # number, cell, its samples
CONNECT_SECONDS = 10.0
WORKER_SECONDS = 30.0  # that a cluster may be without workers
TERMINAL_SECONDS, LOG_SECONDS = 0.1, 60.0  # between two states of the progress bar
AHEAD = 3  # calls on the cluster for each of its threads, so that no worker waits for the next


def compute(
    cells: Sequence[Cell],
    samples: Mapping[str, Samples],
    store: Store,
    *,
    jobs: int = 1,
    scheduler: str = "",
) -> dict[Cell, Row]:
    """Return the row of each cell; compute those that are not in the store, and store each at once.

    The number of cells and the remaining time are written to the standard error, on one line of a
    terminal, and in a file on a new line every minute.
    """
    digests = {"": ""} | {name: each.digest for name, each in samples.items()}
    rows = {cell: store.load(cell, digests[cell.source]) for cell in cells}
    missing = [cell for cell, row in rows.items() if row is None]
    numbered = [(i, cell, samples.get(cell.source)) for i, cell in enumerate(missing)]
    answers = on_cluster(numbered, scheduler) if scheduler else on_this_machine(numbered, jobs)
    with _progress(len(rows), len(missing)) as bar:
        for number, row in answers:
            cell = missing[number]
            store.save(cell, digests[cell.source], row)
            rows[cell] = row
            bar.update()
    return {cell: row for cell, row in rows.items() if row is not None}


def _row(number: int, cell: Cell, samples: Samples | None) -> tuple[int, Row]:
    """Compute a cell with one BLAS thread, so that its digits do not depend on the machine's."""
    with threadpool_limits(1):
        row = cell.row(samples)
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in row.items()
    }
    return number, plain


def on_this_machine(jobs: Sequence[Job], processes: int) -> Iterator[tuple[int, Row]]:
    """Yield number and row of each job as it ends, computed by processes of this machine."""
    from sklearn.utils.parallel import Parallel, delayed

    pool = Parallel(n_jobs=processes, return_as="generator_unordered")
    yield from pool(delayed(_row)(*job) for job in jobs)


class _Call:
    """A call that `pickle.loads` makes; a Dask scheduler passes its bytes on without our code."""

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_code_row, (code_version(), pickle.dumps(self._parts))


def _same_code_row(version: str, job: bytes) -> tuple[int, Row]:
    """Compute a pickled job, provided that this machine has the same source code."""
    if version != code_version():
        raise ImportError(f"{gethostname()} has another version of smmcore")
    return _row(*pickle.loads(job))


def on_cluster(jobs: Sequence[Job], address: str) -> Iterator[tuple[int, Row]]:
    """Yield number and row of each job as it ends; a cluster repeats those of a dead worker."""
    try:
        from distributed import Client, as_completed
    except ModuleNotFoundError:
        raise ValueError("--scheduler needs Dask: pip install distributed") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        silent = f"the cluster at {address} does not answer: start its scheduler"
        raise ValueError(silent) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            raise ValueError(f"the cluster at {address} has no workers: start one") from None
        ahead = iter(jobs)

        def submit(count: int) -> list[Any]:
            calls = (pickle.dumps(_Call(*job)) for job in islice(ahead, count))
            return [client.submit(pickle.loads, call, pure=False) for call in calls]

        at_once = AHEAD * sum(client.nthreads().values())
        pending = as_completed(submit(at_once), loop=client.loop)
        for future in pending:
            try:
                answer = future.result()
            except Exception as error:
                first = (str(error).strip() or type(error).__name__).splitlines()[0]
                raise ValueError(
                    f"a cell failed on the cluster at {address} ({first}): its workers need the "
                    "same version of this folder"
                ) from error
            yield answer
            for following in submit(1):
                pending.add(following)


class _Lines:
    """Write each state of a bar on a line of its own, where no terminal overwrites the last one."""

    def write(self, text: str) -> None:
        sys.stderr.write(text.replace("\r", "\n"))

    def flush(self) -> None:
        sys.stderr.flush()


def _progress(total: int, missing: int) -> tqdm[NoReturn]:
    """Return a bar of the finished cells and the remaining time; silent if none is missing."""
    finished = total - missing
    is_terminal = sys.stderr.isatty()
    return tqdm(
        desc=f"cells ({finished} were finished before)" if finished else "cells",
        total=total,
        initial=finished,
        unit="cell",
        disable=not missing,
        dynamic_ncols=is_terminal,
        file=sys.stderr if is_terminal else _Lines(),
        mininterval=TERMINAL_SECONDS if is_terminal else LOG_SECONDS,
    )
