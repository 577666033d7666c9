"""Algorithm 1 of the SMM paper as an experiment, its presets, and the values of tau."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import Any, Generic, TypeVar

import numpy as np

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine.experiment import Dataset, Experiment, Frame, Scaled
from pages.shared.numbers import after_iterations, scientific
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.solvers import admm, fast_admm
from smmcore.solvers.admm import ADMMState

WITH_RESTART, WITHOUT_RESTART, PLAIN = (
    "fast ADMM with restart",  # Algorithm 1
    "fast ADMM without restart",
    "plain ADMM",
)
ROUGH_RADIUS = 0.05  # of ||W||; a certificate with a larger radius says little about W itself


class Step(IntEnum):
    """The decision at the end of an iteration."""

    PLAIN = 0  # none, because there is no momentum
    FIRST = 1  # none, because there is no earlier residual
    ACCELERATE = 2
    RESTART = 3
    AFTER_RESTART = 4  # none, because a step without momentum cannot raise c(k)


D = TypeVar("D", bound=Dataset)


@dataclass(frozen=True)
class Algorithm1(Experiment, Generic[D]):
    """Algorithm 1 of the SMM paper on some data, from a cold start until its gap is certified."""

    data: D
    C: float = 1.0
    tau: float = 1.0
    rho: float | None = None  # if None, the solver chooses it
    eta: float = 0.999
    tol: float = 1e-6
    max_iter: int = 2_000
    algorithm: str = WITH_RESTART

    def problem(self, base: SMMProblem) -> SMMProblem:
        """Return this experiment's problem, given one on the same samples at any weights."""
        return base.with_weights(C=self.C, tau=self.tau)

    def states(self, problem: SMMProblem, start: ADMMState | None = None) -> Iterator[ADMMState]:
        """Return the endless solver, cold or from one of its own states."""
        solver, options = self._solver
        return solver(problem, start=start, **options)

    @property
    def _solver(self) -> tuple[Callable[..., Iterator[ADMMState]], dict[str, Any]]:
        options: dict[str, Any] = {"rho": self.rho or "auto"}
        if self.algorithm == PLAIN:
            return admm, options
        return fast_admm, options | {"eta": inf if self.algorithm == WITHOUT_RESTART else self.eta}

    @property
    def call(self) -> tuple[str, dict[str, Any]]:
        """The name of the solver and its settings, for a program."""
        solver, options = self._solver
        return solver.__name__, options

    @property
    def label(self) -> str:
        """The solver and its settings in words."""
        eta = f", η = {self.eta:g}" if self.algorithm == WITH_RESTART else ""
        return f"{self.algorithm}, ρ {'auto' if self.rho is None else f'= {self.rho:g}'}{eta}"

    def frames(self, prepared: Prepared, state: ADMMState | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        problem, before = self.problem(prepared.problem), state
        for state in self.states(problem, start=state):  # noqa: B020, it goes on from there
            proof = state.certificate(problem)
            # At the start, and after a change of rho, there is nothing to compare c(k) with.
            compared, t, after_restart = inf, 1.0, False
            if before is not None and before.rho == state.rho:
                compared, t, after_restart = before.compared, before.t, before.restarted
            # A restart divides c by eta; the step that was kept had eta times that.
            kept = self.eta * compared if after_restart else compared
            step = self._step(state, compared, after_restart)
            metrics: dict[str, float] = {
                "k": state.k,
                "step": step,
                "restarted": step == Step.RESTART,
                "rank": int(np.count_nonzero(state.S_singular_values)),
                "support": int(np.count_nonzero(state.alpha)),  # samples with alpha_i > 0
                "residual": state.residual,  # c(k), as measured
                "ratio": state.residual / kept,  # to the last step that was kept; 0 without one
                "apart": state.primal_residual,  # ||W - S||_F
                "moved": state.dual_residual,  # rho ||S - S^||_F
                "primal": proof.primal,
                "dual": proof.dual,
                "gap": proof.relative_gap,
                "distance": proof.relative_radius,  # sqrt(2 gap) / ||W||_F
                "fit": accuracy(state.decision, problem.y),  # of this W, not the certificate's
                "accuracy": accuracy(proof.decision, problem.y),
                "t": state.t,  # t(k + 1)
                # (t(k) - 1) / t(k + 1), of the step that was taken
                "momentum": (t - 1) / state.t if step == Step.ACCELERATE else 0.0,
                "rho": state.rho,
            }
            images: dict[str, Array | Scaled] = {
                "W": state.W,
                "S": state.S,
                "Lambda": state.Lambda,
                "singular_values": state.S_singular_values,
            }
            done = proof.within(self.tol) or state.k >= self.max_iter
            before = state
            yield Frame(state, metrics, images, proof, done)

    def _step(self, state: ADMMState, compared: float, after_restart: bool) -> Step:
        if self.algorithm == PLAIN:
            return Step.PLAIN
        if after_restart:
            return Step.AFTER_RESTART
        if compared == inf:
            return Step.FIRST
        return Step.RESTART if state.restarted else Step.ACCELERATE

    def summary(self, last: Frame) -> str:
        """Describe how the run ended and what its certificate proves."""
        return describe_certificate(last.certificate, self.tol, last.state.k)


def describe_certificate(proof: SMMCertificate, tol: float, k: int) -> str:
    """Describe what a certificate proves after k iterations, within `tol` or not."""
    gap = f"relative gap {scientific(proof.relative_gap)}"
    # If the loss is far larger than the penalty, even W = 0 has a small gap: add the bound on W.
    proved = f"√(2 gap) / ‖W‖ {scientific(proof.relative_radius)}" if proof.rank else "W = 0"
    if not proof.within(tol):
        wanted = f"wanted {scientific(tol, 1)}"
        return f"Ended at its limit, {after_iterations(k)}: {gap}, {wanted}; {proved}."
    rough = proof.rank and proof.relative_radius > ROUGH_RADIUS
    also = " That proves the objective; of W only that it is near." if rough else ""
    return f"Certified {after_iterations(k)}: {gap}, {proved}.{also}"


# The values of the knob of tau: 0, and twenty in a decade (the preferred numbers R"20 of ISO 3).
STEPS = 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9
TAUS = [0.0, *(float(f"{step}e{decade}") for decade in range(-5, 4) for step in STEPS), 1e4]

QUICK_DATA = BlockCorrelated(noise=0.01, seed=1)
QUICK = Algorithm1(QUICK_DATA, C=0.05, tau=0.2)

PRESETS: dict[str, tuple[Algorithm1[BlockCorrelated], str]] = {
    "Quick": (QUICK, "200 matrices of 20 × 25: computed in a tenth of a second."),
    "Paper 5.1": (
        Algorithm1(
            BlockCorrelated(n=1_000, p=80, q=100, noise=1e-3, rank=20, scaling="as printed"),
            C=10.0,
            tau=1.0,
        ),
        "Section 5.1 of the SMM paper: 1000 matrices of 80 × 100, features as printed. Which C "
        "and τ its figure has, the paper does not say. Takes seconds.",
    ),
    "Hard": (
        Algorithm1(
            BlockCorrelated(n=500, p=40, q=50, groups=10, noise=0.1, rank=10), C=0.1, tau=2.0
        ),
        "500 matrices of 40 × 50 in ten groups, more noise than signal: many iterations, restarts.",
    ),
}
PRECOMPUTED = {name: preset for name, (preset, _) in PRESETS.items()}  # see tests/precompute.py
