"""A trained regression that needs no training data, and the file that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.your_data.trial.instructions import write_regression_instructions
from pages.your_data.trial.regression_trial import REGRESSIONS, RegressionFit
from pages.your_data.trial.saved_machine import (
    Array,
    SavedMachine,
    check_present,
    describe_size,
    read_scaling,
    to_numbers,
    to_ranks,
    to_text,
)
from smmcore.estimators.scaling import Scaling


@dataclass(frozen=True, eq=False)
class RegressionMachine(SavedMachine):
    """A trained regression f(X) = <W, X> + b with everything that it does to a sample.

    Examples
    --------
    >>> import numpy as np
    >>> from pages.your_data.trial.regression_machine import RegressionMachine
    >>> from smmcore.estimators.scaling import Scaling
    >>> machine = RegressionMachine("ridge", np.ones((2, 2)), -1.0, Scaling(), 0.1, 1)
    >>> machine.predict(np.ones((1, 2, 2))).tolist()
    [3.0]
    """

    method: str  # see `RegressionTrial`
    W: Array  # (p', q'), weights for scaled samples
    b: float
    scaling: Scaling  # from raw samples (p, q) to scaled ones (p', q')
    weight: float = field(repr=False)  # lambda or alpha of the training; NaN of the mean
    rank: int = field(repr=False)  # of W
    # The duality gap relative to that of W = 0; NaN if it is not that of the nuclear norm
    gap: float = field(default=np.nan, repr=False)

    METHOD_NAMES = tuple(REGRESSIONS)
    MAY_BE_NAN = ("lambda_or_alpha", "relative_gap")
    REQUIRED = (*SavedMachine.REQUIRED, *MAY_BE_NAN, "rank")

    def __post_init__(self) -> None:
        if self.method not in REGRESSIONS:
            raise ValueError(f"the method must be one of {self.METHOD_NAMES}, got {self.method!r}")
        if self.W.ndim != 2:
            raise ValueError(f"W must be a matrix, got {describe_size(self.W)}")
        if self.method == "mean" and self.W.any():
            raise ValueError("W must be 0 for the method 'mean', got other numbers")
        each: dict[str, float] = {"b": self.b, "rank": self.rank}
        each |= zip(self.MAY_BE_NAN, (self.weight, self.gap), strict=True)
        self._check({name: (number, ()) for name, number in each.items()})

    @classmethod
    def from_fit(cls, method: str, fit: RegressionFit, scaling: Scaling) -> RegressionMachine:
        """Return the machine of a fit on samples that were scaled."""
        rank = int(np.linalg.matrix_rank(fit.W))
        return cls(method, fit.W, fit.b, scaling, fit.weight, rank, fit.gap)

    def predict(self, X: NDArray[Any]) -> Array:
        """Return the predictions f(X) for raw samples."""
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            scaled = self._scale(X)
            predicted = scaled.reshape(len(scaled), self.W.size) @ self.W.ravel() + self.b
        if not np.isfinite(predicted).all():
            raise ValueError("the predictions are too large: are the samples in other units?")
        return np.asarray(predicted)

    def to_arrays(self) -> dict[str, object]:
        """Return everything as arrays and texts, with instructions for MATLAB and NumPy.

        Absent are the steps of the scaling that do nothing. `from_arrays` makes the same machine
        of them.
        """
        return {
            "method": self.method,
            "W": self.W,
            "b": self.b,
            **self.scaling.to_arrays(),
            "lambda_or_alpha": self.weight,
            "rank": self.rank,
            "relative_gap": self.gap,
            **write_regression_instructions(self.shape, self.scaling),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, object]) -> RegressionMachine:
        """Return the machine of `to_arrays`; other arrays are ignored."""
        check_present(cls.REQUIRED, arrays)
        numbers = {name: to_numbers(name, arrays) for name in ("b", *cls.MAY_BE_NAN)}
        for name, number in numbers.items():
            if number.size != 1:
                raise ValueError(f"{name} must be a single number, got {describe_size(number)}")
        ranks = to_ranks("rank", arrays)
        if len(ranks) != 1:
            raise ValueError(f"rank must be a single number, got {len(ranks)}")
        b, weight, gap = (number.item() for number in numbers.values())
        W = to_numbers("W", arrays)
        scaling = read_scaling(arrays)
        return cls(to_text("method", arrays), W, b, scaling, weight, int(ranks[0]), gap)
