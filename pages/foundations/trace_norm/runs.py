"""The experiment of *From vectors to matrices*, and its panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pages.foundations.trace_norm.regression import LowRank, Measurements, measure_estimate
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import after_iterations, scientific
from pages.shared.player.panels import (
    FAINT,
    INK,
    Lines,
    Number,
    Panel,
    Picture,
    Readout,
    Series,
    Vectors,
)
from smmcore.solvers import proximal_gradient
from smmcore.solvers.proximal import ProximalState
from smmcore.sugiyama.penalties import Ball, TraceNorm
from smmcore.sugiyama.regression import RegularizedLS


@dataclass(frozen=True)
class TraceNormRegression(Experiment):
    """Least squares with a bounded trace norm by proximal gradient, from zero until certified."""

    data: LowRank
    radius: float = 1.2
    tol: float = 1e-6
    max_iter: int = 3_000

    def frames(self, prepared: Measurements, state: ProximalState | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        ball = Ball(TraceNorm(self.data.shape[1:]), self.radius)
        problem = RegularizedLS(prepared.Phi, prepared.y, ball)
        states = proximal_gradient(problem, start=state)
        for state in states:
            proof = state.certificate(problem)
            measured, images = measure_estimate(proof, prepared)
            metrics = {
                "k": state.k,
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


STAGE: list[Panel] = [
    Picture("truth", "Θ*, the truth"),
    Picture(
        "Theta",
        "Θ, learned",
        numbers=[Number("rank", "rank", "int"), Number("error", "‖Θ − Θ*‖", "number")],
    ),
    Vectors(
        [Series("sigma_truth", "Θ*", FAINT), Series("sigma", "Θ", INK)], "Singular values of Θ"
    ),
]
MORE: list[Panel] = [
    Readout([Number("trace", "‖Θ‖∗", "number")]),
    Lines(
        [
            Series("error", "‖Θ − Θ*‖", INK),
            Series("test", "test error", INK, dash="dash"),
            Series("train", "training error", INK, dash="dot"),
        ],
        "Errors",
        "linear",
        span=(0, 0),
    ),
]
