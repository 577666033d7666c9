"""Parts of the sentence that sums up a run."""

from __future__ import annotations

from pages.shared.numbers import scientific


def after_iterations(k: int) -> str:
    """Return "after 12 iterations"."""
    return f"after {k:,} iteration{'s' if k > 1 else ''}"


def describe_solutions(done: int, loose: int, tol: float) -> str:
    """Return how many solutions there are, and how many of them missed the tolerance."""
    which = f"all but {loose}" if loose else "each"
    return f"{done} solutions, {which} to a relative gap of {scientific(tol, 1)}"
