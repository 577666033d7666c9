"""Sparse regression: ADMM iterating, penalties side by side, the stochastic gradient."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from pages.shared.films.frame import Film, Frame, after
from pages.shared.films.rounds import Rounds, Runner
from pages.shared.recipes import Contest, Regressed, SparseRun, StochasticRun
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers.splitting import SplittingState
from smmcore.solvers.stochastic import StochasticState

SMALL = 1e-3  # of |theta_j|, below which the listing of Fig. 24.4 counts it as zero


class Sparse(Film):
    """The iterations of a `SparseRun`, each with its certificate."""

    recipe: SparseRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            ("zeros", "<u4"),  # of z, exactly
            ("small", "<u4"),  # of theta, as the listing counts
            ("primal_residual", "<f8"),
            ("dual_residual", "<f8"),
            ("change", "<f8"),  # ||theta - theta_prev||
            ("primal", "<f8"),
            ("dual", "<f8"),
            ("gap", "<f8"),  # relative to the objective at 0
            ("radius", "<f8"),  # the fitted values are at most so far from the solution's
            ("rho", "<f8"),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of theta, z, and the fits of both."""
        m = self.recipe.data.points
        fields = ("theta", p), ("z", self.recipe.seen), ("fit_theta", m), ("fit_z", m)
        return np.dtype([("frame", "<u4"), *((name, "<f4", (size,)) for name, size in fields)])

    def frames(self, data: Regressed, state: SplittingState | None) -> Iterator[Frame]:
        """Yield the iterations."""
        recipe, problem = self.recipe, self.recipe.problem(data)
        for state in recipe.states(problem, state):  # noqa: B020, it goes on from there
            proof = state.certificate(problem)
            curve = (
                state.k,
                np.count_nonzero(state.z == 0),
                np.count_nonzero(np.abs(state.theta) < SMALL),
                state.primal_residual,
                state.dual_residual,
                state.change,
                proof.primal,
                proof.dual,
                proof.relative_gap,
                np.sqrt(2 * proof.gap),
                state.rho,
            )
            fits = (data.basis @ theta for theta in (state.theta, proof.theta))
            finished = proof.within(recipe.tol) or state.k >= recipe.max_iter
            yield Frame(curve, (state.theta, state.z, *fits), state, proof, finished)

    def verdict(self, end: Frame) -> str:
        """Return how the run ended and what is proved."""
        return _verdict(end.certificate, self.recipe.tol, end.state)


class Side(NamedTuple):
    """What is measured of one run of a contest."""

    zeros: int
    small: int
    change: float
    gap: float


