"""Scaling of samples and filling of gaps, fitted on a training part alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Kind = Literal["none", "unit length", "z-score"]

SCALINGS: tuple[str, ...] = get_args(Kind)
CONSTANT = 1e-9  # a feature counts as constant if its deviation is below this times its size


class Scaling(NamedTuple):
    """A scaling of samples: (X - mean) / deviation, or X / ||X||_F.

    If the data have gaps, entries that are not finite are replaced by `fill` first.

    Parameters
    ----------
    mean : ndarray of shape (p, q), or 0.0
        Of z-score.
    deviation : ndarray of shape (p, q), or 1.0
        Of z-score.
    unit_length : bool
        Whether each sample is divided by its own norm.
    fill : ndarray of shape (p, q), optional
        Values for entries that are not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.model_selection import Scaling
    >>> X = np.array([[[1.0, 5.0]], [[3.0, 5.0]]])
    >>> Scaling.fit("z-score", X)(X).tolist()
    [[[-1.0, 0.0]], [[1.0, 0.0]]]
    """

    mean: Array | float = 0.0  # (p, q), of z-score
    deviation: Array | float = 1.0
    unit_length: bool = False
    fill: Array | None = None  # (p, q)

    @classmethod
    def fit(cls, kind: str, X: Array, gaps: bool = False) -> Scaling:
        """Fit a kind of scaling, one of `SCALINGS`, to training samples (n, p, q).

        With `gaps`, entries that are not finite get the mean over the samples that have the entry,
        or 0 if no sample has it.

        Raises
        ------
        ValueError
            If there is no such kind.
        """
        if kind not in SCALINGS:
            raise ValueError(f"the scaling must be one of {SCALINGS}, got {kind!r}")
        fill = None
        if gaps:
            known = np.isfinite(X)
            counts = known.sum(axis=0)
            fill = X.sum(axis=0, where=known) / np.maximum(counts, 1)
            X = np.where(known, X, fill)
        if kind != "z-score":
            return cls(unit_length=kind == "unit length", fill=fill)
        deviation = X.std(axis=0)
        varies = deviation > CONSTANT * np.abs(X).max(axis=0)
        return cls(X.mean(axis=0), np.where(varies, deviation, 1.0), fill=fill)

    def __call__(self, X: Array) -> Array:
        """Scale samples (n, p, q); a sample with only zeros stays."""
        if self.fill is not None:
            X = np.where(np.isfinite(X), X, self.fill)
        if self.unit_length:
            length = np.linalg.norm(X, axis=(1, 2), keepdims=True)
            return X / np.where(length > 0, length, 1.0)
        if isinstance(self.mean, float):
            return X
        return (X - self.mean) / self.deviation
