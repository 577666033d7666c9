"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate."""

from smmcore import (
    datasets,
    iterate,
    matfile,
    path,
    problems,
    prox,
    robustness,
    solvers,
    theory,
)
from smmcore.estimators import BilinearSVM, LinearSVM, RegularizedGLM, SupportMatrixMachine

__all__ = [
    "BilinearSVM",
    "LinearSVM",
    "RegularizedGLM",
    "SupportMatrixMachine",
    "datasets",
    "iterate",
    "matfile",
    "path",
    "problems",
    "prox",
    "robustness",
    "solvers",
    "theory",
]
