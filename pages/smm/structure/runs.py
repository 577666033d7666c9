"""The experiment of *When does low rank pay off?*: accuracies of two classifiers against n.

The linear SVM is the SMM at tau = 0, so both come from one solver, and each W is certified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from pages.shared.algorithm1 import QUICK_DATA
from pages.shared.data.bundled import Digits
from pages.shared.data.painted import PAINTINGS, Painted, encode, exact_accuracy, unit
from pages.shared.data.samples import Prepared, Samples, check
from pages.shared.data.synthetic import Split
from pages.shared.engine.experiment import Dataset, Experiment, Frame
from pages.shared.numbers import scientific
from smmcore.arrays import Array
from smmcore.decision import accuracy
from smmcore.path import next_on_path
from smmcore.problems import SMMCertificate, SMMProblem

COUNTS = 50, 100, 200, 400, 800  # training samples
OPENS = 200  # where the picture opens
PAINTED_COUNTS = OPENS, 100, 400, 800  # of a painting, in the order in which they are computed
DRAWS, OWN_DRAWS = 10, 5  # of a painting that is built in, and of one's own
# Settings to choose from: C in units of 1 / (mean ‖X − mean‖²), tau in units of a bound on tau_max.
# A grid of three times as many chooses no better: too few samples are held out to tell them apart.
STRENGTHS = 1.0, 64.0
SHARES = tuple(10.0**-decade for decade in (0.2, 0.53, 1.07, 2.5))
ROUGH, TOLERANCE = 1e-4, 1e-6  # relative gaps: while settings are compared, of the W that is shown
CLASSIFIERS = {"svm": "linear SVM", "smm": "SMM"}


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


class Choice(NamedTuple):
    """Settings of a classifier, and how well they did on samples that were held out."""

    score: float  # correlation of <W, X> with the labels
    C: float
    share: float  # of `SMMProblem.tau_bound`; 0 is the linear SVM


class Position(NamedTuple):
    """Progress of a run."""

    rows: tuple[Mapping[str, float], ...]  # the numbers of each draw at each n
    choices: Mapping[str, Choice]  # of the next one, among the first values of C
    strengths: int  # how many these are


@dataclass(frozen=True)
class LearningCurves(Experiment):
    """Linear SVM and SMM on several numbers of samples, again and again with other samples."""

    data: Painted | Split | ThreesAndEights
    counts: tuple[int, ...] = COUNTS
    draws: int = DRAWS

    def __post_init__(self) -> None:
        check("the number of draws", self.draws, 2, 100)

    def frames(self, prepared: Prepared, state: Position | None = None) -> Iterator[Frame]:
        """Yield a frame for each draw and number of samples: its W, and the means so far.

        Between them are resume points without a frame, one for each value of C.
        """
        rows, choices, strengths = state or Position((), {}, 0)
        places = len(self.counts)
        while len(rows) < self.draws * places:
            draw, place = divmod(len(rows), places)
            n = self.counts[place]
            own = redraw(self.data, draw).prepare() if draw else prepared
            samples = own.problem.X[:n], own.problem.y[:n]
            for strength in STRENGTHS[strengths:]:
                choices, strengths = choose(*samples, strength, choices), strengths + 1
                yield Frame(Position(rows, choices, strengths))
            images, numbers = self._fits(own, *samples, choices)
            rows, choices, strengths = (*rows, numbers), {}, 0
            metrics = {"n": n, "draws": draw + 1, **_means(rows[place::places])}
            is_last = len(rows) == self.draws * places
            yield Frame(Position(rows, {}, 0), metrics, images, None, is_last)

    def _fits(
        self, prepared: Prepared, X: Array, y: Array, choices: Mapping[str, Choice]
    ) -> tuple[dict[str, Array], dict[str, float]]:
        """Return both W, scaled to norm 1, and the numbers of one draw."""
        truth = unit(np.zeros(X.shape[1:]) if prepared.coef is None else prepared.coef)
        images: dict[str, Array] = {}
        numbers: dict[str, float] = {}
        has_offset = not isinstance(self.data, Painted)  # whose labels have none
        for name in CLASSIFIERS:
            proof = train(X, y, choices[name])
            W = images[f"W_{name}"] = unit(proof.W)
            cosine = float(np.vdot(W, truth))
            if prepared.held is None:
                numbers[name] = exact_accuracy(cosine)
            else:
                X_test, y_test, _ = prepared.held
                decision = np.tensordot(X_test, proof.W) + has_offset * proof.b
                numbers[name] = accuracy(decision, y_test)
            numbers[f"cosine_{name}"] = cosine
            numbers[f"rank_{name}"] = float(proof.rank)
            numbers["gap"] = max(numbers.get("gap", 0.0), proof.relative_gap)
        numbers["gain"] = numbers["smm"] - numbers["svm"]
        return images, numbers

    def summary(self, last: Frame) -> str:
        """Say what the accuracies are means of, and how well each W is solved."""
        gap = scientific(TOLERANCE, 1)
        return f"Means over {self.draws} draws, each W to a relative gap of at most {gap}."


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the means over draws and their standard errors.

    Both classifiers see the same draws, so the error of the gain is that of the pairs.
    """
    column = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    means = {name: float(values.mean()) for name, values in column.items()}
    means["gap"] = float(column["gap"].max())
    for name in (*CLASSIFIERS, "gain"):
        spread = float(column[name].std(ddof=1)) if len(rows) > 1 else nan
        means[f"error_{name}"] = spread / sqrt(len(rows))
    return means


