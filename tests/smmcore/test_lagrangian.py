"""The augmented Lagrangian method against Algorithm 1, its derivatives, and rounding."""

from dataclasses import replace
from importlib import import_module
from itertools import islice

import numpy as np
import pytest
from hypothesis import given

from smmcore.iterate import last
from smmcore.prox import derivative_factors, thresholded_svd
from smmcore.solvers import augmented_lagrangian, solve_to_gap
from tests.smmcore.conftest import problems, random_problem

lagrangian = import_module("smmcore.solvers.lagrangian")


def solve(problem, tol=1e-8, **options):
    """The certificate within `tol`, and the state it belongs to."""
    return solve_to_gap(problem, augmented_lagrangian(problem, **options), tol, max_iter=500)


@given(problems())
def test_every_alpha_is_dual_feasible(problem):
    for state in islice(augmented_lagrangian(problem), 20):
        assert problem.dual(state.alpha) > -np.inf  # in the box, with y @ alpha = 0


@pytest.mark.parametrize(("C", "tau"), [(0.01, 1.0), (1.0, 0.3), (1.0, 20.0), (100.0, 1.0)])
def test_many_samples_of_few_entries(C, tau):
    problem = random_problem(7, n=500, shape=(4, 5), C=C, tau=tau)
    proof, state = solve(problem, 1e-10)
    assert proof.within(1e-10)
    margins, alpha = problem.y * proof.decision, proof.alpha
    # A margin is known to the radius times the size of its sample, twice for W and b.
    slack = 2 * proof.radius * problem.largest_sample
    assert np.all(margins[alpha == 0] >= 1 - slack)
    assert np.all(margins[alpha == problem.C] <= 1 + slack)
    np.testing.assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=slack)
    assert "whole_gram" not in vars(problem._samples)  # nothing of size n^2
    assert state.free <= 2 * problem.X[0].size


def test_a_minimum_is_one_of_the_augmented_lagrangian():
    """phi' is its gradient, and the Newton step that of a twice differentiable point."""
    problem = random_problem(1, n=50, shape=(4, 5), C=1.0, tau=0.5)
    state = last(islice(augmented_lagrangian(problem), 3))
    rng = np.random.default_rng(0)
    E = rng.standard_normal((4, 5))
    scores = problem.centred_scores(E)

    def point(t):
        W = state.W + t * E
        return lagrangian._Point(problem, state, W, problem.centred_scores(W))

    def phi(t):
        at, (s, r) = point(t), state.penalties
        margins = problem.y - at.scores
        return (
            0.5 * np.sum(at.W**2)
            + at.u @ margins
            - np.sum((at.u - state.u) ** 2) / (2 * s)
            + np.vdot(at.Lambda, at.W)
            - np.sum((at.Lambda - state.Lambda) ** 2) / (2 * r)
        )

    h = 1e-5
    slope = point(0.0).slope(E, scores)
    # The error of the difference is h^2 times a third derivative, and rounding 1e-16 / h.
    assert (phi(h) - phi(-h)) / (2 * h) == pytest.approx(slope, rel=1e-5)

    def gradient_at(at):
        return at.W + at.Lambda - problem.omega(np.abs(at.u))

    here = point(0.0)
    gradient = gradient_at(here)
    assert np.vdot(gradient, E) == pytest.approx(slope, rel=1e-10)
    change = lagrangian._newton(problem, state, here, gradient)
    moved = lagrangian._Point(
        problem,
        state,
        state.W + h * change,
        state.scores + h * problem.centred_scores(change),
    )
    left = gradient_at(moved)
    np.testing.assert_allclose((left - gradient) / h, -gradient, atol=1e-4 * abs(gradient).max())


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (5, 5), (7, 1), (1, 7)])
@pytest.mark.parametrize("rank", [0, 1, 3])
def test_factors_of_the_derivative_of_the_singular_value_threshold(shape, rank):
    rng = np.random.default_rng(0)
    M, E = rng.standard_normal((2, *shape))
    U, sigma, Vt = np.linalg.svd(M)
    ends = np.concatenate([[2 * sigma[0]], sigma, [0.0]])
    at = min(rank, min(shape))
    tau = 0.5 * (ends[at] + ends[at + 1])  # between two singular values
    same, swapped = derivative_factors(sigma, tau, shape)
    turned, m = U.T @ E @ Vt.T, min(shape)
    image = same * turned
    image[:m, :m] += swapped * turned[:m, :m].T
    h = 1e-5
    slope = (
        (thresholded_svd(M + h * E, tau).matrix - thresholded_svd(M - h * E, tau).matrix) / h / 2
    )
    # The error of the difference is h^2 times a third derivative, and rounding 1e-16 / h.
    np.testing.assert_allclose(U @ image @ Vt, slope, atol=1e-7)


def test_penalties_at_which_rounding_hides_the_minimum_shrink():
    problem = random_problem(3, n=35, shape=(8, 2), C=100.0, tau=1.0)
    _, state = solve(problem)
    s, r = state.penalties
    stuck = replace(state, penalties=(1e5 * s, 1e5 * r), steps=0)
    proof, end = solve(problem, 1e-10, start=stuck)
    assert proof.within(1e-10)
    assert end.penalties[0] < stuck.penalties[0]
