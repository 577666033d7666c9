"""Trials of regression: a target of numbers is predicted from matrices, by three methods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.your_data.trial.grid import LAM_SHARES
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.training import SEARCH_GAP, STEP_WORK, Fold
from pages.your_data.trial.trial import PreparedSamples, add_time, new_results
from smmcore.estimators.scaling import Scaling, check_scaling
from smmcore.penalties import TraceNorm, WeightedNorm
from smmcore.problems.regression import RegularizedLS
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.proximal import ProximalState, proximal_gradient

Array = NDArray[np.float64]

REGRESSIONS = {"mean": "mean", "ridge": "ridge", "trace": "nuclear norm"}
# The grids, from the strongest regularisation on: shares of lambda_max and of ||Phi||_2^2.
RIDGE_SHARES = np.logspace(1, -6, 22).tolist()
SHARES: dict[str, list[float]] = {"trace": LAM_SHARES, "ridge": RIDGE_SHARES}
TOL, MAX_ITER = 1e-6, 10_000  # those of `TraceNormRegressor`
CONSTANT = 1e-12  # relative range below which a target counts as constant
SMALLEST, LARGEST = 1e-40, 1e40  # magnitudes of a target: their squares are finite and not 0


@dataclass(frozen=True)
class RegressionTrial:
    """Regression of a target on matrices, and the scheme by which it is tested.

    "trace" minimises 1/2 sum_i (y_i - <W, X_i> - b)^2 + lambda ||W||_*, as `TraceNormRegressor`;
    "ridge" minimises sum_i (y_i - <W, X_i> - b)^2 + alpha ||W||_F^2, as scikit-learn's `Ridge` on
    flattened samples; "mean" predicts the mean of the training part.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank
    >>> from pages.your_data.trial.regression_trial import RegressionTrial
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> results = list(RegressionTrial(lam=0.05, ridge=0.1).run(X, y))
    >>> [result.method for result in results]
    ['mean', 'ridge', 'trace']
    >>> results[0].r2 < results[1].r2 < results[2].r2
    True
    """

    # Lambda / lambda_max, above 0; lambda_max is the smallest lambda with W = 0. By default it is
    # chosen by cross-validation in each training part.
    lam: float | None = None
    # Alpha / ||Phi||_2^2, above 0; the rows of Phi are the scaled training samples less their
    # mean. By default it is chosen by cross-validation in each training part.
    ridge: float | None = None
    scaling: str = "none"  # of the samples; the target is not scaled
    # "class" is the same as "chance", as there are no classes
    scheme: Scheme = field(default_factory=lambda: Scheme(by="chance"))
    # Steps before the scaling; none by default
    preprocessing: Preprocessing = field(default_factory=Preprocessing)

    def __post_init__(self) -> None:
        check_scaling(self.scaling)
        for name in ("lam", "ridge"):
            share = getattr(self, name)
            if share is not None and not 0 < share < np.inf:
                raise ValueError(f"{name} must be positive and finite, got {share!r}")

    def share(self, method: str) -> float | None:
        """Return the given weight of a method, None if it is to be chosen."""
        return {"trace": self.lam, "ridge": self.ridge, "mean": 0.0}[method]

    def run(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> Iterator[RegressionResult]:
        """Train and test, and yield the result of each split and method."""
        prepared = PreparedRegression(self, X, y, groups, test)
        yield from new_results(regression_states(prepared))


class RegressionFit(NamedTuple):
    """The solution of a method on a training part."""

    W: Array  # (p, q)
    b: float
    weight: float  # lambda or alpha; NaN of the mean
    gap: float = np.nan  # relative to that of W = 0; only of the nuclear norm
    certified: bool = True


class RegressionPart:
    """Scaled training samples with the values of their target, and the problems on them."""

    def __init__(self, X: Array, y: Array) -> None:
        if len(y) < 2:
            raise ValueError("a training part has a single sample; it takes two or more")
        if np.ptp(y) <= CONSTANT * np.abs(y).max():
            raise ValueError(
                f"the target is {y[0]:g}, up to rounding, in all {len(y):,} samples of a training "
                "part: there is nothing to predict"
            )
        if np.ptp(X, axis=0).max() <= CONSTANT * np.abs(X).max():
            raise ValueError("all samples of a training part are equal: there is nothing to learn")
        self.shape, rows = X.shape[1:], X.reshape(len(X), -1)
        # The best offset for a theta is offset - <theta, mean>.
        self.mean, self.offset = rows.mean(axis=0), float(y[0] + (y - y[0]).mean())
        self.norm = TraceNorm(self.shape)
        self.problem = RegularizedLS(
            rows - self.mean, y - self.offset, WeightedNorm(self.norm, 1.0)
        )

    @cached_property
    def lam_max(self) -> float:
        """The smallest lambda with W = 0."""
        return self.problem.lam_max(self.norm)

    @cached_property
    def step(self) -> int:
        """The number of iterations between two yields, about a second."""
        return int(np.clip(STEP_WORK / self.problem.Phi.size, 20, 2_000))

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        """The eigenvalues, ascending, and eigenvectors of the smaller of Phi Phi' and Phi'Phi."""
        from scipy.linalg import eigh

        Phi = self.problem.Phi
        values, vectors = eigh(Phi @ Phi.T if self._is_wide else Phi.T @ Phi)
        return np.maximum(values, 0.0), vectors

    @property
    def _is_wide(self) -> bool:
        n, d = self.problem.Phi.shape
        return bool(n < d)

    def fit(
        self, method: str, share: float, tol: float = TOL, start: ProximalState | None = None
    ) -> tuple[RegressionFit, ProximalState | None]:
        """Fit a method, the nuclear norm for `step` iterations at most."""
        if method == "trace":
            lam = share * self.lam_max or np.finfo(float).tiny  # 0 if y is orthogonal to X
            problem = self.problem.with_penalty(WeightedNorm(self.norm, lam))
            states = proximal_gradient(problem, start=start)
            proof, state = solve_to_gap(problem, states, tol, self.step)
            return self._fit(proof.theta, lam, proof.relative_gap, proof.within(tol)), state
        if method == "mean":
            return self._fit(np.zeros(len(self.mean)), np.nan), None
        alpha = share * float(self._spectrum[0][-1])
        return self._fit(self._ridge(alpha), alpha), None

    def _ridge(self, alpha: float) -> Array:
        values, vectors = self._spectrum
        Phi, y = self.problem.Phi, self.problem.y
        moment = y if self._is_wide else Phi.T @ y
        solved = vectors @ ((vectors.T @ moment) / (values + alpha))
        return np.asarray(Phi.T @ solved if self._is_wide else solved)

    def _fit(self, theta: Array, weight: float, *proof: Any) -> RegressionFit:
        b = self.offset - float(self.mean @ theta)
        return RegressionFit(theta.reshape(self.shape), b, weight, *proof)


class RegressionResult(NamedTuple):
    """The result of one method in one split."""

    split: int
    method: str
    scaling: Scaling
    share: float  # that was given or chosen
    fit: RegressionFit  # for scaled samples, after the preprocessing
    truth: Array  # (n_test,), of the test samples
    predicted: Array  # (n_test,)
    singular_values: Array  # of W
    rank: int
    seconds: float  # of processor time
    tried: tuple[tuple[float, float], ...] = ()  # share, and root mean square error in folds

    @property
    def rmse(self) -> float:
        """The root mean square error on the test samples."""
        return float(np.sqrt(np.mean((self.truth - self.predicted) ** 2)))

    @property
    def r2(self) -> float:
        """1 - sum (y - f)^2 / sum (y - mean y)^2 on the test samples; NaN if all y are equal."""
        total = np.mean((self.truth - self.truth.mean()) ** 2)
        return float(1 - self.rmse**2 / total) if total else np.nan


class RegressionState(NamedTuple):
    """The progress of a trial of regression, from which it resumes."""

    results: tuple[RegressionResult, ...] = ()
    errors: tuple[tuple[float, ...], ...] = ()  # sums of squares by fold and share of the search
    share: float | None = None  # of the method under way, once it is given or chosen
    solver: ProximalState | None = None
    seconds: float = 0.0  # of this method
    steps: int = 0  # of the whole trial


class PreparedRegression(PreparedSamples[RegressionPart]):
    """A trial of regression with its samples, which are split and scaled when they are needed.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank
    >>> from pages.your_data.trial.regression_trial import PreparedRegression, RegressionTrial
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> PreparedRegression(RegressionTrial(), X, y).order
    [(0, 'mean'), (0, 'ridge'), (0, 'trace')]
    """

    def __init__(
        self,
        trial: RegressionTrial,
        X: NDArray[Any],
        y: NDArray[Any],
        groups: NDArray[Any] | None = None,
        test: NDArray[Any] | None = None,
    ) -> None:
        check_target(y)
        strata = np.zeros(len(y), np.intp)
        super().__init__(trial, X, np.asarray(y, dtype=float), strata, groups, test)
        self.trial = trial

    def _training_part(self, X: Array, y: Array) -> RegressionPart:
        return RegressionPart(X, y)

    @property
    def order(self) -> list[tuple[int, str]]:
        """The pairs of split and method, in the order in which they are tested."""
        return [(s, method) for s in range(len(self.splits)) for method in REGRESSIONS]


def is_finished(fit: RegressionFit, solver: ProximalState | None) -> bool:
    """Return whether a fit is certified, or its solver at the limit of iterations."""
    return fit.certified or (solver is not None and solver.k >= MAX_ITER)


def check_target(y: NDArray[Any]) -> None:
    """Refuse a target that is not a finite number of moderate size for each sample."""
    if y.ndim != 1 or y.dtype.kind not in "biuf":
        raise ValueError(f"the target must be a vector of numbers, got {y.ndim}-D {y.dtype}")
    largest = float(np.abs(y.astype(float)).max(initial=0.0))
    if not SMALLEST < largest < LARGEST:
        raise ValueError(
            f"the largest number of the target is {largest:g}; it must be finite and between "
            f"{SMALLEST:g} and {LARGEST:g}"
        )


def regression_states(
    prepared: PreparedRegression, state: RegressionState | None = None
) -> Iterator[RegressionState]:
    """Run a trial of regression to its end from a state, in steps of about a second or less.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank
    >>> from pages.your_data.trial.regression_trial import (
    ...     PreparedRegression, RegressionTrial, regression_states
    ... )
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> prepared = PreparedRegression(RegressionTrial(lam=0.05, ridge=0.1), X, y)
    >>> *_, state = regression_states(prepared)
    >>> [(result.method, result.fit.certified) for result in state.results]
    [('mean', True), ('ridge', True), ('trace', True)]
    """
    at = state or RegressionState()
    for split, method in prepared.order[len(at.results) :]:
        share = prepared.trial.share(method) if at.share is None else at.share
        if share is None:
            for searched in _search(prepared, split, method, at):
                yield (at := searched)
            best = int(np.sum(at.errors, axis=0).argmin())  # among equals the strongest
            share = SHARES[method][best]
            at = at._replace(share=share, solver=None)  # a cold start, as the estimator's
        fold, begin = prepared.fold(split), process_time()
        while True:
            fit, solver = fold.part.fit(method, share, start=at.solver)
            at, begin = add_time(at, begin, share=share, solver=solver)
            if is_finished(fit, solver):
                break
            yield at
            begin = process_time()
        sigma = np.asarray(np.linalg.svd(fit.W, compute_uv=False), float)
        result = RegressionResult(
            split,
            method,
            fold.scaling,
            share,
            fit,
            fold.truth,
            _predict(fold, fit),
            sigma,
            int(np.linalg.matrix_rank(fit.W)),
            at.seconds,
            _tried(prepared, split, method, at),
        )
        at = RegressionState((*at.results, result), steps=at.steps)
        yield at


def _search(
    prepared: PreparedRegression, split: int, method: str, at: RegressionState
) -> Iterator[RegressionState]:
    """Try all shares in each fold of the training part, each from the solution before."""
    shares = SHARES[method]
    for number in range(len(prepared.inner(split))):
        errors = at.errors[number] if number < len(at.errors) else ()
        for share in shares[len(errors) :]:
            begin = process_time()
            fold = prepared.inner_fold(split, number)
            fit, solver = fold.part.fit(method, share, SEARCH_GAP, at.solver if errors else None)
            errors = (*errors, float(np.sum((fold.truth - _predict(fold, fit)) ** 2)))
            every = (*at.errors[:number], errors)
            at, _ = add_time(at, begin, errors=every, solver=solver)
            yield at


def _predict(fold: Fold[RegressionPart], fit: RegressionFit) -> Array:
    """Return the predictions for the samples that a fold holds out."""
    return np.asarray(fold.held_out.reshape(len(fold.truth), -1) @ fit.W.ravel() + fit.b)


def _tried(
    prepared: PreparedRegression, split: int, method: str, at: RegressionState
) -> tuple[tuple[float, float], ...]:
    if not at.errors:
        return ()
    count = sum(len(held_out) for _, held_out in prepared.inner(split))
    errors = np.sqrt(np.sum(at.errors, axis=0) / count)
    return tuple(zip(SHARES[method], errors.tolist(), strict=True))