def redraw(data: Painted | Split | ThreesAndEights, number: int) -> Dataset:
    """Return the same data with other random numbers."""
    if isinstance(data, Split):
        return replace(data, data=replace(data.data, seed=data.data.seed + number))
    return replace(data, seed=data.seed + number)


def choose(
    X: Array, y: Array, strength: float, choices: Mapping[str, Choice]
) -> Mapping[str, Choice]:
    """Return the best settings of both classifiers, at this C or among earlier choices.

    The last quarter of the samples tells, by the correlation of the decision values with the
    labels: few samples tell that better than the share that is right.
    """
    k = len(y) * 3 // 4
    unit = float(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=(1, 2))))
    problem, state = SMMProblem(X[:k], y[:k], C=strength / unit, tau=0.0), None
    best = dict(choices)
    for share in (*SHARES, 0.0):
        tau = share * problem.tau_bound()
        state, proof = next_on_path(problem.with_weights(tau=tau), state, ROUGH)
        score = _correlation(np.tensordot(X[k:], proof.W), y[k:])
        # At tau = 0 the SMM is the linear SVM. Without it on its grid it would lose a little where
        # the SVM is the right choice.
        for name in ("smm",) if share else CLASSIFIERS:
            if name not in best or score > best[name].score:
                best[name] = Choice(score, problem.C, share)
    return best


def _correlation(values: Array, y: Array) -> float:
    constant = np.ptp(values) == 0 or np.ptp(y) == 0  # W = 0, or one class alone
    return -1.0 if constant else float(np.corrcoef(values, y)[0, 1])


def train(X: Array, y: Array, choice: Choice) -> SMMCertificate:
    """Train a classifier on all samples, with an offset, even if predictions leave it out."""
    problem = SMMProblem(X, y, C=choice.C, tau=0.0)
    tau = choice.share * problem.tau_bound() if choice.share else 0.0
    return next_on_path(problem.with_weights(tau=tau), None, TOLERANCE)[1]


BUILT_IN = {
    name: LearningCurves(Painted(encode(W)), PAINTED_COUNTS) for name, W in PAINTINGS.items()
}
BLOCKS = LearningCurves(Split(replace(QUICK_DATA, n=400), test_size=0.5), (200,))
DIGITS = LearningCurves(ThreesAndEights(), (100,))
PRECOMPUTED: dict[str, Experiment] = {  # see tests/precompute.py
    **{f"Structure of {name}": experiment for name, experiment in BUILT_IN.items()},
    "Structure of blocks": BLOCKS,
    "Structure of digits": DIGITS,
}
