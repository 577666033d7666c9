"""Support matrix machines: classifiers whose samples are matrices, solved with a certificate.

W is a p x q matrix of weights for n samples, F = 1/2 ||W||_F^2, N = ||W||_* the sum of its singular
values; losses are summed over the samples. A gap proves how far the objective is above its minimum
at most, and a radius how far W is from the exact one. A Gram is the time of all n x n inner
products of the samples.

| estimator | minimises | use it for | time | ends with |
|---|---|---|---|---|
| `SupportMatrixMachine` | F + tau N + C hinge | low rank | 1 to 10 Gram matrices | gap, radius |
| `SupportMatrixMachineCV` | the same, chooses C, tau | a first try | 250 short fits | gap, radius |
| `LinearSVM` | F + C hinge | a baseline | the same | gap, radius |
| `LeastSquaresSMM` | F + tau N + C/2 square | all samples count | some n^2 p q | gap, radius |
| `RegularizedGLM` | logistic + lam N | a smooth loss | 30 to 1000 passes over X | gap |
| `BilinearSVM` | F + C hinge, rank(W) <= r | a given rank | 20 SVMs a start | stationary point |
| `LowRankSVM` | nothing, it weights X by W | few directions | 20 SVMs | fixed point |
| `AROM` | nothing, it weights X by W | few entries | 20 SVMs | fixed point |

`MatrixScaler` and `TwoDPCA` prepare samples; `smm_path` solves for many weights.

Modules and estimators are imported on first use, so that `smmcore.prox` needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smmcore import datasets, decision, iterate, path, problems, prox, solvers, theory
    from smmcore.estimators.path import smm_path
    from smmcore.estimators.scaling import MatrixScaler
    from smmcore.estimators.smm import LinearSVM, SupportMatrixMachine
    from smmcore.estimators.smm_cv import SupportMatrixMachineCV
    from smmcore.rivals.estimators import BilinearSVM, RegularizedGLM
    from smmcore.sugiyama import penalties
    from smmcore.wolf.estimators import AROM, LowRankSVM
    from smmcore.wolf.two_d_pca import TwoDPCA
    from smmcore.xia_fan.estimator import LeastSquaresSMM

__version__ = "0.2.0"

_MODULES = {  # that define a name
    "AROM": "wolf.estimators",
    "BilinearSVM": "rivals.estimators",
    "LeastSquaresSMM": "xia_fan.estimator",
    "LinearSVM": "estimators.smm",
    "LowRankSVM": "wolf.estimators",
    "MatrixScaler": "estimators.scaling",
    "RegularizedGLM": "rivals.estimators",
    "SupportMatrixMachine": "estimators.smm",
    "SupportMatrixMachineCV": "estimators.smm_cv",
    "TwoDPCA": "wolf.two_d_pca",
    "penalties": "sugiyama.penalties",
    "smm_path": "estimators.path",
}

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
    "datasets",
    "decision",
    "iterate",
    "path",
    "penalties",
    "problems",
    "prox",
    "smm_path",
    "solvers",
    "theory",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_MODULES.get(name, name)}")
    return getattr(module, name, module)


def __dir__() -> list[str]:
    return __all__
