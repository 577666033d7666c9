"""The losses of the lessons: the hinge or the squared loss of an SMM, and their sum."""

from __future__ import annotations

from functools import lru_cache

from smmcore.problems import LSSMMProblem, SMMProblem, SpectralProblem

LOSSES = {"hinge": "SMM", "squares": "LS-SMM"}  # the machine of each loss
PROBLEMS = {"hinge": SMMProblem, "squares": LSSMMProblem}


@lru_cache(maxsize=2)  # one for each of two experiments: the squared loss decomposes K only once
def build_problem(
    loss: str, base: SMMProblem, C: float, tau: float, unit: float = 1.0
) -> SpectralProblem:
    """Return the problem of a loss on the samples of another problem, multiplied by `unit`."""
    X = base.X if unit == 1 else unit * base.X
    return PROBLEMS[loss](X, base.y, C, tau)


def subtract_penalties(primal: float, *penalties: float) -> float:
    """Return what the losses contribute to an objective: the rest after its penalties.

    No loss is negative, but the difference may be, by its rounding error, where all losses are 0.

    Examples
    --------
    >>> subtract_penalties(3.0, 1.0, 1.5), subtract_penalties(0.3, 0.1, 0.2)
    (0.5, 0.0)
    """
    for penalty in penalties:
        primal -= penalty
    return max(primal, 0.0)
