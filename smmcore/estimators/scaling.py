"""Scaling of samples and filling of gaps, fitted on a training part alone."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if

from smmcore.arrays import Array
from smmcore.estimators.base import SampleEstimator
from smmcore.problems.samples import as_doubles, by_blocks

Kind = Literal["none", "unit length", "z-score"]

SCALINGS: tuple[str, ...] = get_args(Kind)


def check_scaling(kind: str) -> None:
    """Raise a ValueError for a kind of scaling that is not one of `SCALINGS`."""
    if kind not in SCALINGS:
        raise ValueError(f"the scaling must be one of {SCALINGS}, got {kind!r}")


CONSTANT = 1e-9  # a feature is constant if its standard deviation is below this times its size


class Scaling(NamedTuple):
    """What happens to a sample before a classifier sees it, fitted on a training part.

    In this order: entries that are not finite are replaced by `fill`; X becomes A X B, which crops,
    averages or filters its rows and columns; with `each`, the mean of X's own entries is subtracted
    and X divided by their standard deviation (equal entries become 0); then the scaling,
    (X - mean) / deviation or X / ||X||_F.
    """

    mean: Array | float = 0.0  # (p, q), of z-score
    deviation: Array | float = 1.0  # (p, q), of z-score
    unit_length: bool = False  # whether each sample is divided by its own norm
    fill: Array | None = None  # (p, q), values for entries that are not finite
    left: Array | None = None  # A, (p', p)
    right: Array | None = None  # B, (q, q')
    each: bool = False  # whether each sample is standardised by itself

    @classmethod
    def fit(
        cls,
        kind: str,
        X: Array,
        gaps: bool = False,
        left: Array | None = None,
        right: Array | None = None,
        each: bool = False,
    ) -> Scaling:
        """Fit a kind of scaling, one of `SCALINGS`, to training samples (n, p, q).

        With `gaps`, entries that are not finite get the mean over the samples that have the entry,
        or 0 if no sample has it. `left`, `right` and `each` are those of the result.
        """
        check_scaling(kind)
        fill = None
        if gaps:
            known = np.isfinite(X)
            counts = known.sum(axis=0)
            fill = X.sum(axis=0, where=known) / np.maximum(counts, 1)
        before = cls(fill=fill, left=left, right=right, each=each)
        if kind != "z-score":
            return before._replace(unit_length=kind == "unit length")
        X = before(X)
        deviation = X.std(axis=0)
        varies = deviation > CONSTANT * np.abs(X).max(axis=0)
        return before._replace(mean=X.mean(axis=0), deviation=np.where(varies, deviation, 1.0))

    @property
    def kind(self) -> str:
        """The kind of scaling, one of `SCALINGS`."""
        if self.unit_length:
            return "unit length"
        return "none" if isinstance(self.mean, float) else "z-score"

    def to_arrays(self) -> dict[str, object]:
        """Return the kind and the arrays by name; steps that do nothing are absent."""
        arrays: dict[str, object] = {
            "scaling": self.kind,
            "fill": self.fill,
            "left": self.left,
            "right": self.right,
            "each": np.array(True) if self.each else None,
        }
        if self.kind == "z-score":
            arrays |= {"z_mean": self.mean, "z_deviation": self.deviation}
        return {name: array for name, array in arrays.items() if array is not None}

    def __call__(self, X: Array) -> Array:
        """Return what a classifier sees of samples (n, p, q); one with only zeros stays."""
        if self.fill is not None:
            X = np.where(np.isfinite(X), X, self.fill)
        before, X = X, _product(self.left, X, self.right)
        if self.each:
            X = X - X.mean(axis=(1, 2), keepdims=True)
            deviation = X.std(axis=(1, 2), keepdims=True)
            # A filter may turn a constant into rounding errors, which must not be magnified.
            size = _product(_absolute(self.left), np.abs(before), _absolute(self.right))
            varies = deviation > CONSTANT * size.max(axis=(1, 2), keepdims=True)
            X = np.where(varies, X / _or_one(deviation), 0.0)
        if self.unit_length:
            return X / _or_one(np.linalg.norm(X, axis=(1, 2), keepdims=True))
        if isinstance(self.mean, float):
            return X
        return (X - self.mean) / self.deviation


def _product(left: Array | None, X: Array, right: Array | None) -> Array:
    if left is not None:
        X = left @ X
    return X if right is None else X @ right


def _absolute(matrix: Array | None) -> Array | None:
    return None if matrix is None else np.abs(matrix)


def _or_one(lengths: Array) -> Array:
    return np.where(lengths > 0, lengths, 1.0)


def _has_features(scaler: MatrixScaler) -> bool:
    return not hasattr(scaler, "_sample_shape") or scaler._vectors


class MatrixScaler(OneToOneFeatureMixin, TransformerMixin, SampleEstimator):  # type: ignore[misc]
    """Scale samples that are matrices or vectors, each to unit length or each entry by its z-score.

    Matrices stay matrices and flat samples stay flat, so that it fits into a pipeline before any
    estimator of either.

    Parameters
    ----------
    kind : {"none", "unit length", "z-score"}, default="z-score"
        "unit length" divides each sample by its own norm ||X_i||_F; zero samples stay. "z-score"
        subtracts from each entry its mean over the training samples and divides it by its standard
        deviation; entries that are constant up to rounding become 0.

    Attributes
    ----------
    mean_, scale_ : ndarray of shape (p, q) or (p,), or None
        The mean and the standard deviation, 1 where it is 0, of each entry; None if `kind` is not
        "z-score".
    n_features_in_ : int
        p: also of flat samples, of shape (n, p).

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore import MatrixScaler
    >>> X = np.array([[[1.0, 5.0]], [[3.0, 5.0]]])
    >>> scaler = MatrixScaler().fit(X)
    >>> scaler.transform(X).tolist()
    [[[-1.0, 0.0]], [[1.0, 0.0]]]
    >>> bool((scaler.inverse_transform(scaler.transform(X)) == X).all())
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"kind": [StrOptions({*SCALINGS})]}

    def __init__(self, kind: Literal["none", "unit length", "z-score"] = "z-score") -> None:
        self.kind = kind

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Compute the means and standard deviations of X, (n, p, q) or (n, p); y is not used."""
        self._validate_params()
        scaling = Scaling.fit(self.kind, as_doubles(self._fit_samples(X)))
        z_score = self.kind == "z-score"
        self.mean_ = np.reshape(scaling.mean, self._sample_shape) if z_score else None
        self.scale_ = np.reshape(scaling.deviation, self._sample_shape) if z_score else None
        self._scaling = scaling
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Return the scaled samples, in the shape of X."""
        scaled = by_blocks(self._samples(X), lambda X: self._scaling(X))
        return scaled.reshape(-1, *self._sample_shape)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return the samples that `transform` turns into X, up to rounding.

        A ValueError is raised if they have unit length, as their own lengths are lost.
        """
        samples = self._samples(X)
        if self._scaling.unit_length:
            raise ValueError(
                'inverse_transform needs kind "none" or "z-score", got "unit length": the lengths '
                "of the samples are lost"
            )
        mean, deviation = self._scaling.mean, self._scaling.deviation
        unscaled = by_blocks(samples, lambda X: X * deviation + mean)
        return unscaled.reshape(-1, *self._sample_shape)

    @available_if(_has_features)  # type: ignore[untyped-decorator]
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Return the names of the features of flat samples, those of the input.

        An AttributeError is raised for matrices, which no data frame holds: scikit-learn then
        returns them as arrays, whatever its `transform_output` is.
        """
        return np.asarray(super().get_feature_names_out(input_features))
