"""The least-squares support matrix machine as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator

from smmcore.arrays import Array
from smmcore.estimators.smm import SpectralClassifier
from smmcore.solvers.admm import ADMMState, fast_admm
from smmcore.xia_fan.least_squares import LSSMMProblem


class LeastSquaresSMM(SpectralClassifier):
    """Least-squares support matrix machine: squared loss and spectral elastic net.

    Minimises 1/2 ||W||_F^2 + tau ||W||_* + C/2 sum_i w_i (1 - y_i (<W, X_i> + b))^2 by Algorithm 1
    of the SMM paper, `solvers.fast_admm`, and stops at a given duality gap. Each step solves a
    linear system whose matrix is decomposed once.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    tau : float, default=1.0
        Nuclear weight, at least 0. At 0 this is the LS-SVM; W = 0 from `LSSMMProblem.tau_max()`.
    shape, class_weight : optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples, and weights of the classes.
    tol : float, default=1e-6
        The fit ends when `dual_gap_ <= tol * abs(objective_)`. The paper ends where max |S - W| is
        below 1e-3, whatever the size of W.
    max_iter : int, default=2000
        The maximum number of iterations.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n,), or (K, n)
        The dual variables alpha, of either sign: the residuals C w_i (1 - y_i f_i) at the solution.
    support_ : ndarray
        Indices of the samples with nonzero alpha: usually all, unlike with the hinge loss.
    coef_, intercept_, classes_, objective_, dual_gap_, radius_, certain_rank_, n_iter_, rank_,
    singular_values_, n_features_in_ :
        As in `SupportMatrixMachine`.

    See Also
    --------
    SupportMatrixMachine

    Notes
    -----
    The fit makes no copy of a C-contiguous X; it needs a few times m^2 numbers, m = min(n, p q).

    References
    ----------
    Xia, Fan: Least squares support matrix machines based on bilevel programming, 2016, eq. 10 and
    Algorithm 1; Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, for the momentum.

    Examples
    --------
    >>> from smmcore import LeastSquaresSMM
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = LeastSquaresSMM(C=0.1, tau=1.0).fit(X, y)
    >>> machine.coef_.shape, machine.rank_
    ((6, 5), 1)
    >>> bool(machine.dual_gap_ <= 1e-6 * machine.objective_)
    True
    """

    def _states(self, problem: LSSMMProblem) -> Iterator[ADMMState]:
        return fast_admm(problem, rho="auto")

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> LSSMMProblem:
        return LSSMMProblem(X, y, float(self.C), float(self.tau), sample_weight=sample_weight)
