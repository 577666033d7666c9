"""The algorithms, each an endless generator of immutable states, and the loop that ends them."""

from smmcore.solvers.admm import admm, fast_admm
from smmcore.solvers.alternating import alternating_svm
from smmcore.solvers.bilevel import bilevel
from smmcore.solvers.certified import default_solver, solve_to_gap
from smmcore.solvers.cyclic import cyclic_svm
from smmcore.solvers.lagrangian import augmented_lagrangian
from smmcore.solvers.newton import newton
from smmcore.solvers.proximal import proximal_gradient
from smmcore.solvers.reweighting import iterative_weighting
from smmcore.solvers.splitting import balanced_admm, split_admm

__all__ = [
    "admm",
    "alternating_svm",
    "augmented_lagrangian",
    "balanced_admm",
    "bilevel",
    "cyclic_svm",
    "default_solver",
    "fast_admm",
    "iterative_weighting",
    "newton",
    "proximal_gradient",
    "solve_to_gap",
    "split_admm",
]
