"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate."""

from smmcore.estimators import SupportMatrixMachine

__all__ = ["SupportMatrixMachine"]
