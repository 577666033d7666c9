"""Stochastic gradient descent with soft thresholding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from smmcore.arrays import Array
from smmcore.prox import soft_threshold


def stochastic_gradient(
    Phi: Array,  # (n, b)
    y: Array,  # (n,)
    lam: float,  # the threshold is lam times the step
    step: float,  # epsilon; from 2 / max ||phi(x_i)||^2 on it increases the error of its own sample
    every: int,  # steps in a round
) -> Iterator[Array]:
    """Yield theta after each round: some gradient steps, one sample each, and a soft threshold.

    On average a step moves theta by step / n times minus the gradient of 1/2 ||y - Phi theta||^2.
    So the rounds minimise, up to noise that shrinks with the step, the l1-penalised LS of section
    24.2 with weight lam n / every: rarer thresholds are weaker (Sugiyama, section 24.2; Langford,
    Li, Zhang: Sparse online learning via truncated gradient, 2009).
    """
    theta = np.zeros(Phi.shape[1])
    for k in count(1):
        for i in draw_samples(k, len(y), every):
            theta = theta + step * (y[i] - Phi[i] @ theta) * Phi[i]
        theta = soft_threshold(theta, lam * step)
        yield theta


def draw_samples(k: int, n: int, every: int) -> NDArray[np.intp]:
    """Return the samples of round k, in order."""
    return np.random.default_rng([0, k]).integers(n, size=every)
