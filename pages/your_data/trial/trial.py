"""Trials: methods trained on parts of the samples and tested on the others.

The methods are the package's estimators, with weights in units of the training samples.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_sample_weight

from pages.shared.methods import LINEAR_SVM, PAPER_METHODS, SHARE_MARGIN, SMM, Classifier, labels
from pages.shared.system import clock
from pages.your_data.trial.logistic import FlatLogisticRegression
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.quality import Quality
from pages.your_data.trial.splits import Scheme, Split
from smmcore.arrays import Array
from smmcore.decision import decision_values, predicted_class
from smmcore.estimators.scaling import Scaling
from smmcore.estimators.smm_cv import ROUNDING
from smmcore.path import solve_path
from smmcore.problems import Certificate, SMMProblem
from smmcore.rivals.glm import GLMProblem

Rows = NDArray[np.intp]
Balance = Literal["balanced"] | None


@dataclass(frozen=True, kw_only=True)
class _Logistic(Classifier):
    def make_estimator(self, **arguments: Any) -> FlatLogisticRegression:
        return FlatLogisticRegression(**arguments)


LOGISTIC = _Logistic(
    key="logistic",
    label="logistic regression",
    colour=7,
    settings=("C",),
    estimator=FlatLogisticRegression.__name__,
)


# The paper's methods, and another rival that takes samples as vectors
METHODS = {LINEAR_SVM.key: LINEAR_SVM, LOGISTIC.key: LOGISTIC} | PAPER_METHODS
NAMES = labels(METHODS)
# Scalings that a search tries, the simplest first, and the name of this choice
CHOSEN, SCALINGS_TRIED = "chosen", ("none", "z-score", "whitened")
MOST_WHITENED = 512  # rows or columns: the inverse root of their covariance takes their cube
SEARCH_TOL = 2e-3  # relative gap at which a fit ends that only chooses weights
SEARCH_ITERATIONS = 200


class MethodSpec(NamedTuple):
    """A method and its weights, in units of the training set."""

    method: str
    c: float | None = None  # C s^2, where s^2 is the mean squared distance from the mean
    share: float | None = None  # tau / tau_max of the SMM, lambda / lambda_max of the R-GLM
    rank: int | None = None  # of the bilinear SVM's W, at most
    scaling: str | None = None  # chosen by a search; else it is that of the trial


def most_frequent(specs: Sequence[MethodSpec]) -> MethodSpec:
    """Return the weights that were chosen most often; of equals the least rank, C, then share."""
    return min(
        specs,
        key=lambda spec: (-specs.count(spec), spec.rank or 0, spec.c or 0.0, -(spec.share or 0.0)),
    )


class Grid(NamedTuple):
    """The weights that a search tries: few, as each is solved in each fold and scaling."""

    Cs: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0, 1_000.0)  # in units of 1 / s^2
    slow_Cs: tuple[float, ...] = (1.0, 10.0, 100.0)  # of the SMM and the bilinear SVM
    tau_shares: tuple[float, ...] = (0.5, 0.25, 0.1, 0.03)  # descending
    lam_shares: tuple[float, ...] = (0.5, 0.2, 0.1, 0.05, 0.02)
    ranks: tuple[int, ...] = (1, 2)
    by_accuracy: bool = False  # whether the AUC, which tells ties apart, is left out of the choice

    def specs(self, method: str, p: int, q: int) -> list[MethodSpec]:
        """Return the weights of a method, the simplest first; of the SMM one C for all its taus."""
        settings = METHODS[method].settings
        Cs = self.slow_Cs if {"tau", "rank"} & {*settings} else self.Cs
        ranks = [rank for rank in self.ranks if rank <= min(p, q)]
        return [
            MethodSpec(method, c, share, rank)
            for c in (Cs if "C" in settings else [None])
            for share in (self.lam_shares if "lam" in settings else [None])
            for rank in (ranks if "rank" in settings else [None])
        ]


class TrainingSet:
    """Scaled samples (n, p, q) with their classes, 0 to K - 1, and the units of the weights."""

    def __init__(self, X: Array, y: Rows, class_weight: Balance = None) -> None:
        self.X, self.y, self.class_weight = X, y, class_weight
        self._sides = [np.where(y == k, 1.0, -1.0) for k in range(int(y.max()) + 1)]
        self._weights = compute_sample_weight(class_weight, y)

    @cached_property
    def _hinge(self) -> SMMProblem:
        problem = SMMProblem(self.X, self._sides[0], 1.0, 0.0, sample_weight=self._weights)
        if problem.spread <= 1e-9 * np.abs(self.X).max():
            raise ValueError("all samples of a training set are equal: there is nothing to learn")
        return problem

    @property
    def unit_of_C(self) -> float:
        """1 / s^2."""
        return float(1 / self._hinge.spread**2)

    @cached_property
    def unit_of_tau(self) -> float:
        """The bound of tau_max at C = 1, as in `SupportMatrixMachineCV`: the largest of all.

        It is tau_max for two classes of equal weight, and at most about twice tau_max for others.
        """
        return max(self._hinge.with_labels(side).tau_bound() for side in self._sides)

    @cached_property
    def unit_of_lam(self) -> float:
        """lambda_max, the largest of the classes."""
        _ = self._hinge  # refuses equal samples
        problem = GLMProblem(self.X, self._sides[0], 1.0, sample_weight=self._weights)
        return max(problem.with_labels(side).lam_max() for side in self._sides)

    def estimator(self, spec: MethodSpec) -> Any:
        """Return the estimator of a method with its weights, not fitted yet."""
        method = METHODS[spec.method]
        settings = {name: self._setting(name, spec) for name in method.settings}
        return method.make_estimator(**settings, class_weight=self.class_weight)

    def _setting(self, name: str, spec: MethodSpec) -> float:
        """Return one of `Settings`, in the units of the samples."""
        share = SHARE_MARGIN * (spec.share or 0.0)
        match name:
            case "C":
                return (spec.c or 1.0) * self.unit_of_C
            case "tau":
                return share * self._setting("C", spec) * self.unit_of_tau
            case "lam":
                return share * self.unit_of_lam
            case "rank":
                return spec.rank or 1
        assert name == "fit_intercept"
        return True

    def score(
        self, spec: MethodSpec, X: Array, truth: Rows, tau_shares: Sequence[float]
    ) -> list[tuple[MethodSpec, Quality]]:
        """Return how well weights do on other samples; of the SMM, with each of these shares."""
        fits = self._fit(spec, tau_shares)
        return [(each, Quality.of(truth, decision_values(X, W, b))) for each, W, b in fits]

    def _fit(
        self, spec: MethodSpec, tau_shares: Sequence[float]
    ) -> list[tuple[MethodSpec, Array, Array]]:
        """Return W (K', p, q) and b (K',) of weights, as exact as a choice needs."""
        specs, solutions = [spec], []
        proofs: Sequence[Certificate]
        if spec.method == SMM.key:  # along a path, on which each starts at the one before
            specs = [spec._replace(share=share) for share in tau_shares]
        if spec.method not in (SMM.key, LINEAR_SVM.key):
            machine = self.estimator(spec).set_params(tol=SEARCH_TOL).fit(self.X, self.y)
            W = machine.coef_.reshape(-1, *self.X.shape[1:])
            return [(spec, W, np.atleast_1d(machine.intercept_))]
        for side in self._sides[1:] if len(self._sides) == 2 else self._sides:
            base = self._hinge.with_labels(side)  # shares the Gram matrix
            C, taus = (self._setting("C", spec), [self._setting("tau", each) for each in specs])
            problems = [base.with_weights(C=C, tau=tau) for tau in taus]
            if spec.method == SMM.key:
                proofs = [*solve_path(problems, tol=SEARCH_TOL, max_iter=SEARCH_ITERATIONS)]
            else:
                proofs = [LINEAR_SVM.solve(problems[0], SEARCH_TOL, 1)]
            solutions.append([(proof.W, proof.b) for proof in proofs])
        return [
            (each, np.array([W for W, _ in found]), np.array([b for _, b in found]))
            for each, found in zip(specs, zip(*solutions, strict=True), strict=True)
        ]


@dataclass(frozen=True)
class Trial:
    """Methods, what is done to the samples, and the scheme by which the methods are tested."""

    specs: tuple[MethodSpec, ...]  # methods and, unless there is a search, their weights
    scaling: str = "none"  # or "chosen", by a search, from `SCALINGS_TRIED`
    scheme: Scheme = field(default_factory=Scheme)
    search: bool = False  # whether weights are chosen by cross-validation in each training set
    grid: Grid = field(default_factory=Grid)  # of a search
    # Steps before the scaling; none by default
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    # With "balanced" each of K classes of n samples weighs the same in the loss: one with m samples
    # has the weight n / (K m) for each
    class_weight: Balance = None

    def run(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> tuple[SplitResult, ...]:
        """Train and test, and return the result of each split and method."""
        prepared = PreparedTrial(self, X, np.unique(y, return_inverse=True)[1], groups, test)
        *_, last = trial_states(prepared)
        return last.results


def on_everything(trial: Trial, specs: Sequence[MethodSpec]) -> Trial:
    """Return the trial that trains a method on all samples, with its most frequent weights.

    Of its scheme nothing is kept, so that equal classifiers share a run.
    """
    spec = most_frequent(specs)
    scaling = spec.scaling or trial.scaling
    scheme = Scheme(everything=True)
    return replace(trial, specs=(spec,), scaling=scaling, scheme=scheme, search=False)


def at_given_weights(trial: Trial, scaling: str) -> Trial:
    """Return the trial without a search, with this scaling if a search was to choose it."""
    scaling = scaling if trial.scaling == CHOSEN else trial.scaling
    return replace(trial, search=False, scaling=scaling)


def estimate_search_seconds(scheme: Scheme, methods: int, n: int, K: int, p: int, q: int) -> float:
    """Estimate the seconds that a search takes, for n samples before the split.

    Measured on one core with digits, faces, EEG and noise, 60 to 600 samples of 2 to 4 classes:
    within a factor of three.
    """
    splits = scheme.number * scheme.repetitions
    problems = 1 if K == 2 else K
    return splits * methods / 5 * problems * (2.5 + 7e-5 * n**2 + 2e-7 * n**2 * p * q)


class SplitResult(NamedTuple):
    """The result of one method in one split; K' = 1 with two classes, K' = K with more."""

    split: int
    spec: MethodSpec  # with the weights that were given or chosen
    scaling: Scaling
    W: Array  # (K', p, q), for scaled samples, after the preprocessing
    b: Array  # (K',)
    truth: Rows  # (n_test,), the classes of the test samples
    decision: Array  # (n_test, K'), positive for class 1 of two, or for class k
    rank: Rows  # (K',)
    gap: Array  # (K',), relative; of the bilinear SVM, what moving one factor can gain at most
    certified: NDArray[np.bool_]  # (K',), whether the gap is within the tolerance
    C: float  # in the units of the scaled samples; NaN for the R-GLM
    weight: float  # tau or lambda; NaN for the linear and the bilinear SVM
    seconds: float  # of processor time, for the training
    validated: float = np.nan  # accuracy of the chosen weights in cross-validation

    def shrink(self) -> SplitResult:
        """Return the result with what tells which test samples are right, and no large array."""
        return self._replace(scaling=Scaling(), W=np.zeros((0, 0, 0)))

    @property
    def is_right(self) -> NDArray[np.bool_]:
        """Whether the prediction is correct, of each test sample."""
        return np.asarray(predicted_class(self.decision) == self.truth)

    @property
    def accuracy(self) -> float:
        """The share of correct predictions on the test samples."""
        return float(self.is_right.mean()) if len(self.truth) else np.nan


class TrialState(NamedTuple):
    """The progress of a trial, from which it resumes."""

    results: tuple[SplitResult, ...] = ()
    searched: int = 0  # steps of the search for the current method's weights
    # Of all weights so far, accuracy and AUC, each the sum over the folds
    sums: tuple[tuple[MethodSpec, Quality], ...] = ()


class PreparedTrial:
    """A trial with its samples, which are split and scaled when they are needed."""

    def __init__(
        self,
        trial: Trial,
        X: NDArray[Any],
        y: Rows,
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> None:
        self.trial, self.y, self.groups, self.own = trial, y, groups, test
        self.X = np.ascontiguousarray(X, dtype=float)
        self.gaps = not np.isfinite(self.X).all()
        self.steps = trial.preprocessing.matrices(*self.X.shape[1:])
        self._scaled: tuple[Any, Any] = None, None

    @cached_property
    def splits(self) -> list[Split]:
        """The rows to train on and the rows to test on, of each split."""
        return self.trial.scheme.splits(self.y, self.groups, self.own)

    @property
    def order(self) -> list[tuple[int, MethodSpec]]:
        """The pairs of split and method, in the order in which they are tested."""
        return [(s, spec) for s in range(len(self.splits)) for spec in self.trial.specs]

    @cached_property
    def inner(self) -> list[list[Split]]:
        """The folds of each split's training set in which weights are chosen, as its rows."""
        folds, groups = self.trial.scheme.folds, self.groups
        return [
            folds(self.y[train], None if groups is None else groups[train])
            for train, _ in self.splits
        ]

    def training_set(
        self, split: int, kind: str, fold: int | None = None
    ) -> tuple[Scaling, TrainingSet]:
        """Return the scaling of a split's training set, or of that of a fold, and the scaled set.

        The last one is kept.
        """
        key, trial = (split, kind, fold), self.trial
        if self._scaled[0] != key:
            train, _ = self.splits[split]
            if fold is not None:
                train = train[self.inner[split][fold][0]]
            X = self.X[train]
            scaling = Scaling.fit(kind, X, self.gaps, *self.steps, trial.preprocessing.each)
            part = TrainingSet(scaling(X), self.y[train], trial.class_weight)
            self._scaled = key, (scaling, part)
        found: tuple[Scaling, TrainingSet] = self._scaled[1]
        return found

    def forget_scaled(self) -> None:
        """Forget the last training set, as labels have changed."""
        self._scaled = None, None

    def search_steps(self, split: int, method: str) -> list[tuple[str, int, MethodSpec]]:
        """Return the scalings, folds and weights that are tried for a method; none by hand."""
        if not self.trial.search:
            return []
        p, q = self.trial.preprocessing.shape(*self.X.shape[1:])
        tried: Sequence[str] = (self.trial.scaling,)
        if self.trial.scaling == CHOSEN:
            tried = SCALINGS_TRIED if max(p, q) <= MOST_WHITENED else SCALINGS_TRIED[:-1]
        folds = range(len(self.inner[split]))
        return list(product(tried, folds, self.trial.grid.specs(method, p, q)))

    def score(
        self, split: int, kind: str, fold: int, spec: MethodSpec
    ) -> list[tuple[MethodSpec, Quality]]:
        """Return how well weights do in a fold of a split's training set, after a scaling."""
        scaling, part = self.training_set(split, kind, fold)
        held_out = self.splits[split][0][self.inner[split][fold][1]]
        with warnings.catch_warnings(action="ignore"):  # of weights that are too strong, or weak
            return part.score(
                spec._replace(scaling=kind),
                scaling(self.X[held_out]),
                self.y[held_out],
                self.trial.grid.tau_shares,
            )

    def choose(
        self, split: int, sums: Sequence[tuple[MethodSpec, Quality]]
    ) -> tuple[float, MethodSpec]:
        """Return the accuracy in cross-validation and the weights that do best there.

        Of equals, the weights that came first are the best.
        """
        folds = len(self.inner[split])

        def size(total: Quality) -> float:
            return total.accuracy if self.trial.grid.by_accuracy else sum(total)

        top = max(size(total) for _, total in sums)
        spec, total = next(each for each in sums if size(each[1]) >= top - ROUNDING * folds)
        return total.accuracy / folds, spec

    def test(self, split: int, spec: MethodSpec, validated: float = np.nan) -> SplitResult:
        """Train a method on the training set of a split, and test it on the other samples."""
        scaling, part = self.training_set(split, spec.scaling or self.trial.scaling)
        machine = part.estimator(spec)
        begin = clock()
        with warnings.catch_warnings(action="ignore"):  # the result says what they say
            machine.fit(part.X, part.y)
        seconds = clock() - begin
        _, test = self.splits[split]
        W, b = machine.coef_.reshape(-1, *part.X.shape[1:]), np.atleast_1d(machine.intercept_)
        gap = machine.dual_gap_ if hasattr(machine, "dual_gap_") else machine.stationarity_
        relative = np.atleast_1d(gap / np.abs(machine.objective_))
        decision = np.zeros((0, len(W)))
        if len(test):
            decision = machine.decision_function(scaling(self.X[test])).reshape(len(test), -1)
        return SplitResult(
            split,
            spec,
            scaling,
            W,
            b,
            self.y[test],
            decision,
            np.atleast_1d(machine.rank_),
            relative,
            relative <= machine.tol,
            getattr(machine, "C", np.nan),
            getattr(machine, "tau", getattr(machine, "lam", np.nan)),
            seconds,
            validated,
        )


def trial_states(prepared: PreparedTrial, state: TrialState | None = None) -> Iterator[TrialState]:
    """Run a trial to its end from a state: one step of a search, or one test after the other."""
    at = state or TrialState()
    for split, given in prepared.order[len(at.results) :]:
        for kind, fold, spec in prepared.search_steps(split, given.method)[at.searched :]:
            sums = dict(at.sums)
            for each, quality in prepared.score(split, kind, fold, spec):
                before = sums.get(each, Quality(0.0, 0.0))
                sums[each] = Quality(*map(sum, zip(before, quality, strict=True)))
            at = at._replace(searched=at.searched + 1, sums=tuple(sums.items()))
            yield at
        validated, spec = prepared.choose(split, at.sums) if at.sums else (np.nan, given)
        at = TrialState((*at.results, prepared.test(split, spec, validated)))
        yield at
