"""The support matrix machine, and the base of the classifiers with a spectral elastic net."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from numbers import Real
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils._param_validation import Interval, StrOptions

from smmcore.arrays import Array
from smmcore.estimators.base import (
    STRONGLY_CONVEX_ATTRIBUTES,
    Callback,
    ClassWeight,
    MatrixClassifier,
    stack,
)
from smmcore.iterate import observe
from smmcore.path import tau_max
from smmcore.problems import SMMCertificate, SMMProblem, SpectralProblem
from smmcore.solvers import augmented_lagrangian, default_solver, newton, solve_to_gap

ROUNDING_ADVICE = (
    "Rounding errors hide the margins: divide each feature by its standard deviation, or choose a "
    "smaller C."
)
MAX_MARGIN_ERROR = 1e-8  # a larger error of a margin is due to rounding


class SpectralClassifier(MatrixClassifier):
    """A classifier with a spectral elastic net."""

    _attributes: ClassVar[dict[str, str]] = STRONGLY_CONVEX_ATTRIBUTES

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "tau": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        tau: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.tau = tau
        self.shape = shape
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def tau_max(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float | Array:
        """Return the smallest tau with W = 0 on these samples, the end of any grid of tau.

        It depends on C and the weights, not on `tau` or on a fit. For classes of different weights
        and the hinge loss it takes as long as two or three fits.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        float, or ndarray of shape (K,) with K > 2 classes
            With hinge loss too high by at most 1e-6 of itself.

        Examples
        --------
        >>> from smmcore import SupportMatrixMachine
        >>> X, y = [[[2.0, 0.0]], [[0.0, 1.0]], [[-2.0, 0.0]], [[0.0, -1.0]]], ["a", "b", "b", "b"]
        >>> machine = SupportMatrixMachine(C=0.5)
        >>> top = machine.tau_max(X, y)
        >>> print(f"{top:.3f}")
        1.000
        >>> int(machine.set_params(tau=0.99 * top).fit(X, y).rank_)
        1
        """
        # On a clone, because `_problems` sets attributes of a fit.
        problems = clone(self)._problems(X, y, sample_weight)
        return stack([self._tau_max(problem) for _, problem in problems])  # type: ignore[no-any-return]

    def _tau_max(self, problem: Any) -> float:
        return float(problem.tau_max())

    def solve(
        self, problem: SpectralProblem, callback: Callback | None = None
    ) -> tuple[SMMCertificate, int, str]:
        states = observe(self._states(problem), callback)
        proof, state = solve_to_gap(problem, states, self.tol, self.max_iter)
        if proof.within(self.tol):
            return proof, state.k, ""
        advice = (
            ROUNDING_ADVICE
            if state.margin_error > MAX_MARGIN_ERROR
            else "Increase max_iter or tol; features far from size 1 may have to be scaled first."
        )
        excuse = (
            f"The relative duality gap is {proof.relative_gap:.1e} after {state.k} iterations, "
            f"tol={self.tol} was not reached; ||coef_ - W*||_F is at most {proof.radius:.1e}. "
            f"{advice}"
        )
        return proof, state.k, excuse

    @abstractmethod
    def _states(self, problem: Any) -> Iterator[Any]:
        """Return the states of the solver."""

    def _cause_of_zero(self, problems: list[Any]) -> str:
        bound = max(problem.tau_bound() for problem in problems)
        return self._weight_too_large("tau", bound, problems[0])


class SupportMatrixMachine(SpectralClassifier):
    """Support matrix machine: hinge loss and spectral elastic net on matrix samples.

    Minimises 1/2 ||W||_F^2 + tau ||W||_* + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ and stops at a
    given duality gap, which is an upper bound of the error.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    tau : float, default=1.0
        Nuclear weight, at least 0; at 0 this is the linear soft-margin SVM.
    shape : tuple of int, optional
        (p, q), for flat X of shape (n, p q), as scikit-learn's own tools and data frames have it:
        each matrix row by row. By default the samples of flat X are vectors.
    class_weight : dict or "balanced", optional
        Positive weights of the classes in the loss, {label: weight}; 1 by default. Sample i has
        w_i = sample_weight[i] times the weight of its class. "balanced" gives all classes the same
        sum of w_i: class k has the weight n / (K n_k), where samples count by `sample_weight`.
        With K > 2 classes these are also the weights of one against the rest, so the rest counts
        K - 1 times as much as the one.
    solver : {"auto", "newton", "alm"}, default="auto"
        "newton" is Newton's method on the dual, "alm" the augmented Lagrangian method with Newton
        steps in W, and "auto" the one that is usually faster, and the other one where that gives
        up. All end with the same certificate. Algorithm 1 of the paper is `solvers.fast_admm`.
    tol : float, default=1e-6
        The fit ends when `dual_gap_ <= tol * abs(objective_)`.
    max_iter : int, default=2000
        The maximum number of iterations.

    Attributes
    ----------
    coef_ : ndarray of shape (p, q), or (K, p, q) with K > 2 classes, one against the rest
        The regression matrix W, exactly low rank; ||coef_ - W*||_F <= sqrt(2 dual_gap_).
        Where X is flat, one row per class, as scikit-learn's tools expect: (1, p q) or (K, p q)
        with `shape`, (1, p) or (K, p) without.
    W_ : ndarray
        `coef_` in the shape of a sample, also where X is flat.
    intercept_ : float, or ndarray of shape (K,)
        Of shape (1,) or (K,) where X is flat.
    classes_ : ndarray of shape (2,) or (K,)
    dual_coef_ : ndarray of shape (n,), or (K, n)
        The dual variables alpha, 0 <= alpha_i <= C w_i.
    support_ : ndarray
        Indices of the support matrices: the samples with alpha > 0 (for any of the K).
    objective_, dual_gap_ : float, or ndarray of shape (K,)
        P(coef_, intercept_), and an upper bound of its distance to the optimum. Rounding of `coef_`
        and `intercept_` changes a margin by about 1e-16 of its largest term and the objective by
        C n times that, which matters if C is 1e8 or samples are far from 0.
    radius_ : float, or ndarray of shape (K,)
        sqrt(2 dual_gap_), an upper bound of ||coef_ - W*||_F.
    certain_rank_ : int, or ndarray of shape (K,)
        A lower bound of the rank of W*: the number of `singular_values_` above `radius_`.
    n_iter_, rank_ : int, or ndarray of shape (K,)
        Iterations done; rank of `coef_`.
    singular_values_ : ndarray of shape (min(p, q),), or (K, min(p, q))
        Those of `coef_`, descending.
    n_features_in_ : int
        p, or p q with `shape`.

    See Also
    --------
    SupportMatrixMachineCV, smm_path, LeastSquaresSMM, LinearSVM

    Notes
    -----
    Samples that are vectors (X of shape (n, p)) are treated as matrices with one column.

    Memory. The fit makes no copy of a C-contiguous X of floats or integers of any size, and one of
    the same type of any other X. Products are formed in double precision by blocks of samples, so
    in single precision the certificate holds for the numbers in X as well. "newton" also needs a
    few times n^2 numbers, of more than 2000 samples only those of its working set, and up to 32 MB;
    "alm" those of a Hessian, (p q)^2, and of at most 8 p q samples.

    At 1000 x 80 x 100 the fit allocated 0.3 times the memory of X, or 0.8 times where almost all
    samples are support matrices with alpha < C, and at 20000 x 28 x 28 0.3 times. Prediction
    allocates a few megabytes at most besides its result.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 6 and Algorithm 1.

    Examples
    --------
    >>> from smmcore import SupportMatrixMachine
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(200, (20, 25), 4, 1e-3, 5, "unit variance", 0)
    >>> machine = SupportMatrixMachine(C=1.0, tau=1.0).fit(X, y)
    >>> machine.dual_gap_ <= 1e-6 * machine.objective_
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SpectralClassifier._parameter_constraints,
        "solver": [StrOptions({"auto", "newton", "alm"})],
    }

    def __init__(
        self,
        C: float = 1.0,
        tau: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        solver: Literal["auto", "newton", "alm"] = "auto",
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        super().__init__(C, tau, shape=shape, class_weight=class_weight, tol=tol, max_iter=max_iter)
        self.solver = solver

    def _states(self, problem: SMMProblem) -> Iterator[Any]:
        solvers = {"auto": default_solver, "newton": newton, "alm": augmented_lagrangian}
        return solvers[self.solver](problem)

    def _tau_max(self, problem: SMMProblem) -> float:
        return tau_max(problem)

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> SMMProblem:
        return SMMProblem(X, y, float(self.C), float(self.tau), sample_weight=sample_weight)


class LinearSVM(SupportMatrixMachine):
    """Linear soft-margin SVM on matrices taken as vectors: the support matrix machine at tau = 0.

    Minimises 1/2 ||W||_F^2 + C sum_i w_i [1 - y_i (<W, X_i> + b)]_+ by the solver and with the
    certificate of `SupportMatrixMachine`. The offset is not penalised, and neither C nor the units
    of the features matter much for the time.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    shape, class_weight, tol, max_iter : optional
        As in `SupportMatrixMachine`.

    Attributes
    ----------
    coef_, intercept_, classes_, dual_coef_, support_, objective_, dual_gap_, radius_,
    certain_rank_, n_iter_, rank_, singular_values_, n_features_in_ :
        As in `SupportMatrixMachine`.

    See Also
    --------
    SupportMatrixMachine, BilinearSVM

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

    tau, solver = 0.0, "auto"  # neither is a parameter here

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
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.shape = shape
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
