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

An argument out of the range that a docstring gives raises a ValueError. Modules and estimators are
imported on first use, so that `smmcore.prox` needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for type checkers, to which the aliases say that the names are public
    from smmcore import datasets as datasets
    from smmcore import decision as decision
    from smmcore import iterate as iterate
    from smmcore import path as path
    from smmcore import problems as problems
    from smmcore import prox as prox
    from smmcore import solvers as solvers
    from smmcore import theory as theory
    from smmcore.estimators.path import smm_path as smm_path
    from smmcore.estimators.scaling import MatrixScaler as MatrixScaler
    from smmcore.estimators.smm import LinearSVM as LinearSVM
    from smmcore.estimators.smm import SupportMatrixMachine as SupportMatrixMachine
    from smmcore.estimators.smm_cv import SupportMatrixMachineCV as SupportMatrixMachineCV
    from smmcore.rivals.estimators import BilinearSVM as BilinearSVM
    from smmcore.rivals.estimators import RegularizedGLM as RegularizedGLM
    from smmcore.sugiyama import penalties as penalties
    from smmcore.wolf.estimators import AROM as AROM
    from smmcore.wolf.estimators import LowRankSVM as LowRankSVM
    from smmcore.wolf.two_d_pca import TwoDPCA as TwoDPCA
    from smmcore.xia_fan.estimator import LeastSquaresSMM as LeastSquaresSMM

__version__ = "0.2.0"

_PLACES = {  # the public names, and the modules that they are or that define them
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
    **{name: name for name in ("datasets", "decision", "iterate", "path", "problems", "prox")},
    **{name: name for name in ("solvers", "theory")},
}
__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_PLACES[name]}")
    return getattr(module, name, module)


def __dir__() -> list[str]:
    return __all__
