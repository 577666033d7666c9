"""The support matrix machine as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import ceil, isfinite, log10
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from smmcore.problems import Certificate, SMMProblem
from smmcore.solvers.admm import ADMMState, fast_admm

Array = NDArray[np.float64]

ROUGH = 1e-8  # an error of a margin that only rounding leaves
TINY = 1e-15


class SupportMatrixMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Support matrix machine: hinge loss and spectral elastic net on matrix samples.

    Minimises 1/2 ||W||_F^2 + tau ||W||_* + C sum_i [1 - y_i (<W, X_i> + b)]_+ by Algorithm 1 of the
    paper, and stops on a certificate: the duality gap, an upper bound of the error.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    tau : float, default=1.0
        Nuclear weight, at least 0; at 0 this is the linear soft-margin SVM.
    rho : float or "auto", default="auto"
        Penalty of the augmented Lagrangian. It changes the path, not the model.
    eta : float, default=0.999
        Restart threshold of the algorithm, strictly between 0 and 1.
    tol : float, default=1e-6
        The fit ends when `dual_gap_ <= tol * abs(objective_)`.
    max_iter : int, default=2000
        The fit ends after so many iterations in any case.

    Attributes
    ----------
    coef_ : ndarray of shape (p, q), or (K, p, q) with K > 2 classes, one against the rest
        The regression matrix W, exactly low rank; ||coef_ - W*||_F <= sqrt(2 dual_gap_).
    intercept_ : float, or ndarray of shape (K,)
    classes_ : ndarray of shape (2,) or (K,)
    dual_coef_ : ndarray of shape (n,), or (K, n)
        The dual variables alpha, 0 <= alpha <= C.
    support_ : ndarray
        Indices of the support matrices: the samples with alpha > 0 (for any of the K).
    objective_, dual_gap_ : float, or ndarray of shape (K,)
        P(coef_, intercept_), and how far above the optimum it is at most, up to the rounding of
        `intercept_`, which shows where the samples lie 1e9 times farther from 0 than apart.
    n_iter_, rank_ : int, or ndarray of shape (K,)
        Iterations done; rank of `coef_`.
    singular_values_ : ndarray of shape (min(p, q),), or (K, min(p, q))
        Those of `coef_`, descending.
    n_features_in_ : int
        p.

    Notes
    -----
    Samples that are vectors (X of shape (n, p)) are matrices with one column.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 6 and Algorithm 1.

    Examples
    --------
    >>> from smmcore import SupportMatrixMachine
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(200, (20, 25), 4, 1e-3, 5, "unit variance", 0)
    >>> machine = SupportMatrixMachine(C=1.0, tau=1.0).fit(X, y)
    >>> machine.dual_gap_ <= 1e-6 * machine.objective_
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "tau": [Interval(Real, 0, None, closed="left")],
        "rho": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "eta": [Interval(Real, 0, 1, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        tau: float = 1.0,
        *,
        rho: float | Literal["auto"] = "auto",
        eta: float = 0.999,
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.tau = tau
        self.rho = rho
        self.eta = eta
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the machine; X of shape (n, p, q) or (n, p), y any labels.

        Raises
        ------
        ValueError
            If a parameter or an array is out of range, or there is one class only.

        Warns
        -----
        ConvergenceWarning
            If `max_iter` iterations did not reach `tol`, with the gap that they did reach.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, allow_nd=True)
        samples = _as_matrices(X)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold at least two classes, got one class: {self.classes_[0]}")
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = [np.where(codes == k, 1.0, -1.0) for k in positive]
        base = SMMProblem(samples, signs[0], float(self.C), float(self.tau))
        proofs, iterations = [], []
        for k, y in zip(positive, signs, strict=True):
            proof, state = self._solve(base if y is signs[0] else base.with_labels(y))
            if not proof.within(self.tol):
                warn(self._excuse(proof, state, self.classes_[k]), ConvergenceWarning, stacklevel=2)
            proofs.append(proof)
            iterations.append(state.k)
        self.coef_ = _stack([proof.W for proof in proofs])
        self.intercept_ = _stack([proof.b for proof in proofs])
        self.dual_coef_ = _stack([proof.alpha.copy() for proof in proofs])
        self.objective_ = _stack([proof.primal for proof in proofs])
        self.dual_gap_ = _stack([proof.gap for proof in proofs])
        self.rank_ = _stack([proof.rank for proof in proofs])
        self.singular_values_ = _stack([proof.singular_values for proof in proofs])
        self.n_iter_ = _stack(iterations)
        self.support_ = np.flatnonzero(np.atleast_2d(self.dual_coef_).max(axis=0) > 0)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """<W, X_i> + b, shape (n,), positive for `classes_[1]`; (n, K) with K > 2 classes."""
        check_is_fitted(self)
        samples = _as_matrices(validate_data(self, X, dtype=float, allow_nd=True, reset=False))
        p, q = self.coef_.shape[-2:]
        if samples.shape[1:] != (p, q):
            raise ValueError(f"X must hold samples of shape {(p, q)}, got {samples.shape[1:]}")
        W = np.reshape(self.coef_, (-1, p * q))
        scores = samples.reshape(len(samples), -1) @ W.T + self.intercept_
        return np.asarray(scores[:, 0] if len(W) == 1 else scores)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of each sample, shape (n,)."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[chosen])

    def _solve(self, problem: SMMProblem) -> tuple[Certificate, ADMMState]:
        states = fast_admm(problem, rho=self.rho, eta=self.eta)
        return certified(problem, states, self.tol, self.max_iter)

    def _excuse(self, proof: Certificate, state: ADMMState, label: Any) -> str:
        against = f" for class {label} against the rest" if len(self.classes_) > 2 else ""
        advice = (
            "Rounding keeps the margins from being resolved: divide each feature by its standard "
            "deviation, or choose a smaller C."
            if state.margin_error > ROUGH
            else "Increase max_iter or tol; features far from size 1 may have to be scaled first."
        )
        return (
            f"The relative duality gap{against} is {proof.relative_gap:.1e} after {state.k} "
            f"iterations, tol={self.tol} was not reached; ||coef_ - W*||_F is at most "
            f"{proof.radius:.1e}. {advice}"
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags


def certified(
    problem: SMMProblem, states: Iterable[ADMMState], tol: float, max_iter: int
) -> tuple[Certificate, ADMMState]:
    """The first state that is found to be within `tol`, or the last one, and its certificate.

    A certificate costs about as much as an iteration, so the farther off the last one was, the more
    iterations pass before the next: one for every two decades, which seldom comes too late.
    """
    due = 1
    for state in islice(states, max_iter):
        if due <= state.k or state.k == max_iter:
            proof = state.certificate(problem)
            if proof.within(tol):
                break
            decades = log10(proof.relative_gap / max(tol, TINY))
            due = state.k + (max(1, ceil(decades / 2)) if isfinite(decades) else 1)
    return proof, state


def _as_matrices(X: Any) -> Array:
    if X.ndim > 3:
        raise ValueError(f"X must have shape (n, p, q) or (n, p), got {X.shape}")
    return np.asarray(X[:, :, None] if X.ndim == 2 else X, dtype=float)


def _stack(values: Any) -> Any:
    return values[0] if len(values) == 1 else np.array(values)
