"""The linear SVM on matrices taken as vectors."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from sklearn.utils._param_validation import Interval

from smmcore.estimators.base import (
    ROUNDING_ADVICE,
    STRONGLY_CONVEX_ATTRIBUTES,
    Callback,
    ClassWeight,
    MatrixClassifier,
)
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.smm import MOST_GRAM
from smmcore.solvers import default_solver, solve_to_gap

Array = NDArray[np.float64]

# Numbers that SVC may touch, a few seconds: it does not end if units differ by a factor 1e5.
MAX_WORK = 2e8
MOST_ITERATIONS = 2000  # of the methods for many samples


class LinearSVM(MatrixClassifier):
    """Linear soft-margin SVM on matrices taken as vectors: the support matrix machine at tau = 0.

    Minimises 1/2 ||W||_F^2 + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+. scikit-learn's SVC finds the
    support vectors on the Gram matrix of the centred samples. An active-set method then computes
    alpha to full precision, since C multiplies its errors in the duality gap. More than 2000
    samples, whose Gram matrix would be large, are left to the solvers of `SupportMatrixMachine`.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    shape, class_weight : optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples, and weights of the classes.
    tol : float, default=1e-6
        The fit warns unless `dual_gap_ <= tol * abs(objective_)`; it is usually far below.

    Attributes
    ----------
    n_iter_ : int, or ndarray of shape (K,)
        Iterations of SVC, or of the solver for more than 2000 samples.
    coef_, intercept_, classes_, dual_coef_, support_, objective_, dual_gap_, radius_,
    certain_rank_, rank_, singular_values_, n_features_in_ :
        As in `SupportMatrixMachine`.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 2.

    Examples
    --------
    >>> from smmcore import LinearSVM
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = LinearSVM(C=0.1).fit(X, y)
    >>> machine.coef_.shape
    (6, 5)
    >>> bool(machine.dual_gap_ <= 1e-6 * machine.objective_)
    True
    """

    _attributes: ClassVar[dict[str, str]] = STRONGLY_CONVEX_ATTRIBUTES

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        tol: float = 1e-6,
    ) -> None:
        self.C = C
        self.shape = shape
        self.class_weight = class_weight
        self.tol = tol

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> SMMProblem:
        return SMMProblem(X, y, float(self.C), 0.0, sample_weight=sample_weight)

    def solve(
        self, problem: SMMProblem, callback: Callback | None = None
    ) -> tuple[SMMCertificate, int, str]:
        if callback is not None:
            raise ValueError(
                "LinearSVM does not iterate, so callback must be None; "
                "SupportMatrixMachine(tau=0) solves the same problem and iterates"
            )
        n = len(problem.y)
        proof, n_iter = self._solve_few(problem) if n <= MOST_GRAM else self._solve_many(problem)
        excuse = (
            f"The relative duality gap is {proof.relative_gap:.1e}, tol={self.tol} was not "
            f"reached; ||coef_ - W*||_F is at most {proof.radius:.1e}. {ROUNDING_ADVICE}"
        )
        return proof, n_iter, "" if proof.within(self.tol) else excuse

    def _solve_few(self, problem: SMMProblem) -> tuple[SMMCertificate, int]:
        """Solve by SVC and the active-set method, on the Gram matrix."""
        n, unit = len(problem.y), problem.spread**2 or 1.0
        with catch_warnings(action="ignore", category=ConvergenceWarning):  # this is only a start
            # SVC's own constants are for samples of about size 1.
            svm = SVC(kernel="precomputed", C=self.C * unit, max_iter=max(int(MAX_WORK / n), n))
            svm.fit(problem.gram / unit, problem.y, problem.sample_weight)
        alpha = np.zeros(n)
        if not svm.fit_status_:  # if unfinished, most alpha are free: 0 is a better start
            alpha[svm.support_] = np.abs(svm.dual_coef_[0]) / unit
        start = problem.balance(np.minimum(alpha, problem.sample_C))
        proof = problem.certificate(problem.regression(np.zeros_like(alpha), 0.0, start).alpha)
        return proof, int(svm.n_iter_[0])

    def _solve_many(self, problem: SMMProblem) -> tuple[SMMCertificate, int]:
        """Solve by a method that needs no Gram matrix of all samples."""
        states = default_solver(problem)
        proof, state = solve_to_gap(problem, states, self.tol, MOST_ITERATIONS)
        return proof, state.k
