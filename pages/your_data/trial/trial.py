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
from sklearn.model_selection import cross_val_score
from sklearn.utils.class_weight import compute_sample_weight

from pages.shared.methods import PAPER_METHODS, SHARE_MARGIN, SMM, labels
from pages.shared.numbers import one_two_five
from pages.shared.system import clock
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Kind, Scheme, Split
from smmcore.arrays import Array
from smmcore.decision import predicted_class
from smmcore.estimators import SupportMatrixMachineCV
from smmcore.estimators.scaling import Scaling
from smmcore.estimators.smm_cv import ROUNDING
from smmcore.problems import GLMProblem, SMMProblem

Rows = NDArray[np.intp]
Balance = Literal["balanced"] | None

NAMES = labels(PAPER_METHODS)
# The paper's grid of C, here in units of 1 / s^2; a search takes every third of them.
C_GRID = one_two_five(-3, 4)[:-1]
SEARCHED = tuple(C_GRID[3::3])
SEARCH_TOL = 1e-3  # relative gap at which a fit ends that only chooses weights
LAM_SHARES = tuple(float(f"{share:.3g}") for share in np.geomspace(1, 0.01, 11)[1:])


class MethodSpec(NamedTuple):
    """A method and its weights, in units of the training set."""

    method: str
    c: float | None = None  # C s^2, where s^2 is the mean squared distance from the mean
    share: float | None = None  # tau / tau_max of the SMM, lambda / lambda_max of the R-GLM
    rank: int | None = None  # of the bilinear SVM's W, at most


def most_frequent(specs: Sequence[MethodSpec]) -> MethodSpec:
    """Return the weights that were chosen most often; of equals the least rank, C, then share."""
    return min(
        specs,
        key=lambda spec: (-specs.count(spec), spec.rank or 0, spec.c or 0.0, -(spec.share or 0.0)),
    )


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
        method = PAPER_METHODS[spec.method]
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

    def score(self, spec: MethodSpec, fold: Split) -> list[tuple[MethodSpec, float]]:
        """Return the accuracy of weights on the held-out samples of a fold.

        Of an SMM without a share those of a path of taus, the largest first.
        """
        if spec.method == SMM.key:
            path = SupportMatrixMachineCV(
                [(spec.c or 1.0) * self.unit_of_C],
                cv=[fold],
                rule="best",
                class_weight=self.class_weight,
                tol=SEARCH_TOL,
            ).fit(self.X, self.y)
            shares = path.taus_[0] / (path.C_ * self.unit_of_tau)
            specs = [spec._replace(share=float(f"{share:.3g}")) for share in shares]
            return list(zip(specs, path.scores_[0, 0].tolist(), strict=True))
        machine = self.estimator(spec).set_params(tol=SEARCH_TOL)
        (score,) = cross_val_score(machine, self.X, self.y, cv=[fold], error_score="raise")
        return [(spec, float(score))]


def searched_specs(method: str, Cs: Sequence[float], p: int, q: int) -> list[MethodSpec]:
    """Return the weights that a search tries, the simplest first; of the SMM one C for a path."""
    tried = {
        "C": Cs,
        "lam": LAM_SHARES,
        "rank": [2**power for power in range(min(p, q).bit_length())],  # 1, 2, 4, ...
    }
    settings = PAPER_METHODS[method].settings
    weights = (tried[name] if name in settings else [None] for name in tried)
    return [MethodSpec(method, *each) for each in product(*weights)]


