"""The experiment of *Hinge loss or squared loss?*: a race of both, and a sample that is moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from pages.shared.algorithm1 import QUICK
from pages.shared.data.samples import Prepared
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Frame
from pages.shared.losses import LOSSES
from pages.shared.methods import SMM
from pages.shared.player.panels import INK, Losses, Number, Panel, Series, matrices
from pages.shared.race import Measurement, Race, Runner, on_one_scale
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.problems import Certificate, SMMProblem, SpectralProblem
from smmcore.solvers import fast_admm
from smmcore.solvers.certified import solve_to_gap
from smmcore.xia_fan.least_squares import LSSMMProblem

COLOURS = {"hinge": SMM.colour, "squares": INK}
MOVED = 0  # the training sample that is moved
MARGINS = [round(0.1 * k, 1) for k in range(-10, 41)]  # where to
AT_REST = 1.0  # there it changes neither W: the hinge is 0, and the squared loss has its minimum


def make_problems(X: Array, y: Array, C: float, tau: float) -> dict[str, SpectralProblem]:
    """Return the problem of each loss on the same samples."""
    return {"hinge": SMMProblem(X, y, C, tau), "squares": LSSMMProblem(X, y, C, tau)}


@lru_cache(maxsize=2)  # those of a drag
def train_on_others(base: SMMProblem, C: float, tau: float) -> dict[str, Certificate]:
    """Return both classifiers, trained without the sample that is moved."""
    X, y = (np.delete(array, MOVED, axis=0) for array in (base.X, base.y))
    return {
        loss: solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, LossRace.max_iter)[0]
        for loss, problem in make_problems(X, y, C, tau).items()
    }


def move_sample(base: SMMProblem, others: Mapping[str, Certificate], margin: float) -> Array:
    """Return the samples, one of them moved by the least shift that gives it a margin.

    It has this margin for both classifiers that are trained on the others. So the shift is a sum of
    multiples of both W.
    """
    sample, y = base.X[MOVED], base.y[MOVED]
    W = np.stack([each.W.ravel() for each in others.values()])
    b = np.array([each.b for each in others.values()])
    shift = np.linalg.lstsq(W, y * margin - b - W @ sample.ravel())[0]
    X = base.X.copy()
    X[MOVED] += shift.reshape(sample.shape)
    return X


@dataclass(frozen=True)
class LossRace(Race):
    """The support matrix machine with the hinge and with the squared loss, at the same weights."""

    data: Split
    C: float = 1.0
    tau: float = 1.0
    margin: float = AT_REST  # of the sample that is moved, for the W without it
    tol: float = 1e-6
    max_iter: int = 4_000

    def problems(self, prepared: Prepared) -> Mapping[str, SpectralProblem]:
        """Return both problems, with the sample where it has been moved."""
        base = prepared.problem
        X = move_sample(base, train_on_others(base, self.C, self.tau), self.margin)
        problems = make_problems(X, base.y, self.C, self.tau)
        _ = problems["hinge"].gram  # outside the race
        return problems

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
        """Yield resume points, then one frame, with how much the sample changes each W."""
        others = train_on_others(prepared.problem, self.C, self.tau)
        for frame in super().frames(prepared, state):
            if not frame.done:
                yield Frame(frame.state)
                continue
            proofs = frame.certificate.items()
            changes = {f"change_{loss}": change(proof.W, others[loss].W) for loss, proof in proofs}
            yield on_one_scale(frame._replace(metrics={**frame.metrics, **changes}))

    def summary(self, last: Frame) -> str:
        """Say after how many iterations each classifier ended, and whether at its floor."""
        return self.describe_ends(last, LOSSES)


def change(W: Array, before: Array) -> float:
    """Return the distance of two W in units of the earlier one; 0 if both are 0."""
    return float(np.linalg.norm(W - before) / (np.linalg.norm(before) or 1.0))


OPENING = LossRace(Split(QUICK.data), QUICK.C, QUICK.tau)
PRECOMPUTED = {  # see tests/precompute.py
    "Both losses": OPENING,
    "Both losses with one sample far away": replace(OPENING, margin=MARGINS[-1]),
}


def loss_panels() -> list[Panel]:
    """Return the losses with the samples, and both W."""
    margins = [Series(f"margins_{loss}", name, COLOURS[loss]) for loss, name in LOSSES.items()]
    numbers = [Number("rank", "rank", "int"), Number("change", "changed", "percent")]
    pictures = matrices({loss: f"W, {name}" for loss, name in LOSSES.items()}, numbers)
    legend = "○ training samples  ● the moved one, after training"
    return [Losses(margins, "Losses: drag the large dot", legend), *pictures]
