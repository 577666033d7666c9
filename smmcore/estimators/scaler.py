"""The scaling of samples as a scikit-learn transformer."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils._param_validation import StrOptions

from smmcore.estimators.base import SampleEstimator
from smmcore.estimators.scaling import SCALINGS, Scaling
from smmcore.problems.samples import as_doubles, by_blocks

Array = NDArray[np.float64]


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
        """Compute the means and standard deviations.

        Parameters
        ----------
        X : array-like of shape (n, p, q) or (n, p)
            Training samples.
        y : object
            Not used.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If `kind` or X is out of range.
        """
        self._validate_params()
        scaling = Scaling.fit(self.kind, as_doubles(self._fit_samples(X)))
        z_score = self.kind == "z-score"
        self.mean_ = np.reshape(scaling.mean, self._sample_shape) if z_score else None
        self.scale_ = np.reshape(scaling.deviation, self._sample_shape) if z_score else None
        self._scaling = scaling
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Return the scaled samples.

        Parameters
        ----------
        X : array-like of shape (n, p, q) or (n, p)
            Samples of the shape of the training samples.

        Returns
        -------
        ndarray of the shape of X

        Raises
        ------
        ValueError
            If X has another shape.
        """
        scaled = by_blocks(self._samples(X), lambda X: self._scaling(X))
        return scaled.reshape(-1, *self._sample_shape)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return the samples that `transform` turns into X, up to rounding.

        Parameters
        ----------
        X : array-like of shape (n, p, q) or (n, p)
            Scaled samples.

        Returns
        -------
        ndarray of the shape of X

        Raises
        ------
        ValueError
            If X has another shape, or the samples have unit length: their own lengths are lost.
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

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Return the names of the features of flat samples, those of the input.

        Parameters
        ----------
        input_features : array-like of str, optional
            By default `feature_names_in_`, or x0, x1, ... if there are no names.

        Returns
        -------
        ndarray of str

        Raises
        ------
        ValueError
            If the samples are matrices, or `input_features` are not those of the fit.
        """
        names = super().get_feature_names_out(input_features)
        if not self._vectors:
            raise ValueError(
                "get_feature_names_out needs flat samples, got samples of shape "
                f"{self._sample_shape}"
            )
        return np.asarray(names)
