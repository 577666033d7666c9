"""Drive any of the solvers until its answer is proved."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import ceil, isfinite, log10
from typing import Any, Protocol, TypeVar

from smmcore.problems import Proof

TINY = 1e-15  # for tol = 0: no relative gap comes nearer


class State(Protocol):
    """What a solver of any of the problems yields."""

    @property
    def k(self) -> int: ...

    def certificate(self, problem: Any) -> Proof: ...


S = TypeVar("S", bound=State)


def certified(problem: object, states: Iterable[S], tol: float, max_iter: int) -> tuple[Any, S]:
    """The first state that is found to be within `tol`, or the last one, and its certificate.

    A certificate costs about as much as an iteration, so the farther off the last one was, the more
    iterations pass before the next: one for every two decades, which seldom comes too late.

    Raises
    ------
    ValueError
        If `max_iter` is below 1.
    """
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter}")
    due = 1
    for k, state in enumerate(islice(states, max_iter), start=1):
        if k >= due or k == max_iter:
            proof = state.certificate(problem)
            if proof.within(tol):
                break
            decades = log10(proof.relative_gap / max(tol, TINY))
            due = k + (max(1, ceil(decades / 2)) if isfinite(decades) else 1)
    return proof, state
