"""Trials: methods trained on parts of the samples and tested on the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.shared.methods import METHODS
from pages.your_data.trial.grid import CellScore, SearchState, grid_paths, most_frequent, search
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme, Split
from pages.your_data.trial.training import (
    Fit,
    Fold,
    MethodSpec,
    Progress,
    TrainingPart,
    finished_fits,
    train_classes,
)
from smmcore.decision import decision_values, predicted_class
from smmcore.estimators.scaling import Scaling, check_scaling

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Trial:
    """Methods, what is done to the samples, and the scheme by which the methods are tested.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from pages.your_data.trial.training import MethodSpec
    >>> from pages.your_data.trial.trial import Trial
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> trial = Trial((MethodSpec("smm", c=10.0, share=0.1), MethodSpec("lsvm", c=10.0)))
    >>> [(result.spec.method, result.accuracy > 0.7) for result in trial.run(X, y)]
    [('smm', True), ('lsvm', True)]
    """

    # Methods and their weights. With `search` these weights serve only where the budget ends
    # before any others were tried.
    specs: tuple[MethodSpec, ...]
    scaling: str = "none"
    scheme: Scheme = field(default_factory=Scheme)
    search: bool = False  # whether weights are chosen by cross-validation in each training set
    # Seconds of processor time for all searches together; when it is spent, the best weights so
    # far are taken. Each split and method has an equal part and what earlier ones left of theirs.
    budget: float = 60.0
    # In place of the budget, the number of paths of the grid (see `grid_paths`) to try for each
    # split and method in turn. It repeats a search that a budget has ended.
    paths: tuple[int, ...] | None = None
    # Steps before the scaling; none by default
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    # With "balanced" the losses of the m samples of a class, out of n, have the weight n / (2 m)
    # in each problem of a class against the rest, so that both sides weigh the same
    class_weight: str | None = None

    def __post_init__(self) -> None:
        methods = [spec.method for spec in self.specs]
        if not methods or len(set(methods)) < len(methods) or set(methods) - set(METHODS):
            raise ValueError(f"methods must be among {tuple(METHODS)}, each once, got {methods}")
        check_scaling(self.scaling)
        if self.class_weight not in (None, "balanced"):
            raise ValueError(f"class_weight must be None or 'balanced', got {self.class_weight!r}")
        if not self.budget >= 0:
            raise ValueError(f"the budget must be at least 0 seconds, got {self.budget:g}")

    def run(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> Iterator[SplitResult]:
        """Train and test, and yield the result of each split and method."""
        prepared = PreparedTrial(self, X, np.unique(y, return_inverse=True)[1], groups, test)
        yield from new_results(trial_states(prepared))


def on_everything(trial: Trial, specs: Sequence[MethodSpec]) -> Trial:
    """Return the trial that trains a method on all samples, with its most frequent weights.

    Of its scheme only what decides the folds is kept, so that equal machines share a run.
    """
    kind = "own" if trial.scheme.kind == "own" else "hold-out"
    scheme = Scheme(kind, trial.scheme.by, seed=trial.scheme.seed, everything=True)
    given = replace(trial, specs=(most_frequent(specs),), scheme=scheme, search=False, paths=None)
    return replace(given, budget=Trial.budget)


class SplitResult(NamedTuple):
    """The result of one method in one split; K' = 1 with two classes, K' = K with more."""

    split: int
    spec: MethodSpec  # with the weights that were given or chosen
    scaling: Scaling
    W: Array  # (K', p, q), for scaled samples, after the preprocessing
    b: Array  # (K',)
    truth: Rows  # (n_test,), the classes of the test samples
    decision: Array  # (n_test, K'), positive for class 1 of two, or for class k
    right: int  # correct predictions on the test samples
    alpha: Array  # (K', n_train), dual variables, at most C w_i; positive for R-GLM
    rank: Rows  # (K',)
    primal: Array  # (K',), P(W, b)
    gap: Array  # (K',), relative
    certified: NDArray[np.bool_]  # (K',)
    C: Array  # (K',), in the units of the scaled samples; NaN for R-GLM
    weight: Array  # (K',), tau or lambda; NaN for the linear and the bilinear SVM
    seconds: float  # of processor time
    validated: float = np.nan  # accuracy of the chosen weights in cross-validation
    tried: tuple[CellScore, ...] = ()
    paths: int = 0  # of the grid that were tried

    @property
    def accuracy(self) -> float:
        """The share of correct predictions on the test samples."""
        return self.right / len(self.decision) if len(self.decision) else np.nan


class TrialState(NamedTuple):
    """The progress of a trial, from which it resumes."""

    results: tuple[SplitResult, ...] = ()
    search: SearchState | None = None  # of the current method
    spec: MethodSpec | None = None  # the current method with the weights that were chosen
    fits: tuple[Fit, ...] = ()  # of its classes
    progress: Progress | None = None  # of its next class
    seconds: float = 0.0  # of this method
    searched: float = 0.0  # seconds of all searches
    steps: int = 0  # of the whole trial


class PreparedTrial:
    """A trial with its samples, which are split and scaled when they are needed.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from pages.your_data.trial.training import MethodSpec
    >>> from pages.your_data.trial.trial import PreparedTrial, Trial
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> trial = Trial((MethodSpec("smm", c=10.0, share=0.1), MethodSpec("lsvm", c=10.0)))
    >>> prepared = PreparedTrial(trial, X, (y > 0).astype(int))
    >>> [(split, spec.method) for split, spec in prepared.order]
    [(0, 'smm'), (0, 'lsvm')]
    """

    def __init__(
        self,
        trial: Trial,
        X: NDArray[Any],
        y: Rows,
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> None:
        if len(X) != len(y):
            raise ValueError(f"there are {len(X):,} samples, but {len(y):,} labels")
        self.trial, self.y, self.groups, self.own = trial, y, groups, test
        self.X = np.ascontiguousarray(X, dtype=float)
        self.gaps = not np.isfinite(self.X).all()
        self.steps = trial.preprocessing.matrices(*self.X.shape[1:])
        self._folds: dict[tuple[int, int | None], Fold] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of a sample after the preprocessing."""
        p, q = self.X.shape[1:]
        return self.trial.preprocessing.shape(p, q)

    @cached_property
    def splits(self) -> list[Split]:
        """The rows to train on and the rows to test on, of each split."""
        return self.trial.scheme.splits(self.y, self.groups, self.own)

    def fold(self, split: int) -> Fold:
        """Return the training set and the test set of a split."""
        return self._fold(split, None, *self.splits[split])

    def inner(self, split: int) -> list[Split]:
        """Return the folds of a split's training set, in which weights are chosen."""
        train, _ = self.splits[split]
        groups = None if self.groups is None else self.groups[train]
        folds = self.trial.scheme.folds(self.y[train], groups)
        return [(train[rows], train[held_out]) for rows, held_out in folds]

    def inner_fold(self, split: int, number: int) -> Fold:
        """Return a fold of `inner`."""
        return self._fold(split, number, *self.inner(split)[number])

    def _fold(self, split: int, number: int | None, rows: Rows, held_out: Rows) -> Fold:
        if any(of != split for of, _ in self._folds):
            self._folds.clear()
        if (split, number) not in self._folds:
            left, right = self.steps
            scaling = Scaling.fit(
                self.trial.scaling,
                self.X[rows],
                self.gaps,
                left,
                right,
                self.trial.preprocessing.each,
            )
            part = TrainingPart(scaling(self.X[rows]), self.y[rows], self.trial.class_weight)
            self._folds[split, number] = Fold(
                part, scaling(self.X[held_out]), self.y[held_out], scaling
            )
        return self._folds[split, number]

    @property
    def order(self) -> list[tuple[int, MethodSpec]]:
        """The pairs of split and method, in the order in which they are tested."""
        return [(s, spec) for s in range(len(self.splits)) for spec in self.trial.specs]


