"""The base of the classifiers with a spectral elastic net."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils._param_validation import Interval, StrOptions

from smmcore.estimators.base import (
    ROUNDING_ADVICE,
    STRONGLY_CONVEX_ATTRIBUTES,
    Callback,
    ClassWeight,
    MatrixClassifier,
    stack,
)
from smmcore.iterate import observe
from smmcore.problems import SMMCertificate, SpectralProblem
from smmcore.solvers import fast_admm, solve_to_gap

MAX_MARGIN_ERROR = 1e-8  # a larger error of a margin is due to rounding


class SpectralClassifier(MatrixClassifier):
    """A classifier with a spectral elastic net, solved by Algorithm 1 of the SMM paper."""

    _attributes: ClassVar[dict[str, str]] = STRONGLY_CONVEX_ATTRIBUTES

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "tau": [Interval(Real, 0, None, closed="left")],
        "rho": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "eta": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        tau: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        class_weight: ClassWeight = None,
        rho: float | Literal["auto"] = "auto",
        eta: float = 0.999,
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.tau = tau
        self.shape = shape
        self.class_weight = class_weight
        self.rho = rho
        self.eta = eta
        self.tol = tol
        self.max_iter = max_iter

    def tau_max(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float | NDArray[np.float64]:
        """Return the smallest tau with W = 0 on these samples, the end of any grid of tau.

        It depends on C and the weights, not on `tau` or on a fit. For classes of different weights
        and the hinge loss it takes as long as a few fits, so that `fit` does not compute it, and
        needs the n^2 numbers of the Gram matrix.

        Parameters
        ----------
        X : array-like of shape (n, p, q), (n, p q) with `shape`, or (n, p)
            Samples.
        y : array-like of shape (n,)
            Labels of any type, at least two different labels.
        sample_weight : array-like of shape (n,), optional
            As for `fit`.

        Returns
        -------
        float, or ndarray of shape (K,) with K > 2 classes
            With hinge loss too high by at most 1e-6 of itself.

        Raises
        ------
        ValueError
            If a parameter or an array is out of range, or there is one class only.

        Warns
        -----
        RuntimeWarning
            If a value may be too high by more than that.

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
        return stack([problem.tau_max() for _, problem in problems])  # type: ignore[no-any-return]

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

    def _states(self, problem: Any) -> Iterator[Any]:
        """Return the states of the solver."""
        return fast_admm(problem, rho=self.rho, eta=self.eta)

    def _cause_of_zero(self, problems: list[Any]) -> str:
        bound = max(problem.tau_bound() for problem in problems)
        return self._weight_too_large("tau", bound, problems[0])
