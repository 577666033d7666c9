import numpy as np
import pytest
from hypothesis import given

from smmcore import theory
from smmcore.prox import singular_value_threshold
from tests.smmcore.conftest import problems, seeds


@given(problems(), seeds)
def test_lemma_1_and_theorem_2_hold_for_any_feasible_alpha(problem, seed):
    alpha = problem.balance(np.random.default_rng(seed).uniform(0, problem.C, len(problem.y)))
    Omega = problem.omega(alpha)
    W = singular_value_threshold(Omega, problem.tau)
    size = 1e-9 * max(np.abs(Omega).max(), 1) ** 2
    columns = theory.column_distance_bound(problem.X, problem.C)
    rows = theory.column_distance_bound(problem.X.swapaxes(1, 2), problem.C)
    for bound, axis in ((columns, 2), (rows, 1)):  # n C^2 times the squared distance of features
        lines = np.moveaxis(problem.X, axis, 0)
        distance = np.sum((lines[:, None] - lines[None]) ** 2, axis=(2, 3))
        np.testing.assert_allclose(bound, len(problem.y) * problem.C**2 * distance, atol=size)
    assert (theory.column_distances(W) <= columns + size).all()
    assert (theory.column_distances(W.T) <= rows + size).all()
    # Between W and Omega stands a factor that the SMM has and the linear SVM has not.
    sigma = np.linalg.norm(Omega, 2)
    factor = max(1 - problem.tau / sigma, 0.0) ** 2 if sigma else 0.0
    assert (theory.column_distances(W) <= factor * theory.column_distances(Omega) + size).all()
    p, q = Omega.shape
    pairs = np.random.default_rng(seed).integers(0, [p, q], (2, 20, 2))
    bound = theory.element_distance_bound(problem.X, problem.C, *pairs)
    one, two = (problem.X[:, each[:, 0], each[:, 1]] for each in pairs)
    distance = np.sum((one - two) ** 2, axis=0)
    np.testing.assert_allclose(bound, len(problem.y) * problem.C**2 * distance, atol=size)
    apart = Omega[tuple(pairs[0].T)] - Omega[tuple(pairs[1].T)]
    assert (apart**2 <= bound + size).all()


def test_the_grouping_score_is_one_for_equal_columns_and_zero_on_average_for_random_ones():
    rng, groups = np.random.default_rng(0), np.repeat([0, 1, 2], 4)
    assert theory.grouping_score(rng.standard_normal((5, 3))[:, groups], groups) == 1.0
    scores = [theory.grouping_score(rng.standard_normal((5, 12)), groups) for _ in range(2000)]
    # The mean of 2000 draws has a standard error of their deviation over sqrt(2000).
    assert abs(np.mean(scores)) <= 4 * np.std(scores) / np.sqrt(2000)
    assert np.isnan(theory.grouping_score(np.ones((5, 12)), groups))
    assert np.isnan(theory.grouping_score(rng.standard_normal((5, 12)), np.zeros(12)))
    with pytest.raises(ValueError, match=r"groups must have shape \(12,\), .*, got \(3,\)"):
        theory.grouping_score(np.ones((5, 12)), [0, 1, 2])
    for W in (3.0, np.ones(4), np.ones((0, 4))):
        with pytest.raises(ValueError, match="W must be a matrix without zeros in its shape, got"):
            theory.grouping_score(W, [0, 0, 1, 1])
