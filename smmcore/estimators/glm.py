"""The regularised GLM, logistic regression with a nuclear norm, as a scikit-learn classifier."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from smmcore.arrays import Array
from smmcore.estimators.base import Callback, ClassWeight, MatrixClassifier
from smmcore.iterate import observe
from smmcore.problems import Certificate, GLMProblem
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.proximal import proximal_gradient


class RegularizedGLM(MatrixClassifier):
    """Regularised GLM for classes: logistic loss and nuclear norm on matrix samples.

    Minimises sum_i w_i log(1 + exp(-y_i (<W, X_i> + b))) + lam ||W||_* by Nesterov's method with
    restart, and stops at a given duality gap.

    Parameters
    ----------
    lam : float, default=1.0
        Nuclear weight, positive; W = 0 if it is at least `GLMProblem.lam_max()`.
    shape, class_weight : optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples, and weights of the classes.
    tol : float, default=1e-6
        The fit ends when `dual_gap_ <= tol * abs(objective_)`.
    max_iter : int, default=10000
        The maximum number of iterations.

    Attributes
    ----------
    coef_, intercept_, classes_, objective_, dual_gap_, n_iter_, rank_, singular_values_,
    n_features_in_ :
        As in `SupportMatrixMachine`. The gap bounds the error of the objective, not that of W.

    See Also
    --------
    SupportMatrixMachine

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 5. Zhou, Li: Regularized matrix
    regression, 2014.

    Examples
    --------
    >>> from smmcore import RegularizedGLM
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = RegularizedGLM(lam=5.0).fit(X, y)
    >>> machine.coef_.shape, machine.rank_
    ((6, 5), 1)
    >>> bool(machine.dual_gap_ <= 1e-6 * machine.objective_)
    True
    """

    _attributes: ClassVar[dict[str, str]] = {"dual_gap_": "gap"}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "lam": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        lam: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        tol: float = 1e-6,
        max_iter: int = 10_000,
    ) -> None:
        self.lam = lam
        self.shape = shape
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> GLMProblem:
        return GLMProblem(X, y, float(self.lam), sample_weight=sample_weight)

    def solve(
        self, problem: GLMProblem, callback: Callback | None = None
    ) -> tuple[Certificate, int, str]:
        states = observe(proximal_gradient(problem), callback)
        proof, state = solve_to_gap(problem, states, self.tol, self.max_iter)
        excuse = (
            f"The relative duality gap is {proof.relative_gap:.1e} after {state.k} iterations, "
            f"tol={self.tol} was not reached. Increase max_iter, tol or lam."
        )
        return proof, state.k, "" if proof.within(self.tol) else excuse

    def _cause_of_zero(self, problems: list[Any]) -> str:
        largest = max(problem.lam_max() for problem in problems)
        return self._weight_too_large("lam", largest, problems[0])
