"""Newton's method on the dual against Algorithm 1, its model, and what it does when it is stuck."""

from __future__ import annotations

from importlib import import_module
from itertools import islice

import numpy as np
import pytest
from hypothesis import given

from smmcore.iterate import last, until
from smmcore.prox import SVTDerivative, thresholded_svd
from smmcore.solvers import fast_admm, newton
from smmcore.solvers.certified import solve_to_gap
from tests.smmcore.conftest import apart, problems, random_problem


def solve(problem, tol=1e-8, **options):
    """The certificate within `tol`, and the state it belongs to."""
    return solve_to_gap(problem, newton(problem, **options), tol, max_iter=200)


@given(problems())
def test_newton_finds_the_solution_of_algorithm_1(problem):
    proof, _ = solve(problem)
    peer, _ = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, max_iter=2000)
    assert proof.within(1e-8)
    assert np.linalg.norm(proof.W - peer.W) <= apart(proof, proof.gap, peer.gap)


@given(problems())
def test_every_alpha_is_dual_feasible_and_the_dual_never_falls(problem):
    before = -np.inf
    for state in islice(newton(problem), 20):
        value = problem.dual(state.alpha)
        assert value > -np.inf  # in the box, with y @ alpha = 0
        if state.admm is None and state.k > 4:
            assert value >= before - 1e-12 * state.alpha.sum()
        before = value


@pytest.mark.parametrize("seed", range(5))
def test_kkt_conditions_hold_at_the_solution(seed):
    problem = random_problem(seed, n=60, shape=(6, 5), C=0.5, tau=0.8)
    proof, _ = solve(problem, 1e-10)
    margins, alpha = problem.y * proof.decision, proof.alpha
    # A margin is known to the radius times the size of its sample, twice for W and b.
    slack = 2 * proof.radius * problem.largest_sample
    assert np.all(margins[alpha == 0] >= 1 - slack)
    assert np.all(margins[alpha == problem.C] <= 1 + slack)
    free = (alpha > 0) & (alpha < problem.C)
    np.testing.assert_allclose(margins[free], 1, atol=slack)


@pytest.mark.parametrize(("n", "shape"), [(40, (8, 10)), (60, (12, 3)), (300, (4, 4))])
def test_it_needs_few_iterations_where_algorithm_1_needs_many(n, shape):
    problem = random_problem(3, n=n, shape=shape, C=1.0, tau=0.3)
    _, state = solve(problem)
    _, peer = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, max_iter=2000)
    assert state.k <= 20
    assert state.k < peer.k


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (5, 5), (7, 1), (1, 7)])
@pytest.mark.parametrize("rank", [1, 3])
def test_root_of_the_derivative_of_the_singular_value_threshold(shape, rank):
    rng = np.random.default_rng(0)
    M, X, Y = rng.standard_normal((3, *shape))
    sigma = np.append(np.linalg.svd(M, compute_uv=False), 0.0)
    at = min(rank, min(shape))
    tau = 0.5 * (sigma[at - 1] + sigma[at])  # between two singular values
    derivative = SVTDerivative(*np.linalg.svd(M, full_matrices=False), tau)
    rows = np.empty((2, derivative.rank))
    derivative.root(np.array([X, Y]), rows)
    h = 1e-5
    slope = (
        (thresholded_svd(M + h * Y, tau).matrix - thresholded_svd(M - h * Y, tau).matrix) / h / 2
    )
    # The error of the difference is h^2 times a third derivative, and rounding 1e-16 / h.
    assert rows[0] @ rows[1] == pytest.approx(np.vdot(X, slope), abs=1e-7)


def test_without_a_nuclear_norm_one_newton_step_is_enough():
    problem = random_problem(1, n=40, tau=0.0)
    states = list(islice(newton(problem), 5))
    assert states[-1].certificate(problem).within(1e-9)


def test_above_tau_max_w_is_zero():
    problem = random_problem(2)
    heavy = problem.with_weights(tau=2 * problem.tau_max())
    proof, _ = solve(heavy)
    assert proof.rank == 0
    assert proof.within(1e-8)


@pytest.mark.parametrize("ratio", [1.2, 0.5, 5.0])
def test_a_state_at_another_tau_or_of_algorithm_1_is_a_warm_start(ratio):
    problem = random_problem(4, n=60, shape=(8, 9), tau=0.5)
    moved = problem.with_weights(tau=ratio * problem.tau)
    expected, cold = solve(moved)
    _, state = solve(problem)
    peer = last(islice(fast_admm(problem, rho="auto"), 30))
    for start in (state, peer):
        proof, end = solve(moved, start=start)
        assert np.linalg.norm(proof.W - expected.W) <= apart(proof, proof.gap, expected.gap)
        assert end.k <= cold.k


def test_a_smaller_box_keeps_a_warm_start_feasible():
    problem = random_problem(5, n=40, C=10.0)
    _, state = solve(problem)
    smaller = problem.with_weights(C=0.1)
    proof, _ = solve(smaller, start=state)
    assert proof.within(1e-8)


def test_algorithm_1_helps_where_no_step_gains(monkeypatch):
    problem = random_problem(6)
    module = import_module("smmcore.solvers.newton")  # the package has a function of this name
    model = module._maximise_model

    def stuck(*arguments):
        return model(*arguments)._replace(slope=0.0)

    monkeypatch.setattr(module, "_maximise_model", stuck)
    proofs = ((state, state.certificate(problem)) for state in newton(problem))
    state, proof = last(until(proofs, lambda found: found[1].within(1e-8), 200))
    assert proof.within(1e-8)
    assert state.k > 4
    assert state.admm is not None
