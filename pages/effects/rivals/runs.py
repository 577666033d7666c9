"""The experiments of *The SMM and its rivals*: a race of classifiers, and a sweep of weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.algorithm1 import PRESETS, QUICK
from pages.shared.data.samples import MAX_SIDE, Prepared, check
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Experiment, Frame
from pages.shared.methods import LINEAR_SVM, PAPER_METHODS, RIVALS, Settings, labels
from pages.shared.numbers import scientific
from pages.shared.player.images import normalise
from pages.shared.player.panels import Axis, FurtherValue, Lines, Number, Panel, by_method, matrices
from pages.shared.race import Measurement, Race, Runner
from pages.shared.words import join_words
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.problems import Certificate
from smmcore.solvers.certified import solve_to_gap
from smmcore.theory import grouping_score


@dataclass(frozen=True)
class RivalsRace(Race):
    """The support matrix machine and its rivals on the same samples, at given weights."""

    data: Split  # of block-correlated data
    C: float = 1.0
    tau: float = 1.0
    lam: float = 1e-3  # of the R-GLM, in units of its lam_max
    rank: int = 4  # of the bilinear SVM, at most min(p, q)
    offset: bool = False  # of the bilinear SVM
    tol: float = 1e-6
    max_iter: int = 4_000

    def __post_init__(self) -> None:
        check("C, the weight of the loss,", self.C, 1e-100, 1e100)
        check("tau, the weight of the nuclear norm,", self.tau, 0, 1e100)
        check("lambda, in units of its largest,", self.lam, 1e-8, 2)
        check("the rank of the bilinear SVM", self.rank, 1, MAX_SIDE)

    def problem(self, name: str, prepared: Prepared) -> Any:
        """Return the problem of a classifier."""
        return RIVALS[name].problem(prepared.problem, self._settings)

    @property
    def _settings(self) -> Settings:
        return Settings(self.C, self.tau, self.lam, self.rank, self.offset)

    def problems(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return the problem of each classifier; the Gram matrix is made here, outside the race."""
        _ = prepared.problem.gram
        return {name: self.problem(name, prepared) for name in RIVALS}

    def states(self, name: str, problem: Any, start: Any) -> Iterator[Any]:
        """Return the solver of a classifier, the paper's rather than a faster one."""
        method = RIVALS[name]
        return (method.paper_states or method.states)(problem, start)

    def measure(self, runner: Runner, prepared: Prepared) -> Measurement:
        """Return quality, gap and W of a classifier."""
        proof = runner.proof
        metrics = {**quality(proof, self.data, prepared), "gap": proof.relative_gap}
        return Measurement(metrics, {"W": normalise(proof.W)})

    def summary(self, last: Frame) -> str:
        """Name the classifiers that ended at the limit, and those with W = 0."""
        late = [RIVALS[name].label for name in self.names_at_limit(last)]
        zero = [RIVALS[name].label for name, run in last.state.items() if run.proof.rank == 0]
        text = (
            f"At the limit of {self.max_iter:,} iterations: {', '.join(late)}."
            if late
            else f"All within a relative gap of {scientific(self.tol, 1)}."
        )
        return text + (f" W = 0: {', '.join(zero)}." if zero else "")

    def script(self) -> str:
        """Return a program that fits the same classifiers and prints their numbers."""
        settings = {name: repr(value) for name, value in self._settings._asdict().items()}
        settings["lam"] += " * glm.lam_max()"
        machines = ""
        for method in RIVALS.values():
            end = {"tol": self.tol, "max_iter": self.max_iter} if method.max_iter > 1 else {}
            arguments = method.write_arguments(settings, **end)
            machines += f"    {method.label!r}: {method.estimator}({arguments}),\n"
        names = ", ".join(sorted({method.estimator for method in RIVALS.values()}))
        return f'''\
"""A comparison of the support matrix machine app; it needs the app's package smmcore."""

from smmcore import {names}
from smmcore.datasets import column_groups
from smmcore.problems import GLMProblem
from smmcore.theory import grouping_score

{self.data.script()}
groups = column_groups({self.data.data.q}, {self.data.data.groups})
glm = GLMProblem(X, y, 1.0)
machines = {{
{machines}}}
for name, machine in machines.items():
    machine.fit(X, y)
    score = grouping_score(machine.coef_, groups)
    print(name, machine.rank_, score, machine.score(X, y), machine.score(X_test, y_test))
'''


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
    """The classifiers of a race against the strength of their regularisation."""

    data: Split
    tau: float = 0.1  # of the SMM, in units of the linear SVM's ||W||_2 at the same C
    rank: int = 4
    offset: bool = False
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
        weights = self.weights
        while at.done < len(weights):
            C, lam = weights[at.done]
            for name in order[len(at.proofs) :]:
                race = self.at(C / prepared.problem.spread**2, self._tau(at), lam)
                problem = race.problem(name, prepared)
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

    def at(self, C: float, tau: float, lam: float) -> RivalsRace:
        """Return the race at given weights."""
        return RivalsRace(self.data, C, tau, lam, self.rank, self.offset, self.tol)

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
        """Return the number of weights, and at how many a classifier reached its limit."""
        late = [
            f"the {RIVALS[name].label} at {weights} of them at its limit "
            f"({RIVALS[name].max_iter:,} steps)"
            for name, weights in Counter(last.state.at_limit).items()
        ]
        ends = (
            join_words(late) if late else f"all within a relative gap of {scientific(self.tol, 1)}"
        )
        return f"{last.state.done} weights, from strong regularisation to weak, {ends}."


