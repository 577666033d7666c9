"""Sugiyama's chapter 24: each solver against CVXPY, scikit-learn, and what the chapter says."""

from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore.datasets import make_sinc, make_steps
from smmcore.solvers import proximal_gradient, solve_to_gap
from smmcore.sugiyama.penalties import L12, Ball, ElasticBall, Lp, TraceNorm, WeightedNorm
from smmcore.sugiyama.regression import RegularizedLS, Splitting, differences, gaussian_design
from smmcore.sugiyama.splitting import balanced_admm, split_admm
from tests.smmcore.conftest import peak

N, B = 15, 12
GROUPS = (0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 0)


def problem(name, seed=0, n=N):
    rng = np.random.default_rng(seed)
    Phi = rng.standard_normal((n, B))
    y = Phi @ np.repeat([1.0, 0, -1], 4) + 0.5 * rng.standard_normal(n)
    return RegularizedLS(Phi, y, *FORMS[name])


DIFFERENCES = differences(B)
SPARSE = np.vstack([np.eye(B), 2 * DIFFERENCES])
FORMS = {  # penalty, F, eta
    "l1": (WeightedNorm(Lp(1), 2.0), None, 0.0),
    "l1 ball": (Ball(Lp(1), 3.0), None, 0.0),
    "l2": (WeightedNorm(Lp(1), 0.0), None, 1.5),
    "l1 + l2": (WeightedNorm(Lp(1), 2.0), None, 1.5),
    "l1 + l2 ball": (ElasticBall(0.4, 3.0), None, 0.0),
    "l1,2": (WeightedNorm(L12(GROUPS), 3.0), None, 0.0),
    "l1,2 ball": (Ball(L12(GROUPS), 3.0), None, 0.0),
    "trace": (WeightedNorm(TraceNorm((3, 4)), 3.0), None, 0.0),
    "trace ball": (Ball(TraceNorm((3, 4)), 2.5), None, 0.0),
    "spectral elastic net": (WeightedNorm(TraceNorm((3, 4)), 3.0), None, 0.5),
    "fused": (WeightedNorm(Lp(1), 2.0), DIFFERENCES, 0.0),
    "fused ball": (Ball(Lp(1), 1.5), DIFFERENCES, 0.0),
    "fused + l2": (WeightedNorm(Lp(1), 2.0), DIFFERENCES, 0.7),
    "sparse fused": (WeightedNorm(Lp(1), 1.0), SPARSE, 0.0),
    "sparse fused ball": (Ball(Lp(1), 6.0), SPARSE, 0.0),
}
DIRECT = [name for name, (_, F, _) in FORMS.items() if F is None]


def cvxpy_norm(norm, z):
    if isinstance(norm, L12):
        return sum(cp.norm(z[np.flatnonzero(np.equal(GROUPS, g))]) for g in range(4))
    return cp.norm1(z) if norm == Lp(1) else cp.normNuc(cp.reshape(z, (3, 4), order="C"))


@cache
def cvxpy_theta(name, n):
    prob = problem(name, n=n)
    penalty, theta = prob.penalty, cp.Variable(B)
    z = theta if prob.F is None else prob.F @ theta
    objective = 0.5 * cp.sum_squares(prob.y - prob.Phi @ theta) + prob.eta * cp.sum_squares(theta)
    outside = cp.Constant(0.0)
    if isinstance(penalty, WeightedNorm):
        objective += penalty.lam * cvxpy_norm(penalty.norm, z)
    elif isinstance(penalty, Ball):
        outside = cvxpy_norm(penalty.norm, z) - penalty.radius
    else:
        both = (1 - penalty.tau) * cp.norm1(z) + penalty.tau * cp.sum_squares(z)
        outside = both - penalty.bound
    cp.Problem(cp.Minimize(objective), [outside <= 0]).solve(solver=cp.CLARABEL)
    return theta.value


SOLVERS = {
    "the book's ADMM": lambda prob: split_admm(prob.split()),
    "balanced ADMM": balanced_admm,
    "proximal gradient": lambda prob: proximal_gradient(prob, accelerated=False),
    "accelerated": proximal_gradient,
}
CASES = [
    (name, solver) for name in FORMS for solver in SOLVERS if "ADMM" in solver or name in DIRECT
]


