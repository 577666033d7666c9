"""Samples as workers have them, and how many of them a shared server takes."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from smmcore.problems import Certificate, SMMProblem

Array = NDArray[np.float64]

MAX_SIDE = 512  # rows or columns
MAX_SAMPLES, MAX_ENTRIES = 3_000, 20_000_000  # n and n p q: their Gram matrix takes 10 seconds
# Whoever moves a slider wants no more than the paper, and a worker has others to serve.
MAX_SAMPLES_MADE, MAX_ENTRIES_MADE = 2_000, 12_000_000


class Samples(NamedTuple):
    """Matrices with labels -1 and +1, and the matrix the labels came from, where there is one."""

    X: Array  # (n, p, q)
    y: Array  # (n,)
    coef: Array | None  # (p, q)


class Prepared(NamedTuple):
    """Samples of two classes as a worker has them."""

    problem: SMMProblem  # on those to train on, at any weights
    coef: Array | None = None  # (p, q), the true W
    held: Samples | None = None  # what a split has kept for testing

    @classmethod
    def of(cls, samples: Samples, held: Samples | None = None) -> Prepared:
        """Prepare the samples to train on, and those to test on, if there are any."""
        X, y, coef = samples
        return cls(SMMProblem(X, y, C=1.0, tau=1.0), coef, held)

    def held_accuracy(self, proof: Certificate) -> float:
        """Return the share of the samples kept for testing that a machine gets right."""
        X, y, _ = self.held
        return accuracy(X.reshape(len(y), -1) @ proof.W.ravel() + proof.b, y)


def accuracy(decision: Array, y: Array) -> float:
    """Return the share of samples on their own side; a decision of 0 counts as class -1."""
    return float(np.mean((decision > 0) == (y > 0)))


class Labelled(NamedTuple):
    """Matrices of two classes or more; what a split must know of each sample, where it is known."""

    X: Array  # (n, p, q)
    y: NDArray[np.intp]  # (n,), places in `classes`
    classes: NDArray  # (K,), the labels as they came, in order
    groups: NDArray[np.intp] | None = None  # (n,): subject, session
    test: NDArray[np.bool_] | None = None  # (n,), the test part that came with the data

    @classmethod
    def of(
        cls,
        X: NDArray,
        y: NDArray,
        groups: NDArray | None = None,
        test: NDArray | None = None,
    ) -> Labelled:
        """Number the labels, and the groups, in their order."""
        classes, codes = np.unique(_plain(y), return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"every label is {classes[0]}; there must be two classes or more")
        if groups is not None:
            groups = np.unique(_plain(groups), return_inverse=True)[1]
        X = np.ascontiguousarray(X, dtype=float)
        return cls(X, codes, classes, groups, None if test is None else np.asarray(test, bool))


def _plain(labels: NDArray) -> NDArray:
    # Text as objects cannot be saved without pickle.
    return np.array(labels.tolist()) if labels.dtype == object else np.asarray(labels)


class HasShape(Protocol):
    """Whatever says how many samples there are, and how large: a dataset."""

    shape: tuple[int, int, int]


def memory_bytes(data: HasShape) -> int:
    """Return the bytes that a worker keeps for a data set: samples, centred ones, Gram matrix."""
    n, p, q = data.shape
    return 8 * (2 * n * p * q + n * n)


def check_size(
    n: int, p: int, q: int, samples: int = MAX_SAMPLES, entries: int = MAX_ENTRIES
) -> None:
    """Refuse data that a shared server should not work on.

    Parameters
    ----------
    n, p, q : int
        The shape of the samples.
    samples, entries : int
        The most that n and n p q may be.

    Raises
    ------
    ValueError
        With the number that is too large or too small, and what is allowed.
    """
    check("n, the number of samples,", n, 2, samples)
    check("p, the number of rows,", p, 1, MAX_SIDE)
    check("q, the number of columns,", q, 1, MAX_SIDE)
    if n * p * q > entries:
        raise ValueError(
            f"n x p x q must be at most {entries:,}, got {n} x {p} x {q} = {n * p * q:,}"
        )


def check(name: str, value: float, low: float, high: float, limit: str = "") -> None:
    """Refuse a value outside its range, with a sentence.

    Parameters
    ----------
    name : str
        What the value is of.
    value, low, high : float
    limit : str, optional
        What `high` stands for.

    Raises
    ------
    ValueError
    """
    if not low <= value <= high:  # a NaN fails as well
        at_most = f"{limit} = {high:g}" if limit else f"{high:,}"
        raise ValueError(f"{name} must be at least {low:g} and at most {at_most}, got {value:g}")
