from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from smmcore import smm_path
from smmcore.path import tau_max, tau_max_bounds
from smmcore.problems import SMMProblem
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.rivals.glm import GLMProblem
from smmcore.solvers import fast_admm, solve_to_gap
from smmcore.sugiyama.penalties import Lp, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.smmcore.conftest import (
    objectives,
    problems,
    random_problem,
    random_weights,
    reweighted,
    seeds,
    solved,
    zero_from,
)


def feasible_alpha(rng, problem):
    """A dual feasible point, which may be negative where the loss is squared."""
    if isinstance(problem, LSSMMProblem):
        a = problem.sample_C * rng.standard_normal(len(problem.y))
        return problem.y * (a - a.mean())
    return problem.balance(rng.uniform(0, 1, len(problem.y)) * problem.sample_C)


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@pytest.mark.parametrize("decades", [0, 3])
@given(problem=problems(), seed=seeds)
def test_objectives_equal_a_slow_transcription_and_obey_weak_duality(kind, decades, problem, seed):
    rng = np.random.default_rng(seed)
    problem = reweighted(problem, random_weights(seed, len(problem.y), decades), kind)
    W, b = rng.standard_normal(problem.shape[1:]), rng.standard_normal()
    alpha = feasible_alpha(rng, problem)
    P, D = objectives(problem, W, b, alpha)
    size = alpha @ alpha if kind is LSSMMProblem else 0.0
    assert problem.primal(W, b) == pytest.approx(P, rel=1e-12)
    assert problem.dual(alpha) == pytest.approx(D, rel=1e-9, abs=1e-9 * size)
    gap = problem.primal(W, b) - problem.dual(alpha)
    assert problem.duality_gap(W, b, alpha) == gap
    assert gap >= -1e-12 * (problem.primal(W, b) + abs(problem.dual(alpha)) + np.abs(alpha).sum())


@given(problems(), seeds)
def test_other_objectives_equal_a_slow_transcription(problem, seed):
    rng = np.random.default_rng(seed)
    X, y, C, w = problem.X, problem.y, problem.C, random_weights(seed, len(problem.y), 3)
    W, b = rng.standard_normal(problem.shape[1:]), rng.standard_normal()
    margins = y * (np.tensordot(X, W) + b)
    bilinear = BilinearProblem(X, y, C, min(problem.shape[1:]), True, sample_weight=w)
    hinge = 0.5 * np.sum(W**2) + C * w @ np.maximum(1 - margins, 0)
    assert bilinear.primal(W, b) == pytest.approx(hinge, rel=1e-10)
    logistic = GLMProblem(X, y, 2.0, sample_weight=w)
    expected = 2.0 * np.linalg.norm(W, "nuc") + w @ np.logaddexp(0, -margins)
    assert logistic.primal(W, b) == pytest.approx(expected, rel=1e-10)
    assert logistic.dual(logistic.balance(1.01 * w)) == -np.inf


@pytest.mark.parametrize("weights", [np.ones(24), random_weights(0, 24, 3)])
def test_the_dual_is_minus_infinity_outside_its_domain(weights):
    hinge = reweighted(random_problem(0), weights)
    squares = reweighted(hinge, weights, LSSMMProblem)
    alpha, C = feasible_alpha(np.random.default_rng(0), hinge), hinge.sample_C
    assert np.isfinite(hinge.dual(alpha))
    unbalanced = alpha * np.linspace(0.5, 1, 24)
    outside = 1.01 * hinge.balance(C)
    for spoiled in (alpha - 1e-3 * C, outside, unbalanced):
        assert hinge.dual(spoiled) == -np.inf
    assert np.isfinite(squares.dual(outside))
    assert squares.dual(unbalanced) == -np.inf


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@given(problem=problems(), seed=seeds)
def test_any_feasible_alpha_has_a_valid_certificate(kind, problem, seed):
    problem = reweighted(problem, None, kind)
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
    assert s * zero_from(scaled) == pytest.approx(zero_from(problem), rel=2e-6)


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
@pytest.mark.parametrize("n", [12, 60])
@pytest.mark.parametrize("offset", [1.0, 1e3, 1e6])
def test_an_offset_of_all_samples_moves_the_intercept_alone(kind, n, offset):
    problem = reweighted(random_problem(4, n=n, C=1e3), None, kind)
    moved = replace(problem, X=problem.X + offset)
    one, two = solved(problem, 1e-7), solved(moved, 1e-7)
    # The samples themselves are rounded by eps times the offset, which moves a margin by as much.
    rounding = np.sqrt(2 * np.abs(one.alpha).sum() * 1e-15 * offset * np.abs(one.W).sum())
    assert np.linalg.norm(one.W - two.W) <= one.radius + two.radius + rounding
    assert one.primal == pytest.approx(two.primal, rel=1e-6)
    W_moved = offset * two.W.sum()
    np.testing.assert_allclose(one.b, two.b + W_moved, atol=1e-2 + 1e-14 * abs(W_moved))


