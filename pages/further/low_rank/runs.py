"""The experiments of the low-rank SVM, their panels, and their results in words and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.experiment import Frame
from pages.shared.engine.worker import get_prepared
from pages.shared.methods import LINEAR_SVM
from pages.shared.numbers import percent, scientific
from pages.shared.player.images import MAX_CURVES, normalise
from pages.shared.player.panels import (
    INK,
    Axis,
    Lines,
    Number,
    Panel,
    Picture,
    Scale,
    Series,
    Vectors,
    series,
)
from pages.shared.race import Measurement, Race, Runner
from pages.shared.words import count_noun
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.iterate import last, until
from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.reweighting import WeightingState, elementwise_weighting, spectral_weighting

WEIGHTINGS = {"lowrank": "LowRank", "arom": "AROM"}
WEIGHINGS = {"lowrank": spectral_weighting, "arom": elementwise_weighting}
KEPT_SHARE = 0.01  # of the largest weight: smaller weights tend to 0
EMBEDDED_SIZE = 50  # rows and columns of A X Bᵀ


@dataclass(frozen=True)
class WeightingRace(Race):
    """Iterative weighting of rank-one features, and of single features, on the same samples.

    Each runner stops when its W no longer changes.
    """

    data: Relevant
    C: float = 1e4  # a hard margin
    tol: float = 1e-6  # change of W in a pass, relative to its norm
    max_iter: int = 200

    limit = "max_iter"

    def has_converged(self, runner: Runner) -> bool:
        """Return whether W has stopped changing."""
        return bool(runner.state.change <= self.tol)

    def problem(self, prepared: Prepared) -> WeightingProblem:
        """Return the problem of both methods."""
        return WeightingProblem(prepared.problem.X, prepared.problem.y, self.C)

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for both methods."""
        return dict.fromkeys(WEIGHTINGS, self.problem(prepared))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the passes of a method."""
        return iterative_weighting(problem, WEIGHINGS[name], start=start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return the metrics of a method: weights kept, accuracies, change, objective; and W."""
        state, proof = runner.state, runner.proof
        metrics = {
            "kept": count_kept(state),
            "train": accuracy(proof.decision, prepared.problem.y),
            "held": prepared.held_accuracy(proof),
            "change": state.change,
            "objective": prepared.problem.with_weights(C=self.C, tau=0.0).primal(state.W, state.b),
        }
        return Measurement(metrics, {"W": normalise(state.W)})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the passes, with the true W, the W of the linear SVM, and LowRank's spectra."""
        problem, truth = self.problem(prepared), prepared.coef
        assert truth is not None  # `Relevant` data have a true W
        svm = next(self.states("lowrank", problem, None))  # the first pass of either method
        fixed = {"truth": normalise(truth), "W_svm": normalise(svm.W)}
        assert prepared.held is not None
        X, y, _ = prepared.held
        baseline = accuracy(X.reshape(len(y), -1) @ svm.W.ravel() + svm.b, y)
        for frame in super().frames(prepared, state):
            low_rank = frame.state["lowrank"]
            diagonal = low_rank.state.diagonal
            spectra = {"diagonal": diagonal, "singular_values": low_rank.proof.singular_values}
            curves = {f"d{i}": value for i, value in enumerate(diagonal[:MAX_CURVES], 1)}
            yield frame._replace(
                metrics={**frame.metrics, **curves, "held_svm": baseline},
                images={**fixed, **frame.images, **spectra},
            )

    def summary(self, last: Frame) -> str:
        """Say after how many passes W stops changing, and what each method keeps."""
        late, units = self.names_at_limit(last), {"lowrank": "direction", "arom": "feature"}
        sentences = []
        for name, runner in last.state.items():
            kept, moves = count_kept(runner.state), "still changes" if name in late else "stays"
            result = f"{count_noun(kept, units[name])} kept" if runner.state.W.any() else "it is 0"
            sentences.append(
                f"{WEIGHTINGS[name]}: W {moves} after {runner.steps} passes, {result}."
            )
        return " ".join(sentences)


def count_kept(state: WeightingState) -> int:
    """Return the number of weights that count: of directions or, with AROM, of features."""
    return int(np.count_nonzero(KEPT_SHARE * state.D.max() < state.D))


PASSES = Axis("pass", "pass")


