"""Newton's method on the dual and the augmented Lagrangian method against Algorithm 1."""

import pickle
from dataclasses import replace
from importlib import import_module
from itertools import islice

import numpy as np
import pytest
from hypothesis import given

from smmcore import path
from smmcore.datasets import make_block_correlated
from smmcore.iterate import last
from smmcore.problems import SMMProblem
from smmcore.problems.samples import sum_of_grams
from smmcore.prox import SVTDerivative, thin_svd, thresholded_svd
from smmcore.solvers import augmented_lagrangian, fast_admm, newton, solve_to_gap
from tests.smmcore.conftest import apart, problems, random_problem

module = import_module("smmcore.solvers.newton")  # the package has a function of this name
lagrangian = import_module("smmcore.solvers.lagrangian")
smm = import_module("smmcore.problems.smm")


def solve(problem, tol=1e-8, solver=newton, **options):
    """The certificate within `tol`, and the state it belongs to."""
    return solve_to_gap(problem, solver(problem, **options), tol, max_iter=200)


@pytest.mark.parametrize("solver", [newton, augmented_lagrangian])
@given(problem=problems())
def test_both_other_solvers_find_the_solution_of_algorithm_1(solver, problem):
    proof, _ = solve_to_gap(problem, solver(problem), 1e-8, max_iter=500)
    peer, _ = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, max_iter=2000)
    assert proof.within(1e-8)
    assert np.linalg.norm(proof.W - peer.W) <= apart(proof, proof.gap, peer.gap)


@pytest.mark.parametrize("solver", [newton, augmented_lagrangian])
@given(problem=problems())
def test_every_alpha_is_dual_feasible_and_newtons_dual_never_falls(solver, problem):
    before = -np.inf
    for state in islice(solver(problem), 20):
        value = problem.dual(state.alpha)
        assert value > -np.inf  # in the box, with y @ alpha = 0
        if solver is newton:
            assert value >= before - 1e-12 * state.alpha.sum()
        before = value


@pytest.mark.parametrize(("n", "shape"), [(40, (8, 10)), (60, (12, 3)), (300, (4, 4))])
def test_it_needs_few_iterations_where_algorithm_1_needs_many(n, shape):
    problem = random_problem(3, n=n, shape=shape, C=1.0, tau=0.3)
    _, state = solve(problem)
    _, peer = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-8, max_iter=2000)
    assert state.k <= 20
    assert state.k < peer.k


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (5, 5), (7, 1), (1, 7)])
@pytest.mark.parametrize("rank", [0, 1, 3])
def test_the_derivative_of_the_singular_value_threshold(shape, rank):
    """Its eigenvectors, its eigenvalues, and its parts."""
    rng = np.random.default_rng(0)
    M, X, Y = rng.standard_normal((3, *shape))
    sigma = np.linalg.svd(M, compute_uv=False)
    ends = np.concatenate([[2 * sigma[0]], sigma, [0.0]])
    m = min(shape)
    at = min(rank, m)
    tau = 0.5 * (ends[at] + ends[at + 1])  # between two singular values
    h = 1e-5
    slope = (
        (thresholded_svd(M + h * Y, tau).matrix - thresholded_svd(M - h * Y, tau).matrix) / h / 2
    )
    # The error of the difference is h^2 times a third derivative, and rounding 1e-16 / h.
    thin = thin_svd(M)
    basis = SVTDerivative(thin, tau)
    coordinates = basis.coordinates(np.array([X, Y]))
    np.testing.assert_allclose(
        coordinates @ coordinates.T, np.tensordot([X, Y], [X, Y], ([1, 2],) * 2)
    )
    np.testing.assert_allclose(basis.combine(coordinates[0]), X, atol=1e-12)
    np.testing.assert_allclose(basis.combine(basis.values * coordinates[1]), slope, atol=1e-7)

    def root(part):
        derivative = SVTDerivative(thin, tau, part)
        return np.sqrt(derivative.values) * derivative.coordinates(np.array([X, Y]))

    rows = root(slice(None))
    assert rows[0] @ rows[1] == pytest.approx(np.vdot(X, slope), abs=1e-7)
    parts = sum_of_grams((root(slice(i, i + 1)) for i in range(m)), 2)
    np.testing.assert_allclose(parts, rows @ rows.T, rtol=1e-12, atol=1e-12)


def test_a_state_has_the_decomposition_of_its_omega(monkeypatch):
    starts = []

    def observed(problem, start):
        starts.append(start)
        return newton(problem, start=start)

    monkeypatch.setattr(path, "newton", observed)
    path.tau_max(random_problem(3, unequal=True))
    assert len(starts) > 2  # the first is None, the others are scaled
    for state in (*islice(newton(random_problem(4)), 20), *starts[1:]):
        U, sigma, Vt = state.svd
        np.testing.assert_allclose((U * sigma) @ Vt, state.Omega, atol=1e-12 * sigma[0])


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


