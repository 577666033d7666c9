import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.penalties import Lp, WeightedNorm
from smmcore.problems import GLMProblem, LSSMMProblem, RegularizedLS, SMMProblem
from tests.reference import cvxpy_solution
from tests.smmcore.conftest import apart, feasible_alpha, problems, random_problem, solved

seeds = st.integers(0, 2**32 - 1)


def transcribed_primal(problem, W, b):
    value = 0.5 * np.trace(W.T @ W) + problem.tau * np.linalg.svd(W)[1].sum()
    for X, y in zip(problem.X, problem.y, strict=True):
        value += problem.C * max(0.0, 1 - y * (np.trace(W.T @ X) + b))
    return value


def transcribed_dual(problem, alpha):
    Omega = sum(a * y * X for a, y, X in zip(alpha, problem.y, problem.X, strict=True))
    return alpha.sum() - 0.5 * np.sum(np.maximum(np.linalg.svd(Omega)[1] - problem.tau, 0) ** 2)


@given(problems(), seeds)
def test_objectives_equal_a_slow_transcription_and_obey_weak_duality(problem, seed):
    rng = np.random.default_rng(seed)
    W, b = rng.standard_normal(problem.shape[1:]), rng.standard_normal()
    alpha = feasible_alpha(rng, problem)
    assert problem.primal(W, b) == pytest.approx(transcribed_primal(problem, W, b), rel=1e-12)
    assert problem.dual(alpha) == pytest.approx(transcribed_dual(problem, alpha), rel=1e-9)
    gap = problem.primal(W, b) - problem.dual(alpha)
    assert problem.duality_gap(W, b, alpha) == gap
    assert gap >= -1e-12 * (problem.primal(W, b) + alpha.sum())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda alpha, C: alpha - 1e-3,
        lambda alpha, C: alpha + C,
        lambda alpha, C: alpha * np.linspace(0.5, 1, len(alpha)),
    ],
)
def test_the_dual_is_minus_infinity_outside_its_domain(spoil):
    problem = random_problem(0)
    alpha = feasible_alpha(np.random.default_rng(0), problem)
    assert np.isfinite(problem.dual(alpha))
    assert problem.dual(spoil(alpha, problem.C)) == -np.inf


def test_the_best_intercept_is_the_middle_of_those_that_are_best():
    # Both margins are at least 1 for b from -11 to -9.
    problem = SMMProblem(np.array([[[6.0]], [[4.0]]]), [1, -1], 1.0, 0.0)
    assert problem.best_intercept(np.array([[2.0]])) == -10.0


@given(problems(), seeds)
def test_any_feasible_alpha_has_a_valid_certificate(problem, seed):
    alpha = feasible_alpha(np.random.default_rng(seed), problem)
    proof = problem.certificate(alpha)
    assert proof.primal == pytest.approx(problem.primal(proof.W, proof.b), rel=1e-9)
    assert proof.dual == pytest.approx(problem.dual(alpha), rel=1e-9, abs=1e-12)
    assert proof.dual <= proof.primal + 1e-12 * abs(proof.primal)
    decision = np.tensordot(problem.X, proof.W) + proof.b
    np.testing.assert_allclose(proof.decision, decision, atol=1e-9)


