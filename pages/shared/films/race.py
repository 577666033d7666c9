"""The machines on the same data, iterating side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pages.shared.films.frame import Frame, Taken
from pages.shared.films.machines import SOLVERS, Machines, normalised, problem_of
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.recipes import METHODS, RaceRun


class Race(Machines, Rounds):
    """The iterations of a `RaceRun`; a machine within its tolerance rests."""

    def __init__(self, recipe: RaceRun) -> None:
        super().__init__(recipe)
        self.curves = np.dtype([("k", "<u4"), *self.columns("gap", "seconds", "steps")])

    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the problem of each machine."""
        return {name: problem_of(name, self.recipe, data) for name in self.recipe.methods}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a machine."""
        return SOLVERS[name](problem, start)

    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return what is measured of a machine, its gap, and W."""
        proof = runner.proof
        return [*self.measured(proof, data), proof.relative_gap], [*normalised(proof.W)]

    def verdict(self, end: Frame) -> str:
        """Return who has arrived, and who has found nothing."""
        late = [METHODS[name] for name in self.late(end)]
        zero = [METHODS[name] for name, runner in end.state.items() if runner.proof.rank == 0]
        text = (
            f"At the limit of {self.recipe.max_iter:,} iterations: {', '.join(late)}."
            if late
            else f"All within a relative gap of {self.recipe.tol:.0e}."
        )
        return text + (f" W = 0: {', '.join(zero)}." if zero else "")
