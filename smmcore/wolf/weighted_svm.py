"""The problem of iterative weighting: a linear SVM on samples of any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from smmcore.arrays import Array
from smmcore.problems.base import MatrixProblem
from smmcore.problems.smm import SMMProblem
from smmcore.problems.spectral import SMMCertificate

SMALLEST_ENTRY = 1e-90  # samples with smaller entries count as 0: their squares would underflow


@dataclass(frozen=True, eq=False, repr=False)
class WeightingProblem(MatrixProblem):
    """A linear SVM whose features are weighted repeatedly by its own solution.

    Parameters
    ----------
    X : array-like of shape (n, p, q, ...)
        Samples: matrices or tensors.
    y, sample_weight : array-like of shape (n,)
        As in `SMMProblem`.
    C : float
        Loss weight of each SVM, positive.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, section 4.1.
    """

    tensors: ClassVar[bool] = True

    C: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_C()

    @property
    def samples(self) -> Array:
        """X_i - mean, in the shape of X; for any weights the offset absorbs the mean."""
        return self.centred_samples(slice(None))

    def solve_svm(self, samples: Array, start: Array) -> SMMCertificate:
        """Solve the linear SVM on weighted samples as vectors (step 1), from a feasible alpha."""
        rows = samples.reshape(len(samples), -1, 1)
        if np.abs(rows).max() < SMALLEST_ENTRY:
            rows = np.zeros_like(rows)
        svm = SMMProblem(rows, self.y, self.C, 0.0, sample_weight=self.sample_weight)
        return svm.certificate(svm.regression(np.zeros_like(start), 0.0, start).alpha)
