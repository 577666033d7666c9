"""The experiment of *Imbalanced classes*: SMMs along the ratio of the weights of both classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.numbers import describe_solutions, grouped
from pages.shared.player.panels import (
    INK,
    Axis,
    Lines,
    Number,
    Panel,
    Picture,
    Series,
)
from smmcore.arrays import Array
from smmcore.path import next_on_path, tau_max
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.solvers.certified import DefaultState

P, Q = 12, 16  # rows and columns of a sample
POSITIVES = 10, 20, 50  # training samples in class +1 to choose from
STRENGTHS = 0.002, 0.02, 0.2  # C to choose from
TESTS = 2_000  # held-out samples of each class


@dataclass(frozen=True)
class Unbalanced(Dataset):
    """Noise in class -1, and noise with a weak spot in class +1, of which there are few samples."""

    positives: int = 10
    negatives: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        check("the number of samples in class -1", self.negatives, 2, 1_000)
        check("the number of samples in class +1", self.positives, 1, self.negatives / 2)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q) of the training part."""
        return self.positives + self.negatives, P, Q

    @property
    def ratio(self) -> float:
        """The number of samples in class -1 for each one in class +1."""
        return self.negatives / self.positives

    def class_weights(self, ratio: float) -> tuple[float, float]:
        """Return w in class +1 and in class -1: `ratio` apart, and n for all samples together."""
        w = self.shape[0] / (ratio * self.positives + self.negatives)
        return ratio * w, w

    def prepare(self) -> Prepared:
        """Make both parts."""
        rng = np.random.default_rng(self.seed)
        spot = np.outer(np.hanning(P), np.hanning(Q))
        spot *= 4 / np.linalg.norm(spot)

        def draw(positives: int, negatives: int) -> Samples:
            y = np.repeat([1.0, -1.0], [positives, negatives])
            X = rng.standard_normal((len(y), P, Q))
            X[:positives] += spot
            return Samples(X, y, spot)

        return Prepared.of(draw(self.positives, self.negatives), draw(TESTS, TESTS))


class RatioPosition(NamedTuple):
    """Progress of a path."""

    done: int = 0  # points
    state: DefaultState | None = None  # the solver's state at the last point
    loose: int = 0  # points that missed the tolerance
    balanced: SMMCertificate | None = None  # the solution with balanced weights, once it is passed