@given(problems())
def test_the_four_kkt_conditions_hold_at_the_solution(problem):
    proof = solved(problem, 1e-8)
    slack = np.maximum(1 - problem.y * proof.decision, 0.0)
    alpha, C, tau = proof.alpha, problem.C, problem.tau
    rounding = 1e-11 * abs(proof.primal)
    # 1, 2: primal and dual feasibility
    assert slack.min() >= 0
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(problem.y @ alpha) <= 1e-12 * alpha.sum()
    # The gap is a sum of non-negative terms, so each of them is below it.
    # 3: stationarity, Omega in the subdifferential of 1/2 ||W||^2 + tau ||W||_* (Fenchel-Young)
    Omega = problem.omega(alpha)
    shrunk = np.maximum(np.linalg.svd(Omega, compute_uv=False) - tau, 0.0)
    sigma = proof.singular_values
    young = (
        0.5 * sigma @ sigma + tau * sigma.sum() + 0.5 * shrunk @ shrunk - np.sum(proof.W * Omega)
    )
    assert -rounding <= young <= proof.gap + rounding
    # 4: complementarity, sample by sample
    complementary = C * slack - alpha * (1 - problem.y * proof.decision)
    assert complementary.min() >= -rounding
    assert complementary.max() <= proof.gap + rounding


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@pytest.mark.parametrize("tau", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_cvxpy_finds_the_same_matrix(C, tau, kind):
    data = random_problem(3, n=20, shape=(4, 5), C=C, tau=tau)
    problem = kind(data.X, data.y, C, tau)
    proof = solved(problem, 1e-9)
    W = cvxpy_solution(problem)
    gap_cvx = problem.duality_gap(W, problem.best_intercept(W), proof.alpha)
    assert gap_cvx >= -1e-9 * proof.primal
    bound = apart(proof, proof.gap, gap_cvx)
    assert np.linalg.norm(proof.W - W) <= bound
    assert bound <= 2e-2 * max(np.linalg.norm(W), 1e-2)  # so it says something


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@pytest.mark.parametrize("s", [1e-6, 255.0])
def test_scaling_law(s, kind):
    # W(s X; C / s^2, tau / s) = W(X; C, tau) / s, exactly; the gaps bound what is computed.
    data = random_problem(4)
    problem = kind(data.X, data.y, data.C, data.tau)
    scaled = kind(s * data.X, data.y, data.C / s**2, data.tau / s)
    one, two = solved(problem, 1e-9), solved(scaled, 1e-9)
    assert np.linalg.norm(one.W - s * two.W) <= one.radius + s * two.radius
    assert one.radius <= 1e-3 * np.linalg.norm(one.W)
    assert two.primal * s**2 == pytest.approx(one.primal, rel=2e-9)
    assert s * scaled.tau_max() == pytest.approx(problem.tau_max(), rel=2e-6)


@pytest.mark.parametrize("offset", [1.0, 1e3, 1e6])
def test_an_offset_of_all_samples_moves_the_intercept_alone(offset):
    problem = random_problem(4, C=1e3)
    moved = SMMProblem(problem.X + offset, problem.y, problem.C, problem.tau)
    one, two = solved(problem, 1e-7), solved(moved, 1e-7)
    assert one.within(1e-7)
    assert two.within(1e-7)
    # The samples themselves are rounded by eps times the offset, which moves a margin by as much.
    rounding = np.sqrt(2 * one.alpha.sum() * 1e-15 * offset * np.abs(one.W).sum())
    assert np.linalg.norm(one.W - two.W) <= one.radius + two.radius + rounding
    W_moved = offset * two.W.sum()
    np.testing.assert_allclose(one.b, two.b + W_moved, atol=1e-2 + 1e-14 * abs(W_moved))


def test_nobody_changes_a_problem_through_its_labels():
    """Samples are not copied, which the docstring says."""
    problem = random_problem(4)
    y = problem.y.copy()
    mine = SMMProblem(problem.X, y, problem.C, problem.tau)
    before = solved(mine, 1e-6)
    y *= -1
    after = solved(mine, 1e-6)
    np.testing.assert_array_equal(after.W, before.W)
    assert after.b == before.b


def test_other_labels_share_the_samples_and_their_gram_matrix():
    problem = random_problem(5)
    other = problem.with_labels(-problem.y)
    assert other.gram is problem.gram
    one, two = solved(problem, 1e-9), solved(other, 1e-9)
    assert np.linalg.norm(one.W + two.W) <= one.radius + two.radius
    with pytest.raises(ValueError, match=r"y must have shape \(24,\), one label per sample"):
        problem.with_labels(problem.y[1:])


@pytest.mark.parametrize("method", ["primal", "duality_gap", "best_intercept", "centred_scores"])
def test_a_matrix_of_another_shape_is_refused(method):
    problem = random_problem(5)
    more = {"primal": [0.0], "duality_gap": [0.0, problem.y]}.get(method, [])
    with pytest.raises(ValueError, match=r"W must have shape \(5, 4\), got \(4, 5\)"):
        getattr(problem, method)(np.zeros((4, 5)), *more)


def test_tau_max_is_zero_where_the_smaller_class_lies_in_the_hull_of_the_other():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(300) < 20, 1.0, -1.0)
    problem = SMMProblem(rng.standard_normal((300, 4, 4)), y, 1.0, 1e-6)
    low, high = problem.tau_max_bounds()
    assert low == 0
    assert high <= 1e-9 * np.abs(problem.X).sum()
    # Then no W beats 0, whatever C and tau are.
    proof = solved(problem.with_weights(C=10.0), 1e-9)
    assert proof.rank == 0
    assert proof.primal == pytest.approx(2 * 10.0 * 20)


