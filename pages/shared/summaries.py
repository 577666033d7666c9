"""Sentences about the end of a run that several experiments share."""

from __future__ import annotations


def after_iterations(k: int) -> str:
    """Say after how many iterations."""
    return f"after {k:,} iteration{'s' if k > 1 else ''}"


def describe_solutions(done: int, loose: int, tol: float) -> str:
    """Say how many solutions were proved to a tolerance: all but the loose ones."""
    which = f"all but {loose}" if loose else "each"
    return f"{done} solutions, {which} to a relative gap of {tol:.0e}"
