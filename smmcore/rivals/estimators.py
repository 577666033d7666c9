"""The bilinear SVM and the regularised GLM as scikit-learn classifiers."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from smmcore.arrays import Array
from smmcore.estimators.base import Callback, ClassWeight, MatrixClassifier
from smmcore.iterate import observe, until
from smmcore.problems import Certificate
from smmcore.rivals.alternating import BilinearState, alternating_svm, svm_basis
from smmcore.rivals.bilinear import BilinearProblem, most_work
from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import proximal_gradient, solve_to_gap


class BilinearSVM(MatrixClassifier):
    """Bilinear SVM: a soft-margin SVM whose W has at most a given rank.

    Minimises 1/2 ||W||_F^2 + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ over rank(W) <= r by solving
    for one factor of W at a time, exactly. The problem is not convex: the result is stationary, the
    best of several starts, but not always the minimum.

    Parameters
    ----------
    rank : int, default=1
        r. Values above min(p, q) count as min(p, q), which is the linear SVM.
    C : float, default=1.0
        Loss weight, positive.
    shape, class_weight : optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples, and weights of the classes.
    fit_intercept : bool, default=True
        Whether there is an offset b. The paper's bilinear SVM has none, which explains much of its
        lower accuracy.
    n_init : int, default=3
        Number of starts: the leading row space of the linear SVM's W, then random ones.
    tol : float, default=1e-6
        A start ends when `stationarity_ <= tol * objective_`.
    max_iter : int, default=1000
        The maximum number of half-steps for each start.
    random_state : int, RandomState or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    objective_, stationarity_ : float, or ndarray of shape (K,)
        P(coef_, intercept_), and the most that moving one factor alone can lower it.
    n_iter_ : int, or ndarray of shape (K,)
        Half-steps of the best start.
    coef_, intercept_, classes_, rank_, singular_values_, n_features_in_ :
        As in `SupportMatrixMachine`.

    See Also
    --------
    LinearSVM, SupportMatrixMachine

    Notes
    -----
    A part of W with d < n entries is found by an interior-point method, in some thirty iterations
    of n d^2 operations, and a larger one by an active set on a Gram matrix of n^2 numbers, at most
    a gigabyte. The fit ends with a warning after 20 n + 20000 iterations in all, as may happen with
    features in very different units and a large C.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 4. Pirsiavash, Ramanan, Fowlkes:
    Bilinear classifiers for visual recognition, 2009.

    Examples
    --------
    >>> from smmcore import BilinearSVM
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = BilinearSVM(rank=1, C=0.1, random_state=0).fit(X, y)
    >>> machine.coef_.shape, machine.rank_
    ((6, 5), 1)
    >>> bool(machine.stationarity_ <= 1e-6 * machine.objective_)
    True
    """

    _attributes: ClassVar[dict[str, str]] = {"stationarity_": "gap"}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "rank": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        rank: int = 1,
        C: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        fit_intercept: bool = True,
        n_init: int = 3,
        tol: float = 1e-6,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.rank = rank
        self.C = C
        self.shape = shape
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> BilinearProblem:
        rank = min(self.rank, *X.shape[1:])
        offset = bool(self.fit_intercept)
        return BilinearProblem(X, y, float(self.C), rank, offset, sample_weight=sample_weight)

    def solve(
        self, problem: BilinearProblem, callback: Callback | None = None
    ) -> tuple[Certificate, int, str]:
        random = check_random_state(self.random_state)
        starts = [svm_basis(problem)]
        size = problem.shape[2], problem.rank
        starts += [np.linalg.qr(random.standard_normal(size))[0] for _ in range(self.n_init - 1)]
        most = most_work(len(problem.y)) // self.n_init  # for each start

        def is_worked(state: BilinearState) -> bool:
            return state.work > most

        runs = (observe(alternating_svm(problem, start=start), callback) for start in starts)
        ends = [
            solve_to_gap(problem, until(states, is_worked), self.tol, self.max_iter)
            for states in runs
        ]
        proof, state = min(ends, key=lambda end: end[0].primal)
        if proof.within(self.tol):
            return proof, state.k, ""
        advice = "Increase max_iter or tol."
        if is_worked(state):
            advice = (
                "The quadratic programmes took more iterations than a fit may take. Bring the "
                "features to one scale, or choose a smaller C or a larger tol."
            )
        excuse = (
            f"By moving one factor the objective could still fall by {proof.relative_gap:.1e} of "
            f"itself after {state.k} half-steps, tol={self.tol} was not reached. {advice}"
        )
        return proof, state.k, excuse


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
