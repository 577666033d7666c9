"""The experiment of *The rank of W*: the solutions along tau, at several numbers of samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.painted import (
    DIAGONAL,
    PAINTINGS,
    PLAID,
    SMILEY,
    Painted,
    decode,
    encode,
    exact_accuracy,
    unit,
)
from pages.shared.data.samples import Prepared, check
from pages.shared.engine import precomputed
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.numbers import describe_solutions
from smmcore.arrays import Array
from smmcore.path import next_on_path
from smmcore.problems import SMMProblem
from smmcore.solvers.certified import DefaultState

LOSS = 40.0  # n C: the price of the mean loss, the same for every n
COUNTS = 50, 100, 200, 400, 800
FEWER, OPENS = 200, 400  # samples: where one guesses the best line, and before it
ORDER = OPENS, 200, 100, 800, 50  # in which they are computed
TAUS = tuple(float(f"{50 * 10 ** (-3 * k / 40):.3g}") for k in range(41))  # from W = 0 downwards
LOW = TAUS[22]  # where the picture opens: all training samples are right
TOLERANCE = 1e-6  # relative gap


class PathPosition(NamedTuple):
    """Progress of a run."""

    done: int  # solutions
    solved: DefaultState | None  # the solver's state at the last one
    loose: int = 0  # solutions that missed the tolerance


@dataclass(frozen=True)
class RankPaths(Experiment):
    """The solutions of the SMM along tau for a hidden W*, one path for each number of samples."""

    data: Painted
    counts: tuple[int, ...] = ORDER
    taus: tuple[float, ...] = TAUS

    def __post_init__(self) -> None:
        for n in self.counts:
            check("a number of samples", n, 10, self.data.n)

    def frames(self, prepared: Prepared, state: PathPosition | None = None) -> Iterator[Frame]:
        """Yield the solutions, each with a warm start from that at the tau above."""
        at = state or PathPosition(0, None)
        truth = unit(decode(self.data.painting))
        points = len(self.taus)
        for place in range(at.done // points, len(self.counts)):
            n = self.counts[place]
            X, y = prepared.problem.X[:n], prepared.problem.y[:n]
            base = SMMProblem(X, y, C=LOSS / n, tau=0.0)
            for k in range(at.done - place * points, points):
                problem = base.with_weights(tau=self.taus[k])
                start = at.solved if k else None
                solved, proof = next_on_path(problem, start, TOLERANCE)
                loose = at.loose + (not proof.within(TOLERANCE))
                at = PathPosition(at.done + 1, solved, loose)
                omega = np.linalg.svd(problem.omega(proof.alpha), compute_uv=False)
                metrics = {
                    "n": n,
                    "tau": problem.tau,
                    "rank": proof.rank,
                    "train": _share_right(proof.W, X, y),
                    "new": exact_accuracy(float(np.vdot(unit(proof.W), truth))),
                    "gap": proof.relative_gap,
                }
                images = {"W": proof.W, "omega": np.asarray(omega, float)}
                yield Frame(at, metrics, images, proof, at.done == len(self.counts) * points)

    def summary(self, last: Frame) -> str:
        """Return the number of solutions."""
        at: PathPosition = last.state
        return f"{describe_solutions(at.done, at.loose, TOLERANCE)}."


@dataclass(frozen=True)
class BestLines(Experiment):
    """The best line of each path in several draws of the samples."""

    data: Painted
    counts: tuple[int, ...] = (FEWER, OPENS)
    draws: int = 20

    def frames(self, prepared: Prepared, state: int | None = None) -> Iterator[Frame]:
        """Yield a frame for each draw and number of samples."""
        last = self.draws * len(self.counts)
        for done in range(state or 0, last):
            draw, place = divmod(done, len(self.counts))
            path = RankPaths(replace(self.data, seed=draw), self.counts[place : place + 1])
            best = max((frame.metrics for frame in path.run()), key=lambda each: each["new"])
            yield Frame(done + 1, best, done=done + 1 == last)

    def summary(self, last: Frame) -> str:
        """Return the number of draws."""
        return f"{self.draws} draws."


def _share_right(W: Array, X: Array, y: Array) -> float:
    """Return the share of samples that W gets right, without b, as the labels have no offset."""
    return float(np.mean(y * np.tensordot(X, W) > 0)) if W.any() else 0.5


TRUTHS = {  # W* to choose from
    PLAID: PAINTINGS[PLAID],
    "Rank 2": PAINTINGS["Rank 2"],
    SMILEY: PAINTINGS[SMILEY],
    "Full rank": PAINTINGS[DIAGONAL],
}
TRUTH = PLAID
BUILT_IN = {name: RankPaths(Painted(encode(W))) for name, W in TRUTHS.items()}
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    f"Ranks of {name}": experiment for name, experiment in BUILT_IN.items()
} | {"Ranks in 20 draws": BestLines(BUILT_IN[TRUTH].data)}


def best_lines(n: int) -> NDArray[np.void]:
    """Return the best line of each draw of n samples, for the W* that the page opens with."""
    metrics = precomputed.metrics(BestLines(BUILT_IN[TRUTH].data))
    lines: NDArray[np.void] = metrics[metrics["n"] == n]
    return lines


def path_of(n: int) -> NDArray[np.void]:
    """Return the metrics of the path that the page opens with, at n samples."""
    metrics = precomputed.metrics(BUILT_IN[TRUTH])
    path: NDArray[np.void] = metrics[metrics["n"] == n]
    return path
