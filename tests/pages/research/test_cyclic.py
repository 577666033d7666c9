"""The note on the cyclic algorithm: its experiment against the estimator, its page."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.research.cyclic.runs import CyclicRace
from pages.shared.data.synthetic import Relevant
from pages.shared.engine.worker import advance
from smmcore import LinearSVM
from smmcore.rivals.alternating import linear_svm
from smmcore.wolf.cyclic import cyclic_svm
from tests.pages.visit import players, take_home, visit
from tests.smmcore.conftest import seeds
from tests.smmcore.test_bilinear import bilinear, never_rising

DATA = Relevant(n=200, train=40)
FIRST = Relevant()  # what the page opens with


def test_the_cyclic_algorithm_never_rises_and_ends_at_the_estimator():
    run = CyclicRace(DATA, 2)
    curves = advance(run, None, 60.0).metrics
    X, y, _ = DATA.load()
    for start in ("svm", "random"):
        objective = curves[f"primal_{start}"]
        assert (np.diff(objective) <= 1e-9 * objective[:-1]).all()
    assert curves["svm"] == pytest.approx(LinearSVM(run.C).fit(X, y).objective_, rel=1e-4)
    assert (curves["primal_svm"] > 2 * curves["svm"]).all()


def test_at_full_rank_it_stays_at_the_linear_svm_or_stalls():
    curves = advance(CyclicRace(DATA, 10, max_iter=4), None, 60.0).metrics
    assert (curves["primal_svm"] <= (1 + 1e-4) * curves["svm"]).all()
    assert (curves["primal_random"] > 100 * curves["svm"]).all()


@pytest.mark.sweep
def test_the_linear_svm_is_not_always_the_better_start():
    large = replace(FIRST, train=200, size=50, noise=0.5)
    for run in (CyclicRace(FIRST, 4), CyclicRace(large, 2, max_iter=2)):
        end = advance(run, None, 60.0).metrics[-1]
        assert end["primal_random"] < 0.9 * end["primal_svm"]


def test_page_runs_the_algorithm(contents):
    visit(contents, "cyclic", "cyclic", k="2", behind="A X Bᵀ, 10 × 10", draw="4")
    data = Relevant(size=10, seed=4)
    assert contents.session_state["cyclic"].experiment == CyclicRace(data, 2)
    assert len(players(contents)) == 1
    assert {"smm_rank_k_model.npz", "smm_rank_k_run.py"} <= take_home(contents)


@given(seeds, st.integers(1, 4), st.booleans(), st.sampled_from([0.01, 1.0, 100.0]))
def test_the_objective_never_rises_and_the_vectors_stay_orthogonal(seed, rank, random, C):
    problem = bilinear(seed, rank, True, C)
    start = linear_svm(problem)
    if random:
        W = np.random.default_rng(seed).standard_normal(start.shape)
        start = W * (np.linalg.norm(start) / np.linalg.norm(W))
    for state in never_rising(problem, islice(cyclic_svm(problem, start), 6 * rank)):
        np.testing.assert_allclose(state.U.T @ state.U, np.eye(rank), atol=1e-12)
        np.testing.assert_allclose(state.V.T @ state.V, np.eye(rank), atol=1e-12)


@given(seeds, st.integers(1, 3))
def test_each_step_is_solved_to_its_dual_value_and_moves_one_vector(seed, rank):
    problem = bilinear(seed, rank, True)
    for before, after in pairwise(islice(cyclic_svm(problem, linear_svm(problem)), 7)):
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


def test_the_certificate_bounds_what_any_one_vector_can_gain():
    problem = bilinear(5, 2, True, n=40)
    state = next(islice(cyclic_svm(problem, linear_svm(problem)), 60, None))
    proof = state.certificate(problem)
    rng = np.random.default_rng(0)
    for _ in range(50):
        j, size = rng.integers(2), 10.0 ** rng.uniform(-4, 0)
        others = np.delete(state.U, j, 1)
        u = size * rng.standard_normal(5)
        W = state.W + np.outer(u - others @ (others.T @ u), state.V[:, j])
        assert problem.primal(W, problem.best_intercept(W)) >= proof.dual - 1e-11 * proof.primal
