"""The problem that ADMM solves: two functions coupled by a linear equation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Step = Callable[[Array, Array], Array]


@dataclass(frozen=True, eq=False)
class Splitting:
    """min f(theta) + g(z) subject to A theta + B z = c (Sugiyama, Fig. 24.3).

    L(theta, z, u) = f(theta) + g(z) + u'(A theta + B z - c) + rho/2 ||A theta + B z - c||^2; the
    book sets rho = 1 and says that there is nothing to tune.
    """

    A: Any  # (l, b), dense or sparse
    B: Any  # (l, m), dense or sparse
    c: Array  # (l,)
    rho: float
    best_theta: Step  # (z, u) -> argmin_theta L(theta, z, u)
    best_z: Step  # (theta, u) -> argmin_z L(theta, z, u)
    fingerprint: Array | None = None  # of the data in f, to check start states

    def violation(self, theta: Array, z: Array) -> Array:
        """Return A theta + B z - c, shape (l,)."""
        return np.asarray(self.A @ theta + self.B @ z - self.c)
