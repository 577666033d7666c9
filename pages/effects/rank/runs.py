"""The experiments of the lesson Rank: solutions along tau, and over the plane of C and tau."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.planted import Planted
from pages.shared.data.samples import Array, Prepared, check
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import describe_solutions, percent
from pages.shared.player.images import MAX_CURVES
from pages.shared.player.panels import (
    COLOUR_OF,
    INK,
    Axis,
    Bars,
    Lines,
    Map,
    MapSide,
    Mark,
    Number,
    Panel,
    Picture,
    Readout,
    Series,
    series,
)
from smmcore.decision import accuracy
from smmcore.path import next_on_path
from smmcore.solvers.certified import DefaultState


class PathPosition(NamedTuple):
    """Progress of a path."""

    done: int  # points
    tau_max: float
    state: DefaultState | None  # the solver's state at the last point
    loose: int = 0  # points that missed the tolerance


@dataclass(frozen=True)
class PathRun(Experiment):
    """The solutions of the SMM along tau, from one step above tau_max to some decades below."""

    data: Planted | Split
    C: float = 1.0
    points: int = 61
    decades: float = 3.0
    tol: float = 1e-6

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the number of points", self.points, 3, 500)
        check("the decades of tau", self.decades, 0.1, 8)
        check("the tolerance", self.tol, 1e-12, 1)

    @property
    def shares(self) -> Array:
        """tau of each point in units of tau_max, descending, (points,).

        The 1e-9 makes W = 0 at the second point in spite of rounding.
        """
        steps = np.arange(-1.0, self.points - 1) * (self.decades / (self.points - 2))
        return (1 + 1e-9) * 10.0**-steps

    def frames(self, prepared: Prepared, state: PathPosition | None = None) -> Iterator[Frame]:
        """Yield the points, each with a warm start from the one before."""
        base = prepared.problem.with_weights(C=self.C)
        at = state or PathPosition(0, base.tau_max(1e-4), None)
        shares = self.shares
        for i in range(at.done, len(shares)):
            problem = base.with_weights(tau=float(shares[i] * at.tau_max))
            solved, proof = next_on_path(problem, at.state, self.tol)
            loose = at.loose + (not proof.within(self.tol))
            at = PathPosition(i + 1, at.tau_max, solved, loose)
            sigma = np.zeros(MAX_CURVES)
            some = proof.singular_values[:MAX_CURVES]
            sigma[: len(some)] = some
            metrics = {
                "tau": problem.tau,
                "share": shares[i],  # of tau_max
                "rank": proof.rank,
                "at_max": i == 1,  # whether this is tau_max
                "train": accuracy(proof.decision, problem.y),
                "held": prepared.held_accuracy(proof),
                "gap": proof.relative_gap,
                **{f"s{number}": value for number, value in enumerate(sigma, 1)},
            }
            images = {"W": proof.W, "singular_values": proof.singular_values}
            yield Frame(at, metrics, images, proof, i + 1 == len(shares))

    def summary(self, last: Frame) -> str:
        """Return the number of solutions and tau_max."""
        at: PathPosition = last.state
        return f"{describe_solutions(at.done, at.loose, self.tol)}; τₘₐₓ = {at.tau_max:.4g}."


class PlanePosition(NamedTuple):
    """Progress of a map."""

    done: int  # cells
    tau_max: float  # at C = 1, and proportional to C
    solved: DefaultState | None  # the solver's state at the last cell
    loose: int = 0  # cells that missed the tolerance


@dataclass(frozen=True)
class PlaneRun(Experiment):
    """The solutions of the SMM on a grid of C and tau, each row of it a path."""

    data: Planted | Split
    rows: int = 9  # values of C
    columns: int = 13  # of tau
    tol: float = 1e-4  # enough for the colours of a map

    @property
    def weights(self) -> Array:
        """C of each row in units of 1 / s^2, ascending, (rows,)."""
        return 10.0 ** np.linspace(-1, 3, self.rows)

    @property
    def shares(self) -> Array:
        """tau of each column in units of tau_max at that C, descending, (columns,)."""
        return 10.0 ** -np.linspace(0, 3, self.columns)

    def frames(self, prepared: Prepared, state: PlanePosition | None = None) -> Iterator[Frame]:
        """Yield the cells, C upwards and, for each, tau downwards from tau_max."""
        weights, shares = self.weights, self.shares
        spread, cells = prepared.problem.spread, len(weights) * len(shares)
        at = state or PlanePosition(0, prepared.problem.with_weights(C=1.0).tau_max(1e-3), None)
        for cell in range(at.done, cells):
            row, column = divmod(cell, len(shares))
            C = float(weights[row] / spread**2)
            tau = float(shares[column] * C * at.tau_max)
            problem = prepared.problem.with_weights(C=C, tau=tau)
            solved, proof = next_on_path(problem, at.solved if column else None, self.tol)
            loose = at.loose + (not proof.within(self.tol))
            at = PlanePosition(cell + 1, at.tau_max, solved, loose)
            metrics = {
                "C": weights[row],
                "share": shares[column],
                "rank": proof.rank,
                "train": accuracy(proof.decision, problem.y),
                "held": prepared.held_accuracy(proof),
            }
            yield Frame(at, metrics, {"W": proof.W}, done=cell + 1 == cells)

    def summary(self, last: Frame) -> str:
        """Return the number of solutions."""
        return f"{describe_solutions(last.state.done, last.state.loose, self.tol)}."


def path_panels(experiment: PathRun) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a path: W at a tau, and curves along all of them."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(MAX_CURVES, *experiment.data.shape[1:])]
    entering = {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)}
    at_tau_max = [Mark("flag", "at_max", "τₘₐₓ")]
    W = Picture("W", "W", own=True, bare=True, numbers=[Number("rank", "rank", "int")])
    bars = Bars("singular_values", "Singular values of W")
    accuracy = Lines(
        [
            Series("held", "held out", COLOUR_OF["smm"]),
            Series("train", "training", COLOUR_OF["smm"], dash="dash"),
        ],
        "Accuracy",
        "linear",
        "percent",
        marks=at_tau_max,
        span=(0.45, 1.0),
    )
    rank = Lines(
        [Series("rank", "rank", INK)], "Rank of W", "linear", "int", marks=at_tau_max, step=True
    )
    curves = Lines(series(entering), "Singular values along τ", "linear", marks=at_tau_max)
    return [W, bars, accuracy], [rank, curves]


def tau_axis(points: int) -> Axis:
    """Return the axis of a path: a frame for each tau. It asks where W has its first rank."""
    return Axis("τ =", "τ", "tau", log=True, count=points, asks=2)


def plane_panels(experiment: PlaneRun, cells: NDArray[np.void] | None) -> list[Panel]:
    """Return the panels of a map: rank, held-out accuracy, and W and the numbers of one cell."""
    rows = MapSide("C s²", experiment.weights.tolist())
    columns = MapSide("τ / τₘₐₓ", experiment.shares.tolist())
    most = min(experiment.data.shape[1:])
    known = cells["held"][cells["rank"] > 0] if cells is not None else np.array([0.5, 1.0])
    low, high = float(known.min(initial=1.0)), float(known.max(initial=0.0))
    return [
        Map(
            "rank",
            "Rank of W",
            rows,
            columns,
            label="rank of W",
            format="int",
            span=(0, most),
        ),
        Map(
            "held",
            "Held-out accuracy",
            rows,
            columns,
            label="held-out accuracy",
            format="percent",
            span=(low, high) if low < high else (0.5, 1.0),
        ),
        Picture("W", "W of the chosen cell", own=True, bare=True),
        Readout(
            [
                Number("C", "C s²", "sci"),
                Number("share", "τ / τₘₐₓ", "sci"),
                Number("rank", "rank of W", "int"),
                Number("train", "training accuracy", "percent"),
                Number("held", "held-out accuracy", "percent"),
            ],
        ),
    ]


def plane_axis(experiment: PlaneRun) -> Axis:
    """Return the axis of a map: a frame for each cell."""
    return Axis("cell", "cell", count=experiment.rows * experiment.columns)


RANKS, COUNTS, WEIGHTS = (1, 2, 3, 5, 10, 20), (100, 200, 400), (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
START = PathRun(Planted(rank=2, n=200), C=0.05, points=41)
PRECOMPUTED: dict[str, Experiment] = {"Path of a planted rank 2": START}  # see tests/precompute.py


def describe_path(curves: NDArray[np.void], near: NDArray[np.bool_]) -> str:
    """Describe how rank, training accuracy and held-out accuracy change along a path."""
    ranks, train, held = curves["rank"].astype(int), curves["train"], curves["held"]
    falls, worse = (np.count_nonzero(np.diff(line) < 0) for line in (ranks, train))
    jump = np.diff(np.maximum.accumulate(ranks)).max(initial=0)
    return (
        f"At most {jump} of the singular values appear between two of the {len(curves)} points. As "
        f"τ falls, the rank falls at {falls} of them. The training accuracy goes from "
        f"{percent(train[0])} to {percent(train[-1])} and falls at {worse}. The best held-out "
        f"accuracy is {percent(held.max())}; {np.count_nonzero(near)} points are within one "
        f"standard error of it, of ranks {ranks[near].min()} to {ranks[near].max()}."
    )
