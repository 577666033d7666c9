from itertools import islice
from warnings import catch_warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge

from smmcore import LeastSquaresSMM
from smmcore.iterate import last
from smmcore.problems import SMMProblem
from smmcore.solvers import admm, solve_to_gap
from smmcore.xia_fan.bilevel import bilevel
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.smmcore.conftest import apart, random_problem, reweighted, solved


def ls_problem(seed, **options):
    return reweighted(random_problem(seed, **options), None, LSSMMProblem)


# The problem and its certificate


@pytest.mark.parametrize(("n", "shape"), [(12, (5, 4)), (60, (5, 4)), (20, (5, 4))])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_tau_zero_is_ridge_regression_on_the_labels_and_the_ls_svm(n, shape, C):
    problem = ls_problem(1, n=n, shape=shape, C=C, tau=0.0)
    proof, Z, y = solved(problem, 1e-11), problem.X.reshape(n, -1), problem.y
    ridge = Ridge(alpha=1 / C).fit(Z, y)
    gap = problem.duality_gap(ridge.coef_.reshape(shape), ridge.intercept_, proof.alpha)
    assert np.linalg.norm(proof.W.ravel() - ridge.coef_) <= apart(proof, proof.gap, gap)
    # Suykens' system: y @ alpha = 0 and (y_i y_j <X_i, X_j> + I / C) alpha + b y = 1.
    H = np.outer(y, y) * (Z @ Z.T) + np.eye(n) / C
    system = np.block([[np.zeros((1, 1)), y[None]], [y[:, None], H]])
    b, *alpha = np.linalg.solve(system, np.append(0.0, np.ones(n)))
    # -D is strongly convex with 1 / C, and the gap bounds how far D is below its maximum.
    far = np.sqrt(2 * C * max(proof.gap, 0) + 1e-13 * (C + 1) * proof.primal)
    assert np.linalg.norm(proof.alpha - alpha) <= far
    assert proof.b == pytest.approx(b, abs=1e-4)


def test_no_matrix_of_the_larger_side_is_ever_formed():
    rng = np.random.default_rng(0)
    wide = LeastSquaresSMM().fit(rng.standard_normal((6, 2, 50_000)), [0, 1] * 3)  # 80 GB, else
    assert wide.dual_gap_ <= 1e-6 * wide.objective_
    tall = LSSMMProblem(rng.standard_normal((3000, 2, 2)), np.tile([1, -1], 1500), 1.0, 1.0)
    assert solved(tall, 1e-6).gap <= 1e-6 * tall.primal(np.zeros((2, 2)), 0.0)
    assert "whole_gram" not in vars(tall._samples)


# Algorithm 1


def equation_13(problem, rho):
    """The W-step with the (pq + 1) x (pq + 1) matrix of the paper, as (S, Lambda) -> (W, b)."""
    n, p, q = problem.shape
    M = np.column_stack([problem.X.reshape(n, -1), np.ones(n)])
    N = np.diag(np.append(np.full(p * q, 1 + rho), 0.0))
    inverse = np.linalg.inv(N + problem.C * M.T @ M)  # not singular: their delta is not needed

    def step(S, Lambda):
        P = np.append((rho * S + Lambda).ravel(), 0.0)
        *w, b = inverse @ (P + problem.C * M.T @ problem.y)
        return np.reshape(w, (p, q)), b

    return step


def transcription(problem, rho):
    """Algorithm 1, step by step, with the sign of eq. 6 as it has to be."""
    W = S = Lambda = np.zeros(problem.shape[1:])
    solve = equation_13(problem, rho)
    while True:
        Lambda = Lambda - rho * (W - S)
        U, sigma, Vt = np.linalg.svd(rho * W - Lambda, full_matrices=False)
        S = (U * np.maximum(sigma - problem.tau, 0.0)) @ Vt / rho
        W, b = solve(S, Lambda)
        yield W, b, S, Lambda


@pytest.mark.parametrize("rho", [0.1, 1.1, 30.0])
@pytest.mark.parametrize("n", [12, 60])
def test_bilevel_is_algorithm_1_with_the_sign_of_eq_6_corrected(n, rho):
    problem = ls_problem(5, n=n, C=2.0)
    literal = transcription(problem, rho)
    for state, (W, b, S, Lambda) in zip(islice(bilevel(problem, rho=rho), 40), literal):  # noqa: B905
        np.testing.assert_allclose(state.W, W, atol=1e-10)
        np.testing.assert_allclose(state.S, S, atol=1e-10)
        np.testing.assert_allclose(state.Lambda, Lambda, atol=1e-10 * (1 + rho))
        assert state.b == pytest.approx(b, abs=1e-10)


@pytest.mark.parametrize("kind", [SMMProblem, LSSMMProblem])
def test_bp_smm_as_it_is_meant_has_the_fixed_points_of_admm(kind):
    data = random_problem(7, n=30, tau=1.0)
    problem, rho = kind(data.X, data.y, 1.0, 1.0), 2.0
    *_, end = islice(admm(problem, rho=rho), 1000)
    theirs = last(islice(bilevel(problem, rho=rho), 1000))
    proof, other = end.certificate(problem), theirs.certificate(problem)
    assert proof.within(1e-9)
    assert other.within(1e-9)
    assert np.linalg.norm(proof.W - other.W) <= apart(proof, proof.gap, other.gap)
    # Where ADMM rests, so do they: S, Lambda and W are kept by an iteration of theirs ...
    moved = next(bilevel(problem, rho=rho, start=end))
    # ... up to the last residuals, which a step multiplies by no more than rho + 1 / rho.
    slack = 3 * (rho + 1 / rho) * (end.primal_residual + end.dual_residual) + 1e-8
    for name in ("W", "S", "Lambda"):
        assert np.linalg.norm(getattr(moved, name) - getattr(end, name)) <= slack
    assert slack <= 1e-3


def test_their_answer_W_has_full_rank_and_S_that_of_the_solution():
    problem = ls_problem(9, tau=3.0)
    proof, state = solve_to_gap(problem, bilevel(problem, rho=1.1), 1e-9, 1000)
    full = min(problem.shape[1:])
    assert np.linalg.matrix_rank(state.W) == full
    assert np.linalg.matrix_rank(state.S) == proof.rank < full


# The estimator


def test_a_C_beyond_the_digits_of_a_float_gets_the_advice_to_take_a_smaller_one():
    problem = ls_problem(0, n=40, shape=(3, 4))
    assert LeastSquaresSMM(C=1e8).fit(problem.X, problem.y).n_iter_ <= 50
    with pytest.warns(ConvergenceWarning, match="or choose a smaller C"):
        LeastSquaresSMM(C=1e14, max_iter=50).fit(problem.X, problem.y)


@pytest.mark.parametrize("tau", [0.0, 1.0])
@pytest.mark.parametrize("scale", [1e8, 1e30])
def test_where_no_margin_has_a_digit_rounding_does_not_feed_on_itself(scale, tau):
    # It grew by a factor an iteration, to "SVD did not converge".
    data = random_problem(0)
    with (
        pytest.warns(ConvergenceWarning, match="or choose a smaller C"),
        catch_warnings(action="ignore", category=RuntimeWarning),  # W = 0, with tau = 1
    ):
        machine = LeastSquaresSMM(C=1e8, tau=tau, max_iter=300).fit(scale * data.X, data.y)
    assert np.isfinite(machine.coef_).all()
    assert machine.objective_ <= 1e8 / 2 * len(data.y)  # that of W = 0, b = 0
