"""Small problems, one of each estimator, and measurements that several modules of tests take."""

import tracemalloc

import numpy as np
from hypothesis import strategies as st

import smmcore
from smmcore import solvers
from smmcore.path import tau_max
from smmcore.problems import SMMProblem
from smmcore.rivals.alternating import alternating_svm, svm_basis
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.rivals.glm import GLMProblem
from smmcore.sugiyama.splitting import balanced_admm, split_admm
from smmcore.wolf.reweighting import iterative_weighting
from smmcore.wolf.weighted_svm import WeightingProblem
from smmcore.xia_fan.bilevel import bilevel
from smmcore.xia_fan.least_squares import LSSMMProblem

ESTIMATORS = [name for name in smmcore.__all__ if name[0].isupper()]
seeds = st.integers(0, 2**32 - 1)


def run(solver, first=lambda problem: None, **options):
    """A solver of a problem, from a state or from where it begins."""

    def begin(problem, start=None):
        return solver(problem, start=first(problem) if start is None else start, **options)

    return begin


# The solvers of matrix problems: problem, its weights, and a run.
MATRIX_SOLVERS = {
    "fast_admm": (SMMProblem, (1.0, 1.0), run(solvers.fast_admm, rho="auto")),
    "admm": (SMMProblem, (1.0, 1.0), run(solvers.admm, rho="auto")),
    "newton": (SMMProblem, (1.0, 1.0), run(solvers.newton)),
    "augmented_lagrangian": (SMMProblem, (1.0, 1.0), run(solvers.augmented_lagrangian)),
    "default_solver": (SMMProblem, (1.0, 1.0), run(solvers.default_solver)),
    "bilevel": (SMMProblem, (1.0, 1.0), run(bilevel, rho=1.0)),
    "proximal_gradient": (GLMProblem, (1.0,), run(solvers.proximal_gradient)),
    "alternating_svm": (BilinearProblem, (1.0, 1), run(alternating_svm, svm_basis)),
    "iterative_weighting": (WeightingProblem, (1.0,), run(iterative_weighting)),
}
# Those of regularised least squares.
VECTOR_SOLVERS = {
    "proximal_gradient, vectors": run(solvers.proximal_gradient),
    "balanced_admm": run(balanced_admm),
    "split_admm": lambda p, start=None: split_admm(p.split(), start=start),
}


def one_of_each_estimator():
    """All estimators by default parameters, but for few starts and a small search."""
    each = [getattr(smmcore, name)() for name in ESTIMATORS]
    for estimator in each:
        if hasattr(estimator, "n_init"):
            estimator.set_params(n_init=1)
        if hasattr(estimator, "cv"):
            estimator.set_params(Cs=[1.0], n_taus=2, cv=2)
    return each


def zero_from(problem):
    """The smallest tau with W = 0."""
    return tau_max(problem) if isinstance(problem, SMMProblem) else problem.tau_max()


def peak(call):
    """The most bytes that a call has allocated at once."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def random_problem(seed, n=24, shape=(5, 4), C=1.0, tau=0.5, unequal=False):
    """Gaussian samples, labels by a rank-one truth with one in eight flipped."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, *shape))
    scores = X @ rng.standard_normal(shape[1]) @ rng.standard_normal(shape[0])
    y = np.where(scores > (np.quantile(scores, 0.7) if unequal else 0), 1.0, -1.0)
    y[rng.random(n) < 0.125] *= -1
    y[:2] = 1, -1
    return SMMProblem(X, y, C, tau)


def orthonormal(rng, rows, columns):
    """A random matrix with orthonormal columns."""
    return np.linalg.qr(rng.standard_normal((rows, columns)))[0]


def random_weights(seed, n, decades=1.0):
    """Weights of samples, so many decades up and down."""
    return 10.0 ** np.random.default_rng(seed).uniform(-decades, decades, n)


def reweighted(problem, weights, kind=None):
    """The problem, or that of another loss, with other weights of the samples."""
    kind = kind or type(problem)
    return kind(problem.X, problem.y, problem.C, problem.tau, sample_weight=weights)


@st.composite
def problems(draw):
    """Problems of any balance, weight and scale that a float can hold without drama."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(2, 30))
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    C = 10.0 ** draw(st.integers(-2, 2))
    tau = draw(st.sampled_from([0.0, 0.01, 0.3, 1.0, 10.0]))
    return random_problem(seed, n, shape, C, tau, draw(st.booleans()))


def solved(problem, tol=1e-9, solver=None, max_iter=3000):
    """The certificate of a problem within `tol`, by Algorithm 1 if no solver is given."""
    states = solver(problem) if solver else solvers.fast_admm(problem, rho="auto")
    proof, _ = solvers.solve_to_gap(problem, states, tol, max_iter)
    assert proof.within(tol)
    return proof


def apart(proof, *gaps):
    """How far points with these gaps are from each other at most: each sqrt(2 gap) from W*.

    A gap is the difference of two sums that are each rounded; proof tells how large these are.
    """
    rounding = 1e-14 * (proof.primal + proof.alpha.sum())
    return sum(np.sqrt(2 * (max(gap, 0.0) + rounding)) for gap in gaps)


def objectives(problem, W, b, alpha):
    """P(W, b) and D(alpha) for the hinge loss or the squared one, sample by sample."""
    squared, P = isinstance(problem, LSSMMProblem), 0.0
    weights = problem.C * problem.sample_weight
    for X, y, weight in zip(problem.X, problem.y, weights, strict=True):
        slack = 1 - y * (np.trace(W.T @ X) + b)
        P += weight * (slack**2 / 2 if squared else max(0.0, slack))
    P += 0.5 * np.trace(W.T @ W) + problem.tau * np.linalg.svd(W)[1].sum()
    Omega = sum(a * y * X for a, y, X in zip(alpha, problem.y, problem.X, strict=True))
    shrunk = np.maximum(np.linalg.svd(Omega)[1] - problem.tau, 0)
    conjugates = np.sum(alpha**2 / (2 * weights)) if squared else 0.0
    return P, alpha.sum() - 0.5 * shrunk @ shrunk - conjugates