def quality(proof: Certificate, data: Split, prepared: Prepared) -> dict[str, float]:
    """Return grouping score, rank, and training and held-out accuracy of a classifier."""
    return {
        "group": grouping_score(proof.W, data.data.group_of_column),
        "rank": proof.rank,
        "train": accuracy(proof.decision, prepared.problem.y),
        "held": prepared.held_accuracy(proof),
    }


WITH_BLOCKS, REVERSED = "SMM with blocks", "R-GLM with blocks"
PAPER_SIZE = "The paper's size"
FIGURE_1 = {  # the experiment of the recipe and the knobs, and lam / lam_max
    WITH_BLOCKS: (replace(QUICK, C=0.01, tau=0.2), 1e-3),  # the page opens with it
    REVERSED: (replace(QUICK, C=1.0, tau=0.05), 0.1),
    PAPER_SIZE: (PRESETS["Paper 5.1"][0], 1e-4),  # the R-GLM takes minutes
}


_opening, _lam = FIGURE_1[WITH_BLOCKS]
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    "SMM with blocks": RivalsRace(Split(_opening.data), _opening.C, _opening.tau, _lam),
    "From blocks to speckle": RivalsSweep(Split(_opening.data)),
}


def has_scores(data: Split) -> bool:
    """Return whether grouping scores exist: two groups of columns, and two columns in one."""
    return 1 < data.data.groups < data.data.q


def scores_text(scores: Array, ranks: NDArray[np.integer]) -> str:
    """Return the range of the grouping scores of several W; a W of rank 0 has none."""
    zero, known = int(np.count_nonzero(ranks == 0)), scores[np.isfinite(scores)]
    if zero == len(ranks):
        return "W = 0"
    ends = sorted({f"{end:.3f}" for end in (known.min(), known.max())}) if len(known) else ["–"]
    return " to ".join(ends) + (f", W = 0 at {zero}" if zero else "")


CURVES = PAPER_METHODS | RIVALS  # in the paper's order: the SMM's curve lies over the other three


def race_panels(experiment: RivalsRace) -> tuple[list[Panel], list[Panel]]:
    """Return the pictures of a race, and its curves."""
    numbers = [Number("group", "grouping", "number")] if has_scores(experiment.data) else []
    numbers += [Number("held", "", "percent")]
    gap = "Relative gap (bilinear SVM: of one factor at a time)"
    return matrices(labels(RIVALS), numbers), [
        by_method(CURVES, "Held-out accuracy", "held_", None, format="percent"),
        *_grouping_panel(experiment),
        by_method(CURVES, gap, "gap_", None, scale="log"),
    ]


def sweep_panels(experiment: RivalsSweep) -> tuple[list[Panel], list[Panel]]:
    """Return the pictures of a sweep with their numbers, and its curves."""
    numbers = [Number("rank", "rank", "int"), Number("held", "right", "percent")]
    return matrices(labels(RIVALS), numbers), [
        by_method(CURVES, "Held-out accuracy", "held_", (0.8, 1.0), format="percent"),
        *_grouping_panel(experiment),
        by_method(CURVES, "Training accuracy", "train_", None, format="percent"),
        by_method(CURVES, "Rank of W", "rank_", None, format="int"),
    ]


def _grouping_panel(experiment: RivalsRace | RivalsSweep) -> list[Lines]:
    """Return a list with the panel of the grouping scores, empty if they do not exist."""
    if not has_scores(experiment.data):
        return []
    return [by_method(CURVES, "Grouping score of the columns of W", "group_", None)]


def sweep_axis(experiment: RivalsSweep) -> Axis:
    """Return the axis of a sweep: a frame for each C, and the λ and τ that go with it."""
    also = [FurtherValue("R-GLM: λ / λₘₐₓ =", "lam"), FurtherValue("SMM: τ =", "tau")]
    last = len(experiment.weights) - 1
    ticks = [
        (k / last, f"{experiment.weights[k].C:,g}") for k in range(0, last + 1, max(1, last // 4))
    ]
    return Axis(
        "Three SVMs: C s² =", "C of SVMs", "C", also=also, count=experiment.points, ticks=ticks
    )
