"""Experiments that are repeated on further draws: a frame for each repetition."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from pages.shared.films.frame import Film, Frame, Taken
from pages.shared.recipes import FacesRun, Labelled, Table1Run, column
from smmcore.experiments import wolf

KINDS = ("right", "mean", "error")  # of this repetition, of all so far, its standard error


class Repetitions(Film):
    """Accuracies of methods in settings, as shares, and their means over the repetitions so far."""

    recipe: Table1Run | FacesRun

    def __init__(self, recipe: Table1Run | FacesRun) -> None:
        super().__init__(recipe)
        self._cells = [(m, k) for k in range(len(recipe.settings)) for m in recipe.methods]
        fields = [column(kind, *cell) for kind in KINDS for cell in self._cells]
        self.curves = np.dtype([("k", "<u4"), *((field, "<f8") for field in fields)])

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return a record of nothing but its number."""
        return np.dtype([("frame", "<u4")])

    @abstractmethod
    def trial(self, data: Taken | Labelled, repetition: int) -> Iterator[wolf.Record]:
        """Yield the accuracy of each method in each setting on one draw."""

    def frames(self, data: Taken | Labelled, state: tuple | None) -> Iterator[Frame]:
        """Yield the repetitions; a state has the accuracies of each one before."""
        rows, last = state or (), self.recipe.repetitions
        for repetition in range(len(rows), last):
            right = {(r.method, r.setting): r.accuracy / 100 for r in self.trial(data, repetition)}
            rows += (tuple(right[cell] for cell in self._cells),)
            k, shares = len(rows), np.array(rows)
            error = (
                shares.std(axis=0, ddof=1) / np.sqrt(k)
                if k > 1
                else np.full(shares.shape[1], np.nan)
            )
            curve = k, *shares[-1], *shares.mean(axis=0), *error
            yield Frame(curve, (), rows, None, k == last)

    def verdict(self, end: Frame) -> str:
        """Return how much was trained."""
        machines = len(end.state) * sum(map(len, self.recipe.printed.values()))
        return f"{len(end.state)} repetitions, {machines} machines trained and tested."


class Table1(Repetitions):
    """The repetitions of a `Table1Run`."""

    def trial(self, data: Taken, repetition: int) -> Iterator[wolf.Record]:
        """Yield four methods in three settings, on data of their own, and what A and B cost."""
        records = list(wolf.table_1(self.recipe.reading, [repetition]))
        yield from records
        several = len(wolf.METHODS)
        for plain, turned in zip(records[:several], records[several : 2 * several], strict=True):
            cost = plain.accuracy - turned.accuracy
            yield wolf.Record(len(wolf.SETTINGS), repetition, plain.method, cost)


class FacesAgain(Repetitions):
    """The splits of a `FacesRun`."""

    def trial(self, data: Labelled, repetition: int) -> Iterator[wolf.Record]:
        """Yield three methods on one split."""
        return wolf.split_trials(data.X, data.y, self.recipe.C, [repetition])
