"""The experiments of the lesson Live: a race of solvers, and all panels of Algorithm 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.player.panels import (
    Case,
    Lines,
    Mark,
    Number,
    Panel,
    PerLine,
    Picture,
    Scale,
    Sentence,
    matrices,
    series,
)
from pages.shared.race import Measurement, Race, Runner, on_one_scale
from smmcore.solvers import augmented_lagrangian, newton

SETTINGS = ("first", "second")  # the contestants that are settings of ADMM
MAX_UNKNOWNS = 2_500  # p q; a step of the augmented Lagrangian method may take 0.3 seconds


class Solver(NamedTuple):
    """A contestant that is not ADMM."""

    solver: Callable[..., Iterator[Any]]
    label: str  # in pictures
    idea: str  # what it does, in one sentence


NEWTON, LAGRANGIAN = "Newton's method", "Augmented Lagrangian method"
SOLVERS = {
    NEWTON: Solver(
        newton,
        "Newton",
        "After three iterations of Algorithm 1, each step maximises a quadratic model of the dual, "
        "built from its first and second derivatives.",
    ),
    LAGRANGIAN: Solver(
        augmented_lagrangian,
        "Lagrangian",
        "It minimises a smooth function of W, the augmented Lagrangian, by Newton steps, then "
        "moves the multipliers, and never needs the n × n Gram matrix.",
    ),
}


def third_contestants(data: Dataset) -> list[str]:
    """Return the names of the solvers that can be the third one on some data."""
    _, p, q = data.shape
    return [NEWTON, LAGRANGIAN] if p * q <= MAX_UNKNOWNS else [NEWTON]


@dataclass(frozen=True)
class SolverRace(Race):
    """Two settings of ADMM, which differ in rho, eta or algorithm only, and another solver."""

    first: SMMRun[Any]
    second: SMMRun[Any]
    third: str = NEWTON

    def __post_init__(self) -> None:
        first = self.first
        if replace(self.second, rho=first.rho, eta=first.eta, algorithm=first.algorithm) != first:
            raise ValueError("the two must differ in rho, eta and the algorithm only")
        if self.third not in (names := third_contestants(self.data)):
            raise ValueError(f"the third must be one of {names}, got {self.third!r}")

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

    @property
    def labels(self) -> dict[str, str]:
        """The contestants as they are called in pictures."""
        return {"first": "first", "second": "second", "third": SOLVERS[self.third].label}

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for all; its Gram matrix is computed here, outside the race."""
        problem = self.first.problem(prepared.problem)
        _ = problem.gram
        return dict.fromkeys(self.labels, problem)

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a contestant."""
        if name == "third":
            return SOLVERS[self.third].solver(problem, start=start)
        run = self.first if name == "first" else self.second
        return run.states(problem, start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return gap and rank of the certificate, and its W: what all solvers have."""
        proof = runner.proof
        return Measurement({"gap": proof.relative_gap, "rank": proof.rank}, {"W": proof.W})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the rounds, with residual, rho and restart of both settings of ADMM."""
        for frame in super().frames(prepared, state):
            metrics = dict(frame.metrics)
            for name in SETTINGS:
                admm, done = frame.state[name].state, frame.state[name].done
                metrics |= {
                    f"residual_{name}": admm.residual,
                    f"rho_{name}": admm.rho,
                    f"restarted_{name}": admm.restarted and not done,  # none follows the end
                }
            yield on_one_scale(frame._replace(metrics=metrics))

    def summary(self, last: Frame) -> str:
        """Return after how many iterations each contestant ended, certified or not."""
        return self.describe_ends(last, {"first": "First", "second": "Second", "third": self.third})

    def script(self) -> str:
        """Return a program that prints iterations and gap of all."""
        third = SOLVERS[self.third].solver.__name__
        calls = {run.label: run.call for run in (self.first, self.second)}
        calls[self.third] = f"{third}(problem)"
        runners = "\n".join(f"    {label!r}: {call}," for label, call in calls.items())
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

from smmcore.problems import SMMProblem
from smmcore.solvers import admm, fast_admm, {third}

{self.data.script()}
problem = SMMProblem(X, y, C={self.first.C!r}, tau={self.first.tau!r})
runners = {{
{runners}
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
# Momentum without a restart does not converge with this rho. Newton's method needs five iterations,
# which could not be seen beside hundreds.
RACE_RHO, RACE_STEPS = 10.0, 100
FIRST, SECOND = (
    replace(QUICK, rho=RACE_RHO, max_iter=RACE_STEPS, algorithm=way)
    for way in (WITH_RESTART, WITHOUT_RESTART)
)
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    **{name: run for name, (run, _) in LIVE.items()},
    "The race of Live": SolverRace(FIRST, SECOND),
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
        CERTIFIED,
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


def race_panels(race: SolverRace) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a race: each W and the gap; and further curves."""
    labels = race.labels

    def curves(field: str, names: Iterable[str], title: str, scale: Scale, **rest: Any) -> Lines:
        lines = series({f"{field}_{name}": labels[name] for name in names})
        return Lines(lines, title, scale, **rest)

    marks = []
    for colour, name in enumerate(SETTINGS):
        from_here = f"{name}: ρ = {{rho_{name}:sci}} from here"
        marks += [
            Mark("flag", f"restarted_{name}", "restart", f"{name}: restart", colour),
            Mark("change", f"rho_{name}", "new ρ", from_here, colour),
        ]
    gap = curves("gap", labels, "Relative gap", "log")
    seconds = PerLine("seconds", {f"gap_{name}": f"seconds_{name}" for name in labels})
    numbers = [
        Number("steps", "iterations", "int"),
        Number("rank", "rank", "int"),
        Number("seconds", "seconds", "seconds"),
    ]
    pictures = matrices(labels, numbers, {name: f"W, {label}" for name, label in labels.items()})
    return [*pictures, gap], [
        replace(gap, title="Relative gap against time", against=seconds),
        curves("residual", SETTINGS, "Combined residual c(k)", "log", marks=marks),
        curves("rank", labels, "Rank of W", "linear", step=True, format="int"),
    ]
