"""The experiments of the lesson Hinge or squared loss: a race, BP-LSSMM, a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2
from typing import Any, NamedTuple

import numpy as np

from pages.shared.data.samples import Labelled, Prepared, check
from pages.shared.data.synthetic import LabelledDataset, Split
from pages.shared.player.panels import (
    Axis,
    Lines,
    Map,
    MapSide,
    Mark,
    Number,
    Panel,
    PerLine,
    Picture,
    Readout,
    Scale,
    series,
)
from pages.shared.race import Measurement, Race, Runner
from pages.shared.summaries import after_iterations
from smmcore.decision import accuracy
from smmcore.experiments.experiment import Experiment, Frame, Scaled
from smmcore.experiments.least_squares import GRID, GridPoint, cross_validate, two_classes
from smmcore.problems import LSSMMProblem, SMMProblem, SpectralProblem
from smmcore.solvers import bilevel, fast_admm
from smmcore.solvers.bilevel import BilevelState

LOSSES = {"hinge": "SMM", "squares": "LS-SMM"}  # the machine of each loss
PROBLEMS = {"hinge": SMMProblem, "squares": LSSMMProblem}
STOPPING_DIFFERENCE = 1e-3  # the largest entry of S - W at which Xia and Fan stop
# ||S|| at which a run has diverged. With the printed sign S grows without bound; W follows only
# when Lambda is so large that rounding errors move W.
DIVERGED_NORM = 1e12
ACCURACY_SPAN = (0.8, 1.0)  # of an axis: a single test sample then makes a small difference


@lru_cache(maxsize=2)  # one for each of two experiments: the squared loss decomposes K only once
def build_problem(
    loss: str, base: SMMProblem, C: float, tau: float, unit: float = 1.0
) -> SpectralProblem:
    """Return the problem of a loss on the samples of another problem, multiplied by `unit`."""
    X = base.X if unit == 1 else unit * base.X
    return PROBLEMS[loss](X, base.y, C, tau)


@dataclass(frozen=True)
class LossRun(Race):
    """The support matrix machine with the hinge and with the squared loss, at the same weights."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    tol: float = 1e-6
    max_iter: int = 4_000

    limit = "max_iter"

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        check("the tolerance", self.tol, 1e-12, 1)

    def problems(self, prepared: Prepared) -> Mapping[str, SpectralProblem]:
        """Return both problems; the Gram matrix is computed here, outside the race."""
        squares = build_problem("squares", prepared.problem, self.C, self.tau)
        _ = squares.gram
        return {"hinge": prepared.problem.with_weights(C=self.C, tau=self.tau), "squares": squares}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of both problems: Algorithm 1 of the SMM paper."""
        return fast_admm(problem, rho="auto", start=start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return rank, accuracies and gap of a machine, its W and its training margins."""
        proof, y = runner.proof, prepared.problem.y
        metrics = {
            "rank": proof.rank,
            "train": accuracy(proof.decision, y),
            "held": prepared.held_accuracy(proof),
            "gap": proof.relative_gap,
        }
        return Measurement(metrics, {"W": proof.W, "margins": y * proof.decision})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the rounds, with both W on the scale of the larger one."""
        for frame in super().frames(prepared, state):
            both: dict[str, Any] = {
                name: W for name, W in frame.images.items() if name.startswith("W_")
            }
            scale = max(float(np.abs(W).max()) for W in both.values())
            scaled = {name: Scaled(W, scale) for name, W in both.items()}
            yield frame._replace(images={**frame.images, **scaled})

    def summary(self, last: Frame) -> str:
        """Say after how many iterations each machine ended, and whether it is certified."""
        late = self.names_at_limit(last)
        return " ".join(
            f"{LOSSES[loss]}: "
            + ("not certified" if loss in late else "certified")
            + f" {after_iterations(runner.steps)}."
            for loss, runner in last.state.items()
        )

    def script(self) -> str:
        """Return a program that fits both and prints their numbers."""
        weights = f"C={self.C!r}, tau={self.tau!r}, tol={self.tol!r}, max_iter={self.max_iter}"
        return f'''\
"""A race of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore import LeastSquaresSMM, SupportMatrixMachine

{self.data.script()}
for kind in (SupportMatrixMachine, LeastSquaresSMM):
    machine = kind({weights})
    machine.fit(X, y)
    accuracies = machine.score(X, y), machine.score(X_test, y_test)
    print(kind.__name__, machine.n_iter_, machine.rank_, machine.objective_, *accuracies)
