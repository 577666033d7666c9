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

Kind = Literal["none", "unit length", "z-score", "whitened"]

SCALINGS: tuple[str, ...] = get_args(Kind)


def check_scaling(kind: str) -> None:
    """Raise a ValueError for a kind of scaling that is not one of `SCALINGS`."""
    if kind not in SCALINGS:
        raise ValueError(f"the scaling must be one of {SCALINGS}, got {kind!r}")


CONSTANT = 1e-9  # a feature is constant if its standard deviation is below this times its size
LEAST_VARIANCE = 1e-9  # of a direction, by which whitening divides, relative to the largest


class Scaling(NamedTuple):
    """What happens to a sample before a classifier sees it, fitted on a training part.

    In this order: entries that are not finite are replaced by `fill`; X becomes A X B, which crops,
    averages or filters its rows and columns; with `each`, the mean of X's own entries is subtracted
    and X divided by their standard deviation (equal entries become 0); then the scaling,
    (X - mean) / deviation, X / ||X||_F or the whitening R (X - mean) Q.

    Weights W of whitened samples are the weights R' W Q' of samples before the whitening.
    """

    mean: Array | float = 0.0  # (p', q'), of z-score and of whitened
    deviation: Array | float = 1.0  # (p', q'), of z-score
    unit_length: bool = False  # whether each sample is divided by its own norm
    fill: Array | None = None  # (p, q), values for entries that are not finite
    left: Array | None = None  # A, (p', p)
    right: Array | None = None  # B, (q, q')
    each: bool = False  # whether each sample is standardised by itself
    white_left: Array | None = None  # R, (p', p'), symmetric, of whitened
    white_right: Array | None = None  # Q, (q', q'), symmetric, of whitened

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
        if kind in ("none", "unit length"):
            return before._replace(unit_length=kind == "unit length")
        X = before(X)
        if kind == "whitened":
            mean, R, Q = _whitening(X)
            return before._replace(mean=mean, white_left=R, white_right=Q)
        deviation = X.std(axis=0)
        varies = deviation > CONSTANT * np.abs(X).max(axis=0)
        return before._replace(mean=X.mean(axis=0), deviation=np.where(varies, deviation, 1.0))

    @property
    def kind(self) -> str:
        """The kind of scaling, one of `SCALINGS`."""
        if self.unit_length:
            return "unit length"
        if self.white_left is not None:
            return "whitened"
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
        if self.kind == "whitened":
            arrays |= {
                "white_mean": self.mean,
                "white_left": self.white_left,
                "white_right": self.white_right,
            }
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
        return _product(self.white_left, (X - self.mean) / self.deviation, self.white_right)


def _whitening(X: Array) -> tuple[Array, Array, Array]:
    """Return the mean of samples (n, p, q), and the inverse roots R and Q of two covariances.

    R is of the covariance of the rows of X - mean, and Q of that of the columns of R (X - mean).
    Both covariances are shrunk to a multiple of the identity by Ledoit and Wolf's rule, so they
    have inverses from two samples on.
    """
    mean = X.mean(axis=0)
    X = X - mean
    R = _inverse_root(X.swapaxes(1, 2).reshape(-1, X.shape[1]))
    Q = _inverse_root((R @ X).reshape(-1, X.shape[2]))
    return mean, R, Q


def _inverse_root(rows: Array) -> Array:
    """Return the symmetric inverse root of the shrunk covariance of rows (m, d) of mean 0."""
    from sklearn.covariance import ledoit_wolf  # takes a tenth of a second

    size = np.abs(rows).max() or 1.0  # volts would make variances of 1e-12, and their squares 0
    variances, directions = np.linalg.eigh(ledoit_wolf(rows / size, assume_centered=True)[0])
    variances = np.maximum(variances, LEAST_VARIANCE * variances[-1])
    return np.asarray((directions / (size * np.sqrt(_or_one(variances)))) @ directions.T)


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
    """Scale samples that are matrices or vectors: unit length, z-scores, or whitening.

    Matrices stay matrices and flat samples stay flat, so that it fits into a pipeline before any
    estimator of either.

    Parameters
    ----------
    kind : {"none", "unit length", "z-score", "whitened"}, default="z-score"
        "unit length" divides each sample by its own norm ||X_i||_F; zero samples stay. "z-score"
        subtracts from each entry its mean over the training samples and divides it by its standard
        deviation; entries that are constant up to rounding become 0. "whitened" turns X into
        R (X - mean) Q, so that neither the rows nor the columns of the training samples are
        correlated; R and Q are inverse roots of Ledoit-Wolf covariances.

    Attributes
    ----------
    mean_ : ndarray of shape (p, q) or (p,), or None
        The mean of each entry; None if `kind` is neither "z-score" nor "whitened".
    scale_ : ndarray of shape (p, q) or (p,), or None
        The standard deviation, 1 where it is 0, of each entry; None if `kind` is not "z-score".
    left_, right_ : ndarray of shape (p, p) and (q, q), or None
        R and Q, symmetric; None if `kind` is not "whitened".
    n_features_in_ : int
        p: also of flat samples, of shape (n, p).

    Notes
    -----
    The nuclear norm suits noise that is independent and equally strong in all entries. Noise of
    EEG is neither, and whitening makes it so wherever its covariance is that of rows times that of
    columns. R is computed first, then Q from the columns of R (X - mean): p^2 + q^2 numbers, where
    the covariance of all entries has (p q)^2.

    A classifier of whitened samples with weights W has the weights R W Q for raw samples, of the
    same rank. Flat samples are matrices of one column: R is then the inverse root of the covariance
    of all entries.

    References
    ----------
    Tomioka, Müller: A regularized discriminative framework for EEG analysis with application to
    brain-computer interface, NeuroImage 49, 2010.
    Ledoit, Wolf: A well-conditioned estimator for large-dimensional covariance matrices, Journal of
    Multivariate Analysis 88, 2004.

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

    def __init__(self, kind: Kind = "z-score") -> None:
        self.kind = kind

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Fit the scaling to samples X, (n, p, q) or (n, p); y is not used."""
        self._validate_params()
        scaling = Scaling.fit(self.kind, as_doubles(self._fit_samples(X)))
        has_mean, z_score = self.kind in ("z-score", "whitened"), self.kind == "z-score"
        self.mean_ = np.reshape(scaling.mean, self._sample_shape) if has_mean else None
        self.scale_ = np.reshape(scaling.deviation, self._sample_shape) if z_score else None
        self.left_, self.right_ = scaling.white_left, scaling.white_right
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
                'inverse_transform needs kind "none", "z-score" or "whitened", got "unit length": '
                "the lengths of the samples are lost"
            )
        mean, deviation = self._scaling.mean, self._scaling.deviation
        left, right = (
            None if side is None else np.asarray(np.linalg.inv(side), float)
            for side in (self.left_, self.right_)
        )
        unscaled = by_blocks(samples, lambda X: _product(left, X, right) * deviation + mean)
        return unscaled.reshape(-1, *self._sample_shape)

    @available_if(_has_features)  # type: ignore[untyped-decorator]
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Return the names of the features of flat samples, those of the input.

        An AttributeError is raised for matrices, which no data frame holds: scikit-learn then
        returns them as arrays, whatever its `transform_output` is.
        """
        return np.asarray(super().get_feature_names_out(input_features))
