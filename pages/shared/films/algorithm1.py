"""Algorithm 1, iteration by iteration."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pages.shared.films.frame import Film, Frame, Taken, accuracy, in_steps
from smmcore.problems import SMMCertificate
from smmcore.solvers.admm import ADMMState

ROUGH = 0.05  # of ||W||: with a larger radius a certificate says little about W itself


class Algorithm1(Film):
    """The iterations of a `SMMRun`, each with its certificate."""

    curves = np.dtype(
        [
            ("k", "<u4"),
            ("restarted", "<u4"),
            ("rank", "<u4"),
            ("support", "<u4"),  # samples with alpha_i > 0
            ("residual", "<f8"),  # c(k), as measured
            ("primal", "<f8"),
            ("dual", "<f8"),
            ("gap", "<f8"),  # relative to the primal value
            ("distance", "<f8"),  # sqrt(2 gap) / ||W||_F
            ("accuracy", "<f8"),
            ("t", "<f8"),
            ("rho", "<f8"),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of S and its singular values."""
        return np.dtype(
            [
                ("frame", "<u4"),
                ("S_scale", "<f4"),
                ("S", "i1", (p, q)),
                ("singular_values", "<f4", (min(p, q),)),
            ]
        )

    def frames(self, data: Taken, state: ADMMState | None) -> Iterator[Frame]:
        """Yield the iterations."""
        problem = self.recipe.problem(data.problem)
        for state in self.recipe.states(problem, start=state):  # noqa: B020, it goes on from there
            proof = state.certificate(problem)
            curve = (
                state.k,
                state.restarted,
                np.count_nonzero(state.S_singular_values),
                np.count_nonzero(state.alpha),
                state.residual,
                proof.primal,
                proof.dual,
                proof.relative_gap,
                proof.relative_radius,
                accuracy(proof.decision, problem.y),
                state.t,
                state.rho,
            )
            picture = *in_steps(state.S), state.S_singular_values
            finished = proof.within(self.recipe.tol) or state.k >= self.recipe.max_iter
            yield Frame(curve, picture, state, proof, finished)

    def verdict(self, end: Frame) -> str:
        """Return how the run ended and what is proved."""
        return verdict(end.certificate, self.recipe.tol, end.state.k)


def verdict(proof: SMMCertificate, tol: float, k: int) -> str:
    """Return what a certificate after k iterations says, whether it is within `tol` or not."""
    gap = f"relative gap {max(proof.relative_gap, 0.0):.1e}"
    # Where the loss dwarfs the penalty even W = 0 has a small gap: what it proves stands beside it.
    proved = f"√(2 gap) / ‖W‖ {proof.relative_radius:.1e}" if proof.rank else "W = 0"
    after = f"after {k:,} iteration{'s' if k > 1 else ''}"
    if not proof.within(tol):
        return f"Ended at its limit, {after}: {gap}, wanted {tol:.0e}; {proved}."
    rough = proof.rank and proof.relative_radius > ROUGH
    also = " That proves the objective; of W only that it is near." if rough else ""
    return f"Certified {after}: {gap}, {proved}.{also}"
