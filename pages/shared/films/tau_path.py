"""The solutions along tau, each begun where the one before ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.shared.films.frame import (
    Film,
    Frame,
    Taken,
    accuracy,
    in_steps,
    matrices,
    proved,
)
from pages.shared.recipes import DRAWN
from smmcore.path import next_on_path
from smmcore.solvers.admm import ADMMState


class Position(NamedTuple):
    """Where a path has got to."""

    done: int  # points
    tau_max: float
    state: ADMMState | None  # the solver's, at the last point
    loose: int = 0  # points that missed the tolerance


class TauPath(Film):
    """The points of a `PathRun`, downwards."""

    curves = np.dtype(
        [
            ("tau", "<f8"),
            ("share", "<f8"),  # of tau_max
            ("rank", "<u4"),
            ("at_max", "<u4"),  # whether this is tau_max
            ("train", "<f8"),
            ("held", "<f8"),
            ("gap", "<f8"),
            *((f"s{i}", "<f8") for i in range(1, DRAWN + 1)),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of W and its singular values."""
        sigma = ("singular_values", "<f4", (min(p, q),))
        return np.dtype([*matrices(("W",), p, q).descr, sigma])

    def frames(self, data: Taken, state: Position | None) -> Iterator[Frame]:
        """Yield the points."""
        base = data.problem.with_weights(C=self.recipe.C)
        at = state or Position(0, base.tau_max(1e-4), None)
        shares = self.recipe.shares
        for i in range(at.done, len(shares)):
            problem = base.with_weights(tau=float(shares[i] * at.tau_max))
            solved, proof = next_on_path(problem, at.state, self.recipe.tol)
            loose = at.loose + (not proof.within(self.recipe.tol))
            at = Position(i + 1, at.tau_max, solved, loose)
            sigma = np.zeros(DRAWN)
            some = proof.singular_values[:DRAWN]
            sigma[: len(some)] = some
            curve = (
                problem.tau,
                shares[i],
                proof.rank,
                i == 1,
                accuracy(proof.decision, problem.y),
                data.held_accuracy(proof),
                proof.relative_gap,
                *sigma,
            )
            picture = *in_steps(proof.W), proof.singular_values
            yield Frame(curve, picture, at, proof, i + 1 == len(shares))

    def verdict(self, end: Frame) -> str:
        """Return how far the path goes."""
        at: Position = end.state
        return f"{proved(at.done, at.loose, self.recipe.tol)}; τ_max = {at.tau_max:.4g}."
