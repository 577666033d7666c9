"""A run that is interrupted anywhere and resumed continues bit for bit, for every solver."""

import pickle
from dataclasses import fields, is_dataclass
from itertools import islice

import numpy as np
import pytest

from smmcore import solvers
from smmcore.penalties import Lp, WeightedNorm
from smmcore.problems import (
    BilinearProblem,
    GLMProblem,
    LSSMMProblem,
    RegularizedLS,
    SMMProblem,
    WeightingProblem,
)
from smmcore.solvers.alternating import linear_svm, svm_basis
from smmcore.solvers.reweighting import elementwise_weighting, spectral_weighting
from tests.smmcore.conftest import random_problem

# Each problem is prepared anew where a run resumes, as in another process.


def smm(n=30):
    # With 30 samples in 12 dimensions the QP's matrix is singular.
    return random_problem(2, n=n, shape=(3, 4), C=3.0, tau=0.4)


def squared(n=30):
    data = smm(n)
    return LSSMMProblem(data.X, data.y, data.C, data.tau)


def weighted(kind=SMMProblem):
    data, weights = smm(), 10.0 ** np.random.default_rng(2).uniform(-1, 1, 30)
    return kind(data.X, data.y, data.C, data.tau, sample_weight=weights)


def bilinear():
    data = random_problem(2, n=30)
    return BilinearProblem(data.X, data.y, 1.0, 2, offset=True)


def glm():
    problem = GLMProblem(smm().X, smm().y, 1.0)
    return problem.with_weight(0.1 * problem.lam_max())


def lasso():
    data = smm(15)
    return RegularizedLS(data.X.reshape(15, -1), data.y, WeightedNorm(Lp(1), 2.0))


def weighting(*shape):
    data = random_problem(2, n=40, shape=(shape[0], int(np.prod(shape[1:]))))
    return WeightingProblem(data.X.reshape(-1, *shape), data.y, 10.0)


def stochastic(start):
    problem = lasso()
    return solvers.stochastic_gradient(
        problem.Phi, problem.y, 0.5, 0.02, every=3, seed=4, start=start
    )


def alternating(start):
    problem = bilinear()
    return solvers.alternating_svm(problem, start=svm_basis(problem) if start is None else start)


def cyclic(start):
    problem = bilinear()
    return solvers.cyclic_svm(problem, start=linear_svm(problem) if start is None else start)


RUNS = {
    # With rho="auto" the first change of rho is after iteration 8.
    "fast_admm, auto": lambda start: solvers.fast_admm(smm(), rho="auto", start=start),
    "fast_admm, 0.5": lambda start: solvers.fast_admm(smm(), rho=0.5, start=start),
    "fast_admm, squared loss": lambda start: solvers.fast_admm(squared(), rho="auto", start=start),
    "fast_admm, n < pq": lambda start: solvers.fast_admm(squared(10), rho="auto", start=start),
    "admm, auto": lambda start: solvers.admm(smm(), rho="auto", start=start),
    "admm, 0.5": lambda start: solvers.admm(smm(), rho=0.5, start=start),
    "admm, squared loss": lambda start: solvers.admm(squared(), rho="auto", start=start),
    "newton": lambda start: solvers.newton(smm(), start=start),
    "augmented_lagrangian": lambda start: solvers.augmented_lagrangian(smm(), start=start),
    "bilevel, hinge": lambda start: solvers.bilevel(smm(), rho=1.1, start=start),
    "bilevel, squared loss": lambda start: solvers.bilevel(squared(), rho=1.1, start=start),
    "bilevel, n < pq": lambda start: solvers.bilevel(squared(10), rho=1.1, start=start),
    "fast_admm, weights": lambda start: solvers.fast_admm(weighted(), rho="auto", start=start),
    "fast_admm, squared loss and weights": lambda start: solvers.fast_admm(
        weighted(LSSMMProblem), rho="auto", start=start
    ),
    "admm, weights": lambda start: solvers.admm(weighted(), rho="auto", start=start),
    "newton, weights": lambda start: solvers.newton(weighted(), start=start),
    "augmented_lagrangian, weights": lambda start: solvers.augmented_lagrangian(
        weighted(), start=start
    ),
    "bilevel, weights": lambda start: solvers.bilevel(weighted(), rho=1.0, start=start),
    "accelerated_gradient": lambda start: solvers.accelerated_gradient(glm(), start=start),
    "proximal_gradient, plain": lambda start: solvers.proximal_gradient(
        lasso(), accelerated=False, start=start
    ),
    "proximal_gradient, accelerated": lambda start: solvers.proximal_gradient(lasso(), start=start),
    "split_admm": lambda start: solvers.split_admm(lasso().split(), start=start),
    "balanced_admm": lambda start: solvers.balanced_admm(lasso(), start=start),
    "stochastic_gradient": stochastic,
    "alternating_svm": alternating,
    "cyclic_svm": cyclic,
    "default_solver, n < pq": lambda start: solvers.default_solver(smm(10), start=start),
    "default_solver, n > pq": lambda start: solvers.default_solver(smm(), start=start),
    "iterative_weighting, spectral": lambda start: solvers.iterative_weighting(
        weighting(6, 5), spectral_weighting, start=start
    ),
    "iterative_weighting, of tensors": lambda start: solvers.iterative_weighting(
        weighting(4, 3, 2), spectral_weighting, start=start
    ),
    "iterative_weighting, elementwise": lambda start: solvers.iterative_weighting(
        weighting(6, 5), elementwise_weighting, start=start
    ),
}


def leaves(value):
    """The numbers, arrays and words in a state, those of nested records as well."""
    if is_dataclass(value):
        value = tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.mark.parametrize("slice_length", [1, 7])
@pytest.mark.parametrize("name", RUNS)
def test_a_run_cut_into_slices_equals_an_uninterrupted_one_bit_for_bit(name, slice_length):
    whole = list(islice(RUNS[name](None), 8 if "weighting" in name else 30))
    resumed, start = [], None
    while len(resumed) < len(whole):
        resumed += islice(RUNS[name](start), slice_length)
        start = pickle.loads(pickle.dumps(resumed[-1]))
    for one, two in zip(whole, resumed, strict=False):
        for expected, found in zip(leaves(one), leaves(two), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", RUNS)
def test_no_array_of_a_state_can_be_changed(name):
    for state in islice(RUNS[name](None), 3):
        for leaf in leaves(state):
            assert not (isinstance(leaf, np.ndarray) and leaf.flags.writeable)


def test_every_solver_is_resumed_here():
    generators = set(solvers.__all__) - {"solve_to_gap"}  # the loop that ends a run
    assert {name.partition(",")[0] for name in RUNS} == generators
