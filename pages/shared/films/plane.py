"""Rank and accuracy over the plane of C and tau, row by row a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.shared.films.frame import Film, Frame, Taken, accuracy, proved
from smmcore.path import next_on_path
from smmcore.solvers.admm import ADMMState


class Position(NamedTuple):
    """Where the map has got to."""

    done: int  # cells
    tau_max: float  # at C = 1, and proportional to C
    solved: ADMMState | None  # the solver's state at the last cell
    loose: int = 0  # cells that missed the tolerance


class Plane(Film):
    """The cells of a `PlaneRun`, C upwards and, for each, tau downwards from tau_max."""

    curves = np.dtype([(name, "<f8") for name in ("C", "share", "rank", "train", "held")])

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return a record of nothing but its number: the curves are the map."""
        return np.dtype([("frame", "<u4")])

    def frames(self, data: Taken, state: Position | None) -> Iterator[Frame]:
        """Yield the cells."""
        weights, shares = self.recipe.weights, self.recipe.shares
        spread, cells = data.problem.spread, len(weights) * len(shares)
        at = state or Position(0, data.problem.with_weights(C=1.0).tau_max(1e-3), None)
        for cell in range(at.done, cells):
            row, column = divmod(cell, len(shares))
            C = float(weights[row] / spread**2)
            problem = data.problem.with_weights(C=C, tau=float(shares[column] * C * at.tau_max))
            start = at.solved if column else None
            solved, proof = next_on_path(problem, start, self.recipe.tol)
            loose = at.loose + (not proof.within(self.recipe.tol))
            at = Position(cell + 1, at.tau_max, solved, loose)
            scores = accuracy(proof.decision, problem.y), data.held_accuracy(proof)
            curve = weights[row], shares[column], proof.rank, *scores
            yield Frame(curve, (), at, None, cell + 1 == cells)

    def verdict(self, end: Frame) -> str:
        """Return how many cells there are."""
        return f"{proved(end.state.done, end.state.loose, self.recipe.tol)}."
