"""Algorithms, each an endless generator of immutable states."""

from smmcore.solvers.admm import ADMMState, admm, fast_admm

__all__ = ["ADMMState", "admm", "fast_admm"]
