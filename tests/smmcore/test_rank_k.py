from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smmcore import BilinearSVM, LinearSVM, RankKSVM
from smmcore.problems import BilinearProblem
from smmcore.solvers import cyclic_svm
from smmcore.solvers.alternating import linear_svm
from tests.smmcore.conftest import random_problem

seeds = st.integers(0, 2**32 - 1)


def rank_k(seed, rank=2, C=1.0, **options):
    data = random_problem(seed, **options)
    return BilinearProblem(data.X, data.y, C, rank, offset=True)


def random_start(problem, seed=0):
    like = linear_svm(problem)
    W = np.random.default_rng(seed).standard_normal(like.shape)
    return W * (np.linalg.norm(like) / np.linalg.norm(W))


@given(seeds, st.integers(1, 4), st.booleans(), st.sampled_from([0.01, 1.0, 100.0]))
def test_the_objective_never_rises_and_the_vectors_stay_orthogonal(seed, rank, random, C):
    problem = rank_k(seed, rank, C)
    start = random_start(problem, seed) if random else linear_svm(problem)
    states = list(islice(cyclic_svm(problem, start=start), 6 * rank))
    values = np.array([problem.primal(state.W, state.b) for state in states])
    # Each QP is solved to 1e-10 in a margin, so a value is off by at most 2e-10 n C.
    slack = 4e-10 * len(problem.y) * C + 1e-12 * values[0]
    assert (np.diff(values) <= slack).all()
    for state in states:
        np.testing.assert_allclose(state.U.T @ state.U, np.eye(rank), atol=1e-12)
        np.testing.assert_allclose(state.V.T @ state.V, np.eye(rank), atol=1e-12)


@given(seeds, st.integers(1, 3))
def test_each_step_is_solved_to_its_dual_value_and_moves_one_vector(seed, rank):
    problem = rank_k(seed, rank)
    for before, after in pairwise(islice(cyclic_svm(problem, start=linear_svm(problem)), 7)):
        j, vector = before.ahead
        rest = np.delete(before.U * before.d, j, 1) @ np.delete(before.V, j, 1).T
        scores = problem.centred_scores(rest)
        # The dual of the step, written down: its linear term is 1 - y_i r_i.
        samples = problem.centred_samples(slice(None))
        samples = samples if vector == "u" else samples.swapaxes(1, 2)
        kept, others = (before.V, before.U) if vector == "u" else (before.U, before.V)
        others = np.delete(others, j, 1)
        inside = np.eye(len(others)) - others @ others.T
        u = inside @ np.tensordot(after.alpha * problem.y, samples @ kept[:, j], 1)
        dual = after.alpha @ (1 - problem.y * scores) - 0.5 * u @ u + 0.5 * np.sum(rest**2)
        primal = problem.primal(after.W, after.b)
        assert abs(primal - dual) <= 1e-7 * primal
        side = "U" if vector == "u" else "V"
        unchanged = np.delete(getattr(after, side), j, 1)
        np.testing.assert_array_equal(unchanged, np.delete(getattr(before, side), j, 1))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_at_full_rank_it_stays_at_the_linear_svm(C):
    problem = rank_k(3, rank=4, C=C, n=40)
    svm = LinearSVM(C).fit(problem.X, problem.y)
    for state in islice(cyclic_svm(problem, start=svm.coef_), 25):
        assert problem.primal(state.W, state.b) <= svm.objective_ * (1 + 1e-9)
        # 1-strong convexity: both are within sqrt(2 gap) of the one solution.
        assert np.linalg.norm(state.W - svm.coef_) <= 2 * np.sqrt(2e-8 * svm.objective_)


def test_proposition_1_orthogonal_transformations_of_the_samples_transform_W():
    data, rng = random_problem(6, n=40), np.random.default_rng(6)
    p, q = data.shape[1:]
    A, B = (np.linalg.qr(rng.standard_normal((size + 3, size)))[0] for size in (p, q))
    W, turned = (RankKSVM(2).fit(X, data.y).coef_ for X in (data.X, A @ data.X @ B.T))
    np.testing.assert_allclose(turned, A @ W @ B.T, atol=1e-6 * np.linalg.norm(W))


def test_the_certificate_bounds_what_any_one_vector_can_gain():
    problem = rank_k(5, rank=2, n=40)
    state = next(islice(cyclic_svm(problem, start=linear_svm(problem)), 60, None))
    proof = state.certificate(problem)
    rng = np.random.default_rng(0)
    for _ in range(50):
        j, size = rng.integers(2), 10.0 ** rng.uniform(-4, 0)
        others = np.delete(state.U, j, 1)
        u = size * rng.standard_normal(5)
        W = state.W + np.outer(u - others @ (others.T @ u), state.V[:, j])
        assert problem.primal(W, problem.best_intercept(W)) >= proof.dual - 1e-11 * proof.primal


def test_all_vectors_of_a_side_at_once_end_no_higher():
    data = random_problem(5, n=60, shape=(8, 6))
    one = RankKSVM(rank=2).fit(data.X, data.y)
    many = BilinearSVM(rank=2, fit_intercept=True, n_init=1).fit(data.X, data.y)
    assert one.stationarity_ <= 1e-6 * one.objective_
    assert one.rank_ == 2
    assert many.objective_ <= one.objective_ * (1 + 1e-6)


def test_a_start_of_another_shape_or_not_finite_is_refused():
    with pytest.raises(ValueError, match=r"start must have shape \(5, 4\), got \(4, 5\)"):
        cyclic_svm(rank_k(0), start=np.zeros((4, 5)))
    with pytest.raises(ValueError, match="start must be finite, got NaN or infinity"):
        cyclic_svm(rank_k(0), start=np.full((5, 4), np.nan))
