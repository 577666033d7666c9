"""Compute the cells that are missing, in this process or in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from platform import python_version

import numpy as np
import scipy
import sklearn
from joblib import Memory, Parallel, delayed
from threadpoolctl import threadpool_limits
from tqdm import tqdm

import smmcore
from pages.shared.engine import worker
from pages.shared.engine.experiment import constructor
from pages.shared.reproduction.reproduction import Cell, Row
from pages.shared.reproduction.sources import SourceSamples


def versions() -> str:
    """Return the versions of everything that computes cells."""
    return (
        f"smmcore {smmcore.__version__} (source {worker.version()[:16]}), Python "
        f"{python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}"
    )


def compute(
    cells: Sequence[Cell],
    samples: Mapping[str, SourceSamples],
    folder: Path,
    *,
    jobs: int = 1,
) -> dict[Cell, Row]:
    """Return the row of each cell; those that are in the folder are not computed again.

    There they lie by settings, samples and versions. The number of cells and the remaining time are
    written to the standard error.
    """
    row = Memory(folder, verbose=0).cache(_row, ignore=["cell", "samples"])
    digests = {"": ""} | {name: each.digest for name, each in samples.items()}
    calls = [
        (cell, samples.get(cell.source), (constructor(cell), digests[cell.source], versions()))
        for cell in cells
    ]
    finished = sum(row.check_call_in_cache(*call) for call in calls)
    pool = Parallel(jobs, return_as="generator")
    rows = tqdm(
        pool(delayed(row)(*call) for call in calls),
        desc=f"cells ({finished} were finished before)" if finished else "cells",
        total=len(calls),
        unit="cell",
        disable=finished == len(calls),
        dynamic_ncols=True,
    )
    return dict(zip(cells, rows, strict=True))


def _row(cell: Cell, samples: SourceSamples | None, _key: tuple[str, ...]) -> Row:
    """Compute a cell with one BLAS thread, so that its digits do not depend on the machine's."""
    with threadpool_limits(1):
        row = cell.row(samples)
    return {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in row.items()
    }
