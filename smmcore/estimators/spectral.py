"""The base of the classifiers with a spectral elastic net."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

from sklearn.utils._param_validation import Interval, StrOptions

from smmcore.estimators.base import ROUNDING_ADVICE, Callback, DualClassifier
from smmcore.iterate import observe
from smmcore.problems import SMMCertificate, SpectralProblem
from smmcore.solvers import fast_admm, solve_to_gap

MAX_MARGIN_ERROR = 1e-8  # a larger error of a margin is due to rounding


class SpectralClassifier(DualClassifier):
    """A classifier with a spectral elastic net, solved by Algorithm 1 of the SMM paper."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "tau": [Interval(Real, 0, None, closed="left")],
        "shape": [tuple, list, None],
        "rho": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "eta": [Interval(Real, 0, 1, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        tau: float = 1.0,
        *,
        shape: tuple[int, ...] | None = None,
        rho: float | Literal["auto"] = "auto",
        eta: float = 0.999,
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.tau = tau
        self.shape = shape
        self.rho = rho
        self.eta = eta
        self.tol = tol
        self.max_iter = max_iter

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