@dataclass(frozen=True)
class RatioPath(Experiment):
    """The SMM at equal weights of both classes, at balanced ones halfway, and as far beyond."""

    data: Unbalanced = Unbalanced()
    C: float = STRENGTHS[0]
    tau: float = 0.5
    points: int = 33  # odd, so that one is balanced
    tol: float = 1e-6

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        check("the number of points", self.points, 3, 201)

    @property
    def balanced(self) -> int:
        """Number of the point that has the weights of class_weight="balanced"."""
        return self.points // 2

    @property
    def ratios(self) -> Array:
        """The weight of a sample in class +1 in units of that in class -1, at each point."""
        return np.asarray(self.data.ratio ** np.linspace(0, 2, self.points))

    def problem(self, base: SMMProblem, ratio: float) -> SMMProblem:
        """Return the problem with a ratio of weights, given one on the same samples."""
        plus, minus = self.data.class_weights(ratio)
        weights = np.where(base.y > 0, plus, minus)
        return SMMProblem(base.X, base.y, self.C, self.tau, sample_weight=weights)

    def solutions(
        self, base: SMMProblem, at: RatioPosition
    ) -> Iterator[tuple[RatioPosition, SMMProblem, SMMCertificate]]:
        """Yield the solutions after a position, each with a warm start from the one before."""
        for ratio in self.ratios[at.done :]:
            problem = self.problem(base, float(ratio))
            state, proof = next_on_path(problem, at.state, self.tol)
            balanced = proof if at.done == self.balanced else at.balanced
            at = RatioPosition(
                at.done + 1, state, at.loose + (not proof.within(self.tol)), balanced
            )
            yield at, problem, proof

    def frames(self, prepared: Prepared, state: RatioPosition | None = None) -> Iterator[Frame]:
        """Yield a frame for each ratio; the certificate is that of the balanced weights."""
        assert prepared.held is not None
        X, y, _ = prepared.held
        share = self.data.positives / self.data.shape[0]
        for at, problem, proof in self.solutions(prepared.problem, state or RatioPosition()):
            right = (np.tensordot(X, proof.W) + proof.b > 0) == (y > 0)
            found, kept = float(right[y > 0].mean()), float(right[y < 0].mean())
            few, C, sigma = problem.y > 0, problem.sample_C, proof.singular_values
            C_plus, C_minus = float(C[few][0]), float(C[~few][0])
            metrics = {
                "ratio": C_plus / C_minus,
                "w_plus": C_plus / self.C,
                "w_minus": C_minus / self.C,
                "C_plus": C_plus,
                "C_minus": C_minus,
                "found": found,  # recall of class +1
                "kept": kept,  # recall of class -1
                # Of samples in the proportion of the training part
                "accuracy": share * found + (1 - share) * kept,
                "balanced": (found + kept) / 2,
                "rank": proof.rank,
                "penalty": float(sigma @ sigma / 2 + self.tau * sigma.sum()),
                "primal": proof.primal,
                "alpha_plus": float(proof.alpha[few].max()),
                "alpha_minus": float(proof.alpha[~few].max()),
                "tau_max": tau_max(problem, 1e-3),
                "gap": proof.relative_gap,
            }
            images = {"W": proof.W, "plus": prepared.problem.X[0]}
            yield Frame(at, metrics, images, at.balanced, at.done == self.points)

    def summary(self, last: Frame) -> str:
        """Return the number of solutions."""
        at: RatioPosition = last.state
        return f"{describe_solutions(at.done, at.loose, self.tol)}."


def move(run: RatioPath, positives: int | None = None, C: float | None = None) -> RatioPath:
    """Return the run where the hand has moved."""
    data = replace(run.data, positives=positives or run.data.positives)
    return replace(run, data=data, C=C or run.C)


EXPERIMENTS = {
    (positives, C): RatioPath(Unbalanced(positives), C)
    for positives in POSITIVES
    for C in STRENGTHS
}
ASKS = 12  # of the points of the run of the question, the first that finds more than half
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    f"Imbalance with {positives} positives at C {C:g}": experiment
    for (positives, C), experiment in EXPERIMENTS.items()
}


def ratio_axis(experiment: RatioPath) -> Axis:
    """Return the axis of a path: it asks at the first good W, and opens at the answer."""
    first, last = experiment.ratios[[0, -1]]
    return Axis(
        "times that one in class +1 counts:",
        "times",
        "ratio",
        count=experiment.points,
        ticks=[
            (0.0, grouped(first)),
            (0.5, f"{grouped(experiment.data.ratio)}, balanced"),
            (1.0, grouped(last)),
        ],
        opens=experiment.balanced,
        asks=ASKS,
    )


def stage_panels(experiment: RatioPath) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a path: a sample, W and the recalls; and further ones."""
    recall = [
        Series("found", "class +1", INK),
        Series("kept", "class −1", INK, dash="dash"),
        Series("accuracy", "accuracy", INK, dash="dot"),
    ]
    bounds = [
        Series("C_plus", "C₊", 5),
        Series("alpha_plus", "α, class +1", INK),
        Series("C_minus", "C₋", 4),
        Series("alpha_minus", "α, class −1", INK, dash="dash"),
    ]
    return [
        Picture("plus", "X in class +1"),
        Picture("W", "W", numbers=[Number("found", "class +1 found", "percent")]),
        Lines(
            recall,
            "Recall: share of a class found",
            "linear",
            "percent",
            span=(0.0, 1.0),
        ),
    ], [
        Lines(bounds, "Largest α of a class, and its bound", "log", "sci"),
    ]
