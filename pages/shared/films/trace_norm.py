"""Trace-norm regression: proximal gradient, the solutions along R, estimates from more samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.shared.films.frame import Array, Film, Frame, after, matrices, proved
from pages.shared.images import DRAWN
from pages.shared.recipes import ESTIMATES, Measured, RecoveryRun, TraceNormPath, TraceNormRun
from smmcore.penalties import TraceNorm
from smmcore.problems import LSCertificate
from smmcore.solvers.proximal import ProximalState

FLOOR = 1e-12  # a singular value below is the rounding of a 0
MEASURED = "trace", "rank", "error", "train", "test", "lam"


class Estimates(Film):
    """Frames that show an estimate of Theta* beside it, in pictures and singular values."""

    recipe: TraceNormRun | TraceNormPath

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of both matrices and both spectra."""
        sigmas = [(name, "<f4", (min(p, q),)) for name in ("sigma", "sigma_truth")]
        return np.dtype([*matrices(("Theta", "truth"), p, q).descr, *sigmas])

    def shown(self, theta: Array, data: Measured) -> tuple:
        """Return the picture of an estimate; the two matrices share the scale of their colours."""
        Theta = theta.reshape(data.truth.shape)
        scale = max(np.abs(M).max() for M in (Theta, data.truth))
        steps = [np.rint(M * (127 / scale)).astype(np.int8) for M in (Theta, data.truth)]
        sigmas = [np.linalg.svd(M, compute_uv=False) for M in (Theta, data.truth)]
        return scale, steps[0], scale, steps[1], *sigmas


def measured(proof: LSCertificate, data: Measured) -> tuple[float, ...]:
    """Return what the fields `MEASURED` say of an estimate.

    The last one is the multiplier of ||Theta||_tr <= R: the lambda whose solution has this R.
    """
    norm = TraceNorm(data.truth.shape)
    sigma = norm.singular_values(proof.theta)
    return (
        float(sigma.sum()),
        np.count_nonzero(sigma > FLOOR),
        float(np.linalg.norm(proof.theta - data.truth.ravel())),
        *data.rmse(proof.theta),
        norm.dual(data.Phi.T @ (data.y - proof.fitted)),
    )


class Proximal(Estimates):
    """The iterations of a `TraceNormRun`, each with its certificate."""

    recipe: TraceNormRun
    curves = np.dtype(
        [
            ("k", "<u4"),
            ("restarted", "<u4"),
            ("residual", "<f8"),  # L ||Theta - V||_F
            ("primal", "<f8"),
            ("dual", "<f8"),
            ("gap", "<f8"),
            *((name, "<f8") for name in MEASURED),
        ]
    )

    def frames(self, data: Measured, state: ProximalState | None) -> Iterator[Frame]:
        """Yield the iterations."""
        recipe, problem = self.recipe, self.recipe.problem(data)
        for state in recipe.states(problem, state):  # noqa: B020, it goes on from there
            proof = state.certificate(problem)
            curve = (
                state.k,
                state.restarted,
                state.residual,
                proof.primal,
                proof.dual,
                proof.relative_gap,
                *measured(proof, data),
            )
            finished = proof.within(recipe.tol) or state.k >= recipe.max_iter
            yield Frame(curve, self.shown(proof.theta, data), state, proof, finished)

    def verdict(self, end: Frame) -> str:
        """Return how the run ended."""
        gap = f"gap {end.certificate.relative_gap:.1e} of the objective at 0"
        if end.certificate.within(self.recipe.tol):
            return f"Certified {after(end.state.k)}: {gap}."
        return f"Ended at its limit, {after(end.state.k)}: {gap}, wanted {self.recipe.tol:.0e}."


class Position(NamedTuple):
    """Where a path has got to."""

    done: int  # points
    state: ProximalState | None  # the solver's, at the last point
    loose: int = 0  # points that missed the tolerance


class RadiusPath(Estimates):
    """The points of a `TraceNormPath`, each begun where the one before ended."""

    recipe: TraceNormPath
    curves = np.dtype(
        [
            ("radius", "<f8"),
            ("share", "<f8"),  # of ||Theta*||_tr
            ("at_truth", "<u4"),  # whether R is just that
            ("gap", "<f8"),
            *((name, "<f8") for name in MEASURED),
            *((f"s{i}", "<f8") for i in range(1, DRAWN + 1)),
        ]
    )

    def frames(self, data: Measured, state: Position | None) -> Iterator[Frame]:
        """Yield the points."""
        recipe, at, norm = self.recipe, state or Position(0, None), TraceNorm(data.truth.shape)
        for share, radius, proof, solved in recipe.solutions(data, at.state, at.done):
            at = Position(at.done + 1, solved, at.loose + (not proof.within(recipe.tol)))
            sigma = np.zeros(DRAWN)
            some = norm.singular_values(proof.theta)[:DRAWN]
            sigma[: len(some)] = some
            curve = radius, share, share == 1, proof.relative_gap, *measured(proof, data), *sigma
            finished = at.done == len(recipe.shares)
            yield Frame(curve, self.shown(proof.theta, data), at, None, finished)

    def verdict(self, end: Frame) -> str:
        """Return what was proved."""
        return f"{proved(end.state.done, end.state.loose, self.recipe.tol)}."


class Recovery(Film):
    """The numbers of samples of a `RecoveryRun`, from few to many."""

    recipe: RecoveryRun
    curves = np.dtype(
        [
            ("n", "<u4"),
            ("own", "<u4"),  # whether this is the number of the data
            *((name, "<f8") for name in ESTIMATES),  # ||Theta - Theta*||_F
            *((f"test_{name}", "<f8") for name in ESTIMATES),
            *((f"rank_{name}", "<u4") for name in ESTIMATES),
        ]
    )

    def pictures(self, p: int, q: int) -> np.dtype:
        """Return the record of the four estimates."""
        return matrices([f"Theta_{name}" for name in ESTIMATES], p, q)

    def frames(self, data: Measured, state: int | None) -> Iterator[Frame]:
        """Yield the numbers of samples."""
        counts = self.recipe.counts
        for done in range(state or 0, len(counts)):
            n = counts[done]
            found = list(self.recipe.estimates(data.first(n)).values())
            curve = (
                n,
                n == self.recipe.few.n,
                *(float(np.linalg.norm(theta - data.truth.ravel())) for theta in found),
                *(data.rmse(theta)[1] for theta in found),
                *(np.linalg.matrix_rank(theta.reshape(data.truth.shape)) for theta in found),
            )
            largest = float(np.abs(found).max())
            levels = [np.rint(theta * (127 / largest)).astype(np.int8) for theta in found]
            shaped = [level.reshape(data.truth.shape) for level in levels]
            picture = tuple(field for level in shaped for field in (largest, level))
            yield Frame(curve, picture, done + 1, None, done + 1 == len(counts))

    def verdict(self, end: Frame) -> str:
        """Return what was compared."""
        return f"Four estimates from {len(self.recipe.counts)} numbers of samples."
