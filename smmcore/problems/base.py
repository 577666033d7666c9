"""The base of all problems on matrix samples: samples, linear maps of them, certificates."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from smmcore.arrays import Array
from smmcore.problems.samples import CentredSamples, Samples, as_samples, by_blocks


class Candidate(NamedTuple):
    """A primal point without its offset, and the values that its objective needs."""

    W: Array  # (p, q)
    singular_values: Array  # (min(p, q),), descending
    scores: Array  # (n,), <W, X_i - mean>


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Proof:
    """The objectives of a primal and a dual point of one problem: P* <= P <= P* + gap.

    Both are rounded, so near the solution `dual` may exceed `primal` by a few units in the last
    place of their largest terms. To test weak duality, compare these two: `gap` is never negative.
    """

    primal: float
    dual: float

    @property
    def gap(self) -> float:
        """P - D, or 0 if rounding makes it negative."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap divided by |P|."""
        return self.gap / abs(self.primal) if self.primal else np.inf

    def within(self, tol: float) -> bool:
        """Return whether the gap is at most `tol` |P|."""
        return self.gap <= tol * abs(self.primal)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._facts())})"

    def _facts(self) -> list[str]:
        return [f"objective {self.primal:.6g}", f"gap {self.gap:.1e}"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Certificate(Proof):
    """A primal point (W, b) and a dual point alpha with their properties."""

    W: Array  # (p, q), exactly low rank
    b: float
    alpha: Array  # (n,), dual feasible
    decision: Array  # (n,), <W, X_i> + b
    singular_values: Array  # (min(p, q),), of W, descending
    rank: int

    def _facts(self) -> list[str]:
        return [*super()._facts(), f"rank {self.rank}"]


@dataclass(frozen=True, eq=False, repr=False)
class MatrixProblem:
    """Two classes of matrix samples and linear maps of them.

    With an offset that is not penalised, y @ alpha = 0. So subtracting a matrix from all samples
    changes neither Omega(alpha) = sum_i alpha_i y_i X_i nor W, and changes b by <W, mean> only.
    Everything is computed from X_i - mean: rounding would otherwise hide differences of the samples
    that are small compared with their mean.

    Sums and products are formed in double precision by blocks of samples for any type of X,
    so objectives and certificates are those of the numbers in X.

    X is not copied if it is C-contiguous and of any real type whose numbers are doubles too, such
    as single precision or bytes, so do not change it. Its largest entry and the sample weights must
    lie between 1e-100 and 1e100, so that squares neither overflow nor underflow.
    """

    tensors: ClassVar[bool] = False  # whether samples may have more than two axes

    X: Samples
    y: Array
    sample_weight: Array = field(default=None, kw_only=True)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        X = as_samples(self.X)
        if X.ndim < 3 or (X.ndim > 3 and not self.tensors) or 0 in X.shape:
            axes = "(n, p, q, ...)" if self.tensors else "(n, p, q)"
            raise ValueError(f"X must have shape {axes} without zeros, got {X.shape}")
        largest = max(float(X.max()), -float(X.min()))  # NaN and infinity propagate
        if not np.isfinite(largest):
            raise ValueError("X must be finite, got NaN or infinity")
        if largest and not 1e-100 < largest < 1e100:
            raise ValueError(
                f"X must have its largest entry between 1e-100 and 1e100, got {largest:.1e}: "
                "rescale it, for W(s X; C / s^2, tau / s) = W(X; C, tau) / s"
            )
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", _checked_labels(self.y, len(X)))
        weights = _checked_sample_weight(self.sample_weight, len(X))
        object.__setattr__(self, "sample_weight", weights)

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.X.shape))
        names = [each.name for each in fields(self) if each.name not in ("X", "y", "sample_weight")]
        weights = [f"{name}={getattr(self, name):g}" for name in names]
        return f"{type(self).__name__}({', '.join([size, *weights])})"

    def with_labels(self, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Return the problem with other labels; what depends on the samples alone is shared.

        The weights of the samples stay unless others are given.
        """
        other = self._with(y=_checked_labels(y, len(self.X)))
        dependent = ["fingerprint"]
        if sample_weight is not None:
            weights = _checked_sample_weight(sample_weight, len(self.X))
            object.__setattr__(other, "sample_weight", weights)
            dependent += ["_weighted", "spread"]
        for name in dependent:
            vars(other).pop(name, None)
        return other

    def _with(self, **changes: object) -> Self:
        self._prepare()  # before copying, so that both share the result
        _ = self._sample_fingerprint
        other = copy(self)
        for name, value in changes.items():
            object.__setattr__(other, name, value)
        return other

    def _prepare(self) -> None:
        _ = self._samples.norms

    @cached_property
    def fingerprint(self) -> Array:
        """Random sums that identify X, y and the weights, see `fingerprint`, shape (3, 8)."""
        rows = self._sample_fingerprint, fingerprint(self.y), fingerprint(self.sample_weight)
        return np.stack(rows)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, p, q), and further sizes of tensors."""
        return self.X.shape

    @property
    def gram(self) -> Array:
        """Gram matrix <X_i - mean, X_j - mean>, shape (n, n), computed at the first use."""
        return self._samples.whole_gram

    @cached_property
    def _sample_fingerprint(self) -> Array:
        return fingerprint(self.X)

    @cached_property
    def _samples(self) -> CentredSamples:
        return CentredSamples(self.X)

    @cached_property
    def _weighted(self) -> CentredSamples:
        """The samples less their mean with the sample weights."""
        weights = self.sample_weight
        if (weights == weights[0]).all():
            return self._samples
        moved = self._samples.combine(weights / weights.sum())
        return CentredSamples(self.X, self._samples.mean + moved)

    @cached_property
    def spread(self) -> float:
        """Weighted root mean square of ||X_i - mean||_F; 1 / spread^2 is the natural unit of C."""
        squares = np.average(self._weighted.norms**2, weights=self.sample_weight)
        return float(np.sqrt(squares))

    @property
    def largest_sample(self) -> float:
        """The largest ||X_i - mean||_F."""
        return float(self._samples.norms.max())

    def centred_scores(self, W: Array) -> Array:
        """Return <W, X_i - mean>, shape (n,)."""
        return self._samples.scores(self._flat(W))

    def centred_samples(self, of: slice | NDArray[np.intp]) -> Array:
        """Return a copy of X_i - mean for some samples, shape (len(of), p, q)."""
        return self._samples.rows(of).reshape(-1, *self.X.shape[1:])

    def omega(self, alpha: Array, of: NDArray[np.intp] | None = None) -> Array:
        """Return Omega(alpha) = sum_i alpha_i y_i X_i, shape (p, q), if y @ alpha = 0.

        `of` holds the indices of the nonzero alpha, if they are known.
        """
        self._check_per_sample(alpha)
        return self._samples.combine(alpha * self.y, of).reshape(self.X.shape[1:])

    def intercept(self, W: Array, b: float) -> float:
        """Return the b of <W, X_i> + b, given the b of <W, X_i - mean> + b."""
        return b - float(self._flat(W) @ self._samples.mean)

    def best_offset(self, scores: Array) -> float:
        """Return the b for which scores + b has the least loss, here the hinge loss."""
        return middle_of_minimisers(self.y, scores, self.sample_weight)

    def best_intercept(self, W: Array) -> float:
        """Return the b that minimises P(W, b)."""
        return self.intercept(W, self.best_offset(self.centred_scores(W)))

    def balance(self, alpha: Array) -> Array:
        """Scale down the alpha of one class so that y @ alpha = 0 up to rounding."""
        self._check_per_sample(alpha)
        weights = np.where(self.y > 0, alpha, 0.0).sum(), np.where(self.y < 0, alpha, 0.0).sum()
        lighter = min(weights)
        up, down = (lighter / weight if weight else 1.0 for weight in weights)
        return np.asarray(alpha * np.where(self.y > 0, up, down))

    def _check_per_sample(self, alpha: Array) -> None:
        if np.shape(alpha) != self.y.shape:
            raise ValueError(
                f"alpha must have shape {self.y.shape}, one entry per sample, got {np.shape(alpha)}"
            )

    def _flat(self, W: Array) -> Array:
        W = np.asarray(W, dtype=float)
        if W.shape != self.X.shape[1:]:
            raise ValueError(f"W must have shape {self.X.shape[1:]}, got {W.shape}")
        return W.reshape(-1)

    def _check_C(self) -> None:
        self._check_positive("C")
        for weight in (self.sample_weight.min(), self.sample_weight.max()):
            self._check_size("C times sample_weight", vars(self)["C"] * float(weight))

    def _check_positive(self, name: str) -> None:
        value: Any = getattr(self, name)
        if not (isinstance(value, Real) and 0 < float(value) < np.inf):
            raise ValueError(f"{name} must be positive and finite, got {value!r}")
        self._check_size(name, float(value))

    def _check_size(self, name: str, value: float) -> None:
        if value and not 1e-150 < value < 1e150:
            raise ValueError(
                f"{name} must lie between 1e-150 and 1e150, where its square is a float, got "
                f"{value:.1e}: rescale X instead"
            )


def fingerprint(values: Samples) -> Array:
    """Return random sums of all values, shape (8,), which differ between different arrays.

    Unlike a hash they hardly change with rounding, so data computed again on another processor
    still match. There are eight sums, so that their norm is never small by chance.
    """
    random, rows = np.random.default_rng(0), values.reshape(len(values), -1)
    w = random.standard_normal(rows.shape[1])
    sums = by_blocks(rows, lambda block: block @ w)
    return np.asarray(random.standard_normal((8, len(rows))) @ sums)


def same_fingerprint(one: Array, other: Array) -> bool:
    """Return whether fingerprints are equal up to the rounding of the data and of the sums."""
    apart, size = np.linalg.norm(one - other, axis=-1), np.linalg.norm(other, axis=-1)
    return bool(np.all(apart <= 1e-11 * size))


def as_real(name: str, values: ArrayLike) -> Array:
    """Convert to an array of floats, without copying one; complex values raise a ValueError."""
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must be real, got complex numbers")
    return np.asarray(values, dtype=float)


def middle_of_minimisers(y: Array, scores: Array, weights: Array) -> float:
    """Return the b that minimises sum_i w_i [1 - y_i (s_i + b)]_+, the middle of all minimisers."""
    # The slope of the sum in b is minus the weight of the positive samples at -infinity and grows
    # by w_i at y_i - s_i. So it is 0 between two of these, sorted, or changes its sign at one.
    turns, is_positive = y - scores, y > 0
    if (weights == weights[0]).all():  # without sorting all of them
        last = int(np.count_nonzero(is_positive))
        turns.partition((last - 1, last))
        return float(0.5 * (turns[last - 1] + turns[last]))
    order = np.argsort(turns)
    grown = np.cumsum(weights[order])
    positive = float(weights[is_positive].sum())
    rounding = len(y) * np.finfo(float).eps * float(grown[-1])
    first = int(np.searchsorted(grown, positive - rounding))  # the slope before it is negative
    last = int(np.searchsorted(grown, positive + rounding, side="right"))  # behind it positive
    last = min(last, len(y) - 1)
    return float(0.5 * (turns[order[first]] + turns[order[last]]))


def scale_near_1(value: Callable[[float], float], norm: float, primal: float, dual: float) -> float:
    """Return the s that minimises value(s) = P(s W, b) of a hinge loss, near s = 1.

    Near the solution C amplifies the rounding of the margins, and a change of s in the last digits
    undoes it. `norm` is ||W||_F, `primal` is value(1) and `dual` a lower bound of P.
    """
    scale = 1.0
    for _ in range(5 if norm else 0):
        # P(s W, b) is convex in s with curvature at least ||W||^2, so its minimum is within this
        # distance of s. An error of 1e-4 of the distance costs at most that part of the gap.
        gap = primal - dual
        reach = float(np.sqrt(2 * max(gap, 0.0))) / norm
        if not reach:
            break
        bounds = max(scale - reach, 0.0), scale + reach
        found = minimize_scalar(
            value, bounds=bounds, method="bounded", options={"xatol": 1e-4 * reach}
        )
        if found.fun < primal:
            scale, primal = float(found.x), float(found.fun)
        if primal - dual > 0.1 * gap:
            break
    return scale


def _checked_labels(y: ArrayLike, n: int) -> Array:
    y = as_real("y", y).copy()  # a copy that the caller cannot change
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},), one label per sample, got {y.shape}")
    if set(np.unique(y)) != {-1.0, 1.0}:
        raise ValueError(f"y must hold both -1 and +1, got {np.unique(y)[:4].tolist()}")
    return y


def _checked_sample_weight(weights: ArrayLike | None, n: int) -> Array:
    if weights is None:
        return np.ones(n)
    weights = as_real("sample_weight", weights).copy()  # a copy that the caller cannot change
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must have shape ({n},), one weight per sample, got {weights.shape}"
        )
    wrong = weights[~((weights > 1e-100) & (weights < 1e100))]  # NaN is among these
    if len(wrong):
        raise ValueError(f"sample_weight must be between 1e-100 and 1e100, got {wrong[0]}")
    return weights