'''


def bilevel_as_printed(
    problem: SpectralProblem, *, rho: float, start: BilevelState | None = None
) -> Iterator[BilevelState]:
    """Run Algorithm 1 of Xia and Fan with eq. 6 as printed: Lambda - rho (S - W).

    `bilevel` subtracts rho (W - S), so twice that is added to the state before each step.
    """
    state = start
    while True:
        if state is not None:
            state = replace(
                state,
                Lambda=state.Lambda + 2 * rho * (state.W - state.S),
                Lambda_scores=state.Lambda_scores + 2 * rho * (state.W_scores - state.S_scores),
            )
        state = next(bilevel(problem, rho=rho, start=state))
        yield state


class BilevelPosition(NamedTuple):
    """The last iteration of a run, and the iteration at which Xia and Fan would stop it."""

    state: BilevelState
    stop: tuple[int, float] | None  # iteration and relative gap; None: not yet


@dataclass(frozen=True)
class BilevelRun(Experiment):
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

    limit = "max_iter"

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-80, 1e80)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e80)
        check("rho, the penalty of ADMM,", self.rho, 1e-12, 1e12)
        check("the unit of the samples", self.unit, 1e-6, 1e6)
        check("the limit of iterations", self.max_iter, 1, 10_000)
        if self.loss not in LOSSES:
            raise ValueError(f"the loss must be one of {', '.join(LOSSES)}, got {self.loss!r}")

    def states(
        self, problem: SpectralProblem, start: BilevelState | None = None
    ) -> Iterator[BilevelState]:
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
            stops = stop is None and at.largest_difference < STOPPING_DIFFERENCE
            if stops:
                stop = at.k, proof.relative_gap
            metrics: dict[str, float] = {
                "k": at.k,
                "difference": at.largest_difference,
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
            return f"Diverged: ‖S‖ is beyond {DIVERGED_NORM:.0e} {after_iterations(at.k)}."
        rule = "Their rule would not have stopped it"
        if stop:
            first, gap = stop
            rule = (
                f"Their rule would stop {after_iterations(first)}, at a relative gap of {gap:.1e}"
            )
        proved = "certified" if last.certificate.within(self.tol) else "not certified"
        return f"{rule}; {proved} to {self.tol:.0e} {after_iterations(at.k)}."

    def _diverged(self, state: BilevelState) -> bool:
        return bool(np.linalg.norm(state.S) * self.unit > DIVERGED_NORM)


@dataclass(frozen=True)
class CrossValidationRun(Experiment):
    """Both losses cross-validated on two classes, over a grid of powers of two."""

    data: LabelledDataset
    pair: tuple[int, int] = (3, 8)
    every: int = 4  # of the 17 exponents from -8 to 8: a divisor of 16
    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if len(set(self.pair)) < 2 or not set(self.pair) <= set(self.data.classes):
            raise ValueError(
                f"the pair must be two of the classes {', '.join(map(str, self.data.classes))}, "
                f"got {self.pair}"
            )
        if self.every not in (1, 2, 4, 8, 16):
            raise ValueError(f"the step of the exponents must divide 16, got {self.every}")
        check("the number of folds", self.folds, 2, 20)

    @property
    def grid(self) -> tuple[float, ...]:
        """The values of C, and of tau, ascending."""
        return GRID[:: self.every]

    @property
    def weights(self) -> list[tuple[float, float]]:
        """All (C, tau) in their order: C ascending and, at each C, tau descending."""
        return [(C, tau) for C in self.grid for tau in self.grid[::-1]]

    def frames(
        self, prepared: Labelled, state: tuple[GridPoint, ...] | None = None
    ) -> Iterator[Frame]:
        """Yield the pairs of weights, from the strongest regularisation."""
        done, weights = state or (), self.weights
        X, y = two_classes(prepared.X, prepared.classes[prepared.y], *self.pair)
        left = weights[len(done) :]
        for point in cross_validate(X, y, weights=left, folds=self.folds, seed=self.seed):
            done = (*done, point)
            metrics = {"C": point.C, "tau": point.tau}
            for loss, name in LOSSES.items():
                metrics[f"accuracy_{loss}"] = point.accuracy[name].mean()
                metrics[f"seconds_{loss}"] = point.seconds[name]  # at this pair of weights
            yield Frame(done, metrics, certificate=done, done=len(done) == len(weights))

    def summary(self, last: Frame) -> str:
        """Say how many machines were trained."""
        machines = 2 * self.folds * len(last.state)
        return f"{len(last.state)} pairs of weights, {machines:,} machines trained and tested."

    # Not the default script: the samples may be uploaded, and their statements read the file.
    def script(self) -> str:
        """Return a program that makes the same cross-validation and prints the best weights."""
        return f'''\
