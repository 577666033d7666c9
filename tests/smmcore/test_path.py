"""Paths along tau: every solution certified, equal to a cold fit, and 0 at tau_max."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from smmcore import SupportMatrixMachine, smm_path
from smmcore import path as path_module
from smmcore.datasets import make_block_correlated
from smmcore.path import better_start, next_on_path, tau_grid
from smmcore.problems import SMMProblem
from tests.smmcore.conftest import random_problem


@pytest.mark.parametrize(
    "sizes",
    [
        {"n": 12, "shape": (5, 4)},  # Newton's method
        {"n": 40, "shape": (4, 3)},  # the augmented Lagrangian method
        {"n": 40, "shape": (4, 3), "unequal": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_every_point_is_certified_and_equal_to_a_cold_fit(sizes, C):
    problem = random_problem(0, C=C, **sizes)
    path = smm_path(problem.X, problem.y, C=C, n_taus=6)
    assert path.ranks[0] == 0 < path.ranks[1]
    for i, tau in enumerate(path.taus):
        W, b, gap = path.coefs[i], path.intercepts[i], path.dual_gaps[i]
        here = problem.with_weights(tau=float(tau))
        rounding = 1e-12 * (path.objectives[i] + path.dual_coefs[i].sum())
        recomputed = here.duality_gap(W, b, path.dual_coefs[i])
        assert recomputed == pytest.approx(gap, abs=rounding)
        assert here.primal(W, b) == pytest.approx(path.objectives[i], rel=1e-12)
        assert gap <= 1e-6 * path.objectives[i]
        assert path.radii[i] == np.sqrt(2 * gap)
        sigma = np.linalg.svd(W, compute_uv=False)
        np.testing.assert_allclose(path.singular_values[i], sigma, atol=1e-12)
        if i:  # at tau_max a fit would warn that W = 0
            cold = SupportMatrixMachine(C, float(tau)).fit(problem.X, problem.y)
            assert np.linalg.norm(W - cold.coef_) <= path.radii[i] + cold.radius_ + 1e-12


def test_the_grid_goes_down_from_tau_max_in_equal_ratios():
    problem = random_problem(1)
    path = smm_path(problem.X, problem.y, C=2.0, eps=1e-3, n_taus=7)
    top = SupportMatrixMachine(C=2.0).tau_max(problem.X, problem.y)
    assert top * (1 - 1e-6) <= path.taus[0] <= 1.011 * top
    np.testing.assert_allclose(path.taus, path.taus[0] * 10.0 ** -np.arange(0, 3.1, 0.5))
    assert tau_grid(0.0, 0.1, 3).tolist() == [0.0, 0.0, 0.0]


def test_where_the_bound_of_tau_max_proves_W_0_no_solver_runs(monkeypatch):
    problem = random_problem(1)
    monkeypatch.setattr(path_module, "default_solver", lambda *args, **kwargs: pytest.fail("ran"))
    state, proof = next_on_path(problem.with_weights(tau=problem.tau_bound()), None)
    assert state is None
    assert proof.rank == 0
    assert proof.within(1e-12)


def test_given_taus_are_solved_in_descending_order():
    problem = random_problem(1)
    path, again = (
        smm_path(problem.X, problem.y, taus=taus) for taus in ([0.0, 2.0, 0.5], [2.0, 0.5, 0.0])
    )
    assert path.taus.tolist() == [2.0, 0.5, 0.0]
    for one, two in zip(path, again, strict=True):
        np.testing.assert_array_equal(one, two)


def test_the_second_label_is_the_positive_one_as_for_the_estimator():
    problem = random_problem(1)
    labels = np.where(problem.y > 0, "a", "b")
    path = smm_path(problem.X, labels, taus=[0.5])
    machine = SupportMatrixMachine(tau=0.5).fit(problem.X, labels)
    np.testing.assert_array_equal(path.coefs[0], machine.coef_)
    assert path.intercepts[0] == machine.intercept_
    np.testing.assert_array_equal(path.dual_coefs[0], machine.dual_coef_)


def test_weights_are_those_of_the_estimator():
    X, y = make_block_correlated(40, (5, 4), noise=0.1, scaling="unit variance", random_state=3)
    weights = np.random.default_rng(0).integers(0, 4, 40)
    path = smm_path(X, y, C=0.3, n_taus=3, eps=0.1, sample_weight=weights, tol=1e-9)
    top = SupportMatrixMachine(0.3).tau_max(X, y, sample_weight=weights)
    assert top * (1 - 1e-6) <= path.taus[0] <= 1.011 * top
    assert (path.dual_coefs[:, weights == 0] == 0).all()
    for i in (1, 2):
        machine = SupportMatrixMachine(0.3, path.taus[i], tol=1e-9).fit(X, y, weights)
        moved = np.linalg.norm(path.coefs[i] - machine.coef_)
        assert moved <= path.radii[i] + machine.radius_ + 1e-12
        assert machine.rank_ > 0


def test_flat_samples_and_vectors_have_the_shapes_of_the_estimator():
    problem = random_problem(1, shape=(4, 3))
    flat = problem.X.reshape(-1, 12)
    path = smm_path(problem.X, problem.y, n_taus=3)
    for one, two in zip(path, smm_path(flat, problem.y, n_taus=3, shape=(4, 3)), strict=True):
        np.testing.assert_array_equal(one, two)
    vectors = smm_path(flat, problem.y, n_taus=3)
    assert vectors.coefs.shape == (3, 12)
    assert vectors.singular_values.shape == (3, 1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"taus": []}, r"taus must be a list of at least one number, got an array of shape \(0,\)"),
        ({"taus": [1.0, -0.5]}, "taus must be at least 0 and finite, got -0.5"),
        ({"eps": 1.0}, "eps must be above 0 and below 1, got 1.0"),
        ({"n_taus": 0}, "n_taus must be an integer, at least 1, got 0"),
        ({"C": 0.0}, "'C' parameter"),
        ({"shape": (2, 2)}, r"shape=\(2, 2\) needs flat samples"),
    ],
)
def test_an_argument_out_of_range_has_a_sentence(changes, sentence):
    problem = random_problem(1)
    with pytest.raises(ValueError, match=sentence):
        smm_path(problem.X.reshape(24, -1), problem.y, **changes)


def test_solutions_that_miss_tol_are_counted():
    problem = random_problem(1)
    with pytest.warns(ConvergenceWarning, match=r"tol=1e-09 was not reached") as caught:
        path = smm_path(problem.X, problem.y, taus=[1e3, 1.0, 0.5], tol=1e-9, max_iter=2)
    (warning,) = caught
    assert warning.filename == __file__
    loose = path.dual_gaps > 1e-9 * path.objectives
    assert loose.tolist() == [False, True, True]
    worst = (path.dual_gaps / path.objectives).max()
    expected = f"2 of 3 solutions have relative duality gaps of up to {worst:.1e}, tol"
    assert str(warning.message).startswith(expected)


def test_a_grid_of_C_and_tau_takes_fewer_steps_from_the_better_start():
    X, y = make_block_correlated(400, (8, 6), scaling="unit variance", random_state=3)
    base = SMMProblem(X, y, 1.0, 0.0)

    def steps(across_C: bool) -> int:
        counted, row = 0, [None] * 6
        for C in np.array([1.0, 10.0, 100.0]) / base.spread**2:
            for j, tau in enumerate(tau_grid(C * base.tau_bound(), 0.01, 6)):
                problem = base.with_weights(C=C, tau=tau)
                before = row[j - 1] if j else None
                start = better_start(problem, before, row[j]) if across_C else before
                row[j], proof = next_on_path(problem, start, 1e-3)
                assert proof.within(1e-3)
                counted += row[j].k if row[j] else 0
        return counted

    assert steps(across_C=True) < 0.9 * steps(across_C=False)
