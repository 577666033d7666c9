"""Stochastic gradient descent with soft thresholding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array
from smmcore.problems import LSCertificate, RegularizedLS
from smmcore.problems.base import fingerprint
from smmcore.prox import soft_threshold
from smmcore.solvers.states import State, check_data, check_parameters


@dataclass(frozen=True, eq=False, repr=False)
class StochasticState(State):
    """The result of round k, and all that round k + 1 needs."""

    k: int
    theta: Array  # (b,), after the threshold
    samples: NDArray[np.intp]  # (every,), indices of the samples drawn in round k, in order
    fingerprint: Array  # (2, 8), of Phi and y

    def certificate(self, problem: RegularizedLS) -> LSCertificate:
        """Return the certificate of this theta."""
        return problem.certificate(self.theta)


def stochastic_gradient(
    Phi: Array,
    y: Array,
    lam: float,
    step: float,
    *,
    every: int = 1,
    seed: int = 0,
    start: StochasticState | None = None,
) -> Iterator[StochasticState]:
    """Yield rounds of a few gradient steps, each on one sample, and then one soft threshold.

    Parameters
    ----------
    Phi : ndarray of shape (n, b)
    y : ndarray of shape (n,)
    lam : float
        The threshold is lam times the step.
    step : float
        epsilon, positive and below 2 / max ||phi(x_i)||^2; a longer step would increase the error
        on its own sample.
    every : int
        Number of steps in a round.
    seed : int
        Seed of the draws; those of round k depend on the seed and k alone.
    start : StochasticState, optional
        A state of a run with the same arguments, which then continues exactly.

    Yields
    ------
    StochasticState
        Endlessly, one for each round.

    Raises
    ------
    ValueError
        At the call, if a number is out of range or a shape is wrong.

    Notes
    -----
    On average a step moves theta by step / n times minus the gradient of 1/2 ||y - Phi theta||^2.
    So the rounds minimise, up to noise that shrinks with the step, the l1-penalised LS of section
    24.2 with weight lam n / every: rarer thresholds are weaker.

    References
    ----------
    Sugiyama, section 24.2. Langford, Li, Zhang: Sparse online learning via truncated
    gradient, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from smmcore.solvers import stochastic_gradient
    >>> rounds = stochastic_gradient(np.eye(2), np.array([3.0, 0.5]), lam=0.1, step=0.5)
    >>> next(rounds).theta.shape
    (2,)
    """
    longest = 2 / (float((Phi * Phi).sum(axis=1).max()) or 1.0)
    if not 0 < step < longest:
        raise ValueError(
            f"step must be positive and below 2 / max ||phi(x_i)||^2 = {longest:.3g}, got {step}"
        )
    if not 0 <= lam < np.inf:
        raise ValueError(f"lam must be at least 0 and finite, got {lam}")
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")
    if len(y) != len(Phi):
        raise ValueError(f"y must have shape ({len(Phi)},), got {y.shape}")
    data = np.stack([fingerprint(Phi), fingerprint(y)])
    if start is not None:
        check_parameters(start.theta, Phi.shape[1])
        check_data(start.fingerprint, data)
    nothing = StochasticState(0, np.zeros(Phi.shape[1]), np.zeros(0, dtype=np.intp), data)
    return _run(Phi, y, lam * step, step, every, seed, start or nothing)


def _run(
    Phi: Array, y: Array, threshold: float, step: float, every: int, seed: int, s: StochasticState
) -> Iterator[StochasticState]:
    while True:
        k, theta = s.k + 1, s.theta
        samples = np.random.default_rng([seed, k]).integers(len(y), size=every)
        for i in samples:
            theta = theta + step * (y[i] - Phi[i] @ theta) * Phi[i]
        s = StochasticState(k, soft_threshold(theta, threshold), samples, s.fingerprint)
        yield s
