from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from smmcore import BilinearSVM, LinearSVM
from smmcore.problems import SMMProblem
from smmcore.rivals import interior
from smmcore.rivals.alternating import alternating_svm, svm_basis
from smmcore.rivals.bilinear import BilinearProblem
from smmcore.solvers import fast_admm
from smmcore.xia_fan.least_squares import LSSMMProblem
from tests.smmcore.conftest import orthonormal, random_problem, seeds


def bilinear(seed, rank=2, offset=False, C=1.0, **options):
    data = random_problem(seed, **options)
    return BilinearProblem(data.X, data.y, C, rank, offset)


def never_rising(problem, states):
    """The states, once it is known that their objective never rises."""
    states = list(states)
    values = np.array([problem.primal(state.W, state.b) for state in states])
    # Each QP is solved to 1e-10 in a margin, so a value is off by at most 2e-10 n C.
    slack = 4e-10 * len(problem.y) * problem.C + 1e-12 * values[0]
    assert (np.diff(values) <= slack).all()
    return states


@given(seeds, st.integers(1, 4), st.booleans(), st.sampled_from([0.01, 1.0, 100.0]))
def test_the_objective_never_rises_and_each_half_is_solved_to_its_dual_value(seed, rank, offset, C):
    problem = bilinear(seed, rank, offset, C)
    states = islice(
        alternating_svm(problem, start=orthonormal(np.random.default_rng(seed), 4, rank)), 20
    )
    for state in never_rising(problem, states):
        sigma = np.linalg.svd(state.W, compute_uv=False)
        assert np.count_nonzero(sigma > 1e-10 * max(sigma[0], 1e-300)) <= rank
        assert offset or state.b == 0
        value = problem.primal(state.W, state.b)
        # Of a QP: 1e-10 in a margin by the active set, 1e-9 of the value by the interior point.
        slack = 4e-10 * len(problem.y) * C + 1e-9 * value
        assert 0 <= value - state.half.value + 1e-11 * value <= slack


@given(seeds, st.booleans())
def test_the_end_is_stationary_in_either_factor(seed, offset):
    problem = bilinear(seed, 2, offset)
    for state in islice(alternating_svm(problem, start=svm_basis(problem)), 2000):
        proof = state.certificate(problem)
        if proof.within(1e-7):
            break
    assert proof.within(1e-7)
    # No step in one factor, the other kept, gains more than the gap.
    rng = np.random.default_rng(seed)
    U, _, Vt = np.linalg.svd(proof.W)
    for size in (1e-4, 1e-2, 1.0):
        left = proof.W + size * rng.standard_normal((5, 2)) @ Vt[:2]
        right = proof.W + size * U[:, :2] @ rng.standard_normal((2, 4))
        for W in (left, right):
            b = SMMProblem(problem.X, problem.y, 1.0, 0.0).best_intercept(W) if offset else 0.0
            assert problem.primal(W, b) >= proof.dual - 1e-11 * proof.primal


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_full_rank_is_the_linear_svm_without_an_offset(C):
    problem = bilinear(3, rank=4, C=C, n=40)
    # A square basis spans everything, so the first half-step is the whole SVM.
    state = next(alternating_svm(problem, start=np.eye(4)))
    svm = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=1e-10, max_iter=10**7)
    W = svm.fit(problem.X.reshape(40, -1), problem.y).coef_.reshape(5, 4)
    # Both within sqrt(2 gap) of the one solution.
    gap, theirs = (problem.primal(V, 0.0) - state.half.value for V in (state.W, W))
    bound = np.sqrt(2 * max(gap, 0)) + np.sqrt(2 * max(theirs, 0)) + 1e-12 * np.linalg.norm(W)
    assert np.linalg.norm(state.W - W) <= bound
    assert theirs <= 1e-4 * problem.primal(W, 0.0)