@dataclass(frozen=True)
class Trial:
    """Methods, what is done to the samples, and the scheme by which the methods are tested."""

    specs: tuple[MethodSpec, ...]  # methods and, unless there is a search, their weights
    scaling: str = "none"
    scheme: Scheme = field(default_factory=Scheme)
    search: bool = False  # whether weights are chosen by cross-validation in each training set
    Cs: tuple[float, ...] = SEARCHED  # of a search, in units of 1 / s^2
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

    Of its scheme only what decides the folds is kept, so that equal classifiers share a run.
    """
    kind: Kind = "own" if trial.scheme.kind == "own" else "hold-out"
    scheme = Scheme(kind, trial.scheme.by, seed=trial.scheme.seed, everything=True)
    return replace(trial, specs=(most_frequent(specs),), scheme=scheme, search=False, Cs=Trial.Cs)


class SplitResult(NamedTuple):
    """The result of one method in one split; K' = 1 with two classes, K' = K with more."""

    split: int
    spec: MethodSpec  # with the weights that were given or chosen
    scaling: Scaling
    W: Array  # (K', p, q), for scaled samples, after the preprocessing
    b: Array  # (K',)
    truth: Rows  # (n_test,), the classes of the test samples
    decision: Array  # (n_test, K'), positive for class 1 of two, or for class k
    alpha: Array | None  # (K', n_train), dual variables of the linear SVM and the SMM
    rank: Rows  # (K',)
    gap: Array  # (K',), relative; of the bilinear SVM, what moving one factor can gain at most
    certified: NDArray[np.bool_]  # (K',), whether the gap is within the tolerance
    C: float  # in the units of the scaled samples; NaN for the R-GLM
    weight: float  # tau or lambda; NaN for the linear and the bilinear SVM
    seconds: float  # of processor time, for the training
    validated: float = np.nan  # accuracy of the chosen weights in cross-validation

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
    searched: int = 0  # steps of the search for the current method's weights, one for each fold
    sums: tuple[tuple[MethodSpec, float], ...] = ()  # of the accuracies of weights in some folds
    # The accuracy and the weights that are the best of those that are through all folds
    best: tuple[float, MethodSpec] | None = None


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
        self._scaled: dict[int, tuple[Scaling, TrainingSet]] = {}

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

    def training_set(self, split: int) -> tuple[Scaling, TrainingSet]:
        """Return the scaling of a split and its scaled training set."""
        if split not in self._scaled:
            trial, (train, _) = self.trial, self.splits[split]
            X = self.X[train]
            scaling = Scaling.fit(
                trial.scaling, X, self.gaps, *self.steps, trial.preprocessing.each
            )
            part = TrainingSet(scaling(X), self.y[train], trial.class_weight)
            self._scaled = {split: (scaling, part)}
        return self._scaled[split]

    def search_steps(self, split: int, method: str) -> list[tuple[MethodSpec, Split]]:
        """Return the weights that are tried for a method, each with every fold; none by hand."""
        if not self.trial.search:
            return []
        p, q = self.trial.preprocessing.shape(*self.X.shape[1:])
        return list(product(searched_specs(method, self.trial.Cs, p, q), self.inner[split]))

    def score(self, split: int, spec: MethodSpec, fold: Split) -> list[tuple[MethodSpec, float]]:
        """Return the accuracy of weights in a fold of a split's training set."""
        _, part = self.training_set(split)
        with warnings.catch_warnings(action="ignore"):  # of weights that are too strong, or weak
            return part.score(spec, fold)

    def test(self, split: int, spec: MethodSpec, validated: float = np.nan) -> SplitResult:
        """Train a method on the training set of a split, and test it on the other samples."""
        scaling, part = self.training_set(split)
        machine = part.estimator(spec)
        begin = clock()
        with warnings.catch_warnings(action="ignore"):  # the result says what they say
            machine.fit(part.X, part.y)
        seconds = clock() - begin
        _, test = self.splits[split]
        W, b = machine.coef_.reshape(-1, *part.X.shape[1:]), np.atleast_1d(machine.intercept_)
        gap = machine.dual_gap_ if hasattr(machine, "dual_gap_") else machine.stationarity_
        relative = np.atleast_1d(gap / np.abs(machine.objective_))
        alpha = getattr(machine, "dual_coef_", None)
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
            None if alpha is None else alpha.reshape(len(W), -1),
            np.atleast_1d(machine.rank_),
            relative,
            relative <= machine.tol,
            getattr(machine, "C", np.nan),
            getattr(machine, "tau", getattr(machine, "lam", np.nan)),
            seconds,
            validated,
        )


def trial_states(prepared: PreparedTrial, state: TrialState | None = None) -> Iterator[TrialState]:
    """Run a trial to its end from a state: one fold of a search, or one test after the other."""
    at = state or TrialState()
    for split, given in prepared.order[len(at.results) :]:
        for spec, fold in prepared.search_steps(split, given.method)[at.searched :]:
            at = _add_scores(at, prepared.score(split, spec, fold), len(prepared.inner[split]))
            yield at
        validated, spec = at.best or (np.nan, given)
        at = TrialState((*at.results, prepared.test(split, spec, validated)))
        yield at


def _add_scores(at: TrialState, scores: list[tuple[MethodSpec, float]], folds: int) -> TrialState:
    """Return the state after another fold: of equals the weights that came first are the best."""
    before, searched, best = dict(at.sums), at.searched + 1, at.best
    sums = tuple((spec, before.get(spec, 0.0) + score) for spec, score in scores)
    if searched % folds:
        return at._replace(searched=searched, sums=sums)
    for spec, total in sums:
        if best is None or total / folds > best[0] + ROUNDING:
            best = total / folds, spec
    return at._replace(searched=searched, sums=(), best=best)
