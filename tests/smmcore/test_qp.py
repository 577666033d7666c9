import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore import qp


def programme(seed, n, d, C, twins=False, positive=None):
    """The dual of a linear SVM on n points in d dimensions: K of rank at most d."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, d))
    if twins:
        Z[n // 2 :] = Z[: n - n // 2]
    y = rng.permutation(np.where(np.arange(n) < (positive or n // 2), 1.0, -1.0))
    return (Z @ Z.T) * np.outer(y, y), np.ones(n), y, np.zeros(n), np.full(n, C), np.zeros(n)


def violation(K, linear, y, lower, upper, a):
    signed = y * (linear - K @ a)
    rises = np.where(y > 0, a < upper, a > lower)
    falls = np.where(y > 0, a > lower, a < upper)
    return max(signed[rises].max(initial=-np.inf) - signed[falls].min(initial=np.inf), 0.0)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 50),
    st.integers(1, 6),
    st.integers(-3, 3),
    st.integers(-5, 5),
    st.booleans(),
    st.data(),
)
def test_any_programme_is_solved_to_its_kkt_conditions(seed, n, d, log_C, log_unit, twins, data):
    positive = data.draw(st.integers(1, n - 1))
    K, linear, y, lower, upper, start = programme(seed, n, d, 10.0**log_C, twins, positive)
    K *= 10.0**log_unit
    a = qp.maximise(K, linear, y, lower, upper, start).alpha
    norms = np.sqrt(np.diag(K))
    rounding = 4 * np.finfo(float).eps * norms.max() * (norms @ a)
    assert a.min() >= 0
    assert a.max() <= upper[0]
    assert abs(y @ a) <= 1e-12 * a.sum()
    assert violation(K, linear, y, lower, upper, a) <= 2 * (1e-10 + rounding)


@pytest.mark.parametrize("d", [2, 30])
def test_the_value_is_that_of_cvxpy(d):
    K, linear, y, lower, upper, start = programme(0, 25, d, 2.0)
    a = qp.maximise(K, linear, y, lower, upper, start).alpha
    x = cp.Variable(25)
    root = np.linalg.cholesky(K + 1e-12 * np.eye(25)).T
    value = linear @ x - 0.5 * cp.sum_squares(root @ x)
    reference = cp.Problem(cp.Maximize(value), [x >= 0, x <= 2, y @ x == 0])
    reference.solve(solver=cp.CLARABEL)
    # Ours is within n C * (violation 1e-10) of the optimum, Clarabel within its 1e-8.
    ours = linear @ a - 0.5 * a @ K @ a
    assert ours == pytest.approx(reference.value, rel=1e-7)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("C", [1e-3, 1e3])
def test_two_and_three_samples(n, C):
    arguments = programme(1, n, 4, C, positive=1)
    a = qp.maximise(*arguments).alpha
    assert violation(*arguments[:5], a) <= 1e-9


def test_all_alpha_at_C_and_no_free_one():
    arguments = programme(2, 20, 3, 1e-6)
    a = qp.maximise(*arguments).alpha
    np.testing.assert_array_equal(a, 1e-6)


def test_a_warm_start_ends_where_the_cold_one_ends():
    K, linear, y, lower, upper, start = programme(3, 40, 60, 1.0)
    cold = qp.maximise(K, linear, y, lower, upper, start).alpha
    near = qp.maximise(K, linear * 1.01, y, lower, upper, start).alpha
    warm = qp.maximise(K, linear, y, lower, upper, near).alpha
    # K is definite: strong convexity turns the violation into a distance.
    smallest = np.linalg.eigvalsh(K)[0]
    np.testing.assert_allclose(warm, cold, atol=2 * 40 * 1e-10 / smallest)


def test_fixed_indices_stay_and_the_constraint_keeps_its_value():
    K, linear, y, lower, upper, _ = programme(4, 20, 30, 1.0)
    lower[y > 0] = 1.0
    start = np.where(y > 0, 1.0, 0.5)
    a = qp.maximise(K, linear, y, lower, upper, start).alpha
    np.testing.assert_array_equal(a[y > 0], 1.0)
    assert y @ a == pytest.approx(y @ start, abs=1e-13)
    assert violation(K, linear, y, lower, upper, a) <= 1e-9


def test_where_nothing_can_move_the_start_is_the_answer():
    K, linear, y, lower, upper, _ = programme(4, 20, 30, 1.0)
    lower[y > 0] = 1.0
    solution = qp.maximise(K, linear, y, lower, upper, np.ones(20))
    np.testing.assert_array_equal(solution.alpha, 1.0)
    assert np.isfinite(solution.offset)


def test_the_arguments_are_left_alone():
    arguments = programme(5, 20, 5, 1.0)
    copies = [np.copy(argument) for argument in arguments]
    qp.maximise(*arguments)
    for argument, copy in zip(arguments, copies, strict=True):
        np.testing.assert_array_equal(argument, copy)


def test_thousands_of_samples_with_a_singular_gram_matrix():
    arguments = programme(6, 2000, 20, 1.0)
    a = qp.maximise(*arguments).alpha
    assert violation(*arguments[:5], a) <= 1e-9


def test_one_sample_a_million_times_larger_does_not_drown_the_others():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((60, 10))
    Z[0] *= 1e6
    y = np.where(rng.random(60) > 0.5, 1.0, -1.0)
    arguments = (Z @ Z.T) * np.outer(y, y), np.ones(60), y, np.zeros(60), np.full(60, 1e3)
    a = qp.maximise(*arguments, np.zeros(60)).alpha
    norms = np.sqrt(np.diag(arguments[0]))
    rounding = 4 * np.finfo(float).eps * norms.max() * (norms @ a)
    assert violation(*arguments, a) <= 2 * (1e-10 + rounding)