@pytest.mark.parametrize(("name", "solver"), CASES)
@pytest.mark.parametrize("n", [N, 8])
def test_the_solution_is_that_of_cvxpy(name, solver, n):
    prob = problem(name, n=n)
    proof, _ = solve_to_gap(prob, SOLVERS[solver](prob), 1e-9, 20_000)
    assert proof.within(1e-9)
    theirs = cvxpy_theta(name, n)
    if not isinstance(prob.penalty, WeightedNorm):
        # An interior point method's solution may lie outside by its tolerance.
        theirs = theirs * (1 - 1e-6)
        assert prob.penalty.contains(theirs if prob.F is None else prob.F @ theirs)
    gap = prob.primal(theirs) - proof.dual
    assert gap >= -1e-12 * proof.at_zero  # ours is a lower bound
    assert gap <= 1e-4 * proof.at_zero
    # 1/2 ||Phi (theta - theta*)||^2 + eta ||theta - theta*||^2 <= gap for either of the two.
    apart = proof.theta - theirs
    distance = np.sqrt(np.sum((prob.Phi @ apart) ** 2) + 2 * prob.eta * apart @ apart)
    rounding = 1e-14 * proof.at_zero
    assert distance <= sum(np.sqrt(2 * (max(g, 0) + rounding)) for g in (gap, proof.gap))


@pytest.mark.parametrize("name", DIRECT)
@given(st.integers(0, 2**32 - 1))
def test_weak_duality_on_random_points(name, seed):
    prob = problem(name, seed % 100)
    rng = np.random.default_rng(seed)
    theta, r = rng.standard_normal(B), rng.standard_normal(N)
    theta *= 1 if isinstance(prob.penalty, WeightedNorm) else min(1, prob.penalty.reach(theta))
    s = prob.Phi.T @ r
    r *= 1 if prob.eta else prob.penalty.share(s)
    assert np.isfinite(prob.dual(r))
    assert prob.dual(r) <= prob.primal(theta) * (1 + 1e-12)


def test_the_gap_of_the_lasso_by_hand():
    prob = problem("l1")
    state = list(islice(split_admm(prob.split()), 20))[-1]
    proof = state.certificate(prob)
    r = prob.y - prob.Phi @ state.z
    P = 0.5 * r @ r + 2 * np.abs(state.z).sum()
    r = r * min(1, 2 / np.abs(prob.Phi.T @ r).max())
    D = 0.5 * prob.y @ prob.y - 0.5 * np.sum((prob.y - r) ** 2)
    assert proof.primal == pytest.approx(P, rel=1e-14)
    assert proof.dual == pytest.approx(D, rel=1e-13)
    np.testing.assert_allclose(proof.dual_point, r)
    np.testing.assert_allclose(proof.fitted, prob.Phi @ proof.theta)


@pytest.mark.parametrize("name", FORMS)
def test_at_the_solution_nothing_moves(name):
    prob = problem(name)
    *_, state = islice(balanced_admm(prob), 500)  # after 306 all forms move by less than 1e-13
    again = next(split_admm(prob.split(state.rho), start=state))
    for before, after in ((state.theta, again.theta), (state.z, again.z), (state.u, again.u)):
        np.testing.assert_allclose(before, after, atol=1e-9)
    z = state.theta if prob.F is None else prob.F @ state.theta
    np.testing.assert_allclose(z, state.z, atol=1e-8)
    # u is a subgradient of g at z: Fenchel and Young with equality.
    g, conjugate = prob.penalty.value(state.z), prob.penalty.conjugate(state.u)
    assert state.u @ state.z == pytest.approx(g + conjugate, rel=1e-7, abs=1e-8)
    if prob.F is None:
        L = prob.curvature
        step = prob.penalty.prox(state.z - prob.gradient(state.z) / L, 1 / L)
        np.testing.assert_allclose(step, state.z, atol=1e-8)


def test_balancing_changes_rho_only_at_powers_of_two_and_serves_any_units():
    prob = problem("l1", 3)
    states = list(islice(balanced_admm(prob), 40))
    changed = [b.k for a, b in pairwise(states) if a.rho != b.rho]
    assert set(changed) <= {5, 9, 17, 33}
    iterations = []
    for s in (1e-3, 1.0, 1e3):
        scaled = RegularizedLS(s * prob.Phi, prob.y, WeightedNorm(Lp(1), 2.0 * s))
        iterations.append(solve_to_gap(scaled, balanced_admm(scaled), 1e-8, 5000)[1].k)
    assert max(iterations) - min(iterations) <= 2
    book = RegularizedLS(30 * prob.Phi, prob.y, WeightedNorm(Lp(1), 60.0))
    assert not solve_to_gap(book, split_admm(book.split()), 1e-8, 10 * max(iterations))[0].within(
        1e-8
    )


