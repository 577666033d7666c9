"""The rank-k SVM by cyclic minimisation as a scikit-learn classifier."""

from __future__ import annotations

from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from smmcore.estimators.base import Callback, ClassWeight, MatrixClassifier
from smmcore.estimators.svm import stationarity_warning
from smmcore.iterate import observe, until
from smmcore.problems import BilinearProblem, Certificate
from smmcore.problems.bilinear import most_work
from smmcore.solvers.alternating import linear_svm
from smmcore.solvers.certified import solve_to_gap
from smmcore.solvers.cyclic import CyclicState, cyclic_svm

Array = NDArray[np.float64]


class RankKSVM(MatrixClassifier):
    """Rank-k SVM: a soft-margin SVM whose W has at most a given rank, one vector at a time.

    Minimises 1/2 ||W||_F^2 + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ over rank(W) <= k by solving
    for u_1, v_1, ..., u_k, v_k of W = sum_j u_j v_j' in turn, where the u's are orthogonal and the
    v's too. `BilinearSVM(fit_intercept=True)` solves the same problem, but for all u's at once, and
    reaches lower objectives.

    Parameters
    ----------
    rank : int, default=1
        k. Values above min(p, q) count as min(p, q).
    C : float, default=1.0
        Loss weight, positive.
    shape, class_weight : optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples, and weights of the classes.
    init : {"svm", "random"}, default="svm"
        The first W: that of the linear SVM, cut to rank k, or a random one of the same norm.
        Neither is always better. At full rank the first is the solution, while from a random start
        the cycle stalls.
    tol : float, default=1e-6
        The fit ends when `stationarity_ <= tol * objective_`.
    max_iter : int, default=1000
        The maximum number of cycles.
    random_state : int, RandomState or None, default=None
        Seed of the random start.

    Attributes
    ----------
    objective_, stationarity_ : float, or ndarray of shape (K,)
        P(coef_, intercept_), and the most that moving one vector alone can lower it.
    n_iter_ : int, or ndarray of shape (K,)
        Cycles.
    coef_, intercept_, classes_, rank_, singular_values_, n_features_in_ :
        As in `SupportMatrixMachine`.

    See Also
    --------
    BilinearSVM, LowRankSVM

    Notes
    -----
    Samples must be matrices. A tensor is a sum of rank-one terms as well, but orthogonality, which
    makes each step an SVM, would then be a restriction and not a choice of coordinates.

    Each part of W is found as in `BilinearSVM`, and the work is bounded in the same way.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, Problem 1, section 3.1.

    Examples
    --------
    >>> from smmcore import RankKSVM
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = RankKSVM(rank=1, C=0.1).fit(X, y)
    >>> machine.coef_.shape, machine.rank_
    ((6, 5), 1)
    >>> bool(machine.stationarity_ <= 1e-6 * machine.objective_)
    True
    """

    _attributes: ClassVar[dict[str, str]] = {"stationarity_": "gap"}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "rank": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "init": [StrOptions({"svm", "random"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        rank: int = 1,
        C: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        init: Literal["svm", "random"] = "svm",
        tol: float = 1e-6,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.rank = rank
        self.C = C
        self.shape = shape
        self.class_weight = class_weight
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> BilinearProblem:
        rank = min(self.rank, *X.shape[1:])
        return BilinearProblem(X, y, float(self.C), rank, offset=True, sample_weight=sample_weight)

    def solve(
        self, problem: BilinearProblem, callback: Callback | None = None
    ) -> tuple[Certificate, int, str]:
        start = linear_svm(problem)
        if self.init == "random":
            random = check_random_state(self.random_state).standard_normal(start.shape)
            start = random * (np.linalg.norm(start) / np.linalg.norm(random))
        cycle = 2 * problem.rank
        cycles = islice(cyclic_svm(problem, start=start), cycle, None, cycle)
        most = most_work(len(problem.y))

        def is_worked(state: CyclicState) -> bool:
            return state.work > most

        states = until(observe(cycles, callback), is_worked)
        proof, state = solve_to_gap(problem, states, self.tol, self.max_iter)
        excuse = stationarity_warning(
            proof, self.tol, "vector", f"{state.k} cycles", is_worked(state)
        )
        return proof, state.k, excuse
