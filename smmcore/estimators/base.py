"""What the classifiers share: shapes, labels, one against the rest, decision and prediction."""

from __future__ import annotations

from abc import abstractmethod
from math import prod
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from smmcore.problems import Certificate, MatrixProblem

Array = NDArray[np.float64]

ROUNDING_ADVICE = (
    "Rounding keeps the margins from being resolved: divide each feature by its standard "
    "deviation, or choose a smaller C."
)


class MatrixClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear classifier of matrices: sign(<W, X> + b), K > 2 classes by one against the rest."""

    _tensors: ClassVar[bool] = False  # whether samples may have more than two axes

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the machine; X of shape (n, p, q) or (n, p), y any labels.

        Raises
        ------
        ValueError
            If a parameter or an array is out of range, or there is one class only.

        Warns
        -----
        ConvergenceWarning
            If `tol` was not reached, with what was.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, allow_nd=True)
        samples = as_samples(X, self._tensors)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold at least two classes, got one class: {self.classes_[0]}")
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        problem, proofs, iterations = None, [], []
        for k in positive:
            signs = np.where(codes == k, 1.0, -1.0)
            problem = problem.with_labels(signs) if problem else self._problem(samples, signs)
            proof, n_iter, excuse = self.solve(problem)
            if excuse:
                subject = (
                    f"Class {self.classes_[k]} against the rest: " if len(positive) > 1 else ""
                )
                warn(subject + excuse, ConvergenceWarning, stacklevel=2)
            proofs.append(proof)
            iterations.append(n_iter)
        self.coef_ = stack([proof.W for proof in proofs])
        self.intercept_ = stack([proof.b for proof in proofs])
        self.objective_ = stack([proof.primal for proof in proofs])
        self.rank_ = stack([proof.rank for proof in proofs])
        self.singular_values_ = stack([proof.singular_values for proof in proofs])
        self.n_iter_ = stack(iterations)
        self._keep(proofs)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """<W, X_i> + b, shape (n,), positive for `classes_[1]`; (n, K) with K > 2 classes."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, allow_nd=True, reset=False)
        samples = as_samples(X, self._tensors)
        shape = self.coef_.shape[len(self.classes_) > 2 :]
        if samples.shape[1:] != shape:
            raise ValueError(f"X must hold samples of shape {shape}, got {samples.shape[1:]}")
        W = np.reshape(self.coef_, (-1, prod(shape)))
        scores = samples.reshape(len(samples), -1) @ W.T + self.intercept_
        return np.asarray(scores[:, 0] if len(W) == 1 else scores)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of each sample, shape (n,)."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[chosen])

    @abstractmethod
    def _problem(self, X: Array, y: Array) -> MatrixProblem:
        """The problem of two classes, y in {-1, +1}."""

    @abstractmethod
    def solve(self, problem: Any) -> tuple[Any, int, str]:
        """Its certified solution, the iterations that took, and a sentence if it is not good."""

    @abstractmethod
    def _keep(self, proofs: list[Any]) -> None:
        """Set the attributes that are this model's own."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags


class DualClassifier(MatrixClassifier):
    """A classifier told by its dual variables: it has support matrices and a duality gap."""

    def _keep(self, proofs: list[Any]) -> None:
        self.dual_gap_ = stack([proof.gap for proof in proofs])
        # Copies: the arrays of a solver's state are read-only.
        self.dual_coef_ = stack([proof.alpha.copy() for proof in proofs])
        self.support_ = np.flatnonzero(np.atleast_2d(self.dual_coef_).any(axis=0))


class StationaryClassifier(MatrixClassifier):
    """A classifier of bounded rank, which is not convex: it ends where no part alone can gain."""

    tol: float

    def _keep(self, proofs: list[Any]) -> None:
        self.stationarity_ = stack([proof.gap for proof in proofs])

    def _excuse(self, proof: Certificate, part: str, steps: str) -> str:
        """What to say where moving a part of W could gain more than `tol` allows."""
        if proof.within(self.tol):
            return ""
        return (
            f"By moving one {part} the objective could still fall by {proof.relative_gap:.1e} of "
            f"itself after {steps}, tol={self.tol} was not reached. Increase max_iter or tol."
        )


def stack(values: Any) -> Any:
    """The value of a problem with two classes as it is, those of K problems as an array."""
    return values[0] if len(values) == 1 else np.array(values)


def as_samples(X: Any, tensors: bool = False) -> Array:
    """X of shape (n, p, q): a vector is a matrix with one column; higher orders where they may."""
    if X.ndim > 3 and not tensors:
        raise ValueError(f"X must have shape (n, p, q) or (n, p), got {X.shape}")
    return np.asarray(X[:, :, None] if X.ndim == 2 else X, dtype=float)