def test_the_rank_does_not_count_rounding():
    # X_i = u_i v' with one v: every W of the machine has rank 1.
    rng = np.random.default_rng(0)
    v = rng.standard_normal(6)
    X = 1e3 * rng.standard_normal((40, 8, 1)) * v
    y = np.where(X[:, 0, 0] + 300 * rng.standard_normal(40) > 0, 1.0, -1.0)
    for tau in (0.0, 1e-14, 1e-3):
        assert solved(SMMProblem(X, y, 1.0, tau), 1e-6).rank == 1


def test_tau_max_is_the_upper_one_of_its_bounds_and_says_how_far_it_got():
    problem = random_problem(0, n=30, C=0.7, unequal=True)
    low, high = problem.tau_max_bounds(1e-6)
    assert low <= high <= low * (1 + 1e-6)
    assert problem.tau_max() == high
    with pytest.warns(RuntimeWarning, match="tol=1e-16 was not reached"):
        low, high = problem.tau_max_bounds(1e-16)
    assert low <= high <= low * (1 + 1e-9)
    with pytest.raises(ValueError, match="tol must be positive, got 0"):
        problem.tau_max(0)


def test_other_weights_share_the_data_and_its_gram_matrix():
    problem = random_problem(5)
    other = problem.with_weights(tau=3.0)
    assert other.gram is problem.gram
    assert other.X is problem.X
    assert (other.C, other.tau, problem.tau) == (problem.C, 3.0, 0.5)


def test_the_linear_solution_is_kept_for_other_tau_and_not_for_other_C_or_labels():
    problem = random_problem(5)
    alpha = problem.with_weights(tau=3.0).linear_alpha()
    expected = solved(problem.with_weights(tau=0.0), 1e-9)
    assert problem.dual(alpha) > -np.inf
    W = problem.omega(alpha)
    # P - D of alpha bounds the distance, and W = Omega(alpha) at tau = 0.
    proof = problem.with_weights(tau=0.0).certificate(alpha)
    assert proof.within(1e-9)
    assert np.linalg.norm(W - expected.W) <= proof.radius + expected.radius
    assert problem.with_weights(tau=0.1).linear_alpha() is alpha
    other = problem.with_weights(C=0.5 * problem.C).linear_alpha()
    assert other.max() <= 0.5 * problem.C
    assert problem.with_labels(-problem.y).linear_alpha() is not problem.linear_alpha()


def test_a_gap_that_rounding_makes_negative_is_zero():
    proof = replace(solved(random_problem(7)), primal=1.0, dual=1.0 + 2e-16)
    assert proof.dual > proof.primal
    assert (proof.gap, proof.relative_gap, proof.radius) == (0.0, 0.0, 0.0)
    assert proof.within(0.0)
    assert np.isnan(replace(proof, dual=np.nan).gap)