"""A cross-validation of the support matrix machine lab; it needs the lab's package smmcore."""

from smmcore.experiments.least_squares import (
    GRID,
    MACHINES,
    best_weights,
    cross_validate,
    two_classes,
)

{self.data.script()}
X, y = two_classes(X, y, {self.pair[0]!r}, {self.pair[1]!r})
grid = GRID[::{self.every}]
weights = [(C, tau) for C in grid for tau in grid[::-1]]
done = list(cross_validate(X, y, weights=weights, folds={self.folds}, seed={self.seed}))
for name in MACHINES:
    best = best_weights(done, name)
    seconds = sum(point.seconds[name] for point in done)
    print(name, best.accuracy, best.deviation, best.as_good, seconds)
'''


def loss_panels() -> list[Panel]:
    """Return the panels of a race of the losses: both W on one scale, gap, accuracies, rank."""

    def both(field: str, title: str, scale: Scale, **rest: Any) -> Lines:
        labels = {f"{field}_{loss}": name for loss, name in LOSSES.items()}
        return Lines(series(labels), title, scale, **rest)

    percent = {"format": "percent", "span": ACCURACY_SPAN}
    gap = both("gap", "Relative gap", "log")
    seconds = PerLine("seconds", {f"gap_{loss}": f"seconds_{loss}" for loss in LOSSES})
    numbers = [
        number
        for loss, name in LOSSES.items()
        for number in (
            Number(f"steps_{loss}", f"{name}: iterations", "int"),
            Number(f"rank_{loss}", f"{name}: rank", "int"),
            Number(f"held_{loss}", f"{name}: held-out accuracy", "percent"),
        )
    ]
    return [
        *(Picture(f"W_{loss}", f"W of the {name}, one scale") for loss, name in LOSSES.items()),
        Readout(numbers, columns=3),
        gap,
        replace(gap, title="Relative gap against time", against=seconds),
        both("train", "Training accuracy", "linear", **percent),
        both("held", "Held-out accuracy", "linear", **percent),
    ]


def bilevel_panels() -> list[Panel]:
    """Return the panels of the algorithm of Xia and Fan: their rule beside the gap."""
    text = "their rule stops here,\nat a relative gap of {gap:sci}"
    stop = Mark("flag", "stops", "their stop", text)
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
        Readout(numbers, columns=2),
        Lines(rule, "Their rule: ‖S − W‖∞", "log", marks=[stop]),
        Lines(series({"gap": "gap"}), "Relative gap", "log", marks=[stop]),
        Lines(norms, "Norms of W and S, Frobenius", "log"),
    ]


def cross_validation_panels(run: CrossValidationRun) -> list[Panel]:
    """Return the panels of a cross-validation: a map of each machine, the numbers of a cell."""
    powers = [round(log2(weight)) for weight in run.grid]
    rows, columns = MapSide("log₂ C", powers), MapSide("log₂ τ", powers[::-1])
    maps = [
        Map(
            f"accuracy_{loss}",
            f"{name}, accuracy",
            rows,
            columns,
            label="accuracy",
            format="percent",
            span=ACCURACY_SPAN,
        )
        for loss, name in LOSSES.items()
    ]
    numbers = [
        Number("C", "C", "sci"),
        Number("tau", "τ", "sci"),
        *(
            Number(f"accuracy_{loss}", f"{name}: accuracy", "percent")
            for loss, name in LOSSES.items()
        ),
        *(Number(f"seconds_{loss}", f"{name}: seconds", "sci") for loss, name in LOSSES.items()),
    ]
    return [*maps, Readout(numbers, columns=2)]


def cross_validation_axis(run: CrossValidationRun) -> Axis:
    """Return the axis of a cross-validation: a frame for each pair of weights."""
    return Axis("cell", "cell", count=len(run.weights))
