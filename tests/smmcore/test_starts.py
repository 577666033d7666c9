"""Every solver refuses to go on from a state of other data."""

import pickle
from itertools import product

import numpy as np
import pytest

from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import fast_admm, solve_to_gap
from smmcore.sugiyama.penalties import Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS
from tests.smmcore.conftest import MATRIX_SOLVERS, VECTOR_SOLVERS, random_problem


@pytest.mark.parametrize("solver", MATRIX_SOLVERS)
@pytest.mark.parametrize(("n", "shape"), [(9, (5, 4)), (24, (4, 5))])
def test_a_state_of_other_samples_is_refused(solver, n, shape):
    make, weights, run = MATRIX_SOLVERS[solver]
    here, there = (random_problem(0, **sizes) for sizes in ({}, {"n": n, "shape": shape}))
    state = next(run(make(there.X, there.y, *weights)))
    message = (
        rf"start must be a state of 24 samples of shape \(5, 4\), got {n} of shape \({shape[0]}"
    )
    with pytest.raises(ValueError, match=message):
        next(run(make(here.X, here.y, *weights), state))


@pytest.mark.parametrize("run", VECTOR_SOLVERS.values(), ids=VECTOR_SOLVERS)
def test_a_state_of_other_parameters_is_refused(run):
    Phi = np.random.default_rng(0).standard_normal((8, 6))
    here, there = (RegularizedLS(P, Phi[:, 0], WeightedNorm(Lp(1), 1.0)) for P in (Phi, Phi[:, :4]))
    with pytest.raises(ValueError, match=r"start must be a state of .*6.*, got .*4"):
        next(run(here, next(run(there))))


def arrays():
    """X and y of one data set."""
    data = random_problem(0)
    return data.X, data.y


SWAPPED = np.where(np.arange(24) == 5, -1, 1)  # one label
OTHERS = {
    "another draw": lambda X, y: (random_problem(1).X, y),
    "a millionth of noise": lambda X, y: (X + 1e-6 * random_problem(1).X, y),
    "shifted samples": lambda X, y: (X + 1.0, y),
    "samples in another order": lambda X, y: (X[::-1], y),
    "one label swapped": lambda X, y: (X, SWAPPED * y),
    "all labels swapped": lambda X, y: (X, -y),
}


def rows(X, y):
    return RegularizedLS(X.reshape(len(X), -1), y, WeightedNorm(Lp(1), 1.0))


RUNS = {
    name: (lambda X, y, m=m, w=w: m(X, y, *w), run) for name, (m, w, run) in MATRIX_SOLVERS.items()
}
RUNS |= {name: (rows, run) for name, run in VECTOR_SOLVERS.items()}


@pytest.mark.parametrize(
    ("solver", "change"),
    [*product(("fast_admm", "split_admm"), OTHERS), *product(RUNS, ("one label swapped",))],
)
def test_a_state_of_other_data_of_the_same_shape_is_refused(solver, change):
    make, run = RUNS[solver]
    state = next(run(make(*OTHERS[change](*arrays()))))
    with pytest.raises(ValueError, match="start must be a state of the same samples and labels"):
        next(run(make(*arrays()), state))


@pytest.mark.parametrize("solver", RUNS)
def test_a_state_of_the_same_data_computed_again_is_accepted(solver):
    # Another processor may round the data otherwise.
    (make, run), (X, y) = RUNS[solver], arrays()
    state = pickle.loads(pickle.dumps(next(run(make(X, y)))))
    rounded = X * (1 + np.finfo(float).eps * np.random.default_rng(0).choice([-1, 0, 1], X.shape))
    assert (rounded != X).any()
    for again in (X.copy(), rounded):
        assert next(run(make(again, y.copy()), state)) is not None


def test_labels_that_are_changed_on_a_problem_change_what_states_fit():
    problem = random_problem(0)
    state = next(fast_admm(problem, rho=1.0))
    other = problem.with_labels(SWAPPED * problem.y)
    with pytest.raises(ValueError, match="the same samples and labels"):
        fast_admm(other, rho=1.0, start=state)
    assert next(fast_admm(other.with_labels(problem.y), rho=1.0, start=state)).k == 2


def neighbours(solver, seed):
    """A problem of the solver, one of nearly the same weight, and the tolerance to end at."""
    if solver in VECTOR_SOLVERS:
        X, y = random_problem(seed).X, np.arange(24) % 3
        problem = RegularizedLS(X.reshape(24, -1), y, WeightedNorm(Lp(1), 2.0))
        return problem, problem.with_penalty(WeightedNorm(Lp(1), 1.98)), 1e-8
    data = random_problem(seed, n=60, shape=(8, 7))
    if solver == "proximal_gradient":
        problem = GLMProblem(data.X, data.y, 1.0)
        problem = problem.with_weight(0.05 * problem.lam_max())
        return problem, problem.with_weight(0.99 * problem.lam), 1e-6
    return data.with_weights(tau=1.0), data.with_weights(tau=1.05), 1e-6


@pytest.mark.parametrize(
    "solver", ["fast_admm", "proximal_gradient", "proximal_gradient, vectors", "balanced_admm"]
)
def test_a_start_from_a_neighbouring_weight_saves_iterations(solver):
    run, totals = RUNS[solver][1], np.zeros(2, int)
    for seed in range(3):  # a single run may be cut short by chance
        problem, near, tol = neighbours(solver, seed)
        _, state = solve_to_gap(problem, run(problem), tol, 5000)
        for i, start in enumerate((None, state)):
            before = next(run(near, start)).k - 1  # some solvers go on counting
            proof, end = solve_to_gap(near, run(near, start), tol, 5000)
            assert proof.within(tol)
            totals[i] += end.k - before
    assert totals[1] < totals[0]
