"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate."""

from smmcore import (
    balls,
    datasets,
    experiments,
    iterate,
    matfile,
    model_selection,
    path,
    penalties,
    problems,
    prox,
    robustness,
    solvers,
    theory,
)
from smmcore.estimators import (
    AROM,
    BilinearSVM,
    LeastSquaresSMM,
    LinearSVM,
    LowRankSVM,
    RankKSVM,
    RegularizedGLM,
    SparseRegressor,
    SupportMatrixMachine,
    TraceNormRegressor,
    TwoDPCA,
)

__version__ = "0.1.0"

__all__ = [
    "AROM",
    "BilinearSVM",
    "LeastSquaresSMM",
    "LinearSVM",
    "LowRankSVM",
    "RankKSVM",
    "RegularizedGLM",
    "SparseRegressor",
    "SupportMatrixMachine",
    "TraceNormRegressor",
    "TwoDPCA",
    "balls",
    "datasets",
    "experiments",
    "iterate",
    "matfile",
    "model_selection",
    "path",
    "penalties",
    "problems",
    "prox",
    "robustness",
    "solvers",
    "theory",
]
