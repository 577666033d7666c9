"""Every solver refuses to go on from a state of other data."""

import numpy as np
import pytest

from smmcore.penalties import Lp, Weighted
from smmcore.problems import (
    BilinearProblem,
    GLMProblem,
    RegularizedLS,
    SMMProblem,
    WeightingProblem,
)
from smmcore.solvers import (
    accelerated_gradient,
    admm,
    alternating_svm,
    balanced_admm,
    bilevel,
    cyclic_svm,
    fast_admm,
    iterative_weighting,
    proximal_gradient,
    split_admm,
    stochastic_gradient,
)
from tests.smmcore.conftest import random_problem

MATRICES = {
    "fast_admm": (SMMProblem, (1.0, 1.0), lambda p, s: fast_admm(p, rho=1.0, start=s)),
    "admm": (SMMProblem, (1.0, 1.0), lambda p, s: admm(p, rho=1.0, start=s)),
    "bilevel": (SMMProblem, (1.0, 1.0), lambda p, s: bilevel(p, rho=1.0, start=s)),
    "accelerated_gradient": (GLMProblem, (1.0,), lambda p, s: accelerated_gradient(p, start=s)),
    "alternating_svm": (
        BilinearProblem,
        (1.0, 1),
        lambda p, s: alternating_svm(p, start=s or np.eye(p.shape[2])[:, :1]),
    ),
    "cyclic_svm": (
        BilinearProblem,
        (1.0, 1),
        lambda p, s: cyclic_svm(p, start=s or np.ones(p.shape[1:])),
    ),
    "iterative_weighting": (WeightingProblem, (1.0,), lambda p, s: iterative_weighting(p, start=s)),
}
VECTORS = {
    "proximal_gradient": lambda p, s: proximal_gradient(p, start=s),
    "split_admm": lambda p, s: split_admm(p.split(), start=s),
    "balanced_admm": lambda p, s: balanced_admm(p, start=s),
    "stochastic_gradient": lambda p, s: stochastic_gradient(p.Phi, p.y, 0.1, 0.001, start=s),
}


@pytest.mark.parametrize("solver", MATRICES)
@pytest.mark.parametrize(("n", "shape"), [(9, (5, 4)), (24, (4, 5))])
def test_a_state_of_other_samples_is_refused(solver, n, shape):
    make, weights, run = MATRICES[solver]
    here, there = (random_problem(0, **sizes) for sizes in ({}, {"n": n, "shape": shape}))
    state = next(run(make(there.X, there.y, *weights), None))
    message = (
        rf"start must be a state of 24 samples of shape \(5, 4\), got {n} of shape \({shape[0]}"
    )
    with pytest.raises(ValueError, match=message):
        next(run(make(here.X, here.y, *weights), state))


@pytest.mark.parametrize("solver", VECTORS)
def test_a_state_of_other_parameters_is_refused(solver):
    run = VECTORS[solver]
    Phi = np.random.default_rng(0).standard_normal((8, 6))
    here, there = (RegularizedLS(P, Phi[:, 0], Weighted(Lp(1), 1.0)) for P in (Phi, Phi[:, :4]))
    with pytest.raises(ValueError, match="start must be a state of 6 parameters, got 4"):
        next(run(here, next(run(there, None))))
