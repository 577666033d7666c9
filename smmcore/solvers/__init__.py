"""One algorithm a file, each an endless generator of immutable states."""

from smmcore.solvers.admm import admm, fast_admm
from smmcore.solvers.alternating import alternating_svm
from smmcore.solvers.gradient import accelerated_gradient

__all__ = ["accelerated_gradient", "admm", "alternating_svm", "fast_admm"]
