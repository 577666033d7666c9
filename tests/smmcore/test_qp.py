import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore import qp


def programme(seed, n, d, C, twins=False, positive=None):
    """The dual of a linear SVM on n points in d dimensions, in u = y alpha: K of rank at most d."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, d))
    if twins:
        Z[n // 2 :] = Z[: n - n // 2]
    y = rng.permutation(np.where(np.arange(n) < (positive or n // 2), 1.0, -1.0))
    return Z @ Z.T, y, np.minimum(C * y, 0), np.maximum(C * y, 0), np.zeros(n)


def violation(K, linear, lower, upper, u, rounding=0.0):
    """The largest violation of the KKT conditions that is beyond the rounding of the gradient."""
    gradient = linear - K @ u
    rises, falls = (gradient - rounding)[u < upper], (gradient + rounding)[u > lower]
    return max(rises.max(initial=-np.inf) - falls.min(initial=np.inf), 0.0)


def assert_solved(K, linear, lower, upper, start, tolerance=1e-10):
    """Solve a programme; check the answer against its KKT conditions, and what is said of it."""
    solution = qp.maximise(K, linear, lower, upper, start, tolerance)
    u, norms = solution.u, np.sqrt(np.diag(K))
    rounding = 4 * np.finfo(float).eps * (np.abs(linear) + norms * (norms @ np.abs(u)))
    assert np.all((lower <= u) & (u <= upper))
    assert abs(u.sum()) <= 1e-12 * np.abs(u).sum()
    assert solution.settled
    assert violation(K, linear, lower, upper, u, rounding) <= 2 * tolerance
    # Two products with K differ in the last digits, by less than what is allowed.
    recomputed = violation(K, linear, lower, upper, u)
    assert solution.violation == pytest.approx(recomputed, abs=rounding.max() + 1e-15)
    return solution


def unequal(seed, n, d, decades, largest=0.0, **options):
    """A programme whose widths differ by so many decades, the widest 10^largest; 0: all equal."""
    K, y, *_ = programme(seed, n, d, 1.0, **options)
    widths = 10.0 ** (largest - np.random.default_rng(seed).uniform(0, decades, n))
    return K, y, np.minimum(widths * y, 0), np.maximum(widths * y, 0), np.zeros(n)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 60),
    st.integers(1, 70),
    st.sampled_from([0.0, 3.0, 6.0, 10.0]),
    st.floats(-3, 5),
    st.sampled_from([1.0, 1e3, 1e6]),
    st.integers(-3, 3),
    st.sampled_from(["none", "equal", "opposite"]),
    st.data(),
)
def test_any_boxes_and_scales_are_solved(seed, n, d, decades, largest, scale, unit, twins, data):
    rng = np.random.default_rng(seed)
    positive = data.draw(st.integers(1, n - 1))
    K, y, lower, upper, start = unequal(
        seed, n, d, decades, largest, twins=twins == "equal", positive=positive
    )
    if twins == "opposite":  # two copies of each sample, with opposite labels
        half = n - n // 2
        K, y = np.tile(K[:half, :half], (2, 2))[:n, :n], np.where(np.arange(n) < half, 1.0, -1.0)
        lower, upper = np.minimum(y * (upper - lower), 0), np.maximum(y * (upper - lower), 0)
    sizes = 10.0**unit * np.where(np.arange(n) == rng.integers(n), scale, 1.0)
    assert_solved(sizes[:, None] * K * sizes, y, lower, upper, start)


@pytest.mark.parametrize(("n", "d", "largest"), [(60, 60, 0), (60, 10, 5), (300, 20, 0)])
def test_boxes_of_any_widths_take_at_most_six_steps_an_index(n, d, largest):
    for decades in (0.0, 3.0, 6.0, 10.0):
        assert assert_solved(*unequal(1, n, d, decades, largest)).steps <= 6 * n


@pytest.mark.parametrize("d", [2, 30])
def test_the_value_is_that_of_cvxpy(d):
    K, linear, lower, upper, start = programme(0, 25, d, 2.0)
    u = qp.maximise(K, linear, lower, upper, start).u
    x = cp.Variable(25)
    root = np.linalg.cholesky(K + 1e-12 * np.eye(25)).T
    value = linear @ x - 0.5 * cp.sum_squares(root @ x)
    reference = cp.Problem(cp.Maximize(value), [x >= lower, x <= upper, cp.sum(x) == 0])
    reference.solve(solver=cp.CLARABEL)
    # Ours is within n C * (violation 1e-10) of the optimum, Clarabel within its 1e-8.
    ours = linear @ u - 0.5 * u @ K @ u
    assert ours == pytest.approx(reference.value, rel=1e-7)


def test_a_warm_start_ends_where_the_cold_one_ends():
    K, linear, lower, upper, start = programme(3, 40, 60, 1.0)
    cold = qp.maximise(K, linear, lower, upper, start).u
    near = qp.maximise(K, linear * 1.01, lower, upper, start).u
    warm = qp.maximise(K, linear, lower, upper, near).u
    # K is definite: strong convexity turns the violation into a distance.
    smallest = np.linalg.eigvalsh(K)[0]
    np.testing.assert_allclose(warm, cold, atol=2 * 40 * 1e-10 / smallest)


def test_fixed_indices_stay_and_the_constraint_keeps_its_value():
    K, linear, lower, upper, _ = programme(4, 20, 30, 1.0)
    fixed = upper > 0
    lower[fixed] = 1.0
    start = np.where(fixed, 1.0, -0.5)
    u = qp.maximise(K, linear, lower, upper, start, total=start.sum()).u
    np.testing.assert_array_equal(u[fixed], 1.0)
    assert u.sum() == pytest.approx(start.sum(), abs=1e-13)
    assert violation(K, linear, lower, upper, u) <= 1e-9


def test_where_nothing_can_move_the_start_is_the_answer():
    K, linear, lower, upper, _ = programme(4, 20, 30, 1.0)
    lower[upper > 0] = 1.0  # and the others would all have to rise
    start = np.where(upper > 0, 1.0, -1.0)
    solution = qp.maximise(K, linear, lower, upper, start, total=start.sum())
    np.testing.assert_array_equal(solution.u, start)
    assert np.isfinite(solution.offset)


@pytest.mark.parametrize("error", [1e-9, -1e-9])
def test_the_sum_is_the_wanted_one_whatever_rounding_the_start_brings(error):
    K, linear, lower, upper, _ = programme(7, 30, 5, 1e4)
    start = np.where(linear > 0, upper, lower)  # all at their bounds, none free
    start[0] -= error * start[0]
    u = qp.maximise(K, linear, lower, upper, start).u
    assert abs(u.sum()) <= 1e-13 * np.abs(u).sum()
    assert violation(K, linear, lower, upper, u) <= 1e-7


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_a_tolerance_of_zero_ends_at_rounding_level_and_soon(offset):
    # Of two equal samples both may be free, so K is singular on the free indices.
    for seed in range(8):
        K, y, lower, upper, start = programme(seed, 60, 20, 100.0, twins=True)
        solution = assert_solved(1e3 * K, y + offset, lower, upper, start, tolerance=0.0)
        assert solution.steps <= 5 * len(y)


def test_what_has_not_been_solved_is_said():
    arguments = programme(3, 40, 60, 1.0)
    solution = qp.maximise(*arguments, most=3)
    assert not solution.settled
    assert solution.steps == 3
    assert solution.violation == pytest.approx(violation(*arguments[:4], solution.u), rel=1e-9)
    assert solution.violation > 1e-6


def test_the_violation_bounds_what_the_value_is_short_of():
    K, linear, lower, upper, start = programme(3, 40, 60, 1.0)

    def value(u):
        return linear @ u - 0.5 * u @ K @ u

    best = value(qp.maximise(K, linear, lower, upper, start).u)
    for limit in range(8):
        solution = qp.maximise(K, linear, lower, upper, start, most=limit)
        bound = 0.5 * solution.violation * (upper - lower).sum()
        assert 0 <= best - value(solution.u) + 1e-12 <= bound + 2e-12


@pytest.mark.parametrize("twins", [False, True])
def test_samples_of_very_different_sizes_are_all_resolved(twins):
    # The steepest index answers the last digit of the flattest ones: none of them may spoil it.
    # At seeds 13 and 124 the next index is blocked until the free ones have converged.
    for seed in (*range(15), 124):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 40))
        K, y, lower, upper, start = programme(seed, n, n + 1, 10.0 ** rng.uniform(-3, 3), twins)
        sizes = 10.0 ** rng.uniform(-4, 4, n)
        assert_solved(sizes[:, None] * K * sizes, y, lower, upper, start)


def test_a_system_that_rounding_makes_indefinite_is_solved_with_a_ridge():
    H = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-12]])
    found = qp.solve_definite(H, np.full(2, 1e-14), np.array([1.0, 0.0]))
    # More than half of 1e-12 is needed, and 1e-14 is not. With 1e-12 the determinant is 1e-12.
    np.testing.assert_allclose(found, [1e12, -1e12], rtol=1e-3)
    with pytest.raises(np.linalg.LinAlgError, match="far from positive definite"):
        qp.solve_definite(np.diag([1.0, -1e10]), np.full(2, 1e-14), np.ones(2))
