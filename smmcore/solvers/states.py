"""What all states share: they are read-only, and a run goes on from those of its own data only."""

import numpy as np
from numpy.typing import NDArray

from smmcore.problems import MatrixProblem
from smmcore.problems.base import same_fingerprint

Array = NDArray[np.float64]


def freeze(record: object) -> None:
    """Make the arrays of a dataclass read-only, those in tuples that it holds as well."""
    for value in vars(record).values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, np.ndarray):
                item.setflags(write=False)


def check_start(problem: MatrixProblem, W: Array, per_sample: Array, fingerprint: Array) -> None:
    """Refuse a state of other samples or labels, given its W and an array of one value a sample."""
    n, shape = len(problem.y), problem.X.shape[1:]
    if W.shape != shape or per_sample.shape != (n,):
        raise ValueError(
            f"start must be a state of {n} samples of shape {shape}, "
            f"got {len(per_sample)} of shape {W.shape}"
        )
    check_data(fingerprint, problem.fingerprint)


def check_parameters(theta: Array, b: int) -> None:
    """Refuse a state of another number of parameters."""
    if theta.shape != (b,):
        raise ValueError(f"start must be a state of {b} parameters, got {len(theta)}")


def check_data(fingerprint: Array, expected: Array) -> None:
    """Refuse a state of other data of the same shape: what it has computed from them is stale."""
    if not same_fingerprint(fingerprint, expected):
        raise ValueError("start must be a state of the same samples and labels, got one of others")
