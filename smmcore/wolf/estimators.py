"""The low-rank SVM and AROM, by iterative weighting, as scikit-learn classifiers."""

from __future__ import annotations

from abc import abstractmethod
from math import inf
from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from smmcore.arrays import Array
from smmcore.estimators.base import Callback, ClassWeight, MatrixClassifier
from smmcore.iterate import last, observe, until
from smmcore.problems import Certificate
from smmcore.wolf.reweighting import (
    Weighting,
    elementwise_weighting,
    iterative_weighting,
    spectral_weighting,
)
from smmcore.wolf.weighted_svm import WeightingProblem


class WeightingClassifier(MatrixClassifier):
    """A series of linear SVMs on samples of any order, each weighted by the SVM before."""

    _max_ndim = inf
    _first_C = "the larger of 10 and 10 / spread^2"

    _attributes: ClassVar[dict[str, str]] = {"dual_coef_": "alpha", "svm_dual_gap_": "gap"}

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
        max_iter: int = 1000,
    ) -> None:
        self.C = C
        self.shape = shape
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    @abstractmethod
    def _weigh(self, W: Array) -> Weighting:
        """Return the weighting for a W."""

    def _problem(self, X: Array, y: Array, sample_weight: Array) -> WeightingProblem:
        return WeightingProblem(X, y, float(self.C), sample_weight=sample_weight)

    def solve(
        self, problem: WeightingProblem, callback: Callback | None = None
    ) -> tuple[Certificate, int, str]:
        passes = observe(iterative_weighting(problem, self._weigh), callback)
        state = last(until(passes, lambda state: state.change <= self.tol, self.max_iter))
        excuse = ""
        if state.change > self.tol:
            excuse = (
                f"W still changed by {state.change:.1e} of itself in pass {state.k}, "
                f"tol={self.tol} was not reached. Increase max_iter or tol."
            )
        return state.certificate(problem, self.tol), state.k, excuse

    def _cause_of_zero(self, problems: list[Any]) -> str:
        return (
            "Iterative weighting ends there if C is too small, or if no W does better than a "
            "constant. From the second pass on samples are weighted to margins near 1, whatever "
            "their units."
        )


class LowRankSVM(WeightingClassifier):
    """Low-rank SVM by iterative weighting: AROM on rank-one matrices instead of single features.

    Seeks a classifier with few rank-one features: trains a linear SVM, weights the samples in the
    singular bases of its W by D + D(1, 1) / 10, and repeats until W converges. The result is
    equivariant: samples A X_i B' with orthogonal A, B give A W B' (Proposition 1).

    Parameters
    ----------
    C : float, default=1.0
        Loss weight of each SVM, positive. If it is too small, W shrinks to 0; the larger of 10 and
        10 / spread^2 was enough in all trials.
    shape, class_weight : optional
        As in `SupportMatrixMachine`, but the shape may be that of tensors, (p, q, ...): flat
        samples hold their entries with the last index changing fastest.
    tol : float, default=1e-6
        The fit ends when a pass changes W by at most this, relative to its norm.
    max_iter : int, default=1000
        The maximum number of passes.

    Attributes
    ----------
    coef_ : ndarray of shape (p, q, ...), or (K, p, q, ...) with K > 2 classes, one against the rest
        W in original coordinates.
    dual_coef_, support_ : ndarray
        Dual variables of the last SVM, and the indices where they are positive.
    objective_, svm_dual_gap_ : float, or ndarray of shape (K,)
        Objective and duality gap of the last SVM, in its weighted coordinates. They say nothing
        about other weightings, which may end at a W of lower rank.
    n_iter_, rank_ : int, or ndarray of shape (K,)
        Passes; the number of `singular_values_` above `tol` times the first.
    singular_values_ : ndarray
        Those of `coef_`; a tensor is unfolded along its first axis.
    diagonal_ : ndarray
        The diagonal of the last D, as in Figure 1 of the paper: near 10/11 for the directions that
        remain, near 0 for the others.
    intercept_, classes_, n_features_in_ :
        As in `SupportMatrixMachine`.

    See Also
    --------
    AROM, SupportMatrixMachine

    Notes
    -----
    For samples of order three and more the SVD of W is the higher-order SVD (section 4.3). The W of
    the last SVM has low rank in its weighted coordinates (`diagonal_`). `coef_`, the same
    classifier in the coordinates of the samples, need not: elementwise weighting changes the rank.

    The fit needs a few copies of X in double precision, the weighted samples, and a few times the
    n^2 numbers of a Gram matrix, also where n is large.

    References
    ----------
    Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, CVPR 2007, Problem 2, section 4.1.

    Examples
    --------
    >>> from smmcore import LowRankSVM
    >>> from smmcore.datasets import make_low_rank_relevant
    >>> X, y = make_low_rank_relevant(200, random_state=0)
    >>> machine = LowRankSVM(C=1.0).fit(X, y)
    >>> machine.coef_.shape, machine.score(X, y) > 0.9
    ((10, 10), True)
    """

    _attributes: ClassVar[dict[str, str]] = {
        **WeightingClassifier._attributes,
        "diagonal_": "diagonal",
    }

    def _weigh(self, W: Array) -> Weighting:
        return spectral_weighting(W)


class AROM(WeightingClassifier):
    """Zero-norm SVM by iterative weighting of features, each by the magnitude of its weight.

    Seeks a classifier whose W has few nonzero entries: trains a linear SVM, multiplies each feature
    by its |W|, and repeats until W converges.

    Parameters
    ----------
    C : float, default=1.0
        Loss weight of each SVM, positive; the paper has a hard margin.
    shape, class_weight, tol, max_iter : optional
        As in `LowRankSVM`.

    Attributes
    ----------
    coef_, intercept_, classes_, dual_coef_, support_, objective_, svm_dual_gap_, n_iter_,
    rank_, singular_values_, n_features_in_ :
        As in `LowRankSVM`.

    See Also
    --------
    LowRankSVM

    References
    ----------
    Weston, Elisseeff, Schölkopf, Tipping: Use of the zero-norm with linear models and kernel
    methods, JMLR 2003. Wolf, Jhuang, Hazan: Modeling appearances with low-rank SVM, section 1.1.

    Examples
    --------
    >>> from smmcore import AROM
    >>> from smmcore.datasets import make_low_rank_relevant
    >>> X, y = make_low_rank_relevant(200, random_state=0)
    >>> machine = AROM(C=1.0).fit(X, y)
    >>> int((abs(machine.coef_) > 1e-6).sum()) < 20, machine.score(X, y) > 0.9
    (True, True)
    """

    def _weigh(self, W: Array) -> Weighting:
        return elementwise_weighting(W)
