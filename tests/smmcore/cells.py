"""The data and weights on which rho="auto" has to work, as (name, data, C, tau) cells."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits

from smmcore.datasets import make_block_correlated
from smmcore.iterate import last, until
from smmcore.problems import Certificate, SMMProblem
from smmcore.solvers import fast_admm

LOSS_WEIGHTS = (1e-3, 1.0, 1e3)
NUCLEAR_WEIGHTS = {"0": 0.0, "small": 1e-3, "half": 0.5, "above": 1.1}  # in units of tau_max
SMALL = (
    "5.1 as printed",
    "5.1 unit length",
    "5.1 unit variance",
    "5.1 volts",
    "5.1 pixels",
    "digits 3, 8",
    "digits 0, 1",
    "gauss",
    "gauss volts",
    "gauss pixels",
)
TOLERANCE, LIMIT = 1e-6, 500


class Cell(NamedTuple):
    """One problem of the grid."""

    data: str
    C: float
    tau: str
    problem: SMMProblem


def cells(data: str) -> Iterator[Cell]:
    """All weights on one data set, the Gram matrix shared."""
    X, y = samples(data)
    base = SMMProblem(X, y, 1.0, 1.0)
    tau_max = base.tau_max(1e-3)
    for C in LOSS_WEIGHTS:
        for name, part in NUCLEAR_WEIGHTS.items():
            yield Cell(data, C, name, base.with_weights(C=C, tau=part * C * tau_max))


@cache
def samples(data: str) -> tuple[np.ndarray, np.ndarray]:
    """X and y in {-1, +1} of a named data set."""
    factor = 1e-6 if data.endswith("volts") else 255.0 if data.endswith("pixels") else 1.0
    if data.startswith("digits"):
        digits = load_digits()
        first, second = (int(digit) for digit in data.removeprefix("digits ").split(", "))
        chosen = np.isin(digits.target, (first, second))
        return digits.images[chosen], np.where(digits.target[chosen] == second, 1.0, -1.0)
    if data.startswith("gauss"):
        rng = np.random.default_rng(1)
        X = rng.standard_normal((200, 20, 25))
        W = rng.standard_normal((20, 3)) @ rng.standard_normal((3, 25))
        return factor * X, np.where(np.tensordot(X, W) > 0, 1.0, -1.0)
    n, shape = 200, (20, 25)
    scaling = next((s for s in ("as printed", "unit length") if s in data), "unit variance")
    X, y = make_block_correlated(n, shape, 4, 1e-3, shape[1] // 5, scaling, 0)
    return factor * X, y


def certify(problem: SMMProblem) -> tuple[int, Certificate]:
    """Algorithm 1 until the relative gap is 1e-6, or 500 iterations."""
    proved = ((s.k, s.certificate(problem)) for s in fast_admm(problem, rho="auto"))
    return last(until(proved, lambda found: found[1].within(TOLERANCE), LIMIT))
