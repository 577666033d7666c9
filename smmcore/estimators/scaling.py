"""Scaling of samples and filling of gaps, fitted on a training part alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Kind = Literal["none", "unit length", "z-score"]

SCALINGS: tuple[str, ...] = get_args(Kind)


def check_scaling(kind: str) -> None:
    """Raise a ValueError for a kind of scaling that is not one of `SCALINGS`."""
    if kind not in SCALINGS:
        raise ValueError(f"the scaling must be one of {SCALINGS}, got {kind!r}")


CONSTANT = 1e-9  # a feature counts as constant if its deviation is below this times its size


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
