"""The experiments of the low-rank SVM: iterative weighting beside AROM, the cyclic algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from pages.shared.data.samples import Array, Prepared, accuracy, check
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.dataset_cache import get_prepared
from pages.shared.player.images import MAX_CURVES, normalise
from pages.shared.player.panels import lines, readout
from pages.shared.race import Measurement, Race, Runner
from smmcore.experiments.experiment import Frame
from smmcore.iterate import last, until
from smmcore.problems import BilinearProblem, WeightingProblem
from smmcore.solvers import cyclic_svm, iterative_weighting
from smmcore.solvers.alternating import linear_svm
from smmcore.solvers.weighting import WeightingState, elementwise, spectral

METHODS = {"lowrank": "LowRank", "arom": "AROM"}
WEIGHINGS = {"lowrank": spectral, "arom": elementwise}
STARTS = {"svm": "the linear SVM", "random": "a random start"}
KEPT_SHARE = 0.01  # of the largest weight: smaller ones are on their way to 0
TURNED_SIZE = 50  # rows and columns of A X Bᵀ


@dataclass(frozen=True)
class WeightingRun(Race):
    """Iterative weighting of rank-one features, and of single ones, on the same samples."""

    data: Relevant
    C: float = 1e4  # a hard margin
    tol: float = 1e-6  # change of W in a pass, relative to its norm
    max_iter: int = 200

    limit = "max_iter"

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of passes", self.max_iter, 1, 10_000)

    def problem(self, prepared: Prepared) -> WeightingProblem:
        """Return the problem of both methods."""
        return WeightingProblem(prepared.problem.X, prepared.problem.y, self.C)

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for both methods."""
        return dict.fromkeys(METHODS, self.problem(prepared))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the passes of a method."""
        return iterative_weighting(problem, WEIGHINGS[name], start=start)

    def has_converged(self, runner: Runner) -> bool:
        """Return whether W stays."""
        return runner.state.change <= self.tol

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return kept weights, accuracies, change and the SVM's objective of a method, and W."""
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
        """Yield the passes, with the true W, that of the linear SVM, and LowRank's spectra."""
        problem, truth = self.problem(prepared), prepared.coef
        svm = problem.solve_svm(problem.samples, np.zeros(len(problem.y)))
        still = {"truth": normalise(truth), "W_svm": normalise(svm.W.reshape(truth.shape))}
        for frame in super().frames(prepared, state):
            low_rank = frame.state["lowrank"]
            diagonal = low_rank.state.diagonal
            spectra = {"diagonal": diagonal, "singular_values": low_rank.proof.singular_values}
            curves = {f"d{i}": value for i, value in enumerate(diagonal[:MAX_CURVES], 1)}
            yield frame._replace(
                metrics=frame.metrics | curves, images=still | frame.images | spectra
            )

    def summary(self, last: Frame) -> str:
        """Say after how many passes W stays, and what each method keeps."""
        late, units = self.names_at_limit(last), {"lowrank": "direction", "arom": "feature"}
        sentences = []
        for name, runner in last.state.items():
            kept, moves = count_kept(runner.state), "still changes" if name in late else "stays"
            unit = units[name] if kept == 1 else f"{units[name]}s"
            result = f"{kept} {unit} kept" if runner.state.W.any() else "it is 0"
            sentences.append(f"{METHODS[name]}: W {moves} after {runner.steps} passes, {result}.")
        return " ".join(sentences)

    def script(self) -> str:
        """Return a program that prints change and test accuracy of each pass."""
        return f'''\
"""Iterative weighting in the support matrix machine lab; it needs the lab's package smmcore."""

from itertools import islice

import numpy as np

from smmcore.problems import WeightingProblem
from smmcore.solvers import iterative_weighting
from smmcore.solvers.weighting import elementwise, spectral

{self.data.script()}
problem = WeightingProblem(X, y, C={self.C!r})
for name, weigh in (("LowRank", spectral), ("AROM", elementwise)):
    for state in islice(iterative_weighting(problem, weigh), {self.max_iter}):
        right = (np.tensordot(X_test, state.W) + state.b > 0) == (y_test > 0)
        print(name, state.k, state.change, right.mean())
        if state.change <= {self.tol!r}:
            break
    print(name, "keeps", np.count_nonzero(state.D > 0.01 * state.D.max()))
'''