def weighting_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of iterative weighting: each W with its numbers; and its curves."""

    def both(field: str, title: str, scale: Scale, **rest: Any) -> Lines:
        dashes: dict[str, Literal["dash"] | None] = {"lowrank": None, "arom": "dash"}
        fields = [
            Series(f"{field}_{method}", name, INK, dash=dashes[method])
            for method, name in WEIGHTINGS.items()
        ]
        return Lines(fields, title, scale, **rest)

    def numbers(method: str) -> list[Number]:
        return [
            Number(f"kept_{method}", "keeps", "int"),
            Number(f"held_{method}", "", "percent"),
        ]

    pictures = [
        Picture(f"W_{method}", name, numbers=numbers(method)) for method, name in WEIGHTINGS.items()
    ]
    accuracy = Lines(
        [
            Series("held_lowrank", "LowRank", INK),
            Series("held_arom", "AROM", INK, dash="dash"),
            Series("held_svm", LINEAR_SVM.label, LINEAR_SVM.colour),
        ],
        "Test accuracy",
        "linear",
        "percent",
        span=(0.8, 1.0),
    )
    diagonal = {f"d{i}": f"d{i}" for i in range(1, MAX_CURVES + 1)}
    curves = [
        Vectors([Series("diagonal", "D", INK)], "LowRank: diagonal of D, in this pass"),
        Vectors([Series("singular_values", "σ", INK)], "LowRank: singular values of W"),
        Lines(series(diagonal), "LowRank: diagonal of D along the passes", "linear", span=(0, 1)),
        both("kept", "Directions and features that count", "log", format="int"),
        both("change", "Change of W in a pass", "log"),
        both("train", "Training accuracy", "linear", format="percent"),
    ]
    best = Picture("truth", "The best direction")
    return [*pictures, accuracy], [best, Picture("W_svm", "linear SVM"), *curves]


class InvarianceCheck(NamedTuple):
    """A method on X and on A X Bᵀ, where A and B have orthonormal columns."""

    method: str
    distance: float  # ||W_2 - A W Bᵀ||_F over the larger norm of the two; W_2 from A X Bᵀ
    score_difference: float  # the largest one of a test sample's scores, over the largest score
    accuracies: tuple[float, float]  # on the test samples, with X and with A X Bᵀ
    singular_values: Array  # (EMBEDDED_SIZE,), of W_2
    kept: int  # number of weights that count in the last pass


def check_invariance(experiment: WeightingRace) -> list[InvarianceCheck]:
    """Train the linear SVM, LowRank and AROM on a run's X, 10 x 10, and on A X Bᵀ."""
    data = get_prepared(experiment.data)
    rng = np.random.default_rng([experiment.data.seed, 1])  # the data have the seed itself
    A, B = (np.linalg.qr(rng.standard_normal((EMBEDDED_SIZE, 10)))[0] for _ in range(2))
    X, y, _ = data.held
    tests = X, A @ X @ B.T
    samples = data.problem.X, A @ data.problem.X @ B.T
    problems = [WeightingProblem(X, data.problem.y, experiment.C) for X in samples]
    results = []
    for method, weigh, passes in (
        ("linear SVM", spectral_weighting, 1),  # the first pass
        ("LowRank", spectral_weighting, experiment.max_iter),
        ("AROM", elementwise_weighting, experiment.max_iter),
    ):
        plain, embedded = (
            last(until(iterative_weighting(p, weigh), lambda s: s.change <= experiment.tol, passes))
            for p in problems
        )
        expected = A @ plain.W @ B.T
        size = max(np.linalg.norm(expected), np.linalg.norm(embedded.W)) or 1.0
        states = plain, embedded
        scores = [np.tensordot(X, s.W) + s.b for X, s in zip(tests, states, strict=True)]
        results.append(
            InvarianceCheck(
                method,
                float(np.linalg.norm(embedded.W - expected) / size),
                float(np.abs(scores[1] - scores[0]).max() / np.abs(scores).max()),
                (accuracy(scores[0], y), accuracy(scores[1], y)),
                np.asarray(np.linalg.svd(embedded.W, compute_uv=False), float),
                count_kept(embedded),
            )
        )
    return results


def zero_methods(curves: NDArray[np.void]) -> list[str]:
    """Return the methods whose W has become 0."""
    return [name for method, name in WEIGHTINGS.items() if curves[f"kept_{method}"][-1] == 0]


def describe_rank(kept: int, values: NDArray[np.float32]) -> str:
    """Compare the rank of Wₖ with the singular values of W in the coordinates of the samples."""
    if not 0 < kept < len(values):
        return ""
    next_value = values[kept] / values[0]
    return (
        f"{kept} direction{'s of Wₖ count' if kept > 1 else ' of Wₖ counts'}. Of W, in the "
        f"coordinates of the samples, the next singular value is {next_value:.2g} of the largest, "
        "and not 0."
    )


def invariance_rows(results: Iterable[InvarianceCheck]) -> list[dict[str, str]]:
    """Return a row for each method: its differences between X and A X Bᵀ."""
    return [
        {
            "method": result.method if result.kept else f"{result.method} (W₂ = 0)",
            "‖W₂ − A W Bᵀ‖ / ‖W‖": scientific(result.distance, 1),
            "difference of scores": scientific(result.score_difference, 1),
            "test accuracy, X": percent(result.accuracies[0]),
            "test accuracy, A X Bᵀ": percent(result.accuracies[1]),
        }
        for result in results
    ]
