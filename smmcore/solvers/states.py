"""What all states share: nobody changes them, and a run goes on from those of its own size only."""

import numpy as np
from numpy.typing import NDArray

from smmcore.problems import MatrixProblem

Array = NDArray[np.float64]


def freeze(record: object) -> None:
    """Make the arrays of a dataclass read-only, those in tuples that it holds as well."""
    for value in vars(record).values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, np.ndarray):
                item.setflags(write=False)


def check_start(problem: MatrixProblem, W: Array, per_sample: Array) -> None:
    """Refuse a state of other samples, told by its W and what it knows of each sample."""
    n, shape = len(problem.y), problem.X.shape[1:]
    if W.shape != shape or per_sample.shape != (n,):
        raise ValueError(
            f"start must be a state of {n} samples of shape {shape}, "
            f"got {len(per_sample)} of shape {W.shape}"
        )


def check_parameters(theta: Array, b: int) -> None:
    """Refuse a state of another number of parameters."""
    if theta.shape != (b,):
        raise ValueError(f"start must be a state of {b} parameters, got {len(theta)}")
