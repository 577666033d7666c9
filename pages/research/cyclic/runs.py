"""The experiment of the note on the cyclic algorithm, and its panels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.experiment import Frame
from pages.shared.methods import LINEAR_SVM
from pages.shared.player.images import normalise
from pages.shared.player.panels import Axis, Lines, Panel, Picture, Scale, Series, series
from pages.shared.race import Measurement, Race, Runner
from pages.shared.words import count_noun
from smmcore.decision import accuracy
from smmcore.rivals.alternating import linear_svm
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.wolf.cyclic import cyclic_svm

STARTS = {"svm": "the linear SVM", "random": "a random start"}
TITLES = {"svm": "SVM start: W", "random": "Random start: W"}
CYCLES = Axis("cycle", "cycle")


@dataclass(frozen=True)
class CyclicRace(Race):
    """The rank-k SVM, one vector at a time: from the linear SVM, and from a random start."""

    data: Relevant
    rank: int = 6
    C: float = 1e4
    tol: float = 1e-4  # possible gain from moving one vector, relative to the objective
    max_iter: int = 100  # cycles

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the same problem for both starts."""
        X, y = prepared.problem.X, prepared.problem.y
        return dict.fromkeys(STARTS, BilinearProblem(X, y, self.C, self.rank, offset=True))

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the state after each cycle."""
        cycle = 2 * self.rank
        if start is not None:
            return islice(cyclic_svm(problem, start), cycle - 1, None, cycle)
        W = linear_svm(problem)
        if name == "random":
            random = np.random.RandomState(self.data.seed).standard_normal(W.shape)
            W = random * (np.linalg.norm(W) / np.linalg.norm(random))
        return islice(cyclic_svm(problem, W), cycle, None, cycle)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return the objective, gap and accuracies from a start, and W."""
        proof = runner.proof
        metrics = {
            "primal": proof.primal,
            "gap": proof.relative_gap,
            "train": accuracy(proof.decision, prepared.problem.y),
            "held": prepared.held_accuracy(proof),
        }
        return Measurement(metrics, {"W": normalise(proof.W)})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Yield the cycles, with the objective of the linear SVM, a bound for any rank."""
        svm = prepared.problem.with_weights(C=self.C, tau=0.0)
        W = linear_svm(self.problems(prepared)["svm"])
        least = svm.primal(W, svm.best_intercept(W))
        for frame in super().frames(prepared, state):
            yield frame._replace(metrics={**frame.metrics, "svm": least})

    def summary(self, last: Frame) -> str:
        """Say how the run from each start ended."""
        late, sentences = self.names_at_limit(last), []
        for name, runner in last.state.items():
            end = "at the limit" if name in late else "stationary"
            cycles = count_noun(runner.steps, "cycle")
            objective = f"objective {runner.proof.primal:.4g}"
            sentences.append(f"From {STARTS[name]}: {end} after {cycles}, {objective}.")
        return " ".join(sentences)


def cyclic_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of both starts: W, objective and test accuracy; and further curves."""

    def both(field: str, title: str, scale: Scale, **rest: Any) -> Lines:
        fields = {f"{field}_{start}": f"from {name}" for start, name in STARTS.items()}
        return Lines(series(fields), title, scale, **rest)

    objective = both("primal", "Objective ½‖W‖² + C Σ hinge", "log")
    svm = Series("svm", "linear SVM, any rank", LINEAR_SVM.colour)
    return [
        *(Picture(f"W_{start}", title) for start, title in TITLES.items()),
        replace(objective, fields=[*objective.fields, svm]),
        both("held", "Test accuracy", "linear", format="percent"),
    ], [
        both("gap", "Largest gain from moving one vector", "log"),
        both("train", "Training accuracy", "linear", format="percent", span=(0.8, 1.0)),
    ]
