"""scikit-learn classes that dress the solvers."""

from smmcore.estimators.smm import SupportMatrixMachine

__all__ = ["SupportMatrixMachine"]
