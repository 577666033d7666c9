"""The linear SVM on vectorised matrices, as the paper's first rival."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC
from sklearn.utils._param_validation import Interval

from smmcore.estimators.base import MatrixClassifier, stack
from smmcore.problems import SMMCertificate, SMMProblem

Array = NDArray[np.float64]


class LinearSVM(MatrixClassifier):
    """Linear soft-margin SVM on matrices taken as vectors: the support matrix machine at tau = 0.

    Minimises 1/2 ||W||_F^2 + C sum_i [1 - y_i (<W, X_i> + b)]_+. scikit-learn's SVC solves it, on
    the Gram matrix of the centred samples; the answer carries the duality gap that it has reached.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight, positive.
    tol : float, default=1e-5
        Largest violation of the optimality conditions, in a margin, that ends the fit.

    Attributes
    ----------
    coef_ : ndarray of shape (p, q), or (K, p, q) with K > 2 classes, one against the rest
    intercept_ : float, or ndarray of shape (K,)
    classes_ : ndarray of shape (2,) or (K,)
    dual_coef_ : ndarray of shape (n,), or (K, n)
        The dual variables alpha, 0 <= alpha <= C.
    support_ : ndarray
        Indices of the samples with alpha > 0 (for any of the K).
    objective_, dual_gap_ : float, or ndarray of shape (K,)
        P(coef_, intercept_), and how far above the optimum it is at most.
    n_iter_, rank_ : int, or ndarray of shape (K,)
    singular_values_ : ndarray of shape (min(p, q),), or (K, min(p, q))
    n_features_in_ : int
        p.

    References
    ----------
    Luo, Xie, Zhang, Li: Support Matrix Machines, ICML 2015, eq. 2.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, C: float = 1.0, *, tol: float = 1e-5) -> None:
        self.C = C
        self.tol = tol

    def _problem(self, X: Array, y: Array) -> SMMProblem:
        return SMMProblem(X, y, float(self.C), 0.0)

    def _solve(self, problem: SMMProblem) -> tuple[SMMCertificate, int, str]:
        svm = SVC(kernel="precomputed", C=self.C, tol=self.tol).fit(problem.gram, problem.y)
        alpha = np.zeros(len(problem.y))
        alpha[svm.support_] = np.abs(svm.dual_coef_[0])
        proof = problem.certificate(problem.balanced(np.minimum(alpha, self.C)))
        return proof, int(svm.n_iter_[0]), ""

    def _keep(self, proofs: list[Any]) -> None:
        self.dual_gap_ = stack([proof.gap for proof in proofs])
        self.dual_coef_ = stack([proof.alpha for proof in proofs])
        self.support_ = np.flatnonzero(np.atleast_2d(self.dual_coef_).max(axis=0) > 0)
