"""A trial: methods trained on parts of the samples and tested on the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smmcore.model_selection.grid import Search, Tried, named, search, strands
from smmcore.model_selection.machines import METHODS, Fit, Machine, Part, Way, fit
from smmcore.model_selection.scaling import SCALINGS, Scaling
from smmcore.model_selection.splits import Scheme, Split

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Trial:
    """What is trained and how it is tested.

    Parameters
    ----------
    machines : tuple of Machine
        Methods and their weights; where weights are searched for, those that serve if not even one
        could be tried.
    scaling : {"none", "unit length", "z-score"}
    scheme : Scheme
    search : bool
        Whether weights are chosen by cross-validation in each training part.
    budget : float
        Seconds of processor time for all searches together: when they are spent, the best of what
        was tried counts. Each split and method has its equal part, and what those before left.
    strands : tuple of int, optional
        In place of the budget how many strands of the grid (see `strands`) are tried, for each
        split and machine in turn, as far as it goes: to repeat what a budget has come to.
    """

    machines: tuple[Machine, ...]
    scaling: str = "none"
    scheme: Scheme = field(default_factory=Scheme)
    search: bool = False
    budget: float = 60.0
    strands: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        methods = [machine.method for machine in self.machines]
        if not methods or len(set(methods)) < len(methods) or set(methods) - set(METHODS):
            raise ValueError(f"methods must be among {METHODS}, each once, got {methods}")
        if self.scaling not in SCALINGS:
            raise ValueError(f"the scaling must be one of {SCALINGS}, got {self.scaling!r}")
        if not self.budget >= 0:
            raise ValueError(f"the budget must be at least 0 seconds, got {self.budget:g}")

    def tested(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> Iterator[Tested]:
        """Train and test from the beginning to the end; what comes of each split and method."""
        done = 0
        for state in states(Material(self, X, np.unique(y, return_inverse=True)[1], groups, test)):
            yield from state.tested[done:]
            done = len(state.tested)


class Tested(NamedTuple):
    """What one method has come to in one split; K' = 1 for two classes, else K' = K."""

    split: int
    machine: Machine  # at the weights that were given, or chosen
    scaling: Scaling
    W: Array  # (K', p, q), of scaled samples
    b: Array  # (K',)
    decision: Array  # (n_test, K'), positive for class 1 of two, or for class k
    right: int  # of the test samples
    alpha: Array  # (K', n_train), dual variables, in the units of C; of R-GLM none is 0
    rank: Rows  # (K',)
    primal: Array  # (K',), P(W, b)
    gap: Array  # (K',), relative
    certified: NDArray[np.bool_]  # (K',)
    C: Array  # (K',), in the units of the scaled samples; NaN for R-GLM
    weight: Array  # (K',), tau or lambda; NaN where there is none
    seconds: float  # of processor time
    validated: float = np.nan  # accuracy in cross-validation, of the weights that it chose
    tried: tuple[Tried, ...] = ()  # cells of the grid
    strands: int = 0

    @property
    def accuracy(self) -> float:
        """The share of the test samples that it gets right."""
        return self.right / len(self.decision)


class State(NamedTuple):
    """How far a trial has got."""

    tested: tuple[Tested, ...] = ()
    search: Search | None = None  # of the machine under way
    machine: Machine | None = None  # the one that it takes
    fits: tuple[Fit, ...] = ()  # its classes
    way: Way | None = None  # of its next class
    seconds: float = 0.0  # of this machine
    searched: float = 0.0  # seconds of all searches
    steps: int = 0  # that were done at all


class Fold(NamedTuple):
    """What is trained on, and what is held out."""

    part: Part
    held: Array  # (m, p, q), scaled like the part
    truth: Rows  # (m,), their classes
    scaling: Scaling


class Material:
    """The samples of a trial, split and scaled, and the problems on them while they are needed.

    Parameters
    ----------
    trial : Trial
    X : ndarray of shape (n, p, q)
        What is NaN or infinite is filled in, from each training part alone (see `Scaling`).
    y : ndarray of shape (n,)
        Classes, 0 to K - 1.
    groups, test : ndarray of shape (n,), optional
        See `Scheme.splits`.
    """

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
        self._kept: dict[tuple[int, int | None], Fold] = {}

    @cached_property
    def splits(self) -> list[Split]:
        """Rows to train on and rows to test on."""
        return self.trial.scheme.splits(self.y, self.groups, self.own)

    @property
    def order(self) -> list[tuple[int, Machine]]:
        """Split by split, method by method."""
        return [(s, machine) for s in range(len(self.splits)) for machine in self.trial.machines]

    def fold(self, split: int) -> Fold:
        """The training part of a split, and its test part."""
        return self._fold(split, None, *self.splits[split])

    def inner(self, split: int) -> list[Split]:
        """The training part of a split, divided anew to choose weights."""
        train, _ = self.splits[split]
        groups = None if self.groups is None else self.groups[train]
        folds = self.trial.scheme.folds(self.y[train], groups)
        return [(train[rows], train[held]) for rows, held in folds]

    def inner_fold(self, split: int, number: int) -> Fold:
        """One of these."""
        return self._fold(split, number, *self.inner(split)[number])

    def _fold(self, split: int, number: int | None, train: Rows, held: Rows) -> Fold:
        if any(of != split for of, _ in self._kept):
            self._kept.clear()
        if (split, number) not in self._kept:
            scaling = Scaling.fitted(self.trial.scaling, self.X[train], self.gaps)
            part = Part(scaling(self.X[train]), self.y[train])
            self._kept[split, number] = Fold(part, scaling(self.X[held]), self.y[held], scaling)
        return self._kept[split, number]


def states(material: Material, state: State | None = None) -> Iterator[State]:
    """Yield how far a trial has got, in steps of about a second or less, to its end."""
    at, order = state or State(), material.order
    for split, given in order[len(at.tested) :]:
        begin = process_time()
        if material.trial.search and at.machine is None:
            for found in _searched(material, split, given, at):
                at, begin = _later(at, begin, search=found, searching=True)
                yield at
                begin = process_time()
                if _spent(material, at, len(order)):
                    break
        best = at.search.best if at.search else None
        machine = at.machine or (best.machine if best else given)
        at = at._replace(machine=machine)
        fold = material.fold(split)
        part = fold.part
        for k in part.positive[len(at.fits) :]:
            for way in fit(part, machine, k, at.way):
                at, begin = _later(at, begin, way=way)
                yield at
                begin = process_time()
            assert at.way is not None
            assert at.way.fit is not None
            at = at._replace(way=None, fits=(*at.fits, at.way.fit))
        done = _tested(split, machine, at, fold)
        at = State((*at.tested, done), searched=at.searched, steps=at.steps)
        yield at


def _searched(material: Material, split: int, given: Machine, at: State) -> Iterator[Search]:
    if _spent(material, at, len(material.order)):
        return
    grid = strands(given.method, *material.X.shape[1:])
    folds = len(material.inner(split))
    yield from search(grid, lambda number: material.inner_fold(split, number)[:3], folds, at.search)


def _spent(material: Material, at: State, machines: int) -> bool:
    """Whether this search is over: each has its part of the budget, and what those before left.

    What those before took too much, as they end a step of theirs, is not taken from this one.
    """
    number, plan = len(at.tested), material.trial
    if plan.strands is not None and number < len(plan.strands):
        return (at.search.strands if at.search else 0) >= plan.strands[number]
    before = min(at.searched - at.seconds, plan.budget * number / machines)
    return before + at.seconds > plan.budget * (number + 1) / machines


def _later(
    at: State, begin: float, *, searching: bool = False, **changes: Any
) -> tuple[State, float]:
    now = process_time()
    at = at._replace(
        seconds=at.seconds + now - begin,
        searched=at.searched + searching * (now - begin),
        steps=at.steps + 1,
        **changes,
    )
    return at, now


def _tested(split: int, machine: Machine, at: State, fold: Fold) -> Tested:
    W, b, alpha, rank, primal, gap, certified, C, weight = map(np.array, zip(*at.fits, strict=True))
    decision = fold.held.reshape(len(fold.held), -1) @ W.reshape(len(W), -1).T + b
    best = at.search.best if at.search else None
    return Tested(
        split,
        machine,
        fold.scaling,
        W,
        b,
        decision,
        int(np.count_nonzero(named(decision) == fold.truth)),
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
        at.search.strands if at.search else 0,
    )
