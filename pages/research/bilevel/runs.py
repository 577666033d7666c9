"""The experiment of the note on bilevel programming: the algorithm of Xia and Fan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.losses import build_problem
from pages.shared.numbers import after_iterations, scientific
from pages.shared.player.panels import Lines, Mark, Number, Panel, Picture, Readout, series
from smmcore.iterate import last, until
from smmcore.problems import SMMCertificate, SpectralProblem
from smmcore.solvers import fast_admm
from smmcore.solvers.admm import ADMMState
from smmcore.xia_fan.bilevel import bilevel

STOPPING_DIFFERENCE = 1e-3  # the largest entry of S - W at which Xia and Fan stop
# ||S|| at which a run has diverged. With the printed sign S grows without bound; W follows only
# when Lambda is so large that rounding errors move W.
DIVERGED_NORM = 1e12


def bilevel_as_printed(
    problem: SpectralProblem, *, rho: float, start: ADMMState | None = None
) -> Iterator[ADMMState]:
    """Run Algorithm 1 of Xia and Fan with eq. 6 as printed: Lambda - rho (S - W).

    `bilevel` subtracts rho (W - S), so twice that is added to the state before each step.
    """
    state = start
    while True:
        if state is not None:
            pair, apart = state.pair, problem.centred_scores(state.W) - state.pair.S_scores
            pair = replace(
                pair,
                Lambda=pair.Lambda + 2 * rho * (state.W - state.S),
                Lambda_scores=pair.Lambda_scores + 2 * rho * apart,
            )
            state = replace(state, pair=pair)
        state = next(bilevel(problem, rho=rho, start=state))
        yield state


class BilevelPosition(NamedTuple):
    """The last iteration of a run, and the iteration at which Xia and Fan would stop it."""

    state: ADMMState
    stop: tuple[int, float] | None  # iteration and relative gap; None: not yet


@dataclass(frozen=True)
class BilevelAlgorithm(Experiment):
    """Algorithm 1 of Xia and Fan, continued past its stopping rule until it is certified."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    rho: float = 1.1  # theirs
    loss: str = "squares"
    printed: bool = False  # eq. 6 with the printed sign
    unit: float = 1.0  # scales the samples, and C and tau so that only the scale of W changes
    tol: float = 1e-6
    max_iter: int = 1_000

    def states(
        self, problem: SpectralProblem, start: ADMMState | None = None
    ) -> Iterator[ADMMState]:
        """Return the endless algorithm, from the beginning or from one of its own states."""
        solver = bilevel_as_printed if self.printed else bilevel
        return solver(problem, rho=self.rho, start=start)

    def frames(self, prepared: Prepared, state: BilevelPosition | None = None) -> Iterator[Frame]:
        """Yield the iterations, each with its certificate."""
        C, tau = self.C / self.unit**2, self.tau / self.unit
        problem = build_problem(self.loss, prepared.problem, C, tau, self.unit)
        start, stop = state or (None, None)
        for at in self.states(problem, start):
            proof = at.certificate(problem)
            difference = float(np.abs(at.S - at.W).max())
            stops = stop is None and difference < STOPPING_DIFFERENCE
            if stops:
                stop = at.k, proof.relative_gap
            metrics: dict[str, float] = {
                "k": at.k,
                "difference": difference,
                "rule": STOPPING_DIFFERENCE,
                "stops": stops,
                "gap": proof.relative_gap,
                "W_norm": float(np.linalg.norm(at.W)),
                "S_norm": float(np.linalg.norm(at.S)),
                "rank": int(np.count_nonzero(at.S_singular_values)),  # of S
            }
            certified = stop is not None and proof.within(self.tol)
            done = certified or at.k >= self.max_iter or self._diverged(at)
            yield Frame(BilevelPosition(at, stop), metrics, {"S": at.S}, proof, done)

    def summary(self, last: Frame) -> str:
        """Say when the rule of Xia and Fan would stop the run, and whether its end is certified."""
        at, stop = last.state
        if self._diverged(at):
            return (
                f"Diverged: ‖S‖ is beyond {scientific(DIVERGED_NORM, 1)} {after_iterations(at.k)}."
            )
        rule = "Their rule would not have stopped it"
        if stop:
            first, gap = stop
            when = after_iterations(first)
            rule = f"Their rule would stop {when}, at a relative gap of {scientific(gap)}"
        proved = "certified" if last.certificate.within(self.tol) else "not certified"
        return f"{rule}; {proved} to {scientific(self.tol, 1)} {after_iterations(at.k)}."

    def _diverged(self, state: ADMMState) -> bool:
        return bool(np.linalg.norm(state.S) * self.unit > DIVERGED_NORM)


def solve_by_admm(experiment: BilevelAlgorithm) -> SMMCertificate:
    """Return the solution by Algorithm 1 of the SMM paper, in the unit of the samples at hand."""
    problem = build_problem(
        experiment.loss, get_prepared(experiment.data).problem, experiment.C, experiment.tau
    )
    proofs = (state.certificate(problem) for state in fast_admm(problem, rho="auto"))
    return last(until(proofs, lambda proof: proof.within(experiment.tol), experiment.max_iter))


def bilevel_panels() -> list[Panel]:
    """Return the panels of the algorithm of Xia and Fan: their rule beside the gap."""
    stop = Mark("stops", "their rule stops")
    numbers = [
        Number("difference", "‖S − W‖∞", "sci"),
        Number("gap", "relative gap", "sci"),
        Number("W_norm", "‖W‖", "sci"),
        Number("rank", "rank of S", "int"),
    ]
    rule = series({"difference": "‖S − W‖∞", "rule": "10⁻³"})
    norms = series({"W_norm": "‖W‖", "S_norm": "‖S‖"})
    return [
        Picture("S", "S, exactly low rank", own=True),
        Readout(numbers),
        Lines(rule, "Their rule: ‖S − W‖∞", "log", marks=[stop]),
        Lines(series({"gap": "gap"}), "Relative gap", "log", marks=[stop]),
        Lines(norms, "Norms of W and S, Frobenius", "log"),
    ]