def test_admm_solves_its_general_form():
    # min 1/2 ||theta - a||^2 + 1/2 ||z - d||^2 over A theta + B z = c, whose KKT system is linear.
    rng = np.random.default_rng(0)
    A, B_, c = rng.standard_normal((3, 4)), rng.standard_normal((3, 5)), rng.standard_normal(3)
    a, d = rng.standard_normal(4), rng.standard_normal(5)
    split = Splitting(
        A=A,
        B=B_,
        c=c,
        rho=1.0,
        best_theta=lambda z, u: np.linalg.solve(np.eye(4) + A.T @ A, a - A.T @ (u + B_ @ z - c)),
        best_z=lambda theta, u: np.linalg.solve(
            np.eye(5) + B_.T @ B_, d - B_.T @ (u + A @ theta - c)
        ),
    )
    *_, state = islice(split_admm(split), 2000)
    u = np.linalg.solve(A @ A.T + B_ @ B_.T, A @ a + B_ @ d - c)
    np.testing.assert_allclose(state.u, u, atol=1e-10)
    np.testing.assert_allclose(state.theta, a - A.T @ u, atol=1e-10)
    np.testing.assert_allclose(state.z, d - B_.T @ u, atol=1e-10)
    assert state.primal_residual <= 1e-10
    assert state.dual_residual <= 1e-10


@pytest.mark.parametrize("norm", [Lp(1), L12(tuple(range(3000)))])
def test_many_features_need_no_square_of_them(norm):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 3000))
    y = X[:, :3].sum(axis=1)
    prob = RegularizedLS(X, y, WeightedNorm(norm, 20.0))
    ends = []
    allocated = peak(lambda: ends.append(solve_to_gap(prob, balanced_admm(prob), 1e-6, 10_000)))
    assert allocated < 50 * X.nbytes
    ((proof, _),) = ends
    assert proof.within(1e-6)


# What the chapter says


def listing(K, y, threshold):
    """Fig. 24.4, line for line."""
    n = len(y)
    ky, A, t0 = K @ y, np.linalg.inv(K @ K + np.eye(n)), np.zeros(n)
    z = u = t0
    for _ in range(1000):
        t = A @ (ky + z - u)
        z = np.maximum(0, t + u - threshold) + np.minimum(0, t + u + threshold)
        u = u + t - z
        if np.linalg.norm(t - t0) < 0.0001:
            break
        t0 = t
    return t, z


@pytest.mark.parametrize(("threshold", "fewest", "most"), [(0.1, 31, 40), (1.0, 41, 44)])
def test_38_of_50_zeros_come_from_the_threshold_that_is_defined_not_from_the_one_that_is_used(
    threshold, fewest, most
):
    counts = []
    for seed in range(50):
        x, y, _ = make_sinc(50, 0.2, seed)
        K = gaussian_design(x, x, 0.3)
        t, z = listing(K, y, threshold)
        counts.append(np.count_nonzero(np.abs(t) < 0.001))
        if seed < 3:
            prob = RegularizedLS(K, y, WeightedNorm(Lp(1), threshold))
            for state in islice(split_admm(prob.split()), 1000):
                if state.change < 0.0001:
                    break
            np.testing.assert_allclose(state.theta, t, atol=1e-9)
            np.testing.assert_allclose(state.z, z, atol=1e-9)
            ridge = RegularizedLS(K, y, WeightedNorm(Lp(1), 0.0), eta=threshold / 2)
            theta = solve_to_gap(ridge, balanced_admm(ridge), 1e-10, 5000)[0].theta
            assert np.count_nonzero(theta) == 50
    assert (min(counts), max(counts)) == (fewest, most)
    assert (38 in counts) == (threshold == 0.1)


def test_total_variation_finds_the_steps():
    _, y, truth = make_steps(120, 4, 0.2, 0)
    prob = RegularizedLS(np.eye(120), y, WeightedNorm(Lp(1), 1.5), differences(120))
    proof, state = solve_to_gap(prob, balanced_admm(prob), 1e-8, 5000)
    assert np.linalg.norm(proof.theta - truth) < 0.6 * np.linalg.norm(y - truth)
    jumps, found = np.flatnonzero(np.diff(truth)), np.flatnonzero(state.z)
    assert len(found) < 20
    assert all(np.abs(found - jump).min() <= 1 for jump in jumps)
    np.testing.assert_allclose(np.diff(proof.theta), state.z, atol=1e-12)
    # From lam_max on the signal is its mean.
    top = prob.lam_max(Lp(1))
    for lam, flat in ((1.001 * top, True), (0.99 * top, False)):
        near = prob.with_penalty(WeightedNorm(Lp(1), lam))
        theta = solve_to_gap(near, balanced_admm(near), 1e-9, 20_000)[0].theta
        assert (np.ptp(theta) < 1e-8) == flat
        assert not flat or theta[0] == pytest.approx(y.mean())