def trial_states(prepared: PreparedTrial, state: TrialState | None = None) -> Iterator[TrialState]:
    """Run a trial to its end from a state, in steps of about a second or less.

    Examples
    --------
    >>> from smmcore.datasets import make_block_correlated
    >>> from pages.your_data.trial.training import MethodSpec
    >>> from pages.your_data.trial.trial import PreparedTrial, Trial, trial_states
    >>> X, y = make_block_correlated(
    ...     60, (6, 5), noise=0.01, scaling="unit variance", random_state=0
    ... )
    >>> trial = Trial((MethodSpec("smm", c=10.0, share=0.1), MethodSpec("lsvm", c=10.0)))
    >>> *_, state = trial_states(PreparedTrial(trial, X, (y > 0).astype(int)))
    >>> [result.spec.method for result in state.results]
    ['smm', 'lsvm']
    """
    at, order = state or TrialState(), prepared.order
    for split, given in order[len(at.results) :]:
        begin = process_time()
        if prepared.trial.search and at.spec is None:
            for found in _search(prepared, split, given, at):
                before = at.seconds
                at, begin = add_time(at, begin, search=found)
                at = at._replace(searched=at.searched + at.seconds - before)
                yield at
                begin = process_time()
                if _is_spent(prepared, at, len(order)):
                    break
        best = at.search.best if at.search else None
        spec = at.spec or (best.spec if best else given)
        at = at._replace(spec=spec)
        fold = prepared.fold(split)
        for fits, progress in train_classes(fold.part, spec, at.fits, at.progress):
            at, begin = add_time(at, begin, fits=fits, progress=progress)
            yield at
            begin = process_time()
        at = at._replace(progress=None, fits=finished_fits(at.fits, at.progress))
        done = _test(split, spec, at, fold)
        at = TrialState((*at.results, done), searched=at.searched, steps=at.steps)
        yield at


