"""A run that is interrupted anywhere and resumed continues bit for bit, for every solver."""

import pickle
from dataclasses import fields, is_dataclass, replace
from itertools import islice, product

import numpy as np
import pytest

from smmcore import solvers
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.rivals.glm import GLMProblem
from smmcore.sugiyama.penalties import Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS
from smmcore.wolf.reweighting import elementwise_weighting, iterative_weighting
from smmcore.wolf.weighted_svm import WeightingProblem
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.smmcore.conftest import (
    MATRIX_SOLVERS,
    VECTOR_SOLVERS,
    random_problem,
    random_weights,
    run,
)

# Each problem is prepared anew where a run resumes, as in another process.


def smm(n=30):
    # With 30 samples in 12 dimensions the QP's matrix is singular.
    return random_problem(2, n=n, shape=(3, 4), C=3.0, tau=0.4)


def few():
    return smm(10)  # n < p q


def squared(n=30):
    data = smm(n)
    return LSSMMProblem(data.X, data.y, data.C, data.tau)


def few_squared():
    return squared(10)


def weighted():
    return replace(smm(), sample_weight=random_weights(2, 30))


def weighted_squared():
    return replace(squared(), sample_weight=random_weights(2, 30))


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
    data = random_problem(2, n=40, shape=(6, 4))
    return WeightingProblem(data.X.reshape(40, *(shape or (6, 4))), data.y, 10.0)


def tensors():
    return weighting(4, 3, 2)


SOLVERS = {name: run for name, (_, _, run) in MATRIX_SOLVERS.items()} | VECTOR_SOLVERS
SOLVERS |= {
    # With rho="auto" the first change of rho is after iteration 8.
    "fast_admm, rho=0.5": run(solvers.fast_admm, rho=0.5),
    "admm, rho=0.5": run(solvers.admm, rho=0.5),
    "proximal_gradient, plain": run(solvers.proximal_gradient, accelerated=False),
    "iterative_weighting, elementwise": run(iterative_weighting, weigh=elementwise_weighting),
}
CASES = [
    *product(
        ["fast_admm", "admm", "bilevel"], [smm, squared, few_squared, weighted, weighted_squared]
    ),
    *product(["newton", "augmented_lagrangian"], [smm, weighted]),
    *product(["fast_admm, rho=0.5", "admm, rho=0.5"], [smm]),
    *product(["default_solver"], [smm, few]),
    *(("proximal_gradient", glm), ("alternating_svm", bilinear)),
    *product([*VECTOR_SOLVERS, "proximal_gradient, plain"], [lasso]),
    *product(["iterative_weighting", "iterative_weighting, elementwise"], [weighting]),
    ("iterative_weighting", tensors),
]


def leaves(value):
    """The numbers, arrays and words in a state, those of nested records as well."""
    if is_dataclass(value):
        value = tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.mark.parametrize(("solver", "make"), CASES)
def test_a_run_cut_into_single_steps_equals_an_uninterrupted_one_bit_for_bit(solver, make):
    run = SOLVERS[solver]
    whole = list(islice(run(make()), 8 if "weighting" in solver else 30))
    resumed, start = [], None
    while len(resumed) < len(whole):
        resumed.append(next(run(make(), start)))
        start = pickle.loads(pickle.dumps(resumed[-1]))
    for one, two in zip(whole, resumed, strict=False):
        for expected, found in zip(leaves(one), leaves(two), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("solver", "make"), CASES)
def test_no_array_of_a_state_can_be_changed(solver, make):
    for state in islice(SOLVERS[solver](make()), 3):
        for leaf in leaves(state):
            assert not (isinstance(leaf, np.ndarray) and leaf.flags.writeable)


def test_every_solver_is_resumed_here():
    generators = set(solvers.__all__) - {"solve_to_gap"}  # the loop that ends a run
    assert {solver.partition(",")[0] for solver, _ in CASES} >= generators
