"""The algorithms, each an endless generator of immutable states, and the loop that ends them."""

from smmcore.solvers.admm import admm, fast_admm
from smmcore.solvers.certified import default_solver, solve_to_gap
from smmcore.solvers.lagrangian import augmented_lagrangian
from smmcore.solvers.newton import newton
from smmcore.solvers.proximal import proximal_gradient

__all__ = [
    "admm",
    "augmented_lagrangian",
    "default_solver",
    "fast_admm",
    "newton",
    "proximal_gradient",
    "solve_to_gap",
]
