"""Two settings of ADMM on the same problem, iterating side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pages.shared.films.frame import Frame, Taken, after, in_steps, matrices
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.recipes import DuelRun

SIDES = ("first", "second")
MEASURED = ("residual", "gap", "rank", "restarted", "rho", "seconds", "steps")


class Duel(Rounds):
    """The iterations of a `DuelRun`; a side within its tolerance rests."""

    recipe: DuelRun
    curves = np.dtype(
        [("k", "<u4"), *((f"{name}_{side}", "<f8") for side in SIDES for name in MEASURED)]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of S on both sides."""
        return matrices([f"S_{side}" for side in SIDES], p, q)

    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the one problem of both."""
        return dict.fromkeys(SIDES, self.recipe.first.problem(data.problem))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a side."""
        return getattr(self.recipe, name).states(problem, start)

    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return residual, gap, rank, restart and rho of a side, and S."""
        state, gap = runner.state, runner.proof.relative_gap
        rank = np.count_nonzero(state.S_singular_values)
        restarted = state.restarted and not runner.done  # one that rests does not restart
        return [state.residual, gap, rank, restarted, state.rho], [*in_steps(state.S)]

    def verdict(self, end: Frame) -> str:
        """Return after how many iterations each side was certified, or that it was not."""
        late = self.late(end)
        return " ".join(
            f"{side.capitalize()}: "
            + ("not certified" if side in late else "certified")
            + f" {after(runner.steps)}."
            for side, runner in end.state.items()
        )
