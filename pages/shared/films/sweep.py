"""The machines against the strength of their regularisation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pages.shared.films.frame import Frame, Taken
from pages.shared.films.machines import SOLVERS, Machines, normalised, problem_of
from pages.shared.recipes import METHODS, SWEEP_LIMITS, SweepRun
from smmcore.problems import Certificate
from smmcore.solvers.certified import certified

TURN = 20  # iterations, about a slice of a large problem: other runs wait no longer


class Position(NamedTuple):
    """Where a sweep has got to."""

    done: int  # weights
    proofs: dict[str, Certificate]  # of the machines that are solved at the weight under way
    solver: Any  # state of the machine under way there, None before its start
    late: tuple[str, ...]  # a method for each weight at which it has come to its limit


class Sweep(Machines):
    """The weights of a `SweepRun`, from the strongest regularisation to the weakest."""

    def __init__(self, recipe: SweepRun) -> None:
        super().__init__(recipe)
        weights = [("C", "<f8"), ("lam", "<f8"), ("tau", "<f8")]
        self.curves = np.dtype([*weights, *self.columns()])

    def frames(self, data: Taken, state: Position | None) -> Iterator[Frame]:
        """Yield the weights, and a state without a frame after each turn before."""
        recipe: SweepRun = self.recipe
        at = state or Position(0, {}, None, ())
        # The linear SVM, shown or not, comes first: its norm is the unit of tau.
        order = ["lsvm", *(name for name in recipe.methods if name != "lsvm")]
        while at.done < len(recipe.steps):
            step = recipe.steps[at.done]
            here = recipe.at(C=step.C / data.problem.spread**2, tau=0.0, lam=step.lam)
            for name in order[len(at.proofs) :]:
                problem = problem_of(name, replace(here, tau=self._tau(at)), data)
                while name not in at.proofs:
                    at = self._further(name, problem, at)
                    yield Frame(None, None, at, None, False)
            curve, picture = [step.C, step.lam, self._tau(at)], []
            for name in recipe.methods:
                curve += self.measured(at.proofs[name], data)
                picture += normalised(at.proofs[name].W)
            at = Position(at.done + 1, {}, None, at.late)
            yield Frame(tuple(curve), tuple(picture), at, None, at.done == len(recipe.steps))

    def _tau(self, at: Position) -> float:
        svm = at.proofs.get("lsvm")
        return self.recipe.tau * float(svm.singular_values[0]) if svm else 0.0

    def _further(self, name: str, problem: Any, at: Position) -> Position:
        limit, k = SWEEP_LIMITS[name], at.solver.k if at.solver else 0
        states = SOLVERS[name](problem, at.solver)
        proof, state = certified(problem, states, self.recipe.tol, min(TURN, limit - k))
        arrived = proof.within(self.recipe.tol)
        if not arrived and state.k < limit:
            return at._replace(solver=state)
        late = at.late if arrived else (*at.late, name)
        return Position(at.done, at.proofs | {name: proof}, None, late)

    def verdict(self, end: Frame) -> str:
        """Return what was gone through, and where a machine came to its limit."""
        text = f"{end.state.done} weights, from strong regularisation to weak, "
        late = [
            f"the {METHODS[name]} at {weights} of them at its limit ({SWEEP_LIMITS[name]:,} steps)"
            for name, weights in Counter(end.state.late).items()
        ]
        ends = " and ".join(late) or f"all within a relative gap of {self.recipe.tol:.0e}"
        return f"{text}{ends}."
