"""An overview of a data set: samples, classes, correlations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pages.shared.engine.experiment import Dataset
from pages.shared.engine.worker import get_prepared
from smmcore.arrays import Array


class Survey(NamedTuple):
    """An overview of a data set."""

    samples: Array  # (m, p, q), the first in class -1, then in class +1
    labels: Array  # (m,)
    counts: tuple[int, int]  # samples of class -1 and of class +1
    correlation: Array  # (q, q), between columns, averaged over the rows
    coef: Array | None  # (p, q), the true W
    lengths: tuple[float, float]  # of the shortest and the longest feature, over the samples


def make_survey(data: Dataset, shown: int = 4) -> Survey:
    """Return an overview of a data set, with so many samples of each class."""
    problem, coef, _ = get_prepared(data)
    X, y = problem.X, problem.y
    rows = np.concatenate([np.flatnonzero(y == label)[:shown] for label in (-1, 1)])
    centred = X - X.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    centred /= np.where(lengths > 0, lengths, 1.0)
    columns = centred.reshape(-1, X.shape[2])
    uncentred = np.linalg.norm(X, axis=0)
    return Survey(
        samples=X[rows],
        labels=y[rows],
        counts=(int(np.count_nonzero(y < 0)), int(np.count_nonzero(y > 0))),
        correlation=columns.T @ columns / X.shape[1],
        coef=coef,
        lengths=(float(uncentred.min()), float(uncentred.max())),
    )
