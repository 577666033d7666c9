"""Least squares with the trace norm as a scikit-learn regressor of matrices."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from smmcore.estimators.base import Callback, SampleEstimator
from smmcore.iterate import observe
from smmcore.penalties import Ball, TraceNorm, WeightedNorm
from smmcore.problems import RegularizedLS
from smmcore.problems.samples import by_blocks
from smmcore.solvers import proximal_gradient, solve_to_gap

Array = NDArray[np.float64]


class TraceNormRegressor(RegressorMixin, SampleEstimator):  # type: ignore[misc]
    """Least squares on matrix samples with the trace norm, by accelerated proximal gradient.

    Minimises 1/2 sum_i (y_i - <Theta, X_i> - b)^2 + eta ||Theta||_F^2 + lam ||Theta||_tr, or, for
    a given radius, without the last term over ||Theta||_tr <= radius. It stops at a given duality
    gap.

    Parameters
    ----------
    lam : float, default=1.0
        Weight of the trace norm, positive; not used with a radius.
    shape : tuple of int, optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples.
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
    coef_ : ndarray of shape (p, q), or (p,) where samples are vectors, or (p q,) with `shape`
        Theta, exactly low rank.
    intercept_ : float
    rank_ : int
    singular_values_ : ndarray of shape (min(p, q),)
    objective_, dual_gap_ : float
        The objective at `coef_`, and an upper bound of its distance to the optimum.
    n_iter_ : int
    n_features_in_ : int
        p, or p q with `shape`.

    See Also
    --------
    SupportMatrixMachine, RegularizedGLM

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
        "lam": [Interval(Real, 0, None, closed="neither")],
        "shape": [tuple, list, None],
        "radius": [Interval(Real, 0, None, closed="neither"), None],
        "eta": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
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

    def fit(self, X: ArrayLike, y: ArrayLike, *, callback: Callback | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X, callback
            As in `SupportMatrixMachine`.
        y : array-like of shape (n,)
            Numbers.

        Returns
        -------
        self

        Warns
        -----
        ConvergenceWarning
            As in `SupportMatrixMachine`.
        RuntimeWarning
            If all coefficients are 0 though y is not constant, with the likely cause.
        """
        self._validate_params()
        least = 2 if self.fit_intercept else 1  # the offset alone explains a single sample
        samples, y = self._fit_samples(X, y, ensure_min_samples=least, y_numeric=True)
        y = np.asarray(y, dtype=float)
        rows, norm = samples.reshape(len(samples), -1), TraceNorm(samples.shape[1:])
        mean, offset = np.zeros(rows.shape[1]), 0.0
        if self.fit_intercept:  # the best offset for a theta is mean(y) - <theta, mean>
            mean = rows.mean(axis=0, dtype=float)
            offset = float(y[0] + (y - y[0]).mean())  # exact if all are equal
        penalty = WeightedNorm(norm, self.lam) if self.radius is None else Ball(norm, self.radius)
        problem = RegularizedLS(rows - mean, y - offset, penalty, eta=self.eta)
        states = observe(proximal_gradient(problem), callback)
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
        # A copy, as the arrays of a solver's state are read-only.
        self.coef_ = proof.theta.reshape(-1 if self._is_flat else self._sample_shape).copy()
        Theta = np.atleast_2d(self.W_)
        self.singular_values_ = np.linalg.svd(Theta, compute_uv=False)
        floor = max(Theta.shape) * np.finfo(float).eps * self.singular_values_[0]
        self.rank_ = int(np.count_nonzero(self.singular_values_ > floor))
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

    @property
    def W_(self) -> Array:
        """`coef_` in the shape of a sample, also where X and `coef_` are flat."""
        return np.reshape(self.coef_, self._sample_shape)

    def _cause_of_zero(self, lam_max: float) -> str:
        if self.radius is not None:
            return "No feature is correlated with y."
        return (
            f"lam_max, the smallest lam with this result, is {lam_max:.3g}, and lam is "
            f"{self.lam:g}: choose a smaller lam, or scale X or y up."
        )

    def predict(self, X: ArrayLike) -> Array:
        """Return the value of the model at each sample, shape (n,); X as for `fit`."""
        samples, theta = self._samples(X), np.ravel(self.coef_)
        return by_blocks(samples, lambda X: X.reshape(len(X), -1) @ theta) + self.intercept_
