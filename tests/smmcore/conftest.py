"""Small problems, one of each estimator, and measurements that several modules of tests take."""

import tracemalloc

import numpy as np
from hypothesis import strategies as st

from smmcore import estimators, solvers
from smmcore.problems import BilinearProblem, GLMProblem, SMMProblem, WeightingProblem

# The solvers of matrix problems: problem, its weights, and a run from a state or None.
MATRIX_SOLVERS = {
    "fast_admm": (SMMProblem, (1.0, 1.0), lambda p, s: solvers.fast_admm(p, rho=1.0, start=s)),
    "admm": (SMMProblem, (1.0, 1.0), lambda p, s: solvers.admm(p, rho=1.0, start=s)),
    "newton": (SMMProblem, (1.0, 1.0), lambda p, s: solvers.newton(p, start=s)),
    "augmented_lagrangian": (
        SMMProblem,
        (1.0, 1.0),
        lambda p, s: solvers.augmented_lagrangian(p, start=s),
    ),
    "default_solver": (SMMProblem, (1.0, 1.0), lambda p, s: solvers.default_solver(p, start=s)),
    "bilevel": (SMMProblem, (1.0, 1.0), lambda p, s: solvers.bilevel(p, rho=1.0, start=s)),
    "accelerated_gradient": (
        GLMProblem,
        (1.0,),
        lambda p, s: solvers.accelerated_gradient(p, start=s),
    ),
    "alternating_svm": (
        BilinearProblem,
        (1.0, 1),
        lambda p, s: solvers.alternating_svm(p, start=s or np.eye(p.shape[2])[:, :1]),
    ),
    "cyclic_svm": (
        BilinearProblem,
        (1.0, 1),
        lambda p, s: solvers.cyclic_svm(p, start=s or np.ones(p.shape[1:])),
    ),
    "iterative_weighting": (
        WeightingProblem,
        (1.0,),
        lambda p, s: solvers.iterative_weighting(p, start=s),
    ),
}


def one_of_each_estimator():
    """All estimators by default parameters, but for few starts and a small search."""
    each = [getattr(estimators, name)() for name in estimators.__all__]
    for estimator in each:
        if hasattr(estimator, "n_init"):
            estimator.set_params(n_init=1)
        if hasattr(estimator, "cv"):
            estimator.set_params(Cs=[1.0], n_taus=2, cv=2)
    return each


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


@st.composite
def problems(draw):
    """Problems of any balance, weight and scale that a float can hold without drama."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(4, 30))
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    C = 10.0 ** draw(st.integers(-2, 2))
    tau = draw(st.sampled_from([0.0, 0.01, 0.3, 1.0, 10.0]))
    return random_problem(seed, n, shape, C, tau, draw(st.booleans()))


def solved(problem, tol=1e-9, solver=None):
    """The certificate of a problem within `tol`, by Algorithm 1 if no solver is given."""
    states = solver(problem) if solver else solvers.fast_admm(problem, rho="auto")
    proof, _ = solvers.solve_to_gap(problem, states, tol, max_iter=3000)
    assert proof.within(tol)
    return proof


def apart(proof, *gaps):
    """How far points with these gaps are from each other at most: each sqrt(2 gap) from W*.

    A gap is the difference of two sums that are each rounded; proof tells how large these are.
    """
    rounding = 1e-14 * (proof.primal + proof.alpha.sum())
    return sum(np.sqrt(2 * (max(gap, 0.0) + rounding)) for gap in gaps)


def feasible_alpha(rng, problem):
    """A random dual feasible point: y @ alpha = 0 by taking from the heavier class."""
    alpha = rng.uniform(0, problem.C, len(problem.y))
    up = problem.y > 0
    total = min(alpha[up].sum(), alpha[~up].sum())
    alpha[up] *= total / alpha[up].sum()
    alpha[~up] *= total / alpha[~up].sum()
    return np.minimum(alpha, problem.C)
