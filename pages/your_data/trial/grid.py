"""Weights chosen by cross-validation inside a training set, from coarse to fine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.your_data.trial.training import (
    Fold,
    MethodSpec,
    Progress,
    decisions_on_path,
)
from smmcore.decision import predicted_class

Array = NDArray[np.float64]

# The paper's grid of C, here in units of 1 / spread^2 of the training set.
C_GRID = [float(f"{step}e{decade}") for decade in range(-3, 4) for step in (1, 2, 5)][:-1]
START = C_GRID.index(10.0)  # where a search begins
LAM_SHARES = np.logspace(0, -3, 20)[1:].tolist()  # lambda / lambda_max of R-GLM


def rank_grid(p: int, q: int) -> list[int]:
    """Return the ranks 1, 2, 3, 5, 8, ... below min(p, q), and min(p, q).

    Examples
    --------
    >>> from pages.your_data.trial.grid import rank_grid
    >>> rank_grid(20, 10)
    [1, 2, 3, 5, 8, 10]
    """
    ranks, following = [1], 2
    while following < min(p, q):
        ranks.append(following)
        following = ranks[-1] + ranks[-2]
    return sorted({*ranks, min(p, q)})


def grid_paths(method: str, p: int, q: int) -> list[tuple[MethodSpec, ...]]:
    """Return the grid of a method for matrices p x q, the coarse grid before the fine one.

    The cells of one entry are solved together along a path, see `decisions_on_path`.

    Examples
    --------
    >>> from pages.your_data.trial.grid import grid_paths
    >>> paths = grid_paths("smm", 20, 10)
    >>> [spec.rank for spec in paths[0]]
    [1, 2, 3, 5, 8, 10]
    """
    if method == "smm":
        ranks = rank_grid(p, q)
        return [tuple(MethodSpec(method, c, rank=r) for r in ranks) for c in _coarse_to_fine()]
    if method == "lsvm":
        return [(MethodSpec(method, c),) for c in _coarse_to_fine()]
    if method == "bsvm":
        rows, columns = _coarse_to_fine(), rank_grid(p, q)
        columns = columns[1::2] + columns[::2]
        cells = product(range(len(rows)), range(len(columns)))
        both = sorted(cells, key=lambda at: max(at[0] / len(rows), at[1] / len(columns)))
        return [(MethodSpec(method, rows[i], rank=columns[j]),) for i, j in both]
    return [tuple(MethodSpec(method, share=s) for s in LAM_SHARES[i::4]) for i in (3, 1, 0, 2)]


def _coarse_to_fine() -> list[float]:
    def fineness(i: int) -> tuple[int, int]:
        away = abs(i - START)
        return next(level for level, step in enumerate((8, 4, 2, 1)) if away % step == 0), away

    return [C_GRID[i] for i in sorted(range(len(C_GRID)), key=fineness)]


def complexity(spec: MethodSpec) -> tuple[float, ...]:
    """Return a key that sorts weights by rank, then from the strongest regularisation."""
    return spec.rank or 0, spec.c or -(spec.share or 0.0)


def most_frequent(specs: Sequence[MethodSpec]) -> MethodSpec:
    """Return the weights that were chosen most often, in the splits of a trial for example.

    Examples
    --------
    >>> from pages.your_data.trial.grid import most_frequent
    >>> from pages.your_data.trial.training import MethodSpec
    >>> most_frequent([MethodSpec("lsvm", c) for c in (10.0, 1.0, 10.0, 1.0, 2.0)])
    MethodSpec(method='lsvm', c=1.0)
    """
    return min(specs, key=lambda spec: (-specs.count(spec), *complexity(spec)))


class CellScore(NamedTuple):
    """A cell of the grid with the number of correct predictions on held-out samples."""

    spec: MethodSpec
    right: int
    of: int  # held-out samples


class SearchState(NamedTuple):
    """The progress of a search, from which it resumes."""

    tried: tuple[CellScore, ...] = ()
    paths: int = 0  # of the grid that are done
    folds: int = 0  # that are done of the current path
    right: tuple[int, ...] = ()  # correct predictions in these folds, for each cell of the path
    decisions: tuple[tuple[Array, ...], ...] = ()  # of the next fold: by class, by cell
    progress: Progress | None = None  # of the next class

    @property
    def best(self) -> CellScore | None:
        """The most accurate; among equals the smallest rank, then the strongest regularisation."""

        return min(self.tried, key=lambda cell: (-cell.right, *complexity(cell.spec)), default=None)


def search(
    grid: Sequence[tuple[MethodSpec, ...]],
    fold: Callable[[int], Fold],
    folds: int,
    state: SearchState | None = None,
) -> Iterator[SearchState]:
    """Cross-validate the cells of a grid, in steps of about a second or less."""
    at = state or SearchState()
    for cells in grid[at.paths :]:
        for number in range(at.folds, folds):
            part, held_out, truth, _ = fold(number)
            for k in part.positive[len(at.decisions) :]:
                for progress in decisions_on_path(part, cells, k, held_out, at.progress):
                    at = at._replace(progress=progress)
                    yield at
                assert at.progress is not None
                at = at._replace(progress=None, decisions=(*at.decisions, at.progress.results))
            right = [
                int(np.count_nonzero(predicted_class(np.stack(of_cell, axis=1)) == truth))
                for of_cell in zip(*at.decisions, strict=True)
            ]
            before = at.right or (0,) * len(cells)
            summed = tuple(a + b for a, b in zip(before, right, strict=True))
            at = at._replace(folds=number + 1, right=summed, decisions=())
        of = sum(len(fold(number).truth) for number in range(folds))
        done = [CellScore(cell, count, of) for cell, count in zip(cells, at.right, strict=True)]
        at = SearchState((*at.tried, *done), at.paths + 1)
        yield at
