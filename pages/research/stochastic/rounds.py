"""Stochastic gradient descent with soft thresholding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array
from smmcore.prox import soft_threshold
from smmcore.solvers.states import State


@dataclass(frozen=True, eq=False, repr=False)
class StochasticState(State):
    """The result of round k, and all that round k + 1 needs."""

    k: int
    theta: Array  # (b,), after the threshold
    samples: NDArray[np.intp]  # (every,), indices of the samples drawn in round k, in order


def stochastic_gradient(
    Phi: Array,  # (n, b)
    y: Array,  # (n,)
    lam: float,  # the threshold is lam times the step
    step: float,  # epsilon; from 2 / max ||phi(x_i)||^2 on it increases the error of its own sample
    every: int,  # steps in a round
    state: StochasticState | None = None,  # of a run with the same arguments, which then continues
) -> Iterator[StochasticState]:
    """Yield rounds of a few gradient steps, each on one sample, and then one soft threshold.

    On average a step moves theta by step / n times minus the gradient of 1/2 ||y - Phi theta||^2.
    So the rounds minimise, up to noise that shrinks with the step, the l1-penalised LS of section
    24.2 with weight lam n / every: rarer thresholds are weaker (Sugiyama, section 24.2; Langford,
    Li, Zhang: Sparse online learning via truncated gradient, 2009).
    """
    k, theta = (state.k, state.theta) if state else (0, np.zeros(Phi.shape[1]))
    while True:
        k += 1
        # The draws of a round depend on k alone, so that a run can be resumed.
        samples = np.random.default_rng([0, k]).integers(len(y), size=every)
        for i in samples:
            theta = theta + step * (y[i] - Phi[i] @ theta) * Phi[i]
        theta = soft_threshold(theta, lam * step)
        yield StochasticState(k, theta, samples)
