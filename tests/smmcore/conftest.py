"""Small problems that every module of tests takes."""

import numpy as np
from hypothesis import strategies as st

from smmcore.problems import SMMProblem


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
