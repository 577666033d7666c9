"""The experiment of *The rank of W*: the solutions along tau, and its panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.planted import Planted
from pages.shared.data.samples import Prepared, check
from pages.shared.data.synthetic import Split
from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.methods import SMM
from pages.shared.numbers import describe_solutions, percent
from pages.shared.player.images import MAX_CURVES
from pages.shared.player.panels import (
    INK,
    Axis,
    Lines,
    Mark,
    Number,
    Panel,
    Picture,
    Series,
    Vectors,
    series,
)
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.path import next_on_path, tau_max
from smmcore.solvers.certified import DefaultState


class PathPosition(NamedTuple):
    """Progress of a path."""

    done: int  # points
    tau_max: float
    state: DefaultState | None  # the solver's state at the last point
    loose: int = 0  # points that missed the tolerance


@dataclass(frozen=True)
class TauPath(Experiment):
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
        at = state or PathPosition(0, tau_max(base, 1e-4), None)
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


def path_panels(experiment: TauPath) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a path: W at a tau, and curves along all of them."""
    sigmas = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"][: min(MAX_CURVES, *experiment.data.shape[1:])]
    entering = {f"s{i}": sigma for i, sigma in enumerate(sigmas, 1)}
    at_tau_max = [Mark("at_max", "τₘₐₓ")]
    W = Picture("W", "W", own=True, numbers=[Number("rank", "rank", "int")])
    bars = Vectors([Series("singular_values", "σ", INK)], "Singular values of W")
    accuracy = Lines(
        [
            Series("held", "held out", SMM.colour),
            Series("train", "training", SMM.colour, dash="dash"),
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


def tau_axis(path: TauPath) -> Axis:
    """Return the axis of a path, a frame for each tau: it asks where W has its first rank.

    The page's own path opens at its answer, the best rank; others play to their end.
    """
    end = path.points - 1
    decade = (path.points - 2) / path.decades  # frames, after the one above tau_max
    ticks = [(float((1 + k * decade) / end), f"{10.0**-k:g}") for k in range(int(path.decades) + 1)]
    opens = best_frame() if path == START else None
    return Axis("τ =", "τ / τₘₐₓ", "tau", count=path.points, ticks=ticks, asks=2, opens=opens)


RANKS, COUNTS, WEIGHTS = (1, 2, 3, 5, 10, 20), (100, 200, 400), (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
TRUTH = Planted(rank=2, n=200)
START = TauPath(TRUTH, C=0.05, points=41)
PRECOMPUTED: dict[str, Experiment] = {"Path of a planted rank 2": START}  # see tests/precompute.py


def best_frame() -> int:
    """Return the frame of the page's own path whose W predicts new samples best."""
    return int(precomputed.metrics(START)["held"].argmax())


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