def dense_problem():
    """Gaussian samples, almost all of which decide, and fewer than W has degrees of freedom."""
    return random_problem(0, n=260, shape=(24, 30), C=1.0, tau=1.0)


def sparse_problem(seed=0):
    """Block-correlated samples, few of which decide."""
    X, y = make_block_correlated(200, (12, 10), noise=0.01, random_state=seed)
    return SMMProblem(X, y, 1.0, 0.5)


def test_a_model_in_single_precision_leads_to_the_same_solution(monkeypatch):
    problem, types = dense_problem(), []
    choose = module._model_type
    monkeypatch.setattr(module, "_model_type", lambda *at: types.append(choose(*at)) or types[-1])
    proof, state = solve(problem, 1e-12)
    assert np.float32 in types
    assert proof.within(1e-12)
    monkeypatch.setattr(module, "_LARGE", np.inf)
    expected, peer = solve(problem, 1e-12)
    assert types[-1] is float
    assert np.linalg.norm(proof.W - expected.W) <= apart(proof, proof.gap, expected.gap)
    assert state.k <= peer.k + 2


@pytest.mark.parametrize("make", [dense_problem, sparse_problem])
def test_a_run_resumed_in_another_process_goes_on_bit_for_bit(make, monkeypatch):
    """A new problem does not know the Gram matrix that the old one may have computed."""
    monkeypatch.setattr(module, "_COSTLY", 0)
    whole = list(islice(newton(make()), 20))
    for k in (1, 5, 12):
        start = pickle.loads(pickle.dumps(whole[k - 1]))
        for expected, found in zip(whole[k:], newton(make(), start=start), strict=False):
            np.testing.assert_array_equal(found.alpha, expected.alpha)
            np.testing.assert_array_equal(found.Omega, expected.Omega)


@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_single_precision_neither_overflows_nor_vanishes(scale):
    problem = dense_problem()
    scaled = replace(problem, X=scale * problem.X, C=problem.C / scale**2, tau=1 / scale)
    proof, _ = solve(scaled)
    expected, _ = solve(problem)
    assert proof.within(1e-8)
    assert np.linalg.norm(scale * proof.W - expected.W) <= apart(
        expected, proof.gap * scale**2, expected.gap
    )


def test_a_model_that_rounding_makes_indefinite_leads_to_the_solution(monkeypatch):
    problem = random_problem(0, n=400, shape=(4, 3), C=0.1, tau=0.1)
    expected, _ = solve(problem)
    monkeypatch.setattr(module, "_model_type", lambda *_: np.float32)
    alpha = problem.balance(np.full(400, 0.05))  # most between their bounds
    start = module._state_at(problem, alpha)
    rank = thresholded_svd(start.Omega, problem.tau).rank
    M = module._model_matrix(problem, np.arange(400), start.svd, rank, 0.0)
    assert np.linalg.eigvalsh(M)[0] < 0
    proof, _ = solve(problem, start=start)
    assert proof.within(1e-8)
    assert np.linalg.norm(proof.W - expected.W) <= apart(proof, proof.gap, expected.gap)


@pytest.mark.parametrize("seed", range(3))
def test_a_first_guess_from_some_samples_leads_to_the_same_solution(seed, monkeypatch):
    expected, _ = solve(sparse_problem(seed))
    monkeypatch.setattr(module, "_COSTLY", 0)
    fresh = sparse_problem(seed)
    state = next(newton(fresh))
    assert "whole_gram" not in vars(fresh._samples)  # few samples decide
    proof, _ = solve(fresh, start=state)
    assert proof.within(1e-8)
    assert np.linalg.norm(proof.W - expected.W) <= apart(proof, proof.gap, expected.gap)


# The augmented Lagrangian method.


@pytest.mark.parametrize(("C", "tau"), [(0.01, 1.0), (1.0, 0.3), (1.0, 20.0), (100.0, 1.0)])
def test_many_samples_of_few_entries_need_no_gram_matrix(C, tau):
    problem = random_problem(7, n=500, shape=(4, 5), C=C, tau=tau)
    proof, state = solve(problem, 1e-10, solver=augmented_lagrangian)
    assert proof.within(1e-10)
    assert "whole_gram" not in vars(problem._samples)  # nothing of size n^2
    assert state.free <= 2 * problem.X[0].size


def test_penalties_at_which_rounding_hides_the_minimum_shrink():
    problem = random_problem(3, n=35, shape=(8, 2), C=100.0, tau=1.0)
    _, state = solve(problem, solver=augmented_lagrangian)
    s, r = state.penalties
    stuck = replace(state, penalties=(1e5 * s, 1e5 * r), steps=0)
    # The certificate of S may prove the solution before they shrink, so the run goes on here.
    end = last(islice(augmented_lagrangian(problem, start=stuck), 200))
    assert end.penalties[0] < stuck.penalties[0]
    assert end.certificate(problem).within(1e-10)
