"""The problem of the support matrix machine: objective and dual."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smmcore import qp
from smmcore.arrays import Array
from smmcore.problems.base import Candidate, scale_near_1
from smmcore.problems.spectral import SpectralProblem, WStep

# Samples up to which the whole Gram matrix is computed. 1000 and 4000 take as long within 4 % on 25
# problems of `tests.benchmarks.choice`.
MOST_GRAM = 2000
# Share of the samples up to which their part of it is computed alone. Without this, 1000 samples of
# which few decide take twice as long; an eighth and a half take as long within 4 %.
_FEW = 0.25


@dataclass(frozen=True, eq=False, repr=False)
class SMMProblem(SpectralProblem):
    """The support matrix machine on given data (SMM paper, eq. 6).

    P(W, b) = 1/2 ||W||_F^2 + tau ||W||_* + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+

    D(alpha) = sum_i alpha_i - 1/2 ||D_tau(Omega(alpha))||_F^2 with
    Omega(alpha) = sum_i alpha_i y_i X_i, on 0 <= alpha_i <= C w_i, y @ alpha = 0.

    Parameters
    ----------
    X : array-like of shape (n, p, q)
        Samples. They are not copied if they are C-contiguous, so do not change them.
    y : array-like of shape (n,)
        Labels -1 and +1, both present.
    C : float
        Loss weight, positive.
    tau : float
        Nuclear weight, at least 0; at 0 the problem is the linear soft-margin SVM.
    sample_weight : array-like of shape (n,), optional
        Weights w_i of the samples in the loss, between 1e-100 and 1e100; 1 by default.

    Raises
    ------
    ValueError
        If an argument does not meet these conditions, or X is not finite or so large or small that
        its squares overflow or underflow.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 6.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.datasets import make_block_correlated
    >>> from smmcore.problems import SMMProblem
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> problem = SMMProblem(X, y, C=0.1, tau=1.0)
    >>> float(problem.dual(np.zeros(60))), problem.shape
    (0.0, (60, 6, 5))
    >>> W, alpha = np.zeros((6, 5)), problem.balance(np.full(60, 0.1))
    >>> b = problem.best_intercept(W)
    >>> problem.duality_gap(W, b, alpha) > 0
    True
    """

    @property
    def box(self) -> tuple[Array, Array]:
        """The bounds of u = y alpha in the dual, shape (n,) each."""
        ends = self.y * self.sample_C
        return np.minimum(ends, 0.0), np.maximum(ends, 0.0)

    def feasible(self, alpha: Array) -> Array:
        inside = np.minimum(alpha, self.sample_C)
        return alpha if np.array_equal(inside, alpha) else self.balance(inside)

    def gram_of(self, of: NDArray[np.intp]) -> Array:
        """Return the Gram matrix of some samples, shape (len(of), len(of)).

        It is a part of `gram`, unless there are more than `MOST_GRAM` samples or few are asked for.
        Whether `gram` is known makes no difference: a run that is resumed is to have the same
        rounding.
        """
        n = len(self.y)
        if n > MOST_GRAM or len(of) < _FEW * n:
            return self._samples.gram(of)
        return self.gram.take(of, axis=0).take(of, axis=1)  # faster than gram[np.ix_(of, of)]

    def regression(self, pull: Array, rho: float, start: Array, most: int | None = None) -> WStep:
        """Solve the W-step by the QP of eq. 11 in the SMM paper.

        The QP is multiplied by 1 + rho, so that its matrix is the Gram matrix, which does not
        change: maximise linear @ u - 1/2 u' gram u over feasible u = y alpha.

        A violation v of its KKT conditions costs up to v / 2 sum(C_i) of its value, and at the
        solution sum(alpha) <= 2 P*. So the tolerance for v is 1e-10 of sum(start) / sum(C_i); a
        larger one would limit the relative gap if only few alpha are near C_i. Half and double
        take as many iterations.
        """
        start = self.feasible(start)
        linear = (1 + rho) * self.y - pull
        tolerance = 1e-10 * (1 + rho) * float(start.mean()) / self.mean_C
        solution = qp.maximise(self.gram, linear, *self.box, self.y * start, tolerance, most=most)
        alpha = np.abs(solution.u)
        scores = (pull + self.gram @ (self.y * alpha)) / (1 + rho)
        return WStep(alpha, scores, solution.offset / (1 + rho), solution.violation / (1 + rho))

    def _best_scale(
        self, point: Candidate, primal: float, b: float, dual: float
    ) -> tuple[float, float, float]:
        # Where it pays: 25 problems take as many iterations with half and double of these figures.
        if not (primal - dual < 1e-3 * abs(primal) or primal > 2 * dual > 0):
            return 1.0, primal, b
        norm = float(np.linalg.norm(point.singular_values))
        s = scale_near_1(lambda s: self.best_primal(point, s)[0], norm, primal, dual)
        return s, *self.best_primal(point, s)

    def tau_bound(self) -> float:
        heaviest = self.balance(self.sample_C)
        return float(np.linalg.norm(self.omega(heaviest), 2))

    def _loss(self, decision: Array) -> float:
        return float(self.C * (self.sample_weight * np.maximum(1 - self.y * decision, 0.0)).sum())

    def _dual_value(self, alpha: Array) -> float:
        feasible = alpha.min() >= 0 and np.all(alpha <= self.sample_C)
        return float(alpha.sum()) if feasible else -np.inf
