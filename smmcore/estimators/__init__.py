"""Estimators with the interface of scikit-learn."""

from smmcore.estimators.glm import RegularizedGLM
from smmcore.estimators.least_squares import LeastSquaresSMM
from smmcore.estimators.low_rank import AROM, LowRankSVM
from smmcore.estimators.scaling import MatrixScaler
from smmcore.estimators.smm import SupportMatrixMachine
from smmcore.estimators.smm_cv import SupportMatrixMachineCV
from smmcore.estimators.svm import BilinearSVM, LinearSVM
from smmcore.estimators.two_d_pca import TwoDPCA

__all__ = [
    "AROM",
    "BilinearSVM",
    "LeastSquaresSMM",
    "LinearSVM",
    "LowRankSVM",
    "MatrixScaler",
    "RegularizedGLM",
    "SupportMatrixMachine",
    "SupportMatrixMachineCV",
    "TwoDPCA",
]
