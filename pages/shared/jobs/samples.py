"""Looks at samples: a data set at a glance, a division of it, some of its matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared import evaluation
from pages.shared.jobs.shelf import take
from pages.shared.recipes import Data, Division, Look
from smmcore.matfile import distinct


class Survey(NamedTuple):
    """A data set at a glance."""

    samples: NDArray[np.float64]  # (m, p, q), the first four of class -1, then those of +1
    labels: NDArray[np.float64]  # (m,)
    counts: tuple[int, int]  # samples of class -1 and of class +1
    correlation: NDArray[np.float64]  # (q, q), between columns, averaged over the rows
    coef: NDArray[np.float64] | None  # (p, q), the true W
    lengths: tuple[float, float]  # of the shortest and the longest feature, over the samples


def survey(data: Data) -> Survey:
    """Look at a data set: samples, classes, correlation of the features."""
    problem, coef, _ = take(data)
    X, y = problem.X, problem.y
    rows = np.concatenate([np.flatnonzero(y == label)[:4] for label in (-1, 1)])
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


class Divided(NamedTuple):
    """Labelled samples as a scheme divides them."""

    splits: list[tuple[NDArray[np.intp], NDArray[np.intp]]]  # rows to train on, rows to test on
    y: NDArray[np.intp]  # (n,), places in the classes
    cautions: list[str]  # why a test on them may mislead


def divided(division: Division) -> Divided:
    """Divide labelled samples, and look for what would flatter a test on them.

    Raises
    ------
    ValueError
        If they cannot be divided so.
    """
    X, y, classes, groups, test = take(division.data)
    splits = division.scheme.splits(y, groups, test)
    return Divided(splits, y, evaluation.caveats.of_split(X, y, distinct(classes), splits, groups))


class Seen(NamedTuple):
    """Some samples, as they came, and the mean of each class."""

    samples: NDArray[np.float64]  # (m, p, q)
    means: NDArray[np.float64]  # (K, p, q)
    signed: bool  # whether any number of the data is negative


def look(order: Look) -> Seen:
    """Fetch some samples to look at."""
    X, y, classes, *_ = take(order.data)
    means = evaluation.class_means(X, y, len(classes))
    return Seen(X[list(order.rows)], means, bool((X < 0).any()))
