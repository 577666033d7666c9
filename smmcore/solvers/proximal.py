"""Proximal gradient, plain and accelerated, for regularised least squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.solvers.states import check_data, check_parameters, freeze

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ProximalState:
    """What iteration k has found, and all that iteration k + 1 needs."""

    k: int
    theta: Array  # (b,), exactly sparse or low rank, exactly within the constraint
    residual: float  # L ||theta - start_prev||, which is 0 at the solution alone
    restarted: bool  # the step went against the momentum, which begins anew
    t: float  # t(k + 1)
    start: Array  # (b,), where the next step begins
    fingerprint: Array  # (2, 8), of Phi and y

    def __post_init__(self) -> None:
        freeze(self)

    def certificate(self, problem: RegularizedLS) -> LSCertificate:
        """Prove this iteration's theta."""
        return problem.certificate(self.theta)


def proximal_gradient(
    problem: RegularizedLS, *, accelerated: bool = True, start: ProximalState | None = None
) -> Iterator[ProximalState]:
    """A gradient step on the squares, then the proximal operator; projected gradient on a ball.

    Parameters
    ----------
    problem : RegularizedLS
        With F = I: of other maps the penalty has no proximal operator at hand.
    accelerated : bool
        Nesterov's momentum with adaptive restart; without, every step begins where the last ended.
    start : ProximalState, optional
        A state of a run on the same Phi and y: with the same penalty the run goes on as if it had
        never stopped, with another it is a warm start.

    Yields
    ------
    ProximalState
        Endlessly, one an iteration.

    Raises
    ------
    ValueError
        At the call, if the problem has an F or `start` is of other data.

    Notes
    -----
    One iteration, from V, t and L = ||Phi||_2^2 + 2 eta:

    theta = prox_{g/L}(V - gradient(V) / L)
    t' = (1 + sqrt(1 + 4 t^2)) / 2 and V = theta + (t - 1) / t' (theta - theta_prev);
    but t' = 1 and V = theta where <V - theta, theta - theta_prev> > 0.

    References
    ----------
    Sugiyama, section 24.4.5. O'Donoghue, Candes: Adaptive restart for accelerated gradient schemes,
    2015.
    """
    if problem.F is not None:
        raise ValueError("proximal_gradient needs a problem without F: take split_admm")
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
