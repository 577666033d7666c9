"""The machines against the strength of their regularisation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pages.shared.films.frame import Frame, Taken
from pages.shared.films.machines import SOLVERS, Machines, normalised, problem_of
from pages.shared.recipes import RaceRun, SweepRun
from smmcore.problems import Certificate
from smmcore.solvers.certified import certified

LIMITS = {"smm": 500, "lsvm": 1, "bsvm": 100, "rglm": 4_000}  # iterations at one weight


class Sweep(Machines):
    """The weights of a `SweepRun`, from the strongest regularisation to the weakest."""

    def __init__(self, recipe: SweepRun) -> None:
        super().__init__(recipe)
        weights = [("C", "<f8"), ("lam", "<f8"), ("tau", "<f8")]
        self.curves = np.dtype([*weights, *self.columns()])

    def frames(self, data: Taken, state: int | None) -> Iterator[Frame]:
        """Yield the weights; a state is how many are done."""
        spread, steps = data.problem.spread, self.recipe.steps
        for i in range(state or 0, len(steps)):
            here = self.recipe.at(C=steps[i].C / spread**2, tau=0.0, lam=steps[i].lam)
            svm = self._solved("lsvm", here, data)
            here = replace(here, tau=float(self.recipe.tau * svm.singular_values[0]))
            curve, picture = [steps[i].C, here.lam, here.tau], []
            for name in self.recipe.methods:
                proof = svm if name == "lsvm" else self._solved(name, here, data)
                curve += self.measured(proof, data)
                picture += normalised(proof.W)
            yield Frame(tuple(curve), tuple(picture), i + 1, None, i + 1 == len(steps))

    def _solved(self, name: str, here: RaceRun, data: Taken) -> Certificate:
        problem = problem_of(name, here, data)
        return certified(problem, SOLVERS[name](problem, None), here.tol, LIMITS[name])[0]

    def verdict(self, end: Frame) -> str:
        """Return what was gone through."""
        return f"{end.state} weights, from strong regularisation to weak."
