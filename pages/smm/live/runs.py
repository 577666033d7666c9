"""The experiments of *Watch the algorithm*, Algorithm 1 and a race of solvers, and its panels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.shared.algorithm1 import QUICK, WITH_RESTART, WITHOUT_RESTART, Algorithm1
from pages.shared.data.painted import Painted, encode, truth_of
from pages.shared.data.samples import Prepared
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.player.panels import (
    INK,
    Lines,
    Number,
    Panel,
    Picture,
    Readout,
    Series,
    matrices,
    series,
)
from pages.shared.race import Measurement, Race, Runner, on_one_scale
from pages.smm.live.panels import Band, Decision, Ratio, Residuals
from smmcore.solvers import newton

RACERS = {"first": "With restarts", "second": "Without restarts", "third": "Newton's method"}


@dataclass(frozen=True)
class SolverRace(Race):
    """Two settings of ADMM, which differ in rho, eta or algorithm only, and Newton's method."""

    first: Algorithm1[Any]
    second: Algorithm1[Any]

    def __post_init__(self) -> None:
        first = self.first
        if replace(self.second, rho=first.rho, eta=first.eta, algorithm=first.algorithm) != first:
            raise ValueError("the two must differ in rho, eta and the algorithm only")

    @property
    def data(self) -> Dataset:
        """The data of all."""
        data: Dataset = self.first.data
        return data

    @property
    def tol(self) -> float:
        """The tolerance of all."""
        return self.first.tol

    @property
    def max_iter(self) -> int:
        """The limit of iterations of all."""
        return self.first.max_iter

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for all; its Gram matrix is computed here, outside the race."""
        problem = self.first.problem(prepared.problem)
        _ = problem.gram
        return dict.fromkeys(RACERS, problem)

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a contestant."""
        if name == "third":
            return newton(problem, start=start)
        admm = self.first if name == "first" else self.second
        return admm.states(problem, start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return gap and rank of the certificate, and its W: what all solvers have."""
        proof = runner.proof
        return Measurement({"gap": proof.relative_gap, "rank": proof.rank}, {"W": proof.W})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the rounds, with all W on one scale."""
        yield from map(on_one_scale, super().frames(prepared, state))

    def summary(self, last: Frame) -> str:
        """Return after how many iterations each contestant ended, and whether at its floor."""
        return self.describe_ends(last, RACERS)


# The run of the question: its residual rises ninefold in step 17, the first restart.
OPENING = replace(QUICK, rho=0.01)
ASKED = 17
TO_FALL = 7  # steps after a restart that show how the residual falls again

# What ADMM develops like a photograph: S is like W* by 0.84 after 80 steps. The smiley's first
# restart is in step 14.
PICTURE_SAMPLES, PICTURE = 400, replace(QUICK, C=0.1, tau=10.0, rho=31.6)
PICTURE_ASKED = 14


def develop(experiment: Algorithm1[Any], painting: str) -> Algorithm1[Any]:
    """Return the experiment on samples of noise that a painting labels."""
    return replace(experiment, data=Painted(encode(truth_of(painting)), PICTURE_SAMPLES))


# Momentum without a restart does not converge with this rho. Newton's method needs three
# iterations, which could not be seen beside hundreds.
RACE_RHO, RACE_STEPS = 10.0, 100
FIRST, SECOND = (
    replace(QUICK, rho=RACE_RHO, max_iter=RACE_STEPS, algorithm=way)
    for way in (WITH_RESTART, WITHOUT_RESTART)
)
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    "The race of Live": SolverRace(FIRST, SECOND),
}


def stage_panels(tol: float) -> list[Panel]:
    """Return the panels of the stage: W and S, and their residual."""
    residual = [Series("residual", "residual", INK)]
    return [
        Band("Two copies of one matrix"),
        Residuals(residual, "Residual: what is missing", "▼ restart", tol),
        Decision(tol),
    ]


def further_panels(tol: float) -> list[Panel]:
    """Return all other panels of an iteration of Algorithm 1."""
    certified = [
        Number("rank", "rank of S", "int"),
        # Of the certificate's W, the better of two candidates, not of the iterate.
        Number("accuracy", "training accuracy", "percent"),
        Number("gap", "relative gap", "sci"),
        Number("distance", "√(2 gap) / ‖W‖", "sci"),
        Number("support", "support matrices", "int"),
        Number("rho", "ρ", "sci"),
    ]
    objective = series({"primal": "P, primal", "dual": "D, dual"})
    parts = [
        Series("apart", "primal ‖W − S‖", INK),
        Series("moved", "dual ρ‖S − Ŝ‖", INK, dash="dot"),
    ]
    return [
        Ratio("Residual: now ÷ before"),
        Residuals(parts, "Its two parts", "━ primal  ┅ dual  ▼ restart", tol),
        Readout(certified),
        Lines(series({"gap": "gap"}), "Certificate: relative gap (P − D) / |P|", "log"),
        Lines(objective, "Certificate: P of its W, D of its α", "linear"),
        Picture("Lambda", "Λ, the multiplier of W = S"),
        Lines(series({"rank": "rank"}), "Rank of S", "linear", step=True, format="int"),
        Lines(series({"t": "t"}), "Momentum t", "linear"),
    ]


def race_panels() -> list[Panel]:
    """Return the panels of a race: each W and the gap."""
    numbers = [
        Number("steps", "steps", "int"),
        Number("rank", "rank", "int"),
        Number("seconds", "seconds", "number"),
    ]
    gaps = series({f"gap_{name}": label for name, label in RACERS.items()})
    return [*matrices(RACERS, numbers), Lines(gaps, "Relative gap", "log")]


def describe_costs(end: np.void) -> str:
    """Say what a step of each solver costs at the end of a race, and why one would take ADMM."""
    admm, newtons = (
        f"{steps:.0f} steps of {1000 * seconds / steps:.1f} ms"
        for steps, seconds in (
            (end[f"steps_{name}"], end[f"seconds_{name}"]) for name in ("first", "third")
        )
    )
    return (
        f"**Why ADMM at all?** Here it takes {admm}, Newton's method {newtons}. But each step of "
        "Newton's method solves a new system, with a row for each sample that may move. A step of "
        "ADMM is made of what you know: an SVM, then a cut of the heights."
    )