def test_nobody_changes_a_problem_through_its_labels_or_weights():
    """Samples are not copied, which the docstring says."""
    problem = random_problem(4)
    y, weights = problem.y.copy(), np.ones(24)
    mine = SMMProblem(problem.X, y, 1.0, 0.5, sample_weight=weights)
    y *= -1
    weights *= 5.0
    np.testing.assert_array_equal(mine.y, problem.y)
    np.testing.assert_array_equal(mine.sample_weight, np.ones(24))


def test_other_labels_and_weights_share_the_samples_and_what_is_computed_of_them():
    problem = reweighted(random_problem(5), random_weights(0, 24))
    other, heavier = problem.with_labels(-problem.y), problem.with_weights(C=2.0, tau=3.0)
    for one in (other, heavier):
        assert one.gram is problem.gram
        assert one.X is problem.X
        np.testing.assert_array_equal(one.sample_weight, problem.sample_weight)
    assert (heavier.C, heavier.tau, problem.C, problem.tau) == (2.0, 3.0, 1.0, 0.5)
    one, two = solved(problem, 1e-9), solved(other, 1e-9)
    assert np.linalg.norm(one.W + two.W) <= one.radius + two.radius
    squared = reweighted(problem, None, LSSMMProblem)
    assert squared.with_labels(-problem.y).with_weights(C=2.0)._spectrum is squared._spectrum
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
    low, high = tau_max_bounds(problem)
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
    low, high = tau_max_bounds(problem, 1e-6)
    assert low <= high <= low * (1 + 1e-6)
    assert tau_max(problem) == high
    with pytest.warns(RuntimeWarning, match="tol=1e-16 was not reached"):
        low, high = tau_max_bounds(problem, 1e-16)
    assert low <= high <= low * (1 + 1e-7)
    with pytest.raises(ValueError, match="tol must be positive, got 0"):
        tau_max(problem, 0)


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
    low, high = tau_max_bounds(problem)
    if unequal:
        assert problem.tau_bound() > 1.01 * high
    else:
        assert problem.tau_bound() == pytest.approx(low, rel=1e-12)
    at_bound = problem.with_weights(tau=problem.tau_bound() * (1 + 1e-9))
    assert solved(at_bound).rank == 0


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


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_spread_is_the_root_mean_square_distance_from_the_mean(offset):
    X = np.random.default_rng(0).standard_normal((20, 3, 4))
    squares = ((X - X.mean(axis=0)) ** 2).sum(axis=(1, 2))
    spread = SMMProblem(X + offset, np.repeat([-1, 1], 10), 1.0, 0.0).spread
    assert spread == pytest.approx(np.sqrt(squares.mean()), rel=1e-9)


def test_problems_proofs_states_and_paths_are_written_in_one_line():
    problem = random_problem(0)
    proof, state = solve_to_gap(problem, fast_admm(problem, rho="auto"), 1e-6, 100)
    path = smm_path(problem.X, problem.y, n_taus=3)
    texts = [repr(each) for each in (problem, proof, state, path)]
    assert texts[0] == "SMMProblem(24 x 5 x 4, C=1, tau=0.5)"
    assert f"gap {proof.gap:.1e}, rank {proof.rank}, ||W - W*|| <= " in texts[1]
    assert texts[2] == f"ADMMState(k={state.k})"
    assert texts[3].startswith("SMMPath(3 solutions, tau ")
    assert all("array" not in text and "\n" not in text for text in texts)
