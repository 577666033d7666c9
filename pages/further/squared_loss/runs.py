"""The experiment of *Hinge loss or squared loss?*: a race of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Frame
from pages.shared.losses import LOSSES, build_problem
from pages.shared.methods import SMM
from pages.shared.player.panels import INK, Lines, Losses, Number, Panel, Scale, Series, matrices
from pages.shared.race import Measurement, Race, Runner, on_one_scale
from smmcore.decision import accuracy
from smmcore.problems import SpectralProblem
from smmcore.solvers import fast_admm

COLOURS = {"hinge": SMM.colour, "squares": INK}
ACCURACY_SPAN = (0.8, 1.0)  # of an axis: a single test sample then makes a small difference


@dataclass(frozen=True)
class LossRace(Race):
    """The support matrix machine with the hinge and with the squared loss, at the same weights."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    tol: float = 1e-6
    max_iter: int = 4_000

    limit = "max_iter"

    def problems(self, prepared: Prepared) -> Mapping[str, SpectralProblem]:
        """Return both problems; the hinge's Gram matrix is computed here, outside the race."""
        hinge = prepared.problem.with_weights(C=self.C, tau=self.tau)
        _ = hinge.gram
        return {"hinge": hinge, "squares": build_problem("squares", hinge, self.C, self.tau)}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of both problems: Algorithm 1 of the SMM paper."""
        return fast_admm(problem, rho="auto", start=start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return rank, accuracies and gap of a classifier, its W and its training margins."""
        proof, y = runner.proof, prepared.problem.y
        metrics = {
            "rank": proof.rank,
            "train": accuracy(proof.decision, y),
            "held": prepared.held_accuracy(proof),
            "gap": proof.relative_gap,
        }
        return Measurement(metrics, {"W": proof.W, "margins": y * proof.decision})

    def frames(self, prepared: Prepared, state: dict[str, Runner] | None = None) -> Iterator[Frame]:
        """Return the rounds, with both W on the scale of the larger one."""
        return map(on_one_scale, super().frames(prepared, state))

    def summary(self, last: Frame) -> str:
        """Say after how many iterations each classifier ended, and whether it is certified."""
        return self.describe_ends(last, LOSSES)


def loss_panels() -> tuple[list[Panel], list[Panel]]:
    """Return the panels of a race: the losses with the samples, and both W; and further curves."""

    def both(field: str, title: str, scale: Scale, **rest: Any) -> Lines:
        curves = [Series(f"{field}_{loss}", name, COLOURS[loss]) for loss, name in LOSSES.items()]
        return Lines(curves, title, scale, **rest)

    percent = {"format": "percent", "span": ACCURACY_SPAN}
    margins = [Series(f"margins_{loss}", name, COLOURS[loss]) for loss, name in LOSSES.items()]
    rank = [Number("rank", "rank", "int")]
    pictures = matrices({loss: f"W, {name}" for loss, name in LOSSES.items()}, rank)
    return [Losses(margins, "Both losses, and the training samples"), *pictures], [
        both("gap", "Relative gap", "log"),
        both("train", "Training accuracy", "linear", **percent),
        both("held", "Held-out accuracy", "linear", **percent),
    ]
