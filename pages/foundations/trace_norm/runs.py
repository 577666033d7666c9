"""The experiments of *From vectors to matrices*: one solution, and those from fewer samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pages.foundations.trace_norm.regression import (
    LowRank,
    Measurements,
    measure_estimate,
)
from pages.shared.data.samples import check
from pages.shared.engine.experiment import Experiment, Frame, Scaled
from pages.shared.numbers import after_iterations, scientific
from pages.shared.player.panels import (
    FAINT,
    INK,
    Axis,
    Lines,
    Mark,
    Number,
    Panel,
    Picture,
    Readout,
    Series,
    Vectors,
    series,
)
from smmcore.arrays import Array
from smmcore.solvers import proximal_gradient
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.proximal import ProximalState
from smmcore.sugiyama.penalties import Ball, Lp, TraceNorm
from smmcore.sugiyama.regression import RegularizedLS

ESTIMATES = {  # what is bounded
    "ls": "nothing (least norm)",
    "l2": "ℓ₂ (Frobenius) norm",
    "l1": "ℓ₁ norm of the entries",
    "trace": "nuclear norm",
}


@dataclass(frozen=True)
class TraceNormRegression(Experiment):
    """Least squares with a bounded trace norm by proximal gradient, from zero until certified."""

    data: LowRank
    radius: float = 1.2
    accelerated: bool = True
    tol: float = 1e-6
    max_iter: int = 3_000

    def __post_init__(self) -> None:
        check("R, the bound of the nuclear norm,", self.radius, 1e-6, 1e6)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of iterations", self.max_iter, 1, 30_000)

    def frames(self, prepared: Measurements, state: ProximalState | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        ball = Ball(TraceNorm(self.data.shape[1:]), self.radius)
        problem = RegularizedLS(prepared.Phi, prepared.y, ball)
        states = proximal_gradient(problem, accelerated=self.accelerated, start=state)
        for state in states:
            proof = state.certificate(problem)
            measured, images = measure_estimate(proof, prepared)
            metrics = {
                "k": state.k,
                "restarted": state.restarted,
                "residual": state.residual,  # L ||Theta - V||_F
                "primal": proof.primal,
                "dual": proof.dual,
                "gap": proof.relative_gap,
                "curvature": problem.curvature,  # L
                **measured,
            }
            done = proof.within(self.tol) or state.k >= self.max_iter
            yield Frame(state, metrics, images, proof, done)

    def summary(self, last: Frame) -> str:
        """Say how the run ended."""
        steps, proof = after_iterations(last.state.k), last.certificate
        gap = f"gap {scientific(proof.relative_gap)} of the objective at 0"
        if proof.within(self.tol):
            return f"Done {steps}: {gap}."
        return f"Ended at its limit, {steps}: {gap}, wanted {scientific(self.tol, 1)}."


@dataclass(frozen=True)
class Recovery(Experiment):
    """Four estimates of Theta* from growing samples, each with the bound of least test error."""

    few: LowRank
    steps: int = 10  # equal steps of n, up to 1.4 p q
    tol: float = 1e-4  # enough for a picture
    max_iter: int = 1_000

    def __post_init__(self) -> None:
        check("the number of steps", self.steps, 2, 50)

    @property
    def counts(self) -> list[int]:
        """The numbers of samples, ascending; n of the page is among them."""
        _, p, q = self.few.shape
        steps = np.linspace(0, 1.4 * p * q, self.steps + 1)[1:]
        return sorted({max(2, round(n)) for n in steps} | {self.few.n})

    @property
    def data(self) -> LowRank:
        """The data with the largest number of samples; smaller ones take the first samples."""
        return replace(self.few, n=self.counts[-1])

    @property
    def shares(self) -> Array:
        """The bounds to try, in units of the norm of Theta*."""
        return np.arange(1, 13) / 8

    def estimates(self, data: Measurements) -> dict[str, Array]:
        """Return the Theta of each of `ESTIMATES`, (p, q)."""
        shape = data.truth.shape
        norms: dict[str, Lp | TraceNorm] = {"l2": Lp(2), "l1": Lp(1), "trace": TraceNorm(shape)}
        found: dict[str, Array] = {"ls": np.asarray(np.linalg.lstsq(data.Phi, data.y)[0], float)}
        found |= {name: self._best_solution(norm, data) for name, norm in norms.items()}
        return {name: theta.reshape(shape) for name, theta in found.items()}

    def _best_solution(self, norm: Lp | TraceNorm, data: Measurements) -> Array:
        """Return the solution with the bound of least test error."""
        size, state, solutions = float(norm.value(data.truth.ravel())), None, []
        base = RegularizedLS(data.Phi, data.y, Ball(norm, size))
        for share in self.shares:
            problem = base.with_penalty(Ball(norm, float(share * size)))
            steps = proximal_gradient(problem, start=state)
            proof, state = solve_to_gap(problem, steps, self.tol, self.max_iter)
            solutions.append(proof.theta)
        return min(solutions, key=lambda theta: data.rmse(theta)[1])

    def frames(self, prepared: Measurements, state: int | None = None) -> Iterator[Frame]:
        """Yield the four estimates from each number of samples; the state is how many are done."""
        counts, start = self.counts, state or 0
        for done, n in enumerate(counts[start:], start + 1):
            found = self.estimates(prepared.first(n))
            errors = {name: np.linalg.norm(M - prepared.truth) for name, M in found.items()}
            metrics = {
                "n": n,
                "own": n == self.few.n,
                **errors,
                **{f"test_{name}": prepared.rmse(M)[1] for name, M in found.items()},
                **{f"rank_{name}": np.linalg.matrix_rank(M) for name, M in found.items()},
            }
            scale = max(float(np.abs(Theta).max()) for Theta in found.values())
            images = {f"Theta_{name}": Scaled(Theta, scale) for name, Theta in found.items()}
            yield Frame(done, metrics, images, done=done == len(counts))

    def summary(self, last: Frame) -> str:
        """Say what is compared."""
        return f"Four estimates from {len(self.counts)} numbers of samples."


PRECOMPUTED = {  # see tests/precompute.py
    "Fewer samples than entries": Recovery(LowRank()),
}


TRUTH = Picture("truth", "Θ*, the truth")
THETA = Picture("Theta", "Θ, learned")
SPECTRUM = Vectors(
    [Series("sigma_truth", "Θ*", FAINT), Series("sigma", "Θ", INK)], "Singular values of Θ"
)
ERRORS = Lines(
    [
        Series("error", "‖Θ − Θ*‖", INK),
        Series("test", "test error", INK, dash="dash"),
        Series("train", "training error", INK, dash="dot"),
    ],
    "Errors",
    "linear",
    span=(0, 0),
)
NUMBERS = [
    Number("rank", "rank of Θ", "int"),
    Number("error", "‖Θ − Θ*‖", "number"),
    Number("test", "test error", "number"),
    Number("trace", "‖Θ‖∗", "number"),
    Number("lam", "λ = ‖Σ eᵢ Xᵢ‖₂", "number"),
]


def proximal_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a run of proximal gradient: matrices and numbers; and curves."""
    restarts = [Mark("restarted", "restart")]
    numbers = [*NUMBERS, Number("train", "training error", "number")]
    beside = [Number("rank", "rank", "int"), Number("error", "‖Θ − Θ*‖", "number")]
    return [TRUTH, replace(THETA, numbers=beside), SPECTRUM], [
        Readout(numbers),
        ERRORS,
        Lines(
            [Series("primal", "P(Θ)", INK), Series("dual", "D", INK, dash="dot")],
            "Objective and its bound",
            "linear",
        ),
        Lines(
            [Series("gap", "duality gap", INK), Series("residual", "residual", INK, dash="dot")],
            "Gap, residual",
            "log",
            marks=restarts,
        ),
    ]


