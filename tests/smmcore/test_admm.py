from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from smmcore import qp
from smmcore.datasets import make_block_correlated
from smmcore.path import tau_max
from smmcore.problems import Candidate, SMMProblem
from smmcore.prox import singular_value_threshold
from smmcore.solvers import admm, fast_admm, solve_to_gap
from tests.smmcore.conftest import apart, problems, random_problem


def transcription(problem, rho, eta, iterations, accelerate=True):
    """Algorithm 1 of the paper, its indices and its ties read as in the docstring of fast_admm."""
    X, y, n = problem.X, problem.y, len(problem.y)
    S = Lam = S_hat = Lam_hat = np.zeros(X.shape[1:])
    t, c_prev, u, restarted = 1.0, np.inf, np.zeros(n), False  # u = y alpha
    K = np.tensordot(X, X, ((1, 2), (1, 2))) / (rho + 1)
    box = np.minimum(problem.C * y, 0), np.maximum(problem.C * y, 0)
    for _ in range(iterations):
        q = y - np.tensordot(X, Lam_hat + rho * S_hat) / (rho + 1)
        u = qp.maximise(K, q, *box, u).u
        W = (Lam_hat + rho * S_hat + np.tensordot(u, X, 1)) / (rho + 1)
        S_prev, Lam_prev, S = S, Lam, singular_value_threshold(rho * W - Lam_hat, problem.tau) / rho
        Lam = Lam_hat - rho * (W - S)
        c = np.sum((Lam - Lam_hat) ** 2) / rho + rho * np.sum((S - S_hat) ** 2)
        if not accelerate:
            S_hat, Lam_hat = S, Lam
        elif restarted or c < eta * c_prev:
            restarted = False
            t, t_prev = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
            S_hat = S + (t_prev - 1) / t * (S - S_prev)
            Lam_hat = Lam + (t_prev - 1) / t * (Lam - Lam_prev)
            c_prev = c
        else:
            restarted = True
            t, S_hat, Lam_hat, c_prev = 1.0, S_prev, Lam_prev, c_prev / eta
        yield W, S, Lam, c, t


@pytest.mark.parametrize(
    ("rho", "eta", "expected"),
    [
        *((0.3, 0.999, {True, False}), (3.0, 0.9, {True, False}), (30.0, 0.5, {True, False})),
        (30.0, 0.999, {True, False}),
        (30.0, np.inf, {False}),
        (2.0, None, {False}),  # without momentum
    ],
)
def test_both_branches_are_those_of_algorithm_1(rho, eta, expected):
    problem = random_problem(0, n=20, shape=(4, 5), tau=0.7)
    branches = set()
    ours = fast_admm(problem, rho=rho, eta=eta) if eta else admm(problem, rho=rho)
    theirs = transcription(problem, rho, eta, 40, bool(eta))
    for state, (W, S, Lam, c, t) in zip(islice(ours, 40), theirs, strict=True):
        # The two differ by rounding and by the last digits of a QP solved to 1e-10 in a margin.
        np.testing.assert_allclose(state.W, W, atol=1e-8)
        np.testing.assert_allclose(state.S, S, atol=1e-8)
        np.testing.assert_allclose(state.Lambda, Lam, atol=1e-8 * (1 + rho))
        assert state.residual == pytest.approx(c, rel=1e-5, abs=1e-14)
        assert state.t == t
        branches.add(state.restarted)
    assert branches == expected


@given(problems(), st.floats(-2, 3), st.floats(0.05, 0.9999))
def test_a_restart_happens_exactly_when_the_rule_says_so(problem, log_rho, eta):
    compared, after_restart = np.inf, False
    for state in islice(fast_admm(problem, rho=10**log_rho, eta=eta), 25):
        accepted = after_restart or state.residual < eta * compared
        assert state.restarted == (not accepted)
        compared, after_restart = (state.residual if accepted else compared / eta), not accepted
        assert state.compared == compared


@pytest.mark.parametrize("seed", range(3))
def test_rounding_decides_no_restart(seed):
    # W is that of a hard margin, whatever Lambda, and S is 0 for some iterations, in which c stays
    # what it is. The step after a restart then ties with the one it would be compared with.
    problem = random_problem(seed, n=12, shape=(4, 5), C=1e3, tau=0.7)
    first = list(islice(fast_admm(problem, rho=0.03), 3))
    assert [np.count_nonzero(state.S) for state in first] == [0, 0, 0]
    assert first[2].residual == pytest.approx(first[0].residual, rel=1e-12)
    assert [state.restarted for state in first] == [False, True, False]