def count_kept(state: WeightingState) -> int:
    """Return how many weights count: of directions or, with AROM, of features."""
    return int(np.count_nonzero(KEPT_SHARE * state.D.max() < state.D))


@dataclass(frozen=True)
class CyclicRun(Race):
    """The rank-k SVM, one vector at a time: from the linear SVM, and from a random start."""

    data: Relevant
    rank: int = 6
    C: float = 1e4
    tol: float = 1e-4  # what moving one vector could still gain, relative to the objective
    max_iter: int = 100  # cycles

    limit = "max_iter"

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("k, the rank,", self.rank, 1, min(self.data.shape[1:]), "min(p, q)")
        check("the tolerance", self.tol, 1e-12, 1)
        check("the limit of cycles", self.max_iter, 1, 10_000)

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for both starts."""
        X, y = prepared.problem.X, prepared.problem.y
        return dict.fromkeys(STARTS, BilinearProblem(X, y, self.C, self.rank, offset=True))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the state after each cycle."""
        cycle = 2 * self.rank
        if start is not None:
            return islice(cyclic_svm(problem, start=start), cycle - 1, None, cycle)
        W = linear_svm(problem)
        if name == "random":
            random = np.random.RandomState(self.data.seed).standard_normal(W.shape)
            W = random * (np.linalg.norm(W) / np.linalg.norm(random))
        return islice(cyclic_svm(problem, start=W), cycle, None, cycle)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return objective, gap and both accuracies from a start, and W."""
        proof = runner.proof
        metrics = {
            "primal": proof.primal,
            "gap": proof.relative_gap,
            "train": accuracy(proof.decision, prepared.problem.y),
            "held": prepared.held_accuracy(proof),
        }
        return Measurement(metrics, {"W": normalise(proof.W)})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the cycles, with the objective of the linear SVM: no rank has a lower one."""
        svm = prepared.problem.with_weights(C=self.C, tau=0.0)
        W = linear_svm(self.problems(prepared)["svm"])
        least = svm.primal(W, svm.best_intercept(W))
        for frame in super().frames(prepared, state):
            yield frame._replace(metrics=frame.metrics | {"svm": least})

    def summary(self, last: Frame) -> str:
        """Say where each start has led to."""
        late, sentences = self.names_at_limit(last), []
        for name, runner in last.state.items():
            end = "at the limit" if name in late else "stationary"
            cycles = f"{runner.steps} cycle{'s' if runner.steps > 1 else ''}"
            objective = f"objective {runner.proof.primal:.4g}"
            sentences.append(f"From {STARTS[name]}: {end} after {cycles}, {objective}.")
        return " ".join(sentences)


PASSES = {"name": "pass", "label": "pass"}
CYCLES = {"name": "cycle", "label": "cycle"}


