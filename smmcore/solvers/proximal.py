"""Proximal gradient, plain and accelerated, for regularised least squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from smmcore.arrays import Array
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers.states import State, check_data, check_parameters


@dataclass(frozen=True, eq=False, repr=False)
class ProximalState(State):
    """The result of iteration k, and all that iteration k + 1 needs."""

    k: int
    theta: Array  # (b,), exactly sparse or low rank, exactly within the constraint
    residual: float  # L ||theta - start_prev||, 0 only at the solution
    restarted: bool  # the step opposed the momentum, which is reset
    t: float  # t(k + 1)
    start: Array  # (b,), the start of the next step
    fingerprint: Array  # (2, 8), of Phi and y

    def certificate(self, problem: RegularizedLS) -> LSCertificate:
        """Return the certificate of this theta."""
        return problem.certificate(self.theta)


def proximal_gradient(
    problem: RegularizedLS, *, accelerated: bool = True, start: ProximalState | None = None
) -> Iterator[ProximalState]:
    """Minimise by proximal gradient steps; with a ball these are projected gradient steps.

    Parameters
    ----------
    problem : RegularizedLS
        With F = I, as the penalty of another map has no simple proximal operator.
    accelerated : bool
        Whether to use Nesterov's momentum, with adaptive restart.
    start : ProximalState, optional
        A state of a run on the same Phi and y. With the same penalty the run continues exactly;
        with another it is a warm start.

    Yields
    ------
    ProximalState
        Endlessly, one for each iteration.

    Raises
    ------
    ValueError
        At the call, if the problem has an F or `start` is of other data.

    Notes
    -----
    One iteration, from V, t and L = ||Phi||_2^2 + 2 eta:

    theta = prox_{g/L}(V - gradient(V) / L)
    t' = (1 + sqrt(1 + 4 t^2)) / 2 and V = theta + (t - 1) / t' (theta - theta_prev);
    but t' = 1 and V = theta if <V - theta, theta - theta_prev> > 0.

    References
    ----------
    Sugiyama, section 24.4.5. O'Donoghue, Candes: Adaptive restart for accelerated gradient schemes,
    2015.

    Examples
    --------
    >>> from smmcore.datasets import make_low_rank
    >>> from smmcore.penalties import TraceNorm, WeightedNorm
    >>> from smmcore.problems import RegularizedLS
    >>> from smmcore.solvers import proximal_gradient, solve_to_gap
    >>> X, y, coef = make_low_rank(random_state=0)
    >>> penalty = WeightedNorm(TraceNorm((12, 10)), 5.0)
    >>> problem = RegularizedLS(X.reshape(100, 120), y, penalty)
    >>> proof, state = solve_to_gap(problem, proximal_gradient(problem), 1e-6, 1000)
    >>> proof.theta.shape, proof.within(1e-6)
    ((120,), True)
    """
    if problem.F is not None:
        raise ValueError("proximal_gradient needs a problem without F: use split_admm")
    b = problem.Phi.shape[1]
    if start is not None:
        check_parameters(start.theta, b)
        check_data(start.fingerprint, problem.fingerprint)
    return _run(problem, accelerated, start or _first(problem))


def _run(
    problem: RegularizedLS, accelerated: bool, state: ProximalState
) -> Iterator[ProximalState]:
    L = problem.curvature or 1.0
    while True:
        V = state.start
        theta = problem.penalty.prox(V - problem.gradient(V) / L, 1 / L)
        moved = theta - state.theta
        restarted = accelerated and float((theta - V) @ moved) < 0
        t = 1.0 if restarted or not accelerated else (1 + sqrt(1 + 4 * state.t**2)) / 2
        momentum = 0.0 if restarted else (state.t - 1) / t
        state = ProximalState(
            k=state.k + 1,
            theta=theta,
            residual=L * float(np.linalg.norm(theta - V)),
            restarted=restarted,
            t=t,
            start=theta + momentum * moved,
            fingerprint=problem.fingerprint,
        )
        yield state


def _first(problem: RegularizedLS) -> ProximalState:
    nothing = np.zeros(problem.Phi.shape[1])
    return ProximalState(0, nothing, inf, False, 1.0, nothing, problem.fingerprint)
