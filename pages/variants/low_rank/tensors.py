"""The low-rank SVM on the same samples as tensors, as matrices and as vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Array, Samples, check
from pages.shared.engine.experiment import Dataset, Frame, Scaled
from pages.shared.numbers import percent
from pages.shared.player.images import normalise
from pages.shared.player.panels import Lines, Number, Panel, Picture, Series
from pages.shared.race import Measurement, Runner
from pages.variants.low_rank.runs import PassesRun
from pages.variants.low_rank.tensor_data import make_rank_one_tensors
from smmcore.decision import accuracy
from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.reweighting import WeightingState

SHAPE = P, Q, T = 8, 8, 4
CLASSIFIERS = {
    "tensor": f"LowRank, {P} × {Q} × {T}",
    "matrix": f"LowRank, {P} × {Q * T}",
    "svm": "linear SVM",
}


class PreparedTensors(NamedTuple):
    """The training part and the test part."""

    train: Samples
    test: Samples


@dataclass(frozen=True)
class RankOneTensors(Dataset):
    """Normal tensors of p x q x t entries; the label is the sign of <W, X>, W of rank 1."""

    train: int = 150
    seed: int = 0

    tests = 1_000

    def __post_init__(self) -> None:
        check("the number of samples to train on", self.train, 20, 1_000)
        check("the seed", self.seed, 0, 2**32 - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q t) of both parts: q and t as one index."""
        return self.train + self.tests, P, Q * T

    def prepare(self) -> PreparedTensors:
        """Make both parts."""
        X, y, W = make_rank_one_tensors(self.train + self.tests, SHAPE, self.seed)
        head, tail = slice(self.train), slice(self.train, None)
        return PreparedTensors(Samples(X[head], y[head], W), Samples(X[tail], y[tail], W))

    def parts(self) -> tuple[Samples, Samples]:
        """Return the training part and the test part, X of shape (n, p, q, t)."""
        return self.prepare()


@dataclass(frozen=True)
class TensorRun(PassesRun):
    """Iterative weighting of tensors, and of the same numbers as matrices, q and t as one index."""

    data: RankOneTensors
    C: float = 1.0

    def problems(self, prepared: PreparedTensors) -> Mapping[str, Any]:
        """Return the problem with each arrangement of the same numbers."""
        X, y, _ = prepared.train
        arrangements = {"tensor": X, "matrix": X.reshape(len(X), P, -1)}
        return {name: WeightingProblem(Z, y, self.C) for name, Z in arrangements.items()}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the passes with an arrangement."""
        return iterative_weighting(problem, start=start)

    def measure(self, runner: Runner, prepared: PreparedTensors) -> Measurement:
        """Return the test accuracy of an arrangement, and its W."""
        state = runner.state
        return Measurement({"held": held_accuracy(state, prepared)}, {"W": slices(state.W)})

    def frames(
        self, prepared: PreparedTensors, state: dict[str, Runner] | None = None
    ) -> Iterator[Frame]:
        """Yield the passes, with the true W and that of the linear SVM, which is the first pass."""
        first = next(self.states("tensor", self.problems(prepared)["tensor"], None))
        metrics = {"held_svm": held_accuracy(first, prepared)}
        assert prepared.train.coef is not None  # the labels are made from it
        images = {"W_svm": slices(first.W), "truth": slices(prepared.train.coef)}
        for frame in super().frames(prepared, state):
            yield frame._replace(
                metrics={**frame.metrics, **metrics}, images={**frame.images, **images}
            )

    def summary(self, last: Frame) -> str:
        """Say after how many passes each W stops changing."""
        late = self.names_at_limit(last)
        return " ".join(
            f"{CLASSIFIERS[name]}: W {'still changes' if name in late else 'stays'} "
            f"after {runner.steps} passes."
            for name, runner in last.state.items()
        )


def held_accuracy(state: WeightingState, prepared: PreparedTensors) -> float:
    """Return the accuracy of a pass on the test part, whatever the arrangement of its W."""
    X, y, _ = prepared.test
    return accuracy(X.reshape(len(y), -1) @ state.W.ravel() + state.b, y)


def slices(W: Array) -> Scaled:
    """Arrange the t slices of W in rows of about √t, an empty line between two of them."""
    W = normalise(W.reshape(SHAPE))
    columns = ceil(sqrt(T))
    cells = np.full((ceil(T / columns) * (P + 1) - 1, columns * (Q + 1) - 1), np.nan)
    for k in range(T):
        row, column = divmod(k, columns)
        cells[row * (P + 1) :, column * (Q + 1) :][:P, :Q] = W[:, :, k]
    return Scaled(cells, 1.0)


def tensor_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the slices of each W with its accuracy, and the accuracies along the passes."""
    pictures: list[Panel] = [
        Picture(f"W_{name}", title, bare=True, numbers=[Number(f"held_{name}", "test", "percent")])
        for name, title in CLASSIFIERS.items()
    ]
    lines = [Series(f"held_{name}", title) for name, title in CLASSIFIERS.items()]
    return [*pictures, Picture("truth", "The true W", bare=True)], [
        Lines(lines, "Test accuracy", "linear", format="percent", span=(0.5, 1.0))
    ]


def describe_accuracies(curves: NDArray[np.void], data: RankOneTensors) -> str:
    """Compare the arrangements on the test part."""
    tensor, matrix, svm = (percent(curves[f"held_{name}"][-1]) for name in CLASSIFIERS)
    return (
        f"Trained on the same {data.train} samples, LowRank classifies **{tensor}** of "
        f"{data.tests:,} test samples correctly if they are {P} × {Q} × {T} tensors, and {matrix} "
        f"if they are {P} × {Q * T} matrices. The linear SVM, for which they are vectors, "
        f"classifies {svm} correctly."
    )
