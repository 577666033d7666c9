"""The two losses of an SMM, the hinge and the squared loss, and the problem of each."""

from __future__ import annotations

from functools import lru_cache

from smmcore.problems import SMMProblem, SpectralProblem
from smmcore.xia_fan.least_squares import LSSMMProblem

LOSSES = {"hinge": "SMM", "squares": "LS-SMM"}  # the classifier of each loss
PROBLEMS = {"hinge": SMMProblem, "squares": LSSMMProblem}


@lru_cache(maxsize=2)  # one for each of two experiments: the squared loss decomposes K only once
def build_problem(
    loss: str, base: SMMProblem, C: float, tau: float, unit: float = 1.0
) -> SpectralProblem:
    """Return the problem of a loss on the samples of another problem, multiplied by `unit`."""
    X = base.X if unit == 1 else unit * base.X
    return PROBLEMS[loss](X, base.y, C, tau)
