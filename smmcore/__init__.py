"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate.

Modules and estimators are imported on first use, so that `smmcore.prox` needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smmcore import (
        balls,
        datasets,
        decision,
        experiments,
        iterate,
        matfile,
        methods,
        model_selection,
        path,
        penalties,
        problems,
        prox,
        robustness,
        solvers,
        subsets,
        theory,
    )
    from smmcore.estimators import (
        AROM,
        BilinearSVM,
        LeastSquaresSMM,
        LinearSVM,
        LowRankSVM,
        MatrixScaler,
        RankKSVM,
        RegularizedGLM,
        SparseRegressor,
        SupportMatrixMachine,
        SupportMatrixMachineCV,
        TraceNormRegressor,
        TwoDPCA,
    )
    from smmcore.path import smm_path

__version__ = "0.1.0"

__all__ = [
    "AROM",
    "BilinearSVM",
    "LeastSquaresSMM",
    "LinearSVM",
    "LowRankSVM",
    "MatrixScaler",
    "RankKSVM",
    "RegularizedGLM",
    "SparseRegressor",
    "SupportMatrixMachine",
    "SupportMatrixMachineCV",
    "TraceNormRegressor",
    "TwoDPCA",
    "balls",
    "datasets",
    "decision",
    "experiments",
    "iterate",
    "matfile",
    "methods",
    "model_selection",
    "path",
    "penalties",
    "problems",
    "prox",
    "robustness",
    "smm_path",
    "solvers",
    "subsets",
    "theory",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "smm_path":
        return getattr(import_module(f"{__name__}.path"), name)
    if name[0].islower():
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.estimators"), name)


def __dir__() -> list[str]:
    return __all__
