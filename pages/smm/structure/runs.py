"""What the lesson When does the matrix pay? computes: test accuracies of two classifiers against n.

The linear SVM is the SMM at tau = 0, so both come from one solver, and each W is certified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from pages.shared.algorithm1 import QUICK_DATA
from pages.shared.data.bundled import Digits
from pages.shared.data.planted import SIDE, Planted
from pages.shared.data.samples import Array, Prepared, Samples, check
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Dataset, Experiment, Frame, Scaled
from pages.shared.engine.moves import Moves
from pages.shared.engine.worker import get_prepared
from pages.shared.numbers import scientific
from pages.shared.player.panels import (
    COLOUR_OF,
    Axis,
    Lines,
    Number,
    Panel,
    PerLine,
    Picture,
    Series,
)
from smmcore.decision import accuracy
from smmcore.path import next_on_path
from smmcore.problems import SMMCertificate, SMMProblem

RANKS = 1, 2, 3, 5, 10, 20
COUNTS = 50, 100, 200, 400, 800  # training samples
OPENS = COUNTS.index(200)
# Settings to choose from: C in units of 1 / (mean ‖X − mean‖²), tau in units of tau_max.
STRENGTHS = 1.0, 4.0, 16.0, 64.0
SHARES = tuple(10.0**-decade for decade in (0.36, 0.71, 1.07, 1.43, 1.79, 2.14, 2.5))
ROUGH, TOLERANCE = 1e-4, 1e-6  # relative gaps: while settings are compared, of the W that is shown
CLASSIFIERS = {"svm": "linear SVM", "smm": "SMM"}
COLOURS = {"svm": COLOUR_OF["lsvm"], "smm": COLOUR_OF["smm"]}


@dataclass(frozen=True)
class ThreesAndEights(Dataset):
    """Handwritten digits 3 and 8: some to train on, the others to test."""

    n: int = 100
    seed: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """(n, p, q) of the training part."""
        return self.n, 8, 8

    def prepare(self) -> Prepared:
        """Make both parts."""
        digits = Digits().prepare()
        rows = np.random.default_rng(self.seed).permutation(len(digits.y))
        X, y = digits.X[rows], np.where(digits.y[rows] > 0, 1.0, -1.0)
        train, test = slice(self.n), slice(self.n, None)
        return Prepared.of(Samples(X[train], y[train], None), Samples(X[test], y[test], None))


class ChosenFit(NamedTuple):
    """A classifier with the settings that validation chose."""

    proof: SMMCertificate
    C: float
    tau: float


@dataclass(frozen=True)
class StructureRun(Experiment):
    """Linear SVM and SMM on more and more samples, each averaged over several draws."""

    data: Planted | Split | ThreesAndEights
    counts: tuple[int, ...] = COUNTS
    draws: int = 10

    def __post_init__(self) -> None:
        check("the number of draws", self.draws, 2, 100)

    def frames(self, prepared: Prepared, state: int | None = None) -> Iterator[Frame]:
        """Yield a frame for each number of samples; the state is how many there are."""
        for done in range(state or 0, len(self.counts)):
            n = self.counts[done]
            first = self._fits(prepared, n)
            others = (self._fits(redraw(self.data, i).prepare(), n) for i in range(1, self.draws))
            rows = np.array([list(first[1].values()), *(list(row.values()) for _, row in others)])
            names = list(first[1])
            column = dict(zip(names, rows.T, strict=True))
            # Both classifiers see the same draws, so the error of the gain is that of the pairs.
            column["gain"] = column["smm"] - column["svm"]
            means = {name: float(values.mean()) for name, values in column.items()}
            metrics = {"n": float(n), **means}
            for name in (*CLASSIFIERS, "gain"):
                metrics[f"error_{name}"] = float(column[name].std(ddof=1)) / sqrt(self.draws)
            metrics["gap"] = float(column["gap"].max())
            yield Frame(done + 1, metrics, first[0], None, done + 1 == len(self.counts))

    def _fits(self, prepared: Prepared, n: int) -> tuple[dict[str, Scaled], dict[str, float]]:
        """Return the pictures and the numbers of one draw."""
        X, y = prepared.problem.X[:n], prepared.problem.y[:n]
        truth = _unit(np.zeros(X.shape[1:]) if prepared.coef is None else prepared.coef)
        maps, numbers = {"truth": truth}, {}
        has_offset = not isinstance(self.data, Planted)  # whose labels have none
        assert prepared.held is not None
        X_test, y_test, _ = prepared.held
        for name, fit in fit_both(X, y, has_offset).items():
            W = maps[f"W_{name}"] = _unit(fit.proof.W)
            b = has_offset * fit.proof.b
            numbers[name] = accuracy(np.tensordot(X_test, fit.proof.W) + b, y_test)
            numbers[f"cosine_{name}"] = float(np.vdot(W, truth))
            numbers[f"rank_{name}"] = float(fit.proof.rank)
            numbers["gap"] = max(numbers.get("gap", 0.0), fit.proof.relative_gap)
        scale = max(float(np.abs(W).max()) for W in maps.values())  # one for all three
        return {name: Scaled(W, scale) for name, W in maps.items()}, numbers

    def summary(self, last: Frame) -> str:
        """Say what the accuracies are means of, and how well each W is solved."""
        gap = scientific(TOLERANCE, 1)
        return f"Means over {self.draws} draws, each W to a relative gap of at most {gap}."


def play(run: StructureRun) -> Mapping[str, float]:
    """Return the numbers at the last number of samples."""
    *_, last = run.frames(get_prepared(run.data))
    return last.metrics


def redraw(data: Planted | Split | ThreesAndEights, number: int) -> Dataset:
    """Return the same data with other random numbers."""
    if isinstance(data, Split):
        return replace(data, data=replace(data.data, seed=data.data.seed + number))
    return replace(data, seed=data.seed + number)


def fit_both(X: Array, y: Array, has_offset: bool = True) -> dict[str, ChosenFit]:
    """Train both classifiers, with C and tau chosen on a quarter of the samples.

    Of settings that are equally accurate, the most regularised are chosen. Without an offset the
    classifiers are trained as always, and predict by the sign of <W, X>.
    """
    unit = float(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=(1, 2))))
    k = len(y) * 3 // 4
    best: dict[str, tuple[float, float, float]] = {}  # accuracy, C, tau / tau_max
    for strength in STRENGTHS:
        base = SMMProblem(X[:k], y[:k], C=strength / unit, tau=0.0)
        tau_max, state = base.tau_max(1e-3), None
        for share in (*SHARES, 0.0):
            state, proof = next_on_path(base.with_weights(tau=share * tau_max), state, ROUGH)
            right = accuracy(np.tensordot(X[k:], proof.W) + has_offset * proof.b, y[k:])
            name = "smm" if share else "svm"
            if name not in best or right > best[name][0]:
                best[name] = right, base.C, share
    fits = {}
    for name, (_, C, share) in best.items():
        problem = SMMProblem(X, y, C=C, tau=0.0)
        tau = share * problem.tau_max(1e-3) if share else 0.0
        fits[name] = ChosenFit(
            next_on_path(problem.with_weights(tau=tau), None, TOLERANCE)[1], C, tau
        )
    return {name: fits[name] for name in CLASSIFIERS}


def _unit(M: Array) -> Array:
    return np.asarray(M / (np.linalg.norm(M) or 1.0))


def parameters(rank: int) -> int:
    """Return how many numbers describe a matrix of this rank."""
    return rank * (2 * SIDE - rank)


BLOCKS = StructureRun(Split(replace(QUICK_DATA, n=400), test_size=0.5), (200,))
DIGITS = StructureRun(ThreesAndEights(), (100,))
BY_RANK = {rank: StructureRun(Planted(rank)) for rank in RANKS}
RANK_OF = {run: rank for rank, run in BY_RANK.items()}
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    **{f"Structure of rank {rank}": run for rank, run in BY_RANK.items()},
    "Structure of blocks": BLOCKS,
    "Structure of digits": DIGITS,
}


def move(run: StructureRun, structure_rank: int | None = None) -> StructureRun:
    """Return the run where the hand has moved; the name is that of the knob."""
    return BY_RANK[structure_rank] if structure_rank else run


MOVES = Moves({"structure_rank": RANKS}, move)


AXIS = Axis(
    "n =",
    "training samples n",
    field="n",
    count=len(COUNTS),
    at=[i / (len(COUNTS) - 1) for i in range(len(COUNTS))],
    ticks=[(i / (len(COUNTS) - 1), str(n)) for i, n in enumerate(COUNTS)],
    opens=OPENS,
)


def stage_panels() -> list[Panel]:
    """Return the panels that show both classifiers and the truth."""
    lines = [Series(name, title, COLOURS[name]) for name, title in CLASSIFIERS.items()]
    errors = PerLine("standard error", {name: f"error_{name}" for name in CLASSIFIERS})
    pictures = [
        Picture(
            f"W_{name}",
            title,
            numbers=[
                Number(name, "", "percent"),
                Number(f"cosine_{name}", "⟨W, W*⟩", "number"),
            ],
        )
        for name, title in CLASSIFIERS.items()
    ]
    return [
        Lines(lines, "Test accuracy", "linear", "percent", span=(0.55, 1.0), bands=errors),
        *pictures,
        Picture("truth", "W*, the truth"),
    ]