def test_a_fused_fit_without_an_error_or_a_penalty_is_found_at_once():
    Phi = np.random.default_rng(0).standard_normal((40, 9))
    prob = RegularizedLS(Phi, Phi.sum(axis=1), WeightedNorm(Lp(1), 1.0), differences(9))
    proof, state = solve_to_gap(prob, balanced_admm(prob), 1e-6, 10_000)
    np.testing.assert_allclose(proof.theta, 1)
    assert state.k <= 2


@pytest.mark.parametrize("penalty", [WeightedNorm(Lp(1), 1.5), Ball(Lp(1), 4.0)])
def test_an_offset_of_a_signal_is_no_part_of_the_gap_and_hides_nothing(penalty):
    _, y, _ = make_steps(80, 4, 0.2, 0)
    near, far = (
        RegularizedLS(np.eye(80), y + offset, penalty, differences(80)) for offset in (0, 1e3)
    )
    one, two = (solve_to_gap(p, balanced_admm(p), 1e-8, 5000)[0] for p in (near, far))
    assert one.at_zero == pytest.approx(two.at_zero, rel=1e-9)
    assert two.within(1e-8)
    assert two.dual <= two.primal + 1e-9 * two.at_zero
    apart = np.linalg.norm(one.theta + 1e3 - two.theta)
    assert apart <= 2 * np.sqrt(2 * 1e-8 * two.at_zero)


@pytest.mark.parametrize("norm", [Lp(1), L12(GROUPS), TraceNorm((3, 4))])
def test_lam_max_is_where_the_solution_leaves_zero(norm):
    prob = problem("l1")
    top = prob.lam_max(norm)
    for lam, nothing in ((1.001 * top, True), (0.99 * top, False)):
        near = prob.with_penalty(WeightedNorm(norm, lam))
        assert (
            not solve_to_gap(near, proximal_gradient(near), 1e-9, 5000)[0].theta.any()
        ) == nothing


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Phi": np.ones(3)}, r"Phi must have shape \(n, b\) without zeros, got \(3,\)"),
        ({"y": np.ones(3)}, r"y must have shape \(15,\), got \(3,\)"),
        ({"y": np.full(N, np.nan)}, "Phi and y must be finite"),
        ({"y": np.ones(N) * 1j}, "y must be real, got complex numbers"),
        ({"eta": -1.0}, "eta must be at least 0 and finite, got -1.0"),
        ({"F": np.ones((2, 3))}, r"F must be finite with 12 columns, .*, got \(2, 3\)"),
        ({"penalty": WeightedNorm(L12((0, 0, 1)), 1.0)}, r"x must have 3 entries .*\(12,\)"),
    ],
)
def test_a_problem_that_is_none_is_named(options, message):
    prob = problem("l1")
    arguments = {"Phi": prob.Phi, "y": prob.y, "penalty": prob.penalty} | options
    with pytest.raises(ValueError, match=message):
        RegularizedLS(**arguments)


def test_what_a_solver_cannot_take_is_named():
    prob = problem("fused")
    with pytest.raises(ValueError, match="proximal_gradient needs a problem without F: use split"):
        proximal_gradient(prob)
    with pytest.raises(ValueError, match="dual needs a problem without F: use certificate"):
        prob.dual(prob.y)
    with pytest.raises(ValueError, match="rho must be positive and finite, got 0"):
        prob.split(0.0)
    blind = replace(prob, Phi=prob.Phi - prob.Phi.mean(axis=1, keepdims=True))
    with pytest.raises(ValueError, match="Phi and F both map some theta to 0: eta must be above 0"):
        blind.split()
    with pytest.raises(ValueError, match="x must have 3 entries in its last axis, got shape"):
        prob.with_penalty(WeightedNorm(L12((0, 0, 1)), 1.0))
    with pytest.raises(ValueError, match="h must be positive and finite, got 0"):
        gaussian_design([1.0], [1.0], 0.0)
