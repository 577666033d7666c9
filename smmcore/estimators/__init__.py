"""scikit-learn classes that dress the solvers."""

from smmcore.estimators.bilinear import BilinearSVM
from smmcore.estimators.glm import RegularizedGLM
from smmcore.estimators.smm import SupportMatrixMachine
from smmcore.estimators.svm import LinearSVM

__all__ = ["BilinearSVM", "LinearSVM", "RegularizedGLM", "SupportMatrixMachine"]