class SideBySide(Rounds):
    """The iterations of a `Contest`; a run within its tolerance rests."""

    recipe: Contest

    def __init__(self, recipe: Contest) -> None:
        super().__init__(recipe)
        self.names = [str(i) for i in range(len(recipe.runs))]
        columns = *Side._fields, "seconds", "steps"
        fields = [(f"{column}_{name}", "<f8") for name in self.names for column in columns]
        self.curves = np.dtype([("k", "<u4"), *fields])

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of each z, and of the fit of each theta."""
        m = self.recipe.data.points
        fields = [("frame", "<u4")]
        for name, run in zip(self.names, self.recipe.runs, strict=True):
            fields += [(f"z_{name}", "<f4", (run.seen,)), (f"fit_{name}", "<f4", (m,))]
        return np.dtype(fields)

    def problems(self, data: Regressed) -> Mapping[str, RegularizedLS]:
        """Return the problem of each run."""
        return {name: self._run(name).problem(data) for name in self.names}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[SplittingState]:
        """Return the solver of a run."""
        return self._run(name).states(problem, start)

    def shown(self, runner: Runner, data: Regressed) -> tuple[list[float], list[Any]]:
        """Return what is measured of a run, z, and the fit."""
        state = runner.state
        side = Side(
            zeros=np.count_nonzero(state.z == 0),
            small=np.count_nonzero(np.abs(state.theta) < SMALL),
            change=state.change,
            gap=runner.proof.relative_gap,
        )
        return [*side], [state.z, data.basis @ state.theta]

    def verdict(self, end: Frame) -> str:
        """Return how each ended."""
        return " ".join(
            f"{self._run(name).said}: {_verdict(runner.proof, self.recipe.tol, runner.state)}"
            for name, runner in end.state.items()
        )

    def _run(self, name: str) -> SparseRun:
        return self.recipe.runs[int(name)]


class Stochastic(Film):
    """The stochastic gradient of a `StochasticRun`, a frame for each pass, and ADMM with it."""

    recipe: StochasticRun
    curves = np.dtype(
        [
            ("passes", "<f8"),  # over the samples
            ("excess", "<f8"),  # of the objective, over ADMM's dual value, relative to that at 0
            ("zeros", "<u4"),
            ("admm_excess", "<f8"),  # after as many iterations as passes
            ("admm_zeros", "<u4"),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of both theta, and of both fits."""
        m = self.recipe.data.points
        fields = ("theta", p), ("admm_z", p), ("fit", m), ("admm_fit", m)
        return np.dtype([("frame", "<u4"), *((name, "<f4", (size,)) for name, size in fields)])

    def frames(self, data: Regressed, state: StochasticState | None) -> Iterator[Frame]:
        """Yield the passes."""
        recipe, problem = self.recipe, self.recipe.admm.problem(data)
        iterates = _iterates(recipe.admm)
        best = iterates[-1].dual
        zero, no_samples = np.zeros(problem.Phi.shape[1]), np.zeros(0, np.intp)
        nothing = StochasticState(0, zero, no_samples, problem.fingerprint)
        first = [] if state else [nothing]
        for state in chain(first, recipe.states(data, state)):  # noqa: B020, it goes on from there
            if state.k % recipe.rounds:
                continue
            passes = state.k * recipe.every / len(data.y)
            admm = iterates[min(int(passes), len(iterates) - 1)]
            curve = (
                passes,
                max(0.0, problem.primal(state.theta) - best) / admm.at_zero,
                np.count_nonzero(state.theta == 0),
                max(0.0, admm.primal - best) / admm.at_zero,
                np.count_nonzero(admm.theta == 0),
            )
            fits = (data.basis @ theta for theta in (state.theta, admm.theta))
            finished = state.k >= recipe.frames * recipe.rounds
            picture = state.theta, admm.theta, *fits
            yield Frame(curve, picture, state, state.certificate(problem), finished)

    def verdict(self, end: Frame) -> str:
        """Return what is left."""
        return (
            f"After {end.state.k * self.recipe.every:,} steps: zeros {end.curve[2]}, objective "
            f"{end.curve[1]:.1e} P(0) above the optimum. ADMM: zeros {end.curve[4]}."
        )


@lru_cache(maxsize=2)
def _iterates(recipe: SparseRun) -> list[LSCertificate]:
    """Return the certificates of a whole run of ADMM, that of 0 first, to hold others against."""
    film, data = Sparse(recipe), recipe.data.prepare()
    problem = recipe.problem(data)
    proofs = [problem.certificate(np.zeros(recipe.seen))]
    for frame in film.frames(data, None):
        proofs.append(frame.certificate)
        if frame.finished:
            return proofs
    raise AssertionError("a film ends")


def _verdict(proof: LSCertificate, tol: float, state: SplittingState) -> str:
    zeros = f"{np.count_nonzero(state.z == 0)} of {len(state.z)} zeros in z"
    gap = f"relative gap {proof.relative_gap:.1e}"
    if proof.within(tol):
        return f"Certified {after(state.k)}: {gap}, {zeros}."
    return f"Ended at its limit, {after(state.k)}: {gap}, wanted {tol:.0e}; {zeros}."
