"""The classifiers that the app compares: everything it knows about each, in one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import smmcore
from smmcore.problems import Certificate, MatrixProblem, SMMProblem
from smmcore.rivals.alternating import alternating_svm, svm_basis
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import default_solver, fast_admm, proximal_gradient
from smmcore.solvers.certified import solve_to_gap

# Multiplies shares of tau_max and lambda_max: at share 1 W = 0, and rounding must not undo that.
SHARE_MARGIN = 1 + 1e-9


class Settings(NamedTuple):
    """What all methods can be given, named like the arguments of their estimators."""

    C: float = 1.0  # of the hinge loss
    tau: float = 0.0  # of the SMM's nuclear norm
    lam: float = 1.0  # of R-GLM's nuclear norm, in units of its lam_max
    rank: int = 1  # of the bilinear SVM's W, at most; above min(p, q) it counts as min(p, q)
    fit_intercept: bool = False  # whether the bilinear SVM has a b


@dataclass(frozen=True, kw_only=True)
class Classifier:
    """A classifier of matrices, and its estimator."""

    key: str  # its name in addresses, metrics and stored results
    label: str  # its name in pictures and tables
    colour: int  # its number among the categories of the theme
    settings: tuple[str, ...]  # the fields of `Settings` that it uses
    estimator: str  # its class in smmcore
    options: Mapping[str, Any] = field(default_factory=dict)  # further arguments of its estimator

    def make_estimator(self, **arguments: Any) -> Any:
        """Return its estimator with its options and these arguments, not fitted yet."""
        return getattr(smmcore, self.estimator)(**{**self.options, **arguments})

    def write_arguments(self, settings: Mapping[str, str], **options: Any) -> str:
        """Return the arguments of its estimator in a program, of settings that are given as text.

        The other arguments are its options, unless `options` has another value.
        """
        texts = {name: settings[name] for name in self.settings}
        texts |= {name: repr(value) for name, value in {**self.options, **options}.items()}
        return ", ".join(f"{name}={text}" for name, text in texts.items())


@dataclass(frozen=True, kw_only=True)
class Method(Classifier):
    """A classifier of two classes of matrices whose iterations can be shown."""

    # Makes its problem from a problem on the same samples and `Settings`
    problem: Callable[[Any, Settings], Any]
    # Its solver, an endless generator of states, from its problem and a state or None
    states: Callable[[Any, Any], Iterator[Any]]
    max_iter: int = 1  # iterations at most at one strength of its regularisation in a sweep
    # Of these in one turn: about a slice of a large problem, so that other runs need not wait long
    turn: int = 1
    # Relative gap and iterations at which a fit ends whose W is tested on noisy samples
    noise_limits: tuple[float, int] = 1e-6, 1

    def solve(self, problem: Any, tol: float, max_iter: int) -> Certificate:
        """Return the first solution within a relative gap of `tol`, or the last of `max_iter`."""
        proof: Certificate = solve_to_gap(problem, self.states(problem, None), tol, max_iter)[0]
        return proof


class _LinearSVM(Method):
    def solve(self, problem: SMMProblem, tol: float, max_iter: int) -> Certificate:
        """Solve by the faster solver, as its estimator does."""
        proof: Certificate = solve_to_gap(problem, default_solver(problem), tol, 2000)[0]
        return proof


def _bilinear_svm(base: MatrixProblem, settings: Settings) -> BilinearProblem:
    rank = min(settings.rank, *base.shape[1:])
    return BilinearProblem(
        base.X, base.y, settings.C, rank, settings.fit_intercept, sample_weight=base.sample_weight
    )


def _glm(base: MatrixProblem, settings: Settings) -> GLMProblem:
    if isinstance(base, GLMProblem):
        glm = base  # shares its centred samples
    else:
        glm = GLMProblem(base.X, base.y, 1.0, sample_weight=base.sample_weight)
    return glm.with_weight(settings.lam * glm.lam_max())


LINEAR_SVM = _LinearSVM(
    key="lsvm",
    label="linear SVM",
    colour=3,
    settings=("C",),
    problem=lambda base, settings: base.with_weights(C=settings.C, tau=0.0),
    # The first QP solves it, up to a share rho of W and a gap of rho^2.
    states=lambda problem, start: fast_admm(problem, rho=1e-6, start=start),
    estimator="LinearSVM",
)
BILINEAR_SVM = Method(
    key="bsvm",
    label="bilinear SVM",
    colour=1,
    settings=("rank", "C", "fit_intercept"),
    problem=_bilinear_svm,
    states=lambda problem, start: alternating_svm(
        problem, start=svm_basis(problem) if start is None else start
    ),
    max_iter=100,
    turn=20,
    noise_limits=(1e-3, 20),  # the slowest, it is stationary or nearly so then
    estimator="BilinearSVM",
    options={"n_init": 1, "tol": 1e-3, "max_iter": 100},
)
R_GLM = Method(
    key="rglm",
    label="R-GLM",
    colour=2,
    settings=("lam",),
    problem=_glm,
    states=lambda problem, start: proximal_gradient(problem, start=start),
    max_iter=4_000,
    turn=20,
    noise_limits=(1e-3, 1_000),  # it converges slowly where lambda is small
    estimator="RegularizedGLM",
    options={"tol": 1e-4, "max_iter": 2_000},
)
SMM = Method(
    key="smm",
    label="SMM",
    colour=0,
    settings=("C", "tau"),
    problem=lambda base, settings: base.with_weights(C=settings.C, tau=settings.tau),
    states=lambda problem, start: default_solver(problem, start=start),
    max_iter=100,
    turn=2,
    noise_limits=(1e-4, 2_000),
    estimator="SupportMatrixMachine",
)


def _by_key(*methods: Method) -> dict[str, Method]:
    return {method.key: method for method in methods}


# What the SMM paper compares, in the order of its tables.
PAPER_METHODS = _by_key(LINEAR_SVM, BILINEAR_SVM, R_GLM, SMM)
# What the lesson on the rivals shows, in the order of its pictures.
RIVALS = _by_key(SMM, BILINEAR_SVM, R_GLM, LINEAR_SVM)


def labels(methods: Mapping[str, Classifier]) -> dict[str, str]:
    """Return the label of each method, by its key."""
    return {key: method.label for key, method in methods.items()}
