"""The experiments of the lesson Live: a race of two settings, and all panels of Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.shared.algorithm1 import (
    CERTIFIED,
    GAP,
    OBJECTIVE,
    QUICK,
    QUICK_DATA,
    RESIDUAL,
    SINGULAR_VALUES,
    WITH_RESTART,
    WITHOUT_RESTART,
    SMMRun,
    Step,
)
from pages.shared.data.samples import Prepared
from pages.shared.player.panels import (
    Case,
    Lines,
    Mark,
    Panel,
    PerLine,
    Picture,
    Scale,
    Sentence,
    series,
)
from pages.shared.race import Measurement, Race, Runner
from pages.shared.summaries import after_iterations
from smmcore.experiments.experiment import Dataset, Experiment, Frame

SIDES = ("first", "second")


@dataclass(frozen=True)
class DuelRun(Race):
    """Two settings of ADMM on the same problem: they differ in rho, eta or algorithm only."""

    first: SMMRun[Any]
    second: SMMRun[Any]

    def __post_init__(self) -> None:
        first = self.first
        if replace(self.second, rho=first.rho, eta=first.eta, algorithm=first.algorithm) != first:
            raise ValueError("the two must differ in rho, eta and the algorithm only")

    @property
    def data(self) -> Dataset:
        """The data of both."""
        data: Dataset = self.first.data
        return data

    @property
    def tol(self) -> float:
        """The tolerance of both."""
        return self.first.tol

    @property
    def max_iter(self) -> int:
        """The limit of iterations of both."""
        return self.first.max_iter

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for both sides."""
        return dict.fromkeys(SIDES, self.first.problem(prepared.problem))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a side."""
        run = self.first if name == "first" else self.second
        return run.states(problem, start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return residual, gap, rank, restart and rho of a side, and S."""
        state = runner.state
        metrics = {
            "residual": state.residual,
            "gap": runner.proof.relative_gap,
            "rank": np.count_nonzero(state.S_singular_values),
            "restarted": state.restarted
            and not runner.done,  # a runner that is done no longer restarts
            "rho": state.rho,
        }
        return Measurement(metrics, {"S": state.S})

    def summary(self, last: Frame) -> str:
        """Return after how many iterations each side ended, certified or not."""
        late = self.names_at_limit(last)
        return " ".join(
            f"{side.capitalize()}: "
            + ("not certified" if side in late else "certified")
            + f" {after_iterations(runner.steps)}."
            for side, runner in last.state.items()
        )

    def script(self) -> str:
        """Return a program that prints iterations and gap of both."""
        sides = "\n".join(f"    {run.label!r}: {run.call}," for run in (self.first, self.second))
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm

{self.data.script()}
problem = SMMProblem(X, y, C={self.first.C!r}, tau={self.first.tau!r})
runners = {{
{sides}
}}
for name, states in runners.items():
    for state in islice(states, {self.max_iter}):
        certificate = state.certificate(problem)
        if certificate.within({self.tol!r}):
            break
    print(name, state.k, certificate.relative_gap)
'''


LIVE = {
    "Small ρ": (replace(QUICK, rho=0.01), "ρ is a hundred times too small: W and S agree slowly."),
    "Many restarts": (
        replace(QUICK, rho=100.0),
        "ρ is a hundred times too large: momentum overshoots again and again.",
    ),
    "Few positives": (
        replace(QUICK, data=replace(QUICK_DATA, positives=0.05), C=0.5),
        "Only 10 of the 200 samples are of class +1.",
    ),
}
RACE_RHO, RACE_STEPS = 10.0, 600  # with these, momentum without a restart does not converge
FIRST, SECOND = (
    replace(QUICK, rho=RACE_RHO, max_iter=RACE_STEPS, algorithm=way)
    for way in (WITH_RESTART, WITHOUT_RESTART)
)
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    **{name: run for name, (run, _) in LIVE.items()},
    "The race of Live": DuelRun(FIRST, SECOND),
}


def laboratory(experiment: SMMRun[Any]) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of an iteration of Algorithm 1: those at first sight, and all others."""
    begin, bar = "c(k) = {residual:sci:bar}", f"{experiment.eta:g} c = {{bar:sci:residual}}"
    steps = {
        Step.PLAIN: f"{begin}. Plain ADMM: no momentum, no restart.",
        Step.FIRST: f"{begin}: nothing to compare it with at this ρ. "
        "Next t = {t:number}, next c = c(k).",
        Step.ACCELERATE: f"{begin} < {bar}: accelerate. The next start is the pair (S, Λ) and "
        "(t − 1) / t′ = {momentum:number} of its last step; next t = {t:number}, next c = c(k).",
        Step.RESTART: f"{begin} ≥ {bar}, by {{excess:excess}}: restart. The next start is the "
        f"pair (S, Λ) before this one; next t = 1, next c = c / {experiment.eta:g}.",
        Step.AFTER_RESTART: f"{begin}, accepted without a comparison: it follows a restart, and "
        "without momentum c cannot rise. Next t = {t:number}, next c = c(k).",
    }
    sentence = Sentence([Case("step", int(step), text) for step, text in steps.items()])
    first = [
        sentence,
        Picture("W", "W, which fits the samples", bare=True),
        Picture("S", "S, its copy of low rank", bare=True),
        RESIDUAL,
        replace(CERTIFIED, columns=6),
    ]
    more = [
        Picture("Lambda", "Λ, the multiplier of W = S"),
        Picture("u", "y α / C: the support matrices", samples=True),
        Lines(series({"apart": "‖W − S‖"}), "Primal residual ‖W − S‖", "log"),
        Lines(series({"moved": "ρ‖S − Ŝ‖"}), "Dual residual ρ ‖S − Ŝ‖", "log"),
        SINGULAR_VALUES,
        Lines(series({"rank": "rank"}), "Rank of S", "linear", step=True, format="int"),
        OBJECTIVE,
        GAP,
        Lines(series({"t": "t"}), "Momentum t", "linear"),
    ]
    return first, more


def duel_panels(duel: DuelRun) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a race of two settings: S and the gap, and further curves."""

    def both(field: str, title: str, scale: Scale, **rest: Any) -> Lines:
        return Lines(series({f"{field}_{side}": side for side in SIDES}), title, scale, **rest)

    marks = []
    for colour, side in enumerate(SIDES):
        from_here = f"{side}: ρ = {{rho_{side}:sci}} from here"
        marks += [
            Mark("flag", f"restarted_{side}", "restart", f"{side}: restart", colour),
            Mark("change", f"rho_{side}", "new ρ", from_here, colour),
        ]
    gap = both("gap", "Relative gap", "log")
    seconds = PerLine("seconds", {f"gap_{side}": f"seconds_{side}" for side in SIDES})
    pictures = [Picture(f"S_{side}", f"S of the {side}", bare=True) for side in SIDES]
    return [*pictures, gap], [
        replace(gap, title="Relative gap against time", against=seconds),
        both("residual", "Combined residual c(k)", "log", marks=marks),
        both("rank", "Rank of S", "linear", step=True, format="int"),
    ]
