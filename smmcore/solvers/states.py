"""The base of all states, and checks that a start state is one of the same data."""

from typing import Protocol

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import same_fingerprint


class DualState(Protocol):
    """What Newton's method takes from a state of any solver."""

    @property
    def alpha(self) -> Array: ...
    @property
    def Omega(self) -> Array: ...
    @property
    def weights(self) -> tuple[float, float]: ...
    @property
    def fingerprint(self) -> Array: ...


class State:
    """The base of all states, dataclasses whose arrays are read-only, written in one line."""

    def __post_init__(self) -> None:
        freeze(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(k={getattr(self, 'k', None)})"


def freeze(record: object) -> None:
    """Make the arrays of a dataclass read-only, also those in its tuples."""
    for value in vars(record).values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, np.ndarray):
                item.setflags(write=False)


class Data(Protocol):
    """What a state is checked against."""

    @property
    def shape(self) -> tuple[int, ...]:
        """n and the shape of a sample."""

    @property
    def fingerprint(self) -> Array: ...


def check_start(problem: Data, W: Array, per_sample: Array, fingerprint: Array) -> None:
    """Raise a ValueError for a state of other samples or labels, given its arrays."""
    n, *sizes = problem.shape
    shape = tuple(sizes)
    if W.shape != shape or per_sample.shape != (n,):
        raise ValueError(
            f"start must be a state of {n} samples of shape {shape}, "
            f"got {len(per_sample)} of shape {W.shape}"
        )
    check_data(fingerprint[:2], problem.fingerprint[:2])


def check_sample_weight(problem: Data, fingerprint: Array) -> None:
    """Raise a ValueError for a state of other sample weights."""
    if not has_sample_weight(problem, fingerprint):
        raise ValueError(
            "start must be a state of the same sample weights, got a state of other weights"
        )


def has_sample_weight(problem: Data, fingerprint: Array) -> bool:
    """Return whether a state of the same data is also one of the same sample weights."""
    return same_fingerprint(fingerprint[2:], problem.fingerprint[2:])


def check_parameters(theta: Array, b: int) -> None:
    """Raise a ValueError for a state of another number of parameters."""
    if theta.shape != (b,):
        raise ValueError(f"start must be a state of {b} parameters, got {len(theta)}")


def check_data(fingerprint: Array, expected: Array) -> None:
    """Raise a ValueError for a state of other data of the same shape."""
    if not same_fingerprint(fingerprint, expected):
        raise ValueError(
            "start must be a state of the same samples and labels, got a state of other data"
        )