@pytest.mark.parametrize(
    "dual",
    [
        random_problem(0).dual,
        LSSMMProblem(random_problem(0).X, random_problem(0).y, 1.0, 1.0).dual,
        GLMProblem(random_problem(0).X, random_problem(0).y, 1.0).dual,
        random_problem(0).omega,
        random_problem(0).balance,
        random_problem(0).certificate,
        RegularizedLS(np.ones((24, 2)), np.ones(24), WeightedNorm(Lp(1), 1.0)).dual,
    ],
)
@pytest.mark.parametrize("shape", [(23,), (24, 1), ()])
def test_a_dual_point_of_another_length_is_refused(dual, shape):
    with pytest.raises(ValueError, match=r"must have shape \(24,\), one entry per sample, got \("):
        dual(np.zeros(shape))


@pytest.mark.parametrize("unequal", [False, True])
def test_tau_bound_is_tau_max_for_equal_classes_and_above_it_for_others(unequal):
    problem = random_problem(3, n=30, unequal=unequal)
    problem = problem.with_labels(np.where(np.arange(30) < (7 if unequal else 15), 1.0, -1.0))
    low, high = problem.tau_max_bounds()
    if unequal:
        assert problem.tau_bound() > 1.01 * high
    else:
        assert problem.tau_bound() == pytest.approx(low, rel=1e-12)
    at_bound = problem.with_weights(tau=problem.tau_bound() * (1 + 1e-9))
    assert solved(at_bound).rank == 0


def test_a_certificate_can_be_sent_to_another_process():
    proof = solved(random_problem(7))
    copy = pickle.loads(pickle.dumps(proof))
    np.testing.assert_array_equal(copy.W, proof.W)
    assert copy.gap == proof.gap


X, y = np.ones((4, 2, 3)), np.array([1.0, -1.0, 1.0, -1.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X[0], y, 1, 1), r"X must have shape \(n, p, q\) without zeros, got \(2, 3\)"),
        ((X[:, :0], y, 1, 1), r"without zeros, got \(4, 0, 3\)"),
        ((X * 1j, y, 1, 1), "X must be real, got complex numbers"),
        ((X, y * 1j, 1, 1), "y must be real, got complex numbers"),
        ((X, y[:3], 1, 1), r"y must have shape \(4,\), one label per sample, got \(3,\)"),
        ((X * np.nan, y, 1, 1), "X must be finite, got NaN or infinity"),
        ((X * 1e150, y, 1, 1), "largest entry between 1e-100 and 1e100, got 1.0e[+]150: rescale"),
        ((X, y + 1, 1, 1), r"y must hold both -1 and \+1, got \[0.0, 2.0\]"),
        ((X, np.ones(4), 1, 1), r"y must hold both -1 and \+1, got \[1.0\]"),
        ((X, y, 0, 1), "C must be positive and finite, got 0"),
        ((X, y, np.inf, 1), "C must be positive and finite, got inf"),
        ((X, y, "1", 1), "C must be positive and finite, got '1'"),
        ((X, y, 1, -1.0), "tau must be at least 0 and finite, got -1.0"),
        ((X, y, 1e-200, 1), "C must lie between 1e-150 and 1e150, .* got 1.0e-200: rescale X"),
        ((X, y, 1, 1e200), r"tau must lie between 1e-150 and 1e150, .* got 1.0e[+]200: rescale X"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SMMProblem(*arguments)
    if arguments[0] is X and arguments[1] is y:
        with pytest.raises(ValueError, match=message):
            SMMProblem(X, y, 1, 1).with_weights(C=arguments[2], tau=arguments[3])


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_tau_max_of_equal_samples_is_zero(value):
    low, high = SMMProblem(
        np.full((20, 3, 4), value), np.r_[np.ones(3), -np.ones(17)], 1, 1
    ).tau_max_bounds()
    assert low == 0
    assert high <= 1e-12


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_spread_is_the_root_mean_square_distance_from_the_mean(offset):
    X = np.random.default_rng(0).standard_normal((20, 3, 4))
    squares = ((X - X.mean(axis=0)) ** 2).sum(axis=(1, 2))
    spread = SMMProblem(X + offset, np.repeat([-1, 1], 10), 1.0, 0.0).spread
    assert spread == pytest.approx(np.sqrt(squares.mean()), rel=1e-9)
