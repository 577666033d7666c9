"""Weights chosen by cross-validation inside a training part, from coarse to fine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smmcore.model_selection.machines import Machine, Part, Way, along

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

# The paper's grid of C, here in units of 1 / spread^2 of the training part.
WEIGHTS = [float(f"{step}e{decade}") for decade in range(-3, 4) for step in (1, 2, 5)][:-1]
MIDDLE = WEIGHTS.index(10.0)  # where a search begins
SHARES = np.logspace(0, -3, 20)[1:].tolist()  # of R-GLM's lambda_max


def ranks(p: int, q: int) -> list[int]:
    """1, 2, 3, 5, 8, ... up to min(p, q), which is the last."""
    made, following = [1], 2
    while following < min(p, q):
        made.append(following)
        following = made[-1] + made[-2]
    return sorted({*made, min(p, q)})


def strands(method: str, p: int, q: int) -> list[tuple[Machine, ...]]:
    """The grid of a method: what one path solves together, the coarse grid before the fine one."""
    if method == "smm":
        return [tuple(Machine(method, c, rank=r) for r in ranks(p, q)) for c in _from_coarse()]
    if method == "lsvm":
        return [(Machine(method, c),) for c in _from_coarse()]
    if method == "bsvm":
        rows, columns = _from_coarse(), ranks(p, q)
        columns = columns[1::2] + columns[::2]
        cells = product(range(len(rows)), range(len(columns)))
        both = sorted(cells, key=lambda at: max(at[0] / len(rows), at[1] / len(columns)))
        return [(Machine(method, rows[i], rank=columns[j]),) for i, j in both]
    return [tuple(Machine(method, share=s) for s in SHARES[i::4]) for i in (3, 1, 0, 2)]


def _from_coarse() -> list[float]:
    def fineness(i: int) -> tuple[int, int]:
        away = abs(i - MIDDLE)
        return next(level for level, step in enumerate((8, 4, 2, 1)) if away % step == 0), away

    return [WEIGHTS[i] for i in sorted(range(len(WEIGHTS)), key=fineness)]


class Tried(NamedTuple):
    """A cell of the grid, and how often it was right about samples that it had not seen."""

    machine: Machine
    right: int
    of: int


class Search(NamedTuple):
    """How far a search has got."""

    tried: tuple[Tried, ...] = ()
    strands: int = 0  # of the grid that are done
    folds: int = 0  # of the strand under way
    right: tuple[int, ...] = ()  # in these folds, a number for each cell of the strand
    decisions: tuple[tuple[Array, ...], ...] = ()  # of the next fold: by class, by cell
    way: Way | None = None  # of the next class

    @property
    def best(self) -> Tried | None:
        """The most accurate; among equals the smallest rank, then the strongest regularisation."""

        def key(tried: Tried) -> tuple[float, ...]:
            machine = tried.machine
            return -tried.right, machine.rank or 0, machine.c or -(machine.share or 0.0)

        return min(self.tried, key=key, default=None)


Fold = tuple[Part, Array, Rows]  # what is trained on; samples that are held out, their classes


def search(
    grid: Sequence[tuple[Machine, ...]],
    fold: Callable[[int], Fold],
    folds: int,
    state: Search | None = None,
) -> Iterator[Search]:
    """Yield how far a search has got, in steps of about a second or less.

    Parameters
    ----------
    grid : sequence of tuple of Machine
        See `strands`.
    fold : callable
        Makes a fold of a number; asked for the same one often.
    folds : int
    state : Search, optional
        Where to go on.
    """
    at = state or Search()
    for cells in grid[at.strands :]:
        for number in range(at.folds, folds):
            part, held, truth = fold(number)
            for k in part.positive[len(at.decisions) :]:
                for way in along(part, cells, k, held, at.way):
                    at = at._replace(way=way)
                    yield at
                assert at.way is not None
                at = at._replace(way=None, decisions=(*at.decisions, at.way.found))
            right = [
                int(np.count_nonzero(named(np.stack(of_cell, axis=1)) == truth))
                for of_cell in zip(*at.decisions, strict=True)
            ]
            before = at.right or (0,) * len(cells)
            summed = tuple(a + b for a, b in zip(before, right, strict=True))
            at = at._replace(folds=number + 1, right=summed, decisions=())
        of = sum(len(fold(number)[2]) for number in range(folds))
        done = [Tried(cell, count, of) for cell, count in zip(cells, at.right, strict=True)]
        at = Search((*at.tried, *done), at.strands + 1)
        yield at


def named(decision: Array) -> Rows:
    """The classes that decision values (m, 1) or (m, K) name; of two, 0 names the first."""
    if decision.shape[1] == 1:
        return (decision[:, 0] > 0).astype(np.intp)
    return np.asarray(decision.argmax(axis=1))
