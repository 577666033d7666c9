"""The base classes of the estimators: shapes, labels, one against the rest, prediction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import prod
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_is_fitted,
    validate_data,
)

from smmcore import __version__
from smmcore.arrays import Array
from smmcore.decision import predicted_class
from smmcore.problems import MatrixProblem
from smmcore.problems.samples import STORED, Samples, as_samples, by_blocks, lift
from smmcore.threads import one_blas_thread

Callback = Callable[[Any], object]  # receives a state of a solver
ClassWeight = Mapping[Any, float] | Literal["balanced"] | None

# Fitted attributes, and the fields of the certificate that hold their values. With 1/2 ||W||_F^2 in
# the objective, W* is unique, and the duality gap bounds the error of W.
COMMON_ATTRIBUTES = {"objective_": "primal", "rank_": "rank", "singular_values_": "singular_values"}
STRONGLY_CONVEX_ATTRIBUTES = {
    "dual_coef_": "alpha",
    "dual_gap_": "gap",
    "radius_": "radius",
    "certain_rank_": "certain_rank",
}

ARRAY_CHECKS: dict[str, Any] = {"dtype": STORED, "allow_nd": True}
NOTHING_TO_LEARN = "No W was found that does better than a constant on these samples."


class SampleEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator of samples that are vectors, matrices or tensors.

    Vectors are treated as matrices of one column. Where X is flat, `coef_` has the shape it has in
    scikit-learn's own estimators, so that their tools find a coefficient for each feature.
    """

    _max_ndim: ClassVar[float] = 3  # of X: 3 for matrices, infinity for tensors

    shape: tuple[int, ...] | None = None  # of flat samples, where it is a parameter

    def _fit_samples(self, X: ArrayLike, *y: ArrayLike, **checks: Any) -> Any:
        """Check X and y, if given, and store the shape of a sample.

        The samples returned are X itself if it is C-contiguous, so they must not be changed or
        become part of the estimator.
        """
        shape = self._checked_shape()
        if shape is not None:
            X = _flat(X, shape)
        found = validate_data(self, X, *y, **ARRAY_CHECKS, **checks)
        X = np.asarray(found[0] if y else found)
        if X.ndim > self._max_ndim:
            raise ValueError(f"X must have shape (n, p, q) or (n, p), got {X.shape}")
        self._sample_shape = shape or X.shape[1:]
        self._takes_flat = shape is not None
        # One order of entries in memory, so that all forms of X have the same rounding.
        X = as_samples(lift(X.reshape(-1, *self._sample_shape)))
        return (X, found[1]) if y else X

    def _samples(self, X: Any) -> Samples:
        """Check samples after `fit`: they must have the shape of the training samples.

        Samples of any type in `STORED` and of any order in memory are returned without a copy.
        """
        check_is_fitted(self)
        sample = self._sample_shape
        flat = self._takes_flat and len(np.shape(X)) <= 2
        if flat:
            _check_flat(np.shape(X), sample)
        elif not self._vectors or getattr(X, "ndim", 2) > 2:
            _check_shape(np.shape(X), sample)
        if flat or self._vectors:  # for which scikit-learn has its own messages
            X = validate_data(self, X, reset=False, **ARRAY_CHECKS)
        else:
            X = check_array(X, **ARRAY_CHECKS)
        if self._vectors:
            _check_shape(X.shape, sample)
        return lift(np.asarray(X).reshape(-1, *sample))

    @property
    def _vectors(self) -> bool:
        """Whether the fitted samples were vectors."""
        return len(self._sample_shape) == 1

    @property
    def _is_flat(self) -> bool:
        """Whether the fitted X had two axes, so that each entry of a sample is a feature."""
        return self._vectors or self._takes_flat

    def __getstate__(self) -> dict[str, Any]:
        return dict(super().__getstate__(), _smmcore_version=__version__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        version = state.pop("_smmcore_version", "before 0.1.0")
        if version != __version__:
            warn(
                f"This {type(self).__name__} was saved by smmcore {version} and is read by "
                f"{__version__}: its predictions may differ, or fail. Fit it again.",
                UserWarning,
                stacklevel=2,
            )
        super().__setstate__(state)

    def _checked_shape(self) -> tuple[int, ...] | None:
        """Return `shape` as a tuple of two sizes, or more where samples may be tensors."""
        if self.shape is None:
            return None
        sizes = tuple(self.shape)
        axes = 2 <= len(sizes) < self._max_ndim
        if not (axes and all(isinstance(size, Integral) and size > 0 for size in sizes)):
            form = "(p, q)" if self._max_ndim == 3 else "(p, q, ...)"
            raise ValueError(f"shape must be {form} with positive integers, got {self.shape!r}")
        return tuple(int(size) for size in sizes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags


class MatrixClassifier(ClassifierMixin, SampleEstimator):  # type: ignore[misc]
    """A linear classifier of matrices, sign(<W, X> + b); K > 2 classes by one against the rest."""

    class_weight: ClassWeight

    _first_C: ClassVar[str] = "10 / spread^2"
    _attributes: ClassVar[dict[str, str]]  # fitted attributes besides those of all classifiers

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "shape": [tuple, list, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        callback: Callback | None = None,
    ) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n, p, q), (n, p q) with `shape`, or (n, p)
            Matrices, their entries row by row, or vectors, which count as matrices of one column.
        y : array-like of shape (n,)
            Labels of any type, at least two different labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples in the loss, at least 0 and positive in each class; 1 by default.
            `class_weight` multiplies them. A weight of 2 is the same as the sample twice, and 0 as
            no sample.
        callback : callable, optional
            Called with each state of the solver, of one class after the other if there are more
            than two. If it raises StopIteration, as a callback of `scipy.optimize` may, the run
            that it observes ends with this state; the other classes are still fitted. What it
            returns is not used.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or an array is out of range, or there is one class only.

        Warns
        -----
        ConvergenceWarning
            If `tol` was not reached, also because of the callback; the message gives the
            tolerance that was.
        RuntimeWarning
            If W = 0, so that the prediction does not depend on the sample, with the likely cause.
        """
        return self._fit(self._problems(X, y, sample_weight), callback)

    @one_blas_thread()
    def _fit(self, problems: Iterable[tuple[int, Any]], callback: Callback | None) -> Self:
        """Solve the problems of the classes, and set the fitted attributes."""
        proofs, iterations, zeros = [], [], {}
        for k, problem in problems:
            proof, n_iter, excuse = self.solve(problem, callback)
            if excuse:
                several = len(self.classes_) > 2
                subject = f"Class {self.classes_[k]} against the rest: " if several else ""
                warn(subject + excuse, ConvergenceWarning, stacklevel=4)
            if not proof.rank:
                zeros[self.classes_[k]] = None if excuse else problem
            proofs.append(proof)
            iterations.append(n_iter)
        self._adopt(proofs, iterations)
        if zeros:
            warn(self._describe_zeros(zeros), RuntimeWarning, stacklevel=4)
        return self

    def _adopt(self, proofs: list[Any], iterations: list[int]) -> None:
        """Set the fitted attributes from the certificates of the classes."""
        if self._is_flat:  # scikit-learn's shapes: (1, p q) and (1,) for two classes
            self.coef_ = np.array([proof.W.ravel() for proof in proofs])
            self.intercept_ = np.array([proof.b for proof in proofs])
        else:
            self.coef_ = stack([proof.W for proof in proofs])
            self.intercept_ = stack([proof.b for proof in proofs])
        for name, field in {**COMMON_ATTRIBUTES, **self._attributes}.items():
            setattr(self, name, stack([getattr(proof, field) for proof in proofs]))
        if "dual_coef_" in self._attributes:
            alphas = np.zeros((len(proofs), len(self._positive_weight)))
            alphas[:, self._positive_weight] = [proof.alpha for proof in proofs]
            self.dual_coef_ = stack(alphas)  # 0 for samples of weight 0
            self.support_ = np.flatnonzero(alphas.any(axis=0))
        self.n_iter_ = stack(iterations)

    @property
    def W_(self) -> Array:
        """`coef_` in the shape of a sample, also where X is flat; (K, ...) with K > 2 classes."""
        W = np.reshape(self.coef_, (-1, *self._sample_shape))
        return W[0] if len(W) == 1 else W

    def _problems(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Check parameters and samples, and yield the classes to fit and their problems.

        With two classes the second is fitted, with more each against the rest. The problems have no
        samples of weight 0.
        """
        self._validate_params()
        samples, y = self._fit_samples(X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold at least two classes, got one class: {self.classes_[0]}")
        weights = self._weights(codes, sample_weight)
        positive = self._positive_weight = weights > 0
        if not positive.all():
            samples, codes, weights = samples[positive], codes[positive], weights[positive]
        problem = None
        for k in [1] if len(self.classes_) == 2 else range(len(self.classes_)):
            signs = np.where(codes == k, 1.0, -1.0)
            if problem:
                problem = problem.with_labels(signs)
            else:
                problem = self._problem(samples, signs, weights)
            yield k, problem

    def _weights(self, codes: NDArray[np.intp], sample_weight: ArrayLike | None) -> Array:
        """Return the weight of each sample times that of its class, shape (n,)."""
        weights = np.asarray(_check_sample_weight(sample_weight, codes, dtype=float))
        if weights.min() < 0:
            raise ValueError(f"sample_weight must be at least 0, got {weights.min()}")
        sums = np.bincount(codes, weights)
        if not sums.all():
            raise ValueError(
                "sample_weight must be positive for at least one sample of each class, got 0 for "
                f"all of class {self.classes_[sums.argmin()]}"
            )
        if self.class_weight is None:
            return weights
        if self.class_weight == "balanced":
            factors = sums.sum() / (len(sums) * sums)  # of samples that count several times
        else:
            labels = self.classes_
            factors = compute_class_weight(self.class_weight, classes=labels, y=labels[codes])
        wrong = np.flatnonzero(~((factors > 0) & (factors < np.inf)))  # NaN is among these
        if len(wrong):
            raise ValueError(
                f"class_weight must be positive and finite, got {factors[wrong[0]]} for class "
                f"{self.classes_[wrong[0]]}"
            )
        return np.asarray(weights * factors[codes])

    def _describe_zeros(self, zeros: dict[Any, Any]) -> str:
        """Describe for which classes W = 0, the consequence, and the likely cause.

        The values are the problems of these classes, or None if their fits did not converge.
        """
        offsets = np.atleast_1d(self.intercept_)
        found = f"{type(self).__name__} found W = 0"
        if len(offsets) > 1:
            names = ", ".join(map(str, [*zeros][:5])) + (", ..." if len(zeros) > 5 else "")
            found += f" for {len(zeros)} of {len(offsets)} classes against the rest ({names})"
        if len(zeros) == len(offsets):
            scores = offsets if len(offsets) == 1 else offsets[None]
            found += f", so it predicts {self._labels(scores)[0]} for every sample."
        else:
            found += ", so the scores of these classes are the same for every sample."
        problems = [problem for problem in zeros.values() if problem]
        if not problems:
            return f"{found} The fit did not converge."
        spread = problems[0].spread
        scale = f"The samples' root mean square distance from their mean (spread) is {spread:.2g}"
        if C := getattr(self, "C", None):
            units = f"C={C:g} is {C * spread**2:.2g} / spread^2"
            scale += f", so {units}; {self._first_C} is a good first choice"
        return f"{found} {self._cause_of_zero(problems)} {scale}."

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the decision values, <W, X_i> + b.

        With two classes, `classes_[1]` is predicted where the value is positive and `classes_[0]`
        elsewhere; with more classes, the one with the largest value.

        Parameters
        ----------
        X : array-like of shape (n, p, q), (n, p q) with `shape`, or (n, p)
            Samples of the shape of the training samples.

        Returns
        -------
        ndarray of shape (n,), or (n, K) with K > 2 classes
        """
        samples = self._samples(X)
        W = np.reshape(self.coef_, (-1, prod(self._sample_shape)))
        scores = by_blocks(samples, lambda X: X.reshape(len(X), -1) @ W.T)
        scores += self.intercept_
        return np.asarray(scores[:, 0] if len(W) == 1 else scores)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each sample, shape (n,), given X as for `decision_function`."""
        return self._labels(self.decision_function(X))

    def _labels(self, scores: Array) -> NDArray[Any]:
        return np.asarray(self.classes_[predicted_class(scores)])

    @abstractmethod
    def _problem(self, X: Samples, y: Array, sample_weight: Array) -> MatrixProblem:
        """Return the problem of two classes, y in {-1, +1}."""

    @abstractmethod
    def solve(self, problem: Any, callback: Callback | None = None) -> tuple[Any, int, str]:
        """Return the certified solution, the number of iterations, and a warning or ""."""

    def _cause_of_zero(self, problems: list[Any]) -> str:
        """Explain why the solutions of these problems are W = 0, and what to do."""
        return NOTHING_TO_LEARN

    def _weight_too_large(self, name: str, limit: float, problem: MatrixProblem) -> str:
        """Explain W = 0 by a nuclear weight above its limit."""
        heaviest = getattr(self, "C", 1.0) * float(problem.sample_weight.sum())
        rounding = 1e-12 * heaviest * problem.largest_sample
        value = getattr(self, name)
        if limit <= rounding or not value:
            return NOTHING_TO_LEARN
        unless = "" if value >= limit else ", unless no W does better than a constant"
        return (
            f"{name}_max, the smallest {name} with W = 0, is at most {limit:.3g} here, and {name} "
            f"is {value:g}: choose a smaller {name}{unless}."
        )


def stack(values: Any) -> Any:
    """Return the value of a single problem as it is, and those of K problems as an array."""
    return values[0] if len(values) == 1 else np.array(values)


def _check_shape(found: tuple[int, ...], sample: tuple[int, ...]) -> None:
    """Raise a ValueError if X has another shape than (n, *sample)."""
    if found[1:] != sample:
        sizes = ", ".join(map(str, sample))
        raise ValueError(f"X must have shape (n, {sizes}), got {found}{_hint(found, sample)}")


def _check_flat(found: tuple[int, ...], sample: tuple[int, ...], advice: str = "") -> None:
    """Raise a ValueError if flat samples have another size than a sample."""
    if len(found) == 2 and found[1] != prod(sample):  # scikit-learn has messages for others
        product = " * ".join(map(str, sample))
        raise ValueError(
            f"shape={sample} needs flat samples of {product} = {prod(sample)} features, "
            f"got X of shape {found}{_hint(found, sample)}{advice}"
        )


def _hint(found: tuple[int, ...], sample: tuple[int, ...]) -> str:
    if found in (sample, sample[::-1]):
        return "; pass a single sample as X[np.newaxis]"
    return "; the samples seem to be transposed" if found[1:] == sample[::-1] else ""


def _flat(X: Any, shape: tuple[int, ...]) -> Any:
    """Return X with flat samples, given these (a data frame keeps its names) or samples."""
    found = np.shape(X)
    if len(found) > 2:
        _check_shape(found, shape)
        return np.reshape(X, (found[0], prod(shape)))
    _check_flat(found, shape, "; tools that leave out features, as RFE does, need shape=None")
    return X
