from functools import partial
from itertools import islice, pairwise
from unittest import mock

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import proximal_gradient
from tests.smmcore.conftest import random_problem, random_weights, solved


def glm_problem(seed, share=0.1, **options):
    data = random_problem(seed, **options)
    problem = GLMProblem(data.X, data.y, 1.0)
    return problem.with_weight(share * problem.lam_max())


SLOPES = GLMProblem.slopes
solve = partial(solved, solver=proximal_gradient, max_iter=5000)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_weak_duality_on_random_feasible_points(seed, unequal):
    problem = glm_problem(seed % 1000, unequal=unequal)
    rng = np.random.default_rng(seed)
    alpha = problem.balance(rng.uniform(0, 1, len(problem.y)))
    alpha *= min(1, problem.lam / np.linalg.norm(problem.omega(alpha), 2))
    W, b = rng.standard_normal(problem.shape[1:]), rng.standard_normal()
    assert problem.dual(alpha) <= problem.primal(W, b)
    assert problem.dual(1.001 * alpha * problem.lam / np.linalg.norm(problem.omega(alpha), 2)) == (
        -np.inf
    )


@pytest.mark.parametrize(
    ("n", "share", "weighted"),
    [(20, 0.5, False), (20, 0.1, False), (20, 0.02, False), (12, 0.1, True), (60, 0.1, True)],
)
def test_the_objective_is_that_of_cvxpy(n, share, weighted):
    data = random_problem(3, n=n, shape=(4, 5))
    weights = random_weights(n, n, float(weighted))
    problem = GLMProblem(data.X, data.y, 1.0, sample_weight=weights)
    problem = problem.with_weight(share * problem.lam_max())
    proof = solve(problem, 1e-8, max_iter=10_000)
    W, b = cp.Variable((4, 5)), cp.Variable()
    margins = cp.multiply(problem.y, problem.X.reshape(n, 20) @ cp.vec(W, order="C") + b)
    loss = weights @ cp.logistic(-margins)
    model = cp.Minimize(loss + problem.lam * cp.normNuc(W))
    cp.Problem(model).solve(solver=cp.CLARABEL)
    theirs = problem.primal(W.value, problem.best_intercept(W.value))
    # Both lie above the optimum, ours by its gap, theirs by what our dual value leaves.
    assert proof.dual <= theirs * (1 + 1e-12)
    assert abs(proof.primal - theirs) <= max(proof.gap, theirs - proof.dual)
    assert theirs - proof.dual <= 1e-5 * theirs


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.9, 0.3, 0.05]), st.booleans())
def test_the_gap_is_reached_and_optimality_follows(seed, share, unequal):
    problem = glm_problem(seed, share, unequal=unequal)
    proof = solve(problem, 1e-6)
    # 0 in lam d||W||_* - Omega: Omega / lam has norm 1 at most and <W, Omega> = lam ||W||_*, up to
    # the gap, which is a sum of non-negative terms of which this is one.
    Omega = problem.omega(proof.alpha)
    assert np.linalg.norm(Omega, 2) <= problem.lam * (1 + 1e-12)
    young = problem.lam * proof.singular_values.sum() - np.sum(proof.W * Omega)
    assert -1e-11 * proof.primal <= young <= proof.gap + 1e-11 * proof.primal


@pytest.mark.parametrize("size", [1e-20, 1e-13, 1e-8])
def test_the_dual_keeps_its_digits_where_alpha_is_tiny(size):
    problem = glm_problem(0, 1.0)
    alpha = problem.balance(size * np.random.default_rng(0).uniform(0.5, 1, len(problem.y)))
    expected = np.sum(alpha - alpha * np.log(alpha) - alpha**2 / 2)  # to the third order
    assert problem.dual(alpha) == pytest.approx(expected, rel=1e-13, abs=0)


def test_momentum_begins_anew_where_a_step_goes_against_it():
    states = list(islice(proximal_gradient(glm_problem(8, 0.05, n=40)), 60))
    for before, after in pairwise(states):
        against = np.vdot(after.theta - before.start, after.theta - before.theta) < 0
        assert after.restarted == against
        assert (after.t == 1) == against
        assert np.array_equal(after.start, after.theta) or not against
    assert any(state.restarted for state in states)


def test_the_distance_of_columns_is_bounded_by_that_of_omega():
    # DESIGN: ||W_l - W_l'|| <= (sigma_1(W) / lam) ||Omega_l - Omega_l'|| at the solution, where
    # W's columns are U diag(sigma) V' and Omega = lam (U V' + ...), its norm lam.
    problem = glm_problem(8, 0.2, n=40)
    proof = solve(problem, 1e-10, max_iter=20_000)
    Omega, W = problem.omega(proof.alpha), proof.W
    for i in range(W.shape[1]):
        for j in range(i):
            left = np.linalg.norm(W[:, i] - W[:, j])
            right = np.linalg.norm(Omega[:, i] - Omega[:, j]) * proof.singular_values[0]
            assert left <= right / problem.lam + 1e-3 * proof.singular_values[0]


def test_rounding_does_not_send_the_search_for_the_offset_back_to_bisection():
    problem = glm_problem(8, n=400)
    rng = np.random.default_rng(0)
    for size in np.repeat([0.1, 1.0, 30.0], 30):
        with mock.patch.object(GLMProblem, "slopes", autospec=True, side_effect=SLOPES) as slopes:
            problem.best_offset(size * rng.standard_normal(400))
        assert slopes.call_count <= 10


@pytest.mark.parametrize(("lam", "shown"), [(0, "0"), (-1.0, "-1.0"), ("1", "'1'")])
def test_a_weight_out_of_range_is_named(lam, shown):
    data = random_problem(0)
    with pytest.raises(ValueError, match=f"lam must be positive and finite, got {shown}"):
        GLMProblem(data.X, data.y, lam)
