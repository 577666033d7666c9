"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate.

Modules and estimators are imported on first use, so that `smmcore.prox` needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smmcore import (
        datasets,
        decision,
        iterate,
        path,
        penalties,
        problems,
        prox,
        solvers,
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
        SupportMatrixMachine,
        SupportMatrixMachineCV,
        TraceNormRegressor,
        TwoDPCA,
    )
    from smmcore.estimators.path import smm_C_path, smm_path

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
    "SupportMatrixMachine",
    "SupportMatrixMachineCV",
    "TraceNormRegressor",
    "TwoDPCA",
    "datasets",
    "decision",
    "iterate",
    "path",
    "penalties",
    "problems",
    "prox",
    "smm_C_path",
    "smm_path",
    "solvers",
    "theory",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("smm_path", "smm_C_path"):
        return getattr(import_module(f"{__name__}.estimators.path"), name)
    if name[0].islower():
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.estimators"), name)


def __dir__() -> list[str]:
    return __all__
