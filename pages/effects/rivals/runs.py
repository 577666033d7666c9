"""The experiment of *The SMM and its rivals*: a sweep of the weights of four classifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pages.shared.algorithm1 import QUICK
from pages.shared.data.samples import MAX_SIDE, Prepared, check
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.methods import (
    BILINEAR_SVM,
    LINEAR_SVM,
    PAPER_METHODS,
    R_GLM,
    RIVALS,
    SMM,
    Settings,
    labels,
)
from pages.shared.numbers import above_floor
from pages.shared.player.images import normalise
from pages.shared.player.panels import (
    Axis,
    FurtherValue,
    Number,
    Panel,
    by_method,
    matrices,
)
from pages.shared.words import join_words
from smmcore.decision import accuracy
from smmcore.problems import Certificate
from smmcore.solvers.certified import solve_to_gap
from smmcore.theory import grouping_score


class SweepWeights(NamedTuple):
    """The weights of all classifiers at one strength of their regularisation."""

    C: float  # in units of 1 / spread^2
    lam: float  # in units of lam_max


class SweepPosition(NamedTuple):
    """Progress of a sweep."""

    done: int  # weights
    proofs: dict[str, Certificate]  # of the classifiers already solved at the current weights
    solver: Any  # state of the classifier in progress at these weights, None before its start
    at_limit: tuple[str, ...]  # a method for each weight at which it reached its limit


@dataclass(frozen=True)
class RivalsSweep(Experiment):
    """Four classifiers against the strength of their regularisation."""

    data: Split  # of block-correlated data
    tau: float = 0.1  # of the SMM, in units of the linear SVM's ||W||_2 at the same C
    rank: int = 4  # of the bilinear SVM, at most min(p, q)
    points: int = 21
    tol: float = 1e-4  # enough for the colours of a picture

    def __post_init__(self) -> None:
        check("tau, in units of the linear SVM's norm,", self.tau, 0, 100)
        check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)
        check("the number of points", self.points, 2, 50)

    @property
    def weights(self) -> list[SweepWeights]:
        """The weights in equal steps, from strong regularisation to weak, (points,)."""
        shares = np.linspace(0, 1, self.points).tolist()
        pairs = [(10 ** (4 * share - 1), 10 ** (-0.3 - 4.7 * share)) for share in shares]
        # Rounded, so that captions and the axis can name them.
        return [SweepWeights(float(f"{C:.1e}"), float(f"{lam:.1e}")) for C, lam in pairs]

    def frames(self, prepared: Prepared, state: SweepPosition | None = None) -> Iterator[Frame]:
        """Yield one frame per weight and, between them, resume points without metrics."""
        at = state or SweepPosition(0, {}, None, ())
        # The linear SVM comes first: its norm is the unit of tau.
        order = list(dict.fromkeys([LINEAR_SVM.key, *RIVALS]))
        base, weights = prepared.problem, self.weights
        while at.done < len(weights):
            C, lam = weights[at.done]
            for name in order[len(at.proofs) :]:
                problem = RIVALS[name].problem(base, self._settings(C / base.spread**2, at, lam))
                while name not in at.proofs:
                    at = self._advance(name, problem, at)
                    yield Frame(at)
            metrics, images = {"C": C, "lam": lam, "tau": self._tau(at)}, {}
            for name in RIVALS:
                values = quality(at.proofs[name], self.data, prepared)
                metrics |= {f"{metric}_{name}": value for metric, value in values.items()}
                images[f"W_{name}"] = normalise(at.proofs[name].W)
            at = SweepPosition(at.done + 1, {}, None, at.at_limit)
            yield Frame(at, metrics, images, done=at.done == len(weights))

    def _settings(self, C: float, at: SweepPosition, lam: float) -> Settings:
        return Settings(C, self._tau(at), lam, self.rank)

    def _tau(self, at: SweepPosition) -> float:
        svm = at.proofs.get(LINEAR_SVM.key)
        return self.tau * float(svm.singular_values[0]) if svm else 0.0

    def _advance(self, name: str, problem: Any, at: SweepPosition) -> SweepPosition:
        """Run a classifier for one turn, and add its certificate if it has ended."""
        method, k = RIVALS[name], at.solver.k if at.solver else 0
        states = method.states(problem, at.solver)
        proof, state = solve_to_gap(
            problem, states, self.tol, min(method.turn, method.max_iter - k)
        )
        converged = proof.within(self.tol)
        if not converged and state.k < method.max_iter:
            return at._replace(solver=state)
        at_limit = at.at_limit if converged else (*at.at_limit, name)
        return SweepPosition(at.done, at.proofs | {name: proof}, None, at_limit)

    def summary(self, last: Frame) -> str:
        """Return the number of settings, and at how many a classifier reached its limit."""
        late = [
            f"the {RIVALS[name].label} at {weights} of them at its limit "
            f"({RIVALS[name].max_iter:,} steps)"
            for name, weights in Counter(last.state.at_limit).items()
        ]
        ends = join_words(late) if late else f"each {above_floor(self.tol)}"
        return f"{last.state.done} prices of an error, from low to high, {ends}."


def quality(proof: Certificate, data: Split, prepared: Prepared) -> dict[str, float]:
    """Return grouping score, rank, and training and held-out accuracy of a classifier."""
    return {
        "group": grouping_score(proof.W, data.data.group_of_column),
        "rank": proof.rank,
        "train": accuracy(proof.decision, prepared.problem.y),
        "held": prepared.held_accuracy(proof),
    }


PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    "From blocks to speckle": RivalsSweep(Split(QUICK.data)),
}


def has_scores(data: Split) -> bool:
    """Return whether grouping scores exist: two groups of columns, and two columns in one."""
    return 1 < data.data.groups < data.data.q


CURVES = PAPER_METHODS | RIVALS  # in the paper's order: the SMM's curve lies over the other three


def sweep_panels(experiment: RivalsSweep) -> tuple[list[Panel], list[Panel]]:
    """Return the pictures of W with their scores, and the curves, the first to see first."""
    notes = {  # what each does about rank
        SMM.key: "pays for rank",
        BILINEAR_SVM.key: f"{experiment.rank} layers at most",
        R_GLM.key: "pays for rank, logistic loss",
        LINEAR_SVM.key: "rank is free",
    }
    scored = has_scores(experiment.data)
    pictures = matrices(labels(RIVALS), [Number("group", "G", "score")] * scored, notes)
    title = "How pure the groups of W are: G, 1 pure, 0 none"
    scores = [by_method(CURVES, title, "group_", (0.0, 1.0))] * scored
    return pictures, [
        *scores,
        by_method(CURVES, "Accuracy on new samples", "held_", format="percent"),
        by_method(CURVES, "Accuracy on training samples", "train_", None, format="percent"),
        by_method(CURVES, "Rank of W", "rank_", None, format="int"),
    ]


def sweep_axis(experiment: RivalsSweep) -> Axis:
    """Return the axis of a sweep, which asks halfway: there it is like the paper's Figure 1."""
    also = [
        FurtherValue("SVMs: C s² =", "C"),
        FurtherValue("R-GLM: λ / λₘₐₓ =", "lam"),
        FurtherValue("SMM: τ =", "tau"),
    ]
    ticks = [(0.0, "low"), (1.0, "high")]
    points = experiment.points
    return Axis(
        "setting",
        "price of an error",
        also=also,
        count=points,
        ticks=ticks,
        opens=points - 1,
        asks=points // 2,
    )