@pytest.mark.parametrize(("C", "rho"), [(1e4, 1e5), (1e4, 1e6), (1e2, 1e6)])
def test_every_alpha_is_dual_feasible_also_where_rho_is_far_off(C, rho):
    # An alpha of size C n at first, whose rounding must not stay when it shrinks.
    X, y = make_block_correlated(100, (10, 12), 4, 0.02, 2, "unit variance", 0)
    problem = SMMProblem(X, y, C, 0.1)
    assert all(np.isfinite(problem.dual(s.alpha)) for s in islice(fast_admm(problem, rho=rho), 150))


@given(problems())
def test_alpha_is_dual_feasible_and_what_is_carried_along_is_what_can_be_computed(problem):
    for state in islice(fast_admm(problem, rho="auto", eta=0.999), 40):
        assert np.isfinite(problem.dual(state.alpha))
        rounding = 1e-13 * problem.C * np.abs(problem.X).sum()
        np.testing.assert_allclose(state.Omega, problem.omega(state.alpha), atol=rounding)
    for pair in (state.pair, state.start):
        for matrix, scores in ((pair.S, pair.S_scores), (pair.Lambda, pair.Lambda_scores)):
            rounding = 1e-11 * (1 + np.abs(problem.X).max() * np.linalg.norm(matrix, 1))
            np.testing.assert_allclose(scores, problem.centred_scores(matrix), atol=rounding)


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


@pytest.mark.parametrize("seed", range(6))
def test_the_quadratic_programme_is_no_floor_under_the_gap(seed):
    # All alpha are far below C here, so the box says little about the size of the objective.
    problem = random_problem(seed, n=8, shape=(4, 3), C=100.0, tau=0.01)
    states = islice(fast_admm(problem, rho="auto"), 200)
    assert any(state.certificate(problem).within(1e-10) for state in states)


@pytest.mark.parametrize("C", [1.0, 1e4, 1e6])
def test_the_balance_copes_with_an_S_that_stays_zero(C):
    # Above tau_max S is 0 in the end, so its part of c(k) is exactly 0.
    problem = random_problem(0, n=12, shape=(2, 2), C=C, unequal=True)
    problem = problem.with_weights(tau=1.1 * tau_max(problem))
    states = list(islice(fast_admm(problem, rho="auto"), 60))
    assert np.linalg.norm(states[-1].S) == 0
    assert states[-1].certificate(problem).rank == 0


def test_rho_auto_balances_the_residuals_and_forgets_the_momentum():
    problem = random_problem(0, n=40, shape=(6, 5), tau=0.1)
    states = list(islice(fast_admm(problem, rho="auto", eta=0.999), 60))
    changes = [(a, b) for a, b in pairwise(states) if a.rho != b.rho]
    assert changes
    for before, after in changes:
        assert 1 / 3.0001 <= after.rho / before.rho <= 3.0001
        assert after.t == pytest.approx((1 + 5**0.5) / 2)  # the first t after 1


def samples(data):
    """X and y in {-1, +1} of a named data set."""
    factor = {"volts": 1e-6, "pixels": 255.0}.get(data.split()[-1], 1.0)
    if data == "digits":
        digits = load_digits()
        chosen = np.isin(digits.target, (3, 8))
        return digits.images[chosen], np.where(digits.target[chosen] == 8, 1.0, -1.0)
    if "gauss" in data:
        rng = np.random.default_rng(1)
        X = rng.standard_normal((200, 20, 25))
        W = rng.standard_normal((20, 3)) @ rng.standard_normal((3, 25))
        return factor * X, np.where(np.tensordot(X, W) > 0, 1.0, -1.0)
    scaling = "unit variance" if factor != 1 else data
    X, y = make_block_correlated(200, (20, 25), 4, 1e-3, 5, scaling, 0)
    return factor * X, y


@pytest.mark.parametrize("data", ["as printed", "unit variance", "volts", "digits", "gauss pixels"])
def test_rho_auto_certifies_any_data_at_weights_over_six_decades(data):
    base = SMMProblem(*samples(data), 1.0, 1.0)
    top = tau_max(base, 1e-3)
    for C, share in ((1, 0), (1, 1e-3), (1, 0.5), (1, 1.1), (1e-3, 0.5), (1e3, 0.5)):
        problem = base.with_weights(C=C, tau=share * C * top)
        proof, _ = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-6, 500)
        assert proof.within(1e-6), (C, share)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rho": 0.0}, 'rho must be positive and finite or "auto", got 0.0'),
        ({"rho": -1}, "rho must be positive"),
        ({"rho": 1.0, "eta": 1.0}, "eta must lie strictly between 0 and 1, or be infinite, got 1"),
        ({"rho": 1.0, "eta": 0.0}, "eta must lie strictly between 0 and 1"),
    ],
)
def test_bad_parameters_are_named_at_the_call_not_at_the_first_iterate(options, message):
    with pytest.raises(ValueError, match=message):
        fast_admm(random_problem(0), **options)
