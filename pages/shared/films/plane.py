"""Rank and accuracy over the plane of C and tau, row by row a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.films.frame import Film, Frame, Taken, accuracy
from smmcore.path import next_on_path
from smmcore.solvers.admm import ADMMState


class Position(NamedTuple):
    """Where the map has got to."""

    done: int  # cells
    tau_max: float  # at C = 1, and proportional to C
    solved: ADMMState | None  # the solver's state at the last cell
    ranks: NDArray[np.float64]  # (rows, columns), 0 where it has not been
    scores: NDArray[np.float64]  # (rows, columns), held-out accuracy, 1/2 where it has not been


class Plane(Film):
    """The cells of a `PlaneRun`, C upwards and, for each, tau downwards from tau_max."""

    curves = np.dtype([(name, "<f8") for name in ("C", "share", "rank", "train", "held")])

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the two maps, drawn from 0 and from one half."""
        shape = len(self.recipe.weights), len(self.recipe.shares)
        maps = [("rank_scale", "<f4"), ("rank", "i1", shape)]
        return np.dtype([("frame", "<u4"), *maps, ("held_scale", "<f4"), ("held", "i1", shape)])

    def frames(self, data: Taken, state: Position | None) -> Iterator[Frame]:
        """Yield the cells."""
        weights, shares = self.recipe.weights, self.recipe.shares
        spread, empty = data.problem.spread, np.zeros((len(weights), len(shares)))
        at = state or Position(
            0, data.problem.with_weights(C=1.0).tau_max(1e-3), None, empty, empty + 0.5
        )
        for cell in range(at.done, empty.size):
            row, column = divmod(cell, len(shares))
            C = float(weights[row] / spread**2)
            problem = data.problem.with_weights(C=C, tau=float(shares[column] * C * at.tau_max))
            start = at.solved if column else None
            solved, proof = next_on_path(problem, start, self.recipe.tol)
            score = data.held_accuracy(proof)
            ranks, scores = at.ranks.copy(), at.scores.copy()
            ranks[row, column], scores[row, column] = proof.rank, score
            at = Position(cell + 1, at.tau_max, solved, ranks, scores)
            train = accuracy(proof.decision, problem.y)
            side = min(problem.shape[1:])
            picture = (
                *(side, np.rint(127 * ranks / side).astype(np.int8)),
                *(1.0, np.rint(127 * (2 * scores - 1)).astype(np.int8)),
            )
            curve = weights[row], shares[column], proof.rank, train, score
            yield Frame(curve, picture, at, proof, cell + 1 == empty.size)

    def verdict(self, end: Frame) -> str:
        """Return how many cells there are."""
        return f"{end.state.done} solutions, each to a relative gap of {self.recipe.tol:.0e}."
