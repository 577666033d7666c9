"""The hinge against the squared loss: a race, Xia and Fan's algorithm, their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pages.shared.films.frame import (
    Film,
    Frame,
    Taken,
    accuracy,
    after,
    in_steps,
    matrices,
)
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.recipes import LOSSES, BilevelRun, CrossValidationRun, Labelled, LossRun
from smmcore.experiments.least_squares import MACHINES, Trial, trials, two_classes
from smmcore.problems import LSSMMProblem, SMMProblem, SpectralProblem
from smmcore.solvers import fast_admm
from smmcore.solvers.bilevel import BilevelState


class Losses(Rounds):
    """The iterations of a `LossRun`; one within its tolerance rests."""

    recipe: LossRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            *(
                (f"{name}_{loss}", "<f8")
                for loss in LOSSES
                for name in ("rank", "train", "held", "gap", "seconds", "steps")
            ),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of both W, on one scale, and of the margins of the training part."""
        samples = self.recipe.data.shape[0] - self.recipe.data.tests
        margins = [(f"margins_{loss}", "<f4", (samples,)) for loss in LOSSES]
        return np.dtype([*matrices([f"W_{loss}" for loss in LOSSES], p, q).descr, *margins])

    def frames(self, data: Taken, state: dict[str, Runner] | None) -> Iterator[Frame]:
        """Yield the rounds, and paint both W on the scale of the larger one."""
        for frame in super().frames(data, state):
            proofs = [runner.proof for runner in frame.state.values()]
            scale, levels = in_steps(np.stack([proof.W for proof in proofs]))
            painted = [part for W in levels for part in (scale, W)]
            margins = [data.problem.y * proof.decision for proof in proofs]
            yield frame._replace(picture=(*painted, *margins))

    def problems(self, data: Taken) -> Mapping[str, Any]:
        """Return the problem of each loss."""
        C, tau = self.recipe.C, self.recipe.tau
        squares = _squares(data.problem, C, tau)
        return {"hinge": data.problem.with_weights(C=C, tau=tau), "squares": squares}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of both: Algorithm 1 of the SMM paper."""
        return fast_admm(problem, rho="auto", start=start)

    def shown(self, runner: Runner, data: Taken) -> tuple[list[float], list[Any]]:
        """Return rank, both accuracies and gap; what is painted is painted together."""
        proof = runner.proof
        train = accuracy(proof.decision, data.problem.y)
        return [proof.rank, train, data.held_accuracy(proof), proof.relative_gap], []

    def verdict(self, end: Frame) -> str:
        """Return after how many iterations each was certified, or that it was not."""
        late = self.late(end)
        return " ".join(
            f"{LOSSES[loss]}: {'not ' * (loss in late)}certified {after(runner.steps)}."
            for loss, runner in end.state.items()
        )


@lru_cache(maxsize=1)
def _squares(base: SMMProblem, C: float, tau: float) -> LSSMMProblem:
    """Return the problem with the squared loss: kept, as its first step decomposes K, once."""
    problem = LSSMMProblem(base.X, base.y, C, tau)
    _ = problem.gram  # both losses need one: it is no part of the race
    return problem


RULE = 1e-3  # of ||S - W||_inf, where Xia and Fan stop
# Of ||S||, at which nobody waits for the end: from the printed sign S runs away, and W follows only
# when Lambda is so large that rounding carries it off.
DIVERGED = 1e12


class Reached(NamedTuple):
    """How far the algorithm has got."""

    state: BilevelState
    rule: tuple[int, float] | None  # when their rule would have stopped it, at what gap


class Bilevel(Film):
    """The iterations of a `BilevelRun`, past its own rule until it is certified."""

    recipe: BilevelRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            ("difference", "<f8"),  # largest entry of S - W
            ("rule", "<f8"),  # below which it would stop
            ("stops", "<u4"),  # whether it would do so here
            ("gap", "<f8"),
            ("W_norm", "<f8"),
            ("S_norm", "<f8"),
            ("rank", "<u4"),  # of S
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of S."""
        return matrices(["S"], p, q)

    def frames(self, data: Taken, state: Reached | None) -> Iterator[Frame]:
        """Yield the iterations."""
        recipe = self.recipe
        problem = _problem(recipe, data.problem)
        rule = state and state.rule
        for at in recipe.states(problem, state and state.state):
            proof, norms = at.certificate(problem), [np.linalg.norm(M) for M in (at.W, at.S)]
            gap, rank = proof.relative_gap, np.count_nonzero(at.S_singular_values)
            stops = rule is None and at.largest_difference < RULE
            rule = (at.k, gap) if stops else rule
            curve = at.k, at.largest_difference, RULE, stops, gap, *norms, rank
            done = (proof.within(recipe.tol) and rule) or at.k >= recipe.max_iter
            done = done or self._lost(at)
            yield Frame(curve, in_steps(at.S), Reached(at, rule), proof, bool(done))

    def verdict(self, end: Frame) -> str:
        """Return where their rule would have stopped, and where a proof does."""
        at, tol = end.state, self.recipe.tol
        if self._lost(at.state):
            return f"Diverged: ‖S‖ is beyond {DIVERGED:.0e} {after(at.state.k)}."
        rule = "Their rule would not have stopped it"
        if at.rule:
            rule = f"Their rule would stop {after(at.rule[0])}, at a relative gap of "
            rule += f"{at.rule[1]:.1e}"
        proved = "certified" if end.certificate.within(tol) else "not certified"
        return f"{rule}; {proved} to {tol:.0e} {after(at.state.k)}."

    def _lost(self, at: BilevelState) -> bool:
        return bool(np.linalg.norm(at.S) * self.recipe.unit > DIVERGED)


@lru_cache(maxsize=1)
def _problem(recipe: BilevelRun, base: SMMProblem) -> SpectralProblem:
    return recipe.problem(base)  # kept for the next slice: the squared loss decomposes K once


class CrossValidation(Film):
    """The weights of a `CrossValidationRun`, from the strongest regularisation."""

    recipe: CrossValidationRun
    curves = np.dtype(
        [
            ("C", "<f8"),
            ("tau", "<f8"),
            *((f"accuracy_{loss}", "<f8") for loss in LOSSES),
            *((f"seconds_{loss}", "<f8") for loss in LOSSES),  # at this pair of weights
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return a record of nothing but its number."""
        return np.dtype([("frame", "<u4")])

    def frames(self, data: Labelled, state: tuple[Trial, ...] | None) -> Iterator[Frame]:
        """Yield the pairs of weights, one a frame."""
        recipe, done = self.recipe, state or ()
        X, y = two_classes(data.X, data.classes[data.y], *recipe.pair)
        weights = recipe.weights
        rest = weights[len(done) :]
        for trial in trials(X, y, weights=rest, folds=recipe.folds, seed=recipe.seed):
            done = (*done, trial)
            accuracies = [trial.accuracy[name].mean() for name in MACHINES]
            seconds = [trial.seconds[name] for name in MACHINES]
            curve = trial.C, trial.tau, *accuracies, *seconds
            yield Frame(curve, (), done, done, len(done) == len(weights))

    def verdict(self, end: Frame) -> str:
        """Return how much was trained."""
        machines = 2 * self.recipe.folds * len(end.state)
        return f"{len(end.state)} pairs of weights, {machines:,} machines trained and tested."
