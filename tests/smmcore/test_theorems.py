"""What the SMM paper claims, each theorem as a property, in the form in which it holds.

Lemma 1 and Theorem 2 are in test_theory.
"""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore import qp
from smmcore.problems import Candidate
from smmcore.prox import singular_value_threshold
from smmcore.solvers import fast_admm, solve_to_gap
from tests.smmcore.conftest import apart, problems, random_problem, seeds, solved


@given(problems())
def test_theorem_1_the_solution_is_the_thresholded_combination_of_samples(problem):
    proof = solved(problem, 1e-8)
    alpha = proof.alpha
    assert alpha.min() >= 0
    assert alpha.max() <= problem.C
    Omega = sum(a * y * X for a, y, X in zip(alpha, problem.y, problem.X, strict=True))
    W = singular_value_threshold(Omega, problem.tau)
    gap = problem.duality_gap(W, problem.best_intercept(W), alpha)
    assert np.linalg.norm(W - proof.W) <= apart(proof, proof.gap, gap)


@given(seeds, st.floats(0.1, 10), st.floats(0.01, 3))
def test_theorem_3_zero_is_a_subgradient_at_the_threshold(seed, rho, tau):
    W, Lam = np.random.default_rng(seed).standard_normal((2, 5, 4))
    S = singular_value_threshold(rho * W - Lam, tau) / rho
    # 0 in tau d||S||_* + Lambda - rho (W - S): eq. 1 names what a subgradient of ||.||_* is.
    G = (rho * (W - S) - Lam) / tau
    U, sigma, Vt = np.linalg.svd(S)
    r = np.count_nonzero(sigma > 1e-12)
    rounding = 1e-13 * (1 + rho) / tau  # G is a difference of matrices of size 1 + rho, over tau
    assert np.linalg.norm(G, 2) <= 1 + rounding
    np.testing.assert_allclose(U[:, :r].T @ G @ Vt[:r].T, np.eye(r), atol=1e-10 + rounding)


@given(problems(), seeds, st.floats(0.1, 10))
def test_theorem_4_the_quadratic_programme_minimises_over_W_and_b(problem, seed, rho):
    rng = np.random.default_rng(seed)
    S, Lam = rng.standard_normal((2, *problem.shape[1:]))
    y, n, C = problem.y, len(problem.y), problem.C
    X = problem.X.reshape(n, -1)
    linear = y - X @ (Lam + rho * S).ravel() / (rho + 1)
    K = X @ X.T / (rho + 1)
    u = qp.maximise(K, linear, np.minimum(C * y, 0), np.maximum(C * y, 0), np.zeros(n)).u
    W = (Lam + rho * S + (u @ X).reshape(S.shape)) / (rho + 1)

    def value(W, b):
        loss = C * np.maximum(1 - y * (X @ W.ravel() + b), 0).sum()
        return 0.5 * np.sum(W**2) + loss - np.sum(Lam * W) + 0.5 * rho * np.sum((W - S) ** 2)

    constant = 0.5 * rho * np.sum(S**2) - 0.5 * np.sum((Lam + rho * S) ** 2) / (rho + 1)
    dual = linear @ u - 0.5 * u @ K @ u + constant
    # The KKT violation of 1e-10 in a margin is a gap of at most n C times it.
    primal = value(W, problem.best_intercept(W))
    size = abs(primal) + abs(dual) + abs(constant) + C * n
    assert -1e-12 * size <= primal - dual <= 2e-10 * n * C + 1e-12 * size


@given(problems())
def test_theorem_5_W_S_and_Lambda_plus_Omega_meet(problem):
    proof, state = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-7, 3000)
    assert proof.within(1e-7)
    # W = (Lambda^ + rho S^ + Omega) / (1 + rho) and Lambda = Lambda^ - rho (W - S) give
    # Lambda + Omega - W = rho (S^ - S), the dual residual, whatever the iteration.
    offset = np.linalg.norm(state.Lambda + state.Omega - state.W)
    size = np.linalg.norm(state.Lambda) + np.linalg.norm(state.Omega) + 1e-300
    assert offset == pytest.approx(state.dual_residual, rel=1e-6, abs=1e-12 * size)
    # And S is at the solution, as Theorem 1's W is: each within sqrt(2 gap).
    candidate = Candidate(state.S, state.S_singular_values, state.pair.S_scores)
    primal, _ = problem.best_primal(candidate)
    bound = apart(proof, proof.gap, primal - proof.dual)
    assert np.linalg.norm(state.S - proof.W) <= bound


@given(problems(), st.floats(-2, 2), st.floats(0.05, 0.9999))
def test_theorem_6_accepted_residuals_never_rise(problem, log_factor, eta):
    auto = next(fast_admm(problem, rho="auto")).rho
    # Each QP is solved to 1e-10 in a margin, a gap of up to 2e-10 n C, which moves W by up to
    # sqrt(4e-10 n C / (1 + rho)): what c(k) does below the square of that says nothing.
    floor = 4e-10 * problem.C * len(problem.y)
    accepted, after_restart = np.inf, False
    for state in islice(fast_admm(problem, rho=auto * 10**log_factor, eta=eta), 60):
        if state.residual <= floor:
            break
        if not state.restarted:
            # After a restart comes a step without momentum, which cannot raise c; it is not
            # compared, so this is the proof that nothing was lost.
            assert state.residual <= accepted * ((1 + 1e-8) if after_restart else eta)
            accepted = state.residual
        assert not (state.restarted and after_restart)
        after_restart = state.restarted


@pytest.mark.parametrize("factor", [0.1, 10.0])
@pytest.mark.parametrize("eta", [0.9, 0.999])
@pytest.mark.parametrize("seed", range(3))
def test_theorem_6_converges_from_any_rho_near_auto(factor, eta, seed):
    problem = random_problem(seed, tau=[0.1, 1.0, 4.0][seed])
    auto = next(fast_admm(problem, rho="auto")).rho
    solved(problem, 1e-6, lambda problem: fast_admm(problem, rho=factor * auto, eta=eta))