def weighting_panels() -> list[dict[str, Any]]:
    """Return the panels of iterative weighting: each W, D, what is kept, accuracies."""

    def both(field: str, title: str, scale: str, **rest: object) -> dict[str, Any]:
        fields = {f"{field}_{method}": name for method, name in METHODS.items()}
        return lines(fields, title, scale, **rest)

    kept = {"lowrank": "directions kept", "arom": "features kept"}
    numbers = [
        (f"{field}_{method}", f"{name}: {label}", form)
        for method, name in METHODS.items()
        for field, label, form in (
            ("kept", kept[method], "int"),
            ("train", "training accuracy", "percent"),
            ("held", "test accuracy", "percent"),
        )
    ]
    accuracies = {
        f"{field}_{method}": f"{name}, {part}"
        for field, part in (("held", "test"), ("train", "training"))
        for method, name in METHODS.items()
    }
    diagonal = {f"d{i}": f"d{i}" for i in range(1, MAX_CURVES + 1)}
    return [
        *(  # first, so that a projector shows them together
            {"kind": "picture", "field": f"W_{method}", "title": f"W of {name}"}
            for method, name in METHODS.items()
        ),
        {"kind": "picture", "field": "truth", "title": "Where W should live"},
        {"kind": "picture", "field": "W_svm", "title": "W of the linear SVM"},
        readout(numbers) | {"columns": 3},
        {"kind": "bars", "field": "diagonal", "title": "LowRank: diagonal of D, in this pass"},
        {"kind": "bars", "field": "singular_values", "title": "LowRank: singular values of W"},
        lines(diagonal, "LowRank: diagonal of D along the passes", "linear", span=[0, 1]),
        both("kept", "Directions and features that count", "log", format="int"),
        both("change", "Change of W in a pass", "log"),
        lines(accuracies, "Accuracy", "linear", format="percent"),
    ]


def cyclic_panels() -> list[dict[str, Any]]:
    """Return the panels of the cyclic algorithm: W, objective and accuracy from both starts."""

    def both(field: str, title: str, scale: str, **rest: object) -> dict[str, Any]:
        fields = {f"{field}_{start}": f"from {name}" for start, name in STARTS.items()}
        return lines(fields, title, scale, **rest)

    objective = both("primal", "Objective ½‖W‖² + C Σ hinge", "log")
    objective["fields"].append({"name": "svm", "label": "linear SVM, any rank"})
    return [
        *(
            {"kind": "picture", "field": f"W_{start}", "title": f"W from {name}"}
            for start, name in STARTS.items()
        ),
        objective,
        both("gap", "What one vector could still gain", "log"),
        both("held", "Test accuracy", "linear", format="percent"),
        both("train", "Training accuracy", "linear", format="percent", span=(0.8, 1.0)),
    ]


class Turned(NamedTuple):
    """What a method learns from X, and from A X Bᵀ with A and B of orthonormal columns."""

    method: str
    apart: float  # ||W_2 - A W Bᵀ||_F over the larger norm of the two; W_2 from A X Bᵀ
    scores: float  # the largest difference of a test sample's scores, over the largest score
    held: tuple[float, float]  # accuracy on the test samples, of X and of A X Bᵀ
    singular_values: Array  # (TURNED_SIZE,), of W_2
    kept: int  # weights that count in the last pass


def learn_turned(run: WeightingRun) -> list[Turned]:
    """Learn from a run's X, 10 x 10, and from A X Bᵀ: the linear SVM, LowRank and AROM."""
    data = get_prepared(run.data)
    rng = np.random.default_rng([run.data.seed, 1])  # the data have the seed itself
    A, B = (np.linalg.qr(rng.standard_normal((TURNED_SIZE, 10)))[0] for _ in range(2))
    X, y, _ = data.held
    tests = X, A @ X @ B.T
    samples = data.problem.X, A @ data.problem.X @ B.T
    problems = [WeightingProblem(X, data.problem.y, run.C) for X in samples]
    results = []
    for method, weigh, passes in (
        ("linear SVM", spectral, 1),  # the first pass
        ("LowRank", spectral, run.max_iter),
        ("AROM", elementwise, run.max_iter),
    ):
        one, two = (
            last(until(iterative_weighting(p, weigh), lambda s: s.change <= run.tol, passes))
            for p in problems
        )
        expected = A @ one.W @ B.T
        size = max(np.linalg.norm(expected), np.linalg.norm(two.W)) or 1.0
        scores = [np.tensordot(X, s.W) + s.b for X, s in zip(tests, (one, two), strict=True)]
        results.append(
            Turned(
                method,
                float(np.linalg.norm(two.W - expected) / size),
                float(np.abs(scores[1] - scores[0]).max() / np.abs(scores).max()),
                tuple(accuracy(score, y) for score in scores),
                np.linalg.svd(two.W, compute_uv=False),
                count_kept(two),
            )
        )
    return results
