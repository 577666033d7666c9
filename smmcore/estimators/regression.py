"""Regularised least squares as scikit-learn regressors: sparse vectors and low-rank matrices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from smmcore.estimators.base import Callback, SampleEstimator
from smmcore.iterate import observe
from smmcore.penalties import L12, Ball, Lp, Norm, TraceNorm, WeightedNorm
from smmcore.problems import LSCertificate, RegularizedLS, differences, gaussian_design
from smmcore.problems.samples import Samples, as_doubles, by_blocks
from smmcore.solvers import balanced_admm, proximal_gradient
from smmcore.solvers.certified import State, solve_to_gap

Array = NDArray[np.float64]


class LSRegressor(RegressorMixin, SampleEstimator):  # type: ignore[misc]
    """Least squares with a norm of the coefficients as a penalty or as a constraint."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "lam": [Interval(Real, 0, None, closed="neither")],
        "radius": [Interval(Real, 0, None, closed="neither"), None],
        "eta": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def fit(self, X: ArrayLike, y: ArrayLike, *, callback: Callback | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Where samples may be matrices (n, p, q), or (n, p q) with `shape`.
        y : array-like of shape (n,)
            Numbers.
        callback : callable, optional
            Called with each state of the solver. If it raises StopIteration, as a callback of
            `scipy.optimize` may, the fit ends with this state. What it returns is not used.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or an array is out of range.

        Warns
        -----
        ConvergenceWarning
            If `tol` was not reached, also because of the callback; the message gives the
            tolerance that was.
        RuntimeWarning
            If all coefficients are 0 though y is not constant, with the likely cause.
        """
        self._validate_params()
        least = 2 if self.fit_intercept else 1  # the offset alone explains a single sample
        samples, y = self._fit_samples(X, y, ensure_min_samples=least, y_numeric=True)
        y = np.asarray(y, dtype=float)
        rows, norm, F = self._model(samples)
        mean, offset = np.zeros(rows.shape[1]), 0.0
        if self.fit_intercept:  # the best offset for a theta is mean(y) - <theta, mean>
            mean = rows.mean(axis=0, dtype=float)
            offset = float(y[0] + (y - y[0]).mean())  # exact if all are equal
        penalty = WeightedNorm(norm, self.lam) if self.radius is None else Ball(norm, self.radius)
        problem = RegularizedLS(rows - mean, y - offset, penalty, F, self.eta)
        states = observe(self._states(problem), callback)
        proof, state = solve_to_gap(problem, states, self.tol, self.max_iter)
        if not proof.within(self.tol):
            warn(
                f"The duality gap is {proof.relative_gap:.1e} of that of zero coefficients after "
                f"{state.k} iterations, tol={self.tol} was not reached. Increase max_iter, tol or "
                "the penalty.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.intercept_ = offset - float(mean @ proof.theta)
        self.objective_ = proof.primal
        self.dual_gap_ = proof.gap
        self.n_iter_ = state.k
        self._keep(proof)
        if problem.y.any() and not proof.theta.any():
            cause = (
                self._cause_of_zero(problem.lam_max(norm))
                if proof.within(self.tol)
                else "The fit did not converge."
            )
            warn(
                f"{type(self).__name__} found coefficients that are all 0, so it predicts "
                f"{self.intercept_:.3g} for every sample. {cause}",
                RuntimeWarning,
                stacklevel=2,
            )
        return self

    def _cause_of_zero(self, lam_max: float) -> str:
        if self.radius is not None:
            return "No feature is correlated with y."
        return (
            f"lam_max, the smallest lam with this result, is {lam_max:.3g}, and lam is "
            f"{self.lam:g}: choose a smaller lam, or scale X or y up."
        )

    def predict(self, X: ArrayLike) -> Array:
        """Return the value of the model at each sample.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples of the shape of the training samples, which may be (p, q).

        Returns
        -------
        ndarray of shape (n,)

        Raises
        ------
        ValueError
            If X has another shape or is not finite.
        """
        samples, theta = self._samples(X), np.ravel(self.coef_)
        return by_blocks(samples, lambda X: self._rows(X) @ theta) + self.intercept_

    @abstractmethod
    def _model(self, samples: Samples) -> tuple[Array, Norm, Array | None]:
        """Return the design of the training samples, the norm, and the matrix F or None."""

    def _rows(self, samples: Samples) -> Array:
        """Return the design of samples: their entries as rows."""
        return samples.reshape(len(samples), -1)

    @abstractmethod
    def _states(self, problem: RegularizedLS) -> Iterable[State]:
        """Return the solver."""

    @abstractmethod
    def _keep(self, proof: LSCertificate) -> None:
        """Set the attributes that only this model has."""


class SparseRegressor(LSRegressor):
    """Sparse least squares by ADMM: l1, l1 + l2, l_{1,2}, fused; linear or Gaussian kernel model.

    Minimises 1/2 ||y - Phi theta - b||^2 + eta ||theta||^2 + lam ||F theta||, or, for a given
    radius, without the last term over ||F theta|| <= radius, and stops at a given duality gap.
    scikit-learn's Lasso and ElasticNet divide by n: alpha l1_ratio = lam / n,
    alpha (1 - l1_ratio) = 2 eta / n.

    Parameters
    ----------
    penalty : {"l1", "l1,2", "fused"}, default="l1"
        The norm: l1 of the coefficients, the sum of the l2 norms of groups of coefficients, or l1
        of the differences of neighbours.
    lam : float, default=1.0
        Weight of the norm, positive; not used with a radius.
    radius : float, optional
        Bound of the norm in the constrained form; the book writes R^2 for l1 and fused.
    eta : float, default=0.0
        Weight of ||theta||^2, which turns l1 into l1 + l2.
    groups : array-like of shape (b,), optional
        For "l1,2": the group label of each coefficient.
    h : float, optional
        Width of the Gaussian kernel model, whose centres are the samples; by default the model is
        linear in X.
    fit_intercept : bool, default=True
        Whether there is an offset b; the book has none. With "fused" and rows of equal sums, such
        as X = I, it cannot be distinguished from the level of the coefficients: leave it out.
    tol : float, default=1e-6
        The fit ends when `dual_gap_` is at most tol times the least objective with F theta = 0,
        which is 1/2 ||y - mean(y)||^2 except for "fused".
    max_iter : int, default=10000
        The maximum number of iterations.

    Attributes
    ----------
    coef_ : ndarray of shape (b,)
        theta, exactly sparse; with "fused" its differences are 0 up to rounding.
    intercept_ : float
    centres_ : ndarray of shape (n, d)
        The centres of the Gaussian kernel model.
    objective_, dual_gap_ : float
        The objective at `coef_`, and an upper bound of its distance to the optimum.
    n_iter_ : int
    n_features_in_ : int

    References
    ----------
    Sugiyama, Introduction to Statistical Machine Learning, sections 24.1 to 24.4.4.

    Examples
    --------
    >>> from smmcore import SparseRegressor
    >>> from smmcore.datasets import make_feature_groups
    >>> X, y, coef = make_feature_groups(random_state=0)
    >>> model = SparseRegressor("l1,2", lam=30.0, groups=[j // 5 for j in range(40)]).fit(X, y)
    >>> [j for j in range(40) if model.coef_[j]]  # two of eight groups
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """

    _max_ndim = 2

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LSRegressor._parameter_constraints,
        "penalty": [StrOptions({"l1", "l1,2", "fused"})],
        "groups": ["array-like", None],
        "h": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        penalty: Literal["l1", "l1,2", "fused"] = "l1",
        lam: float = 1.0,
        *,
        radius: float | None = None,
        eta: float = 0.0,
        groups: ArrayLike | None = None,
        h: float | None = None,
        fit_intercept: bool = True,
        tol: float = 1e-6,
        max_iter: int = 10_000,
    ) -> None:
        self.penalty = penalty
        self.lam = lam
        self.radius = radius
        self.eta = eta
        self.groups = groups
        self.h = h
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _model(self, samples: Samples) -> tuple[Array, Norm, Array | None]:
        if self.h is not None:
            self.centres_ = np.array(samples[:, :, 0], dtype=float)  # a copy, not the caller's X
        rows = self._rows(samples)
        b = rows.shape[1]
        if self.penalty == "fused":
            return rows, Lp(1), differences(b) if b > 1 else np.zeros((1, 1))
        if self.penalty == "l1":
            return rows, Lp(1), None
        labels = np.asarray(self.groups)
        if labels.shape != (b,):
            raise ValueError(
                f'penalty="l1,2" needs groups of shape ({b},), one label per coefficient, '
                f"got {labels.shape if self.groups is not None else None}"
            )
        return rows, L12(tuple(np.unique(labels, return_inverse=True)[1].tolist())), None

    def _rows(self, samples: Samples) -> Array:
        X = super()._rows(samples)
        return X if self.h is None else gaussian_design(as_doubles(X), self.centres_, self.h)

    def _states(self, problem: RegularizedLS) -> Iterable[State]:
        return balanced_admm(problem)

    def _keep(self, proof: LSCertificate) -> None:
        self.coef_ = proof.theta.copy()  # the arrays of a solver's state are read-only


class TraceNormRegressor(LSRegressor):
    """Least squares on matrix samples with the trace norm, by accelerated proximal gradient.

    Minimises 1/2 sum_i (y_i - <Theta, X_i> - b)^2 + eta ||Theta||_F^2 + lam ||Theta||_tr, or, for
    a given radius, without the last term over ||Theta||_tr <= radius. It stops at a given duality
    gap.

    Parameters
    ----------
    lam : float, default=1.0
        Weight of the trace norm, positive; not used with a radius.
    shape : tuple of int, optional
        (p, q), for flat X of shape (n, p q), as scikit-learn's own tools and data frames have it:
        each matrix row by row. By default the samples of flat X are vectors.
    radius : float, optional
        R, the bound of the trace norm in the constrained form.
    eta : float, default=0.0
        Weight of ||Theta||_F^2; the penalty is then an elastic net of the singular values.
    fit_intercept : bool, default=True
        Whether there is an offset b; the book has none.
    tol : float, default=1e-6
        The fit ends when `dual_gap_` is at most tol times 1/2 ||y - mean(y)||^2.
    max_iter : int, default=10000
        The maximum number of iterations.

    Attributes
    ----------
    coef_ : ndarray of shape (p, q), or (p,) where samples are vectors
        Theta, exactly low rank.
    intercept_ : float
    rank_ : int
    singular_values_ : ndarray of shape (min(p, q),)
    objective_, dual_gap_ : float
        The objective at `coef_`, and an upper bound of its distance to the optimum.
    n_iter_ : int
    n_features_in_ : int
        p, or p q with `shape`.

    References
    ----------
    Sugiyama, Introduction to Statistical Machine Learning, section 24.4.5.

    Examples
    --------
    >>> from smmcore import TraceNormRegressor
    >>> from smmcore.datasets import make_low_rank
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> model = TraceNormRegressor(lam=5.0).fit(X, y)
    >>> model.coef_.shape, model.rank_
    ((12, 10), 3)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LSRegressor._parameter_constraints,
        "shape": [tuple, list, None],
    }

    def __init__(
        self,
        lam: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        radius: float | None = None,
        eta: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-6,
        max_iter: int = 10_000,
    ) -> None:
        self.lam = lam
        self.shape = shape
        self.radius = radius
        self.eta = eta
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _model(self, samples: Samples) -> tuple[Array, Norm, Array | None]:
        return self._rows(samples), TraceNorm(samples.shape[1:]), None

    def _states(self, problem: RegularizedLS) -> Iterable[State]:
        return proximal_gradient(problem)

    def _keep(self, proof: LSCertificate) -> None:
        self.coef_ = proof.theta.reshape(self._sample_shape).copy()
        Theta = np.atleast_2d(self.coef_)
        self.singular_values_ = np.linalg.svd(Theta, compute_uv=False)
        floor = max(Theta.shape) * np.finfo(float).eps * self.singular_values_[0]
        self.rank_ = int(np.count_nonzero(self.singular_values_ > floor))
