"""The four methods that the SMM paper compares: label, settings, problem and solver of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pages.shared.theme import colour
from smmcore.problems import BilinearProblem, Certificate, GLMProblem, MatrixProblem, SMMProblem
from smmcore.solvers import accelerated_gradient, alternating_svm, default_solver, fast_admm
from smmcore.solvers.alternating import svm_basis
from smmcore.solvers.certified import solve_to_gap

# Multiplies shares of tau_max and lambda_max: at share 1 W = 0, and rounding must not undo that.
SHARE_MARGIN = 1 + 1e-9
# In the light theme, in the order of its categories.
COLOURS = {key: colour(number) for number, key in enumerate(("smm", "bsvm", "rglm", "lsvm"))}


class Settings(NamedTuple):
    """What all methods can be given; `Method.settings` names what a method uses."""

    C: float = 1.0  # of the hinge loss
    tau: float = 0.0  # of the SMM's nuclear norm
    lam: float = 1.0  # of R-GLM's nuclear norm, in units of its lam_max
    rank: int = 1  # of the bilinear SVM's W, at most; above min(p, q) it counts as min(p, q)
    offset: bool = False  # whether the bilinear SVM has a b


@dataclass(frozen=True)
class Method:
    """A classifier of two classes of matrices, as the comparisons run it."""

    label: str  # its name in pictures and tables
    settings: tuple[str, ...]  # the fields of `Settings` that it uses
    # Makes its problem from a problem on the same samples and `Settings`
    problem: Callable[[Any, Settings], Any]
    # Its solver, an endless generator of states, from its problem and a state or None
    states: Callable[[Any, Any], Iterator[Any]]

    def solve(self, problem: Any, tol: float, max_iter: int) -> Certificate:
        """Return the first solution within a relative gap of `tol`, or the last of `max_iter`."""
        proof: Certificate = solve_to_gap(problem, self.states(problem, None), tol, max_iter)[0]
        return proof


class _LinearSVM(Method):
    def solve(self, problem: SMMProblem, tol: float, max_iter: int) -> Certificate:
        """Solve by scikit-learn's SVC and an active set, far below `tol` in one step."""
        from smmcore.estimators import LinearSVM  # scikit-learn would double a worker's start

        return LinearSVM(problem.C, tol=tol).solve(problem)[0]


def _bilinear_svm(base: MatrixProblem, settings: Settings) -> BilinearProblem:
    rank = min(settings.rank, *base.shape[1:])
    return BilinearProblem(
        base.X, base.y, settings.C, rank, settings.offset, sample_weight=base.sample_weight
    )


def _glm(base: MatrixProblem, settings: Settings) -> GLMProblem:
    if isinstance(base, GLMProblem):
        glm = base  # shares its centred samples
    else:
        glm = GLMProblem(base.X, base.y, 1.0, sample_weight=base.sample_weight)
    return glm.with_weight(settings.lam * glm.lam_max())


METHODS: dict[str, Method] = {
    "lsvm": _LinearSVM(
        "linear SVM",
        ("C",),
        lambda base, settings: base.with_weights(C=settings.C, tau=0.0),
        # The first QP solves it, up to a share rho of W and a gap of rho^2.
        lambda problem, start: fast_admm(problem, rho=1e-6, start=start),
    ),
    "bsvm": Method(
        "bilinear SVM",
        ("C", "rank", "offset"),
        _bilinear_svm,
        lambda problem, start: alternating_svm(
            problem, start=svm_basis(problem) if start is None else start
        ),
    ),
    "rglm": Method(
        "R-GLM",
        ("lam",),
        _glm,
        lambda problem, start: accelerated_gradient(problem, start=start),
    ),
    "smm": Method(
        "SMM",
        ("C", "tau"),
        lambda base, settings: base.with_weights(C=settings.C, tau=settings.tau),
        lambda problem, start: default_solver(problem, start=start),
    ),
}