def recovery_panels() -> list[Panel]:
    """Return the panels of the four estimates."""
    short = {"trace": "nuclear", "l1": "ℓ₁", "l2": "ℓ₂", "ls": "none"}
    tests = {f"test_{name}": label for name, label in short.items()}
    own = [Mark("own", "n of this page")]
    return [
        *(Picture(f"Theta_{name}", label.capitalize()) for name, label in short.items()),
        Lines(series(short), "‖Θ − Θ*‖", "linear", span=(0, 0), marks=own),
        Lines(series(tests), "Test error", "linear", span=(0, 0), marks=own),
    ]


def recovery_axis(recovery: Recovery) -> Axis:
    """Return the axis of the estimates: a frame for each n, at first the n of the page."""
    counts, largest = recovery.counts, recovery.counts[-1]
    step = next(s for s in (5, 10, 20, 50, 100, 200) if largest / s <= 6 or s == 200)
    return Axis(
        "n =",
        "n",
        "n",
        count=len(counts),
        at=[n / largest for n in counts],
        ticks=[(n / largest, str(n)) for n in range(step, largest, step)],
        opens=counts.index(recovery.few.n),
    )


def describe_recovery(curves: NDArray[np.void], data: LowRank) -> str:
    """Describe how many samples each estimate needs to come close to Θ*."""
    _, p, q = data.shape
    needed = []
    for name, bound in ESTIMATES.items():
        near = curves["n"][curves[name] <= 0.2]
        needed.append(f"{bound} {near[0] if len(near) else 'more'}")
    return (
        f"Θ has p q = {p * q} entries, and Θ* is made of r (p + q − r) = {data.freedom} numbers. "
        f"Samples until ‖Θ − Θ*‖ ≤ 0.2, by what is bounded: {', '.join(needed)}. ℓ₂ and ℓ₁ do not "
        "see rows and columns: put the entries in another order and they do the same."
    )
