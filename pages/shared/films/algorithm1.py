"""Algorithm 1, iteration by iteration."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from math import inf

import numpy as np

from pages.shared.films.frame import (
    Film,
    Frame,
    Taken,
    accuracy,
    after,
    in_steps,
    in_tiles,
    matrices,
    tiles,
)
from pages.shared.recipes import PLAIN
from smmcore.problems import SMMCertificate
from smmcore.solvers.admm import ADMMState

ROUGH = 0.05  # of ||W||: with a larger radius a certificate says little about W itself


class Step(IntEnum):
    """What follows from an iteration's residual."""

    PLAIN = 0  # nothing, for there is no momentum
    FIRST = 1  # nothing, for there is no residual before it
    ACCELERATE = 2
    RESTART = 3
    AFTER_RESTART = 4  # nothing, for a step without momentum cannot raise c(k)


class Algorithm1(Film):
    """The iterations of a `SMMRun`, each with its certificate."""

    curves = np.dtype(
        [
            ("k", "<u4"),
            ("step", "<u4"),  # one of Step
            ("restarted", "<u4"),
            ("rank", "<u4"),
            ("support", "<u4"),  # samples with alpha_i > 0
            ("residual", "<f8"),  # c(k), as measured
            ("bar", "<f8"),  # eta c, which c(k) must be below; infinite where nothing is compared
            ("excess", "<f8"),  # c(k) / bar - 1
            ("apart", "<f8"),  # ||W - S||_F, the primal residual
            ("moved", "<f8"),  # rho ||S - S^||_F, the dual residual
            ("primal", "<f8"),
            ("dual", "<f8"),
            ("gap", "<f8"),  # relative to the primal value
            ("distance", "<f8"),  # sqrt(2 gap) / ||W||_F
            ("accuracy", "<f8"),
            ("t", "<f8"),  # t(k + 1)
            ("momentum", "<f8"),  # (t(k) - 1) / t(k + 1), of the step that was taken
            ("rho", "<f8"),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of W, S and Lambda, the singular values of S and u = y alpha / C."""
        return np.dtype(
            [
                *matrices(("W", "S", "Lambda"), p, q).descr,
                ("singular_values", "<f4", (min(p, q),)),
                *(("u_scale", "<f4"), ("u", "i1", tiles(self.recipe.data.shape[0]))),
            ]
        )

    def frames(self, data: Taken, state: ADMMState | None) -> Iterator[Frame]:
        """Yield the iterations."""
        problem = self.recipe.problem(data.problem)
        before = state
        for state in self.recipe.states(problem, start=state):  # noqa: B020, it goes on from there
            proof = state.certificate(problem)
            # At the start, and after a change of rho, there is nothing to compare c(k) with.
            going_on = before is not None and before.rho == state.rho
            compared, t = (before.compared, before.t) if going_on else (inf, 1.0)
            after_restart = going_on and before.restarted
            bar = inf if after_restart else self.recipe.eta * compared
            step = self._step(state, bar, after_restart)
            curve = (
                state.k,
                step,
                step == Step.RESTART,
                np.count_nonzero(state.S_singular_values),
                np.count_nonzero(state.alpha),
                state.residual,
                bar,
                state.residual / bar - 1,
                state.primal_residual,
                state.dual_residual,
                proof.primal,
                proof.dual,
                proof.relative_gap,
                proof.relative_radius,
                accuracy(proof.decision, problem.y),
                state.t,
                (t - 1) / state.t if step == Step.ACCELERATE else 0.0,
                state.rho,
            )
            picture = (
                *(field for M in (state.W, state.S, state.Lambda) for field in in_steps(M)),
                state.S_singular_values,
                *(1.0, in_tiles(problem.y * state.alpha / problem.C, self.recipe.data.shape[0])),
            )
            finished = proof.within(self.recipe.tol) or state.k >= self.recipe.max_iter
            before = state
            yield Frame(curve, picture, state, proof, finished)

    def _step(self, state: ADMMState, bar: float, after_restart: bool) -> Step:
        if self.recipe.algorithm == PLAIN:
            return Step.PLAIN
        if after_restart:
            return Step.AFTER_RESTART
        if bar == inf:
            return Step.FIRST
        return Step.RESTART if state.restarted else Step.ACCELERATE

    def verdict(self, end: Frame) -> str:
        """Return how the run ended and what is proved."""
        return verdict(end.certificate, self.recipe.tol, end.state.k)


def verdict(proof: SMMCertificate, tol: float, k: int) -> str:
    """Return what a certificate after k iterations says, whether it is within `tol` or not."""
    gap = f"relative gap {proof.relative_gap:.1e}"
    # Where the loss dwarfs the penalty even W = 0 has a small gap: what it proves stands beside it.
    proved = f"√(2 gap) / ‖W‖ {proof.relative_radius:.1e}" if proof.rank else "W = 0"
    if not proof.within(tol):
        return f"Ended at its limit, {after(k)}: {gap}, wanted {tol:.0e}; {proved}."
    rough = proof.rank and proof.relative_radius > ROUGH
    also = " That proves the objective; of W only that it is near." if rough else ""
    return f"Certified {after(k)}: {gap}, {proved}.{also}"