def test_an_offset_of_the_samples_matters_without_b_and_not_with_it():
    data = random_problem(6, n=40)
    for offset in (False, True):
        here, there = (
            BilinearSVM(rank=2, fit_intercept=offset, n_init=1).fit(data.X + shift, data.y)
            for shift in (0.0, 3.0)
        )
        same = abs(here.objective_ - there.objective_) <= 1e-4 * here.objective_
        assert same == offset


def test_an_offset_far_larger_than_the_samples_does_not_drown_the_objective():
    data = random_problem(6, n=40)
    here, there = (
        BilinearSVM(rank=2, C=1e4, fit_intercept=True, n_init=1).fit(data.X + shift, data.y)
        for shift in (0.0, 1e8)
    )
    # Rounding of the samples moves a margin by 1e-8, which alpha weighs; that of <W, X> + b would
    # move it by as much, but C weighs it.
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-5)
    assert there.n_iter_ <= here.n_iter_ + 1
    assert there.stationarity_ <= 1e-6 * there.objective_


@pytest.mark.parametrize("rank", [0, 5, 1.5])
def test_a_rank_out_of_range_is_named(rank):
    data = random_problem(0)
    with pytest.raises(
        ValueError, match=rf"rank must be between 1 and min\(p, q\) = 4, got {rank}"
    ):
        BilinearProblem(data.X, data.y, 1.0, rank)


def test_a_start_that_is_no_basis_is_refused():
    problem = bilinear(0)
    with pytest.raises(ValueError, match=r"start must have shape \(4, 2\), got \(5, 2\)"):
        alternating_svm(problem, start=np.zeros((5, 2)))
    with pytest.raises(ValueError, match="orthonormal columns"):
        alternating_svm(problem, start=np.ones((4, 2)))


def test_a_fit_ends_when_its_quadratic_programmes_have_worked_too_long(monkeypatch):
    machine = BilinearSVM(C=1e8, random_state=0)
    most, of_one, steps, maximise = 1500, 10 * 20 + 1080, [], interior.maximise_by_rows

    def count(*arguments, **named):
        u, k = maximise(*arguments, **named)
        steps.append(k)
        return u, k

    monkeypatch.setattr(interior, "maximise_by_rows", count)
    monkeypatch.setattr("smmcore.rivals.estimators.most_work", lambda n: most)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 6)) * 10.0 ** np.linspace(0, 5, 6)  # units over five decades
    with pytest.warns(ConvergenceWarning, match="took more iterations than a fit may take. Bring"):
        machine.fit(X, rng.integers(0, 2, 20))
    assert max(steps) <= of_one
    # Each of three starts may exceed its part by one programme, and there are those that find them.
    assert sum(steps) <= most + 6 * of_one
    assert machine.objective_ <= 1e8 * 20  # no worse than W = 0


def test_units_over_five_decades_and_a_large_C_are_no_obstacle():
    rng = np.random.default_rng(205)
    X = rng.standard_normal((200, 6)) * 10.0 ** rng.uniform(-2.5, 2.5, 6)
    y = rng.integers(0, 2, 200)
    machine = BilinearSVM(C=1e4, random_state=0).fit(X, y)
    assert machine.stationarity_ <= 1e-6 * machine.objective_
    machine = LinearSVM(C=1e4).fit(X, y)
    assert machine.dual_gap_ <= 1e-6 * machine.objective_


def test_a_gram_matrix_of_more_than_a_gigabyte_is_refused():
    X = np.zeros((12_000, 2, 1))
    X[0, 0], y = 1.0, np.resize([1.0, -1.0], 12_000)
    with pytest.raises(ValueError, match=r"Gram matrix of 12000 samples, .* would take 1\.2 GB"):
        fast_admm(SMMProblem(X, y, 1.0, 1.0), rho="auto")
    X = np.zeros((12_000, 120, 100), dtype=np.bool_)
    with pytest.raises(ValueError, match="covariance of 12000 entries"):
        _ = LSSMMProblem(X, y, 1.0, 1.0)._weighted.covariance(y)