def _search(
    prepared: PreparedTrial, split: int, given: MethodSpec, at: TrialState
) -> Iterator[SearchState]:
    if _is_spent(prepared, at, len(prepared.order)):
        return
    grid = grid_paths(given.method, *prepared.shape)
    folds = len(prepared.inner(split))
    yield from search(grid, lambda number: prepared.inner_fold(split, number), folds, at.search)


def _is_spent(prepared: PreparedTrial, at: TrialState, tests: int) -> bool:
    """Return whether the search of the current test has used up its part of the budget.

    It has an equal part and what earlier searches left of theirs. A search may exceed its part by
    one step, which does not shorten the next.
    """
    number, plan = len(at.results), prepared.trial
    if plan.paths is not None and number < len(plan.paths):
        return (at.search.paths if at.search else 0) >= plan.paths[number]
    before = min(at.searched - at.seconds, plan.budget * number / tests)
    return before + at.seconds > plan.budget * (number + 1) / tests


def add_time(at: TrialState, begin: float, **changes: Any) -> tuple[TrialState, float]:
    """Return the next state, with the processor time since `begin`, and the time now."""
    now = process_time()
    return at._replace(seconds=at.seconds + now - begin, steps=at.steps + 1, **changes), now


def new_results(states: Iterable[TrialState]) -> Iterator[Any]:
    """Yield each result of a trial as soon as a state has it."""
    done = 0
    for state in states:
        yield from state.results[done:]
        done = len(state.results)


def _test(split: int, spec: MethodSpec, at: TrialState, fold: Fold) -> SplitResult:
    W, b, alpha, rank, primal, gap, certified, C, weight = map(np.array, zip(*at.fits, strict=True))
    decision = decision_values(fold.held_out, W, b)
    best = at.search.best if at.search else None
    return SplitResult(
        split,
        spec,
        fold.scaling,
        W,
        b,
        fold.truth,
        decision,
        int(np.count_nonzero(predicted_class(decision) == fold.truth)),
        alpha,
        rank,
        primal,
        gap,
        certified,
        C,
        weight,
        at.seconds,
        best.right / best.of if best else np.nan,
        at.search.tried if at.search else (),
        at.search.paths if at.search else 0,
    )
