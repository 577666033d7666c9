"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate."""

from smmcore import datasets, iterate, matfile, problems, prox, solvers
from smmcore.estimators import SupportMatrixMachine

__all__ = [
    "SupportMatrixMachine",
    "datasets",
    "iterate",
    "matfile",
    "problems",
    "prox",
    "solvers",
]
